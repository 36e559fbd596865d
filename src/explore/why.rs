//! An action as somebody types it: legal, or why not.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::setting::Setting;
use crate::engine::{LegBlock, Reason};
use crate::geometry::Point;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    setting: Setting,
    /// In the notation of actions.
    action: String,
}

/// A verdict on an action.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    /// As it is written.
    action: String,
    illegal: Option<Refused>,
}

/// Reasons why an action is illegal.
#[derive(Debug, Serialize)]
struct Refused {
    clause: String,
    title: &'static str,
    /// The reason, with the pods or points to blame.
    why: String,
    /// Text of the rules.
    sentence: &'static str,
    /// The points to blame.
    blame: Vec<String>,
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

/// Judges an action.
pub(super) fn answer(Ask { setting, action }: Ask) -> Result<Answer, Refusal> {
    let course = setting.course()?;
    let game = course.game();
    let action = game.parse_action(action.trim())?;
    let illegal = course.engine.turn(course.now(), action).err().map(|illegal| Refused {
        clause: illegal.clause.to_string(),
        title: illegal.clause.title(),
        why: illegal.explain(game, action),
        sentence: illegal.clause.sentence(),
        blame: blamed(&illegal.reason).into_iter().map(|at| game.board().coord(at).to_string()).collect(),
    });
    Ok(Answer { action: action.display(game).to_string(), illegal })
}
