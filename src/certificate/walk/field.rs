//! Board, pods and rules of a placement game, as sets of points for the checker of version 4.

use crate::geometry::{Direction, DirectionSet, Point};
use crate::material::{Legs, Lines, PodKind, Side};
use crate::position::Game;
use crate::rules::EmptyHand;

#[inline]
pub(in crate::certificate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

/// Legs as they lie on the board, a bit a direction (R4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::certificate) struct LegBits {
    pub(in crate::certificate) all: u8,
    pub(in crate::certificate) long: u8,
}

impl LegBits {
    pub(in crate::certificate) fn of(legs: Legs) -> LegBits {
        let set = |set: DirectionSet| set.iter().fold(0, |bits, d| bits | 1 << d.index());
        LegBits { all: set(legs.short() | legs.long()), long: set(legs.long()) }
    }

    pub(in crate::certificate) fn with(self, other: LegBits) -> LegBits {
        LegBits { all: self.all | other.all, long: self.long | other.long }
    }
}

/// Board, pods and rules.
#[derive(Clone, Debug)]
pub(in crate::certificate) struct Field {
    pub(in crate::certificate) lines: Lines,
    pub(in crate::certificate) points: u64,
    pub(in crate::certificate) legs: [[LegBits; PodKind::MAX]; 2],
    pub(in crate::certificate) kinds: usize,
    /// The kinds that may open (R9), a bit a kind.
    pub(in crate::certificate) bipods: u32,
    /// `placement-liberty` (R13).
    pub(in crate::certificate) liberty: bool,
    /// `attack-through` (R5).
    pub(in crate::certificate) through: bool,
    /// True if an empty hand wins (R16).
    pub(in crate::certificate) hand_wins: bool,
    /// The image of each point, where the lemma of the mirror may hold.
    pub(in crate::certificate) images: Option<Vec<u8>>,
}

impl Field {
    pub(in crate::certificate) fn new(game: &Game) -> Field {
        let (board, pods, options) = (game.board(), game.pods(), game.rules().options());
        let mut legs = [[LegBits::default(); PodKind::MAX]; 2];
        for side in Side::BOTH {
            for kind in pods.kinds() {
                legs[side.index()][kind.index()] = LegBits::of(pods.legs(kind).on_board(side));
            }
        }
        let hand_wins = options.empty_hand == EmptyHand::Wins;
        Field {
            lines: Lines::new(board),
            points: board.point_set().0,
            legs,
            kinds: pods.kinds().len(),
            bipods: pods.kinds().filter(|&k| pods.is_bipod(k)).fold(0, |set, k| set | 1 << k.index()),
            liberty: options.placement_liberty,
            through: options.attack_through,
            hand_wins,
            images: images(game).filter(|_| !hand_wins),
        }
    }

    /// Returns the points over which long legs go on, where those of `empty` are empty for good
    /// (R5).
    #[inline]
    pub(in crate::certificate) fn open_to(&self, empty: u64) -> u64 {
        if self.through { self.points } else { empty }
    }
}

/// Returns the image of each point under a half turn, if lines go to lines, and no point is its own
/// image or joined to it by a straight sequence of lines.
fn images(game: &Game) -> Option<Vec<u8>> {
    let board = game.board();
    let image = |point: Point| {
        let mut coord = board.coord(point);
        coord.row = board.rows() - 1 - coord.row;
        coord.column = board.columns() - 1 - coord.column;
        board.point_at(coord)
    };
    let images: Vec<Point> = board.points().map(image).collect::<Option<_>>()?;
    let fits = |point: Point, direction: Direction| {
        let of = images[point.index()];
        let next = board.connected(point, direction);
        let mut line = std::iter::successors(next, |&at| board.connected(at, direction));
        of != point
            && line.all(|at| at != of)
            && next.map(|next| images[next.index()]) == board.connected(of, direction.opposite())
    };
    let holds = board.points().all(|point| Direction::ALL.into_iter().all(|d| fits(point, d)));
    holds.then(|| images.into_iter().map(|point| point.index() as u8).collect())
}
