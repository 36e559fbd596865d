//! Moves (R14, R17), and what shoves and kicks share with them.

use super::{Reference, illegal};
use crate::engine::{Illegal, Reason};
use crate::geometry::{Direction, Point};
use crate::material::{Leg, Reach};
use crate::position::{Pod, Position};
use crate::rules::Clause;

impl Reference {
    /// Checks that the side to move may move the pod on `from` to `to`, an empty point (R17).
    pub(super) fn may_move(&self, position: &Position, from: Point, to: Point) -> Result<(), Illegal> {
        self.pods_move()?;
        let pod = self.own_pod(position, from)?;
        let (direction, steps) = self.straight(from, to)?;
        let leg = self.leg(pod, direction)?;
        self.leg_is_long_enough(leg, steps)?;
        self.runs_over_empty_points(position, from, to, direction)?;
        match position.pod(to) {
            Some(other) => illegal(Clause::R17, Reason::InTheWay(to, other)),
            None => Ok(()),
        }
    }

    /// Checks that pods move under these rules; if not, the only action is a placement (R14).
    pub(super) fn pods_move(&self) -> Result<(), Illegal> {
        if self.options().moves { Ok(()) } else { illegal(Clause::R14, Reason::NoMoves) }
    }

    /// Checks that the pod that moves is one of the mover's own, on the board (R17).
    pub(super) fn own_pod(&self, position: &Position, from: Point) -> Result<Pod, Illegal> {
        match position.pod(from) {
            Some(pod) if pod.side == position.to_move() => Ok(pod),
            other => illegal(Clause::R17, Reason::NotOwn(from, other)),
        }
    }

    /// Returns the direction in which the target lies and how many points away, if it lies straight
    /// in one (R17).
    pub(super) fn straight(&self, from: Point, to: Point) -> Result<(Direction, u8), Illegal> {
        let (start, end) = (self.board().coord(from), self.board().coord(to));
        let right = end.column as i8 - start.column as i8;
        let up = end.row as i8 - start.row as i8;
        let steps = right.abs().max(up.abs());
        let towards = |d: &Direction| (d.delta().0 * steps, d.delta().1 * steps) == (right, up);
        match Direction::ALL.into_iter().find(towards).filter(|_| steps > 0) {
            Some(direction) => Ok((direction, steps.unsigned_abs())),
            None => illegal(Clause::R17, Reason::NotStraight),
        }
    }

    /// Returns the leg of the pod in that direction, if it has one (R17).
    pub(super) fn leg(&self, pod: Pod, direction: Direction) -> Result<Leg, Illegal> {
        match self.legs(pod).toward(direction) {
            Some(leg) => Ok(leg),
            None => illegal(Clause::R17, Reason::NoLeg(pod, direction)),
        }
    }

    /// Checks that the leg is long enough: a short one leads to the neighbour, a long one to any
    /// point (R17).
    pub(super) fn leg_is_long_enough(&self, leg: Leg, steps: u8) -> Result<(), Illegal> {
        if leg.reach == Reach::Short && steps > 1 {
            return illegal(Clause::R17, Reason::TooFar(leg));
        }
        Ok(())
    }

    /// Checks that lines join all points from `from` to `to`, and that those passed, both ends left
    /// out, are empty (R17).
    pub(super) fn runs_over_empty_points(
        &self,
        position: &Position,
        from: Point,
        to: Point,
        direction: Direction,
    ) -> Result<(), Illegal> {
        let mut last = from;
        loop {
            let Some(next) = self.board().connected(last, direction) else {
                return illegal(Clause::R17, Reason::NoLine { after: last, direction });
            };
            if next == to {
                return Ok(());
            }
            if let Some(pod) = position.pod(next) {
                return illegal(Clause::R17, Reason::InTheWay(next, pod));
            }
            last = next;
        }
    }
}
