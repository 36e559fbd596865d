//! Why something is not written.

use std::io;
use std::path::{Path, PathBuf};

/// Why an output is refused, or failed. What stood in its place is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The path ends with a folder's name.
    #[error("{}: this names no file: a file's name is missing at its end", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// A folder stands there.
    #[error("{}: this names no file, it is a folder", path.display())]
    Folder {
        /// The path.
        path: PathBuf,
    },
    /// Standard output or standard error goes to that file.
    #[error("{}: this is the file that standard output or standard error goes to; name another one", path.display())]
    OwnOutput {
        /// The path.
        path: PathBuf,
    },
    /// The same command reads the file.
    #[error("{}: this command reads that file", path.display())]
    Input {
        /// The path.
        path: PathBuf,
    },
    /// The file is read-only.
    #[error("{}: the file there is read-only", path.display())]
    ReadOnly {
        /// The path.
        path: PathBuf,
    },
    /// What stands there is not what is to be written.
    #[error("{}: the file there is kept: {cause}", path.display())]
    Kept {
        /// The path.
        path: PathBuf,
        /// What it is, or why it is worth more than what is to be written.
        cause: String,
    },
    /// A whole disk stands there.
    #[error("{}: this is a disk, and what is on it would be lost", path.display())]
    Disk {
        /// The path.
        path: PathBuf,
    },
    /// What is to be written is read again later, and what stands there cannot keep it.
    #[error("{}: this is no plain file, and what is written is to be read again", path.display())]
    NotKept {
        /// The path.
        path: PathBuf,
    },
    /// The operating system says no.
    #[error("{}: cannot be written: {cause}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What it says.
        cause: io::Error,
    },
}

impl OutputError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> OutputError + '_ {
        |cause| OutputError::Io { path: path.to_owned(), cause }
    }

    /// Whether it would be written with [`Terms::force`](super::Terms::force).
    #[must_use]
    pub fn yields_to_force(&self) -> bool {
        use OutputError::{Disk, Input, Kept, ReadOnly};
        matches!(self, Input { .. } | ReadOnly { .. } | Kept { .. } | Disk { .. })
    }
}
