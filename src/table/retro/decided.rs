//! Earlier tiers as a sweep reads them: for each row a word with a bit for each cell that is a win,
//! or a loss, in less than the distance of the sweep.
//!
//! A sweep reads many of these rows many times over, so their codes are compared once before it.

use rayon::prelude::*;

use crate::material::Side;
use crate::table::index::Index;
use crate::table::retro::children::{ChildTiers, needed};
use crate::table::retro::pass::Pass;
use crate::table::storage::PageBuffer;

/// Rows that a thread takes at a time.
const ROWS_PER_TASK: usize = 1 << 12;

/// Decided words of the earlier tiers that a sweep leads to, with the next player to move.
#[derive(Default)]
pub(in crate::table) struct Decided {
    /// By the number of the tier.
    pub(super) tiers: Vec<Option<PageBuffer>>,
}

impl Decided {
    /// Collects decided cells from the codes that a tier [needs](needed) with a player to move.
    pub(in crate::table) fn new(index: &Index, number: usize, earlier: &ChildTiers, next: Side, pass: Pass) -> Decided {
        let mut decided = Decided::default();
        for tier_side in needed(index, number).into_iter().filter(|tier_side| tier_side.to_move == next) {
            let codes = earlier.get(tier_side.tier, next.index());
            let mut words = PageBuffer::zeros(index.tiers()[tier_side.tier].rows() as usize);
            words.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(|(i, words)| {
                pass.fill(codes, index.points(), i * ROWS_PER_TASK, words);
            });
            decided.put(tier_side.tier, words);
        }
        decided
    }

    pub(super) fn put(&mut self, tier: usize, words: PageBuffer) {
        if self.tiers.len() <= tier {
            self.tiers.resize_with(tier + 1, || None);
        }
        self.tiers[tier] = Some(words);
    }

    /// Returns the words of a tier.
    ///
    /// # Panics
    ///
    /// If there are none: the sweeps asked for what [`needed`] does not name, which is an error of
    /// this program.
    #[inline]
    pub(super) fn words(&self, tier: usize) -> &[u64] {
        match self.tiers.get(tier) {
            Some(Some(words)) => words,
            _ => panic!("a bug: a sweep asks for tier {tier}, which no action leads to"),
        }
    }
}
