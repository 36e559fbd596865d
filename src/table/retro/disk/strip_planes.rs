//! The results so far in the strips that one process writes or reads, in memory or on its own disk.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::{Index, Walk};
use crate::table::retro::disk::logged::Buffers;
use crate::table::retro::disk::paged_bytes::PagedBytes;
use crate::table::retro::disk::plane_store::{PlaneStore, WINS, row_bytes};
use crate::table::retro::disk::strips::{StripChunk, Strips};
use crate::table::storage::PositionedFile;

/// Rows that are written together where words come in.
const PAGE_ROWS: u64 = 1 << 12;

/// Number of threads that can write to different pages at once.
const LOCKS: usize = 64;

/// The strip is not there.
const NOT_HELD: u64 = u64::MAX;

/// A strip: the player to move, the column, and the point of its pod.
pub(super) type Strip = (Side, usize, u8);

pub(super) struct StripPlanes {
    /// By the player to move and the number of a strip: its first row in the files.
    bases: [Vec<u64>; 2],
    width: usize,
    /// Results with the player to move who sweeps the strip: of the strips that this process
    /// sweeps.
    own: PlaneStore,
    /// Results in the same rows with the other player to move: of the strips that this process
    /// reads.
    read: PlaneStore,
    locks: Vec<Mutex<()>>,
}

impl StripPlanes {
    /// Makes planes without results: cells that are not in use, and rows without an arrangement of
    /// pods, count as wins. Returns also the number of cells in use in the strips that the process
    /// sweeps.
    pub(super) fn new(
        index: &Index,
        number: usize,
        folder: &Path,
        strips: &Strips,
        process: usize,
        in_memory: bool,
    ) -> Result<(StripPlanes, u64), TableError> {
        let mut held: Vec<Strip> = Vec::new();
        let mut lengths = [0; 2];
        let bases = Side::BOTH.map(|side| {
            let mut bases = vec![NOT_HELD; strips.len(side) as usize];
            for (column, of) in strips.columns(side).iter().enumerate() {
                for point in of.points().filter(|&point| strips.reads(process, side, column, point)) {
                    bases[of.strip(point) as usize] = lengths[side.index()];
                    lengths[side.index()] += of.rows;
                    held.push((side, column, point));
                }
            }
            bases
        });
        let width = row_bytes(index.points());
        let store = || {
            PlaneStore::new(folder, index.points(), |side| {
                let bytes = lengths[side.index()] * width as u64;
                if in_memory {
                    return Ok(Box::new(PagedBytes::zeros(bytes as usize)));
                }
                let file = tempfile::tempfile_in(folder)?;
                file.set_len(bytes)?;
                Ok(Box::new(PositionedFile::new(file)))
            })
        };
        let locks = (0..LOCKS).map(|_| Mutex::new(())).collect();
        let planes = StripPlanes { bases, width, own: store()?, read: store()?, locks };
        let chunks: Vec<(Side, StripChunk)> = held
            .into_iter()
            .flat_map(|(side, column, point)| {
                let rows = 0..strips.columns(side)[column].rows;
                strips.chunks_of(side, (column, point), rows).map(move |chunk| (side, chunk))
            })
            .collect();
        let cells = chunks.into_par_iter().map_init(Buffers::default, |Buffers { words, plain, .. }, (side, chunk)| {
            let column = &strips.columns(side)[chunk.column];
            words.clear();
            for (slice, rows) in column.parts(chunk.rows()) {
                let mut numbers = column.rows_of(index, number, slice, chunk.point);
                let of = &index.tiers()[number].slices()[slice.slice];
                let mut walk: Option<Walk<'_>> = None;
                words.extend(rows.map(|row| {
                    let row = numbers.at(row - slice.first);
                    let cells =
                        row.map(|row| index.cells(of, walk.get_or_insert_with(|| Walk::new(index, of, row)).at(row)));
                    !cells.unwrap_or(0)
                }));
            }
            let sweeps = strips.sweeps(process, side, chunk.column, chunk.point);
            let first = planes.first_row(strips, side, chunk);
            planes.read.write(side, WINS, first, words, plain)?;
            if sweeps {
                planes.own.write(side, WINS, first, words, plain)?;
            }
            Ok::<u64, TableError>(if sweeps { words.iter().map(|word| u64::from(word.count_zeros())).sum() } else { 0 })
        });
        let cells = cells.try_reduce(|| 0, |one, other| Ok(one + other))?;
        Ok((planes, cells))
    }

    fn base(&self, strips: &Strips, (side, column, point): Strip) -> u64 {
        self.bases[side.index()][strips.columns(side)[column].strip(point) as usize]
    }

    fn first_row(&self, strips: &Strips, side: Side, chunk: StripChunk) -> u64 {
        self.base(strips, (side, chunk.column, chunk.point)) + chunk.first
    }

    /// Reads a plane of a chunk that this process sweeps.
    pub(super) fn own(
        &self,
        strips: &Strips,
        (side, chunk): (Side, StripChunk),
        plane: usize,
        words: &mut [u64],
        buffer: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        self.own.read(side, plane, self.first_row(strips, side, chunk), words, buffer)
    }

    /// Writes a plane of a chunk that this process sweeps.
    pub(super) fn write_own(
        &self,
        strips: &Strips,
        (side, chunk): (Side, StripChunk),
        plane: usize,
        words: &[u64],
        buffer: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        self.own.write(side, plane, self.first_row(strips, side, chunk), words, buffer)
    }

    /// Reads a plane of what rows of a strip lead to.
    pub(super) fn read(
        &self,
        strips: &Strips,
        strip: Strip,
        plane: usize,
        (first, words): (u64, &mut [u64]),
        buffer: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        self.read.read(strip.0, plane, self.base(strips, strip) + first, words, buffer)
    }

    /// Returns the offset at which [`put`](Self::put) adds the words of a row of a strip; `None` if
    /// the strip is not held.
    pub(super) fn place(&self, strips: &Strips, strip: Strip, row: u64) -> Option<u64> {
        let base = self.base(strips, strip);
        (base != NOT_HELD).then(|| base + row)
    }

    /// Adds words to a plane of what is read with a player to move; `words` are by their
    /// [`place`](Self::place).
    pub(super) fn put(
        &self,
        side: Side,
        plane: usize,
        words: &mut [(u64, u64)],
        buffer: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        words.sort_unstable_by_key(|(place, _)| *place);
        for words in words.chunk_by(|(one, _), (other, _)| one / PAGE_ROWS == other / PAGE_ROWS) {
            let lock = &self.locks[(words[0].0 / PAGE_ROWS) as usize % LOCKS];
            let _one_at_a_time = lock.lock().unwrap_or_else(PoisonError::into_inner);
            self.add(side, plane, words, buffer)?;
        }
        Ok(())
    }

    /// Adds words to rows, rising, of a plane of what is read.
    fn add(&self, side: Side, plane: usize, words: &[(u64, u64)], buffer: &mut Vec<u8>) -> Result<(), TableError> {
        let (Some((first, _)), Some((last, _))) = (words.first(), words.last()) else { return Ok(()) };
        buffer.resize((last + 1 - first) as usize * self.width, 0);
        self.read.read_bytes(side, plane, *first, buffer)?;
        for (row, word) in words {
            let bytes = &mut buffer[(row - first) as usize * self.width..][..self.width];
            bytes.iter_mut().zip(word.to_le_bytes()).for_each(|(byte, more)| *byte |= more);
        }
        self.read.write_bytes(side, plane, *first, buffer)
    }
}
