//! Parts: finished tiers on disk while a build goes on, so that it can be taken up again after it was stopped.
//!
//! A part is `PODSPART`, the hash of the setup, the first tier, how many tiers; for each tier and each content the
//! blocks; and the SHA-256 of all that. Parts appear complete or not at all; one that is damaged or of another setup is
//! no part.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zstd::bulk::Decompressor;

use super::blocks::{self, BLOCK_CELLS, Blocks};
use super::codes::Codes;
use super::error::TableError;
use super::file::{TEMPORARY, write_atomically};
use super::header::{Content, SetupText};
use super::index::Index;

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

    /// The codes of a tier back from its blocks; `None` if they are damaged.
    pub(super) fn codes(&self, index: &Index, tier: usize) -> Option<[Codes; 2]> {
        let cells = index.tiers()[tier].rows() as usize * index.points();
        let mut decompressor = Decompressor::new().ok()?;
        let mut plain = Vec::new();
        let (mut bytes, mut lengths) = (&self.plies.bytes[..], self.plies.lengths.iter());
        let mut side = || {
            let (mut low, mut high) = (Vec::with_capacity(cells), Vec::new());
            while low.len() < cells {
                let count = BLOCK_CELLS.min(cells - low.len());
                let (block, rest) = bytes.split_at_checked(*lengths.next()? as usize)?;
                bytes = rest;
                let len = blocks::plain_len(Content::Plies, self.wide, count);
                blocks::unpack(&mut decompressor, block, &mut plain, len)?;
                low.extend_from_slice(&plain[..count]);
                high.extend_from_slice(&plain[count..]);
            }
            Some(Codes::from_bytes(low, high))
        };
        Some([side()?, side()?])
    }
}

/// The folder of parts of a table that is being built.
pub(super) struct Parts {
    folder: PathBuf,
    setup: [u8; 32],
    /// The files, with their first tiers and how many they have.
    files: Vec<(PathBuf, usize, usize)>,
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

    /// The next part that was finished before: the tiers from `first` on; `None` if there is none that can be used.
    pub(super) fn next(&mut self, first: usize) -> Option<Vec<TierBlocks>> {
        let path = self.path(first);
        let tiers = self.read(&path, first)?;
        self.files.push((path, first, tiers.len()));
        Some(tiers)
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
        self.files.push((path, first, tiers.len()));
        Ok(())
    }

    fn read(&self, path: &Path, first: usize) -> Option<Vec<TierBlocks>> {
        let bytes = fs::read(path).ok()?;
        let (body, hash) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        if Sha256::digest(body)[..] != *hash {
            return None;
        }
        let mut rest = body.strip_prefix(MAGIC)?.strip_prefix(&self.setup)?;
        if number(&mut rest)? != first {
            return None;
        }
        let mut tiers = Vec::new();
        for _ in 0..number(&mut rest)? {
            let wide = take(&mut rest, 1)?[0] == 1;
            let mut blocks = || {
                let count = number(&mut rest)?;
                let lengths = take(&mut rest, count.checked_mul(4)?)?.chunks(4);
                let lengths = lengths.map(|l| u32::from_le_bytes([l[0], l[1], l[2], l[3]])).collect();
                let len = number(&mut rest)?;
                Some(Blocks { lengths, bytes: take(&mut rest, len)?.to_vec() })
            };
            tiers.push(TierBlocks { wide, outcomes: blocks()?, plies: blocks()? });
        }
        Some(tiers)
    }

    /// All tiers in order, read again from disk.
    pub(super) fn tiers(&self) -> impl Iterator<Item = Result<TierBlocks, TableError>> + '_ {
        self.files.iter().flat_map(|(path, first, _)| match self.read(path, *first) {
            Some(tiers) => tiers.into_iter().map(Ok).collect::<Vec<_>>(),
            None => vec![Err(TableError::damaged(path, "the part"))],
        })
    }

    /// Removes the folder with all parts.
    pub(super) fn remove(self) -> Result<(), TableError> {
        fs::remove_dir_all(&self.folder).map_err(TableError::io(&self.folder))
    }
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
