//! What an action makes of a row: which pods are blocked then and come off (R18), and what is known of where that leads.

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
    /// The points beside each fixed pod that would be its liberties if they were empty (R7).
    beside: [u64; MAX_ON_BOARD],
    /// The points that no fixed pod holds.
    pub(super) empty: u64,
    /// Where the last pod has a liberty, and where only one.
    pub(super) free: u64,
    pub(super) once: u64,
    /// The fixed pods that are blocked wherever the last one stands.
    pub(super) blocked: u32,
    /// The only liberties of fixed pods that have one.
    pub(super) only: u64,
}

/// All pods stay.
const UNCHANGED: Outcome = Outcome { removed: 0, last_off: false, placed: None };

/// What an action changes before captures.
struct Change {
    /// The points that no fixed or placed pod holds.
    empty: u64,
    /// The place of a fixed pod that has moved, and what is beside it now.
    moved: Option<(usize, u64)>,
    /// The place in the hand of the piece type placed, and what is beside the pod.
    placed: Option<(usize, u64)>,
    /// Where the last pod has a liberty.
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
            (row_context.blocked, row_context.only) = row_context.in_trouble(row_context.empty, None);
        }
        row_context
    }

    /// The fixed pods without a liberty when these points are empty, and the only liberties of those that have one.
    #[inline]
    fn in_trouble(&self, empty: u64, moved: Option<(usize, u64)>) -> (u32, u64) {
        let (mut blocked, mut only) = (0, 0);
        for (i, &beside) in self.beside[..self.fixed.pods().len()].iter().enumerate() {
            let open = empty
                & match moved {
                    Some((moved, beside)) if moved == i => beside,
                    _ => beside,
                };
            if open == 0 {
                blocked |= 1 << i;
            } else if open.is_power_of_two() {
                only |= open;
            }
        }
        (blocked, only)
    }

    /// The fixed pods that have no other liberty than the point of a set of one, when these points are empty.
    #[inline]
    pub(super) fn taken_by(&self, cell: u64, empty: u64) -> u32 {
        let beside = self.beside[..self.fixed.pods().len()].iter().enumerate();
        beside.fold(0, |set, (i, beside)| set | u32::from(beside & empty == cell) << i)
    }

    /// Pairs of points that are the only two liberties of a fixed pod.
    pub(super) fn pairs(&self) -> impl Iterator<Item = u64> {
        let open = self.beside[..self.fixed.pods().len()].iter().map(|beside| beside & self.empty);
        open.filter(|open| open.count_ones() == 2)
    }

    /// The cells of `cells` in which a placement leads to what the pass looks for.
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
        let change = Change { empty: self.empty & !(1 << at), moved: None, placed: Some((slot, beside)), free };
        let trouble = if self.beside_any(at) { self.in_trouble(change.empty, None) } else { (self.blocked, self.only) };
        self.settle(&change, trouble, &points, cells)
    }

    /// Whether a point is a liberty of a fixed pod.
    #[inline]
    fn beside_any(&self, at: u8) -> bool {
        self.beside[..self.fixed.pods().len()].iter().fold(0, |all, beside| all | beside) >> at & 1 == 1
    }

    /// The same after a move of the fixed pod with this place.
    pub(super) fn after_move(&self, moved: usize, to: u8, cells: u64) -> u64 {
        let mut points = self.points;
        points[moved] = to;
        if self.context.bits.options.captures == Captures::Never {
            return self.leads(UNCHANGED, &points, cells);
        }
        let tables = &self.context.bits.tables;
        let (piece_type, from) = (self.fixed.pods()[moved].piece_type, self.points[moved]);
        let liberty_of = &tables.piece_types[self.context.routes.last as usize].liberty_of;
        let change = Change {
            empty: self.empty & !(1 << to) | 1 << from,
            moved: Some((moved, tables.piece_types[piece_type as usize].liberties[to as usize])),
            placed: None,
            free: self.free & !(self.once & liberty_of[to as usize]) | liberty_of[from as usize],
        };
        self.settle(&change, self.in_trouble(change.empty, change.moved), &points, cells)
    }

    /// The points to which a move of the last pod leads to what the pass looks for.
    pub(super) fn after_moves_of_last(&self) -> u64 {
        if self.context.bits.options.captures == Captures::Never {
            return self.leads(UNCHANGED, &self.points, self.empty);
        }
        let change = Change { empty: self.empty, moved: None, placed: None, free: self.free };
        self.settle(&change, (self.blocked, self.only), &self.points, self.empty)
    }

    /// Captures (R18), all at once, by where the last pod stands.
    #[inline]
    fn settle(&self, change: &Change, (blocked, mut only): (u32, u64), points: &Points, cells: u64) -> u64 {
        let mut stays = change.placed;
        if let Some((_, beside)) = stays {
            match beside & change.empty {
                0 => stays = None,
                open if open.is_power_of_two() => only |= open,
                _ => (),
            }
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
            let mut taken = self.taken_by(cell, change.empty);
            if let Some((moved, beside)) = change.moved {
                taken = taken & !(1 << moved) | u32::from(beside & change.empty == cell) << moved;
            }
            let stays = stays.filter(|(_, beside)| beside & change.empty != cell);
            good |= self.leads(outcome(blocked | taken, change.free & cell == 0, stays), points, cell);
        }
        good
    }

    /// The cells of `cells` that lead to what the pass looks for when the pods that stay stand on these points.
    #[inline]
    fn leads(&self, outcome: Outcome, points: &Points, cells: u64) -> u64 {
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

    /// The placed pod is the last one there, and ours is the digit that counts least: rows follow each other as its points
    /// do.
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

    /// The same for rows in which alike pods share a digit.
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
                self.context.known.tier(tier)[index.row(slice, pods.pods()) as usize] & cells
            }
            _ => PointSet(cells).into_iter().fold(0, |good, cell| {
                let mut pods = pods;
                pods.insert(Placed { piece_type: routes.last, point: cell.index() as u8 });
                good | u64::from(at(&pods)) << cell.index()
            }),
        }
    }
}
