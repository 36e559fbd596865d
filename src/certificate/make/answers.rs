//! Lists the positions after the answers to an action, for a certificate of strategies.

use crate::engine::Status;
use crate::engine::bitboard::{Bitboard, State};
use crate::position::Position;

/// Returns the unfinished positions that the side to move can go to, each once.
pub(super) fn answers(engine: &Bitboard, state: &State) -> Vec<Position> {
    let mut answers = Vec::new();
    engine.for_each_action(state, |action| {
        let next = engine.play_state(state, action);
        if engine.state_status(&next) == Status::Ongoing {
            answers.push(engine.position(&next));
        }
    });
    answers.sort();
    answers.dedup();
    answers
}
