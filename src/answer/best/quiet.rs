//! Quiescence of the selective search: the evaluation of a position, or of its captures.

use super::evaluate::Score;
use super::selective::{DEEPEST, Selective, WON};
use crate::engine::bitboard::State;
use crate::position::Action;
use crate::solver::{Tracker, Unknown};

impl Selective<'_> {
    /// Returns the evaluation of a position that is not searched; where nothing moves, a player
    /// without a placement has lost.
    pub(super) fn quiet(&self, state: &State, ply: usize, known: Option<Score>) -> Score {
        if let Some(score) = known {
            return score;
        }
        let outlook = self.engine.outlook(state);
        if self.placements_alone && outlook[state.to_move().index()].pairs == 0 {
            return ply as Score - WON;
        }
        self.evaluate(state, &outlook)
    }

    /// Returns the same or a better evaluation, after captures that the mover and then the opponent
    /// may make.
    #[expect(clippy::too_many_arguments, reason = "a node of a search")]
    pub(super) fn captures(
        &mut self,
        state: &State,
        left: u32,
        alpha: Score,
        beta: Score,
        ply: usize,
        known: Option<Score>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Score, Unknown> {
        let mut best = self.quiet(state, ply, known);
        if best >= beta || left == 0 || ply + 1 >= DEEPEST {
            return Ok(best);
        }
        let mut actions = Vec::new();
        self.engine.for_each_capturing_move(state, |action| actions.push(action));
        let foe = state.to_move().other();
        for action in actions {
            let next = self.engine.play_state(state, action);
            if next.held(foe) == state.held(foe) {
                continue;
            }
            tracker.tick()?;
            let score = match self.engine.won_by_hand(&next) {
                Some(winner) if winner == foe => ply as Score + 1 - WON,
                Some(_) => WON - ply as Score - 1,
                None => -self.captures(&next, left - 1, -beta, -alpha.max(best), ply + 1, None, tracker)?,
            };
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Returns `true` if the mover, who holds one pod, wins by placing it.
    pub(super) fn ends_it(&self, state: &State) -> bool {
        let mover = state.to_move();
        self.engine
            .try_for_each_state_action(state, |action| match action {
                Action::Place { .. }
                    if self.engine.won_by_hand(&self.engine.play_state(state, action)) == Some(mover) =>
                {
                    std::ops::ControlFlow::Break(())
                }
                _ => std::ops::ControlFlow::Continue(()),
            })
            .is_break()
    }
}
