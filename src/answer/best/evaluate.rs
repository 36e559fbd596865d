//! Guesses of how good a position is, as integers. A guess never reaches the numbers of proven
//! values.
//!
//! They tell won positions from lost ones in the Standard game (`results/player`); no measurement
//! supports the weights where pods move.

use crate::engine::bitboard::{Bitboard, State};
use crate::engine::{Engine as _, Status};
use crate::rules::EmptyHand;
use crate::solver::{BEST_SCORE, score_after, score_before};

/// A proven value or a guess as one number that sorts by preference: proven wins in n plies are
/// `BEST_SCORE - n`, proven losses `n - BEST_SCORE`, guesses lie between -[`MAX_GUESS`] and
/// [`MAX_GUESS`].
pub(super) type Score = i16;

pub(super) const MAX_GUESS: Score = 10_000;

/// Returns `true` if a score stands for a proven win or loss.
pub(super) const fn is_proven(score: Score) -> bool {
    score.abs() > MAX_GUESS
}

/// Returns the score of a position whose mover goes to one of this score.
pub(super) const fn before(score: Score) -> Score {
    if is_proven(score) { score_before(score) } else { -score }
}

/// Returns the inverse of [`before`], for the bounds of a window.
pub(super) const fn after(score: Score) -> Score {
    if is_proven(score) { score_after(score) } else { -score }
}

/// The weight of a pair of pod and point.
const PAIR: i32 = 4;
/// The weight of a point where only one side may place.
const OWN_POINT: i32 = 16;
/// The weight of a pod in hand, against its holder, where an empty hand wins.
const HELD: i32 = 400;
/// The weight of a kind in hand that may be placed somewhere now, under the same rules.
const STUCK: i32 = 40;

/// Returns the score of a position for its mover: exact if the game is over, else a guess.
///
/// Pairs of pod and point that each side has open count, and points that only one side can use: in
/// the Standard game whoever runs out of placements loses. Where pods move, the race to an empty
/// hand comes first (R19).
pub(super) fn evaluate(engine: &Bitboard, state: &State) -> Score {
    let mover = state.to_move();
    match engine.state_status(state) {
        Status::Won(side) if side == mover => return BEST_SCORE,
        Status::Won(_) => return -BEST_SCORE,
        Status::Ongoing => {}
    }
    let outlook = engine.outlook(state);
    let [mine, theirs] = [mover, mover.other()].map(|side| &outlook[side.index()]);
    let less = |a: u32, b: u32| a as i32 - b as i32;
    let own = less((mine.points & !theirs.points).count_ones(), (theirs.points & !mine.points).count_ones());
    let mut score = PAIR * less(mine.pairs, theirs.pairs) + OWN_POINT * own;
    if engine.game().rules().options().empty_hand == EmptyHand::Wins {
        // The mover can place a pod now, so equal hands favour it by half a pod.
        score += HELD * less(theirs.in_hand, mine.in_hand) + HELD / 2;
        score += STUCK * less(mine.placeable, theirs.placeable);
    }
    score.clamp(-i32::from(MAX_GUESS), i32::from(MAX_GUESS)) as Score
}
