//! Reading a part, a piece at a time.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::storage::codec::{BLOCK_CELLS, Codec};
use crate::table::storage::disjoint::DisjointSlices;
use crate::table::storage::parts::{HEAD, MAGIC, TierPlace};
use crate::table::storage::positioned_file::PositionedFile;
use crate::table::storage::{Codes, codec};

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// Bytes of the lengths of a block.
const LENGTHS: usize = 4;

/// Reads the places of the tiers in a part; `None` if it is no part of this setup, is damaged, or
/// begins with another tier.
pub(super) fn places(path: &Path, setup: &[u8; 32], first: usize) -> io::Result<Option<Vec<TierPlace>>> {
    let file = PositionedFile::new(File::open(path)?);
    let Some(tiers) = directory(&file, setup, first)? else { return Ok(None) };
    let mut part = Hashed::new(file.file())?;
    let mut buffer = vec![0; PIECE];
    while part.left > 0 {
        let len = part.left.min(PIECE as u64) as usize;
        part.fill(&mut buffer[..len])?;
    }
    Ok(part.finish()?.then_some(tiers))
}

/// Reads the places of the tiers in a part, and checks only that they lie within it.
fn directory(file: &PositionedFile, setup: &[u8; 32], first: usize) -> io::Result<Option<Vec<TierPlace>>> {
    let len = file.file().metadata()?.len();
    let Some(body) = len.checked_sub(32).filter(|&body| body >= HEAD as u64) else { return Ok(None) };
    let head = file.bytes(0, HEAD)?;
    let count = number(&head[48..]);
    if &head[..8] != MAGIC || head[8..40] != *setup || number(&head[40..]) != first as u64 || count > body / 8 {
        return Ok(None);
    }
    let starts = file.bytes(body - 8 * count, 8 * count as usize)?;
    let mut at = HEAD as u64;
    let mut tiers = Vec::new();
    for lengths in starts.chunks_exact(8).map(number) {
        if at + 9 > lengths || lengths > body {
            return Ok(None);
        }
        let head = file.bytes(at, 9)?;
        let count = number(&head[1..]);
        if count > (body - lengths) / LENGTHS as u64 {
            return Ok(None);
        }
        tiers.push(TierPlace { wide: head[0] == 1, count: count as usize, first: at + 9, lengths });
        at = lengths + count * LENGTHS as u64;
    }
    Ok((at == body - 8 * count).then_some(tiers))
}

fn number(bytes: &[u8]) -> u64 {
    let mut array = [0; 8];
    array.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(array)
}

fn lengths(file: &PositionedFile, at: u64, count: usize) -> io::Result<Vec<u32>> {
    let bytes = file.bytes(at, LENGTHS * count)?;
    let (lengths, _) = bytes.as_chunks::<LENGTHS>();
    Ok(lengths.iter().map(|&length| u32::from_le_bytes(length)).collect())
}

/// A part read from its beginning to its end, to be compared with its hash.
struct Hashed<'a> {
    from: BufReader<&'a File>,
    hash: Sha256,
    /// Bytes before the hash that are still to be read.
    left: u64,
}

impl<'a> Hashed<'a> {
    fn new(file: &'a File) -> io::Result<Hashed<'a>> {
        use std::io::Seek;
        let left = file.metadata()?.len().saturating_sub(32);
        let mut from = BufReader::with_capacity(PIECE, file);
        from.rewind()?;
        Ok(Hashed { from, hash: Sha256::new(), left })
    }

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.from.read_exact(bytes)?;
        self.hash.update(bytes);
        Ok(())
    }

    /// Returns `true` if all bytes are as they were written.
    fn finish(mut self) -> io::Result<bool> {
        let mut hash = [0; 32];
        self.from.read_exact(&mut hash)?;
        Ok(self.left == 0 && self.hash.finalize()[..] == hash)
    }
}

pub(in crate::table) struct TierSideFile<'a> {
    path: &'a Path,
    file: PositionedFile,
    wide: bool,
    cells: usize,
    starts: Vec<u64>,
    lengths: Vec<u32>,
}

impl<'a> TierSideFile<'a> {
    pub(super) fn new(
        path: &'a Path,
        file: PositionedFile,
        tier: TierPlace,
        to_move: Side,
        cells: usize,
    ) -> Result<TierSideFile<'a>, TableError> {
        let read = || -> io::Result<(Vec<u64>, Vec<u32>)> {
            let mut all = lengths(&file, tier.lengths, tier.count)?;
            // A half has half of the blocks; those with White to move come first.
            let black = all.split_off(tier.count / 2);
            let skipped = if to_move == Side::White { 0 } else { all.iter().map(|&length| u64::from(length)).sum() };
            let these = if to_move == Side::White { all } else { black };
            let mut at = tier.first + skipped;
            let mut starts = Vec::with_capacity(these.len());
            for &length in &these {
                starts.push(at);
                at += u64::from(length);
            }
            if at > tier.lengths {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Ok((starts, these))
        };
        let (starts, lengths) = read().map_err(|error| failure(path, error))?;
        Ok(TierSideFile { path, file, wide: tier.wide, cells, starts, lengths })
    }

    /// Returns `true` if its codes take two bytes.
    pub(in crate::table) fn wide(&self) -> bool {
        self.wide
    }

    /// Reads the codes of some ranges of cells, in order, and others near them.
    pub(in crate::table::storage) fn read(
        &self,
        ranges: impl Iterator<Item = Range<usize>>,
        codes: &mut Codes,
    ) -> Result<(), TableError> {
        let (low, high) = codes.bytes_mut();
        let (mut lows, mut highs) = (DisjointSlices::new(low), DisjointSlices::new(high));
        let mut jobs = Vec::new();
        let mut done = 0;
        for range in ranges.filter(|range| !range.is_empty()) {
            for block in done.max(range.start / BLOCK_CELLS)..range.end.div_ceil(BLOCK_CELLS) {
                let first = block * BLOCK_CELLS;
                let len = BLOCK_CELLS.min(self.cells - first);
                let high = if self.wide { highs.cut(first, len) } else { Default::default() };
                jobs.push((block, lows.cut(first, len), high));
                done = block + 1;
            }
        }
        jobs.into_par_iter().try_for_each_init(BlockReader::default, |reader, (block, low, high)| {
            reader.block(self, block, |plain| {
                let (first, second) = plain.split_at(low.len());
                low.copy_from_slice(first);
                high.copy_from_slice(second);
            })
        })
    }

    pub(in crate::table) fn window(&self, cells: Range<usize>, reader: &mut BlockReader) -> Result<Codes, TableError> {
        let mut codes = Codes::draws_of_width(cells.len(), self.wide);
        let (low, high) = codes.bytes_mut();
        for block in cells.start / BLOCK_CELLS..cells.end.div_ceil(BLOCK_CELLS) {
            let first = block * BLOCK_CELLS;
            let len = BLOCK_CELLS.min(self.cells - first);
            let these = cells.start.max(first)..cells.end.min(first + len);
            let (from, to) =
                (these.start - first..these.end - first, these.start - cells.start..these.end - cells.start);
            reader.block(self, block, |plain| {
                low[to.clone()].copy_from_slice(&plain[from.clone()]);
                if !high.is_empty() {
                    high[to].copy_from_slice(&plain[len + from.start..len + from.end]);
                }
            })?;
        }
        Ok(codes)
    }

    /// Lists the codes that occur.
    pub(in crate::table) fn seen(&self) -> Result<Vec<bool>, TableError> {
        let none = || (BlockReader::default(), vec![false; if self.wide { 1 << 16 } else { 256 }]);
        let note = |(mut reader, mut seen): (BlockReader, Vec<bool>), block: usize| {
            reader.block(self, block, |plain| {
                let cells = BLOCK_CELLS.min(self.cells - block * BLOCK_CELLS);
                for cell in 0..cells {
                    seen[usize::from(codec::code_in(self.wide, plain, cell))] = true;
                }
            })?;
            Ok((reader, seen))
        };
        let both = |(reader, mut one): (BlockReader, Vec<bool>), (_, other): (BlockReader, Vec<bool>)| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
            Ok((reader, one))
        };
        let blocks = (0..self.starts.len()).into_par_iter().with_min_len(64);
        blocks.try_fold(none, note).try_reduce(none, both).map(|(_, seen)| seen)
    }
}

#[derive(Default)]
pub(in crate::table) struct BlockReader {
    codec: Codec,
    packed: Vec<u8>,
    plain: Vec<u8>,
}

impl BlockReader {
    fn block(
        &mut self,
        tier_side: &TierSideFile<'_>,
        block: usize,
        take: impl FnOnce(&[u8]),
    ) -> Result<(), TableError> {
        let failed = |error: io::Error| failure(tier_side.path, error);
        self.packed.resize(tier_side.lengths[block] as usize, 0);
        tier_side.file.read(&mut self.packed, tier_side.starts[block]).map_err(failed)?;
        let cells = BLOCK_CELLS.min(tier_side.cells - block * BLOCK_CELLS);
        let len = codec::plain_len(tier_side.wide, cells);
        if !self.codec.unpack(&self.packed, &mut self.plain, len).map_err(failed)? {
            return Err(TableError::damaged(tier_side.path, "the part"));
        }
        take(&self.plain);
        Ok(())
    }
}

/// Converts an error of reading: a part that ends early is damaged.
fn failure(path: &Path, error: io::Error) -> TableError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => TableError::damaged(path, "the part"),
        _ => TableError::io(path)(error),
    }
}
