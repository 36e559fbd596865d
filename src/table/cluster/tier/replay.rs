//! Makes the codes of a tier from the logs of several processes, a window at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::material::Side;
use crate::solver::Plies;
use crate::table::cluster::tier::strips::{StripChunk, Strips};
use crate::table::cluster::tier::tools::ToolPool;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::index::rank::nth_left;
use crate::table::index::rows::{cells_of_rows, slices_of};
use crate::table::retro::external::log::Log;
use crate::table::retro::external::planes::{row_bytes, unpack};
use crate::table::retro::external::replay::{Buffers, FoundWords, LoggedWords};
use crate::table::storage::Codes;
use crate::table::storage::codec::Window;
use crate::table::storage::division::Blocks;
use crate::table::storage::parts::Encode;
use crate::table::storage::values::CodesPart;

/// Chunks that each thread unpacks before their words are put together.
const TOGETHER: usize = 4;

/// Maker of codes from the logs of several processes.
pub(super) struct StripReplay<'a> {
    index: &'a Index,
    number: usize,
    strips: &'a Strips,
    wide: bool,
    logged: LoggedWords<'a>,
    tools: ToolPool,
    /// By their first row, the cells in use of rows with White to move, which are those with Black
    /// to move.
    used: HashMap<u64, Vec<u64>>,
    /// Bytes for more of them.
    memory: u64,
}

impl<'a> StripReplay<'a> {
    /// Reads the logs once and checks them. `memory` bytes are for what need not be worked out
    /// again.
    pub(super) fn new(
        index: &'a Index,
        number: usize,
        strips: &'a Strips,
        wide: bool,
        logs: &'a [Log],
        memory: u64,
    ) -> Result<StripReplay<'a>, TableError> {
        let logged = LoggedWords::read(logs, Side::BOTH.map(|side| strips.chunks(side)))?;
        Ok(StripReplay {
            index,
            number,
            strips,
            wide,
            logged,
            tools: ToolPool::default(),
            used: HashMap::new(),
            memory,
        })
    }

    /// Returns the blocks of some cells.
    pub(super) fn blocks(
        &mut self,
        side: Side,
        cells: Range<usize>,
        encode: &Encode<'_>,
    ) -> Result<Blocks, TableError> {
        let points = self.index.points();
        let rows = (cells.start / points) as u64..cells.end.div_ceil(points) as u64;
        // On a thread of the pool, so that no part waits for one to wake.
        let codes = rayon::scope(|_| self.codes(side, &rows))?;
        let used = self.used.remove(&rows.start).unwrap_or_else(|| self.used_cells(&rows));
        let blocks = encode(Window { codes: &codes, first: rows.start as usize * points }, Some(&used));
        let bytes = 8 * used.len() as u64;
        if side == Side::White && bytes <= self.memory {
            self.memory -= bytes;
            self.used.insert(rows.start, used);
        }
        blocks
    }

    /// Returns the cells in use of some rows.
    fn used_cells(&self, rows: &Range<u64>) -> Vec<u64> {
        let tier = &self.index.tiers()[self.number];
        let mut used = vec![0; (rows.end - rows.start) as usize];
        cells_of_rows(self.index, tier, rows.start, &mut used, |cells| cells);
        used
    }

    /// Returns the codes of some rows.
    fn codes(&self, side: Side, rows: &Range<u64>) -> Result<Codes, TableError> {
        let points = self.index.points();
        let mut codes = Codes::draws_of_width((rows.end - rows.start) as usize * points, self.wide);
        let mut jobs: Vec<(StripChunk, FoundWords)> = Vec::new();
        for (strip, within) in self.strips_of(side, rows) {
            for chunk in self.strips.chunks_of(side, strip, within) {
                jobs.extend(self.logged.of_chunk(side, chunk.number).map(|found| (chunk, found)));
            }
        }
        let (low, high) = codes.bytes_mut();
        let mut part = CodesPart::new(low, high);
        for jobs in jobs.chunks(TOGETHER * rayon::current_num_threads()) {
            let words: Vec<(Plies, Vec<(u64, u64)>)> = jobs
                .par_iter()
                .map_init(
                    || self.tools.take(),
                    |tools, (chunk, found)| self.words(side, *chunk, *found, rows, &mut tools.buffers),
                )
                .collect::<Result<_, TableError>>()?;
            for (distance, words) in words {
                // Each cell is found once, so its code is still that of a draw.
                for (row, these) in words {
                    part.set((row - rows.start) as usize * points, points, these, distance + 1);
                }
            }
        }
        Ok(codes)
    }

    /// Returns the strips that some rows belong to, and where in them.
    fn strips_of(&self, side: Side, rows: &Range<u64>) -> BTreeMap<(usize, u8), Range<u64>> {
        let tier = &self.index.tiers()[self.number];
        let mut strips: BTreeMap<(usize, u8), Range<u64>> = BTreeMap::new();
        let mut add = |strip, rows: Range<u64>| {
            let of = strips.entry(strip).or_insert(rows.clone());
            *of = of.start.min(rows.start)..of.end.max(rows.end);
        };
        for (number, slice, rows) in slices_of(tier, rows.start, (rows.end - rows.start) as usize) {
            let (column, place) = self.strips.of_slice(side, number);
            let part = &self.strips.columns(side)[column].slices[place];
            let rows = rows.start - slice.first_row()..rows.end - slice.first_row();
            let Some(split) = part.split else {
                add((column, 0), part.first + rows.start..part.first + rows.end);
                continue;
            };
            let block = split.weight * split.ways;
            for above in rows.start / block..rows.end.div_ceil(block) {
                let taken = self.index.first_points(slice, slice.first_row() + above * block, split.place);
                let here =
                    rows.start.max(above * block) - above * block..rows.end.min((above + 1) * block) - above * block;
                for digit in here.start / split.weight..here.end.div_ceil(split.weight) {
                    let first = digit * split.weight;
                    let begin = part.first + above * split.weight;
                    let within = here.start.max(first) - first..here.end.min(first + split.weight) - first;
                    add((column, nth_left(taken, digit as usize)), begin + within.start..begin + within.end);
                }
            }
        }
        strips
    }

    /// Returns the distance of words found in a chunk, and those of them that are in some rows of
    /// the tier.
    fn words(
        &self,
        side: Side,
        chunk: StripChunk,
        found: FoundWords,
        rows: &Range<u64>,
        buffers: &mut Buffers,
    ) -> Result<(Plies, Vec<(u64, u64)>), TableError> {
        let points = self.index.points();
        let record = self.logged.unpack(found, chunk.rows * row_bytes(points), buffers)?;
        buffers.words.resize(chunk.rows, 0);
        unpack(row_bytes(points), &buffers.plain, &mut buffers.words);
        let used = u64::MAX >> (64 - points);
        let column = &self.strips.columns(side)[chunk.column];
        let mut words = Vec::new();
        for (slice, part) in column.parts(chunk.rows()) {
            let mut numbers = column.rows_of(self.index, self.number, slice, chunk.point);
            for row in part {
                let word = buffers.words[(row - chunk.first) as usize] & used;
                if word != 0 {
                    words.extend(numbers.at(row - slice.first).filter(|row| rows.contains(row)).map(|row| (row, word)));
                }
            }
        }
        Ok((record.distance, words))
    }
}
