//! Moves, shoves and kicks, with what may be read wrongly about them (R17, R22–R26).

use super::{Length, Misreader, Wrong};
use crate::geometry::{Coord, Direction, Point};
use crate::material::{Leg, Reach};
use crate::position::{Action, Pod, Position};
use crate::rules::KickGaps;

impl Misreader {
    /// Lists the moves, shoves and kicks of the side to move (R17, R22, R24).
    pub(super) fn shifts(&self, position: &Position) -> Vec<(Action, Position)> {
        let mut outcomes = Vec::new();
        for (from, pod) in position.pods().filter(|(_, pod)| pod.side == position.to_move()) {
            for leg in self.legs(pod) {
                outcomes.extend(self.moves_along(position, pod, from, leg));
                if self.pushes() {
                    outcomes.extend(self.pushes_along(position, pod, from, leg));
                }
            }
        }
        outcomes
    }

    fn moves_along(&self, position: &Position, pod: Pod, from: Point, leg: Leg) -> Vec<(Action, Position)> {
        let mut outcomes = Vec::new();
        let mut last = from;
        for steps in 1.. {
            let next = match self.joined(last, leg.direction) {
                None if self.reads(Wrong::MovesOverGaps) => self.board().neighbour(last, leg.direction),
                next => next,
            };
            let Some(to) = next else { break };
            if self.exceeds(Length::MoveReach, steps) {
                break;
            }
            let met = position.pod(to);
            let takes = self.reads(Wrong::TakesByMoving) && met.is_some_and(|met| met.side != pod.side);
            if met.is_none() || takes {
                let mut after = position.clone();
                after.occupants[from.index()] = None;
                let open = !self.reads(Wrong::AttacksBindMoves) || self.is_out_of_reach(&after, pod, to);
                after.occupants[to.index()] = Some(pod);
                if open {
                    outcomes.push((Action::Move { from, to }, after));
                }
            }
            if leg.reach == Reach::Short || (met.is_some() && !self.reads(Wrong::Jumps)) {
                break;
            }
            last = to;
        }
        if self.reads(Wrong::ToTheEnd) && outcomes.len() > 1 {
            outcomes.drain(..outcomes.len() - 1);
        }
        outcomes
    }

    fn is_out_of_reach(&self, position: &Position, pod: Pod, at: Point) -> bool {
        let foe = |point: Point| position.pod(point).is_some_and(|met| met.side != pod.side);
        !self.attacks(position, pod, at).into_iter().any(foe)
            && !position
                .pods()
                .any(|(from, other)| other.side != pod.side && self.attacks(position, other, from).contains(&at))
    }

    /// Lists the shoves and kicks of a pod along a leg (R22–R25).
    fn pushes_along(&self, position: &Position, pod: Pod, from: Point, leg: Leg) -> Vec<(Action, Position)> {
        let mut outcomes = Vec::new();
        if self.reads(Wrong::BlockedDoesNotPush) && !self.has_liberty(position, pod, from) {
            return outcomes;
        }
        let direction = leg.direction;
        let mut run = 0;
        let mut to = self.joined(from, direction);
        while let Some(point) = to.filter(|&p| position.pod(p).is_none() && leg.reach == Reach::Long) {
            run += 1;
            to = self.joined(point, direction);
        }
        if let Some((to, met)) = to.and_then(|to| Some((to, position.pod(to)?))) {
            let runs = run == 0 || (self.options().shove_after_run && !self.exceeds(Length::RunAtMost, run));
            let friend = met.side == pod.side;
            let spared = (self.reads(Wrong::OwnNotShoved) && friend) || (self.reads(Wrong::FoesNotShoved) && !friend);
            let as_kick = self.reads(Wrong::ListedAsKick)
                && run == 0
                && leg.reach == Reach::Long
                && self.joined(to, direction).is_some_and(|next| position.pod(next).is_none());
            if let Some(chain) = self.chain(position, to, direction).filter(|_| runs && !spared && !as_kick) {
                let mut after = position.clone();
                self.push(&mut after, &chain, direction);
                carry(&mut after, from, to);
                outcomes.push((Action::Shove { from, to }, after));
            }
        }
        let kicked = if run == 0 || self.reads(Wrong::KickAfterRun) { to } else { None };
        let kicked = match kicked {
            None if self.reads(Wrong::KickUnjoined) && self.joined(from, direction).is_none() => {
                self.board().neighbour(from, direction)
            }
            kicked => kicked,
        };
        if let Some((to, met)) = kicked.and_then(|to| Some((to, position.pod(to)?))) {
            let friend = met.side == pod.side;
            let spared = (self.reads(Wrong::OwnNotKicked) && friend) || (self.reads(Wrong::FoesNotKicked) && !friend);
            if (leg.reach == Reach::Long || self.reads(Wrong::ShortKicks)) && !spared {
                outcomes.extend(self.kicks(position, from, to, direction));
            }
        }
        outcomes
    }

    fn kicks(&self, position: &Position, from: Point, to: Point, direction: Direction) -> Vec<(Action, Position)> {
        let mut outcomes = Vec::new();
        let mut last = to;
        let mut lines = true;
        for distance in 1_u8.. {
            let most = self.exceeds(Length::KickAtMost, distance.into());
            let Some(next) = self.slide_step(last, direction).filter(|_| !most) else { break };
            let joined = self.joined(last, direction).is_some();
            let allowed = match self.options().kick_gaps {
                _ if self.reads(Wrong::KickNeedsLines) => lines && joined,
                KickGaps::EveryStep => true,
                KickGaps::LastStep => lines,
            };
            lines &= joined;
            last = next;
            if position.pod(next).is_some() {
                if self.reads(Wrong::KickPastPods) {
                    continue;
                }
                break;
            }
            let listed = self.reads(Wrong::ListedTwice) || self.reads(Wrong::ListedAsKick);
            let spared = self.reads(Wrong::KickSparesEdge) && self.slide_step(next, direction).is_none();
            if !allowed || spared || (distance == 1 && joined && !listed) {
                continue;
            }
            let mut after = position.clone();
            carry(&mut after, to, next);
            carry(&mut after, from, to);
            outcomes.push((Action::Kick { from, to, distance }, after));
        }
        if self.reads(Wrong::KickFarthest) && outcomes.len() > 1 {
            outcomes.drain(..outcomes.len() - 1);
        }
        outcomes
    }

    /// Returns the next point of a slide, line or no line (R24).
    fn slide_step(&self, from: Point, direction: Direction) -> Option<Point> {
        if !self.reads(Wrong::KickOverHoles) {
            return self.board().neighbour(from, direction);
        }
        let inside = |c: &Coord| c.column < self.board().columns() && c.row < self.board().rows();
        let ahead = std::iter::successors(self.board().coord(from).step(direction), |c| c.step(direction));
        ahead.take_while(inside).find_map(|coord| self.board().point_at(coord))
    }

    /// Returns the pods that a shove onto a point pushes, if they give way (R22).
    pub(super) fn chain(&self, position: &Position, to: Point, direction: Direction) -> Option<Vec<Point>> {
        let mut chain = Vec::new();
        let mut pushed = to;
        while let Some(pod) = position.pod(pushed) {
            let has_leg = self.legs(pod).iter().any(|leg| leg.direction == direction);
            if self.reads(Wrong::PushedNeedsLeg) && !has_leg {
                return None;
            }
            chain.push(pushed);
            if self.exceeds(Length::ChainAtMost, chain.len()) {
                return None;
            }
            let beyond = self.board().neighbour(pushed, direction);
            let Some(next) = beyond else {
                return Some(chain).filter(|_| self.reads(Wrong::PushedOff));
            };
            let unjoined = self.reads(Wrong::ChainUnjoined)
                || (self.reads(Wrong::LastStepUnjoined) && position.pod(next).is_none());
            if self.joined(pushed, direction).is_none() && !unjoined {
                return None;
            }
            pushed = next;
        }
        Some(chain)
    }

    /// Pushes a chain on by one point; what has no point to go to is out.
    pub(super) fn push(&self, board: &mut Position, chain: &[Point], direction: Direction) {
        for &point in chain.iter().rev() {
            match self.board().neighbour(point, direction) {
                Some(next) => carry(board, point, next),
                None => board.occupants[point.index()] = None,
            }
        }
    }

    /// Returns `true` if a pod could leave its point by a shove or a kick of its own (R27).
    pub(super) fn can_push(&self, position: &Position, pod: Pod, from: Point, mover: crate::material::Side) -> bool {
        if !self.pushes() || (self.reads(Wrong::SavesMoverOnly) && pod.side != mover) {
            return false;
        }
        let saves = |(action, _): &(Action, Position)| match *action {
            Action::Kick { .. } => !self.reads(Wrong::KicksDoNotSave),
            Action::Shove { from, to } => {
                let direction = Direction::ALL.into_iter().find(|&d| self.board().neighbour(from, d) == Some(to));
                let chain = direction.and_then(|direction| self.chain(position, to, direction));
                chain.is_none_or(|chain| !self.exceeds(Length::SavingChain, chain.len()))
            }
            _ => false,
        };
        self.legs(pod).into_iter().any(|leg| self.pushes_along(position, pod, from, leg).iter().any(saves))
    }
}

fn carry(board: &mut Position, from: Point, to: Point) {
    board.occupants[to.index()] = board.occupants[from.index()].take();
}
