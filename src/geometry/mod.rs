//! The square grid on which every board lies: directions, points, sets of points, turns and
//! reflections.
//!
//! Nothing here knows of lines, pods or rules.

mod direction;
mod name;
mod point;
mod symmetry;

pub(crate) use direction::by_direction;
pub use direction::{Direction, DirectionSet};
pub use name::NameError;
pub use point::{Coord, MAX_POINTS, MAX_SPAN, Point, PointSet, PointSetIter};
pub use symmetry::{Orientation, Symmetry};
