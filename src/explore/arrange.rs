//! Setting a position up by hand (R29).

use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::setting::{Setting, SideAsked};
use crate::files::shortened;
use crate::geometry::Coord;
use crate::material::Side;
use crate::position::{Game, Position, RefusalKind, UncheckedPosition};

/// One change of a position.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Change {
    /// A pod goes to a point: from hand if it is there, else from out of the game. What stands
    /// there goes back to hand.
    Put { pod: char, side: SideAsked, at: String },
    /// The pod on a point goes to another point, which must be empty.
    Carry { from: String, to: String },
    /// The pod on a point goes back to hand.
    Lift { at: String },
    /// The pod on a point goes out of the game.
    Out { at: String },
    /// A pod in hand goes out of the game.
    Drop { pod: char, side: SideAsked },
    /// A pod that is out of the game comes to hand.
    Take { pod: char, side: SideAsked },
    /// The side to move.
    Mover { side: SideAsked },
    /// True if the opening clause still binds (R32).
    Open { on: bool },
    /// All pods on the board go back to hand.
    Clear {},
}

/// Changes a position.
pub(super) fn answer(setting: &Setting, change: Change) -> Result<Value, Refusal> {
    let course = setting.course()?;
    let (game, now) = (course.game(), course.now());
    let mut setup = now.display(game).to_string().parse::<UncheckedPosition>()?;
    changed(game, now, &mut setup, change)?;
    // The opening flag (R32) is dropped where the position cannot have it.
    let checked = setup.check_but_for(game, &[RefusalKind::NotRestricted, RefusalKind::NoBipod])?;
    Ok(json!({ "position": checked.display(game).to_string() }))
}

fn coord(game: &Game, name: &str) -> Result<Coord, Refusal> {
    let coord = name.parse().ok().filter(|&coord| game.board().point_at(coord).is_some());
    coord.ok_or_else(|| Refusal(format!("{:?} is no point of the board (R1)", shortened(name))))
}

/// Adds a pod to a hand.
fn add(hand: &mut Vec<(char, u8)>, id: char) {
    match hand.iter_mut().find(|(other, _)| *other == id) {
        Some((_, count)) => *count = count.saturating_add(1),
        None => hand.push((id, 1)),
    }
    hand.sort_unstable();
}

/// Takes a pod from a hand; `false` if it has none.
fn take(hand: &mut Vec<(char, u8)>, id: char) -> bool {
    let Some(place) = hand.iter().position(|(other, _)| *other == id) else { return false };
    hand[place].1 -= 1;
    if hand[place].1 == 0 {
        hand.remove(place);
    }
    true
}

/// Takes the pod on a point off the board.
fn lift(setup: &mut UncheckedPosition, at: Coord) -> Option<(Side, char)> {
    let place = setup.pods.iter().position(|pod| pod.0 == at)?;
    let (_, side, id) = setup.pods.remove(place);
    Some((side, id))
}

/// Returns the number of pods of a kind that a player has out of the game.
fn out(game: &Game, now: &Position, side: Side, id: char) -> Result<u8, Refusal> {
    let kind = game.pods().kind(id).ok_or_else(|| Refusal(format!("the pod set has no pod {id} (R3)")))?;
    Ok(game.pods().spec(kind).count.saturating_sub(now.in_game(side).count(kind)))
}

fn changed(game: &Game, now: &Position, setup: &mut UncheckedPosition, change: Change) -> Result<(), Refusal> {
    let nothing = |at: &str| Refusal(format!("no pod stands on {at}"));
    match change {
        Change::Put { pod, side, at } => {
            let (side, at) = (Side::from(side), coord(game, &at)?);
            let left = out(game, now, side, pod)?;
            if !take(&mut setup.hands[side.index()], pod) && left == 0 {
                return Err(Refusal(format!("{side} has no pod {pod} that is not on the board (R3)")));
            }
            if let Some((owner, id)) = lift(setup, at) {
                add(&mut setup.hands[owner.index()], id);
            }
            setup.pods.push((at, side, pod));
        }
        Change::Carry { from, to } => {
            let (start, end) = (coord(game, &from)?, coord(game, &to)?);
            if setup.pods.iter().any(|pod| pod.0 == end) {
                return Err(Refusal(format!("a pod stands on {to}")));
            }
            let (side, id) = lift(setup, start).ok_or_else(|| nothing(&from))?;
            setup.pods.push((end, side, id));
        }
        Change::Lift { at } => {
            let (side, id) = lift(setup, coord(game, &at)?).ok_or_else(|| nothing(&at))?;
            add(&mut setup.hands[side.index()], id);
        }
        Change::Out { at } => drop(lift(setup, coord(game, &at)?).ok_or_else(|| nothing(&at))?),
        Change::Drop { pod, side } => {
            let side = Side::from(side);
            if !take(&mut setup.hands[side.index()], pod) {
                return Err(Refusal(format!("{side} has no pod {pod} in hand")));
            }
        }
        Change::Take { pod, side } => {
            let side = Side::from(side);
            if out(game, now, side, pod)? == 0 {
                return Err(Refusal(format!("{side} has no pod {pod} out of the game (R3)")));
            }
            add(&mut setup.hands[side.index()], pod);
        }
        Change::Mover { side } => setup.to_move = side.into(),
        Change::Open { on } => setup.open = on,
        Change::Clear {} => {
            for (_, side, id) in std::mem::take(&mut setup.pods) {
                add(&mut setup.hands[side.index()], id);
            }
        }
    }
    Ok(())
}
