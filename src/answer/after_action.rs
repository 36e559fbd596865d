//! Questions about the actions of a position, and the findings for each.

use crate::position::{Action, Position};
use crate::solver::{Finding, Outcome, Verdict};

/// Selection of a position's actions, with known results of similar ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SomeActions {
    /// These actions; those that are not legal are left out. `None` for all.
    pub only: Option<Vec<Action>>,
    /// Actions, and replies that refuted them in a similar position: a search tries these first. No
    /// value depends on that.
    pub replies: Vec<(Action, Action)>,
}

impl SomeActions {
    /// Returns the same for these actions alone, if any are given.
    #[must_use]
    pub fn with_only(self, only: Option<Vec<Action>>) -> SomeActions {
        SomeActions { only, ..self }
    }

    /// Returns the same with replies to try first.
    #[must_use]
    pub fn with_replies(self, replies: Vec<(Action, Action)>) -> SomeActions {
        SomeActions { replies, ..self }
    }
}

/// An action, and what is known of the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AfterAction {
    /// The action.
    pub action: Action,
    /// The position after it.
    pub next: Position,
    /// Finding for that position, for its side to move.
    pub finding: Finding,
    /// Positions, or nodes of a search, that this took, in all rounds.
    pub positions: u64,
}

impl AfterAction {
    /// Returns the proven result for the side that takes the action; `None` if the winner is not
    /// known.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        match &self.finding {
            Finding::Solved(solution) => Some(solution.verdict.before()),
            Finding::Unknown(_) => None,
        }
    }

    /// Returns the outcome for the side that takes the action; `None` if it is not known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.verdict().map(Verdict::outcome)
    }
}
