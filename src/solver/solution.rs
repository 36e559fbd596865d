//! The result of solving a position: its verdict, how it was found, and best play.

use std::fmt;

use super::value::{Outcome, Plies, Value};
use crate::engine::Status;
use crate::files::named;
use crate::position::Action;
use crate::progress::Stopped;

named! {
    /// Method by which a value was found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Method {
        /// The game is over: the rules alone say who has won.
        Rules = "rules",
        /// Alpha-beta search to the end; for games that cannot cycle.
        Exhaustive = "exhaustive",
        /// Retrograde analysis of what the position leads to, held by hash; for every game.
        Retrograde = "retrograde",
        /// Retrograde analysis by sweeps over every position with the same pods in the game, stored
        /// by index: a table in memory ([`crate::table`]). Used by the modules above `solver`.
        Sweeps = "sweeps",
        /// The mirror theorem; gives the outcome and no distance.
        Mirror = "mirror",
        /// Search for the winner alone ([`super::search`]), for games of any size in which nothing
        /// moves or is captured.
        Search = "search",
        /// Looked up in a table on disk ([`crate::table`]). Used by the modules above `solver`.
        Table = "table",
        /// Look-up in the list of positions whose winner is certified. Used by the modules above
        /// `solver`.
        Library = "library",
        /// Alpha-beta search to a depth within which the game ends. Used by the modules above
        /// `solver`.
        AlphaBeta = "alpha-beta",
        /// Proof-number search for a forced win ([`super::forced`]).
        Forced = "forced",
        /// Monte Carlo tree search with wins and losses backed up its tree. Used by the modules
        /// above `solver`.
        Tree = "tree",
    }
}

/// Knowledge of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Value and distance.
    Value(Value),
    /// The outcome without a distance.
    Outcome(Outcome),
}

impl Verdict {
    /// Returns the outcome.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Verdict::Value(value) => value.outcome(),
            Verdict::Outcome(outcome) => outcome,
        }
    }

    /// Returns the verdict of an action, for who takes it, that leads to a position with this
    /// verdict.
    #[must_use]
    pub(crate) const fn before(self) -> Verdict {
        match self {
            Verdict::Value(value) => Verdict::Value(value.before()),
            Verdict::Outcome(outcome) => Verdict::Outcome(outcome.reversed()),
        }
    }

    /// Returns the plies to the end, where they are known and the game is not drawn.
    #[must_use]
    pub const fn plies(self) -> Option<Plies> {
        match self {
            Verdict::Value(value) => value.plies(),
            Verdict::Outcome(_) => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Value(value) => write!(f, "{value}"),
            Verdict::Outcome(outcome) => f.write_str(outcome.name()),
        }
    }
}

/// A solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Status of the game: it goes on, or who has won.
    pub status: Status,
    /// The verdict.
    pub verdict: Verdict,
    /// All actions that keep the value and the distance, sorted: none in a finished game. `None` if
    /// the method does not tell or a limit was reached.
    pub best: Option<Vec<Action>>,
    /// An action that wins, where one is known and `best` is not.
    pub winning: Option<Action>,
    /// Best play by both sides to the end, the first of the best actions each time; no action for a
    /// draw. `None` if the method does not tell or a limit was reached.
    pub line: Option<Vec<Action>>,
    /// Number of positions that the method went through; nodes, for [`Method::Search`].
    pub positions: u64,
    /// The method.
    pub method: Method,
    /// Number of positions that the reference engine looked at in the separate pass; `None` if
    /// there was no such pass, or a limit ended it.
    pub verified: Option<u64>,
    /// The limit that was reached after the verdict was known and before the rest was, or was
    /// verified.
    pub stopped: Option<Stopped>,
}

impl Solution {
    /// Creates a verdict on an unfinished position, with nothing else known.
    pub(crate) const fn new(verdict: Verdict, method: Method, positions: u64) -> Solution {
        Solution {
            status: Status::Ongoing,
            verdict,
            best: None,
            winning: None,
            line: None,
            positions,
            method,
            verified: None,
            stopped: None,
        }
    }
}

/// A position whose winner is not known, since a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsolved {
    /// The limit.
    pub stopped: Stopped,
    /// The value is this or a better one, where that is known.
    pub at_least: Option<Value>,
    /// The value is this or a worse one, where that is known.
    pub at_most: Option<Value>,
    /// The first actions that are known to lose.
    pub losing: Vec<Action>,
    /// Number of first actions.
    pub actions: usize,
    /// Number of positions that the method went through; nodes, for [`Method::Search`].
    pub positions: u64,
    /// The method.
    pub method: Method,
    /// The reason why no table of all that the position leads to was made, where it would have
    /// given the value.
    pub refused: Option<Stopped>,
}

impl Unsolved {
    /// Creates an answer that knows nothing.
    pub(crate) const fn nothing(stopped: Stopped, method: Method) -> Unsolved {
        Unsolved {
            stopped,
            at_least: None,
            at_most: None,
            losing: Vec::new(),
            actions: 0,
            positions: 0,
            method,
            refused: None,
        }
    }
}

named! {
    /// Extent of what is known of a position.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Extent {
        /// Nothing about the winner.
        Unknown = "unknown",
        /// A lower or an upper bound of the value.
        Bounds = "bounds",
        /// The outcome, without a distance.
        Winner = "winner",
        /// The value: who wins and in how many plies, or that it is a draw.
        Value = "value",
    }
}

impl Finding {
    /// Returns the method.
    #[must_use]
    pub const fn method(&self) -> Method {
        match self {
            Finding::Solved(solution) => solution.method,
            Finding::Unknown(unsolved) => unsolved.method,
        }
    }

    /// Returns the number of positions that the method went through; nodes, for [`Method::Search`].
    pub(crate) const fn positions(&self) -> u64 {
        match self {
            Finding::Solved(solution) => solution.positions,
            Finding::Unknown(unsolved) => unsolved.positions,
        }
    }

    /// Returns the extent of what is known.
    #[must_use]
    pub const fn extent(&self) -> Extent {
        match self {
            Finding::Solved(Solution { verdict: Verdict::Value(_) | Verdict::Outcome(Outcome::Draw), .. }) => {
                Extent::Value
            }
            Finding::Solved(_) => Extent::Winner,
            Finding::Unknown(Unsolved { at_least: None, at_most: None, .. }) => Extent::Unknown,
            Finding::Unknown(_) => Extent::Bounds,
        }
    }
}

/// The result for a position: solved or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// At least the winner is known, or that it is a draw.
    Solved(Solution),
    /// The winner is not known.
    Unknown(Unsolved),
}
