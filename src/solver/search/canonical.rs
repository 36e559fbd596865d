//! The canonical key of a position: everything the rest of the game depends on, and nothing else.
//!
//! Take the pairs that may live and L as in [`super::bounds`]: no pod is ever placed but as one of
//! those pairs. Let A be the points of these pairs; all of them are in L. Empty points outside A
//! stay empty. The key of a position holds
//!
//! 1. who is to move, and whether the opening clause binds (R9);
//! 2. for each side and kind in hand with a pair that may live: the number in hand, and the points
//!    of those pairs; and, where an empty hand wins, how many pods each side holds in all;
//! 3. for each side and direction: the points of its pairs that a long leg of an opposing pod on
//!    the board attacks from a distance; and the points from which a long leg of a pair in that
//!    direction attacks an opposing pod over at least one point of L;
//! 4. for each line direction: from which points of A the next point in that direction that is in A
//!    or held is in A, going over empty points outside A only;
//! 5. under R13, for each direction: the points of pairs with a leg in that direction whose
//!    connected neighbour there is empty and outside A.
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
//!   reaches p″, depends on legs and the points between. Both points are in A. Those between must
//!   be empty now, which 4 tells by steps from one point of A to the next; later those outside A
//!   stay empty, and the sequence tells about those in A. (Neighbours need the line only. Under
//!   `attack-through` the points between do not matter.)
//! - *Opposing pods on the board*: if they attack p, or k at p attacks them, the run goes over at
//!   least one point of L, since otherwise the pair would be dead by the claim of `bounds.rs` and
//!   not listed. Item 3 tells which such attacks there are now, and their direction; they last
//!   until the sequence places on a point between. The points between where that can happen are the
//!   points of A that are seen from p in that direction, and 4 tells all of them: the opposing pod
//!   is the first thing held there.
//! - *Liberty* (R13): a leg of k at p has a connected neighbour that is empty at the time: outside
//!   A by 5, since those stay empty; in A by the sequence.
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
//! - under R13, if no leg of k at p has a connected empty neighbour outside A, and this one has one
//!   in A.
//!
//! A kind is described by the points of its pairs; those of them with a lasting liberty (R13); and,
//! for each of these four reasons, the directions in which its leg matters at one of its points at
//! least. The nameless key holds for each side the multiset of the descriptions of the pods in hand
//! (of kinds with a pair that may live), instead of item 2 without its last part, and not item 5.
//! While the opening clause binds, the key with names is used.
//!
//! **Theorem.** If the nameless keys of two positions are equal, there is a bijection between their
//! pods in hand that maps the legal sequences of one to those of the other; so value and distance
//! are the same.
//!
//! **Proof.** The descriptions tell A and the points of each side's pairs, so with items 3 and 4
//! they tell at which points a leg in some direction would matter, for each reason: near by the
//! lines; far by steps from one point of A to the next; by the second half of item 3; and, for a
//! liberty, where no lasting one is described, by the lines again. A kind has such a leg if and
//! only if the description names the direction, where it would matter at one of the kind's points
//! at all.
//!
//! Map pods to pods of the same description. Go through the proof above. *Turn, hand,
//! emptiness* and attacks by pods on the board are as there. *Opposing pods of the sequence* stand
//! on points of opposing pairs that may live. A leg of k at p reaches one of them only if it
//! matters near or far now, as runs only get shorter; if it does, direction and the points between
//! (item 4) tell when. A long leg that matters near and not far acts as a short one. So description
//! and sequence tell whether a placed or a coming pod attacks another, whatever the other legs are.
//! Attacks on pods on the board are those of item 3. *Liberty*: with an empty connected neighbour
//! outside A, p has a liberty for good. Without one, its liberties are the neighbours in A that are
//! still empty, which follow from description and sequence. ∎

use super::bounds::Lives;
use super::field::{Field, LegBits, Unions, bits};
use super::key::{Key, WordSums};
use super::node::Node;
use super::used::Names;
use super::view::Reach;
use crate::geometry::by_direction;

/// Returns the canonical key of a position; `nameless` leaves out which kinds are which, and the
/// legs that do not matter. Sets the `names` of the kinds with pairs that may live.
pub(super) fn canonical(field: &Field, node: &Node, lives: &Lives, nameless: bool, names: &mut Names) -> Key {
    canonical_by(field, node, lives, nameless, names, meeting)
}

/// Returns the directions, of some, in which a set shares one of some points.
#[inline]
fn meeting(sets: &[u64; 8], directions: u8, points: u64) -> u8 {
    bits(u64::from(directions)).fold(0, |met, d| met | u8::from(sets[d] & points != 0) << d)
}

/// Returns the canonical key; `meeting` does what [`meeting`] does.
#[inline(always)]
pub(super) fn canonical_by(
    field: &Field,
    node: &Node,
    lives: &Lives,
    nameless: bool,
    names: &mut Names,
    meeting: impl Fn(&[u64; 8], u8, u64) -> u8 + Copy,
) -> Key {
    let nameless = nameless && !node.open;
    let mut key = Key::START;
    let mut words = WordSums::NONE;
    let hands = if field.empty_hand_wins { node.in_hand } else { [0; 2] };
    let turn = u64::from(node.mover) | u64::from(node.open) << 1;
    words.put(0, turn, u64::from(hands[0]) | u64::from(hands[1]) << 16);
    let empty = node.empty(field);
    // A, and what stays empty outside.
    let live = lives.pairs[0].any | lives.pairs[1].any;
    let lasting = empty & !live;
    // By direction: the points whose connected neighbour is in A, or empty and outside A.
    let (mut free, mut lasts) = ([0; 8], [0; 8]);
    if field.liberty {
        let any = node.free(field);
        free = by_direction(|d| field.lines.step_into(d, live));
        lasts = by_direction(|d| any[d] & !free[d]);
    }
    let mut legs = [0_u64; 8];
    for side in 0..2 {
        let (foe, pairs) = (1 - side, &lives.pairs[side]);
        let mut long = [0_u64; 8];
        let mut faced = [0; 8];
        if !field.through {
            faced = by_direction(|d| node.far[foe][d] & !lives.faced[foe][d]);
        }
        if nameless {
            let reasons = Reasons::new(field, node, side, lives, (&free, &lasts, &faced), meeting);
            for kind in bits(u64::from(pairs.kinds)) {
                let (legs, at) = (field.legs[side][kind], pairs.at[kind]);
                let item = reasons.described(side, legs, at, meeting);
                names.0[side][kind] = item.low;
                key.plus(item, u64::from(node.hands[side][kind]));
                for d in bits(u64::from(legs.long & reasons.facing)) {
                    long[d] |= at;
                }
            }
        } else {
            for kind in bits(u64::from(pairs.kinds)) {
                let at = pairs.at[kind];
                names.0[side][kind] = kind as u64;
                // Tags that no other item has.
                key.mix(1 << 8 | (side << 16 | kind << 17) as u64 | u64::from(node.hands[side][kind]) << 32, at);
                let bits_of = field.legs[side][kind];
                for d in bits(u64::from(bits_of.long)) {
                    long[d] |= at;
                }
                for d in bits(u64::from(bits_of.short | bits_of.long)) {
                    legs[d] |= at;
                }
            }
        }
        if !field.through {
            for d in 0..8 {
                words.put(8 * (1 + side) + d, node.beams[foe][d] & pairs.any, faced[d] & long[d]);
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
            let over = node.seen_over_ghosts(field, d, live, lasting);
            key.mix_some(9 << 8 | side << 16 | (d << 17) as u64, over);
        }
    }
    for d in [0, 2] {
        let [one, next] = [d, d + 1].map(|d| field.lines.run(d, live, lasting) & live);
        words.put(24 + d, one, next);
    }
    if !nameless {
        for d in 0..8 {
            key.mix_some(5 << 8 | (d << 17) as u64, lasts[d] & legs[d]);
        }
    }
    key.plus(words.hash(), 1);
    key
}

/// Conditions under which the legs of a side matter.
struct Reasons {
    /// They reach a point of a pair of the opponent that may live.
    reach: Reach,
    /// The next point is in A: a liberty that may go.
    free: [u64; 8],
    /// They attack a pod on the board over a point of L.
    faced: [u64; 8],
    /// The directions in which one of a side's pairs faces such a pod.
    facing: u8,
    /// The next point is a lasting liberty.
    lasts: Unions,
}

impl Reasons {
    #[inline(always)]
    fn new(
        field: &Field,
        node: &Node,
        side: usize,
        lives: &Lives,
        (free, lasts, faced): (&[u64; 8], &[u64; 8], &[u64; 8]),
        meeting: impl Fn(&[u64; 8], u8, u64) -> u8,
    ) -> Reasons {
        let (pairs, theirs) = (lives.pairs[side].any, lives.pairs[1 - side].any);
        let mut lasts = *lasts;
        if node.has_ghosts(side) && field.liberty {
            lasts = node.with_ghosts_next(field, &lasts);
        }
        Reasons {
            reach: Reach::new(field, node, side, theirs),
            free: *free,
            faced: *faced,
            facing: meeting(faced, u8::MAX, pairs),
            lasts: Unions::new(&lasts),
        }
    }

    /// Returns the hash of the description of a kind.
    #[inline]
    fn described(
        &self,
        side: usize,
        LegBits { short, long }: LegBits,
        at: u64,
        meeting: impl Fn(&[u64; 8], u8, u64) -> u8,
    ) -> Key {
        let all = short | long;
        let lasting = self.lasts.of(all) & at;
        let reasons = u32::from_le_bytes([
            meeting(&self.reach.near, all, at),
            meeting(&self.free, all, at & !lasting),
            meeting(&self.reach.far, long, at),
            meeting(&self.faced, long, at),
        ]);
        Key::of([at, lasting, (side as u64) << 32 | u64::from(reasons)])
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
