//! The values of a position and of each of its actions, sent as they become known.

use std::time::Duration;

use serde_json::json;

use super::Kept;
use super::best::{choice, worth};
use super::watch::Watch;
use crate::answer::{News, SolveError};
use crate::engine::Engine as _;
use crate::explore::events::Events;
use crate::explore::setting::Course;
use crate::solver::Method;

/// Looks for the values of a position and its actions, until the time is up or all are known.
pub(super) fn values(kept: &mut Kept<'_>, course: &Course, time: Duration, to: &Events) -> Result<(), SolveError> {
    let limits = kept.limits(time, to);
    let (game, answerer) = (course.game(), kept.of(course.game())?);
    let mut unknown: Vec<_> = answerer.engine().sorted_actions(course.now());
    let position = course.now().display(game).to_string();
    to.send("position", &json!({ "position": position, "actions": unknown.len() }));
    // The certificate that the position follows from, where the library has it.
    let certificate = answerer.proven(course.now()).map(|proven| proven.certificate.to_string());
    let tell = &mut |news| match news {
        News::Root(verdict, method) => {
            let mut root = worth(verdict, method);
            if let Some(certificate) = certificate.as_ref().filter(|_| method == Method::Library) {
                root["certificate"] = certificate.as_str().into();
            }
            to.send("root", &root);
        }
        News::Action(action, verdict, method) => {
            unknown.retain(|other| *other != action);
            let name = action.display(game).to_string();
            to.send("action", &json!({ "action": name, "worth": worth(verdict, method) }));
        }
        News::Line(line) => to.send("line", &json!({ "actions": game.texts(&line), "proven": true })),
        News::Guess(found) => to.send("guess", &choice(game, &found)),
    };
    if let Some(stopped) = answerer.unfold(course.now(), limits, &Watch::new(to), tell)? {
        to.send("unknown", &json!({ "actions": unknown.len(), "why": stopped.to_string() }));
    }
    Ok(())
}
