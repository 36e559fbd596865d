//! Placements that must be tested for legality, once the next positions have been read.
//!
//! As a rule an action matters to a pass in few cells: where it leads to a loss of the opponent, or
//! where it does not lead to a win of the opponent. Reading is cheaper than testing legality. So
//! the rows that the placements of a piece type lead to are read first, legal or not, and legality
//! is tested only where a placement matters. The result is conservative: false positives are
//! possible, false negatives are not. Actions that empty the hand do not matter here: the cells
//! that have one were found before anything was read, and are no longer wanted. Where placements
//! capture, nobody is blocked in a cell that is wanted, since such positions are not held.

use crate::geometry::{MAX_POINTS, PointSet};
use crate::rules::Captures;
use crate::table::eval::row::SliceContext;
use crate::table::eval::row::captures::RowContext;
use crate::table::eval::row::successors::{Cell, Outcome, PLACED, Route, Target};

/// Cells in which a placement is still to be asked about, by its point.
pub(super) type Candidates = [u64; MAX_POINTS];

/// State shared by all piece types of a row.
pub(super) struct Filter<'a> {
    context: &'a SliceContext<'a>,
    row_context: &'a RowContext<'a>,
    captures: bool,
    /// Mask that turns a word of known cells into one of relevant cells.
    flip: u64,
    /// The cells in which a placed pod that comes straight back matters.
    backs: u64,
    /// Points where the last pod has only one liberty.
    once: u64,
}

impl<'a> Filter<'a> {
    pub(super) fn new(row_context: &'a RowContext<'a>, want: u64) -> Filter<'a> {
        let context = row_context.context;
        let captures = context.bits.options.captures == Captures::EveryTurn;
        let flip = if context.wins { 0 } else { u64::MAX };
        let mut filter = Filter { context, row_context, captures, flip, backs: 0, once: 0 };
        if captures && !context.bits.blocked_pods_stay() {
            filter.once = want & row_context.once;
            filter.backs = want & filter.matters_back(false);
            if filter.once != 0 {
                filter.backs |= filter.once & filter.matters_back(true);
            }
        }
        filter
    }

    /// Returns the cells in which it matters that the placed pod comes back, and the last one goes
    /// or not.
    fn matters_back(&self, goes: bool) -> u64 {
        let row_context = self.row_context;
        match self.context.routes.target(Outcome { removed: 0, last_off: goes, placed: None }) {
            Some(Target::All(_)) => 0,
            Some(Target::Tier(_)) | None => u64::MAX,
            Some(Target::Row(route)) => {
                let (known, row) = (self.context.known.tier(route.tier), route.row(&row_context.points));
                match route.cell {
                    Cell::Of(pod) => bit(known, row, row_context.points[pod as usize]) ^ self.flip,
                    Cell::Same | Cell::Column => known[row as usize] ^ self.flip,
                }
            }
        }
    }

    /// Adds the cells that placements of a piece type are to be asked about, and returns the points
    /// where there are any.
    #[inline]
    pub(super) fn placements(&self, want: u64, slot: usize, piece_type: u8, asked: &mut Candidates) -> u64 {
        let row_context = self.row_context;
        if self.context.bits.blocked_pods_stay() {
            // Pods are blocked before the action too, and which of them come off is not known from
            // here.
            asked.fill(want);
            return u64::MAX;
        }
        let mut all = 0;
        match self.context.routes.target(Outcome { removed: 0, last_off: false, placed: Some(slot) }) {
            Some(Target::All(_)) => (),
            Some(Target::Tier(_)) | None => all = want,
            Some(Target::Row(route)) if route.cell == Cell::Column => self.columns(route, want, asked),
            Some(Target::Row(route)) => self.stays(route, want, asked),
        }
        let once = want & self.once;
        if once != 0 {
            match self.context.routes.target(Outcome { removed: 0, last_off: true, placed: Some(slot) }) {
                Some(Target::All(_)) => (),
                Some(Target::Tier(_)) | None => self.goes_everywhere(once, asked),
                Some(Target::Row(route)) => self.goes(route, once, asked),
            }
        }
        if self.captures {
            // A point taken may be the last liberty but one of a fixed pod.
            for pair in row_context.pairs() {
                let (one, other) = (pair.trailing_zeros() as usize, 63 - pair.leading_zeros() as usize);
                asked[one] |= 1 << other & want;
                asked[other] |= 1 << one & want;
            }
            self.comes_back(piece_type, asked);
            self.takes(want, slot, piece_type, asked);
        }
        let mut points = 0;
        for (at, cells) in asked.iter_mut().enumerate().take(self.context.bits.index.points()) {
            *cells = (*cells | all) & want;
            points |= u64::from(*cells != 0) << at;
        }
        points
    }

    /// Handles the case that the pods kept stay and the last pod does: the same cells of a row for
    /// each point.
    #[inline]
    fn stays(&self, route: &Route, stays: u64, asked: &mut Candidates) {
        let board = self.context.bits.index.points();
        let points = &self.row_context.points;
        let known = self.context.known.tier(route.tier);
        route.rows(points, board, |at, row| asked[at] |= (known[row as usize] ^ self.flip) & stays);
    }

    /// Handles the case that the placed pod is the last one then, and the one that was is a digit:
    /// a row for each cell.
    fn columns(&self, route: &Route, stays: u64, asked: &mut Candidates) {
        let (known, board) = (self.context.known.tier(route.tier), self.context.bits.index.points());
        let every = u64::MAX >> (MAX_POINTS - board);
        route.rows(&self.row_context.points, board, |cell, row| {
            if stays >> cell & 1 == 1 {
                for at in PointSet((known[row as usize] ^ self.flip) & every) {
                    asked[at.index()] |= 1 << cell;
                }
            }
        });
    }

    /// Handles the case that the last pod comes off: in these cells, if the placement takes its
    /// liberty.
    fn goes(&self, route: &Route, once: u64, asked: &mut Candidates) {
        let (known, row_context) = (self.context.known.tier(route.tier), self.row_context);
        let last = &self.context.bits.tables.piece_types[self.context.routes.last as usize];
        let Cell::Of(pod) = route.cell else { return self.goes_everywhere(once, asked) };
        if pod == PLACED {
            let word = known[route.row(&row_context.points) as usize] ^ self.flip;
            for at in PointSet(word & row_context.empty) {
                asked[at.index()] |= once & last.liberty_of[at.index()];
            }
            return;
        }
        let cell = row_context.points[pod as usize];
        let taken = PointSet(once).into_iter().fold(0, |all, cell| all | last.liberties[cell.index()]);
        let mut points = row_context.points;
        for at in PointSet(taken & row_context.empty) {
            points[PLACED as usize] = at.index() as u8;
            let matters = bit(known, route.row(&points), cell) ^ self.flip;
            asked[at.index()] |= once & last.liberty_of[at.index()] & matters;
        }
    }

    /// Handles the same where nothing could be read.
    fn goes_everywhere(&self, once: u64, asked: &mut Candidates) {
        let last = &self.context.bits.tables.piece_types[self.context.routes.last as usize];
        for (asked, liberty_of) in asked.iter_mut().zip(&last.liberty_of) {
            *asked |= once & liberty_of;
        }
    }

    /// Handles the case that the placed pod is blocked at once.
    fn comes_back(&self, piece_type: u8, asked: &mut Candidates) {
        if self.backs == 0 {
            return;
        }
        let (tables, empty) = (&self.context.bits.tables, self.row_context.empty);
        let (free, once) = tables.free(piece_type, empty);
        for at in PointSet(empty & !free) {
            asked[at.index()] |= self.backs;
        }
        let liberties = &tables.piece_types[piece_type as usize].liberties;
        for at in PointSet(empty & once) {
            asked[at.index()] |= self.backs & liberties[at.index()];
        }
    }

    /// Handles the case that the placed pod takes the only liberty of fixed pods.
    fn takes(&self, want: u64, slot: usize, piece_type: u8, asked: &mut Candidates) {
        let row_context = self.row_context;
        let tables = &self.context.bits.tables;
        let liberty_of = &tables.piece_types[self.context.routes.last as usize].liberty_of;
        let mut points = row_context.points;
        for at in PointSet(row_context.only) {
            let at = at.index();
            let open = tables.piece_types[piece_type as usize].liberties[at] & row_context.empty;
            let taken = row_context.taken_by(1 << at, row_context.empty, &row_context.beside);
            // Where the last pod or the placed one comes off too.
            let back = if open.is_power_of_two() { open } else { 0 };
            let more = self.once & liberty_of[at] | back;
            let matters =
                match self.context.routes.target(Outcome { removed: taken, last_off: false, placed: Some(slot) }) {
                    _ if open == 0 => u64::MAX,
                    Some(Target::Row(route)) if route.cell == Cell::Same => {
                        points[PLACED as usize] = at as u8;
                        let known = self.context.known.tier(route.tier);
                        (known[route.row(&points) as usize] ^ self.flip) | more
                    }
                    Some(Target::All(_)) => more,
                    Some(Target::Row(_) | Target::Tier(_)) | None => u64::MAX,
                };
            asked[at] |= want & matters;
        }
    }
}

#[inline]
fn bit(known: &[u64], row: u64, cell: u8) -> u64 {
    (known[row as usize] >> cell & 1).wrapping_neg()
}
