//! Reach and attack (R4, R5, R6).

use super::Reference;
use crate::geometry::Point;
use crate::material::{Leg, Legs, Reach};
use crate::position::{Pod, Position};

impl Reference {
    /// Returns the legs of a pod as they lie on the board (R4).
    pub(super) fn legs(&self, pod: Pod) -> Legs {
        self.game.pods().legs(pod.kind).on_board(pod.side)
    }

    /// Returns the points that a leg reaches when it attacks from `from`, nearest first (R5, R6).
    ///
    /// A short leg reaches the connected neighbour, a long leg the straight line of connected
    /// points up to and including the first occupied one, or, under `attack-through`, to the end of
    /// the line.
    pub(super) fn reached<'a>(
        &'a self,
        position: &'a Position,
        from: Point,
        leg: Leg,
    ) -> impl Iterator<Item = Point> + use<'a> {
        let mut last = Some(from);
        std::iter::from_fn(move || {
            let next = self.board().connected(last?, leg.direction)?;
            let stops = position.pod(next).is_some() && !self.options().attack_through;
            last = (leg.reach == Reach::Long && !stops).then_some(next);
            Some(next)
        })
    }

    /// Returns the point of the first pod that a leg passes before it reaches `target`; none unless
    /// `attack-through` is on (R5).
    pub(super) fn first_passed(&self, position: &Position, from: Point, leg: Leg, target: Point) -> Option<Point> {
        self.reached(position, from, leg)
            .take_while(|&point| point != target)
            .find(|&point| position.pod(point).is_some())
    }

    /// Returns the points that the pod on `point` attacks, sorted by number (R6); none if no pod
    /// stands there.
    ///
    /// # Panics
    ///
    /// If the point is not on the game's board.
    #[must_use]
    pub fn attacked_points(&self, position: &Position, point: Point) -> Vec<Point> {
        let Some(pod) = position.pod(point) else { return Vec::new() };
        let mut attacked: Vec<Point> =
            self.legs(pod).iter().flat_map(|leg| self.reached(position, point, leg)).collect();
        attacked.sort();
        attacked
    }
}
