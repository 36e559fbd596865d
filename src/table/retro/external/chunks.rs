//! Chunks: rows of a slice that are read, swept and written together.

use std::ops::Range;

use crate::table::index::Tier;

/// The most rows of a chunk.
pub(in crate::table) const CHUNK_ROWS: u64 = 1 << 14;

/// Some rows of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Its number in the tier.
    pub(super) number: u32,
    /// The slice.
    pub(super) slice: usize,
    /// The first row.
    pub(super) first: u64,
    /// Number of rows.
    pub(super) rows: usize,
}

/// The chunks of a tier; none has rows of two slices.
pub(super) struct Chunks {
    /// First row and rows of each slice.
    slices: Vec<(u64, u64)>,
    /// The number of the first chunk of each slice, and at the end the number of chunks.
    firsts: Vec<u32>,
}

impl Chunks {
    pub(super) fn new(tier: &Tier) -> Chunks {
        let slices: Vec<(u64, u64)> = tier.slices().iter().map(|slice| (slice.first_row(), slice.rows())).collect();
        let mut firsts = vec![0];
        for (_, rows) in &slices {
            firsts.push(firsts[firsts.len() - 1] + rows.div_ceil(CHUNK_ROWS) as u32);
        }
        Chunks { slices, firsts }
    }

    /// Returns the number.
    pub(super) fn len(&self) -> u32 {
        self.firsts[self.slices.len()]
    }

    /// Returns the chunk with a number.
    pub(super) fn get(&self, number: u32) -> Chunk {
        let slice = self.firsts.partition_point(|&first| first <= number) - 1;
        let (first, rows) = self.slices[slice];
        let skipped = u64::from(number - self.firsts[slice]) * CHUNK_ROWS;
        Chunk { number, slice, first: first + skipped, rows: (rows - skipped).min(CHUNK_ROWS) as usize }
    }

    /// Returns the chunks of a slice.
    pub(super) fn of_slice(&self, slice: usize) -> impl Iterator<Item = Chunk> + '_ {
        (self.firsts[slice]..self.firsts[slice + 1]).map(|number| self.get(number))
    }

    /// Returns the chunks that overlap a range of rows.
    pub(super) fn of_rows(&self, rows: Range<u64>) -> impl Iterator<Item = Chunk> + '_ {
        let slice = self.slices.partition_point(|(first, _)| *first <= rows.start) - 1;
        let number = self.firsts[slice] + ((rows.start - self.slices[slice].0) / CHUNK_ROWS) as u32;
        (number..self.len()).map(|number| self.get(number)).take_while(move |chunk| chunk.first < rows.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::testing::whole;

    #[test]
    fn every_row_is_in_one_chunk() {
        let (_, index) = whole("lair16", "four", Preset::Advanced);
        let tier = &index.tiers()[index.tiers().len() - 1];
        let chunks = Chunks::new(tier);
        let mut row = 0;
        for number in 0..chunks.len() {
            let chunk = chunks.get(number);
            assert_eq!((chunk.number, chunk.first), (number, row));
            assert!(chunk.rows > 0 && chunk.rows as u64 <= CHUNK_ROWS);
            row += chunk.rows as u64;
            assert_eq!((tier.slice_at(chunk.first), tier.slice_at(row - 1)), (chunk.slice, chunk.slice));
            assert!(chunks.of_slice(chunk.slice).any(|of| of == chunk));
            let near: Vec<u32> = chunks.of_rows(chunk.first..row).map(|chunk| chunk.number).collect();
            assert_eq!(near, [number]);
            let around = chunks.of_rows(chunk.first.saturating_sub(1)..tier.rows().min(row + 1)).count() as u32;
            assert_eq!(around, 1 + u32::from(number > 0) + u32::from(number + 1 < chunks.len()));
        }
        assert!(row == tier.rows() && chunks.len() as usize > tier.slices().len());
    }
}
