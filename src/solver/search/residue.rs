//! What is left of a position: everything the rest of the game depends on, and nothing else.
//!
//! Take the pairs that may live and L as in [`super::future`]: no pod is ever placed but as one of those pairs, and all
//! their points are in L. The key of a position holds
//!
//! 1. who is to move, and whether the opening clause binds (R9);
//! 2. for each side and kind in hand with a pair that may live: the number in hand, and the points of those pairs; and, where
//!    an empty hand wins, how many pods each side holds in all;
//! 3. for each side and direction: the points of its pairs that a long leg of an opposing pod on the board attacks from a
//!    distance; and the points from which a long leg of a pair in that direction attacks an opposing pod over at least one
//!    point of L;
//! 4. for each line direction: from which points of L the next point in that direction that is in L or held is in L,
//!    going over empty points outside L only;
//! 5. under R13, for each direction: the points of pairs with a leg in that direction whose connected neighbour there is
//!    empty and outside L.
//!
//! **Theorem.** Two positions of one game with equal keys (before hashing) have the same legal sequences of actions, and so
//! the same value and distance.
//!
//! **Proof.** Whether pair (k, p) is legal after a sequence of placements that is legal so far is told by the key and the
//! sequence: *Turn and hand* follow from 1 and 2. A pair that is not listed in 2 is never legal. For a listed one:
//!
//! - *p is empty* (R10) unless the sequence placed there.
//! - *Opposing pods of the sequence* (R11, R12): whether a leg of one at p″ reaches p, or one at p reaches p″, is told by
//!   legs and the points between. Both points are in L. Those between must be empty now, which 4 tells by steps from one
//!   point of L to the next; the ones outside L stay empty, and of those in L the sequence tells. (Neighbours need the
//!   line only. Under `attack-through` the points between do not matter.)
//! - *Opposing pods on the board*: if they attack p, or k at p attacks them, then over at least one point of L, or else the
//!   pair would be dead by the claim of `future.rs` and not listed. Such attacks are told by 3 for now, with their
//!   direction; they last until the sequence places on a point between. Those are points of L that are seen from p in
//!   that direction, all of which 4 tells: the opposing pod is the first thing held there.
//! - *Liberty* (R13): a leg of k at p has a connected neighbour that is empty at the time: outside L by 5, since those stay
//!   empty; in L by the sequence.
//!
//! The end of the game is told by the legal actions, and by the hands (R15, R16) where an empty hand wins. ∎

use super::field::{Field, bits};
use super::future::Lives;
use super::node::Node;
use super::table::Key;

/// The key of a position's residue.
pub(super) fn residue(field: &Field, node: &Node, lives: &Lives) -> Key {
    let mut key = Key::START;
    key.mix(1, 1 + (u64::from(node.mover) | u64::from(node.open) << 1));
    let empty = node.empty(field);
    let live = lives.live;
    let lasting = empty & !live;
    let mut legs = [0_u64; 8];
    for side in 0..2 {
        if field.empty_hand_wins {
            key.mix(2 + side as u64, u64::from(node.in_hand[side]));
        }
        let pairs = &lives.pairs[side];
        let mut long = [0_u64; 8];
        for kind in bits(u64::from(pairs.kinds)) {
            let at = pairs.at[kind];
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
        }
        if field.through {
            continue;
        }
        for d in 0..8 {
            let foe = 1 - side;
            let attacked = node.beams[foe][d] & pairs.any;
            if attacked != 0 {
                key.mix(2 << 8 | (side << 16 | d << 17) as u64, attacked);
            }
            let faced = node.far[foe][d] & !lives.faced[foe][d] & long[d];
            if faced != 0 {
                key.mix(3 << 8 | (side << 16 | d << 17) as u64, faced);
            }
        }
    }
    for d in 0..4 {
        key.mix(4 << 8 | (d << 17) as u64, field.lines.run(d, live, lasting) & live);
    }
    if field.liberty {
        for (d, legs) in legs.iter().enumerate() {
            let lasts = if *legs == 0 { 0 } else { field.lines.step_into(d, lasting) & legs };
            if lasts != 0 {
                key.mix(5 << 8 | (d << 17) as u64, lasts);
            }
        }
    }
    key
}

/// The key of the whole position.
pub(super) fn whole(node: &Node) -> Key {
    let mut key = node.past;
    key.mix(1, 1 + (u64::from(node.mover) | u64::from(node.open) << 1));
    for side in 0..2 {
        for kind in bits(u64::from(node.kinds[side])) {
            key.mix(1 << 8 | (side << 16 | kind << 17) as u64, u64::from(node.hands[side][kind]));
        }
    }
    key
}
