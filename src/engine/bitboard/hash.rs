//! Keys of the incremental 64-bit hash (Zobrist, 1970), the same in every run.

use crate::geometry::MAX_POINTS;
use crate::material::{PodKind, PodSet, Side};
use crate::position::Position;

const COUNTS: usize = PodSet::MAX_COUNT as usize + 1;

/// One fixed pseudo-random key for each feature of a position; the hash is the exclusive or of the
/// keys of its features.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// By side, kind and point, flattened.
    board: Vec<u64>,
    /// By side, kind and count, flattened; 0 for none.
    hand: Vec<u64>,
    pub(super) black_to_move: u64,
    pub(super) open: u64,
}

impl Keys {
    pub(super) fn new() -> Keys {
        let mut state = 0x005e_ed0f_b0d5_u64;
        let mut next = || {
            // SplitMix64 (Steele, Lea and Flood, 2014): keys need to be fixed and well mixed, no
            // more.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        };
        let board = (0..2 * PodKind::MAX * MAX_POINTS).map(|_| next()).collect();
        let mut hand: Vec<u64> = (0..2 * PodKind::MAX * COUNTS).map(|_| next()).collect();
        hand.iter_mut().step_by(COUNTS).for_each(|key| *key = 0);
        Keys { board, hand, black_to_move: next(), open: next() }
    }

    #[inline]
    pub(super) fn board(&self, side: usize, kind: usize, point: usize) -> u64 {
        self.board[(side * PodKind::MAX + kind) * MAX_POINTS + point]
    }

    #[inline]
    pub(super) fn hand(&self, side: usize, kind: usize, count: usize) -> u64 {
        self.hand[(side * PodKind::MAX + kind) * COUNTS + count]
    }
}

impl super::Bitboard {
    /// Returns the hash of a position computed from scratch, to check the one that [`super::State`]
    /// updates with every action.
    #[must_use]
    pub fn hash_from_scratch(&self, position: &Position) -> u64 {
        let mut hash = 0;
        for (point, pod) in position.pods() {
            hash ^= self.keys.board(pod.side.index(), pod.kind.index(), point.index());
        }
        for side in Side::BOTH {
            for (kind, count) in position.hand(side).iter() {
                hash ^= self.keys.hand(side.index(), kind.index(), count as usize);
            }
        }
        if position.to_move() == Side::Black {
            hash ^= self.keys.black_to_move;
        }
        if position.is_open() {
            hash ^= self.keys.open;
        }
        hash
    }
}
