//! What is left to ask about placements once the next positions have been read.
//!
//! An action matters to a quest in few cells as a rule: where it leads to a loss of the opponent, or where it does not
//! lead to a win. So the rows that the placements of a class lead to are read first, legal or not, and only where one
//! matters is the rule asked. The answer may name too many cells and never too few.

use super::Search;
use super::near::{Lone, Near, Target, Variant};
use super::ranker::View;
use super::terrain::Terrain;
use crate::geometry::{MAX_POINTS, PointSet};
use crate::table::sweep::{Known, Quest};
use crate::table::tier::Slice;

/// For each point, the cells in which a placement there is still to be asked about.
pub(super) type Asked = [u64; MAX_POINTS];

/// What all classes of a row share.
pub(super) struct Filter<'a> {
    /// What makes a word of what is known a word of what matters.
    flip: u64,
    /// By the point taken, the cells in which that takes off a fixed pod with two liberties.
    made: Asked,
    /// The cells in which a placed pod that comes straight back matters.
    backs: u64,
    /// Where the last pod is blocked, and where it has only one liberty, among the cells wanted.
    off: u64,
    once: u64,
    captures: bool,
    near: &'a Near,
}

impl<'a> Filter<'a> {
    #[inline(never)]
    pub(super) fn new(search: &Search<'a>, near: &'a Near, captures: bool) -> Filter<'a> {
        let want = search.want;
        let mut filter = Filter {
            flip: if search.known.quest == Quest::Wins { 0 } else { u64::MAX },
            made: [0; MAX_POINTS],
            backs: 0,
            off: 0,
            once: 0,
            captures,
            near,
        };
        if !captures {
            return filter;
        }
        for &pair in near.pairs() {
            let (one, other) = (pair.trailing_zeros() as usize, 63 - pair.leading_zeros() as usize);
            filter.made[one] |= 1 << other & want;
            filter.made[other] |= 1 << one & want;
        }
        (filter.off, filter.once) = (want & !near.free, want & near.once);
        for variant in &near.variants {
            let stays = want & variant.cells & near.free;
            if stays != 0 {
                filter.backs |= match variant.same_pods(search) {
                    Target::Row(tier, _, row) => (word(search.known, tier, row) ^ filter.flip) & stays,
                    other => filter.of_all(&other) & stays,
                };
            }
            let goes = variant.cells & (filter.off | filter.once);
            if goes != 0 {
                let lone = variant.lone(search, None, None);
                let matters = match (lone.after_nothing(search.known), &lone.target) {
                    (_, target @ (Target::Won | Target::Lost)) => filter.of_all(target),
                    (Some(found), _) => u64::from(found).wrapping_neg() ^ filter.flip,
                    (None, _) => u64::MAX,
                };
                filter.backs |= goes & matters;
            }
        }
        filter
    }

    /// What matters where all cells lead to the same.
    fn of_all(&self, target: &Target<'_>) -> u64 {
        match target {
            // An emptied hand: the cells in which that can be done are no longer wanted.
            Target::Won | Target::Lost => 0,
            Target::Row(..) | Target::Other => u64::MAX,
        }
    }

    /// The cells that placements of a class are to be asked about.
    #[inline(never)]
    pub(super) fn placements(&self, search: &Search<'a>, class: u8) -> Asked {
        let (terrain, near, want) = (&search.bits.terrain, self.near, search.want);
        let mut asked = self.made;
        let mut all = 0;
        for variant in &near.variants {
            let cells = want & variant.cells;
            let stays = if self.captures { cells & near.free } else { cells };
            if stays != 0 {
                match variant.placement(search, class) {
                    Target::Row(tier, slice, base) => {
                        let rows = Rows { pods: variant.kept.all(), slice, base, class };
                        self.stays(search.known, tier, &rows, stays, &mut asked);
                    }
                    Target::Other => match variant.column(search, class) {
                        Some((tier, slice, base)) => {
                            let rows = Rows { pods: variant.kept.all(), slice, base, class: search.last };
                            all |= self.columns(search.known, tier, &rows, stays, &mut asked);
                        }
                        None => all |= stays,
                    },
                    early => all |= self.of_all(&early) & stays,
                }
            }
            let (off, once) = (cells & self.off, cells & self.once);
            if off | once != 0 {
                let lone = variant.lone(search, Some(class), None);
                self.goes(search, &lone, class, off, once, &mut asked);
            }
        }
        if self.captures {
            self.comes_back(terrain, class, &mut asked);
            for at in PointSet(near.only) {
                asked[at.index()] = want;
            }
        }
        if all != 0 {
            asked.iter_mut().for_each(|cells| *cells |= all);
        }
        asked
    }

    /// The pods kept stay and the last pod does: the same cells of a row for each point.
    #[inline(never)]
    fn stays(&self, known: &Known<'_>, tier: usize, rows: &Rows<'_>, stays: u64, asked: &mut Asked) {
        if tier == known.tier {
            rows.each(known.index.points(), |at, row| asked[at] |= (known.own[row as usize] ^ self.flip) & stays);
        } else if stays.is_power_of_two() {
            let cell = stays.trailing_zeros() as u8;
            rows.each(known.index.points(), |at, row| {
                asked[at] |= (bit(known, tier, row, cell) ^ self.flip) & stays;
            });
        } else {
            rows.each(known.index.points(), |at, row| asked[at] |= (word(known, tier, row) ^ self.flip) & stays);
        }
    }

    /// The placed pod is the last one then, and the one that was is a digit: a row for each cell.
    #[inline(never)]
    fn columns(&self, known: &Known<'_>, tier: usize, rows: &Rows<'_>, stays: u64, asked: &mut Asked) -> u64 {
        let every = u64::MAX >> (MAX_POINTS - known.index.points());
        let mut all = 0;
        rows.each(known.index.points(), |cell, row| {
            if stays >> cell & 1 == 1 {
                let mut points = (word(known, tier, row) ^ self.flip) & every;
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
    #[inline(never)]
    fn goes(&self, search: &Search<'a>, lone: &Lone<'a>, class: u8, off: u64, once: u64, asked: &mut Asked) {
        let known = search.known;
        let liberty_of = &search.bits.terrain.classes[search.last as usize].liberty_of;
        let points = known.index.points();
        match (&lone.target, lone.last) {
            (&Target::Row(tier, slice, base), Some(last)) => {
                let rows = Rows { pods: lone.rest, slice, base, class };
                if off == 0 {
                    let of = &search.bits.terrain.classes[search.last as usize];
                    let taken = PointSet(once).into_iter().fold(0, |all, cell| all | of.liberties[cell.index()]);
                    for at in PointSet(taken & self.near.empty) {
                        let row = lone.rest.after_placement(slice, base, class, at.index() as u8);
                        asked[at.index()] |= once & liberty_of[at.index()] & (bit(known, tier, row, last) ^ self.flip);
                    }
                    return;
                }
                if tier == known.tier {
                    rows.each(points, |at, row| {
                        let word = (known.own[row as usize] ^ self.flip) >> last & 1;
                        asked[at] |= (off | once & liberty_of[at]) & word.wrapping_neg();
                    });
                } else {
                    rows.each(points, |at, row| {
                        asked[at] |= (off | once & liberty_of[at]) & (bit(known, tier, row, last) ^ self.flip);
                    });
                }
            }
            (&Target::Row(tier, _, row), None) => {
                let word = word(known, tier, row) ^ self.flip;
                for at in PointSet(word & (u64::MAX >> (MAX_POINTS - points))) {
                    asked[at.index()] |= off | once & liberty_of[at.index()];
                }
            }
            (target, _) => {
                let all = self.of_all(target);
                for at in 0..points {
                    asked[at] |= (off | once & liberty_of[at]) & all;
                }
            }
        }
    }

    /// The placed pod is blocked at once.
    fn comes_back(&self, terrain: &Terrain, class: u8, asked: &mut Asked) {
        if self.backs == 0 {
            return;
        }
        let empty = self.near.empty;
        let (free, once) = terrain.free(class, empty);
        for at in PointSet(empty & !free) {
            asked[at.index()] |= self.backs;
        }
        let liberties = &terrain.classes[class as usize].liberties;
        for at in PointSet(empty & once) {
            asked[at.index()] |= self.backs & liberties[at.index()];
        }
    }
}

/// The rows of a slice that a pod of a class leads to, by the point where it is added to some pods.
struct Rows<'a> {
    pods: View<'a>,
    slice: &'a Slice,
    base: u64,
    class: u8,
}

impl Rows<'_> {
    /// Calls `visit` with each free point and its row.
    #[inline(always)]
    fn each(&self, points: usize, mut visit: impl FnMut(usize, u64)) {
        let pods = self.pods.pods;
        let mut place = pods.len();
        let mut row = self.base;
        // What the number of the row changes by beyond a point that is held.
        let mut steps = [0_u64; MAX_POINTS];
        while place > 0 && pods[place - 1].class > self.class {
            place -= 1;
            let weight = self.slice.digit_weight(place + 1);
            row = row.wrapping_sub(weight);
            steps[pods[place].point as usize] = weight;
        }
        let weight = self.slice.digit_weight(place);
        for pod in &pods[..place] {
            steps[pod.point as usize] = weight.wrapping_neg();
        }
        let mut held = self.pods.occupied;
        let mut at = 0;
        loop {
            let end = if held == 0 { points } else { held.trailing_zeros() as usize };
            for at in at..end {
                visit(at, row.wrapping_add(weight * at as u64));
            }
            if held == 0 {
                return;
            }
            row = row.wrapping_add(steps[end]);
            at = end + 1;
            held &= held - 1;
        }
    }
}

/// What is known of a row of any tier, a bit a cell.
#[inline]
fn word(known: &Known<'_>, tier: usize, row: u64) -> u64 {
    if tier == known.tier { known.own[row as usize] } else { known.whole_row(tier, row) }
}

/// What is known of a cell of an earlier tier, in all bits.
#[inline]
fn bit(known: &Known<'_>, tier: usize, row: u64, cell: u8) -> u64 {
    u64::from(known.at(crate::table::Place { tier, row, cell })).wrapping_neg()
}

impl Variant {
    /// Where placements of a class lead that makes its pod the last: the number that the digits of the kept pods and the
    /// present last pod add up to.
    fn column<'a>(&self, search: &Search<'a>, class: u8) -> Option<(usize, &'a Slice, u64)> {
        if !self.single || class <= search.last {
            return None;
        }
        let of = &search.bits.index.tiers()[self.tier];
        let on_board = self.kept.pods.pods().iter().map(|pod| of.weight(pod.class)).sum::<u32>();
        let slice = of.slice_by_key(on_board + of.weight(search.last) + of.weight(class))?;
        (slice.is_single() && slice.last() == Some(class))
            .then(|| (self.tier, slice, self.kept.all().base(slice, search.last)))
    }
}
