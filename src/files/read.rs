//! Reads whole files, up to a limit.

use std::fs::{self, File};
use std::io::{self, Chain, Cursor, Read};
use std::path::Path;

/// Reasons why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system reports an error.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A folder, a device, a FIFO or a socket.
    #[error("is {what}, and only a plain file is read here: copy it to one")]
    NotPlain {
        /// Description of the file.
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

/// Opens a plain file. Devices and FIFOs are refused before they are opened, since opening may
/// block.
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

/// Returns the bytes of a plain file.
///
/// # Errors
///
/// If it cannot be read, is no plain file, or has more than `limit` bytes.
pub(crate) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    all(open(path)?, limit)
}

/// Returns the text of a plain file. [`all_text`] reads from any other source.
///
/// # Errors
///
/// As [`read_bytes`], and if it is not UTF-8.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    text(read_bytes(path, limit)?)
}

/// Returns the whole text from a source.
///
/// # Errors
///
/// If it cannot be read, has more than `limit` bytes, or is not UTF-8.
pub(crate) fn all_text(source: impl Read, limit: u64) -> Result<String, ReadError> {
    text(all(source, limit)?)
}

fn all(source: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    source.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
}

fn text(mut bytes: Vec<u8>) -> Result<String, ReadError> {
    if bytes.starts_with(BOM) {
        bytes.drain(..BOM.len());
    }
    String::from_utf8(bytes).map_err(|error| ReadError::NotText { at: error.utf8_error().valid_up_to() + 1 })
}

/// The byte order mark, which some editors write at the beginning of a text. Every reader of text
/// skips it.
pub(crate) const BOM: &[u8] = "\u{feff}".as_bytes();

/// Returns a source without the byte order mark at its beginning. Reads no further than it takes to
/// see whether one is there. An error in these bytes is returned when they are read.
pub(crate) fn without_bom<R: Read>(mut source: R) -> Chain<Cursor<Vec<u8>>, R> {
    let mut first = Vec::new();
    while BOM.starts_with(&first) && first.len() < BOM.len() {
        if !matches!((&mut source).take(1).read_to_end(&mut first), Ok(1)) {
            break;
        }
    }
    if first == BOM {
        first.clear();
    }
    Cursor::new(first).chain(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_skipped_once_and_nothing_else() {
        for (bytes, expected) in [
            (&b""[..], &b""[..]),
            (b"a", b"a"),
            (b"\xef\xbb\xbf", b""),
            (b"\xef\xbb\xbfa\n", b"a\n"),
            (b"\xef\xbb\xbf\xef\xbb\xbfa", b"\xef\xbb\xbfa"),
            (b"\xef\xbbxa", b"\xef\xbbxa"),
            (b"\xef", b"\xef"),
        ] {
            let mut read = Vec::new();
            without_bom(bytes).read_to_end(&mut read).unwrap();
            assert_eq!(read, expected, "{bytes:?}");
            assert_eq!(text(bytes.to_vec()).ok(), String::from_utf8(expected.to_vec()).ok(), "{bytes:?}");
        }
    }
}
