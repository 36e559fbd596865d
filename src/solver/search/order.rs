//! Move ordering: placements that take most from the opponent and least from their player come
//! first.
//!
//! The score counts points on which the opponent can place now and then no longer can, and pairs of
//! pod and point: those that the opponent has open now and loses, against those that the player
//! loses, as the point and the pod are used up. What a placement opens by cutting a long leg's run,
//! and what it blocks by taking a liberty, is left out: the order need not be exact.
//!
//! A point counts as much as several pairs: a point that one side alone may still hold says more
//! about the winner than the pairs on it. The weights were chosen by searches with several of them
//! (`results/search/gains.md`).

use super::field::{Field, KINDS, LegBits, bits};
use super::node::{Node, Pairs, Placement};
use crate::geometry::MAX_POINTS;

/// Score per point denied to the opponent (a flat optimum).
const POINT: i32 = 34;

/// Weight of a pair of the opponent's against one of the player's.
const PAIR: i32 = 4;

/// A number for each direction, a byte a direction: at most 32 kinds are counted.
type Eight = u64;

/// The opponent's open pairs, counted by point.
pub(super) struct Weights {
    /// Number of kinds that may be placed there.
    all: [u8; MAX_POINTS],
    /// Of these, those with any leg in a direction.
    near: [Eight; MAX_POINTS],
    /// Of these, those with a long leg in a direction.
    far: [Eight; MAX_POINTS],
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { all: [0; MAX_POINTS], near: [0; MAX_POINTS], far: [0; MAX_POINTS] }
    }
}

impl Weights {
    /// Counts afresh at the points of `theirs`; the other points keep old counts, which nobody
    /// reads.
    fn count(&mut self, field: &Field, side: usize, theirs: &Pairs) {
        for p in bits(theirs.any) {
            (self.all[p], self.near[p], self.far[p]) = (0, 0, 0);
        }
        for kind in bits(u64::from(theirs.kinds)) {
            let LegBits { short, long } = field.legs[side][kind];
            let (near, far) = (field.eights[usize::from(short | long)], field.eights[usize::from(long)]);
            for p in bits(theirs.at[kind]) {
                self.all[p] += 1;
                self.near[p] += near;
                self.far[p] += far;
            }
        }
    }
}

/// Returns the score for reducing the opponent's open pairs at a point from `pairs` to `left`.
#[inline]
fn loss(pairs: u8, left: u8) -> i32 {
    PAIR * i32::from(pairs - left) + if left == 0 && pairs > 0 { POINT } else { 0 }
}

/// Appends the placements of `mine` with their scores, the most promising having the highest.
pub(super) fn ordered(
    field: &Field,
    node: &Node,
    mine: &Pairs,
    theirs: &Pairs,
    weights: &mut Weights,
    into: &mut Vec<(i32, Placement)>,
) {
    let side = node.mover as usize;
    weights.count(field, 1 - side, theirs);
    let stops = if field.through { 0 } else { node.held[0] | node.held[1] };
    let mut cost = [0_i32; KINDS];
    let mut here = [0_i32; MAX_POINTS];
    for kind in bits(u64::from(mine.kinds)) {
        let mut count = 0;
        for p in bits(mine.at[kind]) {
            here[p] += 1;
            count += 1;
        }
        if node.hands[side][kind] == 1 {
            cost[kind] = count - 1;
        }
    }
    for point in bits(mine.any) {
        // What the opponent loses by a pod here. `base`: the point itself, and in each direction
        // what depends on legs that reach it. `near` and `far`: how much more, by direction, if the
        // pod has a short or a long leg there.
        let mut base = if theirs.any >> point & 1 == 1 { loss(weights.all[point], 0) } else { 0 };
        let (mut near, mut far) = ([0_i32; 8], [0_i32; 8]);
        for d in 0..8 {
            let seen = field.sight(d, point, stops) & theirs.any;
            if seen == 0 {
                continue;
            }
            let back = 8 * (d ^ 4);
            let next = seen & field.near[d][point];
            if next != 0 {
                let q = next.trailing_zeros() as usize;
                let left = weights.all[q] - (weights.near[q] >> back & 0xff) as u8;
                base += loss(weights.all[q], left);
                near[d] = loss(left, 0);
                far[d] = near[d];
            }
            for q in bits(seen & !next) {
                let left = weights.all[q] - (weights.far[q] >> back & 0xff) as u8;
                base += loss(weights.all[q], left);
                far[d] += loss(left, 0);
            }
        }
        for kind in bits(u64::from(mine.kinds)) {
            if mine.at[kind] >> point & 1 == 0 {
                continue;
            }
            let LegBits { short, long } = field.legs[side][kind];
            let gain = bits(u64::from(short)).fold(base, |gain, d| gain + near[d]);
            let gain = bits(u64::from(long)).fold(gain, |gain, d| gain + far[d]);
            into.push((gain - here[point] - cost[kind], Placement { kind: kind as u8, point: point as u8 }));
        }
    }
}
