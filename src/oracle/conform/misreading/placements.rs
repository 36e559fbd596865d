//! Attacks, liberties and placements, with what may be read wrongly about them (R5–R7, R9–R13).

use super::{Length, Misreader, Misreading, Wrong};
use crate::geometry::{Direction, Point};
use crate::material::{Leg, Reach};
use crate::position::{Action, Pod, Position};
use crate::rules::Opening;

impl Misreader {
    /// Returns the points that a pod attacks from a point (R5, R6).
    pub(super) fn attacks(&self, position: &Position, pod: Pod, from: Point) -> Vec<Point> {
        if self.reads(Wrong::BlockedAttacksNothing) && !self.has_liberty(position, pod, from) {
            return Vec::new();
        }
        let mut legs = self.legs(pod);
        if self.reads(Wrong::FirstLegAttacks) {
            legs.truncate(1);
        }
        legs.into_iter().flat_map(|leg| self.attacks_along(position, pod, from, leg)).collect()
    }

    fn attacks_along(&self, position: &Position, pod: Pod, from: Point, leg: Leg) -> Vec<Point> {
        let mut attacked = Vec::new();
        let mut last = from;
        while let Some(next) = self.attack_step(last, leg) {
            let occupant = position.pod(next);
            let short_of = self.exceeds(Length::AttackReach, attacked.len() + 1);
            if short_of || (self.reads(Wrong::StopsBefore) && leg.reach == Reach::Long && occupant.is_some()) {
                break;
            }
            attacked.push(next);
            let passes = occupant.is_none_or(|met| {
                self.options().attack_through
                    || (self.reads(Wrong::ThroughFriends) && met.side == pod.side)
                    || (self.reads(Wrong::ThroughFoes) && met.side != pod.side)
            });
            if leg.reach == Reach::Short || !passes {
                break;
            }
            last = next;
        }
        attacked
    }

    fn attack_step(&self, from: Point, leg: Leg) -> Option<Point> {
        if self.reads(Wrong::AttackOverGaps) && leg.reach == Reach::Long {
            return self.board().neighbour(from, leg.direction);
        }
        self.joined(from, leg.direction)
    }

    /// Returns `true` if a pod on a point has a liberty (R7).
    pub(super) fn has_liberty(&self, position: &Position, pod: Pod, at: Point) -> bool {
        if self.reads(Wrong::LegNotNeeded) {
            let free = |d| self.joined(at, d).is_some_and(|next| position.pod(next).is_none());
            return Direction::ALL.into_iter().any(free);
        }
        self.legs(pod).into_iter().any(|leg| {
            if self.reads(Wrong::ShortLibertiesOnly) && leg.reach == Reach::Long {
                return false;
            }
            if self.reads(Wrong::FarIsLiberty) && leg.reach == Reach::Long {
                let line = std::iter::successors(self.joined(at, leg.direction), |&p| self.joined(p, leg.direction));
                return line.into_iter().any(|p| position.pod(p).is_none());
            }
            let next = match self.joined(at, leg.direction) {
                None if self.reads(Wrong::UnjoinedIsLiberty) => self.board().neighbour(at, leg.direction),
                next => next,
            };
            next.is_some_and(|next| match position.pod(next) {
                None => true,
                Some(met) if met.side == pod.side => self.reads(Wrong::FriendIsLiberty),
                Some(_) => self.reads(Wrong::FoeIsLiberty),
            })
        })
    }

    /// Returns `true` if the first action is still to come (R9, R32).
    pub(super) fn opens(&self, position: &Position) -> bool {
        let empty = position.pods().next().is_none();
        match self.misreading() {
            Some(Misreading::Option("opening", "bipod")) => empty,
            _ if self.options().opening == Opening::Any => false,
            Some(Misreading::Of(Wrong::EmptyBoardOpens)) => empty,
            Some(Misreading::Of(Wrong::BlackOpensFreely)) => {
                position.is_open() && position.to_move() == crate::material::Side::White
            }
            Some(Misreading::Of(Wrong::OpenWithPods)) => position.is_open() && empty,
            _ => position.is_open(),
        }
    }

    /// Lists the placements (R9–R13).
    pub(super) fn placements(&self, position: &Position) -> Vec<(Action, Position)> {
        let side = position.to_move();
        let pods = crate::engine::Engine::game(self).pods();
        let mut outcomes = Vec::new();
        for kind in pods.kinds() {
            if position.hand(side).count(kind) == 0 && !self.reads(Wrong::NotHeld) {
                continue;
            }
            let legs = pods.legs(kind).count();
            let may_open = legs == 2
                || (self.reads(Wrong::OneLegOpens) && legs < 2)
                || (self.reads(Wrong::MoreLegsOpen) && legs > 2);
            if self.opens(position) && !may_open {
                continue;
            }
            for at in self.board().points() {
                let action = Action::Place { kind, at };
                let boards = match position.pod(at) {
                    None => vec![position.clone()],
                    Some(_) if self.reads(Wrong::OntoPods) => vec![position.clone()],
                    Some(_) if self.reads(Wrong::PlacementShoves) => self.pushed_away(position, at),
                    Some(_) => continue,
                };
                let fits = |board: &Position| self.may_stand(board, Pod { side, kind }, at);
                if let Some(mut after) = boards.into_iter().find(fits) {
                    after.occupants[at.index()] = Some(Pod { side, kind });
                    let hand = &mut after.hands[side];
                    let taken = !self.reads(Wrong::HandKept) && hand.take(kind);
                    while taken && self.reads(Wrong::KindUsedUp) && hand.take(kind) {}
                    outcomes.push((action, after));
                }
            }
        }
        outcomes
    }

    /// Returns the boards on which what stands on a point has been pushed on.
    fn pushed_away(&self, position: &Position, at: Point) -> Vec<Position> {
        let away = |direction| {
            let chain = self.chain(position, at, direction)?;
            let mut board = position.clone();
            self.push(&mut board, &chain, direction);
            Some(board)
        };
        Direction::ALL.into_iter().filter_map(away).collect()
    }

    /// Returns `true` if a pod may be placed (R11–R13).
    fn may_stand(&self, position: &Position, pod: Pod, at: Point) -> bool {
        let attacked = self.attacks(position, pod, at);
        let attackers: Vec<Point> = position
            .pods()
            .filter(|&(from, other)| {
                let counts = other.side != pod.side || self.reads(Wrong::FriendsAttack);
                counts && self.attacks(position, other, from).contains(&at)
            })
            .map(|(from, _)| from)
            .collect();
        let victim = |point: &&Point| {
            position.pod(**point).is_some_and(|met| met.side != pod.side || self.reads(Wrong::FriendsForbid))
        };
        let victims: Vec<&Point> = attacked.iter().filter(victim).collect();
        let mut after = position.clone();
        after.occupants[at.index()] = Some(pod);
        let takes_last = |(point, other): (Point, Pod)| {
            point != at
                && other.side != pod.side
                && self.has_liberty(position, other, point)
                && !self.has_liberty(&after, other, point)
        };
        let is_attacked = !attackers.is_empty()
            || (self.reads(Wrong::LinesStay)
                && self.belief(position).is_some_and(|belief| belief.attacked.contains(&at)));
        if self.reads(Wrong::MutualOnly) {
            if attackers.iter().any(|from| victims.contains(&from)) {
                return false;
            }
        } else if (!victims.is_empty() && !self.reads(Wrong::MayAttack))
            || (is_attacked
                && !self.reads(Wrong::MayBeAttacked)
                && !(self.reads(Wrong::LastLiberty) && position.pods().any(takes_last)))
        {
            return false;
        }
        let opens = self.opens(position);
        let spared = opens && self.reads(Wrong::OpeningIsFree);
        if spared || !(self.options().placement_liberty || (opens && self.reads(Wrong::OpeningNeedsLiberty))) {
            return true;
        }
        let blocks = |own_only: bool| {
            position.pods().any(|(point, other)| {
                point != at
                    && (!own_only || other.side == pod.side)
                    && !self.has_liberty(&after, other, point)
                    && (!own_only || self.has_liberty(position, other, point))
            })
        };
        if (self.reads(Wrong::NoFriendBlocked) && blocks(true)) || (self.reads(Wrong::NoPodBlocked) && blocks(false)) {
            return false;
        }
        let saved = self.reads(Wrong::SavedPlacement) && self.can_push(&after, pod, at, pod.side);
        saved || self.has_liberty(position, pod, at)
    }
}
