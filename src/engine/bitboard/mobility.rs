//! How freely a side could place its pods: what heuristics count.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Bitboard, State};
use crate::material::Side;

/// What a side could place if it were to move (R10–R13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mobility {
    /// Pairs of a kind in hand and a point where it may go.
    pub pairs: u32,
    /// The points where at least one kind may go, a bit a point.
    pub points: u64,
    /// The kinds that may go somewhere.
    pub kinds: u32,
    /// Pods in hand.
    pub in_hand: u32,
}

impl Bitboard {
    /// What a side could place if it were to move; whether it is, and whether it has to open (R9), is left out.
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
