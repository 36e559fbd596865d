//! Division of a table's rows into the blocks of its files.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::table::index::{Index, Tier};

/// The number of positions wanted in a block: fewer compress worse, more take longer to unpack for
/// one value.
const WANTED: u64 = 1 << 12;

/// The rows of a block are a multiple of this.
const MULTIPLE: u64 = 64;

/// The most rows of a block: so that a 32nd of them is walked over in some microseconds, and no
/// count takes more than two bytes.
const MAX_ROWS: u64 = 1 << 14;

/// Rows of a tier that are looked at to see how many positions a row holds.
const LOOKED_AT: u64 = 1 << 10;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct BlockRows(Vec<u64>);

impl BlockRows {
    /// Returns the blocks of about [`WANTED`] positions, by a look at some rows of each tier.
    pub(in crate::table) fn new(index: &Index) -> BlockRows {
        BlockRows(index.tiers().par_iter().map(|tier| rows_of_block(index, tier)).collect())
    }

    /// Returns the blocks of about [`WANTED`] cells, held or not: for codes in memory, where a look
    /// would take longer than it saves.
    pub(in crate::table) fn by_cells(index: &Index) -> BlockRows {
        let rows = (WANTED / index.points() as u64).next_multiple_of(MULTIPLE);
        BlockRows(vec![rows; index.tiers().len()])
    }

    /// Returns `true` if an index can be cut so. Of what stands in a file that is not known.
    pub(super) fn fits(&self, index: &Index) -> bool {
        let can_be = |rows: &u64| (MULTIPLE..=MAX_ROWS).contains(rows) && rows.is_multiple_of(MULTIPLE);
        self.0.len() == index.tiers().len() && self.0.iter().all(can_be)
    }

    /// Returns the rows of a block of a tier: a multiple of 64.
    pub(in crate::table) fn of(&self, tier: usize) -> u64 {
        self.0[tier]
    }

    /// Returns the number of blocks that a tier has with one side to move.
    pub(in crate::table) fn count(&self, index: &Index, tier: usize) -> usize {
        index.tiers()[tier].rows().div_ceil(self.0[tier]) as usize
    }

    pub(in crate::table) fn block_of(&self, tier: usize, row: u64) -> usize {
        (row / self.0[tier]) as usize
    }

    /// Returns the rows of a block; their first is a multiple of 64.
    pub(in crate::table) fn rows(&self, index: &Index, tier: usize, block: usize) -> Range<u64> {
        let first = block as u64 * self.0[tier];
        first..index.tiers()[tier].rows().min(first + self.0[tier])
    }
}

/// Returns the number of rows that were looked at, of at most so many evenly spread ones of a tier,
/// and how many positions they hold.
pub(super) fn held_of_some_rows(index: &Index, tier: &Tier, most: u64) -> (u64, u64) {
    let step = tier.rows().div_ceil(most).max(1);
    let (mut rows, mut held) = (0, 0);
    for row in (step / 2..tier.rows()).step_by(step as usize) {
        let slice = &tier.slices()[tier.slice_at(row)];
        held += u64::from(index.cells(slice, &index.unrank(slice, row)).count_ones());
        rows += 1;
    }
    (rows, held)
}

fn rows_of_block(index: &Index, tier: &Tier) -> u64 {
    let (rows, held) = held_of_some_rows(index, tier, LOOKED_AT);
    (WANTED * rows / held.max(1)).clamp(MULTIPLE, MAX_ROWS).next_multiple_of(MULTIPLE)
}
