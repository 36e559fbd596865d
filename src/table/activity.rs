//! Which slices of a tier a sweep may find something in.

use hashbrown::HashMap;

use super::index::Index;
use super::tier::Tier;
use crate::material::Side;

/// Which slices a sweep may find something in: those with next positions that the last sweep decided.
///
/// An action leaves the pods that the opponent has on the board as they are, or leads to an earlier tier; of its
/// player's pods it puts at most one more on the board.
pub(super) struct Activity {
    /// For each side and slice, the number of what the side has on the board.
    group: [Vec<usize>; 2],
    /// What the numbers stand for: how many pods of each class.
    on_board: [Vec<Vec<u8>>; 2],
    /// For each side and slice, the pods in hand.
    pub(super) hand: [Vec<u32>; 2],
}

/// For each side that was to move and each of its groups, the groups of the opponent in slices with news.
pub(super) type News = [Vec<Vec<usize>>; 2];

impl Activity {
    pub(super) fn new(index: &Index, tier: &Tier) -> Activity {
        let mut activity =
            Activity { group: Default::default(), on_board: Default::default(), hand: Default::default() };
        for side in Side::BOTH {
            let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
            let of_side = |counts: &[u8]| -> Vec<u8> {
                index.classes().iter().zip(counts).filter(|(c, _)| c.side == side).map(|(_, &n)| n).collect()
            };
            let total = |counts: &[u8]| of_side(counts).into_iter().map(u32::from).sum::<u32>();
            for slice in tier.slices() {
                let seen = &mut activity.on_board[side.index()];
                let group = *numbers.entry(of_side(slice.on_board())).or_insert_with_key(|on_board| {
                    seen.push(on_board.clone());
                    seen.len() - 1
                });
                activity.group[side.index()].push(group);
                activity.hand[side.index()].push(total(tier.alive()) - total(slice.on_board()));
            }
        }
        activity
    }

    pub(super) fn nothing(&self) -> News {
        [0, 1].map(|side| vec![Vec::new(); self.on_board[side].len()])
    }

    /// Notes what a sweep found in a slice with a side to move.
    pub(super) fn add(&self, news: &mut News, side: usize, slice: usize, found: u64) {
        let groups = &mut news[side][self.group[side][slice]];
        let other = self.group[1 - side][slice];
        if found > 0 && !groups.contains(&other) {
            groups.push(other);
        }
    }

    /// Whether an action may lead from a slice to news with the side `next` to move.
    pub(super) fn meets(&self, news: &News, next: usize, slice: usize) -> bool {
        let mover = 1 - next;
        let here = &self.on_board[mover][self.group[mover][slice]];
        news[next][self.group[next][slice]].iter().any(|&there| {
            let more = self.on_board[mover][there].iter().zip(here).map(|(t, h)| u32::from(t.saturating_sub(*h)));
            more.sum::<u32>() <= 1
        })
    }
}
