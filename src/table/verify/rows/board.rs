//! The board and the pods of the checker: sets of points, a bit a point, made from the lines of the
//! board.

use crate::geometry::{Direction, MAX_POINTS, PointSet};
use crate::material::{Board, Reach};
use crate::position::Game;
use crate::rules::Captures;
use crate::table::index::{Arrangement, PieceType, Placed, Slice};

type Sets = [u64; MAX_POINTS];

/// No point: beyond an edge, a hole or a missing line.
pub(super) const NOWHERE: u8 = u8::MAX;

/// Views of one piece type from each point of an empty board.
#[derive(Clone, Debug)]
pub(super) struct Views {
    /// The directions of the legs, and whether each is long.
    pub(super) legs: Vec<(usize, bool)>,
    /// Connected neighbours at the legs: the liberties on an empty board (R7).
    pub(super) near: Sets,
    /// The points that have this one among their `near` ones.
    pub(super) near_of: Sets,
    /// The points attacked on an empty board (R5, R6).
    pub(super) sees: Sets,
    /// The points that have this one among those that they see.
    pub(super) seen: Sets,
}

#[derive(Clone, Debug)]
pub(in crate::table) struct BoardTables {
    pub(super) all: u64,
    /// The connected neighbour of each point by direction.
    pub(super) next: [[u8; MAX_POINTS]; 8],
    /// The neighbour of each point by direction, joined or not: kicked pods slide over gaps (R24).
    pub(super) beside: [[u8; MAX_POINTS]; 8],
    /// By piece type of the index.
    pub(super) views: Vec<Views>,
    /// Points that a pod on the second point hides from the first one: those farther along the
    /// line. None where attacks go through (R5).
    pub(super) hidden: Box<[Sets; MAX_POINTS]>,
    /// The points from which a pod hides two points from each other: those between them. None where
    /// attacks go through.
    pub(super) screens: Box<[Sets; MAX_POINTS]>,
    /// True if positions with a blocked pod are left out of tables.
    leaves_out_blocked: bool,
}

impl BoardTables {
    pub(in crate::table) fn new(game: &Game, piece_types: &[PieceType]) -> BoardTables {
        let board = game.board();
        let mut next = [[NOWHERE; MAX_POINTS]; 8];
        let mut beside = next;
        let (mut hidden, mut screens) =
            (Box::new([[0; MAX_POINTS]; MAX_POINTS]), Box::new([[0; MAX_POINTS]; MAX_POINTS]));
        for from in board.points() {
            for direction in Direction::ALL {
                if let Some(to) = board.connected(from, direction) {
                    next[direction.index()][from.index()] = to.index() as u8;
                }
                if let Some(to) = board.neighbour(from, direction) {
                    beside[direction.index()][from.index()] = to.index() as u8;
                }
                let line = line(board, from, direction);
                for (at, &point) in line.iter().enumerate().filter(|_| !game.rules().options().attack_through) {
                    screens[from.index()][point] = set(&line[..at]);
                    hidden[from.index()][point] = set(&line[at + 1..]);
                }
            }
        }
        let views = piece_types.iter().map(|piece_type| Views::new(game, *piece_type)).collect();
        let options = game.rules().options();
        // Where every action is followed by captures, all blocked pods come off and the others gain
        // liberties (R18): no action leads to a blocked pod. But one that could shove its way out
        // stays (R27).
        let may_shove_out = options.moves && options.shoves && options.shove_liberty;
        let leaves_out_blocked = options.captures == Captures::EveryTurn && !may_shove_out;
        BoardTables { all: board.point_set().0, next, beside, views, hidden, screens, leaves_out_blocked }
    }

    /// Returns `true` if positions with a blocked pod are left out of tables.
    pub(in crate::table::verify) fn leaves_out_blocked(&self) -> bool {
        self.leaves_out_blocked
    }

    /// Returns `true` if a table has to hold the position of these pods.
    pub(in crate::table::verify) fn exists(&self, pods: &Arrangement) -> bool {
        let blocked =
            |pod: &Placed| self.views[pod.piece_type as usize].near[pod.point as usize] & !pods.occupied() == 0;
        !self.leaves_out_blocked || !pods.pods().iter().any(blocked)
    }

    /// Returns the points of the last pod of a row for which a table has to hold the position, and
    /// those of them for which it is the highest of its piece type: each position has one of these.
    /// An empty board is point 0.
    pub(in crate::table::verify) fn existing(&self, slice: &Slice, fixed: &Arrangement) -> (u64, u64) {
        let Some(last) = slice.last() else { return (1, 1) };
        let empty = self.all & !fixed.occupied();
        let mut cells = empty;
        if self.leaves_out_blocked {
            let near = &self.views[last as usize].near;
            for pod in fixed.pods() {
                let open = self.views[pod.piece_type as usize].near[pod.point as usize] & empty;
                cells &= match open.count_ones() {
                    0 => 0,
                    1 => !open,
                    _ => cells,
                };
            }
            cells = PointSet(cells)
                .into_iter()
                .fold(0, |free, point| free | u64::from(near[point.index()] & empty != 0) << point.index());
        }
        let alike = fixed.pods().iter().filter(|pod| pod.piece_type == last).map(|pod| pod.point).max();
        (cells, alike.map_or(cells, |highest| cells & (u64::MAX << highest)))
    }

    /// Returns the points that pods hide from a point.
    #[inline]
    pub(super) fn hidden_by(&self, from: u8, pods: &[Placed]) -> u64 {
        let hidden = &self.hidden[from as usize];
        pods.iter().fold(0, |set, pod| set | hidden[pod.point as usize])
    }
}

impl Views {
    fn new(game: &Game, piece_type: PieceType) -> Views {
        let board = game.board();
        let on_board = game.pods().legs(piece_type.kind).on_board(piece_type.side);
        let legs = on_board.iter().map(|leg| (leg.direction.index(), leg.reach == Reach::Long)).collect();
        let mut views = Views { legs, near: [0; 64], near_of: [0; 64], sees: [0; 64], seen: [0; 64] };
        for from in board.points() {
            for leg in on_board.iter() {
                let line = line(board, from, leg.direction);
                let near = &line[..line.len().min(1)];
                views.near[from.index()] |= set(near);
                views.sees[from.index()] |= set(if leg.reach == Reach::Long { &line } else { near });
            }
            for (sets, inverse) in [(&views.near, &mut views.near_of), (&views.sees, &mut views.seen)] {
                for (to, inverse) in inverse.iter_mut().enumerate() {
                    *inverse |= (sets[from.index()] >> to & 1) << from.index();
                }
            }
        }
        views
    }
}

/// Returns the points of the straight line of connected points in a direction, without the first
/// one.
fn line(board: &Board, from: crate::geometry::Point, direction: Direction) -> Vec<usize> {
    let step = |at: &crate::geometry::Point| board.connected(*at, direction);
    std::iter::successors(step(&from), step).map(crate::geometry::Point::index).collect()
}

fn set(points: &[usize]) -> u64 {
    points.iter().fold(0, |set, point| set | 1 << point)
}
