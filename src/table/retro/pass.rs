//! Passes: what a sweep over a tier decides.
//!
//! Two initial passes need to know nothing of successors: hands that can be emptied, which wins at
//! once, and positions without an action, which are lost. After them pass `d` decides the positions
//! of distance `d` from those of distance `d - 1`: even ones losses, odd ones wins.

use crate::solver::Plies;
use crate::table::storage::Codes;

/// Values that a sweep decides, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) enum Pass {
    /// Initial: wins in 1, by emptying the hand (R19, R30).
    EmptiedHands,
    /// Initial: losses in 0, without an action (R15, R20).
    NoAction,
    /// Wins in a distance: positions with an action to a loss in less.
    Wins(Plies),
    /// Losses in a distance: positions with all actions to wins in less.
    Losses(Plies),
}

impl Pass {
    /// Returns the pass for a distance; for 0 that is an initial one.
    pub(in crate::table) fn of(distance: Plies) -> Pass {
        match distance {
            0 => Pass::NoAction,
            _ if distance.is_multiple_of(2) => Pass::Losses(distance),
            _ => Pass::Wins(distance),
        }
    }

    #[inline]
    pub(in crate::table) fn distance(self) -> Plies {
        match self {
            Pass::NoAction => 0,
            Pass::EmptiedHands => 1,
            Pass::Wins(distance) | Pass::Losses(distance) => distance,
        }
    }

    #[inline]
    pub(in crate::table) fn finds_wins(self) -> bool {
        matches!(self, Pass::EmptiedHands | Pass::Wins(_))
    }

    /// Returns `true` if it reads nothing of successors.
    #[inline]
    pub(in crate::table) fn is_initial(self) -> bool {
        matches!(self, Pass::EmptiedHands | Pass::NoAction)
    }

    /// Writes the words of rows of a solved tier, from the row `first` on: a bit for each cell that
    /// this pass looks for among successors, losses for wins and wins for losses, in less than its
    /// distance.
    pub(in crate::table) fn fill(self, codes: &Codes, points: usize, first: usize, words: &mut [u64]) {
        // Losses have odd codes.
        let (distance, odd) = (self.distance(), self.finds_wins());
        for (row, word) in (first..).zip(words) {
            *word = codes.decided(row * points, points, distance, odd);
        }
    }
}
