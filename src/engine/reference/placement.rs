//! The opening and placements (R9–R13).

use super::{Reference, illegal};
use crate::engine::{Illegal, LegBlock, Reason};
use crate::geometry::Point;
use crate::material::{Leg, PodKind};
use crate::position::{Action, Pod, Position};
use crate::rules::Clause;

impl Reference {
    /// Checks that the action places a bipod while the opening clause binds the side to move (R9).
    pub(super) fn opens_with_a_bipod(&self, position: &Position, action: Action) -> Result<(), Illegal> {
        if !position.is_open() {
            return Ok(());
        }
        match action {
            Action::Place { kind, .. } if self.game.pods().is_bipod(kind) => Ok(()),
            _ => illegal(Clause::R9, Reason::MustOpenWithBipod),
        }
    }

    /// Checks that the side to move may place a pod of this kind on the point (R10 to R13).
    pub(super) fn may_place(&self, position: &Position, kind: PodKind, at: Point) -> Result<(), Illegal> {
        self.goes_from_hand_to_an_empty_point(position, kind, at)?;
        let placed = Pod { side: position.to_move(), kind };
        self.attacks_nobody(position, placed, at)?;
        self.is_attacked_by_nobody(position, placed, at)?;
        self.has_a_liberty_if_it_needs_one(position, placed, at)
    }

    fn goes_from_hand_to_an_empty_point(&self, position: &Position, kind: PodKind, at: Point) -> Result<(), Illegal> {
        if position.hand(position.to_move()).count(kind) == 0 {
            return illegal(Clause::R10, Reason::NotInHand(kind));
        }
        match position.pod(at) {
            Some(pod) => illegal(Clause::R10, Reason::Taken(at, pod)),
            None => Ok(()),
        }
    }

    /// Checks that the placed pod, standing there, attacks no opposing pod (R11).
    fn attacks_nobody(&self, position: &Position, placed: Pod, at: Point) -> Result<(), Illegal> {
        for leg in self.legs(placed).iter() {
            for target in self.reached(position, at, leg) {
                if let Some(victim) = position.pod(target).filter(|victim| victim.side != placed.side) {
                    let past = self.first_passed(position, at, leg, target);
                    return illegal(Clause::R11, Reason::WouldAttack { leg, target, victim, past });
                }
            }
        }
        Ok(())
    }

    /// Checks that no opposing pod attacks the point (R12).
    fn is_attacked_by_nobody(&self, position: &Position, placed: Pod, at: Point) -> Result<(), Illegal> {
        for (from, attacker) in position.pods().filter(|(_, attacker)| attacker.side != placed.side) {
            for leg in self.legs(attacker).iter() {
                if self.reached(position, from, leg).any(|target| target == at) {
                    let past = self.first_passed(position, from, leg, at);
                    return illegal(Clause::R12, Reason::Attacked { from, attacker, leg, past });
                }
            }
        }
        Ok(())
    }

    /// Checks that, under `placement-liberty`, the placed pod is not blocked where it stands (R13).
    /// A shove of its own never counts here (R27).
    fn has_a_liberty_if_it_needs_one(&self, position: &Position, placed: Pod, at: Point) -> Result<(), Illegal> {
        if !self.options().placement_liberty || !self.is_blocked(position, placed, at) {
            return Ok(());
        }
        let why: Vec<(Leg, LegBlock)> = self
            .leg_blocks_of(position, placed, at)
            .into_iter()
            .filter_map(|(leg, block)| block.map(|block| (leg, block)))
            .collect();
        illegal(Clause::R13, Reason::NoLiberty(why))
    }
}
