//! State that processes keep in memory while they solve a tier together, where the share of a
//! process fits: then no sweep reads from disk.

use hashbrown::HashMap;

use crate::table::error::TableError;
use crate::table::index::{Index, TierSide};
use crate::table::retro::children::needed;
use crate::table::retro::disk::plane_store::row_bytes;
use crate::table::retro::disk::strips::Strips;
use crate::table::retro::disk::tools::SpareWords;
use crate::table::storage::{Codes, Parts};

/// Codes of the earlier tiers that a tier leads to, and arrays for words.
pub(super) struct Resident {
    earlier: HashMap<TierSide, Codes>,
    pub(super) spare: SpareWords,
    /// Bytes of memory that are left for what strips read.
    pub(super) left: u64,
}

impl Resident {
    /// Reads the codes; `None` if they, all words of the process and what its largest strip reads
    /// do not fit in `memory` bytes together.
    pub(super) fn load(
        (index, number, parts): (&Index, usize, &Parts),
        memory: u64,
        strips: &Strips,
        process: usize,
    ) -> Result<Option<Resident>, TableError> {
        let needed = needed(index, number);
        let mut codes = 0;
        for &tier_side in &needed {
            let wide = parts.tier_side(index, tier_side)?.wide();
            codes += tier_side.bytes(index) * if wide { 2 } else { 1 };
        }
        let Some(left) = left_beside(codes, index.points(), memory, strips, process) else { return Ok(None) };
        let codes = needed.into_iter().map(|tier_side| Ok((tier_side, parts.codes(index, tier_side)?)));
        let earlier = codes.collect::<Result<_, TableError>>()?;
        Ok(Some(Resident { earlier, spare: SpareWords::up_to(left), left }))
    }

    pub(super) fn codes(&self, tier_side: TierSide) -> &Codes {
        &self.earlier[&tier_side]
    }
}

/// Returns the part of `memory` that is left for what strips read, beside all words of the process
/// and so many bytes of codes; `None` if the largest strip needs more.
pub(in crate::table) fn left_beside(
    codes: u64,
    points: usize,
    memory: u64,
    strips: &Strips,
    process: usize,
) -> Option<u64> {
    // What is written, and what is read.
    let bytes = codes + 2 * (2 * strips.rows()[process].read * row_bytes(points) as u64);
    // As much again for arrays that are kept.
    memory.checked_sub(bytes).map(|left| left / 2).filter(|&left| left >= strips.memory())
}
