//! Parts: finished tiers on disk, from which a build that was stopped resumes.
//!
//! A part is `PODSPAR3`, the hash of the setup's content, the first tier, how many tiers; for each
//! tier whether it is wide, how many blocks it has, its blocks one after the other, and then their
//! lengths; for each tier where these begin; and the SHA-256 of all that. Parts appear complete or
//! not at all; one that is damaged or of another setup is no part. They are written and read a
//! piece at a time, since a tier may be larger than memory.
//!
//! A part is not a table file without an end. It has all cells, held or not: the build reads them
//! for the tiers to come, again and again, and must find them without a search. The blocks of a
//! table file have the held positions alone, and are made from the parts when all tiers are solved.

mod read;
mod write;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::table::error::TableError;
use crate::table::index::{Index, TierSide};
use crate::table::storage::build_folder::{BuildFolder, is_temporary, write_whole};
use crate::table::storage::positioned_file::PositionedFile;
use crate::table::storage::{Codes, SetupText, codec};
use read::places;
pub(in crate::table) use read::{BlockReader, TierSideFile};
pub(in crate::table) use write::{Encode, PartWriter, TierBlocks, make_tier, write_codes, write_tier};

const MAGIC: &[u8; 8] = b"PODSPAR3";

/// Bytes of what stands before the first tier.
const HEAD: usize = 8 + 32 + 8 + 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TierPlace {
    wide: bool,
    /// Number of blocks that it has.
    count: usize,
    first: u64,
    lengths: u64,
}

struct PartFile {
    path: PathBuf,
    first: usize,
    tiers: Vec<TierPlace>,
}

pub(in crate::table) struct Parts {
    build_folder: BuildFolder,
    setup: [u8; 32],
    files: Vec<PartFile>,
}

impl Parts {
    /// Returns the parts in a folder. What a build was writing when it was killed is removed.
    pub(in crate::table) fn open(build_folder: BuildFolder, setup: &SetupText) -> Result<Parts, TableError> {
        let folder = build_folder.folder();
        for entry in fs::read_dir(folder).map_err(TableError::io(folder))? {
            let path = entry.map_err(TableError::io(folder))?.path();
            if path.file_name().is_some_and(is_temporary) {
                fs::remove_file(&path).map_err(TableError::io(&path))?;
            }
        }
        Ok(Parts { build_folder, setup: setup.identity(), files: Vec::new() })
    }

    /// Returns the parts in a folder in which another process writes them.
    #[cfg(feature = "cluster")]
    pub(in crate::table) fn read_beside(build_folder: BuildFolder, setup: &SetupText) -> Parts {
        Parts { build_folder, setup: setup.identity(), files: Vec::new() }
    }

    #[cfg(feature = "cluster")]
    pub(in crate::table) fn mark(&self) -> String {
        self.build_folder.mark()
    }

    pub(in crate::table) fn folder(&self) -> &Path {
        self.build_folder.folder()
    }

    pub(in crate::table) fn setup(&self) -> [u8; 32] {
        self.setup
    }

    /// Returns the file of the part with the tiers from `first` on.
    pub(in crate::table) fn path(&self, first: usize) -> PathBuf {
        self.folder().join(format!("tiers-from-{first:05}.part"))
    }

    /// Advances to the next part that was finished before, with the tiers from `first` on, and
    /// returns which of them are wide. `None` if no part can be used.
    pub(in crate::table) fn next(&mut self, first: usize) -> Option<Vec<bool>> {
        let path = self.path(first);
        let tiers = places(&path, &self.setup, first).ok()??;
        let wide = tiers.iter().map(|tier| tier.wide).collect();
        self.files.push(PartFile { path, first, tiers });
        Some(wide)
    }

    /// Writes a part of `tiers` tiers, from the tier `first` on; `fill` writes them.
    pub(in crate::table) fn add(
        &mut self,
        first: usize,
        tiers: usize,
        fill: impl FnOnce(&mut PartWriter<'_>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let path = self.path(first);
        let mut places = Vec::new();
        write_whole(&path, |out| {
            let mut writer = PartWriter::begin(out, &path, &self.setup, first, tiers)?;
            fill(&mut writer)?;
            places = writer.end()?;
            Ok(())
        })?;
        debug_assert_eq!(places.len(), tiers);
        self.files.push(PartFile { path, first, tiers: places });
        Ok(())
    }

    /// Returns a tier with one side to move, to be read a piece at a time.
    pub(in crate::table) fn tier_side(
        &self,
        index: &Index,
        tier_side: TierSide,
    ) -> Result<TierSideFile<'_>, TableError> {
        let number = self.files.partition_point(|part| part.first <= tier_side.tier);
        let part = &self.files[number - 1];
        let tier = &index.tiers()[tier_side.tier];
        let place = part.tiers[tier_side.tier - part.first];
        if place.count != codec::count(index, tier) {
            return Err(TableError::damaged(&part.path, "the part"));
        }
        let file = PositionedFile::new(File::open(&part.path).map_err(TableError::io(&part.path))?);
        TierSideFile::new(&part.path, file, place, tier_side.to_move, tier_side.bytes(index) as usize)
    }

    /// Returns the codes of a tier with one side to move, read again from disk.
    pub(in crate::table) fn codes(&self, index: &Index, tier_side: TierSide) -> Result<Codes, TableError> {
        let file = self.tier_side(index, tier_side)?;
        let cells = tier_side.bytes(index) as usize;
        let mut codes = Codes::draws_of_width(cells, file.wide());
        file.read(std::iter::once(0..cells), &mut codes)?;
        Ok(codes)
    }

    pub(in crate::table) fn remove(self) -> Result<(), TableError> {
        self.build_folder.remove()
    }
}
