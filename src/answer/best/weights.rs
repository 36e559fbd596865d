//! The evaluation of the tree search: a weighted sum of numbers of a position.
//!
//! The score is 1000 times the natural logarithm of the odds that the mover wins, by a logistic
//! regression on games between players of an earlier version (`results/player`).

use std::sync::LazyLock;

use super::evaluate::Score;
use crate::engine::bitboard::Prospect;

/// Number of numbers of a position that are weighed.
pub(super) const FEATURES: usize = 22;

/// Half of them. The other half are the same numbers times the pods in the smaller hand, so each
/// has a second weight early in the game.
const PLAIN: usize = FEATURES / 2;

/// The largest score of an evaluation.
pub(super) const MAX_WEIGHED: Score = 9_000;

/// The names of the first half of the numbers, in their order. All but the first compare the mover
/// with the opponent.
#[cfg(test)]
const FEATURE_NAMES: [&str; PLAIN] = [
    "to-move",
    "hand",
    "hand-late",
    "pairs",
    "own-points",
    "points",
    "stuck",
    "attacked",
    "weak",
    "liberties",
    "on-board",
];

/// Pods in the smaller hand at which a second weight counts in full. With more it counts up to one
/// and a half times.
const WHOLE: f32 = 8.0;

/// Returns the logarithm of a count and one more.
fn logarithm(n: u32) -> f32 {
    (n as f32 + 1.0).ln()
}

/// The logarithms of all counts that positions of the real size have.
static LOGARITHMS: LazyLock<[f32; 1024]> = LazyLock::new(|| std::array::from_fn(|n| logarithm(n as u32)));

/// Returns the numbers of a position for its mover, from the prospects of both sides.
pub(super) fn features(outlook: &[Prospect; 2], mover: usize) -> [f32; FEATURES] {
    let (own, other) = (&outlook[mover], &outlook[1 - mover]);
    let log = |n: u32| LOGARITHMS.get(n as usize).copied().unwrap_or_else(|| logarithm(n));
    let less = |a: u32, b: u32| a as f32 - b as f32;
    let fewest = own.in_hand.min(other.in_hand);
    let ahead = less(other.in_hand, own.in_hand);
    let only = |a: &Prospect, b: &Prospect| log((a.points & !b.points).count_ones());
    let plain: [f32; PLAIN] = [
        1.0,
        ahead,
        ahead / (fewest as f32 + 1.0),
        log(own.pairs) - log(other.pairs),
        only(own, other) - only(other, own),
        log(own.points.count_ones()) - log(other.points.count_ones()),
        less(other.kinds - other.placeable, own.kinds - own.placeable),
        less(own.attacked.count_ones(), other.attacked.count_ones()) / 8.0,
        less(other.weak, own.weak),
        less(own.liberties, other.liberties) / 8.0,
        less(own.on_board, other.on_board),
    ];
    let early = (fewest as f32 / WHOLE).min(1.5);
    std::array::from_fn(|i| if i < PLAIN { plain[i] } else { plain[i - PLAIN] * early })
}

#[inline]
pub(super) fn weigh(outlook: &[Prospect; 2], mover: usize) -> Score {
    let sum: f32 = features(outlook, mover).iter().zip(&WEIGHTS).map(|(number, weight)| number * weight).sum();
    let most = f32::from(MAX_WEIGHED);
    (sum * 1000.0).clamp(-most, most) as Score
}

/// Weights, learned from games under rules with moves.
const WEIGHTS: [f32; FEATURES] = [
    0.194, 0.248, 1.536, 0.514, -0.390, 0.673, -0.069, 0.165, 0.156, 0.391, 0.281, //
    0.251, 0.349, 0.612, 0.543, 0.093, 0.223, 0.133, 0.237, -0.110, 0.110, -0.506,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_that_were_fitted() {
        let csv = include_str!("../../../results/player/weights.csv");
        let rows = csv.lines().skip(1).map(|row| row.split(',').collect::<Vec<&str>>());
        let rows: Vec<Vec<&str>> = rows.filter(|row| row[0] == "moves").collect();
        let plain = FEATURE_NAMES.map(str::to_owned).into_iter();
        let names = plain.chain(FEATURE_NAMES.map(|name| format!("{name}*")));
        let numbers = names.zip(WEIGHTS).map(|(name, weight)| ["moves".to_owned(), name, format!("{weight:.3}")]);
        assert_eq!(rows, numbers.collect::<Vec<_>>());
    }
}
