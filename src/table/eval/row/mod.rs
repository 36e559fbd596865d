//! Bit-parallel sweeps: one word holds all points of the last pod of a slice, and an action is
//! tried for all of them at once.
//!
//! For a row the fixed pods are known. Each action of theirs, and each placement, is legal for a
//! set of points of the last pod: where it does not stand in the way, where it cuts every line of
//! attack between the placed pod and a fixed opposing one (trap 9), where it neither attacks nor is
//! attacked. The next positions of that set are, but for captures, the same cells of another row.
//! Captures split the set: points where the last pod takes the last liberty of fixed pods are
//! looked up one by one; all points where the last pod itself is blocked lead to one position
//! without it. Moves of the last pod are fills along its legs. Shoves and kicks lead to rows in
//! which pods of either side stand elsewhere: [`pushes`] says how. Rows of an empty board are left
//! to the plain evaluator.

mod board;
mod captures;
mod emptied;
mod prefilter;
mod pushes;
mod successors;

use crate::geometry::{MAX_POINTS, PointSet};
use crate::material::Side;
use crate::position::Game;
use crate::rules::{Captures, Options};
use crate::table::eval::direct::Direct;
use crate::table::index::{Arrangement, Index, MAX_ON_BOARD, Placed, Slice};
use crate::table::retro::{Displacement, Evaluator, Known, Pass, Rows};
use board::{BoardTables, pods_push};
use captures::RowContext;
use prefilter::Filter;
use successors::Routes;

/// Evaluator of the cells of a row together.
pub(in crate::table) struct Bits<'a> {
    index: &'a Index,
    direct: &'a Direct<'a>,
    options: Options,
    tables: BoardTables,
    /// True if a blocked pod that could shove or kick is not captured (R27).
    shove_liberty: bool,
}

impl<'a> Bits<'a> {
    pub(in crate::table) fn new(game: &Game, index: &'a Index, direct: &'a Direct<'a>) -> Bits<'a> {
        let options = *game.rules().options();
        let tables = BoardTables::new(game, index);
        Bits { index, direct, options, shove_liberty: pods_push(&options) && options.shove_liberty, tables }
    }

    /// Returns `true` if pods may be blocked before an action although every action is followed by
    /// captures.
    fn blocked_pods_stay(&self) -> bool {
        self.shove_liberty && self.options.captures == Captures::EveryTurn
    }
}

impl Evaluator for Bits<'_> {
    fn rows<'a>(&'a self, known: &'a Known<'a>, slice: &'a Slice, mover: Side) -> Box<dyn Rows + 'a> {
        match slice.last() {
            Some(last) => Box::new(SliceContext {
                bits: self,
                known,
                wins: known.pass.finds_wins(),
                mover: mover.index(),
                routes: Routes::new(self, known, slice, last, mover.index()),
            }),
            None => self.direct.rows(known, slice, mover),
        }
    }

    fn displacement(&self) -> Displacement<'_> {
        match &self.tables.pushes {
            Some(pushes) => Displacement::Pushed(pushes),
            None => Displacement::None,
        }
    }
}

struct SliceContext<'a> {
    bits: &'a Bits<'a>,
    known: &'a Known<'a>,
    /// True if the pass finds wins.
    wins: bool,
    mover: usize,
    routes: Routes<'a>,
}

impl Rows for SliceContext<'_> {
    fn found(&self, _: u64, fixed: &Arrangement, want: u64) -> u64 {
        match self.known.pass {
            Pass::NoAction => return self.without_action(fixed, want),
            Pass::EmptiedHands if self.routes.hand != 1 => return 0,
            Pass::EmptiedHands if !self.bits.blocked_pods_stay() => return self.emptied(fixed, want),
            Pass::EmptiedHands | Pass::Wins(_) | Pass::Losses(_) => {}
        }
        let row_context = RowContext::new(self, fixed);
        let mut search = Search { context: self, row_context: &row_context, want, found: 0 };
        let filter = Filter::new(&row_context, want);
        let more = (0..self.routes.in_hand.len()).all(|slot| search.placements(slot, &filter));
        if more && self.bits.options.moves && !self.known.pass.is_initial() {
            match &self.bits.tables.pushes {
                None => search.moves_of_fixed() && search.moves_of_last(),
                Some(pushes) => {
                    search.moves_and_pushes_of_fixed(pushes) && search.moves_of_last() && search.pushes_of_last(pushes)
                }
            };
        }
        if self.wins { search.found } else { search.want }
    }
}

impl SliceContext<'_> {
    fn is_own(&self, piece_type: u8) -> bool {
        self.bits.tables.piece_types[piece_type as usize].side == self.mover
    }

    /// Returns the cells wanted in which no action is legal (R15, R20).
    fn without_action(&self, fixed: &Arrangement, mut want: u64) -> u64 {
        let (tables, options, last) = (&self.bits.tables, &self.bits.options, self.routes.last);
        let empty = tables.all & !fixed.occupied();
        if options.moves {
            // A pod with an empty point beside it can move there.
            for pod in fixed.pods().iter().filter(|pod| self.is_own(pod.piece_type)) {
                match tables.piece_types[pod.piece_type as usize].liberties[pod.point as usize] & empty {
                    0 => (),
                    open if open.is_power_of_two() => want &= open,
                    _ => return 0,
                }
            }
            if self.is_own(last) {
                want &= !tables.free(last, empty).0;
            }
        }
        for &piece_type in &self.routes.in_hand {
            let clear = self.clear(fixed, piece_type);
            for (at, clear) in by_trouble(empty, clear) {
                if want == 0 {
                    return 0;
                }
                let legal = self.may_place(fixed, piece_type, at, clear, want & !(1 << at));
                want &= !self.with_liberty(empty, piece_type, at, legal);
            }
        }
        if tables.pushes.is_some() {
            want = PointSet(want).into_iter().fold(0, |left, cell| {
                let empty = empty & !(1 << cell.index());
                let last = Placed { piece_type: last, point: cell.index() as u8 };
                let mut own = fixed.pods().iter().chain([&last]).filter(|pod| self.is_own(pod.piece_type));
                left | u64::from(!own.any(|pod| tables.can_push(pod.piece_type, pod.point, empty))) << cell.index()
            });
        }
        want
    }

    /// Returns the cells of `cells` in which a placed pod has the liberty that it may need (R13).
    #[inline]
    fn with_liberty(&self, empty: u64, piece_type: u8, at: u8, cells: u64) -> u64 {
        if !self.bits.options.placement_liberty {
            return cells;
        }
        match self.bits.tables.piece_types[piece_type as usize].liberties[at as usize] & empty {
            0 => 0,
            open if open.is_power_of_two() => cells & !open,
            _ => cells,
        }
    }

    /// Returns the points where a pod of a piece type and no fixed one can be in a line of attack,
    /// whatever stands between.
    fn clear(&self, fixed: &Arrangement, piece_type: u8) -> u64 {
        let tables = &self.bits.tables;
        !fixed.pods().iter().fold(0, |trouble, pod| trouble | tables.conflicts(pod.piece_type, pod.point, piece_type))
    }

    /// Returns the cells of `cells` in which no line of attack joins a pod placed on a point and an
    /// opposing one (R11, R12); `clear` if no fixed one can.
    #[inline]
    fn may_place(&self, fixed: &Arrangement, piece_type: u8, at: u8, clear: bool, mut cells: u64) -> u64 {
        let (tables, through) = (&self.bits.tables, self.bits.options.attack_through);
        let occupied = fixed.occupied();
        for pod in if clear { &[] } else { fixed.pods() } {
            if tables.conflicts(piece_type, at, pod.piece_type) >> pod.point & 1 == 1 {
                let between = tables.between(at, pod.point);
                if through {
                    return 0;
                }
                if between & occupied == 0 {
                    // Only the last pod can still cut the line.
                    cells &= between;
                    if cells == 0 {
                        return 0;
                    }
                }
            }
        }
        let mut zone = tables.conflicts(piece_type, at, self.routes.last) & cells;
        if zone != 0 && !through {
            let mut in_line = tables.star[at as usize] & occupied;
            while in_line != 0 {
                zone &= !tables.beyond(at, in_line.trailing_zeros() as u8);
                in_line &= in_line - 1;
            }
        }
        cells & !zone
    }
}

/// The evaluation of one row. Methods that try actions return `true` while some cell is still to be
/// asked about.
struct Search<'a> {
    context: &'a SliceContext<'a>,
    row_context: &'a RowContext<'a>,
    /// Cells to be asked about: not found yet to be wins, or not yet to be no losses.
    want: u64,
    found: u64,
}

impl Search<'_> {
    /// Records that an action is legal in the cells `legal` of those wanted, and leads to what the
    /// pass looks for in the cells `good`.
    #[inline]
    fn tell(&mut self, legal: u64, good: u64) -> bool {
        if self.context.wins {
            self.found |= good;
            self.want &= !good;
        } else {
            self.want &= !legal | good;
        }
        self.want != 0
    }

    /// Evaluates the placements of a piece type that is in hand (R10–R13).
    fn placements(&mut self, slot: usize, filter: &Filter<'_>) -> bool {
        let (context, row_context) = (self.context, self.row_context);
        let piece_type = context.routes.in_hand[slot];
        let mut asked = [0; MAX_POINTS];
        let points = filter.placements(self.want, slot, piece_type, &mut asked) & row_context.empty;
        if points == 0 {
            return true;
        }
        let clear = context.clear(row_context.fixed, piece_type);
        for (at, clear) in by_trouble(points, clear) {
            let legal = match self.want & asked[at as usize] & !(1 << at) {
                0 => continue,
                cells => context.may_place(row_context.fixed, piece_type, at, clear, cells),
            };
            let legal = context.with_liberty(row_context.empty, piece_type, at, legal);
            if legal != 0 && !self.tell(legal, row_context.after_placement(slot, piece_type, at, legal)) {
                return false;
            }
        }
        true
    }

    /// Moves of the mover's fixed pods (R17).
    fn moves_of_fixed(&mut self) -> bool {
        let (context, row_context) = (self.context, self.row_context);
        for (i, pod) in row_context.fixed.pods().iter().enumerate() {
            if !context.is_own(pod.piece_type) {
                continue;
            }
            for run in &context.bits.tables.piece_types[pod.piece_type as usize].runs[pod.point as usize] {
                let mut way = 0_u64;
                for &to in run {
                    way |= 1 << to;
                    let legal = self.want & !way;
                    if row_context.empty >> to & 1 == 0 || legal == 0 {
                        break;
                    }
                    if !self.tell(legal, row_context.after_move(i, to, legal)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Moves of the last pod, if it is the mover's (R17).
    fn moves_of_last(&mut self) -> bool {
        let (context, row_context) = (self.context, self.row_context);
        let (tables, last) = (&context.bits.tables, context.routes.last);
        if !context.is_own(last) {
            return true;
        }
        let after = row_context.after_moves_of_last();
        match context.wins {
            true => {
                let good = tables.moves_into(last, after, row_context.empty) & self.want;
                self.tell(good, good)
            }
            false => {
                let bad = tables.moves_into(last, row_context.empty & !after, row_context.empty) & self.want;
                self.tell(bad, 0)
            }
        }
    }
}

/// Returns the points of a set, those of `clear` first, and whether they are.
fn by_trouble(points: u64, clear: u64) -> impl Iterator<Item = (u8, bool)> {
    let of = |set, clear| PointSet(set).into_iter().map(move |at| (at.index() as u8, clear));
    of(points & clear, true).chain(of(points & !clear, false))
}

const _: () = assert!(MAX_ON_BOARD < 32, "sets of fixed pods have 32 bits");

#[cfg(test)]
mod tests;
