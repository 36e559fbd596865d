//! Makes the codes of a tier from the logs of several processes, a window at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::material::Side;
use crate::solver::Plies;
use crate::table::error::TableError;
use crate::table::index::{Index, cells_of_rows, nth_left, slices_of};
use crate::table::retro::disk::log::Log;
use crate::table::retro::disk::logged::{Buffers, FoundWords, LoggedWords};
use crate::table::retro::disk::plane_store::{row_bytes, unpack};
use crate::table::retro::disk::strips::{StripChunk, Strips};
use crate::table::retro::disk::tools::ToolPool;
use crate::table::storage::{Blocks, Codes, CodesPart, Encode, Window};

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

    fn used_cells(&self, rows: &Range<u64>) -> Vec<u64> {
        let tier = &self.index.tiers()[self.number];
        let mut used = vec![0; (rows.end - rows.start) as usize];
        cells_of_rows(self.index, tier, rows.start, &mut used, |cells| cells);
        used
    }

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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::position::Setup;
    use crate::rules::Preset;
    use crate::table::retro::disk::log::{Record, RecordKind};
    use crate::table::retro::disk::plane_store::pack;
    use crate::table::storage::{BuildFolder, Codec, Parts, SetupText, Undivided, write_codes, write_tier};
    use crate::table::testing::whole;

    /// Distances above 254, which no small game has: a log of drawn values, and the same values in
    /// memory.
    #[test]
    fn codes_of_two_bytes_come_from_a_log_as_from_memory() {
        let (game, index) = whole("den12", "trio", Preset::AdvancedAuthor);
        let number = index.tiers().len() - 1;
        let (tier, points) = (&index.tiers()[number], index.points());
        let folder = tempfile::tempdir().unwrap();
        let setup = SetupText::new(&Setup::whole(game.clone()));
        let open = |name: &str| {
            Parts::open(BuildFolder::open(&folder.path().join(name), &setup, false).unwrap(), &setup).unwrap()
        };
        let (mut streamed, mut whole) = (open("streamed"), open("whole"));
        let (log, _) = Log::open(Log::path_of(streamed.folder(), number, 0), &streamed.setup(), number).unwrap();
        let strips = Strips::new(&index, number, false, 1);
        let mut codes = [0; 2].map(|_| Codes::draws(tier.rows() as usize * points));
        codes.iter_mut().for_each(Codes::widen);
        let mut random = 1_u64;
        for (run, distance) in [0, 3, 254, 255, 256, 300, 700].into_iter().enumerate() {
            for side in Side::BOTH {
                for chunk in (0..strips.chunks(side)).map(|chunk| strips.chunk(side, chunk)) {
                    let mut words = vec![0; chunk.rows];
                    let (low, high) = codes[side.index()].bytes_mut();
                    let column = &strips.columns(side)[chunk.column];
                    for (slice, rows) in column.parts(chunk.rows()) {
                        let mut numbers = column.rows_of(&index, number, slice, chunk.point);
                        for row in rows {
                            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                            let cell = (random >> 33) as usize % (4 * points);
                            let Some(of_tier) = numbers.at(row - slice.first) else { continue };
                            let at = of_tier as usize * points + cell;
                            if cell < points && low[at] == 0 && high[at] == 0 {
                                words[(row - chunk.first) as usize] = 1 << cell;
                                (low[at], high[at]) = ((distance + 1) as u8, ((distance + 1) >> 8) as u8);
                            }
                        }
                    }
                    let mut bytes = Vec::new();
                    pack(row_bytes(points), &words, &mut bytes);
                    let packed = Codec::fast().pack(&bytes).unwrap();
                    let (run, len) = (run as u32, packed.len() as u32);
                    let record = Record { kind: RecordKind::Found, side, distance, run, number: chunk.number, len };
                    log.add(record, &packed).unwrap();
                }
            }
        }
        log.seal().unwrap();
        let logs = [log];
        let replay = || StripReplay::new(&index, number, &strips, true, &logs, 0).unwrap();
        let mut blocks = replay();
        streamed
            .add(0, 1, |writer| {
                write_tier(writer, &index, tier, true, &mut Undivided, |side, cells, encode| {
                    blocks.blocks(side, cells, encode)
                })
            })
            .unwrap();
        whole.add(0, 1, |writer| write_codes(writer, &index, tier, &codes, None)).unwrap();
        let read = |parts: &Parts| fs::read(parts.folder().join("tiers-from-00000.part")).unwrap();
        assert!(read(&streamed) == read(&whole));
        // Random values hardly pack: the part is some 100,000 bytes.
        assert!(read(&whole).len() > 99_000);
        let wide = codes.each_mut().map(|codes| codes.bytes_mut().1.iter().filter(|byte| **byte != 0).count());
        assert!(wide.iter().all(|&count| count > 10_000), "{wide:?}");
        // What is used is what was checked: another digest than that of the first reading is
        // damage.
        let mut replay = replay();
        let rows = 0..tier.rows();
        assert!(replay.codes(Side::White, &rows).is_ok());
        let codes = replay.codes(Side::White, &(7..9)).unwrap();
        assert_eq!(codes.len(), 2 * points);
        replay.logged.spoil();
        assert!(matches!(replay.codes(Side::White, &rows), Err(TableError::Damaged { .. })));
    }
}
