//! Everything that a position leads to, as a graph with values: for sums over all games.

use super::limits::Limits;
use super::retrograde::{SolvedPlay, solved};
use super::value::Value;
use crate::engine::bitboard::Bitboard;
use crate::position::Position;
use crate::progress::{Observer, Stopped};

/// Every position that a root leads to, with its value and its next positions.
///
/// Positions have numbers, from 0 for the root, in the order in which a walk level by level meets
/// them.
pub(crate) struct PlayGraph(SolvedPlay);

impl PlayGraph {
    /// Solves everything that a root leads to.
    pub(crate) fn build(
        engine: &Bitboard,
        root: &Position,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<PlayGraph, Stopped> {
        solved(engine, &[root], limits, observer).map(PlayGraph)
    }

    pub(crate) fn positions(&self) -> usize {
        self.0.0.values().len()
    }

    pub(crate) fn values(&self) -> &[Value] {
        self.0.0.values()
    }

    /// Returns the numbers of the next positions, one for each action in the order of
    /// `Bitboard::for_each_action`; none if the game is over.
    ///
    /// # Panics
    ///
    /// If there is no such number.
    pub(crate) fn next(&self, number: u32) -> &[u32] {
        self.0.1.of(number as usize)
    }

    /// Returns the position with a number.
    ///
    /// # Panics
    ///
    /// If there is no such number.
    pub(crate) fn position(&self, number: u32) -> Position {
        self.0.0.position(number)
    }

    /// Returns the number of a position; `None` if the root does not lead to it.
    pub(crate) fn number(&self, position: &Position) -> Option<u32> {
        self.0.0.number(position)
    }
}
