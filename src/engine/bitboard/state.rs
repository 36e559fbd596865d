//! A position as the fast engine keeps it.

use crate::engine::bitboard::Bitboard;
use crate::geometry::{MAX_POINTS, Point, PointSet};
use crate::material::{BySide, PodKind, Side};
use crate::position::{Hand, Pod, Position};

/// A position of one game in the form that the engine of that game uses.
///
/// It is copied for every action: to undo one would cost a second toggle of the pod and a list of
/// the captured pods, which saves too little to be worth the state.
#[derive(Clone, Debug)]
pub struct State {
    /// Points held, by side.
    pub(super) held: [u64; 2],
    /// Pods with a short leg in a direction, by side.
    pub(super) short: [[u64; 8]; 2],
    /// Pods with a long leg in a direction, by side.
    pub(super) long: [[u64; 8]; 2],
    /// The kind of the pod on each held point; without meaning elsewhere.
    pub(super) kind_at: [u8; MAX_POINTS],
    pub(super) hands: [[u8; PodKind::MAX]; 2],
    /// Pods in hand, by side.
    pub(super) in_hand: [u16; 2],
    pub(super) hash: u64,
    pub(super) mover: u8,
    pub(super) open: bool,
}

impl State {
    /// Returns the side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        Side::BOTH[self.mover as usize]
    }

    /// Returns the incremental 64-bit hash (Zobrist): equal positions of a game have equal hashes.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the pod on a point; `None` if the point is empty.
    pub(crate) fn pod(&self, point: Point) -> Option<Pod> {
        let side = Side::BOTH.into_iter().find(|side| self.held[side.index()] >> point.index() & 1 == 1)?;
        Some(Pod { side, kind: PodKind::new(self.kind_at[point.index()] as usize) })
    }

    /// Calls `visit` with three numbers for each pod on the board: its point, its side (0 White, 1
    /// Black) and its kind.
    #[inline]
    pub(crate) fn for_each_pod(&self, mut visit: impl FnMut(usize, usize, usize)) {
        for (side, &held) in self.held.iter().enumerate() {
            for point in PointSet(held) {
                visit(point.index(), side, self.kind_at[point.index()] as usize);
            }
        }
    }

    pub(crate) fn in_hand(&self, side: Side, kind: PodKind) -> u8 {
        self.hands[side.index()][kind.index()]
    }

    #[inline]
    pub(crate) fn pods_in_hand(&self, side: Side) -> u32 {
        u32::from(self.in_hand[side.index()])
    }

    /// Returns the points that a player's pods stand on.
    #[inline]
    pub(crate) fn held(&self, side: Side) -> PointSet {
        PointSet(self.held[side.index()])
    }

    /// Returns `true` if the opening clause binds the side to move (R9, R32).
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }
}

impl Bitboard {
    /// Returns the state of a position.
    #[must_use]
    pub fn state(&self, position: &Position) -> State {
        let mut state = State {
            held: [0; 2],
            short: [[0; 8]; 2],
            long: [[0; 8]; 2],
            kind_at: [0; MAX_POINTS],
            hands: [[0; PodKind::MAX]; 2],
            in_hand: [0; 2],
            hash: 0,
            mover: position.to_move().index() as u8,
            open: position.is_open(),
        };
        for (point, pod) in position.pods() {
            self.put(&mut state, pod.side.index(), pod.kind.index(), point.index());
        }
        for side in Side::BOTH {
            for (kind, count) in position.hand(side).iter() {
                self.set_hand(&mut state, side.index(), kind.index(), count);
            }
        }
        if position.to_move() == Side::Black {
            state.hash ^= self.keys.black_to_move;
        }
        if state.open {
            state.hash ^= self.keys.open;
        }
        state
    }

    /// Returns the position of a state.
    #[must_use]
    pub fn position(&self, state: &State) -> Position {
        let hand = |side: Side| {
            let mut hand = Hand::EMPTY;
            for kind in self.game.pods().kinds() {
                for _ in 0..state.in_hand(side, kind) {
                    hand.add(kind);
                }
            }
            hand
        };
        Position {
            occupants: self.game.board().points().map(|point| state.pod(point)).collect(),
            hands: BySide::from_fn(hand),
            to_move: state.to_move(),
            open: state.open,
        }
    }

    #[inline]
    fn toggle(&self, state: &mut State, side: usize, kind: usize, point: usize) {
        let bit = 1 << point;
        state.held[side] ^= bit;
        let legs = self.legs[side][kind];
        for direction in 0..8 {
            state.short[side][direction] ^= u64::from(legs.short >> direction & 1) << point;
            state.long[side][direction] ^= u64::from(legs.long >> direction & 1) << point;
        }
        state.hash ^= self.keys.board(side, kind, point);
    }

    #[inline]
    pub(super) fn put(&self, state: &mut State, side: usize, kind: usize, point: usize) {
        state.kind_at[point] = kind as u8;
        self.toggle(state, side, kind, point);
    }

    /// Takes the pod off a point and says of which kind it is.
    #[inline]
    pub(super) fn lift(&self, state: &mut State, side: usize, point: usize) -> usize {
        let kind = state.kind_at[point] as usize;
        self.toggle(state, side, kind, point);
        kind
    }

    #[inline]
    pub(super) fn set_hand(&self, state: &mut State, side: usize, kind: usize, count: u8) {
        let before = state.hands[side][kind];
        state.hash ^= self.keys.hand(side, kind, before as usize) ^ self.keys.hand(side, kind, count as usize);
        state.in_hand[side] = state.in_hand[side] + u16::from(count) - u16::from(before);
        state.hands[side][kind] = count;
    }
}
