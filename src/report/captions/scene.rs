//! Positions made to show what a caption claims, on the board in one of its four orientations.

use super::{Shown, Witness};
use crate::engine::{Engine as _, Illegal, Reference};
use crate::geometry::{Direction, Orientation, Point};
use crate::material::{Board, PodKind, PodSet, Side};
use crate::position::{Action, Game, Position, UncheckedPosition};
use crate::rules::{Clause, Opening, Options, Preset, RuleSet};

pub(super) type Stands = (Point, Side, PodKind);

/// The board in all orientations, with the pods.
pub(super) struct Scenes {
    scenes: Vec<Scene>,
}

/// The board in one orientation, with engines for the rules of the Standard game and of 003's
/// Advanced game. No opening is restricted, since these are positions within a game.
pub(super) struct Scene {
    pub(super) orientation: Orientation,
    pub(super) standard: Reference,
    pub(super) author: Reference,
}

impl Scenes {
    pub(super) fn new(board: &Board, pods: &PodSet) -> Scenes {
        let engine = |board: &Board, preset: Preset| {
            let options = Options { opening: Opening::Any, ..preset.options() };
            Reference::new(Game::new(board.clone(), pods.clone(), RuleSet::new(preset, options)))
        };
        let scenes = Orientation::ALL.map(|orientation| {
            let turned = board.turned(orientation);
            let (standard, author) = (engine(&turned, Preset::Standard), engine(&turned, Preset::AdvancedAuthor));
            Scene { orientation, standard, author }
        });
        Scenes { scenes: scenes.into() }
    }

    /// Returns the first result of `find`, orientation by orientation.
    pub(super) fn find<T>(&self, find: impl Fn(&Scene) -> Option<T>) -> Option<T> {
        self.scenes.iter().find_map(find)
    }

    pub(super) fn pods(&self) -> &PodSet {
        self.scenes[0].pods()
    }

    pub(super) fn kinds_with(&self, legs: usize) -> Vec<PodKind> {
        let pods = self.pods();
        pods.kinds().filter(|&kind| pods.legs(kind).count() == legs).collect()
    }

    /// Writes ids and legs of kinds, for messages.
    pub(super) fn named(&self, kinds: &[PodKind]) -> String {
        let named: Vec<String> =
            kinds.iter().map(|&kind| format!("{} ({})", self.pods().id(kind), self.pods().legs(kind))).collect();
        if named.is_empty() { "none".to_owned() } else { named.join(", ") }
    }
}

impl Scene {
    pub(super) fn board(&self) -> &Board {
        self.standard.game().board()
    }

    pub(super) fn pods(&self) -> &PodSet {
        self.standard.game().pods()
    }

    pub(super) fn name(&self, point: Point) -> String {
        self.board().coord(point).to_string()
    }

    pub(super) fn neighbour(&self, point: Point, direction: Direction) -> Option<Point> {
        self.board().neighbour(point, direction)
    }

    pub(super) fn joined(&self, point: Point, direction: Direction) -> Option<Point> {
        self.board().connected(point, direction)
    }

    /// Returns the neighbour in a direction, if there is one and no line joins it.
    pub(super) fn unjoined(&self, point: Point, direction: Direction) -> Option<Point> {
        self.neighbour(point, direction).filter(|_| self.joined(point, direction).is_none())
    }

    /// Returns the position with these pods on the board and the others in hand; `None` if the set
    /// has too few.
    pub(super) fn position(&self, stands: &[Stands], to_move: Side) -> Option<Position> {
        let (board, pods) = (self.board(), self.pods());
        let placed = stands.iter().map(|&(point, side, kind)| (board.coord(point), side, pods.id(kind)));
        let mut hands = [Vec::new(), Vec::new()];
        for side in Side::BOTH {
            for kind in pods.kinds() {
                let used = stands.iter().filter(|&&(_, owner, of)| (owner, of) == (side, kind)).count();
                match usize::from(pods.spec(kind).count).checked_sub(used)? {
                    0 => {}
                    left => hands[side.index()].push((pods.id(kind), u8::try_from(left).ok()?)),
                }
            }
        }
        let widths = vec![usize::from(board.columns()); usize::from(board.rows())];
        UncheckedPosition { widths, pods: placed.collect(), to_move, hands, open: false }
            .check(self.standard.game())
            .ok()
    }

    /// Returns the clause that a placement breaks; `None` if it is legal.
    pub(super) fn refused(&self, position: &Position, kind: PodKind, at: Point) -> Option<Clause> {
        self.standard.check(position, Action::Place { kind, at }).err().map(|Illegal { clause, .. }| clause)
    }

    /// Returns pods to occupy these points, all of different kinds and none of the kind `but`;
    /// `None` if there are too few kinds.
    pub(super) fn occupants(&self, points: &[Point], but: PodKind) -> Option<Vec<Stands>> {
        let mut kinds = self.pods().kinds().filter(|&kind| kind != but);
        points.iter().map(|&point| Some((point, Side::White, kinds.next()?))).collect()
    }

    pub(super) fn shows(&self, what: String, position: &Position, engine: &Reference) -> Witness {
        let game = engine.game();
        let shown = Shown {
            orientation: self.orientation,
            rules: game.rules().to_string(),
            position: position.display(game).to_string(),
        };
        Witness { what, shown: Some(shown) }
    }
}
