//! The slow twin of [`super::situation`] and of the upper bound of [`super::counting`]: each leg is
//! followed point by point.

use std::collections::BTreeSet;

use super::situation::Situation;
use crate::geometry::{Direction, Point, PointSet};
use crate::material::{Leg, Legs, PodKind, Reach, Side};
use crate::position::Game;

/// Kinds of pods with points.
pub(super) type KindsAt = BTreeSet<(PodKind, Point)>;

fn is_empty(situation: &Situation, point: Point) -> bool {
    situation.pod(point).is_none()
}

/// Returns the points that a leg comes to, nearest first, where a long one goes on from those for
/// which `goes_on` says so.
fn along(game: &Game, from: Point, leg: Leg, goes_on: &dyn Fn(Point) -> bool) -> Vec<Point> {
    let mut points = Vec::new();
    let mut at = from;
    while let Some(next) = game.board().connected(at, leg.direction) {
        points.push(next);
        if leg.reach == Reach::Short || !goes_on(next) {
            break;
        }
        at = next;
    }
    points
}

/// Returns `true` if a long leg goes on from a point if no pod comes to a point outside `room`
/// (R5).
fn goes_on(game: &Game, situation: &Situation, room: PointSet, point: Point) -> bool {
    game.rules().options().attack_through || is_empty(situation, point) && !room.contains(point)
}

/// Returns the points that legs reach as the pods stand (R5, R6).
pub(super) fn reached(game: &Game, situation: &Situation, from: Point, legs: Legs) -> BTreeSet<Point> {
    let on = |point| goes_on(game, situation, PointSet::EMPTY, point);
    legs.iter().flat_map(|leg| along(game, from, leg, &on)).collect()
}

/// Returns the points of `on` where a side may place its kinds, if a pod may come to the points of
/// `room` and to no others (R10 to R13).
fn placeable(game: &Game, situation: &Situation, side: Side, on: PointSet, room: PointSet) -> KindsAt {
    let goes_on = |point| goes_on(game, situation, room, point);
    let is_attacked = |at: Point| {
        let foes = situation.pods().filter(|&(_, owner, _)| owner != side);
        foes.flat_map(|(from, _, legs)| legs.iter().map(move |leg| (from, leg)))
            .any(|(from, leg)| along(game, from, leg, &goes_on).contains(&at))
    };
    let attacks = |at: Point, legs: Legs| {
        let is_foe = |point| situation.pod(point).is_some_and(|(owner, _)| owner != side);
        legs.iter().any(|leg| along(game, at, leg, &goes_on).into_iter().any(is_foe))
    };
    let has_liberty = |at: Point, legs: Legs| {
        let next = |direction: Direction| game.board().connected(at, direction);
        legs.iter().any(|leg| next(leg.direction).is_some_and(|next| is_empty(situation, next)))
    };
    let mut found = KindsAt::new();
    for at in on.into_iter().filter(|&at| is_empty(situation, at) && !is_attacked(at)) {
        for (kind, _) in situation.hand(side).iter() {
            let legs = game.pods().legs(kind).on_board(side);
            if !attacks(at, legs) && (!game.rules().options().placement_liberty || has_liberty(at, legs)) {
                found.insert((kind, at));
            }
        }
    }
    found
}

/// Returns the placements of a side if it were to move, the opening clause apart.
pub(super) fn open_pairs(game: &Game, situation: &Situation, side: Side) -> KindsAt {
    placeable(game, situation, side, game.board().point_set(), PointSet::EMPTY)
}

/// Returns the placements that each side may ever make.
pub(super) fn living(game: &Game, situation: &Situation) -> [KindsAt; 2] {
    let mut room: PointSet = game.board().points().filter(|&point| is_empty(situation, point)).collect();
    loop {
        let found = Side::BOTH.map(|side| placeable(game, situation, side, room, room));
        let left = found.iter().flatten().map(|&(_, at)| at).collect();
        if left == room {
            return found;
        }
        room = left;
    }
}
