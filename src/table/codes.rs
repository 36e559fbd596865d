//! Values of cells as numbers: 0 for a draw or a cell not in use, else one more than the distance in plies.
//!
//! A code tells wins from losses: the winner makes the last action of a game, so in an unfinished position a win has an
//! odd distance and a loss an even one (0 for a player without an action).

use std::io;

use super::words::Bytes;
use crate::geometry::MAX_POINTS;
use crate::solver::{Plies, Value};

/// The value that a code stands for.
#[must_use]
#[inline]
pub const fn value_of(code: u16) -> Value {
    match code {
        0 => Value::Draw,
        _ if code % 2 == 1 => Value::Loss(code - 1),
        _ => Value::Win(code - 1),
    }
}

/// The code of the value of an unfinished position; `None` if no unfinished position has it.
#[must_use]
pub const fn code_of(value: Value) -> Option<u16> {
    match value {
        Value::Draw => Some(0),
        Value::Loss(plies) if plies.is_multiple_of(2) && plies < Plies::MAX => Some(plies + 1),
        Value::Win(plies) if !plies.is_multiple_of(2) && plies < Plies::MAX => Some(plies + 1),
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
    /// So many draws.
    #[must_use]
    pub fn draws(cells: usize) -> Codes {
        Codes { low: Bytes::zeros(cells), high: Bytes::default() }
    }

    /// So many draws, in pages that take memory only where a code is written.
    pub(super) fn sparse(cells: usize, wide: bool) -> io::Result<Codes> {
        let bytes = |wanted: bool| if wanted { Bytes::sparse(cells) } else { Ok(Bytes::default()) };
        Ok(Codes { low: bytes(true)?, high: bytes(wide)? })
    }

    /// From bytes; `high` is empty if all high bytes are 0.
    #[must_use]
    pub fn from_bytes(low: Vec<u8>, high: Vec<u8>) -> Codes {
        debug_assert!(high.is_empty() || high.len() == low.len());
        Codes { low: low.into(), high: high.into() }
    }

    /// The low bytes and the high ones; none of these if all are 0.
    #[must_use]
    pub fn into_bytes(self) -> (Vec<u8>, Vec<u8>) {
        (self.low.into_vec(), self.high.into_vec())
    }

    /// The number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there is no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// The code of a cell.
    #[must_use]
    #[inline]
    pub fn get(&self, cell: usize) -> u16 {
        let low = u16::from(self.low[cell]);
        if self.high.is_empty() { low } else { low | u16::from(self.high[cell]) << 8 }
    }

    /// The codes of a row.
    #[inline]
    pub(super) fn of_row(&self, first: usize, cells: usize) -> RowCodes<'_> {
        let high = if self.high.is_empty() { &[][..] } else { &self.high[first..first + cells] };
        RowCodes { low: &self.low[first..first + cells], high }
    }

    /// The low bytes.
    #[must_use]
    pub fn low(&self) -> &[u8] {
        &self.low
    }

    /// The high bytes; none if all are 0.
    #[must_use]
    pub fn high(&self) -> &[u8] {
        &self.high
    }

    /// Makes room for codes above 255.
    pub(super) fn widen(&mut self) {
        if self.high.is_empty() {
            self.high = Bytes::zeros(self.low.len());
        }
    }

    /// The low bytes and the high ones, to be written.
    pub(super) fn bytes_mut(&mut self) -> (&mut [u8], &mut [u8]) {
        (&mut self.low, &mut self.high)
    }

    /// Parts of so many cells, each to be written on its own.
    pub(super) fn parts_mut(&mut self, cells: usize) -> impl Iterator<Item = CodesPart<'_>> {
        let mut highs = self.high.chunks_mut(cells);
        self.low.chunks_mut(cells).map(move |low| CodesPart { low, high: highs.next().unwrap_or_default() })
    }
}

/// The codes of a row, to be read.
pub(super) struct RowCodes<'a> {
    low: &'a [u8],
    high: &'a [u8],
}

impl RowCodes<'_> {
    #[inline]
    pub(super) fn get(&self, cell: usize) -> u16 {
        let high = self.high.get(cell).copied().unwrap_or(0);
        u16::from(self.low[cell]) | u16::from(high) << 8
    }

    /// The cells whose code is at most so large and odd, or even and not 0; a bit a cell.
    pub(super) fn decided(&self, most: u16, odd: bool) -> u64 {
        let parity = u8::from(odd);
        let mut within = [0_u8; MAX_POINTS];
        if self.high.is_empty() {
            let most = most.min(255) as u8;
            for (within, &code) in within.iter_mut().zip(self.low) {
                *within = u8::from(code & 1 == parity) & u8::from(code <= most) & u8::from(code != 0);
            }
        } else {
            for (cell, within) in within.iter_mut().enumerate().take(self.low.len()) {
                let code = self.get(cell);
                *within = u8::from(code % 2 == u16::from(parity) && code <= most && code != 0);
            }
        }
        // Each product moves the lowest bits of eight bytes side by side.
        within.chunks_exact(8).enumerate().fold(0, |word, (i, bytes)| {
            let bytes = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            word | (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
        })
    }
}

/// A part of [`Codes`] to be written.
pub(super) struct CodesPart<'a> {
    low: &'a mut [u8],
    high: &'a mut [u8],
}

impl CodesPart<'_> {
    #[inline]
    pub(super) fn set(&mut self, cell: usize, code: u16) {
        self.low[cell] = code as u8;
        if code > 255 {
            self.high[cell] = (code >> 8) as u8;
        }
    }
}
