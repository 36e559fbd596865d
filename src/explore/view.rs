//! All that the page shows of a position.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::library::options_of;
use super::setting::{Course, Played};
use crate::drawing::{Drawing, Mark, attacks, liberties, of_pod};
use crate::engine::{Engine, Reference, Status, why_won};
use crate::material::Side;
use crate::position::{Action, Game, Position};
use crate::report::{Verdict, blocked_after, choices};

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Marks {
    #[default]
    None,
    /// Points attacked by either side (R6).
    Attacks,
    /// Liberties, and pods without any (R7).
    Liberties,
    /// Attacks and liberties of the pod on a point.
    Pod(String),
}

impl Marks {
    pub(super) fn of(&self, course: &Course) -> Vec<Mark> {
        match self {
            Marks::None => Vec::new(),
            Marks::Attacks => attacks(&course.engine, course.now()),
            Marks::Liberties => liberties(&course.engine, course.now()),
            Marks::Pod(at) => {
                let at = at.parse().ok().and_then(|at| course.game().board().point_at(at));
                at.map_or(Vec::new(), |at| of_pod(&course.engine, course.now(), at))
            }
        }
    }
}

/// Returns `white` or `black`.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// Returns an action that was played: the pod that was placed or moved, the mover's pods that came
/// back, the opponent's that went out of the game, the position that it led to.
fn step(game: &Game, Played { before, action, led_to }: &Played) -> Value {
    let kind = match *action {
        Action::Place { kind, .. } => Some(kind),
        Action::Move { from, .. } | Action::Shove { from, .. } | Action::Kick { from, .. } => {
            before.pod(from).map(|pod| pod.kind)
        }
    };
    json!({
        "action": action.display(game).to_string(),
        "side": side_name(before.to_move()),
        "pod": kind.map(|kind| game.pods().id(kind)),
        "returned": game.pods().ids(&led_to.returned),
        "removed": game.pods().ids(&led_to.removed),
        "position": led_to.next.display(game).to_string(),
    })
}

/// Returns consequences of the last action: the pods that were captured, where they stood; the
/// board before the captures, if there were any; a sentence for each blocked pod.
fn last(engine: &Reference, Played { before, action, .. }: &Played) -> Value {
    let game = engine.game();
    let blocked = blocked_after(engine, before, *action).unwrap_or_default();
    let captured = blocked.iter().filter(|pod| pod.captured);
    let captured: Vec<Value> = captured
        .map(|pod| json!({ "at": game.board().coord(pod.point).to_string(), "side": side_name(pod.pod.side) }))
        .collect();
    let between = if captured.is_empty() { None } else { engine.before_captures(before, *action).ok() };
    json!({
        "between": between.map(|(board, _)| on_board(game, &board, &[])),
        "blocked": blocked.iter().map(|pod| pod.explain(game, before.to_move())).collect::<Value>(),
        "captured": captured,
    })
}

fn on_board(game: &Game, position: &Position, marks: &[Mark]) -> String {
    Drawing::default().embedded().for_scripts().on_board(game, position, marks)
}

/// Returns the clause that forbids an action; none if it is legal.
fn clause(verdict: &Verdict) -> Option<String> {
    verdict.clause().map(|clause| clause.to_string())
}

/// Returns a move, shove or kick, legal or not.
fn target(game: &Game, verdict: &Verdict) -> Option<Value> {
    let (Action::Move { to, .. } | Action::Shove { to, .. } | Action::Kick { to, .. }) = verdict.action else {
        return None;
    };
    let action = verdict.action.display(game).to_string();
    Some(json!({ "action": action, "to": game.board().coord(to).to_string(), "clause": clause(verdict) }))
}

/// Returns all that the page shows of a position.
pub(super) fn view(course: &Course, marks: &Marks) -> Value {
    let (game, position) = (course.game(), course.now());
    let (board, pods) = (game.board(), game.pods());
    let name = |point| board.coord(point).to_string();
    let possible = choices(&course.engine, position);
    // By pod of the mover's hand and by point.
    let placements = possible.placements.iter().map(|(kind, verdicts)| {
        let points: BTreeMap<_, _> = board.points().map(name).zip(verdicts.iter().map(clause)).collect();
        (pods.id(*kind), points)
    });
    // By point with a pod of the mover.
    let moves = possible.moves.iter().map(|(from, verdicts)| {
        let targets = verdicts.iter().filter(|verdict| verdict.fits(position));
        (name(*from), targets.filter_map(|verdict| target(game, verdict)).collect::<Value>())
    });
    let points = board.points().map(|point| {
        let (coord, bare) = (board.coord(point), board.lines(point).iter().next().is_none());
        json!({ "name": name(point), "column": coord.column, "row": coord.row, "bare": bare })
    });
    let standing =
        position.pods().map(|(at, pod)| (name(at), json!({ "side": side_name(pod.side), "id": pods.id(pod.kind) })));
    let hand = |side| position.hand(side).iter().map(|(kind, count)| (pods.id(kind), count)).collect();
    let hands: [BTreeMap<char, u8>; 2] = Side::BOTH.map(hand);
    let won = match possible.status {
        Status::Ongoing => None,
        Status::Won(winner) => Some(format!("{winner} has won: {}", why_won(game, position))),
    };
    let start = |side| Some(course.setup.start(side).ok()?.display(game).to_string());
    json!({
        "position": position.display(game).to_string(),
        "base": course.base.display(game).to_string(),
        "rules": game.rules().to_string(),
        "preset": game.rules().preset().name(),
        "options": options_of(game.rules()),
        "board_name": board.name(),
        "board_source": board.source(),
        "pods_name": pods.name(),
        "pods_source": pods.source(),
        "points": points.collect::<Value>(),
        "start_hands": course.setup.hand_texts().into_array(),
        "starts": Side::BOTH.map(start),
        "standing": standing.collect::<BTreeMap<_, _>>(),
        "hands": hands,
        "to_move": side_name(position.to_move()),
        "open": position.is_open(),
        "status": possible.status.name(),
        "won": won,
        "placements": placements.collect::<BTreeMap<_, _>>(),
        "moves": moves.collect::<BTreeMap<_, _>>(),
        "legal": game.texts(&course.engine.sorted_actions(position)),
        "played": course.played.iter().map(|played| step(game, played)).collect::<Value>(),
        "last": course.played.last().map(|played| last(&course.engine, played)),
        "svg": on_board(game, position, &marks.of(course)),
    })
}
