//! History: placements that won elsewhere in the search come earlier, those that failed come later.
//!
//! The order of `order.rs` sees one position only. Positions of one search are much alike, and a
//! placement that beats one reply mostly beats others. So a search counts, by side, pod kind and
//! point, the nodes of the positions that a placement won, and the nodes that were spent on it in
//! vain (after the history heuristic of Schaeffer, 1983, which counts wins only).
//!
//! Each thread also keeps for each ply the placements that have won there lately, with the nodes
//! that they won. These counts halve whenever the search begins a position one ply nearer to the
//! root: so a placement that refuted one reply is tried first against the other replies to the same
//! position, and is soon forgotten elsewhere. (Killer moves keep two such placements, without
//! counts.)
//!
//! A placement that won lately has a longer first turn, too (`turns.rs`).
//!
//! A count adds its bits (the logarithm), times a weight, to the score of `order.rs`.
//!
//! Only the order of placements and their turns depend on it, so values do not. Threads share the
//! counts; each thread has its own list of recent winners.

use std::array::from_fn;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use super::field::KINDS;
use super::node::Placement;
use crate::geometry::MAX_POINTS;

/// Score of each bit of the nodes that a placement won anywhere; in `order.rs` a pair counts 1 to
/// 4.
const WON: i32 = 3;
/// A bit of those that it won lately at the same ply.
const LATELY: i32 = 5;
/// A bit of those that were spent on it in vain.
const FAILED: i32 = 2;

/// Retry budget, as a multiple of the decayed past cost.
const AGAIN: u64 = 4;

/// A number for each placement, by side, kind and point.
type ByPlacement<T> = Box<[[[T; MAX_POINTS]; KINDS]; 2]>;

/// Wins and failures so far, for all threads of a search.
pub(super) struct Counts {
    /// Nodes of positions that a placement won.
    won: ByPlacement<AtomicU64>,
    /// Nodes spent on a placement where another one won.
    failed: ByPlacement<AtomicU64>,
    /// Sum that both add to the score.
    bonus: ByPlacement<AtomicI32>,
}

impl Counts {
    pub(super) fn new() -> Counts {
        Counts { won: zeros(), failed: zeros(), bonus: zeros() }
    }
}

fn zeros<T: Default>() -> ByPlacement<T> {
    Box::new(from_fn(|_| from_fn(|_| from_fn(|_| T::default()))))
}

/// The history as one thread sees it.
pub(super) struct History<'a> {
    counts: &'a Counts,
    /// By ply from the root: what won there lately. Plies beyond the end share the last list.
    lately: Vec<Vec<Lately>>,
}

/// A placement that won lately.
#[derive(Clone)]
struct Lately {
    placement: Placement,
    /// The nodes of the positions that it won, halved with time.
    won: u64,
    /// The most nodes of its own that one of them took, halved with time.
    took: u64,
}

impl<'a> History<'a> {
    pub(super) fn new(counts: &'a Counts) -> History<'a> {
        History { counts, lately: vec![Vec::new(); MAX_POINTS + 1] }
    }

    /// Begins a position so many plies from the root: what won at the next ply counts half from now
    /// on.
    pub(super) fn begin(&mut self, depth: usize) {
        let next = self.ply(depth + 1);
        let list = &mut self.lately[next];
        for one in list.iter_mut() {
            one.won /= 2;
            one.took /= 2;
        }
        list.retain(|one| one.won > 0);
    }

    pub(super) fn add_to(&self, scored: &mut [(i32, Placement)], side: usize, depth: usize) {
        for (score, placement) in scored.iter_mut() {
            *score += of(&self.counts.bonus, side, *placement).load(Ordering::Relaxed);
        }
        for one in &self.lately[self.ply(depth)] {
            if let Some((score, _)) = scored.iter_mut().find(|(_, other)| *other == one.placement) {
                *score += LATELY * bits_of(one.won);
            }
        }
    }

    pub(super) fn won_lately(&self, placement: Placement, depth: usize) -> bool {
        self.lately[self.ply(depth)].iter().any(|one| one.placement == placement)
    }

    /// Returns the nodes within which a placement that won lately at this ply may win again; 0 for
    /// one that did not.
    pub(super) fn took_lately(&self, placement: Placement, depth: usize) -> u64 {
        let lately = &self.lately[self.ply(depth)];
        lately.iter().find(|one| one.placement == placement).map_or(0, |one| AGAIN * one.took)
    }

    /// Counts that a placement has won a position whose search took so many nodes, of which it
    /// `took` so many itself.
    pub(super) fn wins(&mut self, placement: Placement, side: usize, depth: usize, nodes: u64, took: u64) {
        of(&self.counts.won, side, placement).fetch_add(nodes, Ordering::Relaxed);
        self.weigh(placement, side);
        let ply = self.ply(depth);
        match self.lately[ply].iter_mut().find(|one| one.placement == placement) {
            Some(one) => {
                one.won += nodes;
                one.took = one.took.max(took);
            }
            None => self.lately[ply].push(Lately { placement, won: nodes, took }),
        }
    }

    /// Counts nodes that were spent on a placement where another one has won.
    pub(super) fn fails(&mut self, placement: Placement, side: usize, nodes: u64) {
        of(&self.counts.failed, side, placement).fetch_add(nodes, Ordering::Relaxed);
        self.weigh(placement, side);
    }

    fn weigh(&mut self, placement: Placement, side: usize) {
        let Counts { won, failed, bonus } = self.counts;
        let [won, failed] = [won, failed].map(|counts| bits_of(of(counts, side, placement).load(Ordering::Relaxed)));
        of(bonus, side, placement).store(WON * won - FAILED * failed, Ordering::Relaxed);
    }

    fn ply(&self, depth: usize) -> usize {
        depth.min(self.lately.len() - 1)
    }
}

fn of<T>(counts: &ByPlacement<T>, side: usize, placement: Placement) -> &T {
    &counts[side][placement.kind as usize][placement.point as usize]
}

/// Returns the number of bits that a count has: 0 for 0, one more each time it doubles.
fn bits_of(nodes: u64) -> i32 {
    (u64::BITS - nodes.leading_zeros()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Placement = Placement { kind: 1, point: 7 };
    const B: Placement = Placement { kind: 2, point: 7 };

    fn scores(history: &History, side: usize, depth: usize) -> [i32; 2] {
        let mut scored = [(0, A), (0, B)];
        history.add_to(&mut scored, side, depth);
        scored.map(|(score, _)| score)
    }

    #[test]
    fn what_won_counts_for_its_side_and_most_at_its_ply() {
        let counts = Counts::new();
        let mut history = History::new(&counts);
        assert_eq!(scores(&history, 0, 3), [0, 0]);
        history.wins(A, 0, 3, 4, 2);
        assert_eq!(scores(&history, 0, 3), [3 * (WON + LATELY), 0]);
        assert_eq!(scores(&history, 0, 5), [3 * WON, 0]);
        assert_eq!(scores(&history, 1, 5), [0, 0]);
        assert!(history.won_lately(A, 3) && !history.won_lately(A, 5) && !history.won_lately(B, 3));
    }

    #[test]
    fn what_won_lately_is_forgotten_as_positions_before_it_begin() {
        let counts = Counts::new();
        let mut history = History::new(&counts);
        history.wins(A, 0, 3, 4, 2);
        for left in [2, 1, 0] {
            history.begin(3);
            history.begin(2);
            assert_eq!(scores(&history, 0, 3), [3 * WON + left * LATELY, 0]);
        }
        assert!(!history.won_lately(A, 3));
    }

    #[test]
    fn what_took_long_lately_may_take_as_long_again() {
        let counts = Counts::new();
        let mut history = History::new(&counts);
        assert_eq!(history.took_lately(A, 3), 0);
        history.wins(A, 0, 3, 100, 40);
        // Against another reply to the same position, then against one to another position.
        assert_eq!(history.took_lately(A, 3), 160);
        history.begin(2);
        assert_eq!([3, 4].map(|depth| history.took_lately(A, depth)), [80, 0]);
        assert_eq!(history.took_lately(B, 3), 0);
        history.wins(A, 0, 3, 10, 10);
        assert_eq!(history.took_lately(A, 3), 80);
        for _ in 0..20 {
            history.begin(2);
        }
        assert_eq!(history.took_lately(A, 3), 0);
    }

    #[test]
    fn what_failed_comes_later() {
        let counts = Counts::new();
        let mut history = History::new(&counts);
        history.fails(B, 1, 1);
        history.fails(B, 1, 1);
        assert_eq!(scores(&history, 1, 0), [0, -2 * FAILED]);
        history.wins(B, 1, 900, 1, 1);
        assert_eq!(scores(&history, 1, 901), [0, WON + LATELY - 2 * FAILED]);
    }
}
