//! A half of a tier: its positions with one side to move.

use crate::material::Side;
use crate::table::index::Index;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::table) struct TierSide {
    pub(in crate::table) tier: usize,
    pub(in crate::table) to_move: Side,
}

impl TierSide {
    /// Returns the bytes of its codes, a byte a cell.
    pub(in crate::table) fn bytes(self, index: &Index) -> u64 {
        index.tiers()[self.tier].rows() * index.points() as u64
    }
}
