//! Solving a tier by sweeps: sweep `d` finds every position that is decided in exactly `d` plies.
//!
//! Even sweeps find losses: all actions lead to wins of the opponent found before. Odd sweeps find
//! wins: an action leads to a loss found before. So a sweep reads one kind of result and writes the
//! other, in place and on all threads, and distances come out exact. What no sweep finds is a draw
//! (R21).

use std::convert::Infallible;
use std::ops::Range;

use rayon::prelude::*;

use crate::material::Side;
use crate::progress::Swept;
use crate::solver::Plies;
use crate::table::index::{Arrangement, Index, Place, Placed, Slice, Tier, Walk, cells_of_rows, slices_of};
use crate::table::retro::activity::Activity;
use crate::table::retro::children::{ChildTiers, needed};
use crate::table::retro::decided::Decided;
use crate::table::retro::displaced::Displacement;
use crate::table::retro::frontier::{FrontierFilter, FrontierTracker, FrontierWriter, Frontiers};
use crate::table::retro::layout::Layout;
use crate::table::retro::pass::Pass;
use crate::table::retro::solved_tier::SolvedTier;
use crate::table::storage::{Codes, CodesPart, PageBuffer};

/// Rows that a thread takes at a time.
const ROWS_PER_TASK: usize = 1 << 11;

/// Known successors during a sweep: those that the pass looks for, decided before this sweep.
pub(in crate::table) struct Known<'a> {
    pub(in crate::table) index: &'a Index,
    pub(in crate::table) tier: usize,
    pub(in crate::table) pass: Pass,
    /// Wins or losses in this tier with the next player to move, a word a row.
    pub(in crate::table) own: &'a [u64],
    /// Layout of the rows in these words and those of earlier tiers, if not by their numbers.
    pub(in crate::table) layout: Option<&'a Layout>,
    /// The same in the earlier tiers that actions lead to.
    pub(in crate::table) earlier: &'a Decided,
    pub(in crate::table) frontiers: Frontiers<'a>,
}

impl Known<'_> {
    /// Returns `true` if the successor at a place is one that the pass looks for.
    #[inline]
    pub(in crate::table) fn at(&self, place: Place) -> bool {
        let row = self.layout.map_or(place.row, |layout| layout.row_of(self.index, place));
        self.tier(place.tier)[row as usize] >> place.cell & 1 == 1
    }

    /// Returns the known cells of a row, in the slice of a tier with these fixed pods.
    #[inline]
    pub(in crate::table) fn word(&self, tier: usize, slice: &Slice, fixed: &[Placed]) -> u64 {
        let row = self.index.row(slice, fixed);
        let row = self.layout.map_or(row, |layout| layout.row(self.index, tier, slice, row, fixed));
        self.tier(tier)[row as usize]
    }

    /// Returns the known cells of a tier with the next player to move, a word a row.
    #[inline]
    pub(in crate::table) fn tier(&self, tier: usize) -> &[u64] {
        if tier == self.tier { self.own } else { self.earlier.words(tier) }
    }

    /// Returns `true` if the pass looks for successors that the mover has won by an empty hand.
    #[inline]
    pub(in crate::table) fn won_by_mover(&self) -> bool {
        self.pass.finds_wins()
    }
}

pub(in crate::table) trait Evaluator: Sync {
    /// Prepares for rows of a slice of the tier with a player to move.
    fn rows<'a>(&'a self, known: &'a Known<'a>, slice: &'a Slice, mover: Side) -> Box<dyn Rows + 'a>;

    /// Returns the effect of actions on the opponent's pods beside captures.
    fn displacement(&self) -> Displacement<'_>;
}

pub(in crate::table) trait Rows {
    /// Returns the cells of `want` that the pass finds. `row` is a row of the tier, in the slice,
    /// with these fixed pods.
    fn found(&self, row: u64, fixed: &Arrangement, want: u64) -> u64;
}

/// The results so far of a tier that is being solved, in memory or on disk.
pub(super) trait TierResults {
    type Error;

    /// Sweeps the active slices for one player to move; returns the number of cells found by slice.
    fn run(&mut self, pass: Pass, mover: Side, active: &[bool]) -> Result<Vec<(usize, u64)>, Self::Error>;

    /// Returns the same for both players; neither run reads what the other one writes.
    fn run_both(&mut self, pass: Pass, [white, black]: &[Vec<bool>; 2]) -> Result<[Vec<(usize, u64)>; 2], Self::Error> {
        Ok([self.run(pass, Side::White, white)?, self.run(pass, Side::Black, black)?])
    }

    /// Makes room for distances that take two bytes.
    fn widen(&mut self) -> Result<(), Self::Error>;
}

/// Watch that decides whether a tier is solved to the end. Every thread asks many times a second.
pub(in crate::table) trait Watch: Sync {
    /// The reason why it is not.
    type Error: Send;

    /// Checks that the sweep should go on.
    fn go_on(&self) -> Result<(), Self::Error>;

    /// Checks that codes may take `bytes` more of memory.
    fn allow(&self, bytes: u64) -> Result<(), Self::Error>;
}

/// Watch that solves every tier to the end.
pub(in crate::table) struct ToTheEnd;

impl Watch for ToTheEnd {
    type Error = Infallible;

    fn go_on(&self) -> Result<(), Infallible> {
        Ok(())
    }

    fn allow(&self, _: u64) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Sweeps a tier until no sweep finds anything. `everything` is the number of its cells in use,
/// both players to move; `earlier_distances` are the distances that occur in the earlier tiers that
/// it [needs](needed).
pub(super) fn sweep_tier<F: TierResults>(
    index: &Index,
    number: usize,
    everything: u64,
    earlier_distances: &[bool],
    results: &mut F,
    observe: &mut dyn FnMut(Swept),
) -> Result<(), F::Error> {
    let tier = &index.tiers()[number];
    let mut undecided = everything;
    let activity = Activity::new(index, tier);
    let mut dirty = activity.nothing();
    let mut empty_sweeps = 0;
    // Hands emptied are known of first: then fewer positions are asked whether they have an action
    // at all.
    let mut dirty_of_emptied = activity.nothing();
    let mut emptied = 0;
    if index.empty_hand_wins() {
        let active = activity.hand.each_ref().map(|hands| hands.iter().map(|&hand| hand == 1).collect());
        emptied = activity.add_all(&mut dirty_of_emptied, results.run_both(Pass::EmptiedHands, &active)?);
    }
    for distance in 0..Plies::MAX {
        let earlier_changed = distance > 0 && earlier_distances.get(distance as usize - 1) == Some(&true);
        if empty_sweeps >= 2 && !earlier_changed {
            if distance as usize > earlier_distances.len() {
                break;
            }
            continue;
        }
        if distance == 255 {
            results.widen()?;
        }
        let (mut found, mut next_dirty) = match distance {
            1 => (emptied, std::mem::take(&mut dirty_of_emptied)),
            _ => (0, activity.nothing()),
        };
        // Without a loss there is no win but by emptied hands.
        let no_loss = distance == 1 && undecided == everything && !earlier_changed;
        if !no_loss {
            let all = distance == 0 || earlier_changed;
            let active = Side::BOTH.map(|mover| {
                let next = mover.other().index();
                (0..tier.slices().len()).map(|slice| all || activity.meets(&dirty, next, slice)).collect()
            });
            found += activity.add_all(&mut next_dirty, results.run_both(Pass::of(distance), &active)?);
        }
        dirty = next_dirty;
        undecided -= found;
        observe(Swept { distance, found, undecided });
        empty_sweeps = if found == 0 { empty_sweeps + 1 } else { 0 };
        if undecided == 0 {
            break;
        }
    }
    Ok(())
}

/// The results so far with one player to move: a word a row. A cell that is not in use counts as
/// won, so that no player is asked about an action that seems to lead there.
struct Planes {
    wins: PageBuffer,
    losses: PageBuffer,
}

struct InMemory<'a, W> {
    watch: &'a W,
    index: &'a Index,
    number: usize,
    earlier: &'a ChildTiers,
    evaluator: &'a dyn Evaluator,
    planes: [Planes; 2],
    codes: [Codes; 2],
    /// `None` if the evaluator does not say where actions leave the opponent's pods.
    tracker: Option<FrontierTracker<'a>>,
}

/// Solves a tier from the values of the earlier tiers that it [needs](needed); an error is the
/// reason why the watch ended it.
pub(in crate::table) fn solve_tier<W: Watch>(
    index: &Index,
    number: usize,
    earlier: &ChildTiers,
    evaluator: &dyn Evaluator,
    watch: &W,
    observe: &mut dyn FnMut(Swept),
) -> Result<SolvedTier, W::Error> {
    let tier = &index.tiers()[number];
    let unused = unused_cells(index, tier);
    let cells: u64 = 2 * unused.par_iter().map(|w| u64::from(w.count_zeros())).sum::<u64>();
    let planes = [PageBuffer::copy_of(&unused), unused].map(|wins| {
        let losses = PageBuffer::zeros(wins.len());
        Planes { wins, losses }
    });
    let codes = [0; 2].map(|_| Codes::draws(tier.rows() as usize * index.points()));
    let of_distance = cells_by_distance(index, number, earlier);
    let earlier_distances: Vec<bool> = of_distance.iter().map(|&cells| cells > 0).collect();
    let tracker = FrontierTracker::new(index, number, cells, of_distance, evaluator.displacement());
    let mut results = InMemory { watch, index, number, earlier, evaluator, planes, codes, tracker };
    sweep_tier(index, number, cells, &earlier_distances, &mut results, observe)?;
    let [white, _] = results.planes;
    Ok(SolvedTier::new(results.codes, white.wins))
}

impl<W: Watch> TierResults for InMemory<'_, W> {
    type Error = W::Error;

    fn run(&mut self, pass: Pass, mover: Side, active: &[bool]) -> Result<Vec<(usize, u64)>, W::Error> {
        if !active.contains(&true) {
            return Ok(Vec::new());
        }
        if let Some(tracker) = &mut self.tracker {
            tracker.turn(pass, self.earlier);
        }
        let earlier = match pass.is_initial() {
            true => Decided::default(),
            false => Decided::new(self.index, self.number, self.earlier, mover.other(), pass),
        };
        let [white, black] = &mut self.planes;
        let (own, other) = if mover == Side::White { (white, &*black) } else { (black, &*white) };
        let known = Known {
            index: self.index,
            tier: self.number,
            pass,
            own: if pass.finds_wins() { &other.losses } else { &other.wins },
            layout: None,
            earlier: &earlier,
            frontiers: self.tracker.as_ref().map(FrontierTracker::frontiers).unwrap_or_default(),
        };
        let (written, fixed) = match pass.finds_wins() {
            true => (&mut own.wins, &own.losses),
            false => (&mut own.losses, &own.wins),
        };
        let codes = &mut self.codes[mover.index()];
        let found = sweep(&known, mover, active, written, fixed, codes, self.evaluator, self.watch)?;
        if let Some(tracker) = &mut self.tracker {
            tracker.count(found.iter().map(|(_, cells)| cells).sum());
        }
        Ok(found)
    }

    fn widen(&mut self) -> Result<(), W::Error> {
        self.watch.allow(self.codes.iter().map(|codes| codes.len() as u64).sum())?;
        self.codes.iter_mut().for_each(Codes::widen);
        Ok(())
    }
}

/// Returns the cells that are not in use, a word a row.
fn unused_cells(index: &Index, tier: &Tier) -> PageBuffer {
    let mut unused = PageBuffer::zeros(tier.rows() as usize);
    cells_of_rows(index, tier, 0, &mut unused, |cells| !cells);
    unused
}

/// Counts for each distance how many cells of the earlier tiers that captures lead to have it.
fn cells_by_distance(index: &Index, number: usize, earlier: &ChildTiers) -> Vec<u64> {
    let mut found = Vec::new();
    for tier_side in needed(index, number) {
        let counts = earlier.get(tier_side.tier, tier_side.to_move.index()).counts();
        // Code 0 has no distance, and codes that no cell has are not counted to the end.
        let used = counts.iter().rposition(|&cells| cells > 0).unwrap_or(0);
        found.resize(found.len().max(used), 0);
        found.iter_mut().zip(&counts[1..=used]).for_each(|(found, cells)| *found += cells);
    }
    found
}

/// A part of the planes for one thread, to be written in one plane.
struct Part<'a> {
    first_row: u64,
    written: &'a mut [u64],
    other: &'a [u64],
    codes: CodesPart<'a>,
}

/// Sweeps the active slices for one player to move.
#[expect(clippy::too_many_arguments, reason = "the planes, and what is done with them")]
fn sweep<W: Watch>(
    known: &Known<'_>,
    mover: Side,
    active: &[bool],
    written: &mut [u64],
    other: &[u64],
    codes: &mut Codes,
    evaluator: &dyn Evaluator,
    watch: &W,
) -> Result<Vec<(usize, u64)>, W::Error> {
    let points = known.index.points();
    let parts: Vec<Part<'_>> = written
        .chunks_mut(ROWS_PER_TASK)
        .zip(other.chunks(ROWS_PER_TASK))
        .zip(codes.parts_mut(ROWS_PER_TASK * points))
        .enumerate()
        .map(|(i, ((written, other), codes))| Part { first_row: (i * ROWS_PER_TASK) as u64, written, other, codes })
        .collect();
    let run = |mut part: Part<'_>| {
        watch.go_on()?;
        let mut counts: Vec<(usize, u64)> = Vec::new();
        let (first, other, codes) = (part.first_row, part.other, &mut part.codes);
        let wanted = |slice: usize| active[slice];
        sweep_rows(known, evaluator, mover, first, part.written, other, wanted, |i, number, found| {
            let count = u64::from(found.count_ones());
            match counts.last_mut() {
                Some((of, sum)) if *of == number => *sum += count,
                _ => counts.push((number, count)),
            }
            codes.set(i * points, points, found, known.pass.distance() + 1);
        });
        Ok(counts)
    };
    let found: Result<Vec<_>, W::Error> = match parts.len() {
        1 => parts.into_iter().map(run).collect(),
        _ => parts.into_par_iter().map(run).collect(),
    };
    Ok(found?.into_iter().flatten().collect())
}

/// State shared by all rows of a slice, and the sweep's place among them.
struct Prepared<'a> {
    walk: Walk<'a>,
    filter: Option<FrontierFilter<'a>>,
    writer: Option<FrontierWriter<'a>>,
}

/// Returns the next of some rows with a cell that is in neither plane.
#[inline]
fn next_undecided(written: &[u64], other: &[u64], rows: Range<usize>) -> Option<usize> {
    const TOGETHER: usize = 8;
    let undecided = |row: &usize| written[*row] | other[*row] != u64::MAX;
    if rows.start < rows.end && undecided(&rows.start) {
        return Some(rows.start);
    }
    // Late sweeps pass over most rows, so several are looked at together.
    let (written_eights, _) = written[rows.clone()].as_chunks::<TOGETHER>();
    let (other_eights, _) = other[rows.clone()].as_chunks::<TOGETHER>();
    let eights = written_eights.iter().zip(other_eights);
    let decided = |(written, other): (&[u64; TOGETHER], &[u64; TOGETHER])| {
        written.iter().zip(other).fold(u64::MAX, |all, (written, other)| all & (written | other)) == u64::MAX
    };
    let passed = eights.take_while(|eight| decided(*eight)).count();
    (rows.start + passed * TOGETHER..rows.end).find(undecided)
}

/// Sweeps the rows from `first` on that belong to wanted slices. `note` is told of each word found:
/// the row, counted from the first, its slice, and the cells.
#[expect(clippy::too_many_arguments, reason = "the planes of a part, and what is done with them")]
#[inline]
pub(super) fn sweep_rows(
    known: &Known<'_>,
    evaluator: &dyn Evaluator,
    mover: Side,
    first: u64,
    written: &mut [u64],
    other: &[u64],
    wanted: impl Fn(usize) -> bool,
    mut note: impl FnMut(usize, usize, u64),
) {
    let tier = &known.index.tiers()[known.tier];
    for (number, slice, rows) in slices_of(tier, first, written.len()).filter(|(number, ..)| wanted(*number)) {
        let range = (rows.start - first) as usize..(rows.end - first) as usize;
        let row_of = |i: usize| Some(first + i as u64);
        sweep_slice(known, evaluator, (mover, slice), written, other, range, row_of, |i, found| note(i, number, found));
    }
}

/// Sweeps some words of a slice with a player to move. `row_of` gives the row of the tier of each,
/// rising, or `None` where there is none. `note` is told of each word found, and the cells.
#[expect(clippy::too_many_arguments, reason = "the planes of a part, and what is done with them")]
#[inline]
pub(super) fn sweep_slice(
    known: &Known<'_>,
    evaluator: &dyn Evaluator,
    (mover, slice): (Side, &Slice),
    written: &mut [u64],
    other: &[u64],
    range: Range<usize>,
    mut row_of: impl FnMut(usize) -> Option<u64>,
    mut note: impl FnMut(usize, u64),
) {
    let mut prepared: Option<Prepared<'_>> = None;
    // Made when a row passes the filter.
    let mut evaluated = None;
    let (mut next, end) = (range.start, range.end);
    while let Some(i) = next_undecided(written, other, next..end) {
        next = i + 1;
        let Some(row) = row_of(i) else { continue };
        let want = !(written[i] | other[i]);
        let Prepared { walk, filter, writer } = prepared.get_or_insert_with(|| Prepared {
            walk: Walk::new(known.index, slice, row),
            filter: known.frontiers.last.map(|frontier| frontier.filter_for(slice, mover)),
            writer: known.frontiers.now.map(|frontier| frontier.writer(slice, mover)),
        });
        let fixed = walk.at(row);
        let want = filter.as_ref().map_or(want, |filter| want & filter.cells(fixed));
        if want == 0 {
            continue;
        }
        let rows = evaluated.get_or_insert_with(|| evaluator.rows(known, slice, mover));
        let found = rows.found(row, fixed, want);
        if found != 0 {
            if let Some(writer) = writer {
                writer.note(fixed, found);
            }
            written[i] |= found;
            note(i, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::testing::whole;

    #[test]
    fn distances_of_earlier_tiers_are_counted_cell_by_cell() {
        let (_, index) = whole("ring8", "duo", Preset::Advanced);
        let mut earlier = ChildTiers::default();
        let mut random = 1_u64;
        let mut most = 0;
        for (number, tier) in index.tiers().iter().enumerate() {
            let mut wanted: Vec<u64> = Vec::new();
            for tier_side in needed(&index, number) {
                let codes = earlier.get(tier_side.tier, tier_side.to_move.index());
                for distance in (0..codes.len()).filter_map(|cell| usize::from(codes.get(cell)).checked_sub(1)) {
                    wanted.resize(wanted.len().max(distance + 1), 0);
                    wanted[distance] += 1;
                }
            }
            most = most.max(wanted.len());
            assert_eq!(cells_by_distance(&index, number, &earlier), wanted, "tier {number}");
            // Codes up to some other one in each tier.
            earlier.push([0; 2].map(|_| {
                let cells = (0..tier.rows() as usize * index.points()).map(|_| {
                    random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    ((random >> 33) % (3 * number as u64 + 1)) as u8
                });
                Codes::from_bytes(cells.collect(), Vec::new())
            }));
        }
        assert!(most > 10, "{most}");
    }
}
