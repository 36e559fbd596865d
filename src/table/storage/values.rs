//! Values of cells as numbers: 0 for a draw or a cell not in use, else one more than the distance
//! in plies.
//!
//! A code tells wins from losses: the winner makes the last action of a game, so in an unfinished
//! position a win has an odd distance and a loss an even one (0 for a player without an action).

use rayon::prelude::*;

use crate::solver::Value;
use crate::table::storage::pages::Bytes;
use crate::table::storage::swar;

/// Cells that a thread counts at a time.
const COUNTED: usize = 1 << 16;

#[inline]
pub(crate) const fn value_of(code: u16) -> Value {
    match code {
        0 => Value::Draw,
        _ if code % 2 == 1 => Value::Loss(code - 1),
        _ => Value::Win(code - 1),
    }
}

/// Returns the code of the value of an unfinished position; `None` if no unfinished position has
/// it.
#[cfg(test)]
pub(crate) const fn code_of(value: Value) -> Option<u16> {
    match value {
        Value::Draw => Some(0),
        Value::Loss(plies) if plies.is_multiple_of(2) && plies < u16::MAX => Some(plies + 1),
        Value::Win(plies) if !plies.is_multiple_of(2) && plies < u16::MAX => Some(plies + 1),
        _ => None,
    }
}

/// A code for each cell: a byte each, two where a distance needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codes {
    low: Bytes,
    /// The high bytes; empty as long as all are 0.
    high: Bytes,
}

impl Codes {
    pub(crate) fn draws(cells: usize) -> Codes {
        Codes { low: Bytes::zeros(cells), high: Bytes::default() }
    }

    /// Creates `cells` draws, with high bytes if codes may need them.
    pub(in crate::table) fn draws_of_width(cells: usize, wide: bool) -> Codes {
        let mut codes = Codes::draws(cells);
        if wide {
            codes.widen();
        }
        codes
    }

    /// Creates codes from bytes; `high` is empty if all high bytes are 0.
    #[must_use]
    pub fn from_bytes(low: Vec<u8>, high: Vec<u8>) -> Codes {
        debug_assert!(high.is_empty() || high.len() == low.len());
        Codes { low: low.into(), high: high.into() }
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Returns `true` if there is no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// Returns the code of a cell.
    #[must_use]
    #[inline]
    pub fn get(&self, cell: usize) -> u16 {
        let low = u16::from(self.low[cell]);
        if self.high.is_empty() { low } else { low | u16::from(self.high[cell]) << 8 }
    }

    /// Returns the cells of a row whose code is at most this large and odd, or even and not 0; a
    /// bit a cell. The row begins with the cell `first` and has `cells` cells, 1 to 64.
    #[inline]
    pub(in crate::table) fn decided(&self, first: usize, cells: usize, most: u16, odd: bool) -> u64 {
        let of_one = |code: u16| code != 0 && code <= most && code % 2 == u16::from(odd);
        self.cells(first, cells, most < 128, |codes| swar::decided(codes, most as u8, odd), of_one)
    }

    /// Returns the cells of a row that are no draws; a bit a cell.
    #[inline]
    pub(in crate::table) fn decided_at_all(&self, first: usize, cells: usize) -> u64 {
        self.cells(first, cells, true, swar::not_zero, |code| code != 0)
    }

    /// Returns the cells of a row that have a code; a bit a cell.
    #[inline]
    pub(in crate::table) fn equal(&self, first: usize, cells: usize, code: u16) -> u64 {
        self.cells(first, cells, code <= 255, |codes| swar::equal(codes, code as u8), |other| other == code)
    }

    /// Returns the cells of a row for which a predicate holds; a bit a cell. Where `by_eights`
    /// allows it and all high bytes are 0, eight codes are asked about at a time, else each one:
    /// both must give the same.
    #[inline]
    fn cells(
        &self,
        first: usize,
        cells: usize,
        by_eights: bool,
        of_eight: impl Fn([u8; 8]) -> u64,
        of_one: impl Fn(u16) -> bool,
    ) -> u64 {
        let padded = first..first + cells.next_multiple_of(8);
        if let (true, Some(bytes)) = (self.high.is_empty() && by_eights, self.low.get(padded)) {
            let (eights, _) = bytes.as_chunks();
            let words = eights.iter().enumerate().map(|(i, codes)| of_eight(*codes) << (8 * i));
            return words.fold(0, |all, word| all | word) & u64::MAX >> (64 - cells);
        }
        (0..cells).fold(0, |all, cell| all | u64::from(of_one(self.get(first + cell))) << cell)
    }

    /// Counts for each code how many cells have it.
    pub(in crate::table) fn counts(&self) -> Vec<u64> {
        let none = || vec![0; if self.high.is_empty() { 1 << 8 } else { 1 << 16 }];
        let count = |mut counts: Vec<u64>, part: usize| {
            let cells = part * COUNTED..self.len().min((part + 1) * COUNTED);
            cells.for_each(|cell| counts[self.get(cell) as usize] += 1);
            counts
        };
        let sum = |mut sum: Vec<u64>, counts: Vec<u64>| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            sum
        };
        (0..self.len().div_ceil(COUNTED)).into_par_iter().fold(none, count).reduce(none, sum)
    }

    /// Returns the low bytes.
    #[must_use]
    pub fn low(&self) -> &[u8] {
        &self.low
    }

    /// Returns the high bytes; none if all are 0.
    pub(crate) fn high(&self) -> &[u8] {
        &self.high
    }

    /// Makes room for codes above 255.
    pub(in crate::table) fn widen(&mut self) {
        if self.high.is_empty() {
            self.high = Bytes::zeros(self.low.len());
        }
    }

    /// Returns the low bytes and the high ones, to be written.
    pub(in crate::table) fn bytes_mut(&mut self) -> (&mut [u8], &mut [u8]) {
        (&mut self.low, &mut self.high)
    }

    /// Returns the parts of `cells` cells, the last one of fewer, each to be written on its own.
    pub(in crate::table) fn parts_mut(&mut self, cells: usize) -> impl Iterator<Item = CodesPart<'_>> {
        let mut highs = self.high.chunks_mut(cells);
        self.low.chunks_mut(cells).map(move |low| CodesPart::new(low, highs.next().unwrap_or_default()))
    }
}

pub(in crate::table) struct CodesPart<'a> {
    low: &'a mut [u8],
    high: &'a mut [u8],
}

impl<'a> CodesPart<'a> {
    /// Returns the part with these low bytes and these high ones; none of these if all are 0.
    pub(in crate::table) fn new(low: &'a mut [u8], high: &'a mut [u8]) -> CodesPart<'a> {
        debug_assert!(high.is_empty() || high.len() == low.len());
        CodesPart { low, high }
    }

    /// Sets the code of some cells, so far draws, of the row that begins with the cell `first` and
    /// has `cells` cells.
    #[inline]
    pub(in crate::table) fn set(&mut self, first: usize, cells: usize, mut these: u64, code: u16) {
        if code > 255 {
            while these != 0 {
                let cell = first + these.trailing_zeros() as usize;
                (self.low[cell], self.high[cell]) = (code as u8, (code >> 8) as u8);
                these &= these - 1;
            }
            return;
        }
        let (eights, rest) = self.low[first..first + cells].as_chunks_mut();
        for bytes in eights {
            *bytes = (u64::from_le_bytes(*bytes) | swar::filled(these, code as u8)).to_le_bytes();
            these >>= 8;
        }
        for (byte, more) in rest.iter_mut().zip(swar::filled(these, code as u8).to_le_bytes()) {
            *byte |= more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_written_as_cell_by_cell() {
        for (points, wide) in [8, 9, 16, 25, 36, 64].into_iter().flat_map(|points| [(points, false), (points, true)]) {
            let rows = 3;
            let mut codes = Codes::draws_of_width(rows * points, wide);
            let mut expected = vec![0_u16; rows * points];
            let mut number = 7_u64;
            for code in [1, 2, 7, 126, 127, 128, 129, 254, 255, 256, 511].into_iter().filter(|&code| wide || code < 256)
            {
                for row in 0..rows {
                    number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let free = (0..points).filter(|cell| expected[row * points + cell] == 0);
                    let these = free.fold(0_u64, |all, cell| all | 1 << cell) & number >> 3 & number << 5;
                    (0..points)
                        .filter(|cell| these >> cell & 1 == 1)
                        .for_each(|cell| expected[row * points + cell] = code);
                    let Some(mut part) = codes.parts_mut(rows * points).next() else { unreachable!() };
                    part.set(row * points, points, these, code);
                }
            }
            assert!((0..rows * points).all(|cell| codes.get(cell) == expected[cell]), "{points} {wide}");
            for most in [1, 2, 6, 7, 8, 126, 127, 128, 254, 255, 256, 600] {
                for (odd, row) in [false, true].into_iter().flat_map(|odd| (0..rows).map(move |row| (odd, row))) {
                    let wanted = |code: u16| code != 0 && code <= most && (code % 2 == 1) == odd;
                    let cells = (0..points).filter(|cell| wanted(expected[row * points + cell]));
                    let cells = cells.fold(0, |all, cell| all | 1 << cell);
                    assert_eq!(codes.decided(row * points, points, most, odd), cells, "{points} {wide} {most} {odd}");
                    let cells = (0..points).filter(|cell| expected[row * points + cell] != 0);
                    let cells = cells.fold(0, |all, cell| all | 1 << cell);
                    assert_eq!(codes.decided_at_all(row * points, points), cells, "{points} {wide}");
                    let cells = (0..points).filter(|cell| expected[row * points + cell] == most);
                    let cells = cells.fold(0, |all, cell| all | 1 << cell);
                    assert_eq!(codes.equal(row * points, points, most), cells, "{points} {wide} {most}");
                }
            }
        }
    }
}
