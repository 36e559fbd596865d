//! An action to play, as a row.

use serde::Serialize;

use crate::answer::best::{Best, Judgement};
use crate::answer::over;
use crate::position::{Action, Game, Position};
use crate::solver::Verdict;

/// An action to play, with either a proven value of the position or a guess.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestRow {
    /// The position's text.
    pub position: String,
    /// `ongoing`, `white_won` or `black_won`.
    pub status: &'static str,
    /// The action; `None` in a finished game.
    pub action: Option<String>,
    /// `win`, `draw` or `loss` for the side to move, if that is proven.
    pub proven: Option<&'static str>,
    /// Plies to the end, where they are known.
    pub plies: Option<u16>,
    /// The method that proved it.
    pub means: Option<&'static str>,
    /// An opinion, where nothing is proven.
    pub guess: Option<GuessCells>,
    /// Expected play.
    pub line: Vec<String>,
    /// Other actions that are proven to lose.
    pub losing: Vec<String>,
    /// Positions visited.
    pub nodes: u64,
    /// The time it took, if the question had a limit of time.
    pub seconds: Option<f64>,
}

/// A guess: a score, and how many plies the search looked ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GuessCells {
    /// Above 0 if the side to move is thought to be better off.
    pub score: i16,
    /// Plies.
    pub depth: u16,
}

/// The columns of [`BestRow`].
pub const BEST_HEADER: [&str; 12] = [
    "position",
    "status",
    "action",
    "proven",
    "plies",
    "means",
    "guess_score",
    "guess_depth",
    "line",
    "losing",
    "nodes",
    "seconds",
];

impl BestRow {
    /// Returns the row of an answer.
    #[must_use]
    pub fn of(game: &Game, position: &Position, best: &Best, seconds: Option<f64>) -> BestRow {
        let judgement = best.choice.as_ref().map(|choice| choice.judgement);
        let (proven, means, guess) = match judgement {
            None => (over(position, best.status).map(Verdict::Value), Some("rules"), None),
            Some(Judgement::Proven(verdict, method)) => (Some(verdict), Some(method.name()), None),
            Some(Judgement::Guessed(guess)) => (None, None, Some(guess)),
        };
        let list = |actions: &[Action]| actions.iter().map(|&action| game.action_text(action)).collect();
        let choice = best.choice.as_ref();
        BestRow {
            position: position.text(game),
            status: best.status.name(),
            action: choice.map(|choice| game.action_text(choice.action)),
            proven: proven.map(|verdict| verdict.outcome().name()),
            plies: proven.and_then(|verdict| verdict.plies()),
            means,
            guess: guess.map(|guess| GuessCells { score: guess.score(), depth: guess.depth() }),
            line: choice.map(|choice| list(&choice.line)).unwrap_or_default(),
            losing: choice.map(|choice| list(&choice.losing)).unwrap_or_default(),
            nodes: best.nodes,
            seconds,
        }
    }

    /// Returns the cells, in the order of [`BEST_HEADER`]; what is not there is empty.
    #[must_use]
    pub fn cells(self) -> [String; 12] {
        let number = |number: Option<i64>| number.map(|n| n.to_string()).unwrap_or_default();
        [
            self.position,
            self.status.to_owned(),
            self.action.unwrap_or_default(),
            self.proven.unwrap_or_default().to_owned(),
            number(self.plies.map(i64::from)),
            self.means.unwrap_or_default().to_owned(),
            number(self.guess.map(|guess| guess.score.into())),
            number(self.guess.map(|guess| guess.depth.into())),
            self.line.join(" "),
            self.losing.join(" "),
            self.nodes.to_string(),
            self.seconds.map(|seconds| seconds.to_string()).unwrap_or_default(),
        ]
    }
}
