//! Parts: finished tiers on disk while a build goes on, so that it can be taken up again after it was stopped.
//!
//! A part is `PODSPART`, the hash of the setup, the first tier, how many tiers; for each tier and each content the
//! blocks; and the SHA-256 of all that. Parts appear complete or not at all; one that is damaged or of another setup is
//! no part.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zstd::bulk::Decompressor;

use super::blocks::{self, BLOCK_CELLS, Blocks};
use super::codes::Codes;
use super::earlier::Half;
use super::error::TableError;
use super::file::{TEMPORARY, write_atomically};
use super::header::{Content, SetupText};
use super::index::Index;
use crate::material::Side;

const MAGIC: &[u8; 8] = b"PODSPART";

/// The blocks of a tier in both contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TierBlocks {
    pub(super) wide: bool,
    pub(super) outcomes: Blocks,
    pub(super) plies: Blocks,
}

impl TierBlocks {
    pub(super) fn new(index: &Index, tier: usize, codes: &[Codes; 2]) -> io::Result<TierBlocks> {
        let tier = &index.tiers()[tier];
        let encode = |content| blocks::encode(content, index, tier, codes);
        let wide = !codes[0].high().is_empty();
        Ok(TierBlocks { wide, outcomes: encode(Content::Outcomes)?, plies: encode(Content::Plies)? })
    }

    /// Bytes on disk.
    pub(super) fn len(&self) -> usize {
        self.outcomes.bytes.len() + self.plies.bytes.len()
    }
}

/// Where a tier lies in a part.
#[derive(Clone, Copy, Debug)]
struct TierPlace {
    wide: bool,
    outcomes: BlocksPlace,
    plies: BlocksPlace,
}

/// Where blocks lie in a part.
#[derive(Clone, Copy, Debug)]
struct BlocksPlace {
    /// Where the list of their lengths begins, and how many there are.
    lengths: usize,
    count: usize,
    /// Where they begin, and their bytes.
    first: usize,
    len: usize,
}

impl BlocksPlace {
    /// The blocks, from the bytes of the part.
    fn read(self, part: &[u8]) -> Blocks {
        let lengths = lengths(&part[self.lengths..self.lengths + 4 * self.count]);
        Blocks { lengths, bytes: part[self.first..self.first + self.len].to_vec() }
    }
}

fn lengths(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|l| u32::from_le_bytes([l[0], l[1], l[2], l[3]])).collect()
}

/// A file of finished tiers.
struct Part {
    path: PathBuf,
    first: usize,
    tiers: Vec<TierPlace>,
}

/// The folder of parts of a table that is being built.
pub(super) struct Parts {
    folder: PathBuf,
    setup: [u8; 32],
    /// The files, in order.
    files: Vec<Part>,
}

impl Parts {
    /// Opens the folder, or makes it. What a build was writing when it was killed is removed.
    pub(super) fn open(folder: PathBuf, setup: &SetupText) -> Result<Parts, TableError> {
        fs::create_dir_all(&folder).map_err(TableError::io(&folder))?;
        for entry in fs::read_dir(&folder).map_err(TableError::io(&folder))? {
            let path = entry.map_err(TableError::io(&folder))?.path();
            if path.extension().is_some_and(|ending| ending == TEMPORARY) {
                fs::remove_file(&path).map_err(TableError::io(&path))?;
            }
        }
        let text = serde_json::to_vec(setup).map_err(|e| TableError::io(&folder)(e.into()))?;
        Ok(Parts { folder, setup: Sha256::digest(text).into(), files: Vec::new() })
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, first: usize) -> PathBuf {
        self.folder.join(format!("tiers-from-{first:05}.part"))
    }

    /// Goes on to the next part that was finished before, the one with the tiers from `first` on: tells of each of them
    /// whether it is wide. `None` if there is none that can be used.
    pub(super) fn next(&mut self, first: usize) -> Option<Vec<bool>> {
        let path = self.path(first);
        let (_, tiers) = self.read(&path, first)?;
        let wide = tiers.iter().map(|tier| tier.wide).collect();
        self.files.push(Part { path, first, tiers });
        Some(wide)
    }

    /// Writes a part.
    pub(super) fn add(&mut self, first: usize, tiers: &[TierBlocks]) -> Result<(), TableError> {
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(self.setup);
        bytes.extend((first as u64).to_le_bytes());
        bytes.extend((tiers.len() as u64).to_le_bytes());
        for tier in tiers {
            bytes.push(u8::from(tier.wide));
            for blocks in [&tier.outcomes, &tier.plies] {
                bytes.extend((blocks.lengths.len() as u64).to_le_bytes());
                bytes.extend(blocks.lengths.iter().flat_map(|l| l.to_le_bytes()));
                bytes.extend((blocks.bytes.len() as u64).to_le_bytes());
                bytes.extend(&blocks.bytes);
            }
        }
        let hash = Sha256::digest(&bytes);
        bytes.extend(hash);
        let path = self.path(first);
        write_atomically(&path, &self.folder, |out| out.write_all(&bytes))?;
        let Some(tiers) = self.places(&bytes[..bytes.len() - 32], first) else { unreachable!("this is a part") };
        self.files.push(Part { path, first, tiers });
        Ok(())
    }

    /// The bytes of a part, and where its tiers lie in them; `None` if it is no part.
    fn read(&self, path: &Path, first: usize) -> Option<(Vec<u8>, Vec<TierPlace>)> {
        let bytes = fs::read(path).ok()?;
        let (body, hash) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        let tiers = (Sha256::digest(body)[..] == *hash).then(|| self.places(body, first))??;
        Some((bytes, tiers))
    }

    /// Where the tiers lie in the bytes of a part without its hash.
    fn places(&self, body: &[u8], first: usize) -> Option<Vec<TierPlace>> {
        let mut rest = body.strip_prefix(MAGIC)?.strip_prefix(&self.setup)?;
        if number(&mut rest)? != first {
            return None;
        }
        let mut tiers = Vec::new();
        for _ in 0..number(&mut rest)? {
            let wide = take(&mut rest, 1)?[0] == 1;
            let mut blocks = || {
                let count = number(&mut rest)?;
                let lengths = body.len() - rest.len();
                take(&mut rest, count.checked_mul(4)?)?;
                let len = number(&mut rest)?;
                let first = body.len() - rest.len();
                take(&mut rest, len)?;
                Some(BlocksPlace { lengths, count, first, len })
            };
            tiers.push(TierPlace { wide, outcomes: blocks()?, plies: blocks()? });
        }
        Some(tiers)
    }

    /// The blocks of all tiers in order, read again from disk.
    pub(super) fn tiers(&self, content: Content) -> impl Iterator<Item = Result<Blocks, TableError>> + '_ {
        let of = move |tier: &TierPlace| if content == Content::Outcomes { tier.outcomes } else { tier.plies };
        self.files.iter().flat_map(move |part| match self.read(&part.path, part.first) {
            Some((bytes, tiers)) => tiers.iter().map(|tier| Ok(of(tier).read(&bytes))).collect::<Vec<_>>(),
            None => vec![Err(TableError::damaged(&part.path, "the part"))],
        })
    }

    /// The codes of half a tier, read again from disk.
    pub(super) fn codes(&self, index: &Index, half: Half) -> Result<Codes, TableError> {
        let number = self.files.partition_point(|part| part.first <= half.tier);
        let part = &self.files[number - 1];
        let tier = part.tiers[half.tier - part.first];
        let read = || -> io::Result<Option<Codes>> {
            let mut file = File::open(&part.path)?;
            let mut get = |at: usize, len: usize| -> io::Result<Vec<u8>> {
                let mut bytes = vec![0; len];
                file.seek(SeekFrom::Start(at as u64))?;
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            };
            // A half has half of the blocks; those with White to move come first.
            let lengths = lengths(&get(tier.plies.lengths, 4 * tier.plies.count)?);
            let (white, black) = lengths.split_at(lengths.len() / 2);
            let sum = |lengths: &[u32]| lengths.iter().map(|&l| l as usize).sum::<usize>();
            let (skipped, these) = if half.to_move == Side::White { (0, white) } else { (sum(white), black) };
            if skipped + sum(these) > tier.plies.len {
                return Ok(None);
            }
            let bytes = get(tier.plies.first + skipped, sum(these))?;
            Ok(unpacked(these, &bytes, tier.wide, half.bytes(index) as usize))
        };
        match read() {
            Ok(Some(codes)) => Ok(codes),
            Ok(None) => Err(TableError::damaged(&part.path, "the part")),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(TableError::damaged(&part.path, "the part"))
            }
            Err(error) => Err(TableError::io(&part.path)(error)),
        }
    }

    /// Removes the folder with all parts.
    pub(super) fn remove(self) -> Result<(), TableError> {
        fs::remove_dir_all(&self.folder).map_err(TableError::io(&self.folder))
    }
}

/// The codes of so many cells from their blocks; `None` if these are damaged.
fn unpacked(lengths: &[u32], mut bytes: &[u8], wide: bool, cells: usize) -> Option<Codes> {
    let mut decompressor = Decompressor::new().ok()?;
    let mut plain = Vec::new();
    let (mut low, mut high) = (Vec::with_capacity(cells), Vec::with_capacity(if wide { cells } else { 0 }));
    for &length in lengths {
        let count = BLOCK_CELLS.min(cells - low.len());
        let (block, rest) = bytes.split_at_checked(length as usize)?;
        bytes = rest;
        blocks::unpack(&mut decompressor, block, &mut plain, blocks::plain_len(Content::Plies, wide, count))?;
        low.extend_from_slice(&plain[..count]);
        high.extend_from_slice(&plain[count..]);
    }
    (low.len() == cells).then(|| Codes::from_bytes(low, high))
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (these, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(these)
}

fn number(bytes: &mut &[u8]) -> Option<usize> {
    let these = take(bytes, 8)?;
    let mut array = [0; 8];
    array.copy_from_slice(these);
    usize::try_from(u64::from_le_bytes(array)).ok()
}
