//! Writing the file of a table from the parts of its build.

use std::io::Write;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::files::Output;
use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::{Index, TierSide};
use crate::table::storage::blocks::HeldCodes;
use crate::table::storage::codec::{Codec, Window};
use crate::table::storage::division::{Blocks, Division, batches};
use crate::table::storage::parts::{BlockReader, Parts};
use crate::table::storage::seal::Seal;
use crate::table::storage::{BlockRows, Header, file};

/// Cells of the blocks that a thread makes at a time.
const JOB_CELLS: usize = 1 << 18;

/// Such jobs whose blocks are in memory together.
const BATCH: usize = 1 << 6;

pub(in crate::table) struct NewFile<'a> {
    pub(in crate::table) output: Output<'a>,
    pub(in crate::table) header: Header,
}

/// Writes the file of a table from the parts of its build. It is a temporary file until it
/// is complete; then it gets its name. `observe` gets the number of blocks written, and of
/// all, from time to time.
pub(in crate::table) fn write_table(
    file: &NewFile<'_>,
    index: &Index,
    parts: &Parts,
    division: &mut dyn Division,
    observe: &mut dyn FnMut(u64, u64),
) -> Result<(), TableError> {
    let block_rows = &file.header.block_rows;
    let all: usize = (0..index.tiers().len()).map(|tier| 2 * block_rows.count(index, tier)).sum();
    file.output.write(|out| {
        let mut writer = Writer::begin(file, out)?;
        let mut written = 0;
        observe(written, all as u64);
        make_blocks(block_rows, index, parts, division, |blocks| {
            blocks.iter().try_for_each(|block| writer.block(block))?;
            written += blocks.len() as u64;
            observe(written, all as u64);
            Ok(())
        })?;
        writer.end()
    })
}

/// Makes this process's blocks of all tiers from the parts of a build, and hands over those that it
/// writes, some at a time.
pub(in crate::table) fn make_blocks(
    block_rows: &BlockRows,
    index: &Index,
    parts: &Parts,
    division: &mut dyn Division,
    mut take: impl FnMut(Blocks) -> Result<(), TableError>,
) -> Result<(), TableError> {
    (0..index.tiers().len()).try_for_each(|tier| make_tier(block_rows, index, parts, tier, division, &mut take))
}

fn make_tier(
    block_rows: &BlockRows,
    index: &Index,
    parts: &Parts,
    tier: usize,
    division: &mut dyn Division,
    take: &mut impl FnMut(Blocks) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let points = index.points();
    let [white, black] = [Side::White, Side::Black].map(|to_move| parts.tier_side(index, TierSide { tier, to_move }));
    let sides = [white?, black?];
    let count = block_rows.count(index, tier);
    let cells = |block: usize| {
        let rows = block_rows.rows(index, tier, block);
        rows.start as usize * points..rows.end as usize * points
    };
    // So many blocks that what overlaps with the blocks of parts matters little.
    let job = (JOB_CELLS / cells(0).len().max(1)).max(1);
    let make = |(reader, codec, plain): &mut (BlockReader, Codec, Vec<u8>), first: usize| {
        let blocks = first..count.min(first + job);
        let range = cells(first).start..cells(blocks.end - 1).end;
        let windows = [sides[0].window(range.clone(), reader)?, sides[1].window(range.clone(), reader)?];
        let windows = windows.each_ref().map(|codes| Window { codes, first: range.start });
        let mut made = Blocks::with_capacity(2 * blocks.len());
        for block in blocks {
            for held in HeldCodes::gather(index, block_rows, tier, block, windows) {
                made.push(held.pack(codec, plain).map_err(TableError::io(parts.folder()))?);
            }
        }
        Ok::<_, TableError>(made)
    };
    let jobs: Vec<usize> = (0..count).step_by(job).collect();
    let batch = jobs.len().div_ceil(batches(jobs.len(), BATCH, division.makers())).max(1);
    for batch in jobs.chunks(batch) {
        let made = division.batch((batch.len() * job * cells(0).len()) as u64, &mut || {
            let made: Result<Vec<Blocks>, TableError> =
                batch.par_iter().map_init(Default::default, |tools, &job| make(tools, job)).collect();
            Ok(made?.into_iter().flatten().collect())
        })?;
        made.map_or(Ok(()), &mut *take)?;
    }
    Ok(())
}

struct Writer<'a> {
    file: &'a NewFile<'a>,
    out: &'a mut dyn Write,
    seal: Seal,
    sealed: Vec<u8>,
    whole: Sha256,
    /// Of everything but the blocks.
    frame: Sha256,
    /// Offset of each block, and the end of the last one so far.
    offsets: Vec<u64>,
    end: u64,
}

impl<'a> Writer<'a> {
    fn begin(file: &'a NewFile<'a>, out: &'a mut dyn Write) -> Result<Writer<'a>, TableError> {
        let head = file::head(&file.header).map_err(TableError::io(file.output.path()))?;
        let end = head.len() as u64;
        let mut writer = Writer {
            file,
            out,
            seal: Seal::new(&head),
            sealed: Vec::new(),
            whole: Sha256::new(),
            frame: Sha256::new(),
            offsets: vec![end],
            end,
        };
        writer.put(&head, true)?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8], of_frame: bool) -> Result<(), TableError> {
        self.whole.update(bytes);
        if of_frame {
            self.frame.update(bytes);
        }
        self.bytes(bytes)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.out.write_all(bytes).map_err(TableError::io(self.file.output.path()))
    }

    fn block(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        let mut sealed = std::mem::take(&mut self.sealed);
        sealed.clear();
        sealed.extend_from_slice(bytes);
        self.seal.apply(self.offsets.len() - 1, &mut sealed);
        self.end += bytes.len() as u64;
        self.offsets.push(self.end);
        self.put(&sealed, false)?;
        self.sealed = sealed;
        Ok(())
    }

    /// Writes what stands behind the blocks.
    fn end(mut self) -> Result<(), TableError> {
        for offset in std::mem::take(&mut self.offsets) {
            self.put(&offset.to_le_bytes(), true)?;
        }
        self.put(&self.end.to_le_bytes(), true)?;
        let frame = std::mem::take(&mut self.frame).finalize();
        self.whole.update(frame);
        self.bytes(&frame)?;
        let whole = std::mem::take(&mut self.whole).finalize();
        self.bytes(&whole)
    }
}
