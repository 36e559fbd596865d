//! The canonical key of a position: everything the rest of the game depends on, and nothing else.
//!
//! Take the pairs that may live and L as in [`super::bounds`]: no pod is ever placed but as one of
//! those pairs, and all their points are in L. The key of a position holds
//!
//! 1. who is to move, and whether the opening clause binds (R9);
//! 2. for each side and kind in hand with a pair that may live: the number in hand, and the points
//!    of those pairs; and, where an empty hand wins, how many pods each side holds in all;
//! 3. for each side and direction: the points of its pairs that a long leg of an opposing pod on
//!    the board attacks from a distance; and the points from which a long leg of a pair in that
//!    direction attacks an opposing pod over at least one point of L;
//! 4. for each line direction: from which points of L the next point in that direction that is in L
//!    or held is in L, going over empty points outside L only;
//! 5. under R13, for each direction: the points of pairs with a leg in that direction whose
//!    connected neighbour there is empty and outside L.
//!
//! **Theorem.** Two positions of one game with equal keys (before hashing) have the same legal
//! sequences of actions, and so the same value and distance.
//!
//! **Proof.** Key and sequence decide whether pair (k, p) is legal after a sequence of placements
//! that is legal so far. *Turn and hand* follow from 1 and 2. A pair that is not listed in 2 is
//! never legal. For a listed one:
//!
//! - *p is empty* (R10) unless the sequence placed there.
//! - *Opposing pods of the sequence* (R11, R12): whether a leg of one at p″ reaches p, or one at p
//!   reaches p″, depends on legs and the points between. Both points are in L. Those between must
//!   be empty now, which 4 tells by steps from one point of L to the next; later those outside L
//!   stay empty, and the sequence tells about those in L. (Neighbours need the line only. Under
//!   `attack-through` the points between do not matter.)
//! - *Opposing pods on the board*: if they attack p, or k at p attacks them, the run goes over at
//!   least one point of L, since otherwise the pair would be dead by the claim of `bounds.rs` and
//!   not listed. Item 3 tells which such attacks there are now, and their direction; they last
//!   until the sequence places on a point between. The points between where that can happen are the
//!   points of L that are seen from p in that direction, and 4 tells all of them: the opposing pod
//!   is the first thing held there.
//! - *Liberty* (R13): a leg of k at p has a connected neighbour that is empty at the time: outside
//!   L by 5, since those stay empty; in L by the sequence.
//!
//! The end of the game follows from the legal actions, and where an empty hand wins also from the
//! hands (R15, R16). ∎
//!
//! # Without names
//!
//! Which kind is which matters only by legs, and a leg of a pair (k, p) matters only
//!
//! - *near*, if its next point may be the opponent's (is a point of an opposing pair that may
//!   live); *far*, for a long leg, if its run over points empty now leads to such a point beyond
//!   the next one (under `attack-through`, over any points);
//! - for an attack of item 3 that starts at p;
//! - under R13, if no leg of k at p has a connected empty neighbour outside L, and this one has one
//!   in L.
//!
//! A kind is described by the points of its pairs; those of them with a lasting liberty (R13); and,
//! by direction, those at which its leg matters, for each of these four reasons. The nameless key
//! holds for each side the multiset of the descriptions of the pods in hand (of kinds with a pair
//! that may live), instead of item 2 without its last part, the second half of item 3, and item 5.
//! While the opening clause binds, the key with names is used.
//!
//! **Theorem.** If the nameless keys of two positions are equal, there is a bijection between their
//! pods in hand that maps the legal sequences of one to those of the other; so value and distance
//! are the same.
//!
//! **Proof.** Map pods to pods of the same description. Go through the proof above. *Turn, hand,
//! emptiness* and attacks by pods on the board are as there. *Opposing pods of the sequence* stand
//! on points of opposing pairs that may live. A leg of k at p reaches one of them only if it
//! matters near or far now, as runs only get shorter; if it does, direction and the points between
//! (item 4) tell when. A long leg that matters near and not far acts as a short one. So description
//! and sequence tell whether a placed or a coming pod attacks another, whatever the other legs are.
//! Attacks on pods on the board are those of item 3. *Liberty*: with an empty connected neighbour
//! outside L, p has a liberty for good. Without one, its liberties are the neighbours in L that are
//! still empty, which follow from description and sequence. ∎

use super::bounds::Lives;
use super::field::{Field, LegBits, bits};
use super::key::Key;
use super::node::{Node, Pairs};
use super::used::Names;
use crate::geometry::by_direction;

/// Returns the canonical key of a position; `nameless` leaves out which kinds are which, and the
/// legs that do not matter. Sets the `names` of the kinds with pairs that may live.
pub(super) fn canonical(field: &Field, node: &Node, lives: &Lives, nameless: bool, names: &mut Names) -> Key {
    let mut key = Key::START;
    key.mix(1, 1 + (u64::from(node.mover) | u64::from(node.open) << 1));
    let empty = node.empty(field);
    let live = lives.live;
    let lasting = empty & !live;
    // By direction: the points whose connected neighbour is empty and in L, or empty and outside L.
    let into = |set: u64| by_direction(|d| if set == 0 { 0 } else { field.lines.step_into(d, set) });
    let (free, lasts): ([u64; 8], [u64; 8]) =
        if field.liberty { (into(live), into(lasting)) } else { ([0; 8], [0; 8]) };
    let mut legs = [0_u64; 8];
    for side in 0..2 {
        if field.empty_hand_wins {
            key.mix(2 + side as u64, u64::from(node.in_hand[side]));
        }
        let (foe, pairs, theirs) = (1 - side, &lives.pairs[side], &lives.pairs[1 - side]);
        let faced: [u64; 8] =
            if field.through { [0; 8] } else { by_direction(|d| node.far[foe][d] & !lives.faced[foe][d]) };
        if nameless && !node.open {
            let has_ghosts = node.has_ghosts(side);
            let through = if has_ghosts { empty | node.ghosts } else { empty };
            let matters = Matters::new(field, theirs, through, pairs);
            let lasts = if has_ghosts && field.liberty {
                by_direction(|d| lasts[d] | field.lines.step_into(d, node.ghosts))
            } else {
                lasts
            };
            for kind in bits(u64::from(pairs.kinds)) {
                let legs = field.legs[side][kind];
                let item = matters.described(field, legs, pairs.at[kind], &free, &lasts, &faced);
                names.0[side][kind] = item.low;
                key.join(side as u64 + 8, item, u64::from(node.hands[side][kind]));
            }
        } else {
            let mut long = [0_u64; 8];
            for kind in bits(u64::from(pairs.kinds)) {
                let at = pairs.at[kind];
                names.0[side][kind] = kind as u64;
                // Tags that no other item has.
                key.mix(1 << 8 | (side << 16 | kind << 17) as u64 | u64::from(node.hands[side][kind]) << 32, at);
                let bits_of = field.legs[side][kind];
                for d in bits(u64::from(bits_of.long)) {
                    long[d] |= at;
                }
                for d in bits(u64::from(bits_of.short)) {
                    legs[d] |= at;
                }
            }
            for d in 0..8 {
                legs[d] |= long[d];
                key.mix_some(3 << 8 | (side << 16 | d << 17) as u64, faced[d] & long[d]);
            }
        }
        if !field.through {
            for d in 0..8 {
                key.mix_some(2 << 8 | (side << 16 | d << 17) as u64, node.beams[foe][d] & pairs.any);
            }
        }
    }
    if node.ghosts != 0 {
        let side = u64::from(node.has_ghosts(1));
        if !nameless {
            key.mix(7 << 8 | side << 17, node.ghosts);
        }
        key.mix_some(8 << 8 | side << 17, u64::from(node.passes));
        for d in 0..8 {
            let over = |through| field.lines.run(d, live, through) & live;
            key.mix_some(9 << 8 | side << 16 | (d << 17) as u64, over(lasting | node.ghosts) & !over(lasting));
        }
    }
    for d in 0..4 {
        key.mix_some(4 << 8 | (d << 17) as u64, field.lines.run(d, live, lasting) & live);
    }
    for d in 0..8 {
        key.mix_some(5 << 8 | (d << 17) as u64, lasts[d] & legs[d]);
    }
    key
}

/// The points from which a leg reaches a pair of the opponent that may live.
struct Matters {
    /// By direction: at the next point.
    near: [u64; 8],
    /// By direction: beyond the next point.
    far: [u64; 8],
}

impl Matters {
    #[inline]
    fn new(field: &Field, theirs: &Pairs, empty: u64, pairs: &Pairs) -> Matters {
        if theirs.any == 0 || pairs.any == 0 {
            return Matters { near: [0; 8], far: [0; 8] };
        }
        let through = if field.through { field.points } else { empty };
        let near = by_direction(|d| field.lines.step_into(d, theirs.any));
        let far = by_direction(|d| {
            let second = field.lines.step_into(d, near[d] & through);
            if second == 0 { 0 } else { second | field.lines.run_into(d, second & through, through) }
        });
        Matters { near, far }
    }

    /// Returns the description of a kind: its points, those with a lasting liberty, and the points
    /// at which each leg matters, by reason.
    #[inline]
    fn described(
        &self,
        field: &Field,
        legs: LegBits,
        at: u64,
        free: &[u64; 8],
        lasts: &[u64; 8],
        faced: &[u64; 8],
    ) -> Key {
        let mut item = Key::START;
        item.mix(1, at);
        let all = u64::from(legs.short | legs.long);
        let lasting = if field.liberty { bits(all).fold(0, |set, d| set | lasts[d]) & at } else { 0 };
        item.mix_some(2, lasting);
        let wanting = if field.liberty { at & !lasting } else { 0 };
        for d in bits(all) {
            item.mix_some(3 | (d as u64) << 8, self.near[d] & at);
            item.mix_some(4 | (d as u64) << 8, free[d] & wanting);
        }
        for d in bits(u64::from(legs.long)) {
            item.mix_some(5 | (d as u64) << 8, self.far[d] & at);
            item.mix_some(6 | (d as u64) << 8, faced[d] & at);
        }
        item
    }
}

pub(super) fn whole(node: &Node) -> Key {
    let mut key = node.past;
    key.mix(1, 1 + (u64::from(node.mover) | u64::from(node.open) << 1));
    for side in 0..2 {
        for kind in bits(u64::from(node.kinds[side])) {
            key.mix(1 << 8 | (side << 16 | kind << 17) as u64, u64::from(node.hands[side][kind]));
        }
    }
    key.mix_some(7 << 8, node.ghosts);
    key.mix_some(8 << 8, u64::from(node.passes));
    key
}
