//! Sweeps a column: loads what it leads to, then sweeps its rows chunk by chunk.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::reach::own_may_become;
use crate::table::index::rows::for_each_row;
use crate::table::index::{Index, Slice};
use crate::table::retro::decided::Decided;
use crate::table::retro::external::chunks::{Chunk, Chunks};
use crate::table::retro::external::log::{Log, Record, RecordKind};
use crate::table::retro::external::planes::{LOSSES, PlaneStore, WINS, pack, plane_of, row_bytes, unpack};
use crate::table::retro::external::replay::Buffers;
use crate::table::retro::external::{Streamed, summed};
use crate::table::retro::frontier::Frontiers;
use crate::table::retro::pass::Pass;
use crate::table::retro::sweep::{Known, sweep_rows};
use crate::table::storage::Codes;
use crate::table::storage::codec::Codec;
use crate::table::storage::disjoint::DisjointSlices;
use crate::table::storage::pages::PageBuffer;

/// Bytes of the log that are read and then replayed together.
const BATCH: usize = 16 << 20;

/// Rows of an earlier tier that a thread handles at a time.
const ROWS_PER_TASK: usize = 1 << 12;

/// Number of rows of a slice from which on large pages are worth the memory that they waste at its
/// ends.
pub(in crate::table) const DENSE: u64 = 1 << 21;

/// Returns the planes with the results of a log; cells not in use count as wins.
pub(super) fn planes(
    index: &Index,
    number: usize,
    folder: &Path,
    chunks: &Chunks,
    log: &Log,
) -> Result<PlaneStore, TableError> {
    let tier = &index.tiers()[number];
    let planes = PlaneStore::on_disk(folder, index.points())?;
    (0..chunks.len()).into_par_iter().try_for_each_init(Buffers::default, |Buffers { words, plain, .. }, number| {
        let chunk = chunks.get(number);
        words.clear();
        for_each_row(index, tier, chunk.first, chunk.rows, |_, slice, fixed| words.push(!index.cells(slice, fixed)));
        Side::BOTH.into_iter().try_for_each(|side| planes.write(side, WINS, chunk.first, words, plain))?;
        words.fill(0);
        Side::BOTH.into_iter().try_for_each(|side| planes.write(side, LOSSES, chunk.first, words, plain))
    })?;
    let mut batch: Vec<(Record, Vec<u8>)> = Vec::new();
    let mut size = 0;
    log.each(|record, _, bytes| {
        // Within a run each chunk is found once, so its records can be worked on in any order.
        if size >= BATCH || batch.first().is_some_and(|(first, _)| first.run != record.run) {
            replay(index, &planes, chunks, log, &batch)?;
            batch.clear();
            size = 0;
        }
        if record.kind == RecordKind::Found {
            batch.push((record, bytes.to_vec()));
            size += bytes.len();
        }
        Ok(())
    })?;
    replay(index, &planes, chunks, log, &batch)?;
    Ok(planes)
}

/// Adds the words of some records to the planes.
fn replay(
    index: &Index,
    planes: &PlaneStore,
    chunks: &Chunks,
    log: &Log,
    batch: &[(Record, Vec<u8>)],
) -> Result<(), TableError> {
    let width = row_bytes(index.points());
    batch.par_iter().try_for_each_init(<(Buffers, Vec<u64>)>::default, |(buffers, found), (record, bytes)| {
        if record.number >= chunks.len() {
            return Err(log.damaged());
        }
        let chunk = chunks.get(record.number);
        buffers.unpack(log, bytes, chunk.rows * width)?;
        found.resize(chunk.rows, 0);
        unpack(width, &buffers.plain, found);
        let Buffers { words, plain, .. } = buffers;
        words.resize(chunk.rows, 0);
        let plane = plane_of(record.distance);
        planes.read(record.side, plane, chunk.first, words, plain)?;
        words.iter_mut().zip(&*found).for_each(|(word, found)| *word |= found);
        planes.write(record.side, plane, chunk.first, words, plain)
    })
}

/// Buffers of a thread that sweeps chunks.
struct Scratch {
    written: Vec<u64>,
    other: Vec<u64>,
    found: Vec<u64>,
    bytes: Vec<u8>,
    codec: Codec,
}

impl Default for Scratch {
    fn default() -> Scratch {
        // Fast, since a log is written once and read once or twice.
        Scratch { written: Vec::new(), other: Vec::new(), found: Vec::new(), bytes: Vec::new(), codec: Codec::fast() }
    }
}

impl Streamed<'_> {
    /// Sweeps some chunks of a column; returns how many cells it found in which slice.
    pub(super) fn sweep_column(
        &self,
        pass: Pass,
        record: Record,
        chunks: Vec<Chunk>,
    ) -> Result<Vec<(usize, u64)>, TableError> {
        let mover = record.side;
        let mut slices: Vec<usize> = chunks.iter().map(|chunk| chunk.slice).collect();
        slices.dedup();
        let slices = &slices;
        let (own, earlier) = match pass.is_initial() {
            true => (PageBuffer::sparse(0, false).map_err(TableError::io(self.parts.folder()))?, Decided::default()),
            false => {
                (self.own_words(pass, mover, record.number, slices)?, self.earlier(pass, mover, record.number, slices)?)
            }
        };
        let known = Known {
            index: self.index,
            tier: self.number,
            pass,
            own: &own,
            layout: None,
            earlier: &earlier,
            // A sweep that was resumed has not written its frontier from the beginning.
            frontiers: Frontiers::default(),
        };
        let counts: Vec<(usize, u64)> = chunks
            .into_par_iter()
            .with_max_len(1)
            .map_init(Scratch::default, |scratch, chunk| {
                Ok((chunk.slice, self.sweep_chunk(&known, record, chunk, scratch)?))
            })
            .collect::<Result<_, TableError>>()?;
        Ok(summed(counts))
    }

    /// Sweeps a chunk; returns how many cells it found.
    fn sweep_chunk(
        &self,
        known: &Known<'_>,
        record: Record,
        chunk: Chunk,
        scratch: &mut Scratch,
    ) -> Result<u64, TableError> {
        let mover = record.side;
        let Some(planes) = &self.planes else { unreachable!("planes are made before a column is swept") };
        let plane = plane_of(known.pass.distance());
        let Scratch { written, other, found, bytes, codec } = scratch;
        written.resize(chunk.rows, 0);
        other.resize(chunk.rows, 0);
        found.clear();
        planes.read(mover, plane, chunk.first, written, bytes)?;
        planes.read(mover, 1 - plane, chunk.first, other, bytes)?;
        let mut count = 0;
        sweep_rows(
            known,
            self.evaluator,
            mover,
            chunk.first,
            written,
            other,
            |_| true,
            |row, _, cells| {
                found.resize(chunk.rows, 0);
                found[row] = cells;
                count += u64::from(cells.count_ones());
            },
        );
        if count > 0 {
            planes.write(mover, plane, chunk.first, written, bytes)?;
            pack(row_bytes(self.index.points()), found, bytes);
            let packed = codec.pack(bytes).map_err(TableError::io(self.parts.folder()))?;
            let record = Record { number: chunk.number, len: packed.len() as u32, ..record };
            self.log.add(record, &packed)?;
        }
        Ok(count)
    }

    /// Returns those of the given slices of a tier that actions from the slices `from` lead to.
    fn reached<'s>(&'s self, mover: Side, from: &'s [usize], tier: usize, slices: &'s [usize]) -> Vec<usize> {
        let (here, there) = (self.index.tiers()[self.number].slices(), self.index.tiers()[tier].slices());
        let reached = |to: &usize| {
            from.iter().any(|&from| own_may_become(self.index, mover, here[from].on_board(), there[*to].on_board()))
        };
        slices.iter().copied().filter(reached).collect()
    }

    /// Returns the words that the pass reads: those of the column with the opponent to move.
    fn own_words(&self, pass: Pass, mover: Side, column: u32, from: &[usize]) -> Result<PageBuffer, TableError> {
        let Some(planes) = &self.planes else { unreachable!("planes are made before a column is swept") };
        let tier = &self.index.tiers()[self.number];
        let slices = &self.columns[mover.index()][column as usize].slices;
        let slices = self.reached(mover, from, self.number, slices);
        let rows: u64 = slices.iter().map(|&slice| tier.slices()[slice].rows()).sum();
        let dense = rows / (slices.len() as u64).max(1) >= DENSE;
        let mut words = PageBuffer::sparse(tier.rows() as usize, dense).map_err(TableError::io(self.parts.folder()))?;
        let mut pieces = DisjointSlices::new(&mut words);
        let chunks = slices.iter().flat_map(|&slice| self.chunks.of_slice(slice));
        let jobs: Vec<_> = chunks.map(|chunk| (chunk.first, pieces.cut(chunk.first as usize, chunk.rows))).collect();
        // Wins come from losses of the next player, losses from its wins.
        let plane = if pass.finds_wins() { LOSSES } else { WINS };
        jobs.into_par_iter().try_for_each_init(Vec::new, |buffer, (first, words)| {
            planes.read(mover.other(), plane, first, words, buffer)
        })?;
        Ok(words)
    }

    /// Lists the decided cells in the earlier tiers that the column leads to. Only the codes of one
    /// tier at a time are in memory.
    fn earlier(&self, pass: Pass, mover: Side, column: u32, from: &[usize]) -> Result<Decided, TableError> {
        let points = self.index.points();
        let mut earlier = Decided::default();
        for (tier_side, slices) in &self.columns[mover.index()][column as usize].earlier {
            let tier = &self.index.tiers()[tier_side.tier];
            let reached = self.reached(mover, from, tier_side.tier, slices);
            let slices = || reached.iter().map(|&slice| &tier.slices()[slice]);
            let range = |slice: &Slice| -> Range<usize> {
                slice.first_row() as usize * points..(slice.first_row() + slice.rows()) as usize * points
            };
            let file = self.parts.tier_side(self.index, *tier_side)?;
            let rows = tier.rows() as usize;
            let io_error = || TableError::io(self.parts.folder());
            let mut codes = Codes::sparse(rows * points, file.wide()).map_err(io_error())?;
            file.read(slices().map(range), &mut codes)?;
            let mut words = PageBuffer::sparse(rows, false).map_err(io_error())?;
            let mut pieces = DisjointSlices::new(&mut words);
            let parts: Vec<_> = slices()
                .flat_map(|slice| {
                    let first = slice.first_row() as usize;
                    pieces
                        .cut(first, slice.rows() as usize)
                        .chunks_mut(ROWS_PER_TASK)
                        .zip((first..).step_by(ROWS_PER_TASK))
                })
                .collect();
            parts.into_par_iter().for_each(|(words, first)| pass.fill(&codes, points, first, words));
            earlier.put(tier_side.tier, words);
        }
        Ok(earlier)
    }
}
