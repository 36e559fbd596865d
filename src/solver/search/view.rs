//! Views of a position from the points where its winner plays and the loser may: one position tells
//! of all that look the same.
//!
//! Call the sides X and Y, and let the game be one without moves and captures in which an empty
//! hand loses. Let P and Q be positions with the same side to move, in neither of which the opening
//! clause (R9) binds. *After* a position means there and in all that placements lead to from it. A
//! pair *may live* as in [`super::bounds`]; the pairs of a position meant here are these. Let X win
//! Q, and have winning play there that places only pods of some kinds, on points of a set A only
//! ([`super::used`]); let A be points of pairs of X's both in P and in Q. Let B be the points of
//! Y's pairs, the same in P and in Q. X *comes to* A only, and Y to B only; L is the union of both.
//!
//! P and Q have the same *view* if they agree in
//!
//! 1. for each line direction: from which points of L the next point in that direction that is in L
//!    or held is in L, going over empty points outside L only;
//! 2. for each side, each point to which it comes and each direction: whether the connected
//!    neighbour is an opposing pod; whether a long leg would reach an opposing pod; whether it would
//!    by the second round of `bounds.rs`, over empty points outside all pairs; and whether a long
//!    leg of an opposing pod on the board reaches the point;
//! 3. under R13, for each side, each such point and each direction: whether the connected neighbour
//!    is empty and outside L.
//!
//! A view determines the set of points *of* a kind, in hand or not: those to which its
//! side comes and where it has a liberty and none of its legs leads to an opposing pod next to it,
//! or, a long one, by the second round. If the kind is in hand, these are its pairs there. A kind
//! *stands for* another one of its side if, on the points of the other one, which must be points of
//! its own,
//!
//! - their legs lead in the same directions to points to which the other side comes: any leg to the
//!   next point, and a long one over points empty now to one beyond it (under `attack-through`, over
//!   any points);
//! - it has no long leg that would reach an opposing pod at one of these points in a direction in
//!   which the other kind has none;
//! - under R13, where the other one has a liberty of 3, it has one too; and at the points where it
//!   has none itself, it has a leg in each direction in which the other one has a leg to a
//!   neighbour in L.
//!
//! Let each kind of Y's pairs in P have a kind of Y's pairs in Q that stands for it, different ones
//! for different kinds, and each kind that X's play in Q places a kind of X's pairs in P that stands
//! for it, different ones again; and let the one that stands have at least as many pods in hand.
//!
//! **Theorem.** X wins P, with the pods that stand for those of its play in Q, on A.
//!
//! **Proof.** Continue both positions: X makes the placements of its play in Q, and in P the same
//! ones with the pods that stand for these; Y makes a placement in P, and in Q the same one with the
//! pod that stands for it. So the same points of L are taken by the same sides in both, and no
//! others: Y only ever places pods of its pairs. Call *first* the position of the pod that another
//! one stands for, Q for X's and P for Y's, and *second* the other one. If a placement of a kind o
//! at p is legal in the first, that of the kind s that stands for it is legal in the second:
//!
//! - *Hand and point* (R10): s has as many pods; p is in L, so it is empty in both or in none.
//! - *Opposing pods on the board now* (R11, R12). As o is of p, so is s, and no leg of either leads
//!   to such a pod next to p or by the second round, and no such pod attacks p so. If another leg of
//!   s does, it is a long one, o has a long one in that direction, and by 2 it would reach a pod in
//!   the first too. By 1 the points of L on the way are the same in both: the pod is the first thing
//!   held behind them. As o is legal, one of them is taken by now, and so it is in the second. The
//!   same holds for a long leg of such a pod that reaches p by 2. (Under `attack-through` the second
//!   round finds all attacks.)
//! - *Opposing pods placed since* stand in both on the same points q to which the opponent comes, one
//!   of them for the other. The legs of s and o at p lead to the same such points: those next to p;
//!   and, if both have a long leg, those beyond it, as long as the points of L between are not taken
//!   (1). The legs of the two pods at q lead to p alike.
//! - *Liberty* (R13): a liberty of o outside L lasts, and s has such a one too. If o has one in L
//!   now, s has a lasting one or the same.
//!
//! In its play X has a placement whenever it is to move in Q, and so in P; Y is the first to have
//! none (R15). ∎
//!
//! To stand for is transitive, and where the view is the same, a kind stands for itself. So a kind
//! that both hands have may stand for itself in any case, and only the others are matched. Where a
//! kind is in hand more than once, both hands have as many, and it stands for itself or not at all.
//!
//! *Ghosts* (`ghosts.rs`) are pods; to their side they are liberties and no obstacles, in 1 for its
//! legs and in 3. Passes are placements that take nothing, of the same number in P and Q.

use super::bounds::Lives;
use super::field::{Field, KINDS, LegBits, bits};
use super::key::{Key, WordSums};
use super::node::Node;
use crate::geometry::by_direction;

/// A position as it looks to sides that come only to some points each.
pub(super) struct View<'n> {
    field: &'n Field,
    node: &'n Node,
    lives: &'n Lives,
    /// A and B, by side.
    points: [u64; 2],
    /// By direction: the points whose connected neighbour is in A or B.
    free: [u64; 8],
    /// By side and direction: the points with a lasting liberty.
    lasts: [[u64; 8]; 2],
    pub(super) hash: u64,
}

impl View<'_> {
    pub(super) fn new<'n>(field: &'n Field, node: &'n Node, lives: &'n Lives, points: [u64; 2]) -> View<'n> {
        let all = points[0] | points[1];
        let lasting = node.empty(field) & !all;
        let mut words = WordSums::NONE;
        for d in [0, 2] {
            let [one, next] = [d, d + 1].map(|d| field.lines.run(d, all, lasting) & all);
            words.put(d / 2, one, next);
        }
        let (mut free, mut lasts) = ([0; 8], [[0; 8]; 2]);
        if field.liberty {
            let any = node.free(field);
            free = by_direction(|d| field.lines.step_into(d, all));
            lasts = [by_direction(|d| any[d] & !free[d]); 2];
        }
        let mut over = Key::START;
        if node.ghosts != 0 {
            let side = usize::from(node.has_ghosts(1));
            if field.liberty {
                lasts[side] = node.with_ghosts_next(field, &lasts[side]);
            }
            for d in 0..8 {
                over.mix_some(d as u64, node.seen_over_ghosts(field, d, all, lasting));
            }
        }
        for side in 0..2 {
            let (foe, of) = (1 - side, points[side]);
            for d in 0..8 {
                let place = 2 + 16 * side + 2 * d;
                words.put(place, node.near[foe][d] & of, node.far[foe][d] & of);
                words.put(place + 1, lives.faced[foe][d] & of, node.beams[foe][d] & of);
            }
            for d in [0, 2, 4, 6] {
                words.put(34 + 4 * side + d / 2, lasts[side][d] & of, lasts[side][d + 1] & of);
            }
        }
        View { field, node, lives, points, free, lasts, hash: words.hash().low.wrapping_add(over.low) }
    }

    /// Returns the points of a side where pods with such legs may live.
    fn at(&self, side: usize, LegBits { short, long }: LegBits) -> u64 {
        let foe = 1 - side;
        let union = |sets: &[u64; 8], legs: u8| bits(u64::from(legs)).fold(0, |all, d| all | sets[d]);
        let dead = union(&self.node.near[foe], short | long) | union(&self.lives.faced[foe], long);
        let liberties = |legs| union(&self.free, legs) | union(&self.lasts[side], legs);
        let at = self.points[side] & !dead;
        if self.field.liberty { at & liberties(short | long) } else { at }
    }
}

/// The points from which a leg of a side reaches a point where the other side may come.
pub(super) struct Reach {
    /// By direction: at the next point.
    pub(super) near: [u64; 8],
    /// By direction: beyond it, by a long leg.
    pub(super) far: [u64; 8],
}

impl Reach {
    /// Finds the points for a side whose opponent may come to `theirs`.
    #[inline(always)]
    pub(super) fn new(field: &Field, node: &Node, side: usize, theirs: u64) -> Reach {
        let (lines, through) = (&field.lines, node.through(field, side));
        let near = by_direction(|d| lines.step_into(d, theirs));
        let second = by_direction(|d| lines.step_into(d, near[d] & through));
        let further = lines.runs_into(&by_direction(|d| second[d] & through), through);
        Reach { near, far: by_direction(|d| second[d] | further[d]) }
    }

    /// Returns `true` if a pod of a side stands for another one.
    pub(super) fn stands_for(&self, view: &View<'_>, side: usize, one: LegBits, other: LegBits) -> bool {
        let meets = |sets: &[u64; 8], legs: u8, at: u64| bits(u64::from(legs)).any(|d| sets[d] & at != 0);
        let (at, all) = (view.at(side, other), [one, other].map(|legs| legs.short | legs.long));
        let facing = by_direction(|d| view.node.far[1 - side][d] & !view.lives.faced[1 - side][d]);
        let lasting = |legs: u8| bits(u64::from(legs)).fold(0, |set, d| set | view.lasts[side][d]);
        at & !view.at(side, one) == 0
            && !meets(&self.near, all[0] ^ all[1], at)
            && !meets(&self.far, one.long ^ other.long, at)
            && !meets(&facing, one.long & !other.long, at)
            && (!view.field.liberty
                || at & lasting(all[1]) & !lasting(all[0]) == 0
                    && !meets(&view.free, all[1] & !all[0], at & !lasting(all[0])))
    }
}

/// Kinds that stand for others.
#[derive(Clone, Copy)]
pub(super) struct StandIns {
    /// The kinds that stand for another one.
    pub(super) kinds: u32,
    /// By such a kind: the other one.
    pub(super) other: [u8; KINDS],
}

impl StandIns {
    pub(super) const NONE: StandIns = StandIns { kinds: 0, other: [0; KINDS] };

    /// Finds for each kind of `others` another one of `those` by a matching (Kuhn's algorithm);
    /// `stands_for(one, other)` tells which ones may.
    pub(super) fn new(others: u32, those: u32, stands_for: impl Fn(usize, usize) -> bool) -> Option<StandIns> {
        let mut edges = [0; KINDS];
        for other in bits(u64::from(others)) {
            let ones = bits(u64::from(those)).filter(|&one| stands_for(one, other));
            edges[other] = ones.fold(0, |set, one| set | 1 << one);
            if edges[other] == 0 {
                return None;
            }
        }
        let mut found = StandIns::NONE;
        bits(u64::from(others)).all(|other| found.augment(&edges, other, &mut 0)).then_some(found)
    }

    fn augment(&mut self, edges: &[u32; KINDS], other: usize, seen: &mut u32) -> bool {
        loop {
            let next = edges[other] & !*seen;
            if next == 0 {
                return false;
            }
            let one = next.trailing_zeros() as usize;
            *seen |= 1 << one;
            if self.kinds >> one & 1 == 0 || self.augment(edges, usize::from(self.other[one]), seen) {
                self.kinds |= 1 << one;
                self.other[one] = other as u8;
                return true;
            }
        }
    }
}
