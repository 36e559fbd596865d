//! Identity of files, to tell if two paths lead to the same one.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

/// The identity of a file, whatever path leads to it: device and inode, or on systems without these
/// its canonical path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    #[cfg(unix)]
    place: (u64, u64),
    #[cfg(not(unix))]
    place: PathBuf,
}

impl FileId {
    /// Returns the file that a path leads to, links followed.
    ///
    /// # Errors
    ///
    /// If no file is there, or its metadata cannot be read.
    pub(crate) fn of(path: &Path) -> io::Result<FileId> {
        let there = fs::metadata(path)?;
        FileId::of_metadata(path, &there)
    }

    #[cfg(unix)]
    pub(crate) fn of_metadata(_: &Path, there: &Metadata) -> io::Result<FileId> {
        use std::os::unix::fs::MetadataExt as _;
        Ok(FileId { place: (there.dev(), there.ino()) })
    }

    #[cfg(not(unix))]
    pub(crate) fn of_metadata(path: &Path, _: &Metadata) -> io::Result<FileId> {
        Ok(FileId { place: fs::canonicalize(path)? })
    }
}

/// Returns `true` if two paths lead to one file, whether it is there or not.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (FileId::of(one), FileId::of(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => std::path::absolute(one).is_ok_and(|one| std::path::absolute(other).is_ok_and(|other| one == other)),
    }
}

/// The files that a command reads.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<FileId>);

impl Inputs {
    /// Adds the file at a path; does nothing if there is none.
    pub(crate) fn add(&mut self, path: &Path) {
        self.0.extend(FileId::of(path).ok());
    }

    /// Adds more files; a path that leads to none adds nothing.
    #[must_use]
    pub(crate) fn with<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Inputs {
        paths.into_iter().for_each(|path| self.add(path.as_ref()));
        self
    }

    pub(crate) fn has(&self, file: &FileId) -> bool {
        self.0.contains(file)
    }
}
