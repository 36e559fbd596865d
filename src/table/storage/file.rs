//! One table file: how it is laid out and opened.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `PODSTBL\n` |
//! | 4 | version of the format, little-endian like all numbers |
//! | 4 | length of the header |
//! | … | the header: JSON with the whole setup, rows of a block for each tier, wide tiers |
//! | … | the [blocks](crate::table::storage::blocks) of all tiers |
//! | 8 each | where each block begins, and where the last one ends |
//! | 8 | where that list begins |
//! | 32 | SHA-256 of everything up to the blocks and from the list up to here |
//! | 32 | SHA-256 of everything up to here |
//!
//! Opening checks the first hash, reading a block its own checksum, which is
//! [mixed](crate::table::storage::seal) with the place of the block; the last hash covers the file.
//!
//! Kept in memory are the places of the blocks, 8 bytes each, and the whole of a small file
//! ([`Table::KEPT`](crate::table::Table::KEPT)). Of other files a block is one read.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use sha2::{Digest, Sha256};

use crate::files::like;
use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::{Index, Place, TierSide};
use crate::table::storage::blocks::{Block, most_plain};
use crate::table::storage::cursor::Cursor;
use crate::table::storage::positioned_file::PositionedFile;
use crate::table::storage::seal::Seal;
use crate::table::storage::{Codes, Header, codec};

const MAGIC: &[u8; 8] = b"PODSTBL\n";

/// The version of the format that this program writes and reads. Up to version 4, which release
/// 0.3.0 reads, a table had two files: who wins, and the distances. No release reads version 5.
pub(crate) const VERSION: u32 = 6;

/// The endings of the files of those versions.
pub(in crate::table) const OLD_ENDINGS: [&str; 2] = ["pods-plies", "pods-outcomes"];

const TRAILER: u64 = 8 + 32 + 32;

/// The most bytes of a header: one of 65,536 tiers, as many as an index has, takes a tenth of it.
const MAX_HEADER: u64 = 16 << 20;

/// Bytes that are read at a time where a file is hashed.
const HASHED: usize = 1 << 20;

/// Checks that a file that begins so is a table.
pub(in crate::table) fn like_table(head: &[u8]) -> Result<(), String> {
    like(head, MAGIC, "a table of PODS")
}

/// Makes the head of a file, which stands before its blocks.
pub(super) fn head(header: &Header) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(header)?;
    let mut head = Vec::from(MAGIC);
    head.extend(VERSION.to_le_bytes());
    head.extend((text.len() as u32).to_le_bytes());
    head.extend(&text);
    Ok(head)
}

/// Returns the header of a file, of which nothing else is read or checked.
///
/// # Errors
///
/// If there is none that this program reads.
pub(in crate::table) fn peek(path: &Path) -> Result<Header, TableError> {
    regular(path)?;
    let file = PositionedFile::new(fs::File::open(path).map_err(TableError::io(path))?);
    let length = header_length(&file, path)?;
    let not_a_table = |cause: String| TableError::NotATable(path.to_owned(), cause);
    let mut text = vec![0; length as usize];
    read(&file, path, &mut text, 16)?;
    serde_json::from_slice(&text).map_err(|error| not_a_table(error.to_string()))
}

/// Returns the metadata of a regular file; to open a FIFO would wait for a writer.
fn regular(path: &Path) -> Result<fs::Metadata, TableError> {
    let there = fs::metadata(path).map_err(TableError::io(path))?;
    let not_a_table = || TableError::NotATable(path.to_owned(), "it is no regular file".to_owned());
    if there.is_file() { Ok(there) } else { Err(not_a_table()) }
}

fn header_length(file: &PositionedFile, path: &Path) -> Result<u64, TableError> {
    let not_a_table = |cause: &str| TableError::NotATable(path.to_owned(), cause.to_owned());
    let mut start = [0; 16];
    read(file, path, &mut start, 0)?;
    if &start[..8] != MAGIC {
        return Err(not_a_table("it does not begin as one"));
    }
    let found = u32::from_le_bytes(array(&start, 8));
    if found != VERSION {
        return Err(TableError::Version { path: path.to_owned(), found, wanted: VERSION });
    }
    let length = u64::from(u32::from_le_bytes(array(&start, 12)));
    // A file says how long its header is, and may be sparse: no more is taken for it than a table
    // can need.
    if length > MAX_HEADER { Err(not_a_table("its header is too long")) } else { Ok(length) }
}

/// An opened table file.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: PositionedFile,
    /// Bytes of the file when it was opened.
    len: u64,
    header: Header,
    seal: Seal,
    first_block: Vec<usize>,
    /// Offset of each block, and the end of the last one.
    starts: Vec<u64>,
    /// The bytes of the file up to the end of the last block, if it is small: with the checksums of
    /// blocks as they are.
    kept: Option<Vec<u8>>,
}

impl TableFile {
    /// Opens a file and checks all but its blocks. The index must be that of the setup that
    /// `index_of` is asked for. A file of at most `most_kept` bytes is kept in memory.
    pub(in crate::table) fn open<T>(
        path: &Path,
        most_kept: u64,
        index_of: impl FnOnce(&Header) -> Result<(Index, T), TableError>,
    ) -> Result<(TableFile, Index, T), TableError> {
        let not_a_table = |cause: &str| TableError::NotATable(path.to_owned(), cause.to_owned());
        let len = regular(path)?.len();
        if len < 16 + TRAILER {
            return Err(not_a_table("it is too short"));
        }
        let file = PositionedFile::new(fs::File::open(path).map_err(TableError::io(path))?);
        let header_end = 16 + header_length(&file, path)?;
        let damaged = |place: &str| TableError::damaged(path, place);
        let mut end = [0; TRAILER as usize];
        let trailer = len - TRAILER;
        read(&file, path, &mut end, trailer)?;
        let offsets = u64::from_le_bytes(array(&end, 0));
        if header_end > offsets || offsets > trailer || !(trailer - offsets).is_multiple_of(8) {
            return Err(damaged("the frame"));
        }
        let mut frame = Sha256::new();
        hash(&file, path, &mut frame, 0..header_end)?;
        hash(&file, path, &mut frame, offsets..trailer)?;
        frame.update(&end[..8]);
        if frame.finalize()[..] != end[8..40] {
            return Err(damaged("the frame"));
        }
        let mut head = vec![0; header_end as usize];
        read(&file, path, &mut head, 0)?;
        let seal = Seal::new(&head);
        let header: Header = serde_json::from_slice(&head[16..]).map_err(|e| not_a_table(&e.to_string()))?;
        let (index, more) = index_of(&header)?;
        if !header.block_rows.fits(&index) {
            return Err(not_a_table("its blocks are not those of its setup"));
        }
        let mut first_block = vec![0];
        for tier in 0..index.tiers().len() {
            first_block.push(first_block[tier] + 2 * header.block_rows.count(&index, tier));
        }
        if (trailer - offsets) / 8 != first_block[first_block.len() - 1] as u64 + 1 {
            return Err(not_a_table("the number of its blocks is not that of its setup"));
        }
        let mut list = vec![0; (trailer - offsets) as usize];
        read(&file, path, &mut list, offsets)?;
        let starts: Vec<u64> = list.as_chunks().0.iter().map(|&start| u64::from_le_bytes(start)).collect();
        drop(list);
        if !starts.is_sorted() || starts[starts.len() - 1] > offsets {
            return Err(damaged("the list of blocks"));
        }
        let mut kept = None;
        // What a machine has no addresses for is read block by block.
        if len <= most_kept
            && let Ok(length) = usize::try_from(starts[starts.len() - 1])
        {
            let mut bytes = vec![0; length];
            read(&file, path, &mut bytes, 0)?;
            for (number, block) in starts.windows(2).enumerate() {
                let block = &mut bytes[block[0] as usize..block[1] as usize];
                seal.apply(number, block);
            }
            kept = Some(bytes);
        }
        Ok((TableFile { path: path.to_owned(), file, len, header, seal, first_block, starts, kept }, index, more))
    }

    #[must_use]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the bytes on disk when it was opened.
    #[must_use]
    pub(crate) fn bytes(&self) -> u64 {
        self.len
    }

    /// Returns the SHA-256 of the file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn sha256(&self) -> Result<[u8; 32], TableError> {
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

    pub(in crate::table) fn code(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        place: Place,
        to_move: Side,
    ) -> Result<u16, TableError> {
        let mut found = None;
        self.codes_at(index, cursor, [place].into_iter(), to_move, |code| found = code)?;
        let tier_side = TierSide { tier: place.tier, to_move };
        found.ok_or_else(|| self.damaged(tier_side, self.header.block_rows.block_of(place.tier, place.row)))
    }

    /// Calls `visit` with the code of each of some places of one block, and with `None` for a place
    /// that is not held. Places come in rising order.
    pub(in crate::table) fn codes_at(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        places: impl Iterator<Item = Place> + Clone,
        to_move: Side,
        mut visit: impl FnMut(Option<u16>),
    ) -> Result<(), TableError> {
        let Some(first) = places.clone().next() else { return Ok(()) };
        let (rows, tier_side) = (&self.header.block_rows, TierSide { tier: first.tier, to_move });
        let number = rows.block_of(first.tier, first.row);
        let block = self.block(index, cursor, tier_side, number)?;
        let mut is_whole = true;
        block.for_each_number(index, rows, places, |number| {
            let code = number.map(|number| block.code(number));
            is_whole &= code != Some(None);
            visit(code.flatten());
        });
        if is_whole { Ok(()) } else { Err(self.damaged(tier_side, number)) }
    }

    /// Returns the codes of the positions of a block, of which there must be `held`, by row and
    /// cell.
    pub(in crate::table) fn codes(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        tier_side: TierSide,
        number: usize,
        held: usize,
    ) -> Result<Codes, TableError> {
        let block = self.block(index, cursor, tier_side, number)?;
        if block.positions() == held { Ok(block.codes()) } else { Err(self.damaged(tier_side, number)) }
    }

    /// Returns the number of a block of a tier among all of the file.
    fn number(&self, TierSide { tier, to_move }: TierSide, block: usize) -> usize {
        self.first_block[tier] + 2 * block + to_move.index()
    }

    fn damaged(&self, tier_side: TierSide, block: usize) -> TableError {
        TableError::damaged(&self.path, format!("block {}", self.number(tier_side, block)))
    }

    /// Returns a block, unpacked unless the cursor has it.
    fn block<'a>(
        &self,
        index: &Index,
        cursor: &'a mut Cursor,
        tier_side: TierSide,
        block: usize,
    ) -> Result<Block<'a>, TableError> {
        let number = self.number(tier_side, block);
        let wide = self.header.wide_tiers.binary_search(&tier_side.tier).is_ok();
        let most = most_plain(index, &self.header.block_rows, tier_side.tier, wide);
        let fetch = |packed: &mut Vec<u8>| {
            let (from, to) = (self.starts[number], self.starts[number + 1]);
            if to - from > codec::packed_at_most(most) {
                return Err(self.damaged(tier_side, block));
            }
            if let Some(kept) = &self.kept {
                return Ok(Some(&kept[from as usize..to as usize]));
            }
            packed.resize((to - from) as usize, 0);
            read(&self.file, &self.path, packed, from)?;
            self.seal.apply(number, packed);
            Ok(None)
        };
        let plain = cursor.read(number, most, fetch, TableError::io(&self.path))?;
        plain.and_then(|plain| Block::new(wide, plain)).ok_or_else(|| self.damaged(tier_side, block))
    }
}

fn read(file: &PositionedFile, path: &Path, bytes: &mut [u8], at: u64) -> Result<(), TableError> {
    file.read(bytes, at).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => TableError::Shorter(path.to_owned()),
        _ => TableError::io(path)(error),
    })
}

fn hash(file: &PositionedFile, path: &Path, sum: &mut Sha256, bytes: Range<u64>) -> Result<(), TableError> {
    let mut buffer = vec![0; (bytes.end - bytes.start).min(HASHED as u64) as usize];
    let mut at = bytes.start;
    while at < bytes.end {
        let part = (bytes.end - at).min(buffer.len() as u64) as usize;
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
