//! Values of which each side has one.

use std::ops::{Index, IndexMut};

use super::Side;

/// Two values, White's and Black's.
///
/// ```
/// use pods::material::{BySide, Side};
///
/// let pods = BySide { white: 3, black: 1 };
/// assert_eq!(pods[Side::Black], 1);
/// assert_eq!(pods.map(|count| count + 1), BySide { white: 4, black: 2 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BySide<T> {
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl<T> BySide<T> {
    /// Makes a value for each side, White first.
    pub fn from_fn(mut of: impl FnMut(Side) -> T) -> BySide<T> {
        BySide { white: of(Side::White), black: of(Side::Black) }
    }

    /// Applies `of` to each value, White's first.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> BySide<U> {
        BySide { white: of(self.white), black: of(self.black) }
    }

    /// Returns references to both values.
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide { white: &self.white, black: &self.black }
    }

    /// Returns both values, White's first.
    pub fn into_array(self) -> [T; 2] {
        [self.white, self.black]
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }
}

impl<T: Copy> From<&[T; 2]> for BySide<T> {
    fn from(both: &[T; 2]) -> BySide<T> {
        BySide::from(*both)
    }
}

impl<T> From<[T; 2]> for BySide<T> {
    fn from([white, black]: [T; 2]) -> BySide<T> {
        BySide { white, black }
    }
}
