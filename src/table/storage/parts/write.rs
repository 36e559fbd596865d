//! Writing a part, a piece at a time.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::{Index, Tier};
use crate::table::storage::codec::Window;
use crate::table::storage::division::{Blocks, Division, Undivided, batches};
use crate::table::storage::parts::{MAGIC, TierPlace};
use crate::table::storage::{Codes, codec};

/// Blocks that are encoded together: some millions of cells.
const BATCH: usize = 1 << 11;

/// The blocks of a small tier, kept in memory until there are enough of them for a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::table) struct TierBlocks {
    pub(in crate::table) wide: bool,
    blocks: Vec<Vec<u8>>,
    len: usize,
}

impl TierBlocks {
    /// Encodes a tier from its codes; `used` as for [`codec::encode`].
    pub(in crate::table) fn new(
        index: &Index,
        tier: usize,
        codes: &[Codes; 2],
        used: Option<&[u64]>,
    ) -> io::Result<TierBlocks> {
        let tier = &index.tiers()[tier];
        let mut all = Vec::with_capacity(codec::count(index, tier));
        for codes in codes {
            let these = 0..codec::count_of_side(index, tier);
            all.extend(codec::encode(index, tier, Window { codes, first: 0 }, used, these)?);
        }
        let len = all.iter().map(Vec::len).sum();
        Ok(TierBlocks { wide: is_wide(codes), blocks: all, len })
    }

    pub(in crate::table) fn len(&self) -> usize {
        self.len
    }

    pub(in crate::table) fn write(&self, writer: &mut PartWriter<'_>) -> Result<(), TableError> {
        writer.tier(self.wide, self.blocks.len())?;
        writer.put(&self.blocks)
    }
}

fn is_wide(codes: &[Codes; 2]) -> bool {
    !codes[0].high().is_empty()
}

/// Writes a tier that is in memory; `used` as for [`codec::encode`].
pub(in crate::table) fn write_codes(
    writer: &mut PartWriter<'_>,
    index: &Index,
    tier: &Tier,
    codes: &[Codes; 2],
    used: Option<&[u64]>,
) -> Result<(), TableError> {
    write_tier(writer, index, tier, is_wide(codes), &mut Undivided, |side, _, encode| {
        encode(Window { codes: &codes[side.index()], first: 0 }, used)
    })
}

/// Encoder of a batch of blocks from a window that has its codes; with the cells in use as for
/// [`codec::encode`].
pub(in crate::table) type Encode<'a> = dyn Fn(Window<'_>, Option<&[u64]>) -> Result<Blocks, TableError> + 'a;

/// Writes a tier batch by batch. `codes` returns the codes of a range of cells with a side to move.
pub(in crate::table) fn write_tier(
    writer: &mut PartWriter<'_>,
    index: &Index,
    tier: &Tier,
    wide: bool,
    division: &mut dyn Division,
    codes: impl FnMut(Side, Range<usize>, &Encode<'_>) -> Result<Blocks, TableError>,
) -> Result<(), TableError> {
    writer.tier(wide, codec::count(index, tier))?;
    let path = writer.path;
    make_tier(path, index, tier, division, codes, |blocks| writer.put(&blocks))
}

/// Makes the blocks of a tier, as far as this process makes them, and hands over those that it
/// writes. `path` is for errors.
pub(in crate::table) fn make_tier(
    path: &Path,
    index: &Index,
    tier: &Tier,
    division: &mut dyn Division,
    mut codes: impl FnMut(Side, Range<usize>, &Encode<'_>) -> Result<Blocks, TableError>,
    mut put: impl FnMut(Blocks) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let of_side = codec::count_of_side(index, tier);
    let cells = tier.rows() as usize * index.points();
    let batch = of_side.div_ceil(batches(of_side, BATCH, division.makers())).max(1);
    for side in Side::BOTH {
        for first in (0..of_side).step_by(batch) {
            let batch = first..of_side.min(first + batch);
            let range = first * codec::BLOCK_CELLS..cells.min(batch.end * codec::BLOCK_CELLS);
            let encode = |window: Window<'_>, used: Option<&[u64]>| {
                codec::encode(index, tier, window, used, batch.clone()).map_err(TableError::io(path))
            };
            // All count as much, so that whoever makes one with White to move makes the same one
            // with Black.
            let made = division.batch(1, &mut || codes(side, range.clone(), &encode))?;
            made.map_or(Ok(()), &mut put)?;
        }
    }
    Ok(())
}

pub(in crate::table) struct PartWriter<'a> {
    out: &'a mut dyn Write,
    path: &'a Path,
    hash: Sha256,
    offset: u64,
    tiers: Vec<TierPlace>,
    /// The lengths of the blocks of the last tier.
    lengths: Vec<u32>,
}

impl<'a> PartWriter<'a> {
    pub(super) fn begin(
        out: &'a mut dyn Write,
        path: &'a Path,
        setup: &[u8; 32],
        first: usize,
        tiers: usize,
    ) -> Result<PartWriter<'a>, TableError> {
        let mut writer =
            PartWriter { out, path, hash: Sha256::new(), offset: 0, tiers: Vec::new(), lengths: Vec::new() };
        writer.bytes(MAGIC)?;
        writer.bytes(setup)?;
        writer.bytes(&(first as u64).to_le_bytes())?;
        writer.bytes(&(tiers as u64).to_le_bytes())?;
        Ok(writer)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.hash.update(bytes);
        self.offset += bytes.len() as u64;
        self.out.write_all(bytes).map_err(TableError::io(self.path))
    }

    fn tier(&mut self, wide: bool, count: usize) -> Result<(), TableError> {
        self.close_tier()?;
        self.bytes(&[u8::from(wide)])?;
        self.bytes(&(count as u64).to_le_bytes())?;
        self.tiers.push(TierPlace { wide, count, first: self.offset, lengths: 0 });
        Ok(())
    }

    fn put(&mut self, blocks: &[Vec<u8>]) -> Result<(), TableError> {
        blocks.iter().try_for_each(|block| {
            self.lengths.push(block.len() as u32);
            self.bytes(block)
        })
    }

    /// Writes the lengths of the blocks of the last tier.
    fn close_tier(&mut self) -> Result<(), TableError> {
        let offset = self.offset;
        let Some(tier) = self.tiers.last_mut() else { return Ok(()) };
        debug_assert_eq!(tier.count, self.lengths.len());
        tier.lengths = offset;
        let lengths = std::mem::take(&mut self.lengths);
        lengths.iter().try_for_each(|length| self.bytes(&length.to_le_bytes()))
    }

    /// Writes the end; where the tiers are.
    pub(super) fn end(mut self) -> Result<Vec<TierPlace>, TableError> {
        self.close_tier()?;
        for tier in std::mem::take(&mut self.tiers) {
            self.bytes(&tier.lengths.to_le_bytes())?;
            self.tiers.push(tier);
        }
        let hash = std::mem::take(&mut self.hash).finalize();
        self.out.write_all(&hash).map_err(TableError::io(self.path))?;
        Ok(self.tiers)
    }
}
