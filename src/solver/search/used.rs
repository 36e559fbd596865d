//! Pairs that a win uses: the pods and points with which a side wins, whatever the other replies.
//!
//! Call the sides X and Y. A set of points and kinds is *used* in a position that X wins if X has
//! winning play in which each of its placements, after whatever replies of Y's, is of one of these
//! kinds on one of these points. All that X may ever place is such a set. The search finds a
//! smaller one with each value, by the following rules.
//!
//! **Claim.** Where an empty hand loses, a set is used if
//!
//! 1. Y is to move and has neither placement nor pass, and the set is empty;
//! 2. counting (`counting.rs`) says that X wins, since X surely makes n placements and Y fewer or
//!    at most as many, and the set holds n pairs that X surely places one after the other;
//! 3. X is to move, and the set is one that is used after some placement or pass of X's, with the
//!    placed pod and its point;
//! 4. Y is to move, and the set is the union of a set for each placement and pass of Y's, used
//!    after it;
//! 5. Y is to move, and for some of these replies together the union holds a set that is used in a
//!    position that covers what they lead to (`cover.rs`), in a ghost position of their points
//!    (`ghosts.rs`), or in one with which they fall (`alike.rs`, `elsewhere.rs`);
//! 6. it is the image of a set that is used in a position with an equal nameless key, by the
//!    bijection of pods of `canonical.rs`;
//! 7. it is the image of one that is used in a position from which dominance (`dominance.rs`) infers
//!    that X wins, by the kinds that stand for those used there.
//!
//! **Proof.** 1, 3 and 4 restate what winning play is. *2*: X places nothing but pairs of a
//! matching and perhaps one more first (`bounds.rs`), and stops when Y is stuck, after Y's last
//! placement. If only some pairs of a matching are placed, the others leave their points empty,
//! which as liberties (R13) serve those that are placed. *5, 7*: the proofs there let X make the
//! placements of its play in the one position in the other one, in 7 with these kinds. *6*: the bijection maps legal
//! sequences to legal sequences, so it maps winning play to winning play, and a point to itself. ∎
//!
//! Nothing is said where an empty hand wins: X may need to place its whole hand.
//!
//! # In the table
//!
//! An entry holds the points and the pods of a used set in a word of 36 bits, without names: a bit
//! for each point of X's pairs that may live, and after these a bit for each pod in hand with such
//! a pair, in the order of their descriptions in the nameless key. Pods of one description may
//! stand for each other. Positions with equal keys agree in all that is counted. Without a nameless
//! key, a kind is its own description. If a word has too few bits, all points and kinds are used.

use super::bounds::Lives;
use super::field::{KINDS, bits};
use super::node::{Node, Used};

/// The bits that an entry of the table has for this word.
pub(super) const USED_BITS: u32 = 36;

/// The word of an entry of the table that stands for all points and pods.
pub(super) const ALL_USED: u64 = (1 << USED_BITS) - 1;

/// Descriptions of the kinds in hand, as in the canonical key: by side and kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Names(pub(super) [[u64; KINDS]; 2]);

impl Names {
    /// Returns the word of a set that a side uses.
    pub(super) fn word(&self, node: &Node, lives: &Lives, side: usize, used: Used) -> u64 {
        let pairs = &lives.pairs[side];
        let Some(places) = self.places(node, lives, side) else { return ALL_USED };
        let points =
            bits(pairs.any & used.points).fold(0, |word, p| word | 1 << (pairs.any & ((1 << p) - 1)).count_ones());
        bits(u64::from(pairs.kinds & used.kinds)).fold(points, |word, kind| word | places[kind])
    }

    /// Returns the set that a side uses, from the word of a position with an equal key.
    pub(super) fn used(&self, node: &Node, lives: &Lives, side: usize, word: u64) -> Used {
        let pairs = &lives.pairs[side];
        let places = if word == ALL_USED { None } else { self.places(node, lives, side) };
        let Some(places) = places else { return Used::ALL };
        let points = bits(pairs.any).enumerate().fold(0, |points, (i, p)| points | (word >> i & 1) << p);
        let kinds =
            bits(u64::from(pairs.kinds)).fold(0, |kinds, kind| kinds | u32::from(word & places[kind] != 0) << kind);
        Used { points, kinds }
    }

    /// Returns by kind the bits of its pods in a word of a side, if a word has bits for all.
    fn places(&self, node: &Node, lives: &Lives, side: usize) -> Option<[u64; KINDS]> {
        // Sorted by description, with the kind in the lowest bits.
        let (mut sorted, mut count) = ([0; KINDS], 0);
        for kind in bits(u64::from(lives.pairs[side].kinds)) {
            sorted[count] = self.0[side][kind] << 5 | kind as u64;
            count += 1;
        }
        sorted[..count].sort_unstable();
        let (mut places, mut at) = ([0; KINDS], lives.pairs[side].any.count_ones());
        for key in &sorted[..count] {
            let kind = (key & 31) as usize;
            let pods = u32::from(node.hands[side][kind]);
            if at + pods >= USED_BITS {
                return None;
            }
            places[kind] = ((1 << pods) - 1) << at;
            at += pods;
        }
        Some(places)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::field::Field;
    use super::super::negamax::Worker;
    use super::super::node::placements;
    use super::super::random_games::for_each_game_lost_by_empty_hands;
    use super::super::{Search, SearchFeatures};
    use super::*;
    use crate::engine::Engine;
    use crate::progress::Silent;
    use crate::solver::limits::Limits;
    use crate::solver::tracker::Tracker;
    use crate::solver::value::Outcome;

    /// Returns `true` if side `x` wins although it places only what is used, by nothing but
    /// placements and passes; `None` after too many positions.
    pub(in super::super) fn wins_with(
        field: &Field,
        node: &Node,
        x: usize,
        used: Used,
        left: &mut u32,
    ) -> Option<bool> {
        *left = left.checked_sub(1)?;
        let side = node.mover as usize;
        let mut legal = node.legal(field, side);
        if side == x {
            for kind in 0..KINDS {
                legal.at[kind] &= if used.kinds >> kind & 1 == 1 { used.points } else { 0 };
            }
        }
        let pass = node.can_pass().then(|| node.pass());
        for next in pass.into_iter().chain(placements(&legal).map(|p| node.play(field, p))) {
            if wins_with(field, &next, x, used, left)? == (side == x) {
                return Some(side == x);
            }
        }
        Some(side != x)
    }

    /// Returns what side `x` uses where it makes the first of its placements that wins, whatever
    /// the replies; `None` if it does not win, or after too many positions.
    pub(in super::super) fn used_plainly(field: &Field, node: &Node, x: usize, left: &mut u32) -> Option<Used> {
        *left = left.checked_sub(1)?;
        let side = node.mover as usize;
        let legal = node.legal(field, side);
        let mut after = placements(&legal).map(|p| (p, used_plainly(field, &node.play(field, p), x, left)));
        if side == x {
            return after.find_map(|(p, used)| {
                let mut used = used?;
                used.add(p);
                Some(used)
            });
        }
        after.try_fold(Used::NONE, |mut all, (_, used)| {
            all.join(used?);
            Some(all)
        })
    }

    /// Tests what a search says that the winner uses, in every position of random games under all
    /// options, against play by nothing but that.
    fn what_is_used_wins(seed: u64, least: u32) {
        let (mut positions, mut fewer, mut needed, mut through) = (0, 0, 0, 0);
        let mut at = seed;
        while positions < least {
            at += 1;
            for_each_game_lost_by_empty_hands(at, 40, |engine, field, all, values| {
                let game = engine.game();
                let plain = SearchFeatures { conflicts: false, ..SearchFeatures::ALL };
                let kinds = [
                    plain,
                    SearchFeatures { canonical: false, ..plain },
                    SearchFeatures { nameless: false, bounds: false, ..plain },
                    SearchFeatures { bounds: false, ..plain },
                ];
                // One table for all positions of a game: so what it holds is tested as well.
                let mut searches = kinds.map(|features| Search::with_features(game, 1 << 16, features).unwrap());
                (searches[3].race_from, searches[3].turns_from) = (1, 1);
                for &position in all {
                    let node = Node::new(field, game, position);
                    let text =
                        || format!("seed {at}: {}\n{:?}\n{}", position.display(game), game.board(), game.rules());
                    let win = values[position].outcome() == Outcome::Win;
                    let x = if win { node.mover } else { 1 - node.mover } as usize;
                    for search in &searches {
                        let shared = search.shared();
                        let mut worker = Worker::new(&shared, Tracker::new(Limits::default(), &Silent));
                        assert_eq!(worker.wins(&node, 4), Ok(win), "{}", text());
                        let used = worker.used;
                        assert_ne!(wins_with(field, &node, x, used, &mut 30_000), Some(false), "{used:?} {}", text());
                        let legal = node.legal(field, x);
                        fewer += u32::from(legal.any & !used.points != 0);
                        through += u32::from(field.through && used != Used::ALL);
                        // Without one of the points it mostly does not win: so this test can fail.
                        let less = Used { points: used.points & used.points.wrapping_sub(1), ..used };
                        needed += u32::from(wins_with(field, &node, x, less, &mut 30_000) == Some(false));
                    }
                    positions += 1;
                }
            });
        }
        assert!(
            fewer > positions / 4 && needed > positions / 4 && through > 0,
            "{positions} {fewer} {needed} {through}"
        );
    }

    #[test]
    fn what_a_search_says_is_used_wins() {
        what_is_used_wins(41, 2_000);
    }

    #[test]
    #[ignore = "takes a minute or more"]
    fn what_a_search_says_is_used_wins_in_many_positions() {
        what_is_used_wins(1_041, 40_000);
    }
}
