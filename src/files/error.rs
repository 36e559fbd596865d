//! Reasons why a file was not written.

use std::io;
use std::path::{Path, PathBuf};

/// Reasons why an output was refused, or failed. A regular file at the path is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The path ends with a separator, or has no file name.
    #[error("{}: this names no file: a path to a file ends with the file's name", .0.display())]
    NoName(PathBuf),
    /// The path leads to a folder.
    #[error("{}: this names no file, it is a folder", .0.display())]
    Folder(PathBuf),
    /// Standard output or standard error goes to that file.
    #[error("{}: this is the file that standard output or standard error goes to; name another one", .0.display())]
    OwnOutput(PathBuf),
    /// The same command reads the file.
    #[error("{}: this command reads that file", .0.display())]
    Input(PathBuf),
    /// The file is read-only.
    #[error("{}: the file there is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// The `Judge` keeps the file at the path.
    #[error("{path}: the file there is kept: {1}", path = .0.display())]
    Kept(PathBuf, String),
    /// Another program has put something there since this one began.
    #[error("{}: another program has put this file there meanwhile, and it is kept", .0.display())]
    Taken(PathBuf),
    /// The path leads to a disk or a socket; or to a device or a FIFO, and the file is read again
    /// later.
    #[error("{}: this is no plain file, and what is written here has to be one", .0.display())]
    NotPlain(PathBuf),
    /// The operating system reports an error.
    #[error("{path}: cannot be written: {1}", path = .0.display())]
    Io(PathBuf, io::Error),
}

impl OutputError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> OutputError + '_ {
        |cause| OutputError::Io(path.to_owned(), cause)
    }

    /// Returns `true` if [`Overwrite::force`](super::Overwrite::force) lifts this refusal.
    #[must_use]
    pub fn yields_to_force(&self) -> bool {
        use OutputError::{Input, Kept, ReadOnly};
        matches!(self, Input { .. } | ReadOnly { .. } | Kept { .. })
    }
}

/// Returns `true` if the system has no room for what was written.
pub(crate) fn is_full(cause: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(cause.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}
