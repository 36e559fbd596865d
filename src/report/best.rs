//! An action to play, as a row.

use crate::answer::best::{Best, Judgement};
use crate::answer::over;
use crate::files::record;
use crate::position::{Game, Position};
use crate::solver::{Method, Verdict};

record! {
    /// An action to play, with either a proven value of the position or a guess.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BestRow {
        /// The position's text.
        pub position: String,
        /// `ongoing`, `white_won` or `black_won`.
        pub status: &'static str,
        /// The action; empty in a finished game.
        pub action: Option<String>,
        /// `win`, `draw` or `loss` for the side to move, if that is proven, else `unknown`.
        pub value: &'static str,
        /// Plies to the end, where they are known.
        pub plies: Option<u16>,
        /// The method that proved the value.
        pub method: Option<&'static str>,
        /// The guess where nothing is proven: above 0 if the side to move is thought to be better
        /// off.
        pub guess_score: Option<i16>,
        /// Plies that the search behind the guess looked ahead.
        pub guess_depth: Option<u16>,
        /// Expected play.
        pub line: Vec<String>,
        /// Other actions that are proven to lose.
        pub losing: Vec<String>,
        /// Nodes of the search.
        pub positions: u64,
        /// Seconds that it took, if the question had a limit of time.
        pub seconds: Option<f64>,
        /// The certificate that the value follows from, where the library says so.
        pub certificate: Option<String>,
    }
}

impl BestRow {
    #[must_use]
    pub(crate) fn of(
        game: &Game,
        position: &Position,
        best: &Best,
        seconds: Option<f64>,
        certificate: Option<String>,
    ) -> BestRow {
        let judgement = best.choice.as_ref().map(|choice| choice.judgement);
        let (proven, method, guess) = match judgement {
            None => (over(position, best.status).map(Verdict::Value), Some("rules"), None),
            Some(Judgement::Proven(verdict, method)) => (Some(verdict), Some(method.name()), None),
            Some(Judgement::Guessed(guess)) => (None, None, Some(guess)),
        };
        let choice = best.choice.as_ref();
        BestRow {
            position: position.display(game).to_string(),
            status: best.status.name(),
            action: choice.map(|choice| choice.action.display(game).to_string()),
            value: proven.map_or("unknown", |verdict| verdict.outcome().name()),
            plies: proven.and_then(|verdict| verdict.plies()),
            method,
            guess_score: guess.map(|guess| guess.score()),
            guess_depth: guess.map(|guess| guess.depth()),
            line: choice.map(|choice| game.texts(&choice.line)).unwrap_or_default(),
            losing: choice.map(|choice| game.texts(&choice.losing)).unwrap_or_default(),
            positions: best.nodes,
            seconds,
            certificate: certificate.filter(|_| method == Some(Method::Library.name())),
        }
    }
}
