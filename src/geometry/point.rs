//! Points of a board, their coordinates, and sets of points.

use std::fmt;
use std::str::FromStr;

use super::NameError;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr, Not, Sub};

/// The largest number of points a board may have (R1).
pub const MAX_POINTS: usize = 64;

/// The largest number of columns, and of rows, a board may have.
pub const MAX_SPAN: usize = 26;

/// A point of one particular board: its number, counted row by row from White's bottom left, holes
/// left out.
///
/// Meaningful only together with the board that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// Returns the point with this number.
    ///
    /// # Panics
    ///
    /// If the number is [`MAX_POINTS`] or more.
    #[must_use]
    #[inline]
    pub fn new(index: usize) -> Point {
        assert!(index < MAX_POINTS, "a board has at most {MAX_POINTS} points, number {index} is none of them");
        Point(index as u8)
    }

    /// Returns the number of the point, 0 to 63.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Column and row of a point, both counted from White's bottom left and from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coord {
    /// Row, 0 at White's edge. Before the column, so that coordinates sort row by row.
    pub row: u8,
    /// Column, 0 at White's left; written as a letter from `a`.
    pub column: u8,
}

impl Coord {
    /// Returns the neighbouring place in a direction; `None` left of column 0, below row 0 or
    /// beyond [`MAX_SPAN`].
    #[must_use]
    pub fn step(self, direction: super::Direction) -> Option<Coord> {
        let (right, up) = direction.delta();
        let column = self.column.checked_add_signed(right)?;
        let row = self.row.checked_add_signed(up)?;
        ((column as usize) < MAX_SPAN && (row as usize) < MAX_SPAN).then_some(Coord { row, column })
    }
}

impl FromStr for Coord {
    type Err = NameError;

    /// Reads a name such as `c4`: one letter and a row number from 1 to 26 without leading zero.
    fn from_str(name: &str) -> Result<Coord, NameError> {
        let read = || {
            let mut chars = name.chars();
            let column = chars.next().filter(char::is_ascii_lowercase)? as u8 - b'a';
            let digits = chars.as_str();
            if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let row: usize = digits.parse().ok()?;
            (row <= MAX_SPAN).then(|| Coord { row: row as u8 - 1, column })
        };
        read().ok_or_else(|| NameError::new(name, "name of a point"))
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column) as char, self.row + 1)
    }
}

/// A set of points of one board, a bit a point.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointSet(pub u64);

impl PointSet {
    /// No point.
    pub const EMPTY: PointSet = PointSet(0);

    /// Returns the first `count` points.
    ///
    /// # Panics
    ///
    /// If `count` is above [`MAX_POINTS`].
    #[must_use]
    pub fn first(count: usize) -> PointSet {
        assert!(count <= MAX_POINTS);
        PointSet(if count == MAX_POINTS { u64::MAX } else { (1 << count) - 1 })
    }

    /// Returns `true` if the point is in the set.
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 == 1
    }

    /// Adds a point.
    pub const fn insert(&mut self, point: Point) {
        self.0 |= 1 << point.0;
    }

    /// Takes a point out.
    pub const fn remove(&mut self, point: Point) {
        self.0 &= !(1 << point.0);
    }

    /// Returns the number of points in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if no point is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl From<Point> for PointSet {
    fn from(point: Point) -> PointSet {
        PointSet(1 << point.0)
    }
}

impl FromIterator<Point> for PointSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;
    fn bitand(self, other: PointSet) -> PointSet {
        PointSet(self.0 & other.0)
    }
}

impl BitOr for PointSet {
    type Output = PointSet;
    fn bitor(self, other: PointSet) -> PointSet {
        PointSet(self.0 | other.0)
    }
}

impl Sub for PointSet {
    type Output = PointSet;
    fn sub(self, other: PointSet) -> PointSet {
        PointSet(self.0 & !other.0)
    }
}

impl Not for PointSet {
    type Output = PointSet;
    fn not(self) -> PointSet {
        PointSet(!self.0)
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Point::index)).finish()
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = PointSetIter;
    fn into_iter(self) -> PointSetIter {
        PointSetIter(self.0)
    }
}

/// The points of a set, by rising number.
#[derive(Clone, Debug)]
pub struct PointSetIter(u64);

impl Iterator for PointSetIter {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let point = Point(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(point)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PointSetIter {}
impl FusedIterator for PointSetIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_read_back() {
        for row in 0..MAX_SPAN as u8 {
            for column in 0..MAX_SPAN as u8 {
                let coord = Coord { row, column };
                assert_eq!(coord.to_string().parse(), Ok(coord));
            }
        }
        for wrong in ["", "a", "a0", "a01", "A1", "aa1", "a27", "a+1", "1a", "ä1", "a1 "] {
            assert!(wrong.parse::<Coord>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_largest_set_has_every_point() {
        assert_eq!(PointSet::first(64).len(), 64);
        assert_eq!(PointSet::first(0), PointSet::EMPTY);
        assert_eq!(PointSet::first(3).into_iter().map(Point::index).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
