//! Applies actions and their captures.

use super::{Bitboard, NOWHERE, State};
use crate::geometry::{Point, PointSet};
use crate::material::PodKind;
use crate::position::Action;
use crate::rules::Captures;

/// The points of the captured pods by side, and the board that they were judged on.
pub(super) struct Captured {
    pub(super) points: [u64; 2],
    kind_at: [u8; crate::geometry::MAX_POINTS],
}

impl Captured {
    /// Returns the kinds of a side's captured pods, sorted.
    pub(super) fn kinds(&self, side: usize) -> Vec<PodKind> {
        let mut kinds: Vec<PodKind> =
            PointSet(self.points[side]).into_iter().map(|p| PodKind::new(self.kind_at[p.index()] as usize)).collect();
        kinds.sort_unstable();
        kinds
    }
}

impl Bitboard {
    /// Returns the state after a legal action and its captures. Legality is not checked: what an
    /// illegal action leads to is undefined.
    ///
    /// # Panics
    ///
    /// If an illegal shove or kick starts, ends or pushes a pod off the board; in builds with
    /// overflow checks also if a pod is placed that the mover's hand lacks.
    #[inline]
    #[must_use]
    pub fn play_state(&self, state: &State, action: Action) -> State {
        let mut next = state.clone();
        self.act(&mut next, action);
        if self.captures_after(action) {
            let blocked = self.blocked(&next);
            self.capture(&mut next, blocked);
        }
        self.pass_turn(&mut next);
        next
    }

    pub(super) fn play_with_captures(&self, state: &State, action: Action) -> (State, Captured) {
        let mut next = state.clone();
        self.act(&mut next, action);
        let points = if self.captures_after(action) { self.blocked(&next) } else { [0; 2] };
        let captured = Captured { points, kind_at: next.kind_at };
        self.capture(&mut next, points);
        self.pass_turn(&mut next);
        (next, captured)
    }

    /// Returns the number of pods that a legal action captures (R18): of the mover, which come back
    /// to hand, and of the opponent.
    pub(crate) fn captured(&self, state: &State, action: Action) -> [u32; 2] {
        if !self.captures_after(action) {
            return [0; 2];
        }
        let mover = state.mover as usize;
        let points = self.play_with_captures(state, action).1.points;
        [points[mover].count_ones(), points[1 - mover].count_ones()]
    }

    #[inline]
    fn act(&self, state: &mut State, action: Action) {
        let mover = state.mover as usize;
        match action {
            Action::Place { kind, at } => {
                let kind = kind.index();
                self.set_hand(state, mover, kind, state.hands[mover][kind] - 1);
                self.put(state, mover, kind, at.index());
            }
            Action::Move { from, to } => self.carry(state, from.index(), to.index()),
            Action::Shove { from, to } => {
                let d = self.direction(from, to);
                // The row of pods from the target on moves by one point, the farthest first.
                let mut row = [0; crate::geometry::MAX_POINTS];
                let (mut length, mut at) = (0, to.index() as u8);
                while at != NOWHERE && (state.held[0] | state.held[1]) >> at & 1 == 1 {
                    row[length] = at;
                    length += 1;
                    at = self.connected[d][at as usize];
                }
                for &pushed in row[..length].iter().rev() {
                    self.carry(state, pushed as usize, self.connected[d][pushed as usize] as usize);
                }
                self.carry(state, from.index(), to.index());
            }
            Action::Kick { from, to, distance } => {
                let d = self.direction(from, to);
                let end = (0..distance).fold(to.index(), |at, _| self.neighbour[d][at] as usize);
                self.carry(state, to.index(), end);
                self.carry(state, from.index(), to.index());
            }
        }
    }

    /// Moves a pod of either side from one point to another one, which is empty.
    #[inline]
    fn carry(&self, state: &mut State, from: usize, to: usize) {
        let side = (state.held[1] >> from & 1) as usize;
        let kind = self.lift(state, side, from);
        self.put(state, side, kind, to);
    }

    /// Returns the direction from one point to another on a straight line with it.
    fn direction(&self, from: Point, to: Point) -> usize {
        let (from, to) = (self.game.board().coord(from), self.game.board().coord(to));
        let sign = |a: u8, b: u8| (a < b) as i8 - (a > b) as i8;
        let delta = (sign(from.column, to.column), sign(from.row, to.row));
        crate::geometry::Direction::ALL.into_iter().position(|d| d.delta() == delta).unwrap_or(0)
    }

    #[inline]
    fn captures_after(&self, action: Action) -> bool {
        match self.options.captures {
            Captures::Never => false,
            Captures::EveryTurn => true,
            Captures::AfterMoves => !matches!(action, Action::Place { .. }),
        }
    }

    /// Returns the pods without a liberty, by side, all judged on the same board (R7, R18, R27).
    #[inline]
    fn blocked(&self, state: &State) -> [u64; 2] {
        let empty = self.empty(state);
        let mut free = [0; 2];
        for d in 0..8 {
            let near = self.lines.step_into(d, empty);
            for (side, free) in free.iter_mut().enumerate() {
                *free |= near & (state.short[side][d] | state.long[side][d]);
            }
        }
        let mut blocked = [state.held[0] & !free[0], state.held[1] & !free[1]];
        if self.options.moves && self.options.shoves && self.options.shove_liberty {
            for (side, set) in blocked.iter_mut().enumerate() {
                for point in PointSet(*set) {
                    if self.can_push(state, side, point) {
                        *set &= !(1 << point.index());
                    }
                }
            }
        }
        blocked
    }

    /// Takes blocked pods off the board: the mover's back to hand, the opponent's out of the game
    /// (R18).
    #[inline]
    fn capture(&self, state: &mut State, blocked: [u64; 2]) {
        for (side, set) in blocked.into_iter().enumerate() {
            for point in PointSet(set) {
                let kind = self.lift(state, side, point.index());
                if side == state.mover as usize {
                    self.set_hand(state, side, kind, state.hands[side][kind] + 1);
                }
            }
        }
    }

    #[inline]
    pub(super) fn pass_turn(&self, state: &mut State) {
        state.mover ^= 1;
        state.hash ^= self.keys.black_to_move;
        if state.open {
            state.open = false;
            state.hash ^= self.keys.open;
        }
    }
}
