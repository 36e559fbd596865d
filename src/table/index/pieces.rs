//! Pods on points: what stands where, by piece type.

use crate::material::{PodKind, Side};

/// The most pods that may stand on the board in a table.
pub(crate) const MAX_ON_BOARD: usize = 20;

/// The pods of one kind of one player: they are alike, and trading places changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceType {
    /// The owner.
    pub side: Side,
    /// The kind.
    pub kind: PodKind,
    /// Number at the start of the game.
    pub count: u8,
}

/// A pod on the board: the number of its piece type and of its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placed {
    /// The number of the piece type in [`Index::piece_types`](crate::table::Index::piece_types).
    pub piece_type: u8,
    pub point: u8,
}

/// Pods on the board, sorted by piece type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrangement {
    pods: [Placed; MAX_ON_BOARD],
    len: usize,
    occupied: u64,
}

impl Arrangement {
    pub(crate) const EMPTY: Arrangement =
        Arrangement { pods: [Placed { piece_type: 0, point: 0 }; MAX_ON_BOARD], len: 0, occupied: 0 };

    /// Returns the pods, sorted by piece type; alike ones in any order.
    #[inline]
    pub(crate) fn pods(&self) -> &[Placed] {
        &self.pods[..self.len]
    }

    /// Returns the occupied points, a bit a point.
    #[inline]
    pub(crate) fn occupied(&self) -> u64 {
        self.occupied
    }

    /// Adds a pod behind those of its piece type.
    #[inline]
    pub(crate) fn insert(&mut self, pod: Placed) {
        let mut at = self.len;
        while at > 0 && self.pods[at - 1].piece_type > pod.piece_type {
            self.pods[at] = self.pods[at - 1];
            at -= 1;
        }
        self.pods[at] = pod;
        self.len += 1;
        self.occupied |= 1 << pod.point;
    }

    /// Sets a pod on another, empty point.
    #[inline]
    pub(crate) fn carry(&mut self, at: usize, to: u8) {
        self.occupied ^= 1 << self.pods[at].point | 1 << to;
        self.pods[at].point = to;
    }
}
