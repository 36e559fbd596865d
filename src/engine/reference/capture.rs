//! Captures (R18, R27).

use super::Reference;
use crate::geometry::Point;
use crate::material::PodKind;
use crate::position::{Action, Pod, Position};
use crate::rules::Captures;

/// R18: pods that captures take off the board, each list sorted by id.
pub(super) struct Taken {
    /// The mover's own pods, back to the mover's hand.
    pub returned: Vec<PodKind>,
    /// The opponent's pods, out of the game.
    pub removed: Vec<PodKind>,
}

impl Reference {
    /// Returns `true` if blocked pods come off the board after such an action (R18, `captures`). A
    /// shove and a kick are moves (R22, R27).
    pub(super) fn captures_follow(&self, action: Action) -> bool {
        match self.options().captures {
            Captures::Never => false,
            Captures::EveryTurn => true,
            Captures::AfterMoves => !matches!(action, Action::Place { .. }),
        }
    }

    /// Takes the blocked pods off at once (R18): all are judged on the board as the action left it,
    /// before any removal. `board` still has the acting player to move.
    pub(super) fn capture(&self, board: &mut Position, action: Action) -> Taken {
        let mut taken = Taken { returned: Vec::new(), removed: Vec::new() };
        if !self.captures_follow(action) {
            return taken;
        }
        let mover = board.to_move();
        for point in self.capturable_pods(board) {
            let Some(pod) = board.occupants[point.index()].take() else { continue };
            if pod.side == mover {
                board.hands[mover].add(pod.kind);
                taken.returned.push(pod.kind);
            } else {
                taken.removed.push(pod.kind);
            }
        }
        taken.returned.sort();
        taken.removed.sort();
        taken
    }

    /// Returns the points of the pods, of both sides, that captures on this board would take off,
    /// sorted by number (R18, R27).
    ///
    /// These are the blocked ones (R7), except, under `shove-liberty`, those that could leave by a
    /// shove or a kick of their own. Whether captures follow an action at all is not asked here.
    #[must_use]
    pub fn capturable_pods(&self, position: &Position) -> Vec<Point> {
        let options = self.options();
        let pushing_saves = options.shove_liberty && options.shoves && options.moves;
        self.blocked_pods(position)
            .into_iter()
            .filter(|&point| {
                !(pushing_saves && position.pod(point).is_some_and(|pod| self.can_push(position, pod, point)))
            })
            .collect()
    }

    /// Returns `true` if a pod could leave its point by a shove or a kick of its own, whoever is to
    /// move (R27).
    fn can_push(&self, position: &Position, pod: Pod, from: Point) -> bool {
        self.moves_of(from, pod).any(|action| match action {
            Action::Shove { from, to } => self.shove_by(position, pod, from, to).is_ok(),
            Action::Kick { from, to, distance } => self.kick_by(position, pod, from, to, distance).is_ok(),
            Action::Place { .. } | Action::Move { .. } => false,
        })
    }
}
