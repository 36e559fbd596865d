//! A game: everything that stays the same from the first action to the last.

use crate::material::{Board, PodSet};
use crate::rules::RuleSet;

/// A game: the board as it lies, the pods and the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    board: Board,
    pods: PodSet,
    rules: RuleSet,
}

impl Game {
    /// The game with this board, these pods and these rules.
    #[must_use]
    pub fn new(board: Board, pods: PodSet, rules: RuleSet) -> Game {
        Game { board, pods, rules }
    }

    /// The board as it lies (R1, R2).
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pods (R3).
    #[must_use]
    pub fn pods(&self) -> &PodSet {
        &self.pods
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }
}
