//! Targets of paths, looked up before they are written.

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::error::OutputError;
use super::identity::FileId;

/// Target of a path, links followed.
#[derive(Debug)]
pub(super) enum Place {
    /// A plain file by its own path, with its metadata if it is there already.
    Plain(PathBuf, Option<Metadata>),
    /// A character device or a FIFO: it is opened and written to.
    Stream,
}

impl Place {
    /// Looks up the target of a path.
    ///
    /// # Errors
    ///
    /// If the path names no file, leads to a folder, to nothing that can be written or to the
    /// program's own output, or cannot be looked up.
    pub(super) fn of(path: &Path) -> Result<Place, OutputError> {
        let (owned, io) = (|| path.to_owned(), OutputError::io(path));
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes.last().is_none_or(|&last| std::path::is_separator(char::from(last))) || path.file_name().is_none() {
            return Err(OutputError::NoName(owned()));
        }
        let there = match fs::metadata(path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match fs::symlink_metadata(path) {
                    Ok(_) => Err(io(io::Error::other("it is a link to a file that is missing"))),
                    Err(_) => Ok(Place::Plain(owned(), None)),
                };
            }
            Err(error) => return Err(io(error)),
        };
        match there.file_type() {
            kind if kind.is_dir() => Err(OutputError::Folder(owned())),
            kind if is_stream(kind) => Ok(Place::Stream),
            kind if !kind.is_file() => Err(OutputError::NotPlain(owned())),
            _ if is_own_output(path, &there) => Err(OutputError::OwnOutput(owned())),
            _ => Ok(Place::Plain(fs::canonicalize(path).map_err(io)?, Some(there))),
        }
    }
}

#[cfg(unix)]
fn is_stream(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_char_device() || kind.is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_: FileType) -> bool {
    false
}

/// Returns `true` if it is the plain file that standard output or standard error goes to: a rename
/// would cut it off from them.
fn is_own_output(path: &Path, there: &Metadata) -> bool {
    let own = FileId::of_metadata(path, there);
    ["/dev/fd/1", "/dev/fd/2"].iter().any(|other| match (&own, FileId::of(Path::new(other))) {
        (Ok(own), Ok(other)) => *own == other,
        _ => false,
    })
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
