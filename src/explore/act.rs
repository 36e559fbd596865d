//! Playing an action, or saying why it is illegal.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::setting::Setting;
use super::view::{Marks, Step, View, side_name};
use crate::drawing::Drawing;
use crate::engine::{Illegal, LegBlock, Reason};
use crate::geometry::Point;
use crate::position::Game;
use crate::report::blocked_after;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    setting: Setting,
    /// In the notation of actions.
    action: String,
    #[serde(default)]
    marks: Marks,
}

/// The result of an action.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    /// It was played.
    Played {
        step: Step,
        /// The pods that were captured, where they stood before.
        captured: Vec<Captured>,
        /// The board before the captures, if there were any.
        between: Option<String>,
        /// A sentence for each blocked pod: what blocks it, and what becomes of it.
        blocked: Vec<String>,
        view: Box<View>,
    },
    /// It is illegal.
    Illegal {
        action: String,
        clause: String,
        title: &'static str,
        /// The reason why it is illegal, with the pods or points to blame.
        why: String,
        /// Text of the rules.
        sentence: &'static str,
        text: &'static str,
        /// The points to blame.
        blame: Vec<String>,
    },
}

/// A pod that comes off the board.
#[derive(Debug, Serialize)]
pub(super) struct Captured {
    at: String,
    side: &'static str,
}

/// Returns the points that a reason names.
fn blamed(reason: &Reason) -> Vec<Point> {
    match reason {
        Reason::Taken(at, _)
        | Reason::WouldAttack { target: at, .. }
        | Reason::Attacked { from: at, .. }
        | Reason::NotOwn(at, _)
        | Reason::NoLine { after: at, .. }
        | Reason::InTheWay(at, _)
        | Reason::NothingToPush(at)
        | Reason::NotAdjacent(at)
        | Reason::PushedOff { after: at }
        | Reason::KickBlocked(at, _) => vec![*at],
        Reason::NoLiberty(legs) => legs.iter().filter_map(|(_, block)| block_point(*block)).collect(),
        _ => Vec::new(),
    }
}

fn block_point(block: LegBlock) -> Option<Point> {
    match block {
        LegBlock::Edge => None,
        LegBlock::NoLine(at) | LegBlock::Occupied(at, _) => Some(at),
    }
}

fn refused(game: &Game, action: crate::position::Action, illegal: &Illegal) -> Answer {
    let clause = illegal.clause;
    Answer::Illegal {
        action: action.display(game).to_string(),
        clause: clause.to_string(),
        title: clause.title(),
        why: illegal.explain(game, action),
        sentence: clause.sentence(),
        text: clause.text(),
        blame: blamed(&illegal.reason).into_iter().map(|at| game.board().coord(at).to_string()).collect(),
    }
}

/// Plays an action.
pub(super) fn answer(Ask { setting, action, marks }: Ask) -> Result<Answer, Refusal> {
    let mut course = setting.course()?;
    let action = course.game().parse_action(action.trim())?;
    let blocked = match blocked_after(&course.engine, course.now(), action) {
        Ok(blocked) => blocked,
        Err(illegal) => return Ok(refused(course.game(), action, &illegal)),
    };
    let (game, mover) = (course.game(), course.now().to_move());
    let captured = blocked
        .iter()
        .filter(|pod| pod.captured)
        .map(|pod| Captured { at: game.board().coord(pod.point).to_string(), side: side_name(pod.pod.side) });
    let captured: Vec<Captured> = captured.collect();
    let between = if captured.is_empty() { None } else { course.engine.before_captures(course.now(), action).ok() };
    let between = between.map(|(board, _)| Drawing::default().embedded().for_scripts().on_board(game, &board, &[]));
    let said = blocked.iter().map(|pod| pod.explain(game, mover)).collect();
    course.play(action).map_err(Refusal)?;
    let played = course.played.last().ok_or_else(|| Refusal("nothing was played".to_owned()))?;
    let step = Step::new(course.game(), played);
    Ok(Answer::Played { step, captured, between, blocked: said, view: Box::new(View::new(&course, &marks, false)) })
}
