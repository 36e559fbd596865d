//! Which slices of a tier a sweep can skip.

use hashbrown::HashMap;

use crate::material::Side;
use crate::table::index::reach::{key, own_may_become};
use crate::table::index::{Index, Tier};

/// Skips slices none of whose successors changed in the last sweep. Within a tier an action leaves the pods that the opponent
/// has on the board as they are.
pub(in crate::table) struct Activity<'a> {
    index: &'a Index,
    tier: &'a Tier,
    /// For each side and slice, the number of what the side has on the board.
    group: [Vec<usize>; 2],
    /// What the numbers stand for: the first slice of each.
    first: [Vec<usize>; 2],
    /// For each side and slice, the pods in hand.
    pub(in crate::table) hand: [Vec<u32>; 2],
}

/// The slices in which a sweep decided something: for each side that was to move and each of its groups, the groups of the
/// opponent.
pub(in crate::table) type DirtySlices = [Vec<Vec<usize>>; 2];

impl Activity<'_> {
    pub(in crate::table) fn new<'a>(index: &'a Index, tier: &'a Tier) -> Activity<'a> {
        let mut activity =
            Activity { index, tier, group: Default::default(), first: Default::default(), hand: Default::default() };
        for side in Side::BOTH {
            let mut numbers: HashMap<usize, usize> = HashMap::new();
            let alive = index.total(tier.alive(), side);
            for (number, slice) in tier.slices().iter().enumerate() {
                let first = &mut activity.first[side.index()];
                let group = *numbers.entry(key(index, slice.on_board(), side)).or_insert_with(|| {
                    first.push(number);
                    first.len() - 1
                });
                activity.group[side.index()].push(group);
                activity.hand[side.index()].push(alive - index.total(slice.on_board(), side));
            }
        }
        activity
    }

    pub(in crate::table) fn nothing(&self) -> DirtySlices {
        [0, 1].map(|side| vec![Vec::new(); self.first[side].len()])
    }

    /// Notes what a sweep found in a slice with a side to move.
    pub(in crate::table) fn add(&self, dirty: &mut DirtySlices, side: usize, slice: usize, found: u64) {
        let groups = &mut dirty[side][self.group[side][slice]];
        let other = self.group[1 - side][slice];
        if found > 0 && !groups.contains(&other) {
            groups.push(other);
        }
    }

    /// Whether an action may lead from a slice to a dirty one with the side `next` to move.
    pub(in crate::table) fn meets(&self, dirty: &DirtySlices, next: usize, slice: usize) -> bool {
        let mover = Side::BOTH[1 - next];
        let first = &self.first[mover.index()];
        let on_board = |slice: usize| self.tier.slices()[slice].on_board();
        dirty[next][self.group[next][slice]]
            .iter()
            .any(|&there| own_may_become(self.index, mover, on_board(slice), on_board(first[there])))
    }
}
