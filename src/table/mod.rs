//! Tables: the value of every position of a setup.

mod arrangement;
mod bits;
mod codes;
mod direct;
mod index;
mod solved;
mod sweep;

pub use arrangement::{Arrangement, Class, MAX_ON_BOARD, Placed};
pub use codes::{Codes, code_of, value_of};
pub use index::{Index, IndexError, Place, Slice, Tier};
pub use solved::{Solved, Sweeps};
pub use sweep::Swept;
