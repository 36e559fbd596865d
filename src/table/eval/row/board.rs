//! Tables of board and legs before any pod stands: lines, reaches, liberties, point by point.

use crate::geometry::{Direction, MAX_POINTS, Point};
use crate::material::{Board, Lines};
use crate::position::Game;
use crate::rules::Options;
use crate::table::index::Index;
use crate::table::retro::PushTables;

pub(super) struct PieceTables {
    /// The owner, 0 or 1.
    pub(super) side: usize,
    /// The directions of the legs on the board, and whether each is long.
    pub(super) legs: Vec<(usize, bool)>,
    /// The connected neighbours in the directions of legs (R7).
    pub(super) liberties: [u64; MAX_POINTS],
    pub(super) liberty_of: [u64; MAX_POINTS],
    /// The points attacked from a point of an empty board (R5, R6).
    pub(super) reach: [u64; MAX_POINTS],
    /// The points from which a point of an empty board is attacked.
    pub(super) reached_from: [u64; MAX_POINTS],
    /// The points along each leg, nearest first (R17).
    pub(super) runs: Vec<Vec<Vec<u8>>>,
}

/// The board as the bit-parallel sweeps see it.
pub(super) struct BoardTables {
    pub(super) all: u64,
    /// The points on a straight line of connected points with a point.
    pub(super) star: [u64; MAX_POINTS],
    /// The points between two on a line.
    between: Vec<u64>,
    /// The points of the line from one point through another that lie behind the other.
    beyond: Vec<u64>,
    lines: Lines,
    /// For two piece types and a point of the first, where a pod of the second attacks it or is
    /// attacked by it on an empty board; nowhere if they have one owner.
    conflicts: Vec<[u64; MAX_POINTS]>,
    pub(super) piece_types: Vec<PieceTables>,
    /// `None` if no pod can be pushed.
    pub(super) pushes: Option<PushTables>,
}

impl BoardTables {
    pub(super) fn new(game: &Game, index: &Index) -> BoardTables {
        let board = game.board();
        let mut tables = BoardTables {
            all: board.point_set().0,
            star: [0; MAX_POINTS],
            between: vec![0; MAX_POINTS * MAX_POINTS],
            beyond: vec![0; MAX_POINTS * MAX_POINTS],
            lines: Lines::new(board),
            conflicts: Vec::new(),
            piece_types: Vec::new(),
            pushes: pods_push(game.rules().options()).then(|| PushTables::new(game)),
        };
        for from in board.points() {
            for direction in Direction::ALL {
                let line = line(board, from, direction);
                for (i, &to) in line.iter().enumerate() {
                    let set = |part: &[u8]| part.iter().fold(0_u64, |set, p| set | 1 << p);
                    let pair = from.index() * MAX_POINTS + to as usize;
                    tables.star[from.index()] |= 1 << to;
                    tables.between[pair] = set(&line[..i]);
                    tables.beyond[pair] = set(&line[i + 1..]);
                }
            }
        }
        for piece_type in index.piece_types() {
            let legs = game.pods().legs(piece_type.kind).on_board(piece_type.side);
            let mut of = PieceTables {
                side: piece_type.side.index(),
                legs: legs.iter().map(|l| (l.direction.index(), legs.long().contains(l.direction))).collect(),
                liberties: [0; MAX_POINTS],
                liberty_of: [0; MAX_POINTS],
                reach: [0; MAX_POINTS],
                reached_from: [0; MAX_POINTS],
                runs: vec![Vec::new(); board.len()],
            };
            for from in board.points() {
                for leg in legs.iter() {
                    let mut run = line(board, from, leg.direction);
                    let Some(&near) = run.first() else { continue };
                    if legs.short().contains(leg.direction) {
                        run.truncate(1);
                    }
                    of.liberties[from.index()] |= 1 << near;
                    of.liberty_of[near as usize] |= 1 << from.index();
                    for &to in &run {
                        of.reach[from.index()] |= 1 << to;
                        of.reached_from[to as usize] |= 1 << from.index();
                    }
                    of.runs[from.index()].push(run);
                }
            }
            tables.piece_types.push(of);
        }
        for one in &tables.piece_types {
            tables.conflicts.extend(tables.piece_types.iter().map(|other| match one.side == other.side {
                true => [0; MAX_POINTS],
                false => std::array::from_fn(|at| one.reach[at] | other.reached_from[at]),
            }));
        }
        tables
    }

    /// Returns the points where a pod of a piece type stands in a line of attack with one of
    /// another piece type and owner, on an empty board.
    #[inline]
    pub(super) fn conflicts(&self, piece_type: u8, at: u8, other: u8) -> u64 {
        self.conflicts[piece_type as usize * self.piece_types.len() + other as usize][at as usize & (MAX_POINTS - 1)]
    }

    /// Returns the points between two points of a line.
    #[inline]
    pub(super) fn between(&self, a: u8, b: u8) -> u64 {
        self.between[a as usize * MAX_POINTS + b as usize]
    }

    /// Returns the points behind `through` as seen from `from`.
    #[inline]
    pub(super) fn beyond(&self, from: u8, through: u8) -> u64 {
        self.beyond[from as usize * MAX_POINTS + through as usize]
    }

    #[inline]
    pub(super) fn step_into(&self, direction: usize, set: u64) -> u64 {
        self.lines.step_into(direction, set)
    }

    /// Returns the empty points from which a pod of a piece type can move into a set of empty
    /// points (R17).
    #[inline]
    pub(super) fn moves_into(&self, piece_type: u8, set: u64, empty: u64) -> u64 {
        let mut from = 0;
        for &(direction, long) in &self.piece_types[piece_type as usize].legs {
            let mut front = self.step_into(direction, set) & empty;
            from |= front;
            while long && front != 0 {
                front = self.step_into(direction, front) & empty;
                from |= front;
            }
        }
        from
    }

    /// Returns the points where a pod of a piece type has a liberty (R7) when these points are
    /// empty, and those where it has only one.
    #[inline]
    pub(super) fn free(&self, piece_type: u8, empty: u64) -> (u64, u64) {
        let (mut once, mut twice) = (0, 0);
        for &(direction, _) in &self.piece_types[piece_type as usize].legs {
            let near = self.step_into(direction, empty);
            twice |= once & near;
            once |= near;
        }
        (once, once & !twice)
    }
}

/// Returns `true` if pods shove and kick (R22, R24).
pub(super) fn pods_push(options: &Options) -> bool {
    options.moves && options.shoves
}

fn line(board: &Board, from: Point, direction: Direction) -> Vec<u8> {
    let next = |&p: &Point| board.connected(p, direction);
    std::iter::successors(next(&from), next).map(|p| p.index() as u8).collect()
}
