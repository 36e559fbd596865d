//! The eight rotations and reflections of the grid, and the four orientations of a board.

use std::fmt;
use std::str::FromStr;

use super::{Coord, Direction, NameError};

/// Angle by which the board is turned clockwise before the game, as White sees it (R2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Orientation {
    /// Not turned.
    #[default]
    R0,
    /// A quarter turn clockwise: the north side goes to the east side.
    R90,
    /// A half turn.
    R180,
    /// A quarter turn counter-clockwise.
    R270,
}

impl Orientation {
    /// The four orientations by rising angle.
    pub const ALL: [Orientation; 4] = [Orientation::R0, Orientation::R90, Orientation::R180, Orientation::R270];

    /// Returns the angle in degrees: 0, 90, 180 or 270.
    #[must_use]
    pub const fn degrees(self) -> u16 {
        self as u16 * 90
    }

    /// Returns the orientation of an angle in degrees; `None` unless it is 0, 90, 180 or 270.
    #[must_use]
    pub fn from_degrees(degrees: u16) -> Option<Orientation> {
        Orientation::ALL.into_iter().find(|o| o.degrees() == degrees)
    }

    /// Returns this turn followed by another one.
    #[must_use]
    pub const fn then(self, next: Orientation) -> Orientation {
        Orientation::ALL[(self as usize + next as usize) % 4]
    }
}

impl FromStr for Orientation {
    type Err = NameError;

    /// Reads an angle in degrees: 0, 90, 180 or 270.
    fn from_str(text: &str) -> Result<Orientation, NameError> {
        let wrong = || NameError::new(text, "orientation: 0, 90, 180 or 270");
        Orientation::ALL.into_iter().find(|orientation| orientation.to_string() == text).ok_or_else(wrong)
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.degrees())
    }
}

impl From<Orientation> for Symmetry {
    fn from(orientation: Orientation) -> Symmetry {
        Symmetry { mirrored: false, turn: orientation }
    }
}

/// A symmetry of the square: first, if `mirrored`, a reflection that swaps west and east; then a
/// turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry {
    /// True if west and east are swapped first.
    pub mirrored: bool,
    /// The clockwise turn that follows.
    pub turn: Orientation,
}

impl Symmetry {
    /// The symmetry that leaves everything in place.
    pub const IDENTITY: Symmetry = Symmetry { mirrored: false, turn: Orientation::R0 };

    /// Returns the eight symmetries of the square: the four turns, then the four reflections.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        [false, true]
            .into_iter()
            .flat_map(|mirrored| Orientation::ALL.into_iter().map(move |turn| Symmetry { mirrored, turn }))
    }

    /// Returns the image of a direction.
    #[must_use]
    pub const fn direction(self, direction: Direction) -> Direction {
        let index = direction as u8;
        let index = if self.mirrored { (8 - index) % 8 } else { index };
        Direction::from_clockwise(index + 2 * self.turn as u8)
    }

    /// Returns the columns and rows that a grid has after the symmetry.
    #[must_use]
    pub const fn size(self, (columns, rows): (u8, u8)) -> (u8, u8) {
        match self.turn {
            Orientation::R0 | Orientation::R180 => (columns, rows),
            Orientation::R90 | Orientation::R270 => (rows, columns),
        }
    }

    /// Returns the image of a place of a grid of `(columns, rows)`, which must be on that grid.
    ///
    /// ```
    /// use pods::geometry::{Coord, Orientation, Symmetry};
    /// let top_left = Coord { row: 2, column: 0 };
    /// let turned = Symmetry::from(Orientation::R90).coord(top_left, (4, 3));
    /// assert_eq!(turned, Coord { row: 3, column: 2 }); // the top right of a grid of 3 columns and 4 rows
    /// ```
    #[must_use]
    pub const fn coord(self, place: Coord, (columns, rows): (u8, u8)) -> Coord {
        let Coord { row, mut column } = place;
        if self.mirrored {
            column = columns - 1 - column;
        }
        match self.turn {
            Orientation::R0 => Coord { row, column },
            Orientation::R90 => Coord { row: columns - 1 - column, column: row },
            Orientation::R180 => Coord { row: rows - 1 - row, column: columns - 1 - column },
            Orientation::R270 => Coord { row: column, column: rows - 1 - row },
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.mirrored, self.turn) {
            (false, Orientation::R0) => f.write_str("identity"),
            (false, turn) => write!(f, "turn by {turn}°"),
            (true, Orientation::R0) => f.write_str("reflection west-east"),
            (true, Orientation::R90) => f.write_str("reflection in the diagonal sw-ne"),
            (true, Orientation::R180) => f.write_str("reflection south-north"),
            (true, Orientation::R270) => f.write_str("reflection in the diagonal nw-se"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_places_turn_alike() {
        let size = (5, 3);
        for symmetry in Symmetry::all() {
            for column in 0..5 {
                for row in 0..3 {
                    let place = Coord { row, column };
                    for direction in Direction::ALL {
                        let Some(next) = place.step(direction).filter(|n| n.column < 5 && n.row < 3) else { continue };
                        let image = symmetry.coord(place, size);
                        assert_eq!(
                            image.step(symmetry.direction(direction)),
                            Some(symmetry.coord(next, size)),
                            "{symmetry}: {place} {direction}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn reflections_keep_what_their_names_say() {
        let size = (3, 3);
        let diagonal = |sum: bool| (0..3).map(move |i| Coord { row: if sum { 2 - i } else { i }, column: i });
        for (turn, falling) in [(Orientation::R90, false), (Orientation::R270, true)] {
            let symmetry = Symmetry { mirrored: true, turn };
            assert!(diagonal(falling).all(|p| symmetry.coord(p, size) == p), "{symmetry}");
        }
        let south_north = Symmetry { mirrored: true, turn: Orientation::R180 };
        assert_eq!(south_north.direction(Direction::N), Direction::S);
        assert_eq!(south_north.direction(Direction::E), Direction::E);
    }
}
