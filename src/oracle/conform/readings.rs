//! Other readings of the rules, under which an illegal action would be legal, or a legal one
//! illegal.

use crate::engine::{Illegal, LegBlock, Reason, Reference};
use crate::geometry::Direction;
use crate::material::{PodKind, PodSet, PodSpec, Side};
use crate::position::{Action, Game, Hand, Position};
use crate::rules::{Clause, RULE_OPTIONS};

/// A reading: the clause that is read in another way, how, and whether the action is legal by it.
pub(super) struct Reading {
    pub clause: Clause,
    pub how: String,
    pub check: Result<(), Illegal>,
}

/// Returns the other readings of a position's rules, with what they say of an action.
pub(super) fn readings(game: &Game, position: &Position, action: Action) -> Vec<Reading> {
    let mut readings = Vec::new();
    for option in RULE_OPTIONS.iter().filter(|option| option.judges_actions) {
        for value in option.values {
            if game.rules().value(option.name) == Some(value) {
                continue;
            }
            let Ok(rules) = game.rules().with(option.name, value) else { continue };
            let other = Reference::new(Game::new(game.board().clone(), game.pods().clone(), rules));
            let how = format!("{}={value}", option.name);
            readings.push(Reading { clause: option.clause, how, check: other.check(position, action) });
        }
    }
    if let Some((unturned, position, action)) = unturned(game, position, action) {
        let check = Reference::new(unturned).check(&position, action);
        readings.push(Reading { clause: Clause::R4, how: "Black's legs not turned".to_owned(), check });
    }
    readings
}

/// Returns the same with Black's legs as Black sees them: each of Black's pods becomes one of
/// another kind, with the opposite legs, which are then turned. `None` if there are too many kinds
/// for that.
fn unturned(game: &Game, position: &Position, action: Action) -> Option<(Game, Position, Action)> {
    let pods = game.pods();
    let kinds = pods.kinds().len();
    let mut specs: Vec<PodSpec> = Vec::new();
    let mut ids = ('a'..='z').take(kinds * 2);
    if kinds * 2 > PodKind::MAX {
        return None;
    }
    for kind in pods.kinds() {
        specs.push(PodSpec { id: ids.next()?, ..pods.spec(kind).clone() });
    }
    for kind in pods.kinds() {
        let spec = pods.spec(kind);
        specs.push(PodSpec { id: ids.next()?, legs: spec.legs.mapped(Direction::opposite), ..spec.clone() });
    }
    let shadow = |kind: PodKind| PodKind::new(kind.index() + kinds);
    let mut other = position.clone();
    for pod in other.occupants.iter_mut().flatten().filter(|pod| pod.side == Side::Black) {
        pod.kind = shadow(pod.kind);
    }
    let mut hand = Hand::EMPTY;
    for (kind, count) in position.hand(Side::Black).iter() {
        (0..count).for_each(|_| hand.add(shadow(kind)));
    }
    other.hands[Side::Black] = hand;
    let action = match action {
        Action::Place { kind, at } if position.to_move() == Side::Black => Action::Place { kind: shadow(kind), at },
        other => other,
    };
    let set = PodSet::new(pods.name(), pods.source(), specs).ok()?;
    Some((Game::new(game.board().clone(), set, *game.rules()), other, action))
}

/// Returns the clauses that define what the forbidding clause speaks of, such as reach and liberty.
pub(super) fn behind(illegal: &Illegal) -> Vec<Clause> {
    match &illegal.reason {
        Reason::WouldAttack { .. } | Reason::Attacked { .. } => vec![Clause::R5, Clause::R6],
        Reason::NoLiberty(legs) if legs.iter().any(|(_, block)| matches!(block, LegBlock::NoLine(_))) => {
            vec![Clause::R7, Clause::R1]
        }
        Reason::NoLiberty(_) => vec![Clause::R7],
        _ => Vec::new(),
    }
}
