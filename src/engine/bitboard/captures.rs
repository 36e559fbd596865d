//! Moves that may capture, for searches that look at nothing else.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Bitboard, State};
use crate::geometry::PointSet;
use crate::position::Action;
use crate::rules::Captures;

impl Bitboard {
    /// Calls `visit` with the moves to a point that is the only liberty of an opposing pod (R7,
    /// R18), without shoves and kicks. The pod is captured unless the point that is left gives it
    /// another liberty. No placement captures an opposing pod that was not set up blocked: the pod
    /// attacks its liberties (R12).
    pub fn for_each_capturing_move(&self, state: &State, mut visit: impl FnMut(Action)) {
        if self.options.captures == Captures::Never || !self.may_move(state) || self.winner_by_hand(state).is_some() {
            return;
        }
        let foe = state.to_move().other();
        let weak = state.held[foe.index()] & !self.liberties(state, foe).1.0;
        let (short, long) = (&state.short[foe.index()], &state.long[foe.index()]);
        // A pod without a liberty has no point to add.
        let reached = (0..8).fold(0, |points, d| points | self.lines.step(d, (short[d] | long[d]) & weak));
        let targets = reached & self.empty(state);
        if targets == 0 {
            return;
        }
        for from in PointSet(state.held[state.mover as usize]) {
            let ControlFlow::Continue(()) = self.try_moves_of(state, from, |action| {
                if let Action::Move { to, .. } = action
                    && targets >> to.index() & 1 == 1
                {
                    visit(action);
                }
                ControlFlow::<Infallible>::Continue(())
            });
        }
    }
}
