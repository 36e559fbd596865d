//! A game: everything that stays the same from the first action to the last.

use crate::material::{Board, PodSet};
use crate::rules::RuleSet;

/// A game: the board as it lies, the pods and the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Game {
    board: Board,
    pods: PodSet,
    rules: RuleSet,
}

impl Game {
    /// Returns the game with this board, these pods and these rules.
    #[must_use]
    pub fn new(board: Board, pods: PodSet, rules: RuleSet) -> Game {
        Game { board, pods, rules }
    }

    /// Returns the board as it lies (R1, R2).
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the pods (R3).
    #[must_use]
    pub fn pods(&self) -> &PodSet {
        &self.pods
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }
}
