//! A setup that games can start from.

use crate::engine::Bitboard;
use crate::material::Side;
use crate::position::{Position, Setup, StartError};

/// A setup that is ready to be played.
pub struct Ready {
    /// The engine of its game.
    pub engine: Bitboard,
    /// The setup.
    pub setup: Setup,
    /// The starting position.
    pub start: Position,
}

impl Ready {
    /// Returns the setup with its engine, and `first` to start.
    ///
    /// # Errors
    ///
    /// If the setup cannot start.
    pub(crate) fn new(setup: &Setup, first: Side) -> Result<Ready, StartError> {
        let start = setup.start(first)?;
        Ok(Ready { engine: Bitboard::new(setup.game().clone()), setup: setup.clone(), start })
    }
}
