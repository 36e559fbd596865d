//! One table file: how it is laid out, written and opened.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `PODSTBL\n` |
//! | 4 | version of the format, little-endian like all numbers |
//! | 4 | length of the header |
//! | … | the header: JSON with the content, the whole setup, cells in a block, wide tiers |
//! | … | the blocks of all tiers, see the module on blocks |
//! | 8 each | where each block begins, and where the last one ends |
//! | 8 | where that list begins |
//! | 32 | SHA-256 of everything up to the blocks and from the list up to here |
//! | 32 | SHA-256 of everything up to here |
//!
//! Opening checks the first hash, reading a block its own checksum; the last hash covers the file.
//!
//! What is asked for again and again is kept in memory: where each block begins, 8 bytes a block, and all of a file that
//! is small ([`Table::KEPT`](crate::table::Table::KEPT)). Of other files a block is one read.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::files::{Output, like};
use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::{Index, Place, TierSide};
use crate::table::storage::codec::BLOCK_CELLS;
use crate::table::storage::cursor::Cursor;
use crate::table::storage::groups;
use crate::table::storage::parts::{BlocksError, Parts};
use crate::table::storage::positioned_file::PositionedFile;
use crate::table::storage::{Codes, Content, Header, codec};

const MAGIC: &[u8; 8] = b"PODSTBL\n";

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 2;

const TRAILER: u64 = 8 + 32 + 32;

/// Bytes that are read at a time where a file is hashed.
const HASHED: usize = 1 << 20;

/// Says whether a file that begins so is a table.
pub(in crate::table) fn like_table(head: &[u8]) -> Result<(), String> {
    like(head, MAGIC, "a table of PODS")
}

/// What stands before the blocks of a file.
fn head(header: &Header) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(header)?;
    let mut head = Vec::from(MAGIC);
    head.extend(VERSION.to_le_bytes());
    head.extend((text.len() as u32).to_le_bytes());
    head.extend(&text);
    Ok(head)
}

/// Bytes of a file without its blocks, and without the place where each of them begins.
pub(in crate::table) fn frame_bytes(header: &Header) -> u64 {
    head(header).map_or(0, |head| head.len() as u64) + 8 + TRAILER
}

/// Writes a table file from the blocks of all tiers; until it is complete, it is a temporary one beside its parts.
pub(in crate::table) fn write(
    output: &Output<'_>,
    header: &Header,
    index: &Index,
    parts: &Parts,
) -> Result<(), TableError> {
    let path = output.path();
    let head = head(header).map_err(TableError::io(path))?;
    output.write(|out| {
        let (mut whole, mut frame) = (Sha256::new(), Sha256::new());
        let mut put = |bytes: &[u8], of_frame: bool| -> io::Result<()> {
            whole.update(bytes);
            if of_frame {
                frame.update(bytes);
            }
            out.write_all(bytes)
        };
        put(&head, true).map_err(TableError::io(path))?;
        let mut end = head.len() as u64;
        let mut offsets = vec![end];
        let blocks = parts.each_block(index, header.content, &mut |lengths, bytes| {
            for &length in lengths {
                end += u64::from(length);
                offsets.push(end);
            }
            put(bytes, false)
        });
        blocks.map_err(|error| match error {
            BlocksError::Read(error) => error,
            BlocksError::Take(error) => TableError::io(path)(error),
        })?;
        let mut finish = || -> io::Result<()> {
            for offset in &offsets {
                put(&offset.to_le_bytes(), true)?;
            }
            put(&end.to_le_bytes(), true)
        };
        finish().map_err(TableError::io(path))?;
        let frame = frame.finalize();
        whole.update(frame);
        out.write_all(&frame).and_then(|()| out.write_all(&whole.finalize())).map_err(TableError::io(path))
    })
}

/// An opened table file.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: PositionedFile,
    /// Bytes of the file when it was opened.
    len: u64,
    header: Header,
    /// The number of the first block of each tier, and of all blocks.
    first_block: Vec<usize>,
    /// Where each block begins, and where the last one ends.
    starts: Vec<u64>,
    /// The bytes of the file up to the end of the last block, if it is small.
    kept: Option<Vec<u8>>,
}

impl TableFile {
    /// Opens a file and checks all but its blocks. The index must be that of the setup that `index_of` is asked for. A
    /// file of at most `most_kept` bytes is kept in memory.
    pub(in crate::table) fn open<T>(
        path: &Path,
        most_kept: u64,
        index_of: impl FnOnce(&Header) -> Result<(Index, T), TableError>,
    ) -> Result<(TableFile, Index, T), TableError> {
        let not_a_table = |cause: &str| TableError::NotATable { path: path.to_owned(), cause: cause.to_owned() };
        let metadata = fs::metadata(path).map_err(TableError::io(path))?;
        if !metadata.is_file() {
            return Err(not_a_table("it is no regular file"));
        }
        let len = metadata.len();
        if len < 16 + TRAILER {
            return Err(not_a_table("it is too short"));
        }
        let file = PositionedFile::new(fs::File::open(path).map_err(TableError::io(path))?);
        let mut start = [0; 16];
        read(&file, path, &mut start, 0)?;
        if &start[..8] != MAGIC {
            return Err(not_a_table("it does not begin as one"));
        }
        let found = u32::from_le_bytes(array(&start, 8));
        if found != VERSION {
            return Err(TableError::Version { path: path.to_owned(), found, wanted: VERSION });
        }
        let damaged = |place: &str| TableError::damaged(path, place);
        let mut end = [0; TRAILER as usize];
        let trailer = len - TRAILER;
        read(&file, path, &mut end, trailer)?;
        let header_end = 16 + u64::from(u32::from_le_bytes(array(&start, 12)));
        let offsets = u64::from_le_bytes(array(&end, 0));
        if header_end > offsets || offsets > trailer || !(trailer - offsets).is_multiple_of(8) {
            return Err(damaged("the frame"));
        }
        let mut frame = Sha256::new();
        hash(&file, path, &mut frame, 0..header_end)?;
        let mut list = vec![0; (trailer - offsets) as usize];
        read(&file, path, &mut list, offsets)?;
        frame.update(&list);
        frame.update(&end[..8]);
        if frame.finalize()[..] != end[8..40] {
            return Err(damaged("the frame"));
        }
        let mut header = vec![0; header_end as usize - 16];
        read(&file, path, &mut header, 16)?;
        let header: Header = serde_json::from_slice(&header).map_err(|e| not_a_table(&e.to_string()))?;
        if header.block_cells != BLOCK_CELLS {
            return Err(not_a_table("its blocks have another size"));
        }
        let (index, more) = index_of(&header)?;
        let mut first_block = vec![0];
        for tier in index.tiers() {
            first_block.push(first_block[first_block.len() - 1] + codec::count(&index, tier));
        }
        let starts: Vec<u64> = list.as_chunks().0.iter().map(|&start| u64::from_le_bytes(start)).collect();
        if starts.len() != first_block[first_block.len() - 1] + 1 {
            return Err(not_a_table("the number of its blocks is not that of its setup"));
        }
        if !starts.is_sorted() || starts[starts.len() - 1] > offsets {
            return Err(damaged("the list of blocks"));
        }
        let mut kept = None;
        if len <= most_kept {
            let mut bytes = vec![0; starts[starts.len() - 1] as usize];
            read(&file, path, &mut bytes, 0)?;
            kept = Some(bytes);
        }
        Ok((TableFile { path: path.to_owned(), file, len, header, first_block, starts, kept }, index, more))
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The header of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What the file holds.
    #[must_use]
    pub fn content(&self) -> Content {
        self.header.content
    }

    /// Bytes on disk when it was opened.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.len
    }

    /// The SHA-256 of the file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn sha256(&self) -> Result<[u8; 32], TableError> {
        let mut sum = Sha256::new();
        hash(&self.file, &self.path, &mut sum, 0..self.len)?;
        Ok(sum.finalize().into())
    }

    /// Reads the whole file and compares it with its hash.
    ///
    /// # Errors
    ///
    /// If a byte is not what was written.
    pub fn check_bytes(&self) -> Result<(), TableError> {
        let (mut sum, mut wanted, body) = (Sha256::new(), [0; 32], self.len - 32);
        hash(&self.file, &self.path, &mut sum, 0..body)?;
        read(&self.file, &self.path, &mut wanted, body)?;
        if sum.finalize()[..] == wanted { Ok(()) } else { Err(TableError::damaged(&self.path, "the file")) }
    }

    /// The code of a place, as [`codec::code_in`] gives it.
    pub(in crate::table) fn code(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        place: Place,
        to_move: Side,
    ) -> Result<u16, TableError> {
        let cells = index.tiers()[place.tier].rows() as usize * index.points();
        let cell = index.cell(place);
        let in_tier = to_move.index() * cells.div_ceil(BLOCK_CELLS) + cell / BLOCK_CELLS;
        let len = BLOCK_CELLS.min(cells - cell / BLOCK_CELLS * BLOCK_CELLS);
        let wide = self.header.wide_tiers.binary_search(&place.tier).is_ok();
        let plain = self.block(cursor, self.first_block[place.tier] + in_tier, wide, len)?;
        Ok(codec::code_in(self.content(), wide, plain, cell % BLOCK_CELLS))
    }

    /// The codes of a [group](groups) of rows of a tier, with one side to move.
    pub(in crate::table) fn group(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        TierSide { tier, to_move }: TierSide,
        group: u64,
    ) -> Result<Codes, TableError> {
        let of = &index.tiers()[tier];
        let cells = groups::cells(of.rows(), index.points(), group);
        let wide = self.header.wide_tiers.binary_search(&tier).is_ok();
        let (mut low, mut high) = (Vec::with_capacity(cells.len()), Vec::new());
        let first = self.first_block[tier] + to_move.index() * codec::count_of_side(index, of);
        for begin in cells.clone().step_by(BLOCK_CELLS) {
            let len = BLOCK_CELLS.min(cells.end - begin);
            let plain = self.block(cursor, first + begin / BLOCK_CELLS, wide, len)?;
            low.extend_from_slice(&plain[..len]);
            high.extend_from_slice(&plain[len..]);
        }
        Ok(Codes::from_bytes(low, high))
    }

    /// A cell of some blocks of a tier for which this file of outcomes and a file of plies differ, and the side to move.
    pub(in crate::table) fn difference(
        &self,
        plies: &TableFile,
        index: &Index,
        tier: usize,
        blocks: Range<usize>,
    ) -> Result<Option<(usize, Side)>, TableError> {
        let cells = index.tiers()[tier].rows() as usize * index.points();
        let per_side = cells.div_ceil(BLOCK_CELLS);
        let wide = plies.header.wide_tiers.binary_search(&tier).is_ok();
        let found = blocks.into_par_iter().map_init(
            || Cursor::new(1),
            |cursor, block| {
                let first = block % per_side * BLOCK_CELLS;
                let len = BLOCK_CELLS.min(cells - first);
                let number = self.first_block[tier] + block;
                let outcomes = self.block(cursor, number, wide, len)?.to_vec();
                let plies = plies.block(cursor, number, wide, len)?;
                let outcome = |cell: usize| match codec::code_in(Content::Plies, wide, plies, cell) {
                    0 => 0,
                    code => 2 - code % 2,
                };
                let differs =
                    |cell: &usize| codec::code_in(Content::Outcomes, wide, &outcomes, *cell) != outcome(*cell);
                Ok((0..len).find(differs).map(|cell| (first + cell, Side::BOTH[block / per_side])))
            },
        );
        let found: Result<Vec<_>, TableError> = found.filter(|found| !matches!(found, Ok(None))).collect();
        Ok(found?.into_iter().flatten().next())
    }

    /// A block, unpacked unless the cursor has it.
    fn block<'a>(
        &self,
        cursor: &'a mut Cursor,
        number: usize,
        wide: bool,
        cells: usize,
    ) -> Result<&'a [u8], TableError> {
        let damaged = || TableError::damaged(&self.path, format!("block {number}"));
        let len = codec::plain_len(self.content(), wide, cells);
        let fetch = |packed: &mut Vec<u8>| {
            let (from, to) = (self.starts[number], self.starts[number + 1]);
            if to - from > codec::packed_at_most(len) {
                return Err(damaged());
            }
            if let Some(kept) = &self.kept {
                return Ok(Some(&kept[from as usize..to as usize]));
            }
            packed.resize((to - from) as usize, 0);
            read(&self.file, &self.path, packed, from)?;
            Ok(None)
        };
        cursor.read(self.content(), number, len, fetch, TableError::io(&self.path))?.ok_or_else(damaged)
    }
}

/// Fills `bytes` with those of a file from `at` on.
fn read(file: &PositionedFile, path: &Path, bytes: &mut [u8], at: u64) -> Result<(), TableError> {
    file.read(bytes, at).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => TableError::Shorter { path: path.to_owned() },
        _ => TableError::io(path)(error),
    })
}

/// Adds some bytes of a file to a hash.
fn hash(file: &PositionedFile, path: &Path, sum: &mut Sha256, bytes: Range<u64>) -> Result<(), TableError> {
    let mut buffer = vec![0; HASHED.min((bytes.end - bytes.start) as usize)];
    let mut at = bytes.start;
    while at < bytes.end {
        let part = buffer.len().min((bytes.end - at) as usize);
        read(file, path, &mut buffer[..part], at)?;
        sum.update(&buffer[..part]);
        at += part as u64;
    }
    Ok(())
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}
