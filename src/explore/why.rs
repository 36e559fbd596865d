//! An action as somebody types it: legal, or why not.

use serde_json::{Value, json};

use super::refusal::Refusal;
use super::setting::Setting;
use crate::engine::{LegBlock, Reason};
use crate::geometry::Point;

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

/// Judges an action: why it is illegal, with the points to blame and the text of the rules.
pub(super) fn answer(setting: &Setting, action: &str) -> Result<Value, Refusal> {
    let course = setting.course()?;
    let game = course.game();
    let action = game.parse_action(action.trim())?;
    let illegal = course.engine.turn(course.now(), action).err().map(|illegal| {
        let blame = blamed(&illegal.reason).into_iter().map(|at| game.board().coord(at).to_string());
        json!({
            "clause": illegal.clause.to_string(),
            "title": illegal.clause.title(),
            "why": illegal.explain(game, action),
            "sentence": illegal.clause.sentence(),
            "blame": blame.collect::<Vec<_>>(),
        })
    });
    Ok(json!({ "action": action.display(game).to_string(), "illegal": illegal }))
}
