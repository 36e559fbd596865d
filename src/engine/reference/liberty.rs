//! Liberties, and what takes them (R7).

use super::Reference;
use crate::engine::LegBlock;
use crate::geometry::Point;
use crate::material::Leg;
use crate::position::{Pod, Position};

impl Reference {
    /// Returns the obstacle of a leg that starts at `from`; `None` if the leg has a liberty: a
    /// connected adjacent empty point (R7).
    fn leg_block(&self, position: &Position, from: Point, leg: Leg) -> Option<LegBlock> {
        match self.board().neighbour(from, leg.direction) {
            None => Some(LegBlock::Edge),
            Some(next) if self.board().connected(from, leg.direction).is_none() => Some(LegBlock::NoLine(next)),
            Some(next) => position.pod(next).map(|pod| LegBlock::Occupied(next, pod)),
        }
    }

    /// Returns the legs of a pod that stands, or would stand, on `point`, clockwise from north,
    /// each with its obstacle (R7).
    pub(super) fn leg_blocks_of(&self, position: &Position, pod: Pod, point: Point) -> Vec<(Leg, Option<LegBlock>)> {
        self.legs(pod).iter().map(|leg| (leg, self.leg_block(position, point, leg))).collect()
    }

    /// Returns `true` if a pod that stands, or would stand, on `point` has no liberty (R7).
    pub(super) fn is_blocked(&self, position: &Position, pod: Pod, point: Point) -> bool {
        self.legs(pod).iter().all(|leg| self.leg_block(position, point, leg).is_some())
    }

    /// Returns the legs of the pod on `point`, as they lie on the board, clockwise from north, each
    /// with its obstacle, or `None` for a leg with a liberty (R7); no legs if no pod stands there.
    ///
    /// # Panics
    ///
    /// If the point is not on the game's board.
    #[must_use]
    pub fn leg_blocks(&self, position: &Position, point: Point) -> Vec<(Leg, Option<LegBlock>)> {
        position.pod(point).map_or_else(Vec::new, |pod| self.leg_blocks_of(position, pod, point))
    }

    /// Returns the liberties of the pod on `point`, sorted by number (R7); none if no pod stands
    /// there.
    ///
    /// # Panics
    ///
    /// If the point is not on the game's board.
    #[must_use]
    pub fn liberties(&self, position: &Position, point: Point) -> Vec<Point> {
        let free = |(leg, block): (Leg, Option<LegBlock>)| match block {
            None => self.board().connected(point, leg.direction),
            Some(_) => None,
        };
        let mut liberties: Vec<Point> = self.leg_blocks(position, point).into_iter().filter_map(free).collect();
        liberties.sort();
        liberties
    }

    /// Returns the points of all blocked pods, of both sides, sorted by number (R7). Under
    /// `shove-liberty` some of them may escape capture: see [`Reference::capturable_pods`].
    #[must_use]
    pub fn blocked_pods(&self, position: &Position) -> Vec<Point> {
        position.pods().filter(|&(point, pod)| self.is_blocked(position, pod, point)).map(|(point, _)| point).collect()
    }
}
