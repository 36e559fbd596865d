//! Effects of an action on a row: the pods that it blocks and that come off (R18), and the known
//! values of the results.

use crate::geometry::PointSet;
use crate::rules::Captures;
use crate::table::eval::row::SliceContext;
use crate::table::eval::row::successors::{Cell, Outcome, PLACED, Points, Route, Target};
use crate::table::index::{Arrangement, MAX_ON_BOARD, Placed};

/// The fixed pods of a row as they stand.
pub(super) struct RowContext<'a> {
    pub(super) context: &'a SliceContext<'a>,
    pub(super) fixed: &'a Arrangement,
    pub(super) points: Points,
    pub(super) beside: Beside,
    /// The points that no fixed pod holds.
    pub(super) empty: u64,
    /// Points where the last pod has a liberty, and where only one.
    pub(super) free: u64,
    pub(super) once: u64,
    /// The fixed pods that are blocked wherever the last one stands.
    pub(super) blocked: u32,
    /// The only liberties of fixed pods that have one.
    pub(super) only: u64,
}

/// All pods stay.
pub(super) const UNCHANGED: Outcome = Outcome { removed: 0, last_off: false, placed: None };

/// The points beside each fixed pod that would be its liberties if they were empty (R7).
pub(super) type Beside = [u64; MAX_ON_BOARD];

struct Change<'a> {
    /// The points that no fixed or placed pod holds.
    empty: u64,
    /// Neighbours of the fixed pods on their present points.
    beside: &'a Beside,
    /// The place in the hand of the piece type placed, and what is beside the pod.
    placed: Option<(usize, u64)>,
    /// Points where the last pod has a liberty.
    free: u64,
}

impl<'a> RowContext<'a> {
    /// Looks around the pods of a row.
    #[inline]
    pub(super) fn new(context: &'a SliceContext<'a>, fixed: &'a Arrangement) -> RowContext<'a> {
        let tables = &context.bits.tables;
        let mut row_context = RowContext {
            context,
            fixed,
            points: [0; _],
            beside: [0; MAX_ON_BOARD],
            empty: tables.all & !fixed.occupied(),
            free: u64::MAX,
            once: 0,
            blocked: 0,
            only: 0,
        };
        for (i, pod) in fixed.pods().iter().enumerate() {
            row_context.points[i] = pod.point;
            row_context.beside[i] = tables.piece_types[pod.piece_type as usize].liberties[pod.point as usize];
        }
        if context.bits.options.captures != Captures::Never {
            (row_context.free, row_context.once) = tables.free(context.routes.last, row_context.empty);
            (row_context.blocked, row_context.only) = row_context.in_trouble(row_context.empty, &row_context.beside);
        }
        row_context
    }

    /// Returns the fixed pods without a liberty when these points are empty, and the only liberties
    /// of those that have one.
    #[inline]
    fn in_trouble(&self, empty: u64, beside: &Beside) -> (u32, u64) {
        let (mut blocked, mut only) = (0, 0);
        for (i, &beside) in beside[..self.fixed.pods().len()].iter().enumerate() {
            let open = empty & beside;
            if open == 0 {
                blocked |= 1 << i;
            } else if open.is_power_of_two() {
                only |= open;
            }
        }
        (blocked, only)
    }

    /// Returns the fixed pods that have no other liberty than the point of a set of one, when these
    /// points are empty.
    #[inline]
    pub(super) fn taken_by(&self, cell: u64, empty: u64, beside: &Beside) -> u32 {
        let beside = beside[..self.fixed.pods().len()].iter().enumerate();
        beside.fold(0, |set, (i, beside)| set | u32::from(beside & empty == cell) << i)
    }

    /// Returns the pairs of points that are the only two liberties of a fixed pod.
    pub(super) fn pairs(&self) -> impl Iterator<Item = u64> {
        let open = self.beside[..self.fixed.pods().len()].iter().map(|beside| beside & self.empty);
        open.filter(|open| open.count_ones() == 2)
    }

    /// Returns the cells of `cells` in which a placement leads to what the pass looks for.
    pub(super) fn after_placement(&self, slot: usize, piece_type: u8, at: u8, cells: u64) -> u64 {
        let mut points = self.points;
        points[PLACED as usize] = at;
        if self.context.bits.options.captures != Captures::EveryTurn {
            return self.leads(Outcome { removed: 0, last_off: false, placed: Some(slot) }, &points, cells);
        }
        let tables = &self.context.bits.tables;
        let beside = tables.piece_types[piece_type as usize].liberties[at as usize];
        let taken = tables.piece_types[self.context.routes.last as usize].liberty_of[at as usize];
        let free = self.free & !(self.once & taken);
        let empty = self.empty & !(1 << at);
        let change = Change { empty, beside: &self.beside, placed: Some((slot, beside)), free };
        let trouble =
            if self.beside_any(at) { self.in_trouble(empty, &self.beside) } else { (self.blocked, self.only) };
        self.settle(&change, trouble, &points, cells)
    }

    /// Returns `true` if a point is a liberty of a fixed pod.
    #[inline]
    fn beside_any(&self, at: u8) -> bool {
        self.beside[..self.fixed.pods().len()].iter().fold(0, |all, beside| all | beside) >> at & 1 == 1
    }

    /// Returns the same after a move of the fixed pod with this place.
    pub(super) fn after_move(&self, moved: usize, to: u8, cells: u64) -> u64 {
        let mut points = self.points;
        points[moved] = to;
        if self.context.bits.options.captures == Captures::Never {
            return self.leads(UNCHANGED, &points, cells);
        }
        let tables = &self.context.bits.tables;
        let (piece_type, from) = (self.fixed.pods()[moved].piece_type, self.points[moved]);
        let mut beside = self.beside;
        beside[moved] = tables.piece_types[piece_type as usize].liberties[to as usize];
        self.after_leaving(from, to, &beside, &points, cells)
    }

    /// Evaluates captures after an action by which no fixed pod is left on one point, and one
    /// stands on another that was empty.
    #[inline]
    pub(super) fn after_leaving(&self, left: u8, taken: u8, beside: &Beside, points: &Points, cells: u64) -> u64 {
        let liberty_of = &self.context.bits.tables.piece_types[self.context.routes.last as usize].liberty_of;
        let empty = self.empty & !(1 << taken) | 1 << left;
        let free = self.free & !(self.once & liberty_of[taken as usize]) | liberty_of[left as usize];
        let change = Change { empty, beside, placed: None, free };
        self.settle(&change, self.in_trouble(empty, beside), points, cells)
    }

    /// Returns the points to which a move of the last pod leads to what the pass looks for.
    pub(super) fn after_moves_of_last(&self) -> u64 {
        if self.context.bits.options.captures == Captures::Never {
            return self.leads(UNCHANGED, &self.points, self.empty);
        }
        let change = Change { empty: self.empty, beside: &self.beside, placed: None, free: self.free };
        self.settle(&change, (self.blocked, self.only), &self.points, self.empty)
    }

    /// Evaluates captures (R18), all at once, by where the last pod stands.
    #[inline]
    fn settle(&self, change: &Change<'_>, (blocked, mut only): (u32, u64), points: &Points, cells: u64) -> u64 {
        let mut stays = change.placed;
        if let Some((_, beside)) = stays {
            match beside & change.empty {
                0 => stays = None,
                open if open.is_power_of_two() => only |= open,
                _ => (),
            }
        }
        if self.context.bits.shove_liberty {
            let calm = if blocked == 0 && stays.is_some() == change.placed.is_some() { change.free & !only } else { 0 };
            return self.settle_by_cell(change, calm, points, cells);
        }
        let outcome = |removed, last_off, placed: Option<(usize, u64)>| Outcome {
            removed,
            last_off,
            placed: placed.map(|(slot, _)| slot),
        };
        let (mut good, most) = (0, cells & !only);
        if most & change.free != 0 {
            good |= self.leads(outcome(blocked, false, stays), points, most & change.free);
        }
        if most & !change.free != 0 {
            good |= self.leads(outcome(blocked, true, stays), points, most & !change.free);
        }
        for cell in PointSet(cells & only) {
            let cell = 1_u64 << cell.index();
            let taken = self.taken_by(cell, change.empty, change.beside);
            let stays = stays.filter(|(_, beside)| beside & change.empty != cell);
            good |= self.leads(outcome(blocked | taken, change.free & cell == 0, stays), points, cell);
        }
        good
    }

    /// Returns the same where a blocked pod that could shove or kick stays (R27): in the cells
    /// `calm` nobody is blocked, the others are looked at one by one.
    #[cold]
    fn settle_by_cell(&self, change: &Change<'_>, calm: u64, points: &Points, cells: u64) -> u64 {
        let placed = change.placed.map(|(slot, _)| slot);
        let mut good = 0;
        if cells & calm != 0 {
            good |= self.leads(Outcome { removed: 0, last_off: false, placed }, points, cells & calm);
        }
        for cell in PointSet(cells & !calm) {
            let outcome = self.outcome_at(change, points, cell.index() as u8);
            good |= self.leads(outcome, points, 1 << cell.index());
        }
        good
    }

    /// Returns the outcome of captures when the last pod stands on a point.
    fn outcome_at(&self, change: &Change<'_>, points: &Points, cell: u8) -> Outcome {
        let (bits, routes) = (self.context.bits, &self.context.routes);
        let empty = change.empty & !(1 << cell);
        let comes_off = |piece_type: u8, at: u8, beside: u64| {
            let saved = || bits.shove_liberty && bits.tables.can_push(piece_type, at, empty);
            beside & empty == 0 && !saved()
        };
        let fixed = self.fixed.pods().iter().enumerate();
        let removed =
            fixed.fold(0, |set, (i, pod)| set | u32::from(comes_off(pod.piece_type, points[i], change.beside[i])) << i);
        let last = &bits.tables.piece_types[routes.last as usize];
        let last_off = comes_off(routes.last, cell, last.liberties[cell as usize]);
        let at = points[PLACED as usize];
        let placed = change.placed.filter(|&(slot, beside)| !comes_off(routes.in_hand[slot], at, beside));
        Outcome { removed, last_off, placed: placed.map(|(slot, _)| slot) }
    }

    /// Returns `true` if an action that leaves the fixed pods on these points, and the last one on
    /// this, leads to what the pass looks for.
    pub(super) fn after_at(&self, beside: &Beside, points: &Points, cell: u8) -> bool {
        if self.context.bits.options.captures == Captures::Never {
            return self.leads(UNCHANGED, points, 1 << cell) != 0;
        }
        let held = points[..self.fixed.pods().len()].iter().fold(0_u64, |set, at| set | 1 << at);
        let change = Change { empty: self.context.bits.tables.all & !held, beside, placed: None, free: 0 };
        self.leads(self.outcome_at(&change, points, cell), points, 1 << cell) != 0
    }

    /// Returns the cells of `cells` that lead to what the pass looks for when the pods that stay
    /// stand on these points.
    #[inline]
    pub(super) fn leads(&self, outcome: Outcome, points: &Points, cells: u64) -> u64 {
        let routes = &self.context.routes;
        match routes.target(outcome) {
            Some(target) => self.read(target, outcome, points, cells),
            None => self.read(&routes.find(outcome), outcome, points, cells),
        }
    }

    #[inline]
    fn read(&self, target: &Target, outcome: Outcome, points: &Points, cells: u64) -> u64 {
        match target {
            Target::All(true) => cells,
            Target::All(false) => 0,
            Target::Tier(tier) => self.through_index(*tier, outcome, points, cells),
            Target::Row(route) => {
                let known = self.context.known.tier(route.tier);
                match route.cell {
                    Cell::Same => known[route.row(points) as usize] & cells,
                    Cell::Of(pod) if known[route.row(points) as usize] >> points[pod as usize] & 1 == 1 => cells,
                    Cell::Of(_) => 0,
                    Cell::Column => self.column(route, points, cells),
                }
            }
        }
    }

    /// Handles the case that the placed pod is the last one there, and ours is the digit that
    /// counts least: rows follow each other as its points do.
    fn column(&self, route: &Route, points: &Points, cells: u64) -> u64 {
        let (known, cell) = (self.context.known.tier(route.tier), points[PLACED as usize]);
        let mut good = 0;
        route.rows(points, self.context.bits.index.points(), |at, row| {
            if cells >> at & 1 == 1 && known[row as usize] >> cell & 1 == 1 {
                good |= 1 << at;
            }
        });
        good
    }

    /// Returns the same for rows in which alike pods share a digit.
    #[cold]
    fn through_index(&self, tier: usize, outcome: Outcome, points: &Points, cells: u64) -> u64 {
        let Outcome { removed, last_off, placed } = outcome;
        let (index, routes) = (self.context.bits.index, &self.context.routes);
        let mut pods = Arrangement::EMPTY;
        for (i, pod) in self.fixed.pods().iter().enumerate().filter(|(i, _)| removed >> i & 1 == 0) {
            pods.insert(Placed { piece_type: pod.piece_type, point: points[i] });
        }
        if let Some(slot) = placed {
            pods.insert(Placed { piece_type: routes.in_hand[slot], point: points[PLACED as usize] });
        }
        let at = |pods: &Arrangement| match index.place(tier, pods) {
            Some(place) => self.context.known.at(place),
            None => unreachable!("both players still hold pods"),
        };
        if last_off {
            return if at(&pods) { cells } else { 0 };
        }
        let of = &index.tiers()[tier];
        let key = pods.pods().iter().map(|pod| of.weight(pod.piece_type)).sum::<u32>() + of.weight(routes.last);
        match of.slice_by_key(key) {
            Some(slice) if slice.last() == Some(routes.last) => {
                self.context.known.word(tier, slice, pods.pods()) & cells
            }
            _ => PointSet(cells).into_iter().fold(0, |good, cell| {
                let mut pods = pods;
                pods.insert(Placed { piece_type: routes.last, point: cell.index() as u8 });
                good | u64::from(at(&pods)) << cell.index()
            }),
        }
    }
}
