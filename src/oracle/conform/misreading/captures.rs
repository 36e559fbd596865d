//! Captures, with what may be read wrongly about them (R18, R27, R31).

use std::collections::BTreeSet;

use super::{Misreader, Wrong};
use crate::geometry::{Direction, Point};
use crate::material::{PodKind, Side};
use crate::position::{Action, Position};
use crate::rules::{Captures, EmptyHand};

impl Misreader {
    /// Returns `true` if captures take the pod on a point off the board (R18, R27).
    pub(super) fn is_captured(&self, position: &Position, at: Point, mover: Side) -> bool {
        let Some(pod) = position.pod(at) else { return false };
        let saved = self.options().shove_liberty && self.can_push(position, pod, at, mover);
        !self.has_liberty(position, pod, at) && !saved
    }

    fn captures_follow(&self, action: Action) -> bool {
        let placed = matches!(action, Action::Place { .. });
        let pushed = matches!(action, Action::Shove { .. } | Action::Kick { .. });
        match self.options().captures {
            Captures::Never => false,
            _ if pushed && self.reads(Wrong::NoCaptureAfterPush) => false,
            Captures::EveryTurn => true,
            Captures::AfterMoves => !placed,
        }
    }

    /// Takes blocked pods off the board that an action has left (R18); returns what came back to
    /// the mover's hand, and what went.
    pub(super) fn capture(
        &self,
        before: &Position,
        board: &mut Position,
        action: Action,
    ) -> (Vec<PodKind>, Vec<PodKind>) {
        let mover = before.to_move();
        let (mut returned, mut removed) = (Vec::new(), Vec::new());
        let won = self.options().empty_hand == EmptyHand::Wins && board.hand(mover).is_empty();
        if !self.captures_follow(action)
            || (won && self.reads(Wrong::BeforeCaptures))
            || (before.is_open() && self.reads(Wrong::OpeningStays))
        {
            return (returned, removed);
        }
        let mut order: Vec<Point> = board.pods().map(|(at, _)| at).collect();
        if self.reads(Wrong::FoesFirst) {
            order.sort_by_key(|&at| board.pod(at).is_some_and(|pod| pod.side == mover));
        }
        let mut judged = board.clone();
        if let Action::Move { from, .. } | Action::Shove { from, .. } | Action::Kick { from, .. } = action
            && self.reads(Wrong::LeftIsTaken)
        {
            judged.occupants[from.index()] = before.pod(from);
        }
        let taken = if self.reads(Wrong::OneByOne) { Some(self.one_by_one(board, mover)) } else { None };
        for at in order {
            let Some(pod) = board.pod(at) else { continue };
            let own = pod.side == mover;
            let by = if self.reads(Wrong::FoesFirst) && own { &*board } else { &judged };
            let freed =
                self.reads(Wrong::FreedTaken) && before.pod(at) == Some(pod) && self.is_captured(before, at, mover);
            let captured = taken.as_ref().map_or_else(|| self.is_captured(by, at, mover), |taken| taken.contains(&at));
            if !(captured || freed) || self.is_spared(before, at, action) || (own && self.reads(Wrong::OnlyFoes)) {
                continue;
            }
            board.occupants[at.index()] = None;
            if own {
                let is_out = self.reads(Wrong::OwnOut) || (won && self.reads(Wrong::EmptiedStays));
                if !is_out {
                    board.hands[mover].add(pod.kind);
                }
                returned.push(pod.kind);
                continue;
            }
            if self.reads(Wrong::FoesReturn) {
                board.hands[pod.side].add(pod.kind);
            } else if self.reads(Wrong::FoesToMover) {
                board.hands[mover].add(pod.kind);
            }
            removed.push(pod.kind);
        }
        returned.sort();
        removed.sort();
        (returned, removed)
    }

    /// Returns the pods that come off one after the other, in the order that is asked for.
    fn one_by_one(&self, board: &Position, mover: Side) -> BTreeSet<Point> {
        let (mut found, mut open) = (BTreeSet::new(), vec![BTreeSet::new()]);
        let mut seen = BTreeSet::new();
        while let Some(taken) = open.pop() {
            let mut left = board.clone();
            for at in &taken {
                left.occupants[Point::index(*at)] = None;
            }
            let blocked = left.pods().map(|(at, _)| at).filter(|&at| self.is_captured(&left, at, mover));
            let mut more: Vec<BTreeSet<Point>> =
                blocked.map(|at| taken.iter().copied().chain([at]).collect()).collect();
            if more.is_empty() {
                found.insert(taken);
            }
            more.retain(|taken| seen.insert(taken.clone()));
            open.extend(more);
        }
        self.orders.set(found.len());
        found.into_iter().nth(self.order.get()).unwrap_or_default()
    }

    /// Returns `true` if a move has gone by one step along a line.
    fn came_from_next_door(&self, action: Action) -> bool {
        let (Action::Move { from, to } | Action::Shove { from, to } | Action::Kick { from, to, .. }) = action else {
            return false;
        };
        Direction::ALL.into_iter().any(|direction| self.joined(to, direction) == Some(from))
    }

    fn is_spared(&self, before: &Position, at: Point, action: Action) -> bool {
        let (Action::Place { at: target, .. }
        | Action::Move { to: target, .. }
        | Action::Shove { to: target, .. }
        | Action::Kick { to: target, .. }) = action;
        let pushed = matches!(action, Action::Shove { .. } | Action::Kick { .. });
        let moved = pushed && at != target && (before.pod(at).is_none() || between(self, action, at));
        let placed = matches!(action, Action::Place { .. });
        (self.reads(Wrong::ActorSpared) && at == target)
            || (self.reads(Wrong::MoverSpared) && at == target && !placed)
            || (self.reads(Wrong::PlacedAlone) && at != target && placed)
            || (self.reads(Wrong::LeftIsFree) && at == target && self.came_from_next_door(action))
            || (self.reads(Wrong::PushedSpared) && moved)
            || (self.reads(Wrong::BlockedStays) && at != target && self.is_captured(before, at, before.to_move()))
    }
}

/// Returns `true` if a point lies beyond the target of a push, where what it pushes goes.
fn between(reader: &Misreader, action: Action, at: Point) -> bool {
    let (Action::Shove { from, to } | Action::Kick { from, to, .. }) = action else { return false };
    let coord = |point| {
        let coord = reader.board().coord(point);
        (i32::from(coord.column), i32::from(coord.row))
    };
    let ((ax, ay), (bx, by), (x, y)) = (coord(from), coord(to), coord(at));
    let (dx, dy) = ((bx - ax).signum(), (by - ay).signum());
    let ahead = (x - bx) * dx + (y - by) * dy;
    ahead > 0 && (x - bx) * dy == (y - by) * dx
}
