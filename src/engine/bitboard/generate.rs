//! Legal actions: placements for all points at once, moves, shoves and kicks pod by pod.

use super::{Bitboard, NOWHERE, State};
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::Action;
use crate::rules::{EmptyHand, KickGaps};

/// What every point sees in each direction, and where a pod may come at all.
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

/// The directions of a set of bits.
#[inline]
fn directions(bits: u8) -> impl Iterator<Item = usize> {
    PointSet(u64::from(bits)).into_iter().map(Point::index)
}

impl Bitboard {
    #[inline]
    pub(super) fn empty(&self, state: &State) -> u64 {
        self.points & !(state.held[0] | state.held[1])
    }

    /// The winner by empty hands alone (R30).
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

    /// Where a pod of the mover may be placed (R11, R12, R13).
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

    /// Calls `visit` with each kind of pod that may be placed at all and the points where it may; stops and says so
    /// when `visit` returns true.
    #[inline]
    pub(super) fn any_placement(&self, state: &State, mut visit: impl FnMut(usize, u64) -> bool) -> bool {
        let side = state.mover as usize;
        if state.in_hand[side] == 0 {
            return false;
        }
        let sights = self.sights(state);
        for kind in 0..self.game.pods().kinds().len() {
            if state.hands[side][kind] == 0 || state.open && !self.is_bipod(side, kind) {
                continue;
            }
            let at = self.placements(&sights, side, kind);
            if at != 0 && visit(kind, at) {
                return true;
            }
        }
        false
    }

    #[inline]
    fn is_bipod(&self, side: usize, kind: usize) -> bool {
        let legs = self.legs[side][kind];
        (legs.short | legs.long).count_ones() == 2
    }

    /// Whether moves are to be thought of: under these rules, and not before the opening placement (R9).
    #[inline]
    fn may_move(&self, state: &State) -> bool {
        self.options.moves && !state.open
    }

    /// Calls `visit` with every legal action, in no particular order; none in a finished game.
    #[inline]
    pub fn for_each_action(&self, state: &State, mut visit: impl FnMut(Action)) {
        if self.winner_by_hand(state).is_some() {
            return;
        }
        self.any_placement(state, |kind, at| {
            for at in PointSet(at) {
                visit(Action::Place { kind: PodKind::new(kind), at });
            }
            false
        });
        if self.may_move(state) {
            self.for_each_move(state, &mut visit);
        }
    }

    /// The number of legal actions.
    #[must_use]
    pub fn count_actions(&self, state: &State) -> u64 {
        if self.winner_by_hand(state).is_some() {
            return 0;
        }
        let mut count = 0;
        self.any_placement(state, |_, at| {
            count += u64::from(at.count_ones());
            false
        });
        if self.may_move(state) {
            let (side, empty) = (state.mover as usize, self.empty(state));
            for d in 0..8 {
                // Runs of different pods in one direction never meet: the second pod stops the first one's.
                let near = self.lines.step(d, state.short[side][d]);
                let far = self.lines.run(d, state.long[side][d], empty);
                count += u64::from((near & empty).count_ones() + (far & empty).count_ones());
            }
            if self.options.shoves {
                self.for_each_push(state, |_| count += 1);
            }
        }
        count
    }

    /// Whether there is a legal action for a side to move that has not won or lost by its hands.
    pub(super) fn can_act(&self, state: &State) -> bool {
        if self.any_placement(state, |_, _| true) {
            return true;
        }
        if !self.may_move(state) {
            return false;
        }
        let (side, empty) = (state.mover as usize, self.empty(state));
        let moves = (0..8).any(|d| self.lines.step(d, state.short[side][d] | state.long[side][d]) & empty != 0);
        moves
            || self.options.shoves
                && PointSet(state.held[side]).into_iter().any(|p| self.can_push(state, side, p.index()))
    }

    /// The empty points to which some pod of a side has a leg (R7), and the pods that have two such points or more.
    #[inline]
    pub fn liberties(&self, state: &State, side: Side) -> (PointSet, PointSet) {
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

    fn for_each_move(&self, state: &State, visit: &mut impl FnMut(Action)) {
        let (side, empty) = (state.mover as usize, self.empty(state));
        for from in PointSet(state.held[side]) {
            let legs = self.legs[side][state.kind_at[from.index()] as usize];
            for d in directions(legs.short | legs.long) {
                let mut to = self.connected[d][from.index()];
                while to != NOWHERE && empty >> to & 1 == 1 {
                    visit(Action::Move { from, to: Point::new(to as usize) });
                    if legs.short >> d & 1 == 1 {
                        break;
                    }
                    to = self.connected[d][to as usize];
                }
            }
        }
        if self.options.shoves {
            self.for_each_push(state, visit);
        }
    }

    fn for_each_push(&self, state: &State, mut visit: impl FnMut(Action)) {
        let side = state.mover as usize;
        for from in PointSet(state.held[side]) {
            self.any_push(state, side, from.index(), |action| {
                visit(action);
                false
            });
        }
    }

    /// Whether the pod on a point could leave it by a shove or a kick (R22, R24, R27).
    pub(super) fn can_push(&self, state: &State, side: usize, from: usize) -> bool {
        self.any_push(state, side, from, |_| true)
    }

    /// Calls `visit` with the shoves and kicks of one pod; stops and says so when `visit` returns true.
    fn any_push(&self, state: &State, side: usize, from: usize, mut visit: impl FnMut(Action) -> bool) -> bool {
        let empty = self.empty(state);
        let is_empty = |point: u8| empty >> point & 1 == 1;
        let legs = self.legs[side][state.kind_at[from] as usize];
        for d in directions(legs.short | legs.long) {
            let long = legs.long >> d & 1 == 1;
            let near = self.connected[d][from];
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
                let (from, to) = (Point::new(from), Point::new(to as usize));
                if distance == 0 { Action::Shove { from, to } } else { Action::Kick { from, to, distance } }
            };
            let mut last = self.connected[d][target as usize];
            while last != NOWHERE && !is_empty(last) {
                last = self.connected[d][last as usize];
            }
            if last != NOWHERE && visit(action(target, 0)) {
                return true;
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
                if (distance > 1 || !line) && visit(action(near, distance)) {
                    return true;
                }
                if !line && self.options.kick_gaps == KickGaps::LastStep {
                    break;
                }
                at = next;
            }
        }
        false
    }
}
