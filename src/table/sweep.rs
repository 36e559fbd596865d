//! Solving a tier by sweeps: sweep `d` finds every position that is decided in exactly `d` plies.
//!
//! Even sweeps find losses: all actions lead to wins of the opponent found before. Odd sweeps find wins: an action leads
//! to a loss found before. So a sweep reads one kind of result and writes the other, in place and on all threads, and
//! distances come out exact. What no sweep finds is a draw (R21).

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::arrangement::Arrangement;
use super::codes::{Codes, CodesPart};
use super::index::{Index, Place, Slice, Tier};
use crate::material::Side;
use crate::solver::Plies;

/// Rows that a thread takes at a time.
const ROWS: usize = 1 << 11;

/// What a sweep looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quest {
    /// Positions with an action to a loss.
    Wins,
    /// Positions with all actions to wins.
    Losses,
}

/// What is known of next positions during a sweep: those decided as the quest needs, before this sweep.
pub(super) struct Known<'a> {
    pub(super) index: &'a Index,
    pub(super) tier: usize,
    pub(super) quest: Quest,
    /// Wins or losses in this tier with the next player to move, a word a row.
    pub(super) own: &'a [u64],
    /// The next player, 0 or 1.
    pub(super) next: usize,
    /// The values of all earlier tiers.
    pub(super) earlier: &'a [[Codes; 2]],
    /// The distance that this sweep decides.
    pub(super) distance: Plies,
}

impl Known<'_> {
    /// Whether the next position at a place is decided as the quest needs.
    #[inline]
    pub(super) fn at(&self, place: Place) -> bool {
        if place.tier == self.tier {
            return self.own[place.row as usize] >> place.cell & 1 == 1;
        }
        let cell = place.row as usize * self.index.points() + place.cell as usize;
        self.decides(self.earlier[place.tier][self.next].get(cell))
    }

    /// The same for cells of a row of an earlier tier.
    #[inline]
    pub(super) fn earlier_row(&self, tier: usize, row: u64, cells: u64) -> u64 {
        let codes = &self.earlier[tier][self.next];
        let base = row as usize * self.index.points();
        let (mut found, mut left) = (0, cells);
        while left != 0 {
            let cell = left.trailing_zeros() as usize;
            left &= left - 1;
            found |= u64::from(self.decides(codes.get(base + cell))) << cell;
        }
        found
    }

    #[inline]
    fn decides(&self, code: u16) -> bool {
        let parity = u16::from(self.quest == Quest::Wins);
        code != 0 && code <= self.distance && code % 2 == parity
    }

    /// What a position without an opponent's reply, won by an empty hand, is to the quest.
    #[inline]
    pub(super) fn won_by_mover(&self) -> bool {
        self.quest == Quest::Wins
    }
}

/// Says which cells of a row a quest finds.
pub(super) trait Evaluator: Sync {
    /// The cells of `want` that the quest finds. `row` is a row of the tier, in `slice`, with these fixed pods.
    fn found(&self, known: &Known<'_>, slice: &Slice, row: u64, fixed: &Arrangement, mover: Side, want: u64) -> u64;
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swept {
    /// The distance that the sweep decided.
    pub distance: Plies,
    /// Cells found.
    pub found: u64,
    /// Cells still undecided.
    pub undecided: u64,
}

/// The results so far with one player to move: a word a row. In a cell that is not in use both bits are set.
struct Planes {
    wins: Vec<u64>,
    losses: Vec<u64>,
}

/// A part of the planes for one thread, to be written in one plane.
struct Part<'a> {
    first_row: u64,
    written: &'a mut [u64],
    other: &'a [u64],
    codes: CodesPart<'a>,
}

/// The values of a tier, from those of all earlier tiers.
pub(super) fn solve_tier(
    index: &Index,
    number: usize,
    earlier: &[[Codes; 2]],
    evaluator: &dyn Evaluator,
    observe: &mut dyn FnMut(Swept),
) -> [Codes; 2] {
    let tier = &index.tiers()[number];
    let rows = tier.rows() as usize;
    let unused = unused_cells(index, tier);
    let mut undecided: u64 = 2 * unused.par_iter().map(|w| u64::from(w.count_zeros())).sum::<u64>();
    let mut planes =
        [Planes { wins: unused.clone(), losses: unused.clone() }, Planes { wins: unused.clone(), losses: unused }];
    let mut codes = [0; 2].map(|_| Codes::draws(rows * index.points()));
    let earlier_distances = distances(index, number, earlier);
    let mut empty_sweeps = 0;
    for distance in 0..Plies::MAX {
        let news_from_earlier = distance > 0 && earlier_distances.get(distance as usize - 1) == Some(&true);
        if empty_sweeps >= 2 && !news_from_earlier {
            if distance as usize > earlier_distances.len() {
                break;
            }
            continue;
        }
        let quest = if distance.is_multiple_of(2) { Quest::Losses } else { Quest::Wins };
        if distance == 255 {
            codes.iter_mut().for_each(Codes::widen);
        }
        let mut found = 0;
        for mover in Side::BOTH {
            let [white, black] = &mut planes;
            let (own, other) = if mover == Side::White { (white, &*black) } else { (black, &*white) };
            let seen = if quest == Quest::Wins { &other.losses } else { &other.wins };
            let next = 1 - mover.index();
            let known = Known { index, tier: number, quest, own: seen, next, earlier, distance };
            let (written, fixed) = match quest {
                Quest::Wins => (&mut own.wins, &own.losses),
                Quest::Losses => (&mut own.losses, &own.wins),
            };
            found += sweep(&known, mover, written, fixed, &mut codes[mover.index()], evaluator);
        }
        undecided -= found;
        observe(Swept { distance, found, undecided });
        empty_sweeps = if found == 0 { empty_sweeps + 1 } else { 0 };
        if undecided == 0 {
            break;
        }
    }
    codes
}

/// The cells that are not in use, a word a row.
fn unused_cells(index: &Index, tier: &Tier) -> Vec<u64> {
    let mut unused = vec![0; tier.rows() as usize];
    unused.par_chunks_mut(ROWS).enumerate().for_each(|(i, words)| {
        let first = (i * ROWS) as u64;
        for_each_row(index, tier, first, words.len(), |row, slice, fixed| {
            words[(row - first) as usize] = !index.cells(slice, fixed);
        });
    });
    unused
}

/// Which distances occur in the earlier tiers that captures lead to.
fn distances(index: &Index, number: usize, earlier: &[[Codes; 2]]) -> Vec<bool> {
    let alive = index.tiers()[number].alive();
    let below = (0..number).filter(|&t| index.tiers()[t].alive().iter().zip(alive).all(|(a, b)| a <= b));
    let mut found = Vec::new();
    for codes in below.flat_map(|t| &earlier[t]) {
        let mut seen = vec![false; if codes.high().is_empty() { 256 } else { 1 << 16 }];
        (0..codes.len()).for_each(|cell| seen[codes.get(cell) as usize] = true);
        for (code, _) in seen.iter().enumerate().skip(1).filter(|(_, seen)| **seen) {
            if found.len() < code {
                found.resize(code, false);
            }
            found[code - 1] = true;
        }
    }
    found
}

/// Calls `visit` with each of some rows, its slice and its fixed pods.
pub(super) fn for_each_row(
    index: &Index,
    tier: &Tier,
    first: u64,
    rows: usize,
    mut visit: impl FnMut(u64, &Slice, &Arrangement),
) {
    let (mut row, end) = (first, first + rows as u64);
    let mut slices = tier.slices()[tier.slice_at(first)..].iter();
    while let Some(slice) = slices.next().filter(|_| row < end) {
        let end = end.min(slice.first_row() + slice.rows());
        let mut fixed = index.unrank(slice, row);
        loop {
            visit(row, slice, &fixed);
            row += 1;
            if row == end {
                break;
            }
            index.unrank_next(slice, row, &mut fixed);
        }
    }
}

/// A sweep for one player to move; returns how many cells it found.
fn sweep(
    known: &Known<'_>,
    mover: Side,
    written: &mut [u64],
    other: &[u64],
    codes: &mut Codes,
    evaluator: &dyn Evaluator,
) -> u64 {
    let (points, tier) = (known.index.points(), &known.index.tiers()[known.tier]);
    let parts: Vec<Part<'_>> = written
        .chunks_mut(ROWS)
        .zip(other.chunks(ROWS))
        .zip(codes.parts_mut(ROWS * points))
        .enumerate()
        .map(|(i, ((written, other), codes))| Part { first_row: (i * ROWS) as u64, written, other, codes })
        .collect();
    let total = AtomicU64::new(0);
    let run = |mut part: Part<'_>| {
        let mut count = 0;
        let first = part.first_row;
        for_each_row(known.index, tier, first, part.written.len(), |row, slice, fixed| {
            let i = (row - first) as usize;
            let want = !(part.written[i] | part.other[i]);
            if want == 0 {
                return;
            }
            let mut found = evaluator.found(known, slice, row, fixed, mover, want);
            part.written[i] |= found;
            count += u64::from(found.count_ones());
            while found != 0 {
                part.codes.set(i * points + found.trailing_zeros() as usize, known.distance + 1);
                found &= found - 1;
            }
        });
        total.fetch_add(count, Ordering::Relaxed);
    };
    if parts.len() == 1 {
        parts.into_iter().for_each(run);
    } else {
        parts.into_par_iter().for_each(run);
    }
    total.into_inner()
}
