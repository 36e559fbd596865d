//! All cells of a tier in compressed blocks, as they lie in parts while a table is built.
//!
//! The cells are taken with White to move, then with Black, each row after row, and cut into
//! blocks; a block never holds cells of both. A cell takes the byte of its code; in a wide tier all
//! low bytes stand first and then all high bytes. A cell that is not in use repeats the one before
//! it. Each block is a Zstandard frame with its checksum.

use std::io;
use std::ops::Range;

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use crate::table::index::{Index, Tier, for_each_row};
use crate::table::storage::Codes;

pub(in crate::table) const BLOCK_CELLS: usize = 1 << 12;

/// The level of compression: higher ones take much longer for little.
const LEVEL: i32 = 3;

/// The level for what is read once or twice.
const FAST_LEVEL: i32 = 1;

/// Returns the number of blocks that a tier has with one side to move.
pub(super) fn count_of_side(index: &Index, tier: &Tier) -> usize {
    (tier.rows() as usize * index.points()).div_ceil(BLOCK_CELLS)
}

/// Returns the number of blocks that a tier has, both sides to move.
pub(in crate::table) fn count(index: &Index, tier: &Tier) -> usize {
    2 * count_of_side(index, tier)
}

/// Codes of a part of a tier with one side to move.
#[derive(Clone, Copy)]
pub(in crate::table) struct Window<'a> {
    pub(in crate::table) codes: &'a Codes,
    /// The cell of the tier at which they begin: the first one of a row.
    pub(in crate::table) first: usize,
}

/// Returns some blocks of plies of a tier with one side to move, from codes that cover their cells.
/// `used` are the cells in use, a word for each row of the window; without them they are found by a
/// walk.
pub(super) fn encode(
    index: &Index,
    tier: &Tier,
    window: Window<'_>,
    used: Option<&[u64]>,
    blocks: Range<usize>,
) -> io::Result<Vec<Vec<u8>>> {
    let all = tier.rows() as usize * index.points();
    let wide = !window.codes.high().is_empty();
    let block = |(codec, codes): &mut (Codec, Vec<u8>), i: usize| {
        let first = i * BLOCK_CELLS;
        let cells = first..all.min(first + BLOCK_CELLS);
        codes.clear();
        list(index, tier, window, used, window.codes.low(), cells.clone(), codes);
        if wide {
            list(index, tier, window, used, window.codes.high(), cells, codes);
        }
        codec.pack(codes)
    };
    blocks.into_par_iter().map_init(Default::default, block).collect()
}

/// Compressor and decompressor of a thread, each made when it is first needed.
pub(in crate::table) struct Codec {
    level: i32,
    compressor: Option<Compressor<'static>>,
    decompressor: Option<Decompressor<'static>>,
}

impl Default for Codec {
    /// Creates a codec for the blocks of tables and parts.
    fn default() -> Codec {
        Codec { level: LEVEL, compressor: None, decompressor: None }
    }
}

impl Codec {
    /// Creates a codec for bytes that are read once or twice: compressed faster and less.
    pub(in crate::table) fn fast() -> Codec {
        Codec { level: FAST_LEVEL, ..Codec::default() }
    }

    /// Makes the unpacker at once.
    pub(super) fn for_unpacking() -> io::Result<Codec> {
        Ok(Codec { decompressor: Some(Decompressor::new()?), ..Codec::default() })
    }

    /// Returns a Zstandard frame with these bytes and their checksum.
    pub(in crate::table) fn pack(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let compressor = match &mut self.compressor {
            Some(compressor) => compressor,
            none => {
                let mut new = Compressor::new(self.level)?;
                new.set_parameter(CParameter::ChecksumFlag(true))?;
                none.insert(new)
            }
        };
        compressor.compress(bytes)
    }

    /// Unpacks a frame into `plain`; false if it is not one of `len` bytes.
    pub(in crate::table) fn unpack(&mut self, frame: &[u8], plain: &mut Vec<u8>, len: usize) -> io::Result<bool> {
        let decompressor = match &mut self.decompressor {
            Some(decompressor) => decompressor,
            none => none.insert(Decompressor::new()?),
        };
        plain.clear();
        plain.reserve(len);
        let done = decompressor.decompress_to_buffer(frame, plain);
        Ok(done.is_ok_and(|done| done == len && plain.len() == len))
    }

    /// Unpacks a frame into `plain`, or nothing into nothing; false if it is not one of at most
    /// `most` bytes.
    pub(super) fn unpack_at_most(&mut self, frame: &[u8], plain: &mut Vec<u8>, most: usize) -> io::Result<bool> {
        plain.clear();
        if frame.is_empty() {
            return Ok(true);
        }
        match zstd::zstd_safe::get_frame_content_size(frame) {
            Ok(Some(len)) if len <= most as u64 => self.unpack(frame, plain, len as usize),
            _ => Ok(false),
        }
    }
}

/// Adds the low or the high bytes of some cells to a list. A cell that is not in use repeats the
/// one before it.
fn list(
    index: &Index,
    tier: &Tier,
    window: Window<'_>,
    used: Option<&[u64]>,
    bytes: &[u8],
    cells: Range<usize>,
    list: &mut Vec<u8>,
) {
    let (points, begin) = (index.points(), list.len());
    list.extend_from_slice(&bytes[cells.start - window.first..cells.end - window.first]);
    let (first_row, end_row) = (cells.start / points, cells.end.div_ceil(points));
    let board = u64::MAX >> (u64::BITS as usize - points);
    let mut repeat = |row: usize, used: u64| {
        let base = row * points;
        // Those of the row that are in the list: all but at the ends of a block.
        let (first, end) = (base.max(cells.start) - base, (base + points).min(cells.end) - base);
        let mut unused = board & !used & u64::MAX << first & u64::MAX >> (u64::BITS as usize - end);
        while unused != 0 {
            let cell = unused.trailing_zeros();
            let run = (unused >> cell).trailing_ones();
            let at = begin + base + cell as usize - cells.start;
            let byte = if at == begin { 0 } else { list[at - 1] };
            list[at..at + run as usize].fill(byte);
            unused &= u64::MAX.checked_shl(cell + run).unwrap_or(0);
        }
    };
    match used {
        Some(used) => {
            let before = window.first / points;
            (first_row..end_row).for_each(|row| repeat(row, used[row - before]));
        }
        None => for_each_row(index, tier, first_row as u64, end_row - first_row, |row, slice, fixed| {
            repeat(row as usize, index.cells(slice, fixed));
        }),
    }
}

/// Returns the bytes of a block of `cells` cells before compression.
pub(super) fn plain_len(wide: bool, cells: usize) -> usize {
    if wide { 2 * cells } else { cells }
}

/// Returns the most bytes that a block of `len` bytes takes when it is compressed.
pub(super) fn packed_at_most(len: usize) -> u64 {
    // The checksum is not counted in the bound.
    zstd::zstd_safe::compress_bound(len) as u64 + 4
}

#[inline]
pub(super) fn code_in(wide: bool, plain: &[u8], cell: usize) -> u16 {
    let low = u16::from(plain[cell]);
    if wide { low | u16::from(plain[plain.len() / 2 + cell]) << 8 } else { low }
}
