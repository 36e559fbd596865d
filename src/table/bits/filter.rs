//! What is left to ask about placements once the next positions have been read.
//!
//! An action matters to a quest in few cells as a rule: where it leads to a loss of the opponent, or where it does not
//! lead to a win. So the rows that the placements of a class lead to are read first, legal or not, and only where one
//! matters is the rule asked. The answer may name too many cells and never too few. Actions that empty the hand do not
//! matter: the cells in which there is one were found before anything was read, and are no longer wanted.

use super::Stage;
use super::after::Stand;
use super::routes::{Cell, Outcome, PLACED, Route, Target};
use crate::geometry::{MAX_POINTS, PointSet};
use crate::rules::Captures;
use crate::table::sweep::Quest;

/// For each point, the cells in which a placement there is still to be asked about.
pub(super) type Asked = [u64; MAX_POINTS];

/// What all classes of a row share.
pub(super) struct Filter<'a> {
    stage: &'a Stage<'a>,
    stand: &'a Stand<'a>,
    captures: bool,
    /// What makes a word of what is known a word of what matters.
    flip: u64,
    /// The cells in which a placed pod that comes straight back matters.
    backs: u64,
    /// Where the last pod is blocked, and where it has only one liberty.
    off: u64,
    once: u64,
}

impl<'a> Filter<'a> {
    pub(super) fn new(stand: &'a Stand<'a>, want: u64) -> Filter<'a> {
        let stage = stand.stage;
        let captures = stage.bits.options.captures == Captures::EveryTurn;
        let flip = if stage.known.quest == Quest::Wins { 0 } else { u64::MAX };
        let mut filter = Filter { stage, stand, captures, flip, backs: 0, off: 0, once: 0 };
        if !captures {
            return filter;
        }
        (filter.off, filter.once) = (want & !stand.free, want & stand.once);
        for (cells, blocked) in filter.parts(want) {
            let stays = cells & stand.free;
            if stays != 0 {
                filter.backs |= stays & filter.matters_back(blocked, false);
            }
            let goes = cells & (filter.off | filter.once);
            if goes != 0 {
                filter.backs |= goes & filter.matters_back(blocked, true);
            }
        }
        filter
    }

    /// Cells, and the fixed pods that are blocked in them before anything acts.
    #[inline]
    fn parts(&self, want: u64) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        let stand = self.stand;
        // Without captures nothing is blocked.
        let (only, blocked) = if self.captures { (stand.only, stand.blocked) } else { (0, 0) };
        let most = std::iter::once((want & !only, blocked)).filter(|(cells, _)| *cells != 0);
        most.chain(PointSet(want & only).into_iter().map(|cell| {
            let cell = 1 << cell.index();
            (cell, stand.blocked | stand.taken_by(cell, stand.empty))
        }))
    }

    /// The cells in which it matters that the placed pod comes back, these pods are blocked and the last one goes or not.
    fn matters_back(&self, blocked: u32, goes: bool) -> u64 {
        let stand = self.stand;
        match self.stage.routes.target(Outcome { removed: blocked, last_off: goes, placed: None }) {
            Some(Target::All(_)) => 0,
            Some(Target::Tier(_)) | None => u64::MAX,
            Some(Target::Row(route)) => {
                let (known, row) = (self.stage.known.tier(route.tier), route.row(&stand.points));
                match route.cell {
                    Cell::Of(pod) => bit(known, row, stand.points[pod as usize]) ^ self.flip,
                    Cell::Same | Cell::Column => known[row as usize] ^ self.flip,
                }
            }
        }
    }

    /// Adds the cells that placements of a class are to be asked about, and returns the points where there are any.
    #[inline]
    pub(super) fn placements(&self, want: u64, slot: usize, class: u8, asked: &mut Asked) -> u64 {
        let stand = self.stand;
        let mut all = 0;
        for (cells, blocked) in self.parts(want) {
            let stays = if self.captures { cells & stand.free } else { cells };
            if stays != 0 {
                match self.stage.routes.target(Outcome { removed: blocked, last_off: false, placed: Some(slot) }) {
                    Some(Target::All(_)) => (),
                    Some(Target::Tier(_)) | None => all |= stays,
                    Some(Target::Row(route)) if route.cell == Cell::Column => all |= self.columns(route, stays, asked),
                    Some(Target::Row(route)) => self.stays(route, stays, asked),
                }
            }
            let (off, once) = (cells & self.off, cells & self.once);
            if off | once != 0 {
                match self.stage.routes.target(Outcome { removed: blocked, last_off: true, placed: Some(slot) }) {
                    Some(Target::All(_)) => (),
                    Some(Target::Tier(_)) | None => self.goes_everywhere(off, once, asked),
                    Some(Target::Row(route)) => self.goes(route, off, once, asked),
                }
            }
        }
        if self.captures {
            // A point taken may be the last liberty but one of a fixed pod.
            for pair in stand.pairs() {
                let (one, other) = (pair.trailing_zeros() as usize, 63 - pair.leading_zeros() as usize);
                asked[one] |= 1 << other & want;
                asked[other] |= 1 << one & want;
            }
            self.comes_back(class, asked);
            self.takes(want, slot, class, asked);
        }
        let mut points = 0;
        for (at, cells) in asked.iter_mut().enumerate().take(self.stage.bits.index.points()) {
            *cells = (*cells | all) & want;
            points |= u64::from(*cells != 0) << at;
        }
        points
    }

    /// The pods kept stay and the last pod does: the same cells of a row for each point.
    #[inline]
    fn stays(&self, route: &Route, stays: u64, asked: &mut Asked) {
        let board = self.stage.bits.index.points();
        let points = &self.stand.points;
        let known = self.stage.known.tier(route.tier);
        route.rows(points, board, |at, row| asked[at] |= (known[row as usize] ^ self.flip) & stays);
    }

    /// The placed pod is the last one then, and the one that was is a digit: a row for each cell. Returns the cells in
    /// which all points are to be asked about.
    fn columns(&self, route: &Route, stays: u64, asked: &mut Asked) -> u64 {
        let (known, board) = (self.stage.known.tier(route.tier), self.stage.bits.index.points());
        let every = u64::MAX >> (MAX_POINTS - board);
        let mut all = 0;
        route.rows(&self.stand.points, board, |cell, row| {
            if stays >> cell & 1 == 1 {
                let mut points = (known[row as usize] ^ self.flip) & every;
                if points == every {
                    all |= 1 << cell;
                    return;
                }
                while points != 0 {
                    asked[points.trailing_zeros() as usize] |= 1 << cell;
                    points &= points - 1;
                }
            }
        });
        all
    }

    /// The last pod comes off: in the cells `off` wherever the placement is, in those of `once` if it takes the liberty.
    fn goes(&self, route: &Route, off: u64, once: u64, asked: &mut Asked) {
        let (known, stand) = (self.stage.known.tier(route.tier), self.stand);
        let last = &self.stage.bits.terrain.classes[self.stage.routes.last as usize];
        let board = self.stage.bits.index.points();
        let Cell::Of(pod) = route.cell else { return self.goes_everywhere(off, once, asked) };
        if pod == PLACED {
            let word = known[route.row(&stand.points) as usize] ^ self.flip;
            for at in PointSet(word & stand.empty) {
                asked[at.index()] |= off | once & last.liberty_of[at.index()];
            }
            return;
        }
        let cell = stand.points[pod as usize];
        if off == 0 {
            let taken = PointSet(once).into_iter().fold(0, |all, cell| all | last.liberties[cell.index()]);
            let mut points = stand.points;
            for at in PointSet(taken & stand.empty) {
                points[PLACED as usize] = at.index() as u8;
                let matters = bit(known, route.row(&points), cell) ^ self.flip;
                asked[at.index()] |= once & last.liberty_of[at.index()] & matters;
            }
            return;
        }
        let matters = |at: usize| off | once & last.liberty_of[at];
        route.rows(&stand.points, board, |at, row| asked[at] |= matters(at) & (bit(known, row, cell) ^ self.flip));
    }

    /// The same where nothing could be read.
    fn goes_everywhere(&self, off: u64, once: u64, asked: &mut Asked) {
        let last = &self.stage.bits.terrain.classes[self.stage.routes.last as usize];
        for (at, asked) in asked.iter_mut().enumerate() {
            *asked |= off | once & last.liberty_of[at];
        }
    }

    /// The placed pod is blocked at once.
    fn comes_back(&self, class: u8, asked: &mut Asked) {
        if self.backs == 0 {
            return;
        }
        let (terrain, empty) = (&self.stage.bits.terrain, self.stand.empty);
        let (free, once) = terrain.free(class, empty);
        for at in PointSet(empty & !free) {
            asked[at.index()] |= self.backs;
        }
        let liberties = &terrain.classes[class as usize].liberties;
        for at in PointSet(empty & once) {
            asked[at.index()] |= self.backs & liberties[at.index()];
        }
    }

    /// The placed pod takes the only liberty of fixed pods.
    fn takes(&self, want: u64, slot: usize, class: u8, asked: &mut Asked) {
        let stand = self.stand;
        let terrain = &self.stage.bits.terrain;
        let liberty_of = &terrain.classes[self.stage.routes.last as usize].liberty_of;
        let mut points = stand.points;
        for at in PointSet(stand.only) {
            let at = at.index();
            let open = terrain.classes[class as usize].liberties[at] & stand.empty;
            let taken = stand.taken_by(1 << at, stand.empty);
            // Where the last pod or the placed one comes off too, or more fixed ones.
            let back = if open.is_power_of_two() { open } else { 0 };
            let more = stand.only | !stand.free | stand.once & liberty_of[at] | back;
            let matters = match self.stage.routes.target(Outcome {
                removed: stand.blocked | taken,
                last_off: false,
                placed: Some(slot),
            }) {
                _ if open == 0 => u64::MAX,
                Some(Target::Row(route)) if route.cell == Cell::Same => {
                    points[PLACED as usize] = at as u8;
                    let known = self.stage.known.tier(route.tier);
                    (known[route.row(&points) as usize] ^ self.flip) | more
                }
                Some(Target::All(_)) => more,
                Some(Target::Row(_) | Target::Tier(_)) | None => u64::MAX,
            };
            asked[at] |= want & matters;
        }
    }
}

/// What is known of a cell, in all bits.
#[inline]
fn bit(known: &[u64], row: u64, cell: u8) -> u64 {
    (known[row as usize] >> cell & 1).wrapping_neg()
}
