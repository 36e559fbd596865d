//! Tiers and slices: positions with the same pods in the game, and with the same pods on the board.

/// A digit of a row number: the points of the pods of one piece type, the last pod of the slice
/// left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    pub(super) count: u8,
    pub(super) weight: u64,
}

/// Positions with the same pods on the board.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(super) on_board: Vec<u8>,
    pub(super) digits: Vec<Digit>,
    pub(super) single: bool,
    pub(super) last: Option<u8>,
    pub(super) first_row: u64,
    pub(super) rows: u64,
    pub(super) positions: u64,
}

impl Slice {
    /// Returns the number of pods of each piece type that stand on the board.
    #[must_use]
    pub fn on_board(&self) -> &[u8] {
        &self.on_board
    }

    /// Returns the piece type of the last pod; `None` on an empty board, which is one row with one
    /// cell in use.
    pub(crate) fn last(&self) -> Option<u8> {
        self.last
    }

    /// Returns the number of the first row within the tier.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// Returns the number of rows, for one side to move.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns `true` if every digit is the point of a single pod.
    #[inline]
    pub(in crate::table) fn is_single(&self) -> bool {
        self.single
    }

    /// Returns the weight of the digit with this place among the fixed pods, if all are single.
    #[inline]
    pub(in crate::table) fn digit_weight(&self, place: usize) -> u64 {
        self.digits[place].weight
    }
}

/// Positions with the same pods still in the game.
#[derive(Clone, Debug)]
pub struct Tier {
    pub(super) alive: Vec<u8>,
    pub(super) slices: Vec<Slice>,
    /// The slice of each mixed-radix number of pods on the board; `u32::MAX` for none.
    pub(super) slice_of: Vec<u32>,
    pub(super) weights: Vec<u32>,
    pub(super) rows: u64,
    pub(super) positions: u64,
}

impl Tier {
    /// Returns the number of pods of each piece type that are still in the game.
    #[must_use]
    pub(crate) fn alive(&self) -> &[u8] {
        &self.alive
    }

    /// Returns the slices, one after the other in row numbers.
    #[must_use]
    pub fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// Returns the number of rows, for one side to move.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the number of positions, for one side to move, those with blocked pods too.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    pub(crate) fn slice_at(&self, row: u64) -> usize {
        self.slices.partition_point(|s| s.first_row <= row) - 1
    }

    #[inline]
    pub(in crate::table) fn weight(&self, piece_type: u8) -> u32 {
        self.weights[piece_type as usize]
    }

    /// Returns the slice of a key: the sum of the weights of all pods on the board.
    #[inline]
    pub(in crate::table) fn slice_by_key(&self, key: u32) -> Option<&Slice> {
        self.slices.get(*self.slice_of.get(key as usize)? as usize)
    }
}
