//! The log: what the sweeps of a tier have found, in order. A build that was stopped continues from
//! it, and the codes are made from it at the end.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `PODSLOG2` |
//! | 32 | the hash of the setup |
//! | 8 | the tier |
//! | … | records: kind (1), side (1), distance (2), run (4), number (4), length (4), and as many bytes as the length says |
//!
//! A record holds the words that a run found in a chunk, packed and compressed; or the end of a
//! column, with the number of cells found by slice; or a seal, the SHA-256 of everything before it.
//! Sealed records are on disk. When a log is opened, everything after the last seal before the
//! first wrong one is dropped.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use sha2::{Digest, Sha256};

use crate::material::Side;
use crate::solver::Plies;
use crate::table::error::TableError;
use crate::table::storage::PositionedFile;

const MAGIC: &[u8; 8] = b"PODSLOG2";

/// Bytes of the head of a log, and of the head of a record.
const HEAD: u64 = 8 + 32 + 8;
const RECORD: usize = 16;

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table::retro) enum RecordKind {
    /// The words that a run found in a chunk.
    Found = 1,
    Column = 2,
    /// The hash of everything before.
    Seal = 3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table::retro) struct Record {
    pub(in crate::table::retro) kind: RecordKind,
    pub(in crate::table::retro) side: Side,
    pub(in crate::table::retro) distance: Plies,
    /// The number of the run in the tier, from 0.
    pub(in crate::table::retro) run: u32,
    pub(in crate::table::retro) number: u32,
    pub(in crate::table::retro) len: u32,
}

impl Record {
    pub(in crate::table) fn bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[0] = self.kind as u8;
        bytes[1] = self.side.index() as u8;
        bytes[2..4].copy_from_slice(&self.distance.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.run.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.number.to_le_bytes());
        bytes[12..].copy_from_slice(&self.len.to_le_bytes());
        bytes
    }

    pub(in crate::table::retro) fn read(bytes: &[u8; RECORD]) -> Option<Record> {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let kind = [RecordKind::Found, RecordKind::Column, RecordKind::Seal]
            .into_iter()
            .find(|&kind| kind as u8 == bytes[0])?;
        let side = *Side::BOTH.get(usize::from(bytes[1]))?;
        let distance = Plies::from_le_bytes([bytes[2], bytes[3]]);
        Some(Record { kind, side, distance, run: number(4), number: number(8), len: number(12) })
    }
}

/// The finished columns, by run and column: how many cells were found in which slice.
pub(in crate::table::retro) type Done = HashMap<(u32, u32), Vec<(usize, u64)>>;

pub(in crate::table::retro) struct Log {
    path: PathBuf,
    file: PositionedFile,
    tail: Mutex<Tail>,
}

struct Tail {
    /// Bytes that are not written yet, and where they belong.
    buffer: Vec<u8>,
    at: u64,
    hash: Sha256,
}

impl Log {
    /// Returns the path of one process's log of a tier that several solve.
    pub(in crate::table::retro) fn path_of(folder: &Path, tier: usize, process: usize) -> PathBuf {
        folder.join(format!("tier-{tier:05}-{process:05}.log"))
    }

    /// Opens the log of a tier, or begins one. Returns also the columns that it has sealed.
    pub(in crate::table) fn open(path: PathBuf, setup: &[u8; 32], tier: usize) -> Result<(Log, Done), TableError> {
        let open = || -> io::Result<(PositionedFile, Tail, Done)> {
            let file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
            let head = head(setup, tier);
            let (at, hash, done) = match sealed(&file, &head)? {
                Some(sealed) => sealed,
                None => {
                    file.set_len(0)?;
                    let file = PositionedFile::new(file.try_clone()?);
                    file.write(&head, 0)?;
                    (HEAD, Sha256::new().chain_update(&head), Done::new())
                }
            };
            file.set_len(at)?;
            Ok((PositionedFile::new(file), Tail { buffer: Vec::new(), at, hash }, done))
        };
        let (file, tail, done) = open().map_err(TableError::io(&path))?;
        Ok((Log { path, file, tail: Mutex::new(tail) }, done))
    }

    /// Opens the log of another process that has sealed all of it, to read it. Returns also the
    /// columns.
    pub(in crate::table::retro) fn open_sealed(
        path: PathBuf,
        setup: &[u8; 32],
        tier: usize,
    ) -> Result<(Log, Done), TableError> {
        let open = || -> io::Result<Option<(PositionedFile, Tail, Done)>> {
            let file = File::open(&path)?;
            let sealed =
                sealed(&file, &head(setup, tier))?.filter(|(end, ..)| file.metadata().is_ok_and(|of| of.len() == *end));
            Ok(sealed.map(|(at, hash, done)| (PositionedFile::new(file), Tail { buffer: Vec::new(), at, hash }, done)))
        };
        match open().map_err(TableError::io(&path))? {
            Some((file, tail, done)) => Ok((Log { path, file, tail: Mutex::new(tail) }, done)),
            None => Err(TableError::damaged(&path, "the log")),
        }
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::table) fn add(&self, record: Record, bytes: &[u8]) -> Result<(), TableError> {
        debug_assert_eq!(record.len as usize, bytes.len());
        let tail = &mut *self.tail();
        for bytes in [&record.bytes()[..], bytes] {
            tail.hash.update(bytes);
            tail.buffer.extend_from_slice(bytes);
        }
        if tail.buffer.len() >= BUFFER { self.flush(tail) } else { Ok(()) }
    }

    pub(in crate::table::retro) fn column_done(
        &self,
        record: Record,
        counts: &[(usize, u64)],
    ) -> Result<(), TableError> {
        let mut bytes = Vec::new();
        for (slice, count) in counts {
            bytes.extend((*slice as u64).to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        self.add(Record { kind: RecordKind::Column, len: bytes.len() as u32, ..record }, &bytes)
    }

    fn flush(&self, tail: &mut Tail) -> Result<(), TableError> {
        self.file.write(&tail.buffer, tail.at).map_err(TableError::io(&self.path))?;
        tail.at += tail.buffer.len() as u64;
        tail.buffer.clear();
        Ok(())
    }

    /// Seals all records so far, and syncs them to disk.
    pub(in crate::table::retro) fn seal(&self) -> Result<(), TableError> {
        let hash = self.tail().hash.clone().finalize();
        let seal = Record { kind: RecordKind::Seal, side: Side::White, distance: 0, run: 0, number: 0, len: 32 };
        self.add(seal, &hash)?;
        self.flush(&mut self.tail())?;
        self.file.file().sync_data().map_err(TableError::io(&self.path))
    }

    /// Reads all records in order, and calls `visit` with each and the offset of its bytes.
    ///
    /// # Errors
    ///
    /// If the bytes are not those that were written.
    pub(in crate::table::retro) fn each(
        &self,
        mut visit: impl FnMut(Record, u64, &[u8]) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let (end, wanted) = {
            let tail = &mut *self.tail();
            self.flush(tail)?;
            (tail.at, tail.hash.clone().finalize())
        };
        let mut walk = LogReader::new(self.file.file()).map_err(TableError::io(&self.path))?;
        let head = walk.bytes(HEAD as usize).map_err(TableError::io(&self.path))?;
        if head.is_none() {
            return Err(self.damaged());
        }
        while walk.at < end {
            let Some(record) = walk.next().map_err(TableError::io(&self.path))? else { return Err(self.damaged()) };
            visit(record, walk.at - u64::from(record.len), &walk.buffer)?;
        }
        if walk.at == end && walk.hash.finalize() == wanted { Ok(()) } else { Err(self.damaged()) }
    }

    pub(in crate::table::retro) fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), TableError> {
        self.file.read(bytes, at).map_err(TableError::io(&self.path))
    }

    /// Returns the head of the record whose bytes begin at an offset.
    pub(in crate::table::retro) fn record(&self, at: u64) -> Result<Record, TableError> {
        let mut bytes = [0; RECORD];
        self.read(at - RECORD as u64, &mut bytes)?;
        Record::read(&bytes).ok_or_else(|| self.damaged())
    }

    /// Returns the error for what the system refused.
    pub(in crate::table::retro) fn failed(&self, cause: io::Error) -> TableError {
        TableError::io(&self.path)(cause)
    }

    /// Returns the error for bytes that are not those that were written.
    pub(in crate::table::retro) fn damaged(&self) -> TableError {
        TableError::damaged(&self.path, "the log")
    }
}

/// Returns the first bytes of a log.
fn head(setup: &[u8; 32], tier: usize) -> Vec<u8> {
    let mut head = Vec::from(MAGIC);
    head.extend(setup);
    head.extend((tier as u64).to_le_bytes());
    head
}

/// Returns the end of the sealed part of a log, the hash up to there, and the columns that are
/// done; `None` if the file is no log with this head.
fn sealed(file: &File, head: &[u8]) -> io::Result<Option<(u64, Sha256, Done)>> {
    let mut walk = LogReader::new(file)?;
    if walk.bytes(head.len())?.is_none_or(|bytes| bytes != head) {
        return Ok(None);
    }
    let mut done = Done::new();
    let mut last = (walk.at, walk.hash.clone());
    let mut unsealed = Vec::new();
    loop {
        let before = walk.hash.clone();
        let Some(record) = walk.next()? else { break };
        match record.kind {
            RecordKind::Found => {}
            RecordKind::Column => unsealed.push(((record.run, record.number), counts(&walk.buffer))),
            RecordKind::Seal if before.finalize()[..] == walk.buffer[..] => {
                done.extend(unsealed.drain(..));
                last = (walk.at, walk.hash.clone());
            }
            RecordKind::Seal => break,
        }
    }
    Ok(Some((last.0, last.1, done)))
}

fn counts(bytes: &[u8]) -> Vec<(usize, u64)> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers.chunks_exact(2).map(|pair| (u64::from_le_bytes(pair[0]) as usize, u64::from_le_bytes(pair[1]))).collect()
}

struct LogReader<'a> {
    from: BufReader<&'a File>,
    at: u64,
    hash: Sha256,
    buffer: Vec<u8>,
}

impl<'a> LogReader<'a> {
    fn new(file: &'a File) -> io::Result<LogReader<'a>> {
        use std::io::Seek;
        let mut from = BufReader::with_capacity(BUFFER, file);
        from.rewind()?;
        Ok(LogReader { from, at: 0, hash: Sha256::new(), buffer: Vec::new() })
    }

    /// Returns the next `len` bytes; `None` if fewer are left.
    fn bytes(&mut self, len: usize) -> io::Result<Option<&[u8]>> {
        self.buffer.clear();
        // Allocates no more than the file has, whatever a damaged length says.
        let read = self.from.by_ref().take(len as u64).read_to_end(&mut self.buffer)?;
        if read < len {
            return Ok(None);
        }
        self.hash.update(&self.buffer);
        self.at += len as u64;
        Ok(Some(&self.buffer))
    }

    /// Returns the next record; `None` at the end, or where the bytes are no record.
    fn next(&mut self) -> io::Result<Option<Record>> {
        let Some(bytes) = self.bytes(RECORD)? else { return Ok(None) };
        let mut head = [0; RECORD];
        head.copy_from_slice(bytes);
        let Some(record) = Record::read(&head) else { return Ok(None) };
        Ok(self.bytes(record.len as usize)?.is_some().then_some(record))
    }
}
