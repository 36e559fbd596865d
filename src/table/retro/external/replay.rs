//! Makes the codes of a tier from its logs, a window at a time.

use std::hash::{BuildHasher as _, RandomState};
use std::ops::Range;

use rayon::prelude::*;

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::retro::external::chunks::{Chunk, Chunks};
use crate::table::retro::external::log::{Log, Record, RecordKind};
use crate::table::retro::external::planes::{row_bytes, unpack};
use crate::table::storage::Codes;
use crate::table::storage::codec::{Codec, Window};
use crate::table::storage::disjoint::DisjointSlices;
use crate::table::storage::division::Undivided;
use crate::table::storage::parts::{PartWriter, write_tier};
use crate::table::storage::values::CodesPart;

/// Places in the log of the words found in a chunk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::table) struct FoundWords {
    /// True if Black is to move.
    black: bool,
    chunk: u32,
    /// The index of the log.
    log: u32,
    len: u32,
    at: u64,
    /// The digest of record and bytes when the log was checked; it must be the same when they are
    /// used.
    digest: u64,
}

/// Writes a tier from its logs: a single one, or one of each process.
pub(in crate::table) fn write_logs(
    writer: &mut PartWriter<'_>,
    index: &Index,
    number: usize,
    wide: bool,
    logs: &[Log],
) -> Result<(), TableError> {
    let tier = &index.tiers()[number];
    let replay = Replay::new(index, number, wide, logs)?;
    write_tier(writer, index, tier, wide, &mut Undivided, |side, cells, encode| {
        let (codes, first) = replay.codes(side, cells)?;
        encode(Window { codes: &codes, first }, None)
    })
}

/// Maker of codes from logs.
struct Replay<'a> {
    index: &'a Index,
    chunks: Chunks,
    wide: bool,
    logged: LoggedWords<'a>,
}

/// Returns the digest of a record and its bytes.
fn digest(digester: &RandomState, record: Record, bytes: &[u8]) -> u64 {
    digester.hash_one((record.distance, record.run, record.number, record.side.index(), bytes))
}

/// Logs, with the words found by chunk.
pub(in crate::table) struct LoggedWords<'a> {
    logs: &'a [Log],
    /// Sorted.
    found: Vec<FoundWords>,
    digester: RandomState,
}

impl<'a> LoggedWords<'a> {
    /// Reads logs once and checks them. `chunks` is how many chunks there are with each player to
    /// move.
    pub(in crate::table) fn read(logs: &'a [Log], chunks: [u32; 2]) -> Result<LoggedWords<'a>, TableError> {
        let (mut found, digester) = (Vec::new(), RandomState::new());
        for (number, log) in (0..).zip(logs) {
            log.each(|record, at, bytes| {
                if record.kind == RecordKind::Found {
                    if record.number >= chunks[record.side.index()] {
                        return Err(log.damaged());
                    }
                    let (black, chunk) = (record.side == Side::Black, record.number);
                    let digest = digest(&digester, record, bytes);
                    found.push(FoundWords { black, chunk, log: number, len: record.len, at, digest });
                }
                Ok(())
            })?;
        }
        found.par_sort_unstable();
        Ok(LoggedWords { logs, found, digester })
    }

    /// Lists the places of the words of a chunk.
    pub(in crate::table) fn of_chunk(&self, side: Side, chunk: u32) -> impl Iterator<Item = FoundWords> + '_ {
        let key = (side == Side::Black, chunk);
        let first = self.found.partition_point(|found| (found.black, found.chunk) < key);
        self.found[first..].iter().take_while(move |found| (found.black, found.chunk) == key).copied()
    }

    /// Unpacks words into the buffers' `plain`, which gets `len` bytes, and returns their record.
    pub(in crate::table) fn unpack(
        &self,
        found: FoundWords,
        len: usize,
        buffers: &mut Buffers,
    ) -> Result<Record, TableError> {
        let log = &self.logs[found.log as usize];
        let record = log.record(found.at)?;
        let mut packed = std::mem::take(&mut buffers.packed);
        packed.resize(found.len as usize, 0);
        log.read(found.at, &mut packed)?;
        let unpacked = buffers.unpack(log, &packed, len);
        let same = digest(&self.digester, record, &packed) == found.digest;
        buffers.packed = packed;
        unpacked?;
        if same { Ok(record) } else { Err(log.damaged()) }
    }
}

impl<'a> Replay<'a> {
    /// Reads the logs once and checks them.
    fn new(index: &'a Index, number: usize, wide: bool, logs: &'a [Log]) -> Result<Replay<'a>, TableError> {
        let chunks = Chunks::new(&index.tiers()[number]);
        let logged = LoggedWords::read(logs, [chunks.len(); 2])?;
        Ok(Replay { index, chunks, wide, logged })
    }

    /// Returns the codes of the rows that hold some cells, and the number of the first cell of
    /// these rows.
    fn codes(&self, side: Side, cells: Range<usize>) -> Result<(Codes, usize), TableError> {
        let points = self.index.points();
        let rows = (cells.start / points) as u64..cells.end.div_ceil(points) as u64;
        let count = (rows.end - rows.start) as usize * points;
        let mut codes = Codes::draws_of_width(count, self.wide);
        let (low, high) = codes.bytes_mut();
        let (mut lows, mut highs) = (DisjointSlices::new(low), DisjointSlices::new(high));
        let jobs: Vec<_> = self
            .chunks
            .of_rows(rows.clone())
            .map(|chunk| {
                let first = chunk.first.max(rows.start);
                let end = (chunk.first + chunk.rows as u64).min(rows.end);
                let (at, len) = ((first - rows.start) as usize * points, (end - first) as usize * points);
                let high = if self.wide { highs.cut(at, len) } else { Default::default() };
                (chunk, (first - chunk.first) as usize, CodesPart::new(lows.cut(at, len), high))
            })
            .collect();
        jobs.into_par_iter().try_for_each_init(Buffers::default, |buffers, (chunk, skipped, codes)| {
            self.fill(side, chunk, skipped, codes, buffers)
        })?;
        Ok((codes, rows.start as usize * points))
    }

    /// Fills in the codes of rows of a chunk, from the row `skipped` on.
    fn fill(
        &self,
        side: Side,
        chunk: Chunk,
        skipped: usize,
        mut codes: CodesPart<'_>,
        buffers: &mut Buffers,
    ) -> Result<(), TableError> {
        let points = self.index.points();
        let (width, rows) = (row_bytes(points), codes.len() / points);
        for found in self.logged.of_chunk(side, chunk.number) {
            let distance = self.logged.unpack(found, chunk.rows * width, buffers)?.distance;
            buffers.words.resize(rows, 0);
            unpack(width, &buffers.plain[skipped * width..], &mut buffers.words);
            let code = distance + 1;
            let used = u64::MAX >> (64 - points);
            let words = buffers.words.iter().map(|word| word & used).enumerate();
            // Each cell is found once, so its code is still that of a draw.
            for (row, these) in words.filter(|(_, these)| *these != 0) {
                codes.set(row * points, points, these, code);
            }
        }
        Ok(())
    }
}

/// Buffers of a thread that reads a log.
#[derive(Default)]
pub(in crate::table) struct Buffers {
    codec: Codec,
    packed: Vec<u8>,
    pub(in crate::table) plain: Vec<u8>,
    pub(in crate::table) words: Vec<u64>,
}

impl Buffers {
    /// Unpacks the bytes of a record of a log into `plain`; they must give `len` bytes.
    pub(in crate::table) fn unpack(&mut self, log: &Log, packed: &[u8], len: usize) -> Result<(), TableError> {
        let whole = self.codec.unpack(packed, &mut self.plain, len).map_err(|error| log.failed(error))?;
        if whole { Ok(()) } else { Err(log.damaged()) }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::position::Setup;
    use crate::rules::Preset;
    use crate::table::retro::external::planes::pack;
    use crate::table::storage::SetupText;
    use crate::table::storage::build_folder::BuildFolder;
    use crate::table::storage::parts::{Parts, write_codes};
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
        let (log, _) = Log::open(Log::path(streamed.folder(), number), &streamed.setup(), number).unwrap();
        let chunks = Chunks::new(tier);
        let mut codes = [0; 2].map(|_| Codes::draws(tier.rows() as usize * points));
        codes.iter_mut().for_each(Codes::widen);
        let mut random = 1_u64;
        for (run, distance) in [0, 3, 254, 255, 256, 300, 700].into_iter().enumerate() {
            for side in Side::BOTH {
                for chunk in (0..chunks.len()).map(|chunk| chunks.get(chunk)) {
                    let mut words = vec![0; chunk.rows];
                    let (low, high) = codes[side.index()].bytes_mut();
                    for (i, word) in words.iter_mut().enumerate() {
                        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                        let cell = (random >> 33) as usize % (4 * points);
                        let at = (chunk.first as usize + i) * points + cell;
                        if cell < points && low[at] == 0 && high[at] == 0 {
                            *word = 1 << cell;
                            (low[at], high[at]) = ((distance + 1) as u8, ((distance + 1) >> 8) as u8);
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
        streamed.add(0, 1, |writer| write_logs(writer, &index, number, true, &logs)).unwrap();
        whole.add(0, 1, |writer| write_codes(writer, &index, tier, &codes, None)).unwrap();
        let read = |parts: &Parts| fs::read(parts.folder().join("tiers-from-00000.part")).unwrap();
        assert!(read(&streamed) == read(&whole));
        assert!(read(&whole).len() > 100_000);
        // What is used is what was checked: another digest than that of the first reading is
        // damage.
        let mut replay = Replay::new(&index, number, true, &logs).unwrap();
        let cells = 0..tier.rows() as usize * points;
        assert!(replay.codes(Side::White, cells.clone()).is_ok());
        // Whole rows, and no more of them than there are.
        let (codes, first) = replay.codes(Side::White, 7 * points + 1..9 * points - 1).unwrap();
        assert_eq!((codes.len(), first), (2 * points, 7 * points));
        replay.logged.found.iter_mut().for_each(|found| found.digest ^= 1);
        assert!(matches!(replay.codes(Side::White, cells), Err(TableError::Damaged { .. })));
        logs.into_iter().for_each(|log| log.remove().unwrap());
    }
}
