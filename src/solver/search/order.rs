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

use super::field::{Field, LegBits, bits};
use super::node::{Node, Pairs, Placement};
use crate::geometry::{MAX_POINTS, by_direction};

/// Score per point denied to the opponent (a flat optimum).
const POINT: i32 = 34;

/// Weight of a pair of the opponent's against one of the player's.
const PAIR: i32 = 4;

/// A number for each direction, a byte a direction: at most 32 kinds are counted.
type Eight = u64;

/// A number for each direction, 16 bits a direction: those of the first four, and of their
/// opposites.
type Wide = [u64; 2];

/// Returns the sum of the four numbers of 16 bits in a word; it has no more bits itself.
#[inline]
fn sum(four: u64) -> i32 {
    (four.wrapping_mul(0x0001_0001_0001_0001) >> 48) as i32
}

/// Words about points, filled anew for each position; points that are not asked for keep old ones.
pub(super) struct Weights {
    /// Number of the opponent's kinds that may be placed there.
    all: [u8; MAX_POINTS],
    /// Of these, those with any leg in a direction.
    near: [Eight; MAX_POINTS],
    /// Of these, those with a long leg in a direction.
    far: [Eight; MAX_POINTS],
    /// Losses of the opponent by a pod of the player's there.
    denied: [Denied; MAX_POINTS],
}

/// Losses of the opponent by a pod on a point.
#[derive(Clone, Copy, Default)]
struct Denied {
    /// By the pod itself, and by legs that reach it, less what the player loses there.
    base: i32,
    /// By direction: how much more, if the pod has a short leg there.
    near: Wide,
    /// The same for a long leg.
    far: Wide,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            all: [0; MAX_POINTS],
            near: [0; MAX_POINTS],
            far: [0; MAX_POINTS],
            denied: [Denied::default(); MAX_POINTS],
        }
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

    /// Counts what the opponent loses by a pod on each point of `mine`; what the player loses is
    /// left out.
    fn deny(&mut self, field: &Field, mine: u64, theirs: u64, stops: u64) {
        for p in bits(mine) {
            let base = if theirs >> p & 1 == 1 { loss(self.all[p], 0) } else { 0 };
            self.denied[p] = Denied { base, near: [0; 2], far: [0; 2] };
        }
        // The points from which a leg reaches one of `theirs` at the next point, and beyond it.
        let seen_next = by_direction(|d| field.lines.step_into(d, theirs));
        let empty = field.points & !stops;
        let seen_far = field.lines.runs_into(&by_direction(|d| seen_next[d] & empty), empty);
        for d in 0..8 {
            let (back, half, lane) = (8 * (d ^ 4), d >> 2, 16 * (d & 3));
            for p in bits(mine & seen_next[d]) {
                let q = field.near[d][p].trailing_zeros() as usize;
                let left = self.all[q] - (self.near[q] >> back & 0xff) as u8;
                let more = (loss(left, 0) as u64) << lane;
                let denied = &mut self.denied[p];
                denied.base += loss(self.all[q], left);
                denied.near[half] += more;
                denied.far[half] += more;
            }
            for p in bits(mine & seen_far[d]) {
                for q in bits(field.sight(d, p, stops) & theirs & !field.near[d][p]) {
                    let left = self.all[q] - (self.far[q] >> back & 0xff) as u8;
                    let denied = &mut self.denied[p];
                    denied.base += loss(self.all[q], left);
                    denied.far[half] += (loss(left, 0) as u64) << lane;
                }
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
    weights.deny(field, mine.any, theirs.any, stops);
    for kind in bits(u64::from(mine.kinds)) {
        bits(mine.at[kind]).for_each(|p| weights.denied[p].base -= 1);
    }
    for kind in bits(u64::from(mine.kinds)) {
        let at = mine.at[kind];
        // The pairs of a last pod go with it, but for the one that is placed.
        let cost = if node.hands[side][kind] == 1 { at.count_ones() as i32 - 1 } else { 0 };
        let [short, long] = &field.lanes[side][kind];
        for point in bits(at) {
            let Denied { base, near, far } = weights.denied[point];
            let gain = (near[0] & short[0]) + (far[0] & long[0]) + (near[1] & short[1]) + (far[1] & long[1]);
            into.push((base + sum(gain) - cost, Placement { kind: kind as u8, point: point as u8 }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_games::for_each_game;
    use super::*;
    use crate::engine::Engine;

    /// Returns the score of a placement, pair by pair.
    fn plain_score(field: &Field, node: &Node, [mine, theirs]: [&Pairs; 2], placement: Placement) -> i32 {
        let (side, kind, point) = (node.mover as usize, placement.kind as usize, placement.point as usize);
        let stops = if field.through { 0 } else { node.held[0] | node.held[1] };
        let has = |legs: LegBits, d: usize, next: bool| (legs.long | if next { legs.short } else { 0 }) >> d & 1 == 1;
        let mut score = 0;
        for q in bits(theirs.any) {
            let mut left = 0;
            for other in bits(u64::from(theirs.kinds)).filter(|&other| theirs.at[other] >> q & 1 == 1) {
                let attacked = (0..8).any(|d| {
                    let next = field.near[d][point] >> q & 1 == 1;
                    field.sight(d, point, stops) >> q & 1 == 1
                        && (has(field.legs[side][kind], d, next) || has(field.legs[1 - side][other], d ^ 4, next))
                });
                if q == point || attacked {
                    score += PAIR;
                } else {
                    left += 1;
                }
            }
            score += if left == 0 { POINT } else { 0 };
        }
        let lost = |&(k, p): &(usize, usize)| p == point || k == kind && node.hands[side][kind] == 1;
        let pairs = bits(u64::from(mine.kinds)).flat_map(|k| bits(mine.at[k]).map(move |p| (k, p)));
        score - pairs.filter(lost).count() as i32
    }

    #[test]
    fn a_score_is_that_of_its_pairs() {
        const SEED: u64 = 71;
        let (mut scores, mut through) = (0, 0);
        let mut weights = Weights::default();
        for_each_game(SEED, 1_000, |engine, _, values| {
            let game = engine.game();
            let field = Field::new(game);
            let mut all: Vec<_> = values.keys().collect();
            all.sort_by_cached_key(|position| position.display(game).to_string());
            for position in all.into_iter().take(20) {
                let node = Node::new(&field, game, position);
                let [mine, theirs] = [node.mover, 1 - node.mover].map(|side| node.legal(&field, side as usize));
                let mut scored = Vec::new();
                ordered(&field, &node, &mine, &theirs, &mut weights, &mut scored);
                for &(score, placement) in &scored {
                    let plain = plain_score(&field, &node, [&mine, &theirs], placement);
                    assert_eq!(score, plain, "seed {SEED}: {placement:?} in {}", position.display(game));
                    scores += 1;
                    through += u32::from(field.through);
                }
            }
        });
        assert!(scores > 5_000 && through > 100, "{scores} {through}");
    }
}
