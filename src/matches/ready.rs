//! A setup that games can start from.

use crate::engine::Bitboard;
use crate::position::{Hand, Position};

/// A setup that is ready to be played.
pub struct Ready {
    /// The engine of its game.
    pub engine: Bitboard,
    /// White's and Black's hand at the start.
    pub hands: [Hand; 2],
    /// The starting position.
    pub start: Position,
}
