//! Sweeps strips: loads what they lead to, then sweeps their rows chunk by chunk.

use std::ops::Range;

use rayon::prelude::*;

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::{Index, Slice, TierSide, left_below, own_may_become};
use crate::table::retro::decided::Decided;
use crate::table::retro::disk::log::{Record, RecordKind};
use crate::table::retro::disk::plane_store::{LOSSES, WINS, pack, plane_of, row_bytes};
use crate::table::retro::disk::resident::Resident;
use crate::table::retro::disk::strip_planes::{Strip, StripPlanes};
use crate::table::retro::disk::strips::{StripChunk, StripColumn, Strips};
use crate::table::retro::disk::summed;
use crate::table::retro::disk::tools::{Lent, ToolPool, Tools};
use crate::table::retro::frontier::Frontiers;
use crate::table::retro::layout::{Layout, Split, Spot, offsets};
use crate::table::retro::pass::Pass;
use crate::table::retro::sweep::{Evaluator, Known, sweep_slice};
use crate::table::storage::{Codes, DisjointSlices, PageBuffer, Parts, TierSideFile};

/// Rows of the tier that are read at a time.
const ROWS_PER_READ: u64 = 1 << 15;

/// Cells of earlier tiers that a thread reads at a time.
const WINDOW_CELLS: u64 = 1 << 18;

/// A tier in strips, as a process sees it.
pub(super) struct Stripped<'a> {
    pub(super) index: &'a Index,
    pub(super) number: usize,
    pub(super) parts: &'a Parts,
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) strips: Strips,
    pub(super) planes: StripPlanes,
    /// `None` if the process reads from disk what its strips lead to.
    pub(super) resident: Option<Resident>,
    pub(super) tools: ToolPool,
}

pub(super) struct FoundInChunk<'a> {
    pub(super) record: Record,
    pub(super) chunk: StripChunk,
    pub(super) words: &'a [u64],
    /// The same as in the log.
    pub(super) packed: &'a [u8],
}

pub(super) trait StripListener: Sync {
    /// Looks for a reason to end the sweep, before each chunk; an error ends it.
    fn go_on(&self) -> Result<(), TableError>;

    fn found(&self, found: &FoundInChunk<'_>, tools: &mut Tools) -> Result<(), TableError>;
}

/// Targets of strips, in memory.
struct Loaded {
    own: PageBuffer,
    earlier: Decided,
    layout: Layout,
}

/// Cells found: in which strip and slice, and how many.
pub(super) type StripCounts = Vec<((u8, usize), u64)>;

impl Stripped<'_> {
    /// Sweeps the active slices of strips of a column, which all fit in memory together.
    pub(super) fn sweep(
        &self,
        pass: Pass,
        record: Record,
        (column, points): (usize, &[u8]),
        active: &[bool],
        listener: &dyn StripListener,
    ) -> Result<StripCounts, TableError> {
        let mover = record.side;
        let of = &self.strips.columns(mover)[column];
        let loaded = match pass.is_initial() {
            true => None,
            false => Some(self.load(pass, mover, column, points, active)?),
        };
        let (nothing, nowhere) = (Decided::default(), Layout::default());
        let known = Known {
            index: self.index,
            tier: self.number,
            pass,
            own: loaded.as_ref().map_or(&[], |loaded| &loaded.own),
            layout: Some(loaded.as_ref().map_or(&nowhere, |loaded| &loaded.layout)),
            earlier: loaded.as_ref().map_or(&nothing, |loaded| &loaded.earlier),
            // A sweep that was resumed has not written its frontier from the beginning.
            frontiers: Frontiers::default(),
        };
        let has_active = |chunk: &StripChunk| of.parts(chunk.rows()).any(|(slice, _)| active[slice.slice]);
        let chunks: Vec<StripChunk> = points
            .iter()
            .flat_map(|&point| self.strips.chunks_of(mover, (column, point), 0..of.rows))
            .filter(has_active)
            .collect();
        let counts: Vec<StripCounts> = chunks
            .into_par_iter()
            .with_max_len(1)
            .map_init(
                || self.tools.take(),
                |tools, chunk| self.sweep_chunk(&known, record, chunk, active, tools, listener),
            )
            .collect::<Result<_, TableError>>()?;
        if let (Some(resident), Some(Loaded { own, earlier, .. })) = (&self.resident, loaded) {
            earlier.tiers.into_iter().flatten().chain([own]).for_each(|words| resident.spare.give(words));
        }
        Ok(summed(counts.into_iter().flatten()))
    }

    fn sweep_chunk(
        &self,
        known: &Known<'_>,
        record: Record,
        chunk: StripChunk,
        active: &[bool],
        tools: &mut Tools,
        listener: &dyn StripListener,
    ) -> Result<StripCounts, TableError> {
        listener.go_on()?;
        let (mover, tier) = (record.side, &self.index.tiers()[self.number]);
        let column = &self.strips.columns(mover)[chunk.column];
        let plane = plane_of(known.pass.distance());
        let Tools { written, other, bytes, .. } = tools;
        written.resize(chunk.rows, 0);
        other.resize(chunk.rows, 0);
        self.planes.own(&self.strips, (mover, chunk), plane, written, bytes)?;
        self.planes.own(&self.strips, (mover, chunk), 1 - plane, other, bytes)?;
        let mut found = std::mem::take(&mut tools.found);
        found.clear();
        let mut counts: StripCounts = Vec::new();
        for (slice, rows) in column.parts(chunk.rows()).filter(|(slice, _)| active[slice.slice]) {
            let mut numbers = column.rows_of(self.index, self.number, slice, chunk.point);
            let range = (rows.start - chunk.first) as usize..(rows.end - chunk.first) as usize;
            let mut count = 0;
            sweep_slice(
                known,
                self.evaluator,
                (mover, &tier.slices()[slice.slice]),
                &mut tools.written,
                &tools.other,
                range,
                |i| numbers.at(chunk.first + i as u64 - slice.first),
                |i, cells| {
                    found.resize(chunk.rows, 0);
                    found[i] = cells;
                    count += u64::from(cells.count_ones());
                },
            );
            if count > 0 {
                counts.push(((chunk.point, slice.slice), count));
            }
        }
        if !counts.is_empty() {
            let Tools { written, bytes, codec, .. } = tools;
            self.planes.write_own(&self.strips, (mover, chunk), plane, written, bytes)?;
            pack(row_bytes(self.index.points()), &found, bytes);
            let packed = codec.pack(bytes).map_err(TableError::io(self.parts.folder()))?;
            let record = Record { kind: RecordKind::Found, number: chunk.number, len: packed.len() as u32, ..record };
            listener.found(&FoundInChunk { record, chunk, words: &found, packed: &packed }, tools)?;
        }
        tools.found = found;
        Ok(counts)
    }

    /// Adds words found in a chunk to the own planes.
    pub(super) fn add_own(
        &self,
        record: Record,
        chunk: StripChunk,
        words: &[u64],
        tools: &mut Tools,
    ) -> Result<(), TableError> {
        let (place, plane) = ((record.side, chunk), plane_of(record.distance));
        let Tools { written, bytes, .. } = tools;
        written.resize(chunk.rows, 0);
        self.planes.own(&self.strips, place, plane, written, bytes)?;
        written.iter_mut().zip(words).for_each(|(written, word)| *written |= word);
        self.planes.write_own(&self.strips, place, plane, written, bytes)
    }

    /// Calls `visit` with each word found in a chunk with a player to move: the strip in which the
    /// other player's sweeps read it, its row there, its row in the chunk, and the word.
    pub(super) fn each_reader(
        &self,
        side: Side,
        chunk: StripChunk,
        words: &[u64],
        mut visit: impl FnMut(Strip, u64, usize, u64),
    ) {
        let (column, reads) = (&self.strips.columns(side)[chunk.column], side.other());
        for (slice, rows) in column.parts(chunk.rows()) {
            let of = &self.index.tiers()[self.number].slices()[slice.slice];
            let (read_by, there) = self.strips.of_slice(reads, slice.slice);
            let to = &self.strips.columns(reads)[read_by].slices[there];
            let mut numbers = column.rows_of(self.index, self.number, slice, chunk.point);
            let first = (rows.start - chunk.first) as usize;
            let found = words[first..(rows.end - chunk.first) as usize].iter().zip(first..);
            for (&word, i) in found.filter(|(word, _)| **word != 0) {
                let Some(row) = numbers.at(chunk.first + i as u64 - slice.first) else { continue };
                let within = row - of.first_row();
                match to.split {
                    None => visit((reads, read_by, 0), to.first + within, i, word),
                    Some(split) => {
                        let point = self.index.point_of(of, row, split.place);
                        visit((reads, read_by, point), to.first + split.within(within), i, word);
                    }
                }
            }
        }
    }

    /// Loads what the active slices of some strips lead to.
    fn load(
        &self,
        pass: Pass,
        mover: Side,
        column: usize,
        points: &[u8],
        active: &[bool],
    ) -> Result<Loaded, TableError> {
        let of = &self.strips.columns(mover)[column];
        let all: Vec<u8>;
        let held = match self.strips.reads_columns() {
            true => {
                all = of.points().collect();
                &all
            }
            false => points,
        };
        let tier = &self.index.tiers()[self.number];
        let from: Vec<&[u8]> = of
            .slices
            .iter()
            .filter(|slice| active[slice.slice])
            .map(|slice| tier.slices()[slice.slice].on_board())
            .collect();
        let reached = |to: &Slice| from.iter().any(|from| own_may_become(self.index, mover, from, to.on_board()));
        let mut layout = Layout::default();
        let places = offsets(held, of.rows);
        for slice in &of.slices {
            let split = slice.split.map(|split| (split, places.clone()));
            layout.put(self.number, slice.slice, Spot { first: slice.first, split });
        }
        let words = of.rows as usize * held.len();
        let mut own = self.array(words)?;
        // Wins come from losses of the next player, losses from its wins.
        let plane = if pass.finds_wins() { LOSSES } else { WINS };
        let mut pieces = DisjointSlices::new(&mut own);
        let mut jobs = Vec::new();
        for (slot, &point) in (0..).zip(held) {
            for slice in of.slices.iter().filter(|slice| reached(&tier.slices()[slice.slice])) {
                for first in (slice.first..slice.first + slice.rows).step_by(ROWS_PER_READ as usize) {
                    let rows = ROWS_PER_READ.min(slice.first + slice.rows - first) as usize;
                    jobs.push((point, first, pieces.cut((slot * of.rows + first) as usize, rows)));
                }
            }
        }
        let read = |tools: &mut Lent<'_>, (point, first, words): (u8, u64, &mut [u64])| {
            self.planes.read(&self.strips, (mover, column, point), plane, (first, words), &mut tools.bytes)
        };
        jobs.into_par_iter().try_for_each_init(|| self.tools.take(), read)?;
        let mut earlier = Decided::default();
        let slices: Vec<_> = of.earlier_slices(self.index).collect();
        for slices in slices.chunk_by(|(one, ..), (other, ..)| one == other) {
            let reached = |number: usize| reached(&self.index.tiers()[slices[0].0.tier].slices()[number]);
            let words = self.earlier(pass, of, slices, held, reached, &mut layout)?;
            earlier.put(slices[0].0.tier, words);
        }
        debug_assert!(
            8 * earlier.tiers.iter().flatten().chain([&own]).map(|words| words.len() as u64).sum::<u64>()
                <= of.memory(held.len()),
            "no more is in memory than was said before"
        );
        Ok(Loaded { own, earlier, layout })
    }

    /// Returns an array of so many words, to be filled where a sweep reads them.
    fn array(&self, words: usize) -> Result<PageBuffer, TableError> {
        match &self.resident {
            Some(resident) => Ok(resident.spare.take(words)),
            None => PageBuffer::sparse(words).map_err(TableError::io(self.parts.folder())),
        }
    }

    /// Lists the decided cells in slices of an earlier tier: in their strips where they are
    /// divided, else in all their rows. Codes are in memory a window at a time.
    fn earlier(
        &self,
        pass: Pass,
        column: &StripColumn,
        slices: &[(TierSide, usize, u64, bool)],
        held: &[u8],
        reached: impl Fn(usize) -> bool,
        layout: &mut Layout,
    ) -> Result<PageBuffer, TableError> {
        let (tier_side, tier) = (slices[0].0, &self.index.tiers()[slices[0].0.tier]);
        let codes = match &self.resident {
            Some(resident) => EarlierCodes::Memory(resident.codes(tier_side)),
            None => EarlierCodes::Disk(self.parts.tier_side(self.index, tier_side)?),
        };
        let of_strip: u64 = slices.iter().filter(|slice| slice.3).map(|slice| slice.2).sum();
        let places = offsets(held, of_strip);
        let (mut divided, mut whole) = (0, of_strip * held.len() as u64);
        let mut windows: Vec<SliceRows<'_>> = Vec::new();
        for &(_, number, rows, _) in slices {
            let slice = &tier.slices()[number];
            let split = column.divider.and_then(|piece_type| Split::new(self.index, slice, piece_type));
            let at = if split.is_some() { &mut divided } else { &mut whole };
            let spot = Spot { first: *at, split: split.map(|split| (split, places.clone())) };
            *at += rows;
            if reached(number) {
                let points = self.index.points() as u64;
                let step = (WINDOW_CELLS / points).max(1);
                let end = slice.first_row() + slice.rows();
                let these = (slice.first_row()..end).step_by(step as usize).map(|first| SliceRows {
                    slice,
                    spot: spot.clone(),
                    rows: first..end.min(first + step),
                });
                windows.extend(these);
            }
            layout.put(tier_side.tier, number, spot);
        }
        let mut words = self.array(whole as usize)?;
        for windows in windows.chunks(2 * rayon::current_num_threads()) {
            let read: Vec<Runs> = windows
                .par_iter()
                .map_init(|| self.tools.take(), |tools, window| window.read(self.index, &codes, pass, held, tools))
                .collect::<Result<_, TableError>>()?;
            for runs in read {
                let mut rest = &runs.words[..];
                for (place, rows) in runs.places {
                    let (run, more) = rest.split_at((rows.end - rows.start) as usize);
                    words[place as usize..][..run.len()].copy_from_slice(run);
                    rest = more;
                }
            }
        }
        Ok(words)
    }
}

/// Runs of rows: the place of the first row of each, the rows, and the words of all of them, one
/// after the other.
#[derive(Default)]
struct Runs {
    places: Vec<(u64, Range<u64>)>,
    words: Vec<u64>,
}

enum EarlierCodes<'a> {
    Disk(TierSideFile<'a>),
    Memory(&'a Codes),
}

/// Rows of a slice of an earlier tier that are read together.
struct SliceRows<'a> {
    slice: &'a Slice,
    spot: Spot,
    rows: Range<u64>,
}

impl SliceRows<'_> {
    /// Returns the words that belong to the strips on some points.
    fn read(
        &self,
        index: &Index,
        codes: &EarlierCodes<'_>,
        pass: Pass,
        held: &[u8],
        tools: &mut Tools,
    ) -> Result<Runs, TableError> {
        let places = self.runs(index, held);
        let rows = || places.iter().map(|(_, rows)| rows);
        let (Some(first), Some(end)) = (rows().map(|rows| rows.start).min(), rows().map(|rows| rows.end).max()) else {
            return Ok(Runs::default());
        };
        let points = index.points();
        let window;
        let (codes, first) = match codes {
            EarlierCodes::Memory(codes) => (*codes, 0),
            EarlierCodes::Disk(file) => {
                window = file.window(first as usize * points..end as usize * points, &mut tools.blocks)?;
                (&window, first)
            }
        };
        let mut words = vec![0; rows().map(|rows| (rows.end - rows.start) as usize).sum()];
        let mut rest = &mut words[..];
        for rows in rows() {
            let (run, more) = rest.split_at_mut((rows.end - rows.start) as usize);
            pass.fill(codes, points, (rows.start - first) as usize, run);
            rest = more;
        }
        Ok(Runs { places, words })
    }

    /// Returns the runs of rows in the window that belong to the strips on some points, each with
    /// the place of its first row.
    fn runs(&self, index: &Index, held: &[u8]) -> Vec<(u64, Range<u64>)> {
        let first_row = self.slice.first_row();
        let Some((split, offsets)) = &self.spot.split else {
            return vec![(self.spot.first + self.rows.start - first_row, self.rows.clone())];
        };
        let block = split.weight * split.ways;
        let mut runs = Vec::new();
        for above in (self.rows.start - first_row) / block..(self.rows.end - first_row).div_ceil(block) {
            let begin = first_row + above * block;
            let taken = index.first_points(self.slice, begin, split.place);
            for &point in held.iter().filter(|&point| taken >> point & 1 == 0) {
                let run = begin + left_below(taken, point) * split.weight;
                let rows = self.rows.start.max(run)..self.rows.end.min(run + split.weight);
                if rows.start < rows.end {
                    let place = self.spot.first + offsets[usize::from(point)] + above * split.weight;
                    runs.push((place + rows.start - run, rows));
                }
            }
        }
        runs
    }
}
