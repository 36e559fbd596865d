//! Slices of a tier that a sweep can skip.

use crate::material::Side;
use crate::table::index::{Groups, Index, Tier, own_may_become};

/// Filter of slices: skips those none of whose successors changed in the last sweep. Within a tier
/// an action leaves the pods that the opponent has on the board there, on their points or pushed to
/// others.
pub(super) struct Activity<'a> {
    index: &'a Index,
    tier: &'a Tier,
    /// By what each side has on the board.
    groups: [Groups; 2],
    /// For each side and slice, the pods in hand.
    pub(super) hand: [Vec<u32>; 2],
}

/// The slices in which a sweep decided something: for each side that was to move and each of its
/// groups, the groups of the opponent.
pub(super) type DirtySlices = [Vec<Vec<usize>>; 2];

impl Activity<'_> {
    pub(in crate::table) fn new<'a>(index: &'a Index, tier: &'a Tier) -> Activity<'a> {
        let groups = Side::BOTH.map(|side| Groups::new(index, tier, side));
        let hand = Side::BOTH.map(|side| {
            let alive = index.total(tier.alive(), side);
            tier.slices().iter().map(|slice| alive - index.total(slice.on_board(), side)).collect()
        });
        Activity { index, tier, groups, hand }
    }

    pub(super) fn nothing(&self) -> DirtySlices {
        [0, 1].map(|side| vec![Vec::new(); self.groups[side].len()])
    }

    /// Notes what a sweep found in a slice with a side to move.
    fn add(&self, dirty: &mut DirtySlices, side: usize, slice: usize, found: u64) {
        let groups = &mut dirty[side][self.groups[side].of(slice)];
        let other = self.groups[1 - side].of(slice);
        if found > 0 && !groups.contains(&other) {
            groups.push(other);
        }
    }

    /// Notes what the sweeps of both players found in slices; returns how much that is.
    pub(super) fn add_all(&self, dirty: &mut DirtySlices, found: [Vec<(usize, u64)>; 2]) -> u64 {
        let mut all = 0;
        for (side, counts) in found.into_iter().enumerate() {
            for (slice, count) in counts {
                all += count;
                self.add(dirty, side, slice, count);
            }
        }
        all
    }

    /// Returns `true` if an action may lead from a slice to a dirty one with the side `next` to
    /// move.
    pub(super) fn meets(&self, dirty: &DirtySlices, next: usize, slice: usize) -> bool {
        let mover = Side::BOTH[1 - next];
        let movers = &self.groups[mover.index()];
        let on_board = |slice: usize| self.tier.slices()[slice].on_board();
        dirty[next][self.groups[next].of(slice)]
            .iter()
            .any(|&there| own_may_become(self.index, mover, on_board(slice), on_board(movers.first(there))))
    }
}
