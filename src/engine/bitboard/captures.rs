//! Moves that may capture, for searches that look at nothing else.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Bitboard, State};
use crate::geometry::PointSet;
use crate::position::Action;
use crate::rules::Captures;

impl Bitboard {
    /// Calls `visit` with the moves to a point that is the only liberty of an opposing pod (R7, R18), without shoves and
    /// kicks. The pod is captured unless the point that is left gives it another liberty. No placement captures an opposing
    /// pod that was not set up blocked: the pod attacks its liberties (R12).
    pub fn for_each_capturing_move(&self, state: &State, mut visit: impl FnMut(Action)) {
        if self.options.captures == Captures::Never || !self.may_move(state) || self.winner_by_hand(state).is_some() {
            return;
        }
        let (empty, foe) = (self.empty(state), 1 - state.mover as usize);
        let (mut once, mut twice) = (0, 0);
        for d in 0..8 {
            let free = self.lines.step_into(d, empty) & (state.short[foe][d] | state.long[foe][d]);
            twice |= once & free;
            once |= free;
        }
        let weak = once & !twice;
        if weak == 0 {
            return;
        }
        let liberties = |d| self.lines.step(d, (state.short[foe][d] | state.long[foe][d]) & weak) & empty;
        let targets = (0..8).fold(0, |targets, d| targets | liberties(d));
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
