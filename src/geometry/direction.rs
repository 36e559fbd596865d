//! The eight directions of the grid, and sets of them.

use std::fmt;
use std::ops::{BitOr, Sub};
use std::str::FromStr;

use super::NameError;

/// One of the eight directions of the grid, seen from White's seat: north is away from White (R1,
/// R4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Away from White.
    N,
    /// Away from White and to White's right.
    Ne,
    /// To White's right.
    E,
    /// Towards White and to White's right.
    Se,
    /// Towards White.
    S,
    /// Towards White and to White's left.
    Sw,
    /// To White's left.
    W,
    /// Away from White and to White's left.
    Nw,
}

impl Direction {
    /// All directions, clockwise from north.
    pub const ALL: [Direction; 8] = [
        Direction::N,
        Direction::Ne,
        Direction::E,
        Direction::Se,
        Direction::S,
        Direction::Sw,
        Direction::W,
        Direction::Nw,
    ];

    /// One of each two opposite directions: a line leaves one of its ends in one of these.
    pub(crate) const HALF: [Direction; 4] = [Direction::N, Direction::Ne, Direction::E, Direction::Se];

    /// Returns the direction with this clockwise number; 0 is north. Numbers wrap around.
    pub(crate) const fn from_clockwise(number: u8) -> Direction {
        Direction::ALL[(number % 8) as usize]
    }

    /// Returns the clockwise number of the direction, 0 to 7; 0 is north.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the direction that leads back.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Direction::from_clockwise(self as u8 + 4)
    }

    /// Returns the direction after a clockwise turn by some eighths of a full turn.
    #[must_use]
    pub const fn turned(self, eighths: u8) -> Direction {
        Direction::from_clockwise(self as u8 + eighths % 8)
    }

    /// Returns one step as two numbers: columns to White's right, rows away from White.
    ///
    /// ```
    /// use pods::geometry::Direction;
    /// assert_eq!(Direction::Se.delta(), (1, -1));
    /// ```
    #[must_use]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Direction::N => (0, 1),
            Direction::Ne => (1, 1),
            Direction::E => (1, 0),
            Direction::Se => (1, -1),
            Direction::S => (0, -1),
            Direction::Sw => (-1, -1),
            Direction::W => (-1, 0),
            Direction::Nw => (-1, 1),
        }
    }

    /// Returns the lower-case name, as in pod files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["n", "ne", "e", "se", "s", "sw", "w", "nw"][self as usize]
    }
}

impl FromStr for Direction {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Direction, NameError> {
        let wrong = || NameError::new(name, "direction: n, ne, e, se, s, sw, w or nw");
        Direction::ALL.into_iter().find(|direction| direction.name() == name).ok_or_else(wrong)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Makes a set of points, as bits, for each direction, by the number of the direction.
///
/// `std::array::from_fn` does the same, but is not inlined where a crate is built in several units.
#[inline(always)]
pub(crate) fn by_direction(mut of: impl FnMut(usize) -> u64) -> [u64; 8] {
    let mut sets = [0; 8];
    for (d, set) in sets.iter_mut().enumerate() {
        *set = of(d);
    }
    sets
}

/// A set of directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectionSet(u8);

impl DirectionSet {
    /// No direction.
    pub const EMPTY: DirectionSet = DirectionSet(0);

    /// Returns `true` if the direction is in the set.
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Adds a direction; says whether it was missing.
    pub fn insert(&mut self, direction: Direction) -> bool {
        let missing = !self.contains(direction);
        self.0 |= 1 << direction as u8;
        missing
    }

    /// Returns the number of directions in the set, 0 to 8.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if no direction is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the opposite directions.
    ///
    /// ```
    /// use pods::geometry::{Direction, DirectionSet};
    ///
    /// let set: DirectionSet = [Direction::N, Direction::Se].into_iter().collect();
    /// assert!(set.opposite().iter().eq([Direction::S, Direction::Nw]));
    /// ```
    #[must_use]
    pub const fn opposite(self) -> DirectionSet {
        // A direction and its opposite are half of the eight apart.
        DirectionSet(self.0.rotate_left(4))
    }

    /// Returns the directions of the set, clockwise from north.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| Direction::ALL[left.trailing_zeros() as usize]);
            left &= left.wrapping_sub(1);
            next
        })
    }
}

impl BitOr for DirectionSet {
    type Output = DirectionSet;
    fn bitor(self, other: DirectionSet) -> DirectionSet {
        DirectionSet(self.0 | other.0)
    }
}

impl Sub for DirectionSet {
    type Output = DirectionSet;
    fn sub(self, other: DirectionSet) -> DirectionSet {
        DirectionSet(self.0 & !other.0)
    }
}

impl FromIterator<Direction> for DirectionSet {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> DirectionSet {
        let mut set = DirectionSet::EMPTY;
        for direction in directions {
            set.insert(direction);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposite_set_has_the_opposite_of_each_direction() {
        for bits in 0..=u8::MAX {
            let set = DirectionSet(bits);
            assert_eq!(set.opposite(), set.iter().map(Direction::opposite).collect(), "{set:?}");
        }
    }
}
