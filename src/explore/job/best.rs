//! A move to play, proven or guessed.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::Kept;
use super::watch::Watch;
use crate::answer::SolveError;
use crate::answer::best::{Choice, Judgement};
use crate::explore::events::Events;
use crate::explore::setting::Course;
use crate::position::Game;
use crate::solver::{Limits, Method, Verdict};

/// Returns a verdict for the side to move, as JSON. A value that is not known has none.
pub(super) fn worth(verdict: Verdict, method: Method) -> Json {
    json!({ "value": verdict.outcome().name(), "plies": verdict.plies(), "method": method.name() })
}

/// Returns a choice, with what is proven or guessed.
pub(super) fn choice(game: &Game, choice: &Choice) -> Json {
    let (proven, guess) = match choice.judgement {
        Judgement::Proven(verdict, method) => (Some(worth(verdict, method)), None),
        Judgement::Guessed(guess) => (None, Some(json!({ "score": guess.score(), "depth": guess.depth() }))),
    };
    json!({
        "action": choice.action.display(game).to_string(),
        "proven": proven,
        "guess": guess,
        "line": game.texts(&choice.line),
        "losing": game.texts(&choice.losing),
    })
}

/// Limit of the search for a move.
#[derive(Clone, Copy, Debug)]
pub(in crate::explore) enum Budget {
    Time(Duration),
    /// Positions. What was found before is not used, so that the same question has the same answer.
    Nodes(u64),
}

/// Chooses a move.
pub(super) fn best(kept: &mut Kept<'_>, course: &Course, budget: Budget, to: &Events) -> Result<(), SolveError> {
    let limits = Limits::default().with_memory(kept.memory).with_interrupt(to.gone());
    let watch = Watch::new(to);
    let best = match budget {
        Budget::Time(time) => kept.of(course.game())?.best(course.now(), limits.with_time(time), &watch)?,
        Budget::Nodes(nodes) => {
            kept.answerer = None;
            kept.of(course.game())?.best(course.now(), limits.with_nodes(nodes), &watch)?
        }
    };
    if let Some(found) = &best.choice {
        to.send("move", &choice(course.game(), found));
    }
    Ok(())
}
