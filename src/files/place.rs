//! Targets of paths, looked up before they are written.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::error::OutputError;
use super::identity::FileId;

/// The most links that are followed in a row, as in the kernel.
const MOST_LINKS: usize = 40;

/// Target of a path, links followed.
#[derive(Debug)]
pub(super) enum Place {
    /// Nothing; a new file would have this path.
    Free(PathBuf),
    /// A regular file, by its own path.
    File(PathBuf, Metadata),
    /// A device, a FIFO, or a file that was deleted while it is open: it is opened and written to.
    Stream(PathBuf),
    /// A socket, to be connected to.
    Socket(PathBuf),
    /// A block device.
    Disk(PathBuf),
}

impl Place {
    /// Looks up the target of a path.
    ///
    /// # Errors
    ///
    /// If the path names no file, leads to a folder or to the program's own output, or cannot be
    /// looked up.
    pub(super) fn of(path: &Path) -> Result<Place, OutputError> {
        let owned = || path.to_owned();
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes.last().is_none_or(|&last| std::path::is_separator(char::from(last))) || path.file_name().is_none() {
            return Err(OutputError::NoName { path: owned() });
        }
        let there = match fs::metadata(path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Place::Free(target(path).map_err(OutputError::io(path))?));
            }
            Err(error) => return Err(OutputError::io(path)(error)),
        };
        if there.is_dir() {
            return Err(OutputError::Folder { path: owned() });
        }
        if let Some(special) = special(path, &there) {
            return Ok(special);
        }
        if is_own_output(path, &there) {
            return Err(OutputError::OwnOutput { path: owned() });
        }
        // A file without a path was deleted while something still has it open.
        Ok(fs::canonicalize(path).map_or_else(|_| Place::Stream(owned()), |own| Place::File(own, there)))
    }
}

#[cfg(unix)]
fn special(path: &Path, there: &Metadata) -> Option<Place> {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = there.file_type();
    let path = || path.to_owned();
    if kind.is_block_device() {
        Some(Place::Disk(path()))
    } else if kind.is_socket() {
        Some(Place::Socket(path()))
    } else {
        (!kind.is_file()).then(|| Place::Stream(path()))
    }
}

#[cfg(not(unix))]
fn special(path: &Path, there: &Metadata) -> Option<Place> {
    (!there.is_file()).then(|| Place::Stream(path.to_owned()))
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

/// Returns the path that a new file would get: the target of dangling links, or the path itself.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = folder_of(&path).join(to),
            // It is no link, or not there.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
                return Ok(path);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links follow each other"))
}

/// Returns the folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
