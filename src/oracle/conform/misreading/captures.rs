//! Captures, with what may be read wrongly about them (R18, R27, R31).

use super::{Misreader, Wrong};
use crate::geometry::Point;
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
        if !self.captures_follow(action) || (won && self.reads(Wrong::BeforeCaptures)) {
            return (returned, removed);
        }
        let mut order: Vec<Point> = board.pods().map(|(at, _)| at).collect();
        if self.reads(Wrong::FoesFirst) {
            order.sort_by_key(|&at| board.pod(at).is_some_and(|pod| pod.side == mover));
        }
        let judged = board.clone();
        for at in order {
            let Some(pod) = board.pod(at) else { continue };
            let own = pod.side == mover;
            let by =
                if self.reads(Wrong::OneByOne) || (self.reads(Wrong::FoesFirst) && own) { &*board } else { &judged };
            if !self.is_captured(by, at, mover)
                || self.is_spared(before, at, action)
                || (own && self.reads(Wrong::OnlyFoes))
            {
                continue;
            }
            board.occupants[at.index()] = None;
            if own {
                if !self.reads(Wrong::OwnOut) {
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

    fn is_spared(&self, before: &Position, at: Point, action: Action) -> bool {
        let (Action::Place { at: target, .. }
        | Action::Move { to: target, .. }
        | Action::Shove { to: target, .. }
        | Action::Kick { to: target, .. }) = action;
        let pushed = matches!(action, Action::Shove { .. } | Action::Kick { .. });
        let moved = pushed && at != target && (before.pod(at).is_none() || between(self, action, at));
        (self.reads(Wrong::ActorSpared) && at == target)
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
