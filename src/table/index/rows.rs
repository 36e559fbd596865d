//! Walking over rows: which pods stand in one after the other.

use crate::table::index::{Arrangement, Index, Slice, Tier};
use rayon::prelude::*;

/// Rows that are stepped over one by one; farther ones are made from their number.
const STEPS: u64 = 8;

/// Rows that a thread counts at a time.
const PART: u64 = 1 << 12;

/// The fixed pods of rows of a slice, asked for in rising order.
pub(in crate::table) struct Walk<'a> {
    index: &'a Index,
    slice: &'a Slice,
    row: u64,
    fixed: Arrangement,
}

impl<'a> Walk<'a> {
    #[inline]
    pub(in crate::table) fn new(index: &'a Index, slice: &'a Slice, row: u64) -> Walk<'a> {
        Walk { index, slice, row, fixed: index.unrank(slice, row) }
    }

    /// Returns the fixed pods of a row that is not before the last one asked for.
    #[inline]
    pub(in crate::table) fn at(&mut self, row: u64) -> &Arrangement {
        if row - self.row > STEPS {
            self.fixed = self.index.unrank(self.slice, row);
        } else {
            (self.row + 1..=row).for_each(|row| self.index.unrank_next(self.slice, row, &mut self.fixed));
        }
        self.row = row;
        &self.fixed
    }
}

/// Returns the slices that have a part in some rows of a tier: the number, the slice, the first row
/// of the part and the first one behind it.
pub(in crate::table) fn slices_of(
    tier: &Tier,
    first: u64,
    rows: usize,
) -> impl Iterator<Item = (usize, &Slice, std::ops::Range<u64>)> {
    let end = first + rows as u64;
    let slices = tier.slices().iter().enumerate().skip(tier.slice_at(first));
    slices.take_while(move |(_, slice)| slice.first_row() < end).map(move |(number, slice)| {
        (number, slice, first.max(slice.first_row())..end.min(slice.first_row() + slice.rows()))
    })
}

/// Calls `visit` with each of some rows, its slice and its fixed pods.
pub(in crate::table) fn for_each_row(
    index: &Index,
    tier: &Tier,
    first: u64,
    rows: usize,
    mut visit: impl FnMut(u64, &Slice, &Arrangement),
) {
    for (_, slice, rows) in slices_of(tier, first, rows) {
        let mut walk = Walk::new(index, slice, rows.start);
        rows.for_each(|row| visit(row, slice, walk.at(row)));
    }
}

/// Puts into `words`, one for each row of a tier from `first` on, what `word` makes of the cells in
/// use.
pub(in crate::table) fn cells_of_rows(
    index: &Index,
    tier: &Tier,
    first: u64,
    words: &mut [u64],
    word: impl Fn(u64) -> u64 + Sync,
) {
    words.par_chunks_mut(PART as usize).enumerate().for_each(|(i, words)| {
        let first = first + i as u64 * PART;
        for_each_row(index, tier, first, words.len(), |row, slice, fixed| {
            words[(row - first) as usize] = word(index.cells(slice, fixed));
        });
    });
}

/// Returns the number of cells of a tier that `cells` gives for its rows, with one player to move.
pub(in crate::table) fn count_cells(
    index: &Index,
    tier: &Tier,
    cells: impl Fn(&Slice, &Arrangement) -> u64 + Sync,
) -> u64 {
    let part = |number: u64| {
        let (first, mut count) = (number * PART, 0);
        for_each_row(index, tier, first, PART.min(tier.rows() - first) as usize, |_, slice, fixed| {
            count += u64::from(cells(slice, fixed).count_ones());
        });
        count
    };
    (0..tier.rows().div_ceil(PART)).into_par_iter().map(part).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::testing::whole;

    #[test]
    fn whatever_rows_are_left_out_the_pods_are_those_of_the_number() {
        let (_, index) = whole("ring8", "trio", Preset::Advanced);
        let tier = index.tiers().last().unwrap();
        let mut random = 1_u64;
        for (first, rows) in [(0, tier.rows()), (1, tier.rows() - 2), (700, 900)] {
            let mut next = first;
            for (number, slice, part) in slices_of(tier, first, rows as usize) {
                assert_eq!(
                    (part.start, tier.slice_at(part.start), tier.slice_at(part.end - 1)),
                    (next, number, number)
                );
                next = part.end;
                let mut walk = Walk::new(&index, slice, part.start);
                for row in part {
                    random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    // Runs of rows, and gaps longer and shorter than what is stepped over.
                    if (random >> 40) & (row / 64 % 32) == 0 {
                        assert_eq!(walk.at(row).pods(), index.unrank(slice, row).pods());
                    }
                }
            }
            assert_eq!(next, first + rows);
        }
        let mut seen = Vec::new();
        for_each_row(&index, tier, 5, 300, |row, slice, fixed| {
            assert_eq!(fixed.pods(), index.unrank(slice, row).pods());
            seen.push(row);
        });
        assert!(seen.into_iter().eq(5..305));
    }
}
