//! Mobility: how many placements a side has. Heuristics use it.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Bitboard, State};
use crate::material::Side;

/// Placements of a side if it were to move (R10–R13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mobility {
    /// Pairs of a kind in hand and a point where it may be placed.
    pub pairs: u32,
    /// Points where at least one kind may be placed; bit n stands for point n.
    pub points: u64,
    /// Kinds that may be placed somewhere.
    pub kinds: u32,
    /// Pods in hand.
    pub in_hand: u32,
}

impl Bitboard {
    /// Returns the placements of a side if it were to move. Whose turn it is and the opening clause
    /// (R9) make no difference.
    #[must_use]
    pub fn mobility(&self, state: &State, side: Side) -> Mobility {
        let mut turned = state.clone();
        turned.mover = side.index() as u8;
        turned.open = false;
        let mut mobility = Mobility { in_hand: u32::from(state.in_hand[side.index()]), ..Mobility::default() };
        let _: ControlFlow<Infallible> = self.try_placements(&turned, |_, at| {
            mobility.pairs += at.count_ones();
            mobility.points |= at;
            mobility.kinds += 1;
            ControlFlow::Continue(())
        });
        mobility
    }
}
