//! Cells in compressed blocks.
//!
//! The cells of a tier are taken with White to move, then with Black, each row after row, and cut into blocks; a block
//! never holds cells of both. Outcomes take 2 bits (0 draw, 1 loss, 2 win; the first cell in the lowest bits), plies the
//! byte of their code, or all low bytes and then all high bytes in a wide tier. A cell that is not in use repeats the
//! one before it. Each block is a Zstandard frame with its checksum.

use std::io;
use std::ops::Range;

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use crate::geometry::PointSet;
use crate::table::index::rows::for_each_row;
use crate::table::index::{Index, Tier};
use crate::table::storage::{Codes, Content, swar};

/// Cells in a block.
pub(in crate::table) const BLOCK_CELLS: usize = 1 << 12;

/// The level of compression: higher ones take much longer for little.
const LEVEL: i32 = 3;

/// The level for what is read once or twice.
const FAST_LEVEL: i32 = 1;

/// How many blocks a tier has with one side to move.
pub(in crate::table) fn count_of_side(index: &Index, tier: &Tier) -> usize {
    (tier.rows() as usize * index.points()).div_ceil(BLOCK_CELLS)
}

/// How many blocks a tier has, both sides to move.
pub(in crate::table) fn count(index: &Index, tier: &Tier) -> usize {
    2 * count_of_side(index, tier)
}

/// How many cells a block of a tier has, those with White to move counted first.
pub(in crate::table) fn cells_of(index: &Index, tier: &Tier, block: usize) -> usize {
    let first = block % count_of_side(index, tier) * BLOCK_CELLS;
    BLOCK_CELLS.min(tier.rows() as usize * index.points() - first)
}

/// Codes of a part of a tier with one side to move.
#[derive(Clone, Copy)]
pub(in crate::table) struct Window<'a> {
    pub(in crate::table) codes: &'a Codes,
    /// The cell of the tier at which they begin.
    pub(in crate::table) first: usize,
}

/// Some blocks of plies of a tier with one side to move, from codes that cover their cells.
pub(in crate::table) fn encode(
    index: &Index,
    tier: &Tier,
    window: Window<'_>,
    blocks: Range<usize>,
) -> io::Result<Vec<Vec<u8>>> {
    let all = tier.rows() as usize * index.points();
    let wide = !window.codes.high().is_empty();
    let block = |(codec, codes): &mut (Codec, Vec<u8>), i: usize| {
        let first = i * BLOCK_CELLS;
        let cells = first..all.min(first + BLOCK_CELLS);
        codes.clear();
        list(index, tier, window, window.codes.low(), cells.clone(), codes);
        if wide {
            list(index, tier, window, window.codes.high(), cells, codes);
        }
        codec.pack(codes)
    };
    blocks.into_par_iter().map_init(Default::default, block).collect()
}

/// The block of outcomes of the cells of a block of plies; `None` if that is damaged.
pub(in crate::table) fn outcomes_of(
    codec: &mut Codec,
    buffers: &mut [Vec<u8>; 2],
    block: &[u8],
    wide: bool,
    cells: usize,
) -> io::Result<Option<Vec<u8>>> {
    let [plies, outcomes] = buffers;
    if !codec.unpack(block, plies, plain_len(Content::Plies, wide, cells))? {
        return Ok(None);
    }
    pack(plies, cells, outcomes);
    codec.pack(outcomes).map(Some)
}

/// What a thread needs to compress bytes and to unpack them, each made when it is first needed.
pub(in crate::table) struct Codec {
    level: i32,
    compressor: Option<Compressor<'static>>,
    decompressor: Option<Decompressor<'static>>,
}

impl Default for Codec {
    /// For the blocks of tables and parts.
    fn default() -> Codec {
        Codec { level: LEVEL, compressor: None, decompressor: None }
    }
}

impl Codec {
    /// For bytes that are read once or twice: compressed faster and less.
    pub(in crate::table) fn fast() -> Codec {
        Codec { level: FAST_LEVEL, ..Codec::default() }
    }

    /// With what unpacks made at once.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub(in crate::table) fn for_unpacking() -> io::Result<Codec> {
        Ok(Codec { decompressor: Some(Decompressor::new()?), ..Codec::default() })
    }

    /// A Zstandard frame with these bytes and their checksum.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
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
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
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
}

/// Adds the low or the high bytes of some cells to a list. A cell that is not in use repeats the one before it.
fn list(index: &Index, tier: &Tier, window: Window<'_>, bytes: &[u8], cells: Range<usize>, list: &mut Vec<u8>) {
    let (points, begin) = (index.points(), list.len());
    list.extend_from_slice(&bytes[cells.start - window.first..cells.end - window.first]);
    let (first_row, end_row) = (cells.start / points, cells.end.div_ceil(points));
    let board = u64::MAX >> (u64::BITS as usize - points);
    for_each_row(index, tier, first_row as u64, end_row - first_row, |row, slice, fixed| {
        let base = row as usize * points;
        for cell in PointSet(board & !index.cells(slice, fixed)) {
            let cell = base + cell.index();
            if cells.contains(&cell) {
                let at = begin + cell - cells.start;
                list[at] = if at == begin { 0 } else { list[at - 1] };
            }
        }
    });
}

/// The outcomes of codes, low bytes first and then high ones if there are any, at two bits a cell.
fn pack(codes: &[u8], cells: usize, packed: &mut Vec<u8>) {
    let eight = |part: &[u8]| {
        let mut bytes = [0; 8];
        bytes[..part.len()].copy_from_slice(part);
        bytes
    };
    packed.clear();
    let (low, high) = codes.split_at(cells);
    let mut high = high.chunks(8);
    for low in low.chunks(8) {
        packed.extend(swar::outcomes(eight(low), high.next().map_or([0; 8], eight)));
    }
    packed.truncate(cells.div_ceil(4));
}

/// Bytes of a block of `cells` cells before compression.
pub(in crate::table) fn plain_len(content: Content, wide: bool, cells: usize) -> usize {
    match content {
        Content::Outcomes => cells.div_ceil(4),
        Content::Plies if wide => 2 * cells,
        Content::Plies => cells,
    }
}

/// The most bytes that a block of `len` bytes takes when it is compressed.
pub(in crate::table) fn packed_at_most(len: usize) -> u64 {
    // The checksum is not counted in the bound.
    zstd::zstd_safe::compress_bound(len) as u64 + 4
}

/// The code of a cell of a block; of outcomes, 1 for a loss and 2 for a win whatever the distance.
#[inline]
pub(in crate::table) fn code_in(content: Content, wide: bool, plain: &[u8], cell: usize) -> u16 {
    match content {
        Content::Outcomes => u16::from(plain[cell / 4] >> (cell % 4 * 2) & 3),
        Content::Plies if wide => u16::from(plain[cell]) | u16::from(plain[plain.len() / 2 + cell]) << 8,
        Content::Plies => u16::from(plain[cell]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_packed_as_cell_by_cell() {
        let mut number = 5_u64;
        for cells in [1, 3, 4, 7, 8, 9, 100, BLOCK_CELLS] {
            for wide in [false, true] {
                let mut next = || {
                    number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    // Many draws, and all bytes.
                    if number >> 62 == 0 { 0 } else { (number >> 33) as u8 }
                };
                let codes: Vec<u8> = (0..cells * if wide { 2 } else { 1 }).map(|_| next()).collect();
                let mut packed = Vec::new();
                pack(&codes, cells, &mut packed);
                assert_eq!(packed.len(), plain_len(Content::Outcomes, wide, cells));
                for cell in 0..cells {
                    let expected = match code_in(Content::Plies, wide, &codes, cell) {
                        0 => 0,
                        code => 2 - code % 2,
                    };
                    assert_eq!(code_in(Content::Outcomes, wide, &packed, cell), expected, "{cells} {wide} {cell}");
                }
            }
        }
    }
}
