//! The kinds of positions in an oracle set.

use super::facts::{Facts, Provenance};
use crate::engine::{Engine as _, Status};
use crate::geometry::Direction;
use crate::material::Side;
use crate::position::Action;
use crate::rules::{Captures, Clause};

/// A kind of position: its name, and whether a position belongs to it.
pub(super) struct Kind(pub &'static str, pub fn(&Facts<'_>) -> bool);

/// All kinds. Those about play depend on where the position comes from, the others on the position
/// alone.
pub(super) const KINDS: &[Kind] = &[
    Kind("opening", |f| matches!(f.origin, Provenance::Play { ply: 0..=2, .. })),
    Kind("middle", |f| matches!(f.origin, Provenance::Play { ply: 3.., left: None | Some(4..) })),
    Kind("ending", |f| matches!(f.origin, Provenance::Play { ply: 3.., left: Some(1..=3) })),
    Kind("set-up", |f| f.origin == Provenance::SetUp && f.status == Status::Ongoing),
    Kind("capture-foe", |f| f.results.iter().any(|(_, r)| r.returned.is_empty() && !r.removed.is_empty())),
    Kind("capture-own", |f| {
        f.results.iter().any(|(a, r)| !r.returned.is_empty() && r.removed.is_empty() && !f.actor_is_captured(*a, r))
    }),
    Kind("capture-both", |f| f.results.iter().any(|(_, r)| !r.returned.is_empty() && !r.removed.is_empty())),
    Kind("capture-actor", |f| f.results.iter().any(|(a, r)| f.actor_is_captured(*a, r))),
    Kind("shove", |f| f.results.iter().any(|(a, _)| matches!(a, Action::Shove { .. }))),
    Kind("kick", |f| f.results.iter().any(|(a, _)| matches!(a, Action::Kick { .. }))),
    Kind("blocked", |f| f.status == Status::Ongoing && !f.blocked().is_empty()),
    Kind("won-by-empty-hand", |f| f.position.won_by_empty_hand(f.game()).is_some()),
    Kind("stuck", |f| f.status != Status::Ongoing && f.position.won_by_empty_hand(f.game()).is_none()),
    Kind("draw", |f| f.is_draw()),
    Kind("illegal-R9", |f| f.forbids(Clause::R9)),
    Kind("illegal-R10", |f| f.forbids(Clause::R10)),
    Kind("illegal-R11", |f| f.forbids(Clause::R11)),
    Kind("illegal-R12", |f| f.forbids(Clause::R12)),
    Kind("illegal-R13", |f| f.forbids(Clause::R13)),
    Kind("illegal-R14", |f| f.forbids(Clause::R14)),
    Kind("illegal-R17", |f| f.forbids(Clause::R17)),
    Kind("illegal-R22", |f| f.forbids(Clause::R22)),
    Kind("illegal-R23", |f| f.forbids(Clause::R23)),
    Kind("illegal-R24", |f| f.forbids(Clause::R24)),
    Kind("illegal-R25", |f| f.forbids(Clause::R25)),
    Kind("illegal-R30", |f| f.forbids(Clause::R30)),
    Kind("trap-01", takes_friend_foe_and_itself),
    Kind("trap-02", takes_pods_that_block_each_other),
    Kind("trap-03", last_pod_of_the_hand_and_captures),
    Kind("trap-04", opening_without_liberty),
    Kind("trap-05", attack_one_way),
    Kind("trap-06", pod_between_leg_and_foe),
    Kind("trap-07", empty_point_behind_is_no_liberty),
    Kind("trap-08", move_captures_itself_or_frees),
    Kind("trap-09", placement_opens_a_point),
    Kind("trap-10", |f| f.would_be_stuck(Side::White) || f.would_be_stuck(Side::Black)),
    Kind("trap-11", blacks_legs_matter),
    Kind("trap-13", kicks_and_chains),
];

fn takes_friend_foe_and_itself(f: &Facts<'_>) -> bool {
    f.results.iter().any(|(a, r)| r.returned.len() > 1 && !r.removed.is_empty() && f.actor_is_captured(*a, r))
}

fn takes_pods_that_block_each_other(f: &Facts<'_>) -> bool {
    f.results.iter().filter(|(_, r)| r.returned.len() + r.removed.len() > 1).any(|(action, _)| {
        let Some(board) = f.before_captures(*action) else { return false };
        let gone = f.engines.reference.capturable_pods(&board);
        let looks_at = |from, to| {
            let Some(pod) = board.pod(from) else { return false };
            let legs = f.game().pods().legs(pod.kind).on_board(pod.side);
            legs.iter().any(|leg| f.game().board().connected(from, leg.direction) == Some(to))
        };
        gone.iter().any(|&a| gone.iter().any(|&b| a < b && looks_at(a, b) && looks_at(b, a)))
    })
}

fn last_pod_of_the_hand_and_captures(f: &Facts<'_>) -> bool {
    let last = f.position.hand(f.position.to_move()).len() == 1;
    let placed = |a: &Action| matches!(a, Action::Place { .. });
    last && f.results.iter().any(|(a, r)| placed(a) && (!r.returned.is_empty() || !r.removed.is_empty()))
}

fn opening_without_liberty(f: &Facts<'_>) -> bool {
    let returns = |(a, r): &(Action, _)| f.actor_is_captured(*a, r);
    f.position.is_open() && (f.forbids(Clause::R13) || f.results.iter().any(returns))
}

fn attack_one_way(f: &Facts<'_>) -> bool {
    let foe = f.position.to_move().other();
    let attacked = f.attacked(f.position, foe);
    // Charged with R12, a placement attacks nobody (R11 comes first); with R11 on a free point,
    // nobody attacks it.
    f.forbids(Clause::R12)
        && f.illegal.iter().any(|(action, clause)| {
            *clause == Clause::R11 && matches!(action, Action::Place { at, .. } if !attacked.contains(*at))
        })
}

fn pod_between_leg_and_foe(f: &Facts<'_>) -> bool {
    let actions: Vec<Action> = f.results.iter().map(|(action, _)| *action).collect();
    f.engines.other_attacks.sorted_actions(f.position) != actions
}

fn empty_point_behind_is_no_liberty(f: &Facts<'_>) -> bool {
    f.results.iter().any(|(action, result)| match *action {
        Action::Move { from, to } => {
            let joined = Direction::ALL.into_iter().any(|d| f.game().board().connected(to, d) == Some(from));
            joined && f.actor_is_captured(*action, result)
        }
        _ => false,
    })
}

fn move_captures_itself_or_frees(f: &Facts<'_>) -> bool {
    f.results.iter().any(|(action, result)| match *action {
        Action::Move { from, .. } => {
            let frees = |&&point: &&_| point != from && result.next.pod(point) == f.position.pod(point);
            let captures = f.game().rules().options().captures != Captures::Never;
            f.actor_is_captured(*action, result) || captures && f.blocked().iter().any(|point| frees(&point))
        }
        _ => false,
    })
}

fn placement_opens_a_point(f: &Facts<'_>) -> bool {
    let mover = f.position.to_move();
    let before = f.attacked(f.position, mover);
    !before.is_empty()
        && f.results.iter().any(|(action, result)| match *action {
            Action::Place { .. } if result.removed.is_empty() && result.returned.is_empty() => {
                !(before - f.attacked(&result.next, mover)).is_empty()
            }
            _ => false,
        })
}

fn blacks_legs_matter(f: &Facts<'_>) -> bool {
    let turned = f.position.pods().any(|(_, pod)| {
        let legs = f.game().pods().legs(pod.kind);
        pod.side == Side::Black && legs.on_board(Side::Black) != legs
    });
    turned && f.position.to_move() == Side::White && f.forbids(Clause::R12)
}

fn kicks_and_chains(f: &Facts<'_>) -> bool {
    let coord = |point| f.game().board().coord(point);
    f.results.iter().any(|(action, _)| match *action {
        Action::Kick { distance, .. } => distance > 1,
        Action::Shove { from, to } => {
            let (a, b) = (coord(from), coord(to));
            let step = |here: u8, there: u8| (there as i8 - here as i8).signum();
            let towards = (step(a.column, b.column), step(a.row, b.row));
            let Some(direction) = Direction::ALL.into_iter().find(|d| d.delta() == towards) else { return false };
            let next = f.game().board().connected(to, direction);
            next.is_some_and(|point| f.position.pod(point).is_some())
        }
        _ => false,
    })
}
