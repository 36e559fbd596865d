//! The words that sweeps have found, as the logs of a tier keep them.

use std::hash::{BuildHasher as _, RandomState};

use rayon::prelude::*;

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::retro::disk::log::{Log, Record, RecordKind};
use crate::table::storage::Codec;

/// Places in the log of the words found in a chunk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::table::retro) struct FoundWords {
    /// True if Black is to move.
    black: bool,
    chunk: u32,
    log: u32,
    len: u32,
    at: u64,
    /// The digest of record and bytes when the log was checked; it must be the same when they are
    /// used.
    digest: u64,
}

fn digest(digester: &RandomState, record: Record, bytes: &[u8]) -> u64 {
    digester.hash_one((record.distance, record.run, record.number, record.side.index(), bytes))
}

/// Logs, with the words found by chunk.
pub(in crate::table::retro) struct LoggedWords<'a> {
    logs: &'a [Log],
    /// Sorted.
    found: Vec<FoundWords>,
    digester: RandomState,
}

impl<'a> LoggedWords<'a> {
    /// Reads logs once and checks them. `chunks` is how many chunks there are with each player to
    /// move.
    pub(in crate::table::retro) fn read(logs: &'a [Log], chunks: [u32; 2]) -> Result<LoggedWords<'a>, TableError> {
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

    /// Makes every digest another one than that of the first reading.
    #[cfg(test)]
    pub(super) fn spoil(&mut self) {
        self.found.iter_mut().for_each(|found| found.digest ^= 1);
    }

    pub(in crate::table::retro) fn of_chunk(&self, side: Side, chunk: u32) -> impl Iterator<Item = FoundWords> + '_ {
        let key = (side == Side::Black, chunk);
        let first = self.found.partition_point(|found| (found.black, found.chunk) < key);
        self.found[first..].iter().take_while(move |found| (found.black, found.chunk) == key).copied()
    }

    /// Unpacks words into the buffers' `plain`, which gets `len` bytes, and returns their record.
    pub(in crate::table::retro) fn unpack(
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

/// Buffers of a thread that reads a log.
#[derive(Default)]
pub(in crate::table::retro) struct Buffers {
    codec: Codec,
    packed: Vec<u8>,
    pub(in crate::table::retro) plain: Vec<u8>,
    pub(in crate::table::retro) words: Vec<u64>,
}

impl Buffers {
    /// Unpacks the bytes of a record of a log into `plain`; they must give `len` bytes.
    pub(in crate::table::retro) fn unpack(&mut self, log: &Log, packed: &[u8], len: usize) -> Result<(), TableError> {
        let whole = self.codec.unpack(packed, &mut self.plain, len).map_err(|error| log.failed(error))?;
        if whole { Ok(()) } else { Err(log.damaged()) }
    }
}
