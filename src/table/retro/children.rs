//! The codes of the tiers before the one that is solved: which of them it needs, and which are in
//! memory.
//!
//! From a tier an action leads to tiers where only the opponent has lost pods ([`captures`]), with
//! the opponent to move. So solving a tier needs the codes of few tiers, with one side to move; all
//! others may be out of memory.

use crate::material::Side;
use crate::table::index::{Index, TierSide, captures};
use crate::table::storage::Codes;

/// Returns the earlier tiers that captures lead to from a tier, with the side to move there, in
/// order.
pub(in crate::table) fn needed(index: &Index, tier: usize) -> Vec<TierSide> {
    let alive = index.tiers()[tier].alive();
    let tier_sides = Side::BOTH
        .into_iter()
        .flat_map(|loser| captures(index, tier, alive, loser).map(move |(tier, _)| TierSide { tier, to_move: loser }));
    let mut found: Vec<_> = tier_sides.collect();
    found.sort_unstable();
    found
}

/// The codes of tiers that are solved, as far as they are in memory.
#[derive(Debug, Default)]
pub(in crate::table) struct ChildTiers {
    tiers: Vec<[Option<Codes>; 2]>,
    /// Bytes in memory.
    bytes: u64,
}

impl ChildTiers {
    /// Returns the first tiers, all out of memory.
    pub(in crate::table) fn dropped(tiers: usize) -> ChildTiers {
        ChildTiers { tiers: (0..tiers).map(|_| [None, None]).collect(), bytes: 0 }
    }

    pub(in crate::table) fn push(&mut self, codes: [Codes; 2]) {
        self.bytes += codes.iter().map(bytes).sum::<u64>();
        self.tiers.push(codes.map(Some));
    }

    pub(super) fn len(&self) -> usize {
        self.tiers.len()
    }

    /// Returns the codes of a tier with one side to move.
    ///
    /// # Panics
    ///
    /// If it is not in memory: the sweeps asked for what [`needed`] does not name, which is an
    /// error of this program.
    #[inline]
    pub(super) fn get(&self, tier: usize, to_move: usize) -> &Codes {
        match &self.tiers[tier][to_move] {
            Some(codes) => codes,
            None => missing(tier, to_move),
        }
    }

    pub(in crate::table) fn has(&self, tier_side: TierSide) -> bool {
        self.tiers[tier_side.tier][tier_side.to_move.index()].is_some()
    }

    pub(in crate::table) fn put(&mut self, tier_side: TierSide, codes: Codes) {
        self.bytes += bytes(&codes);
        if let Some(before) = self.tiers[tier_side.tier][tier_side.to_move.index()].replace(codes) {
            self.bytes -= bytes(&before);
        }
    }

    /// Lists the largest other tiers to drop so that `needed`, which is sorted, fits in `room`
    /// bytes.
    pub(in crate::table) fn superfluous(&self, index: &Index, needed: &[TierSide], room: u64) -> Vec<TierSide> {
        let missing: u64 =
            needed.iter().filter(|&&tier_side| !self.has(tier_side)).map(|tier_side| tier_side.bytes(index)).sum();
        let mut excess = (self.bytes + missing).saturating_sub(room);
        if excess == 0 {
            return Vec::new();
        }
        let tier_sides = (0..self.len()).flat_map(|tier| Side::BOTH.map(|to_move| TierSide { tier, to_move }));
        let mut others: Vec<(u64, TierSide)> = tier_sides
            .filter(|tier_side| needed.binary_search(tier_side).is_err())
            .filter_map(|tier_side| {
                self.tiers[tier_side.tier][tier_side.to_move.index()].as_ref().map(|codes| (bytes(codes), tier_side))
            })
            .collect();
        others.sort_unstable_by_key(|&(bytes, tier_side)| (std::cmp::Reverse(bytes), tier_side));
        let enough = others.iter().position(|(bytes, _)| {
            let done = excess == 0;
            excess = excess.saturating_sub(*bytes);
            done
        });
        others.truncate(enough.unwrap_or(others.len()));
        others.into_iter().map(|(_, tier_side)| tier_side).collect()
    }

    pub(in crate::table) fn drop_half(&mut self, tier_side: TierSide) {
        if let Some(codes) = self.tiers[tier_side.tier][tier_side.to_move.index()].take() {
            self.bytes -= bytes(&codes);
        }
    }

    /// Returns the codes of all tiers; `None` if some are not in memory.
    pub(in crate::table) fn into_all(self) -> Option<Vec<[Codes; 2]>> {
        self.tiers.into_iter().map(|[white, black]| Some([white?, black?])).collect()
    }
}

fn bytes(codes: &Codes) -> u64 {
    (codes.low().len() + codes.high().len()) as u64
}

#[cold]
#[inline(never)]
fn missing(tier: usize, to_move: usize) -> ! {
    panic!(
        "a bug: a sweep asks for tier {tier} with {} to move, which no action leads to and is not in memory",
        Side::BOTH[to_move]
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::Preset;
    use crate::table::index::each_step;
    use crate::table::testing::whole;

    #[test]
    fn actions_lead_to_the_needed_halves_only() {
        for preset in Preset::ALL {
            let (game, index) = whole("ring8", "trio", preset);
            let (mut seen, mut all) = (0, 0);
            for tier in 0..index.tiers().len() {
                let mut met = BTreeSet::new();
                each_step(&game, &index, tier, |step| {
                    if step.to.tier != tier {
                        met.insert(TierSide { tier: step.to.tier, to_move: step.next.to_move() });
                    }
                });
                assert!(met.iter().all(|tier_side| tier_side.tier < tier));
                let needed = needed(&index, tier);
                assert!(met.iter().all(|tier_side| needed.contains(tier_side)), "{preset:?} tier {tier}: {met:?}");
                seen += met.len();
                all += needed.len();
            }
            assert!(all == 0 || seen > all / 3, "{preset:?}: {seen} of {all}");
        }
    }

    #[test]
    #[should_panic(expected = "tier 1 with Black to move")]
    fn a_half_out_of_memory_is_no_draw() {
        let mut earlier = ChildTiers::dropped(1);
        earlier.push([Codes::draws(8), Codes::draws(8)]);
        earlier.drop_half(TierSide { tier: 1, to_move: Side::Black });
        assert_eq!(earlier.get(1, 0).get(0), 0);
        let _ = earlier.get(1, 1);
    }
}
