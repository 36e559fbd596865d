//! Actions worth asking about: every legal one is among them, most are illegal (R10, R17, R22,
//! R24).

use super::Reference;
use crate::geometry::{Direction, Point};
use crate::position::{Action, Pod, Position};

impl Reference {
    /// Returns everything that the side to move might do, each once, without regard to legality.
    pub(super) fn candidates<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = Action> + use<'a> {
        let mover = position.to_move();
        let placements = position
            .hand(mover)
            .iter()
            .flat_map(|(kind, _)| self.board().points().map(move |at| Action::Place { kind, at }));
        let moves =
            position.pods().filter(move |(_, pod)| pod.side == mover).flat_map(|(from, pod)| self.moves_of(from, pod));
        placements.chain(moves)
    }

    /// Returns the moves, shoves and kicks of a pod: along each of its legs to each point that lies
    /// that way.
    pub(super) fn moves_of(&self, from: Point, pod: Pod) -> impl Iterator<Item = Action> + use<'_> {
        self.legs(pod).iter().flat_map(move |leg| {
            self.points_toward(from, leg.direction).enumerate().flat_map(move |(passed, to)| {
                let kicks = if passed == 0 { self.points_toward(to, leg.direction).count() } else { 0 };
                [Action::Move { from, to }, Action::Shove { from, to }]
                    .into_iter()
                    .chain((1..=kicks).map(move |distance| Action::Kick { from, to, distance: distance as u8 }))
            })
        })
    }

    /// Returns the points in a direction, line or no line, up to the edge or a hole.
    fn points_toward(&self, from: Point, direction: Direction) -> impl Iterator<Item = Point> + use<'_> {
        std::iter::successors(self.board().neighbour(from, direction), move |&point| {
            self.board().neighbour(point, direction)
        })
    }

    /// Returns every placement, move, shove and kick that could be asked about: each kind on each
    /// point, and from each pod on the board to each point in a straight line with it. Most are
    /// illegal.
    pub(crate) fn conceivable(&self, position: &Position) -> Vec<Action> {
        let kinds = self.game.pods().kinds();
        let mut actions: Vec<Action> =
            kinds.flat_map(|kind| self.board().points().map(move |at| Action::Place { kind, at })).collect();
        for (from, _) in position.pods() {
            for direction in Direction::ALL {
                for to in self.points_toward(from, direction) {
                    let kicks = (1..=self.points_toward(to, direction).count()).map(|distance| distance as u8);
                    actions.extend([Action::Move { from, to }, Action::Shove { from, to }]);
                    actions.extend(kicks.map(|distance| Action::Kick { from, to, distance }));
                }
            }
        }
        actions
    }
}
