//! Shoves and kicks of the pods of a row (R22–R25), for all points of the last pod at once where
//! possible.
//!
//! A push moves pods of either side, and takes none off the board: what it leads to, before
//! captures, is a row of the same slice in which the pushed fixed pods stand elsewhere, and another
//! cell if the last pod is pushed too. Who owns a pushed pod makes no difference to that; it does
//! to captures, which come after as they do after a move. So there are four cases:
//!
//! - A fixed pod pushes fixed ones. In all cells that are not on the way this leads to the same
//!   cell of one other row, as a move does.
//! - A fixed pod pushes the last one alone. The row is that of the move to the point that the last
//!   pod leaves, and what is read for the move says it: the cells that the last pod may be pushed
//!   to are more cells of the same word. One more such cell lies behind a chain of fixed pods that
//!   the last pod ends.
//! - A fixed pod pushes the last one and fixed ones behind it: one cell for each line, looked at
//!   alone.
//! - The last pod pushes. The row and the cell that come out depend on which pod it takes the place
//!   of, and in which direction, not on where it started: one cell is looked at, for all points of
//!   the run to it (R23).

use crate::geometry::PointSet;
use crate::rules::Captures;
use crate::table::eval::row::Search;
use crate::table::eval::row::board::BoardTables;
use crate::table::eval::row::captures::{Beside, RowContext, UNCHANGED};
use crate::table::eval::row::successors::Points;
use crate::table::retro::{NOWHERE, PushTables};

impl BoardTables {
    /// Returns `true` if a pod could leave its point by a shove or a kick when these points are
    /// empty (R22, R24, R27).
    pub(super) fn can_push(&self, piece_type: u8, from: u8, empty: u64) -> bool {
        let Some(pushes) = &self.pushes else { return false };
        self.piece_types[piece_type as usize].legs.iter().any(|&(direction, long)| {
            let next = &pushes.next[direction];
            let near = next[from as usize];
            let mut target = near;
            if long && pushes.after_run {
                while target != NOWHERE && empty >> target & 1 == 1 {
                    target = next[target as usize];
                }
            }
            if target == NOWHERE || empty >> target & 1 == 1 {
                return false;
            }
            let kicks = || long && target == near && pushes.slide(direction, near, empty) != 0;
            behind_chain(next, target, empty).is_some() || kicks()
        })
    }
}

/// Returns the first empty point along a direction from a held one on; `None` if there is none on
/// the line.
#[inline]
fn behind_chain(next: &[u8], from: u8, empty: u64) -> Option<u8> {
    let mut at = from;
    while at != NOWHERE && empty >> at & 1 == 0 {
        at = next[at as usize];
    }
    (at != NOWHERE).then_some(at)
}

/// The fixed pods of a row where a push leaves them.
struct Pushed<'a> {
    row_context: &'a RowContext<'a>,
    points: Points,
    beside: Beside,
}

impl<'a> Pushed<'a> {
    fn new(row_context: &'a RowContext<'a>) -> Pushed<'a> {
        Pushed { row_context, points: row_context.points, beside: row_context.beside }
    }

    /// Sets the fixed pod with a place on another point.
    #[inline]
    fn carry(&mut self, place: usize, to: u8) {
        let piece_type = self.row_context.fixed.pods()[place].piece_type;
        let of = &self.row_context.context.bits.tables.piece_types[piece_type as usize];
        self.points[place] = to;
        self.beside[place] = of.liberties[to as usize];
    }

    /// Sets the fixed pod on a point on another one.
    #[inline]
    fn carry_from(&mut self, from: u8, to: u8) {
        let Some(place) = self.row_context.fixed.pods().iter().position(|pod| pod.point == from) else {
            unreachable!("a fixed pod stands there")
        };
        self.carry(place, to);
    }

    /// Pushes the fixed pods from a point to the one before `end` on by a step.
    #[inline]
    fn push(&mut self, next: &[u8], from: u8, end: u8) {
        let mut at = from;
        while at != end {
            let to = next[at as usize];
            self.carry_from(at, to);
            at = to;
        }
    }

    /// Returns the cells of `cells` in which this leads to what the pass looks for: no fixed pod is
    /// left on one point, and one stands on another that was empty.
    #[inline]
    fn good(&self, left: u8, taken: u8, cells: u64) -> u64 {
        if self.row_context.context.bits.options.captures == Captures::Never {
            return self.row_context.leads(UNCHANGED, &self.points, cells);
        }
        self.row_context.after_leaving(left, taken, &self.beside, &self.points, cells)
    }

    /// Returns `true` if this leads to what the pass looks for when the last pod comes to stand on
    /// a point.
    fn good_at(&self, cell: u8) -> bool {
        self.row_context.after_at(&self.beside, &self.points, cell)
    }
}

impl Search<'_> {
    /// Records that an action is legal in one cell, if that is wanted, and leads to what the pass
    /// looks for there or not.
    #[inline]
    fn tell_at(&mut self, cells: u64, good: bool) -> bool {
        self.tell(cells, if good { cells } else { 0 })
    }

    /// Records that an action is legal in the cells `legal`, and so are those that push the last
    /// pod from a point of the row to one of the cells `pushed_to`; `good` are the cells that lead
    /// to what the pass looks for, wherever the last pod came from.
    #[inline]
    fn tell_pushed(&mut self, legal: u64, from: u8, pushed_to: u64, good: u64) -> bool {
        if pushed_to == 0 {
            return self.tell(legal, good);
        }
        let well = if self.context.wins { good & pushed_to != 0 } else { pushed_to & !good == 0 };
        self.tell(legal | 1 << from, good & legal | u64::from(well) << from)
    }

    /// Evaluates moves, shoves and kicks of the mover's fixed pods.
    pub(super) fn moves_and_pushes_of_fixed(&mut self, pushes: &PushTables) -> bool {
        let (context, row_context) = (self.context, self.row_context);
        row_context.fixed.pods().iter().enumerate().filter(|(_, pod)| context.is_own(pod.piece_type)).all(|(i, pod)| {
            let legs = &context.bits.tables.piece_types[pod.piece_type as usize].legs;
            legs.iter().all(|&(direction, long)| self.leg_of_fixed(pushes, i, direction, long))
        })
    }

    /// Evaluates the pushes of a fixed pod along one leg.
    fn leg_of_fixed(&mut self, pushes: &PushTables, place: usize, direction: usize, long: bool) -> bool {
        let row_context = self.row_context;
        let (from, empty, next) = (row_context.points[place], row_context.empty, &pushes.next[direction]);
        let near = next[from as usize];
        let (mut way, mut to) = (0_u64, near);
        while to != NOWHERE && empty >> to & 1 == 1 {
            way |= 1 << to;
            let mut pushed_to = 0;
            if self.want >> to & 1 == 1 && (to == near || pushes.after_run) {
                // The last pod stands here.
                let behind = next[to as usize];
                if behind != NOWHERE && empty >> behind & 1 == 0 {
                    if !self.last_before_chain(next, place, to) {
                        return false;
                    }
                } else if to == near && long {
                    pushed_to = pushes.slide(direction, to, empty);
                } else if behind != NOWHERE {
                    pushed_to = 1 << behind;
                }
            }
            let legal = self.want & !way;
            if legal | pushed_to != 0 {
                let good = row_context.after_move(place, to, legal | pushed_to);
                if !self.tell_pushed(legal, to, pushed_to, good) {
                    return false;
                }
            }
            if !long {
                return true;
            }
            to = next[to as usize];
        }
        if to == NOWHERE || to != near && !pushes.after_run {
            return true;
        }
        self.chain(next, place, to, way) && (!long || to != near || self.kicks(pushes, place, direction, to))
    }

    /// Handles the case that the last pod stands on `on` with fixed ones behind it, and a fixed one
    /// takes its place.
    fn last_before_chain(&mut self, next: &[u8], place: usize, on: u8) -> bool {
        let row_context = self.row_context;
        let behind = next[on as usize];
        let Some(end) = behind_chain(next, behind, row_context.empty) else { return true };
        let mut pushed = Pushed::new(row_context);
        pushed.push(next, behind, end);
        pushed.carry(place, on);
        self.tell_at(1 << on, pushed.good_at(behind))
    }

    /// Handles the case that a fixed pod takes the place of another, after a run over `way`.
    fn chain(&mut self, next: &[u8], place: usize, to: u8, way: u64) -> bool {
        let row_context = self.row_context;
        let Some(end) = behind_chain(next, to, row_context.empty) else { return true };
        let legal = self.want & !way & !(1 << end);
        // The last pod may be the end of the chain, or have others behind it.
        let behind = next[end as usize];
        let ends = self.want >> end & 1 == 1 && behind != NOWHERE;
        let alone = ends && row_context.empty >> behind & 1 == 1;
        let pushed_to = u64::from(alone) << (behind & 63);
        if legal == 0 && !ends {
            return true;
        }
        let mut pushed = Pushed::new(row_context);
        pushed.push(next, to, end);
        pushed.carry(place, to);
        if legal | pushed_to != 0 {
            let good = pushed.good(row_context.points[place], end, legal | pushed_to);
            if !self.tell_pushed(legal, end, pushed_to, good) {
                return false;
            }
        }
        if ends
            && !alone
            && let Some(beyond) = behind_chain(next, behind, row_context.empty)
        {
            pushed.push(next, behind, beyond);
            return self.tell_at(1 << end, pushed.good_at(behind));
        }
        true
    }

    /// Evaluates the kicks of a fixed pod against the one beside it.
    fn kicks(&mut self, pushes: &PushTables, place: usize, direction: usize, kicked: u8) -> bool {
        let row_context = self.row_context;
        let mut passed = 0_u64;
        for &to in pushes.slides(direction, kicked) {
            passed |= 1 << to;
            let legal = self.want & !passed;
            if row_context.empty >> to & 1 == 0 || legal == 0 {
                break;
            }
            // One step along a line is the shove (R25).
            if to == pushes.next[direction][kicked as usize] {
                continue;
            }
            let mut pushed = Pushed::new(row_context);
            pushed.carry_from(kicked, to);
            pushed.carry(place, kicked);
            if !self.tell(legal, pushed.good(row_context.points[place], to, legal)) {
                return false;
            }
        }
        true
    }

    /// Evaluates shoves and kicks of the last pod, if it is the mover's.
    pub(super) fn pushes_of_last(&mut self, pushes: &PushTables) -> bool {
        let (context, row_context) = (self.context, self.row_context);
        let (last, empty) = (context.routes.last, row_context.empty);
        if !context.is_own(last) {
            return true;
        }
        for &(direction, long) in &context.bits.tables.piece_types[last as usize].legs {
            let (next, back) = (&pushes.next[direction], &pushes.next[PushTables::opposite(direction)]);
            for (place, pod) in row_context.fixed.pods().iter().enumerate() {
                let (target, near) = (pod.point, back[pod.point as usize]);
                if near == NOWHERE || empty >> near & 1 == 0 {
                    continue;
                }
                let mut run = 1_u64 << near;
                if long && pushes.after_run {
                    let mut at = back[near as usize];
                    while at != NOWHERE && empty >> at & 1 == 1 {
                        run |= 1 << at;
                        at = back[at as usize];
                    }
                }
                if run & self.want != 0
                    && let Some(end) = behind_chain(next, target, empty)
                {
                    let mut pushed = Pushed::new(row_context);
                    pushed.push(next, target, end);
                    if !self.tell_at(run & self.want, pushed.good_at(target)) {
                        return false;
                    }
                }
                if !long || self.want >> near & 1 == 0 {
                    continue;
                }
                let slide = pushes.slide(direction, target, empty);
                let shoved = next[target as usize];
                let shoved = if shoved == NOWHERE { 0 } else { 1 << shoved };
                for to in PointSet(slide & !shoved) {
                    let mut pushed = Pushed::new(row_context);
                    pushed.carry(place, to.index() as u8);
                    if !self.tell_at(1 << near & self.want, pushed.good_at(target)) {
                        return false;
                    }
                }
            }
        }
        true
    }
}
