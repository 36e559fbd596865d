//! Reads whole files, up to a limit.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system reports an error.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A folder, a device, a FIFO or a socket.
    #[error("is {what}, and only a plain file is read here: copy it to one")]
    NotPlain {
        /// What it is.
        what: &'static str,
    },
    /// It is larger than the limit.
    #[error("is longer than {limit} bytes, the most that is read: this is hardly the file that you mean")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// It is not UTF-8.
    #[error("is not UTF-8 text: byte {at} belongs to no character")]
    NotText {
        /// The first byte at fault, from 1.
        at: usize,
    },
}

/// Opens a plain file. Devices and FIFOs are refused before they are opened, since opening may block.
///
/// # Errors
///
/// If it cannot be opened, or is no plain file.
pub fn open(path: &Path) -> Result<File, ReadError> {
    let there = fs::metadata(path)?;
    match there.is_file() {
        true => Ok(File::open(path)?),
        false => Err(ReadError::NotPlain { what: kind(&there) }),
    }
}

fn kind(there: &fs::Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = there.file_type();
        if kind.is_fifo() {
            return "a FIFO";
        } else if kind.is_socket() {
            return "a socket";
        }
    }
    if there.is_dir() { "a folder" } else { "a device" }
}

/// The bytes of a plain file.
///
/// # Errors
///
/// If it cannot be read, is no plain file, or has more than `limit` bytes.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    all(open(path)?, limit)
}

/// The text of a plain file. [`all_text`] reads from any other source.
///
/// # Errors
///
/// As [`read_bytes`], and if it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    text(read_bytes(path, limit)?)
}

/// The whole text from a source.
///
/// # Errors
///
/// If it cannot be read, has more than `limit` bytes, or is not UTF-8.
pub fn all_text(source: impl Read, limit: u64) -> Result<String, ReadError> {
    text(all(source, limit)?)
}

fn all(source: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    source.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
}

fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| ReadError::NotText { at: error.utf8_error().valid_up_to() + 1 })
}
