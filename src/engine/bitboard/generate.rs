//! Generates legal actions: the placements of a kind on all points at once; moves, shoves and kicks
//! pod by pod.
//!
//! Each enumeration ends when its visitor returns `ControlFlow::Break`, and returns that break.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Bitboard, NOWHERE, State};
use crate::engine::ActionList;
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::Action;
use crate::rules::{EmptyHand, KickGaps};

/// Sets that decide the legality of placements: the free points, and the points from which a leg
/// meets an opposing pod or an empty point.
struct Sights {
    /// Empty points that no opposing pod attacks (R10, R12).
    free: u64,
    /// Points whose connected neighbour in a direction is an opposing pod.
    foe_near: [u64; 8],
    /// Points from which a long leg in a direction attacks an opposing pod (R5).
    foe_far: [u64; 8],
    /// Points whose connected neighbour in a direction is empty (R7).
    empty_near: [u64; 8],
}

/// Returns the numbers of the directions whose bits are set.
#[inline]
fn directions(bits: u8) -> impl Iterator<Item = usize> {
    PointSet(u64::from(bits)).into_iter().map(Point::index)
}

impl Bitboard {
    #[inline]
    pub(super) fn empty(&self, state: &State) -> u64 {
        self.points & !(state.held[0] | state.held[1])
    }

    /// Returns the winner by empty hands alone (R30).
    #[inline]
    pub(super) fn winner_by_hand(&self, state: &State) -> Option<Side> {
        if self.options.empty_hand == EmptyHand::Loses {
            return None;
        }
        let mover = state.to_move();
        [mover.other(), mover].into_iter().find(|side| state.in_hand[side.index()] == 0)
    }

    fn sights(&self, state: &State) -> Sights {
        let (empty, foe) = (self.empty(state), 1 - state.mover as usize);
        let through = if self.options.attack_through { self.points } else { empty };
        let mut sights = Sights { free: 0, foe_near: [0; 8], foe_far: [0; 8], empty_near: [0; 8] };
        let mut attacked = 0;
        for d in 0..8 {
            attacked |= self.lines.step(d, state.short[foe][d]) | self.lines.run(d, state.long[foe][d], through);
            sights.foe_near[d] = self.lines.step_into(d, state.held[foe]);
            sights.foe_far[d] = self.lines.run_into(d, state.held[foe], through);
            sights.empty_near[d] = self.lines.step_into(d, empty);
        }
        sights.free = empty & !attacked;
        sights
    }

    /// Returns the points where a pod of the mover may be placed (R11, R12, R13).
    #[inline]
    fn placements(&self, sights: &Sights, side: usize, kind: usize) -> u64 {
        let legs = self.legs[side][kind];
        let (mut attacks, mut liberty) = (0, 0);
        for d in directions(legs.short) {
            attacks |= sights.foe_near[d];
            liberty |= sights.empty_near[d];
        }
        for d in directions(legs.long) {
            attacks |= sights.foe_far[d];
            liberty |= sights.empty_near[d];
        }
        let free = sights.free & !attacks;
        if self.options.placement_liberty { free & liberty } else { free }
    }

    /// Calls `visit` with the number of each kind that the mover may place somewhere, and the
    /// points where it may, as a bitboard.
    #[inline]
    pub(super) fn try_placements<B>(
        &self,
        state: &State,
        mut visit: impl FnMut(usize, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let side = state.mover as usize;
        if state.in_hand[side] == 0 {
            return ControlFlow::Continue(());
        }
        let sights = self.sights(state);
        for kind in 0..self.game.pods().kinds().len() {
            if state.hands[side][kind] == 0 || state.open && !self.is_bipod(side, kind) {
                continue;
            }
            let at = self.placements(&sights, side, kind);
            if at != 0 {
                visit(kind, at)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn is_bipod(&self, side: usize, kind: usize) -> bool {
        let legs = self.legs[side][kind];
        (legs.short | legs.long).count_ones() == 2
    }

    /// Returns `true` if the rules have moves and the opening placement is done (R9).
    #[inline]
    pub(super) fn may_move(&self, state: &State) -> bool {
        self.options.moves && !state.open
    }

    /// Calls `visit` with every legal action, in no particular order; none in a finished game.
    #[inline]
    pub(crate) fn for_each_action(&self, state: &State, mut visit: impl FnMut(Action)) {
        let ControlFlow::Continue(()) = self.try_for_each_state_action(state, |action| {
            visit(action);
            ControlFlow::<Infallible>::Continue(())
        });
    }

    /// Visits actions like `for_each_action`, but ends when `visit` returns a break,
    /// and returns that break.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use pods::position::Action;
    /// use pods::{Bitboard, Engine as _, Game, Preset};
    ///
    /// let board = pods::material::builtin_board("cave36").unwrap();
    /// let pods = pods::material::builtin_pods("pods14").unwrap();
    /// let engine = Bitboard::new(Game::new(board, pods, Preset::Advanced.into()));
    /// let start = engine.game().whole_start()?;
    /// let first = engine.try_for_each_state_action(&engine.state(&start), |action| match action {
    ///     Action::Place { kind, .. } => ControlFlow::Break(kind),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert!(first.break_value().is_some_and(|kind| engine.game().pods().is_bipod(kind)));
    /// # Ok::<(), pods::position::StartError>(())
    /// ```
    #[inline]
    pub fn try_for_each_state_action<B>(
        &self,
        state: &State,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.winner_by_hand(state).is_some() {
            return ControlFlow::Continue(());
        }
        self.try_placements(state, |kind, at| {
            PointSet(at).into_iter().try_for_each(|at| visit(Action::Place { kind: PodKind::new(kind), at }))
        })?;
        if self.may_move(state) {
            for from in PointSet(state.held[state.mover as usize]) {
                self.try_moves_of(state, from, &mut visit)?;
            }
            if self.options.shoves {
                for from in PointSet(state.held[state.mover as usize]) {
                    self.try_pushes_of(state, state.mover as usize, from, &mut visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns every legal action, in no particular order; none in a finished game.
    #[must_use]
    pub fn state_actions(&self, state: &State) -> ActionList {
        let mut list = ActionList::new();
        self.for_each_action(state, |action| list.push(action));
        list
    }

    /// Returns `true` if an action is legal; `false` if it names points or pods that the game
    /// lacks. Generates the actions of one pod at most.
    #[must_use]
    pub fn allows(&self, state: &State, action: Action) -> bool {
        if self.winner_by_hand(state).is_some() {
            return false;
        }
        let same = |legal: Action| if legal == action { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let own = |from: Point| state.held[state.mover as usize] >> from.index() & 1 == 1;
        match action {
            Action::Place { kind, at } => {
                let (side, kind) = (state.mover as usize, kind.index());
                state.hands[side][kind] > 0
                    && (!state.open || self.is_bipod(side, kind))
                    && self.placements(&self.sights(state), side, kind) >> at.index() & 1 == 1
            }
            Action::Move { from, .. } => {
                self.may_move(state) && own(from) && self.try_moves_of(state, from, same).is_break()
            }
            Action::Shove { from, .. } | Action::Kick { from, .. } => {
                self.options.shoves
                    && self.may_move(state)
                    && own(from)
                    && self.try_pushes_of(state, state.mover as usize, from, same).is_break()
            }
        }
    }

    pub(crate) fn count_actions(&self, state: &State) -> u64 {
        if self.winner_by_hand(state).is_some() {
            return 0;
        }
        let mut count = 0;
        let _: ControlFlow<Infallible> = self.try_placements(state, |_, at| {
            count += u64::from(at.count_ones());
            ControlFlow::Continue(())
        });
        if self.may_move(state) {
            let (side, empty) = (state.mover as usize, self.empty(state));
            for d in 0..8 {
                // Runs of different pods in one direction never meet: the second pod stops the
                // first one's.
                let near = self.lines.step(d, state.short[side][d]);
                let far = self.lines.run(d, state.long[side][d], empty);
                count += u64::from((near & empty).count_ones() + (far & empty).count_ones());
            }
            if self.options.shoves {
                for from in PointSet(state.held[side]) {
                    let _: ControlFlow<Infallible> = self.try_pushes_of(state, side, from, |_| {
                        count += 1;
                        ControlFlow::Continue(())
                    });
                }
            }
        }
        count
    }

    /// Returns `true` if the side to move has a legal action, in a position that empty hands do not
    /// decide (R30).
    pub(super) fn can_act(&self, state: &State) -> bool {
        if self.try_placements(state, |_, _| ControlFlow::Break(())).is_break() {
            return true;
        }
        if !self.may_move(state) {
            return false;
        }
        let (side, empty) = (state.mover as usize, self.empty(state));
        let moves = (0..8).any(|d| self.lines.step(d, state.short[side][d] | state.long[side][d]) & empty != 0);
        moves
            || self.options.shoves
                && PointSet(state.held[side]).into_iter().any(|from| self.can_push(state, side, from))
    }

    /// Returns all liberties of a side's pods together (R7), and the points of those of its pods
    /// that have two liberties or more.
    #[inline]
    pub(crate) fn liberties(&self, state: &State, side: Side) -> (PointSet, PointSet) {
        let (side, empty) = (side.index(), self.empty(state));
        let (mut points, mut once, mut twice) = (0, 0, 0);
        for d in 0..8 {
            let legs = state.short[side][d] | state.long[side][d];
            points |= self.lines.step(d, legs) & empty;
            let free = self.lines.step_into(d, empty) & legs;
            twice |= once & free;
            once |= free;
        }
        (PointSet(points), PointSet(twice))
    }

    /// Calls `visit` with the moves of one of the mover's pods.
    #[inline]
    pub(super) fn try_moves_of<B>(
        &self,
        state: &State,
        from: Point,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (side, empty) = (state.mover as usize, self.empty(state));
        let legs = self.legs[side][state.kind_at[from.index()] as usize];
        for d in directions(legs.short | legs.long) {
            let mut to = self.connected[d][from.index()];
            while to != NOWHERE && empty >> to & 1 == 1 {
                visit(Action::Move { from, to: Point::new(to as usize) })?;
                if legs.short >> d & 1 == 1 {
                    break;
                }
                to = self.connected[d][to as usize];
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns `true` if the pod on a point could leave it by a shove or a kick (R22, R24, R27).
    pub(super) fn can_push(&self, state: &State, side: usize, from: Point) -> bool {
        self.try_pushes_of(state, side, from, |_| ControlFlow::Break(())).is_break()
    }

    /// Calls `visit` with the shoves and kicks of one pod.
    fn try_pushes_of<B>(
        &self,
        state: &State,
        side: usize,
        from: Point,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let empty = self.empty(state);
        let is_empty = |point: u8| empty >> point & 1 == 1;
        let legs = self.legs[side][state.kind_at[from.index()] as usize];
        for d in directions(legs.short | legs.long) {
            let long = legs.long >> d & 1 == 1;
            let near = self.connected[d][from.index()];
            let mut target = near;
            if long && self.options.shove_after_run {
                while target != NOWHERE && is_empty(target) {
                    target = self.connected[d][target as usize];
                }
            }
            if target == NOWHERE || is_empty(target) {
                continue;
            }
            let action = |to: u8, distance: u8| {
                let to = Point::new(to as usize);
                if distance == 0 { Action::Shove { from, to } } else { Action::Kick { from, to, distance } }
            };
            let mut last = self.connected[d][target as usize];
            while last != NOWHERE && !is_empty(last) {
                last = self.connected[d][last as usize];
            }
            if last != NOWHERE {
                visit(action(target, 0))?;
            }
            if !long || target != near {
                continue;
            }
            let (mut at, mut distance) = (near, 0);
            loop {
                let next = self.neighbour[d][at as usize];
                if next == NOWHERE || !is_empty(next) {
                    break;
                }
                distance += 1;
                let line = self.connected[d][at as usize] == next;
                // A kick by one point along a line is listed as the shove (R25).
                if distance > 1 || !line {
                    visit(action(near, distance))?;
                }
                if !line && self.options.kick_gaps == KickGaps::LastStep {
                    break;
                }
                at = next;
            }
        }
        ControlFlow::Continue(())
    }
}
