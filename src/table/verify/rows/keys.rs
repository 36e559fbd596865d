//! Codes as keys that sort by preference, and rows of keys.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// The value of a position as a number: the higher, the better for the player who may go there.
///
/// So the value of a position follows from the highest key of its next positions: [`Key::before`].
/// Late wins of the opponent are better than early ones, draws are better than those, then come
/// late losses and early ones (R33).
pub(in crate::table) trait Key:
    Copy
    + Ord
    + std::fmt::Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// No next position at all; below every other key.
    const NONE: Self;
    /// A player who has lost already: nothing is better to go to.
    const BEST: Self;
    /// The greatest code that has a key.
    const MAX_CODE: u16;
    /// Row of eight keys for each byte: all ones where the bit is set, else [`Key::NONE`].
    const SPREAD: &'static [[Self; 8]; 256];

    /// Returns the key of a code; [`Key::NONE`], which follows from nothing, if the code is above
    /// [`Key::MAX_CODE`].
    fn of_code(code: u16) -> Self;

    /// Returns the code of a key; one above [`Key::MAX_CODE`] for [`Key::NONE`].
    fn code(self) -> u16;

    /// Returns the key of a position whose best next position has this key.
    fn before(self) -> Self;
}

macro_rules! key {
    ($key:ty) => {
        impl Key for $key {
            const NONE: $key = 0;
            const BEST: $key = <$key>::MAX;
            // A code more would need the key of a draw, and the code before it has to have one as
            // well.
            const MAX_CODE: u16 = (<$key>::MAX - 3) as u16;
            const SPREAD: &'static [[$key; 8]; 256] = {
                const TABLE: [[$key; 8]; 256] = {
                    let mut table = [[0; 8]; 256];
                    let mut byte = 0;
                    while byte < 256 {
                        let mut bit = 0;
                        while bit < 8 {
                            if byte >> bit & 1 == 1 {
                                table[byte][bit] = <$key>::MAX;
                            }
                            bit += 1;
                        }
                        byte += 1;
                    }
                    table
                };
                &TABLE
            };

            #[inline]
            fn of_code(code: u16) -> $key {
                if code > Self::MAX_CODE {
                    return Self::NONE;
                }
                let code = code as $key;
                if code == 0 {
                    <$key>::MAX / 2
                } else if code & 1 == 1 {
                    <$key>::MAX - code / 2
                } else {
                    code / 2
                }
            }

            #[inline]
            fn code(self) -> u16 {
                let code = match self {
                    Self::NONE => <$key>::MAX - 1,
                    key if key == <$key>::MAX / 2 => 0,
                    key if key > <$key>::MAX / 2 => (<$key>::MAX - key) * 2 + 1,
                    key => key * 2,
                };
                code as u16
            }

            #[inline]
            fn before(self) -> $key {
                if self > <$key>::MAX / 2 {
                    self.wrapping_neg()
                } else if self == <$key>::MAX / 2 {
                    self
                } else {
                    !self
                }
            }
        }
    };
}

key!(u8);
key!(u16);

/// Raises the keys of some cells to those of another row.
#[inline]
pub(super) fn raise<K: Key, const N: usize>(best: &mut [K; N], from: &[K; N], cells: u64) {
    for (eighth, (best, from)) in best.as_chunks_mut::<8>().0.iter_mut().zip(from.as_chunks::<8>().0).enumerate() {
        let mask = &K::SPREAD[(cells >> (8 * eighth) & 0xff) as usize];
        for lane in 0..8 {
            best[lane] = best[lane].max(from[lane] & mask[lane]);
        }
    }
}

/// Returns the highest key of some cells; [`Key::NONE`] if there is no cell.
#[inline]
pub(super) fn highest<K: Key, const N: usize>(of: &[K; N], cells: u64) -> K {
    let mut best = [K::NONE; 8];
    for (eighth, of) in of.as_chunks::<8>().0.iter().enumerate() {
        let mask = &K::SPREAD[(cells >> (8 * eighth) & 0xff) as usize];
        for lane in 0..8 {
            best[lane] = best[lane].max(of[lane] & mask[lane]);
        }
    }
    best.into_iter().fold(K::NONE, K::max)
}

/// Returns `true` if two rows have the same keys in some cells.
#[inline]
pub(super) fn same<K: Key, const N: usize>(one: &[K; N], other: &[K; N], cells: u64) -> bool {
    let mut differ = [K::NONE; 8];
    for (eighth, (one, other)) in one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0).enumerate() {
        let mask = &K::SPREAD[(cells >> (8 * eighth) & 0xff) as usize];
        for lane in 0..8 {
            differ[lane] = differ[lane] | (one[lane] ^ other[lane]) & mask[lane];
        }
    }
    differ == [K::NONE; 8]
}

#[inline]
pub(super) fn fill<K: Key, const N: usize>(row: &mut [K; N], cells: u64, key: K) {
    for (eighth, row) in row.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mask = &K::SPREAD[(cells >> (8 * eighth) & 0xff) as usize];
        for lane in 0..8 {
            row[lane] = row[lane] & !mask[lane] | key & mask[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Value;
    use crate::table::storage::{code_of, value_of};

    fn keys_keep_the_order_of_values<K: Key>() {
        // The order of the player who may go there: the mirror of that of the player who is to move
        // there.
        let mut codes: Vec<u16> = (0..=K::MAX_CODE).collect();
        codes.sort_by_key(|&code| value_of(code).before());
        assert!(codes.windows(2).all(|w| K::of_code(w[0]) < K::of_code(w[1])));
        for code in 0..=K::MAX_CODE {
            let key = K::of_code(code);
            assert!(key > K::NONE && key.code() == code, "{code}");
            if code < K::MAX_CODE {
                assert_eq!(Some(key.before().code()), code_of(value_of(code).before()), "{code}");
            }
        }
        assert_eq!(K::NONE.before(), K::of_code(code_of(Value::Loss(0)).unwrap()));
        assert_eq!(K::BEST, K::of_code(1));
        // What follows from the greatest code is no code that could be stored.
        let beyond = K::of_code(K::MAX_CODE).before();
        assert!((0..=K::MAX_CODE).all(|code| K::of_code(code) != beyond));
    }

    #[test]
    fn narrow_and_wide_keys_keep_the_order_of_values() {
        keys_keep_the_order_of_values::<u8>();
        keys_keep_the_order_of_values::<u16>();
    }

    #[test]
    fn rows_are_taken_by_cells() {
        let from: [u8; 16] = std::array::from_fn(|i| 100 + i as u8);
        let mut best = [105; 16];
        raise(&mut best, &from, 0b1000_0001_0000_0011);
        assert_eq!(best, std::array::from_fn(|i| if i == 8 || i == 15 { 100 + i as u8 } else { 105 }));
        assert_eq!((highest(&from, 0x0102), highest(&from, 0)), (108, 0));
        assert!(same(&best, &from, 0x8100) && !same(&best, &from, 0x8104));
        fill(&mut best, 0x8001, 7);
        assert_eq!((best[0], best[1], best[15]), (7, 105, 7));
    }
}
