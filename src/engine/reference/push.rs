//! Shoves and kicks (R22–R25).

use super::{Reference, illegal};
use crate::engine::{Illegal, Reason};
use crate::geometry::{Direction, Point};
use crate::material::Reach;
use crate::position::{Pod, Position};
use crate::rules::{Clause, KickGaps};

impl Reference {
    /// Checks that the side to move may shove with the pod on `from`, so that it ends on `to` (R22,
    /// R23).
    pub(super) fn may_shove(&self, position: &Position, from: Point, to: Point) -> Result<(), Illegal> {
        self.pods_push()?;
        let pod = self.own_pod(position, from)?;
        self.shove_by(position, pod, from, to)
    }

    /// Checks that the side to move may kick with the pod on `from` what stands on `to`, by this
    /// many points (R24, R25).
    pub(super) fn may_kick(&self, position: &Position, from: Point, to: Point, by: u8) -> Result<(), Illegal> {
        self.pods_push()?;
        let pod = self.own_pod(position, from)?;
        self.kick_by(position, pod, from, to, by)?;
        self.is_no_shove(to, self.straight(from, to)?.0, by)
    }

    /// Checks that pods push under these rules: without shoves they neither shove nor kick (R22);
    /// without moves they do not even move (R14).
    fn pods_push(&self) -> Result<(), Illegal> {
        self.pods_move()?;
        if self.options().shoves { Ok(()) } else { illegal(Clause::R22, Reason::NoShoves) }
    }

    /// Checks that a pod on `from`, whoever is to move, could shove and end on `to` (R22, R23): R17
    /// to get there, except that a pod stands on the target; then that pod must give way.
    pub(super) fn shove_by(&self, position: &Position, pod: Pod, from: Point, to: Point) -> Result<(), Illegal> {
        let (direction, steps) = self.straight(from, to)?;
        let leg = self.leg(pod, direction)?;
        self.leg_is_long_enough(leg, steps)?;
        self.runs_over_empty_points(position, from, to, direction)?;
        if position.pod(to).is_none() {
            return illegal(Clause::R22, Reason::NothingToPush(to));
        }
        self.shoves_after_a_run_if_allowed(steps)?;
        self.chain_gives_way(position, to, direction)?;
        Ok(())
    }

    /// Checks that the option allows a shove after a run, if it is one (R23).
    fn shoves_after_a_run_if_allowed(&self, steps: u8) -> Result<(), Illegal> {
        if steps > 1 && !self.options().shove_after_run {
            return illegal(Clause::R23, Reason::NoRun);
        }
        Ok(())
    }

    /// Returns the pods that a shove onto `to` pushes, by the points they stand on, nearest first
    /// (R22). Each goes on by one connected point, the last one to an empty point.
    pub(super) fn chain_gives_way(
        &self,
        position: &Position,
        to: Point,
        direction: Direction,
    ) -> Result<Vec<Point>, Illegal> {
        let mut chain = Vec::new();
        let mut pushed = to;
        while position.pod(pushed).is_some() {
            chain.push(pushed);
            if self.board().neighbour(pushed, direction).is_none() {
                return illegal(Clause::R22, Reason::PushedOff { after: pushed });
            }
            let Some(next) = self.board().connected(pushed, direction) else {
                return illegal(Clause::R22, Reason::NoLine { after: pushed, direction });
            };
            pushed = next;
        }
        Ok(chain)
    }

    /// Checks that a pod on `from`, whoever is to move, could kick what stands on `to` by this many
    /// points (R24): with a long leg, a directly adjacent and connected pod, over points that exist
    /// and are empty.
    pub(super) fn kick_by(&self, position: &Position, pod: Pod, from: Point, to: Point, by: u8) -> Result<(), Illegal> {
        let (direction, steps) = self.straight(from, to)?;
        let leg = self.leg(pod, direction)?;
        if leg.reach == Reach::Short {
            return illegal(Clause::R24, Reason::ShortLegKick(leg));
        }
        if steps > 1 {
            return illegal(Clause::R24, Reason::NotAdjacent(to));
        }
        if self.board().connected(from, direction).is_none() {
            return illegal(Clause::R24, Reason::NoLine { after: from, direction });
        }
        if position.pod(to).is_none() {
            return illegal(Clause::R24, Reason::NothingToPush(to));
        }
        self.slide(position, to, direction, by)?;
        Ok(())
    }

    /// Returns the point where the pod kicked off `start` ends after sliding on by this many
    /// points, all there and all empty (R24).
    pub(super) fn slide(
        &self,
        position: &Position,
        start: Point,
        direction: Direction,
        by: u8,
    ) -> Result<Point, Illegal> {
        if by == 0 {
            return illegal(Clause::R24, Reason::NoDistance);
        }
        let mut last = start;
        for step in 1..=by {
            let Some(next) = self.board().neighbour(last, direction) else {
                return illegal(Clause::R24, Reason::PushedOff { after: last });
            };
            if self.step_needs_a_line(step, by) && self.board().connected(last, direction).is_none() {
                return illegal(Clause::R24, Reason::NoLine { after: last, direction });
            }
            if let Some(pod) = position.pod(next) {
                return illegal(Clause::R24, Reason::KickBlocked(next, pod));
            }
            last = next;
        }
        Ok(last)
    }

    /// Returns `true` if a step of the slide needs a line (R24, `kick-gaps`): under `every-step`
    /// none does, under `last-step` all but the last.
    fn step_needs_a_line(&self, step: u8, last_step: u8) -> bool {
        match self.options().kick_gaps {
            KickGaps::EveryStep => false,
            KickGaps::LastStep => step < last_step,
        }
    }

    /// Checks that a kick is no shove: one of one point along a line is the same and is listed as
    /// that (R25).
    fn is_no_shove(&self, to: Point, direction: Direction, by: u8) -> Result<(), Illegal> {
        if by == 1 && self.board().connected(to, direction).is_some() {
            return illegal(Clause::R25, Reason::SameAsShove);
        }
        Ok(())
    }
}
