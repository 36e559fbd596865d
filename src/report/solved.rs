//! Knowledge of a position, as a row.

use crate::files::record;
use crate::position::{Game, Position};
use crate::solver::Finding;

record! {
    /// The answer to the question who wins a position. Fields that JSON may leave out stand behind
    /// `method`.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SolvedRow {
        /// The position's text.
        pub position: String,
        /// `ongoing`, `white_won` or `black_won`.
        pub status: &'static str,
        /// `win`, `draw` or `loss` for the side to move, or `unknown`.
        pub value: &'static str,
        /// Plies to the end, where they are known; a draw has none.
        pub plies: Option<u16>,
        /// All actions that keep value and distance; empty in a finished game, and where they are
        /// not known.
        pub best: Vec<String>,
        /// Positions that the method went through, or nodes of a search.
        pub positions: u64,
        /// The method.
        pub method: &'static str,
        /// Extent of what is known: `value`, `winner`, `bounds` or `unknown`.
        pub known: &'static str,
        /// Best play to the end.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub line: Vec<String>,
        /// Number of positions that were derived again with the reference engine.
        pub positions_verified: Option<u64>,
        /// An action that wins, where the best are not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wins_by: Option<String>,
        /// Actions that are known to lose, where the value is unknown.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub losing: Vec<String>,
        /// The value is this or a better one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub at_least: Option<String>,
        /// The value is this or a worse one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub at_most: Option<String>,
        /// The limit that was reached.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub stopped: Option<String>,
        /// The certificate that the value follows from, where the library says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub certificate: Option<String>,
    }
}

impl SolvedRow {
    /// Returns the row of a finding; `stopped` says which limit was reached, if one was.
    #[must_use]
    pub(crate) fn of(game: &Game, position: &Position, finding: &Finding, stopped: Option<String>) -> SolvedRow {
        let common = SolvedRow {
            position: position.display(game).to_string(),
            positions: finding.positions(),
            method: finding.method().name(),
            known: finding.extent().name(),
            stopped,
            ..SolvedRow::default()
        };
        match finding {
            Finding::Solved(solution) => SolvedRow {
                status: solution.status.name(),
                value: solution.verdict.outcome().name(),
                plies: solution.verdict.plies(),
                best: game.texts(solution.best.as_deref().unwrap_or_default()),
                line: game.texts(solution.line.as_deref().unwrap_or_default()),
                positions_verified: solution.verified,
                wins_by: solution.winning.map(|action| action.display(game).to_string()),
                ..common
            },
            Finding::Unknown(unsolved) => SolvedRow {
                status: "ongoing",
                value: "unknown",
                losing: game.texts(&unsolved.losing),
                at_least: unsolved.at_least.map(|value| value.to_string()),
                at_most: unsolved.at_most.map(|value| value.to_string()),
                ..common
            },
        }
    }
}
