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

use super::codes::Codes;
use super::header::Content;
use super::index::Index;
use super::sweep::for_each_row;
use super::tier::Tier;

/// Cells in a block.
pub(super) const BLOCK_CELLS: usize = 1 << 12;

/// The level of compression: higher ones take much longer for little.
const LEVEL: i32 = 3;

/// How many blocks a tier has with one side to move.
pub(super) fn count_of_side(index: &Index, tier: &Tier) -> usize {
    (tier.rows() as usize * index.points()).div_ceil(BLOCK_CELLS)
}

/// How many blocks a tier has, both sides to move.
pub(super) fn count(index: &Index, tier: &Tier) -> usize {
    2 * count_of_side(index, tier)
}

/// How many cells a block of a tier has, those with White to move counted first.
pub(super) fn cells_of(index: &Index, tier: &Tier, block: usize) -> usize {
    let first = block % count_of_side(index, tier) * BLOCK_CELLS;
    BLOCK_CELLS.min(tier.rows() as usize * index.points() - first)
}

/// Codes of a part of a tier with one side to move.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    pub(super) codes: &'a Codes,
    /// The cell of the tier at which they begin.
    pub(super) first: usize,
}

/// Some blocks of plies of a tier with one side to move, from codes that cover their cells.
pub(super) fn encode(index: &Index, tier: &Tier, window: Window<'_>, blocks: Range<usize>) -> io::Result<Vec<Vec<u8>>> {
    let all = tier.rows() as usize * index.points();
    let block = |compressor: &mut io::Result<Compressor<'static>>, i: usize| -> io::Result<Vec<u8>> {
        let compressor = compressor.as_mut().map_err(|e| io::Error::new(e.kind(), e.to_string()))?;
        let first = i * BLOCK_CELLS;
        let codes = listed(index, tier, window, first, BLOCK_CELLS.min(all - first));
        let wide = !window.codes.high().is_empty();
        compressor.compress(&plain(Content::Plies, wide, &codes))
    };
    blocks.into_par_iter().map_init(compressor, block).collect()
}

/// The block of outcomes of the cells of a block of plies; `None` if that is damaged.
pub(super) fn outcomes_of(tools: &mut Tools, block: &[u8], wide: bool, cells: usize) -> io::Result<Option<Vec<u8>>> {
    if tools.codecs.is_none() {
        tools.codecs = Some((compressor()?, Decompressor::new()?));
    }
    let Some((compressor, decompressor)) = &mut tools.codecs else { unreachable!("it was made above") };
    if unpack(decompressor, block, &mut tools.plain, plain_len(Content::Plies, wide, cells)).is_none() {
        return Ok(None);
    }
    let codes = (0..cells).map(|cell| code_in(Content::Plies, wide, &tools.plain, cell));
    let list: Vec<u16> = codes.collect();
    compressor.compress(&plain(Content::Outcomes, wide, &list)).map(Some)
}

/// What a thread needs to make blocks of other blocks.
#[derive(Default)]
pub(super) struct Tools {
    codecs: Option<(Compressor<'static>, Decompressor<'static>)>,
    plain: Vec<u8>,
}

fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    Ok(compressor)
}

/// The codes of a block.
fn listed(index: &Index, tier: &Tier, window: Window<'_>, first: usize, cells: usize) -> Vec<u16> {
    let points = index.points();
    let mut list: Vec<u16> = Vec::with_capacity(cells);
    let (first_row, end_row) = (first / points, (first + cells).div_ceil(points));
    let mut previous = 0;
    for_each_row(index, tier, first_row as u64, end_row - first_row, |row, slice, fixed| {
        let used = index.cells(slice, fixed);
        let base = row as usize * points;
        for cell in first.saturating_sub(base)..points.min(first + cells - base) {
            if used >> cell & 1 == 1 {
                previous = window.codes.get(base + cell - window.first);
            }
            list.push(previous);
        }
    });
    list
}

/// A block before compression.
fn plain(content: Content, wide: bool, list: &[u16]) -> Vec<u8> {
    match content {
        Content::Outcomes => {
            let outcome = |code: u16| if code == 0 { 0 } else { 2 - (code % 2) as u8 };
            let pack = |four: &[u16]| four.iter().rev().fold(0, |byte, &code| byte << 2 | outcome(code));
            list.chunks(4).map(pack).collect()
        }
        Content::Plies => {
            let low = list.iter().map(|&code| code as u8);
            if wide { low.chain(list.iter().map(|&code| (code >> 8) as u8)).collect() } else { low.collect() }
        }
    }
}

/// Bytes of a block of so many cells before compression.
pub(super) fn plain_len(content: Content, wide: bool, cells: usize) -> usize {
    match content {
        Content::Outcomes => cells.div_ceil(4),
        Content::Plies if wide => 2 * cells,
        Content::Plies => cells,
    }
}

/// The code of a cell of a block; of outcomes, 1 for a loss and 2 for a win whatever the distance.
#[inline]
pub(super) fn code_in(content: Content, wide: bool, plain: &[u8], cell: usize) -> u16 {
    match content {
        Content::Outcomes => u16::from(plain[cell / 4] >> (cell % 4 * 2) & 3),
        Content::Plies if wide => u16::from(plain[cell]) | u16::from(plain[plain.len() / 2 + cell]) << 8,
        Content::Plies => u16::from(plain[cell]),
    }
}

/// Unpacks a block; `None` if its bytes are not what was written.
pub(super) fn unpack(decompressor: &mut Decompressor<'_>, block: &[u8], plain: &mut Vec<u8>, len: usize) -> Option<()> {
    plain.clear();
    plain.reserve(len);
    let done = decompressor.decompress_to_buffer(block, plain).ok()?;
    (done == len && plain.len() == len).then_some(())
}
