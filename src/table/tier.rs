//! Tiers and slices: positions with the same pods in the game, and with the same pods on the board.

/// A digit of a row number: the points of the pods of one class, the last pod of the slice left out.
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
    /// How many pods of each class stand on the board.
    #[must_use]
    pub fn on_board(&self) -> &[u8] {
        &self.on_board
    }

    /// The class of the last pod; `None` on an empty board, which is one row with one cell in use.
    #[must_use]
    pub fn last(&self) -> Option<u8> {
        self.last
    }

    /// The number of the first row within the tier.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// How many rows there are, for one side to move.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How many positions there are, for one side to move, those with blocked pods too.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Whether every digit is the point of a single pod.
    #[inline]
    pub(super) fn is_single(&self) -> bool {
        self.single
    }

    /// What the digit with this place among the fixed pods counts, if all are single.
    #[inline]
    pub(super) fn digit_weight(&self, place: usize) -> u64 {
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
    /// How many pods of each class are still in the game.
    #[must_use]
    pub fn alive(&self) -> &[u8] {
        &self.alive
    }

    /// The slices, one after the other in row numbers.
    #[must_use]
    pub fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// How many rows there are, for one side to move.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How many positions there are, for one side to move, those with blocked pods too.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The slice to which a row belongs.
    #[must_use]
    pub fn slice_at(&self, row: u64) -> usize {
        self.slices.partition_point(|s| s.first_row <= row) - 1
    }

    /// The weight of a class in the key of a slice.
    #[inline]
    pub(super) fn weight(&self, class: u8) -> u32 {
        self.weights[class as usize]
    }

    /// The slice of a key: the sum of the weights of all pods on the board.
    #[inline]
    pub(super) fn slice_by_key(&self, key: u32) -> Option<&Slice> {
        self.slices.get(self.slice_of[key as usize] as usize)
    }
}
