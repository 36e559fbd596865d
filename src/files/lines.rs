//! Reads lines from untrusted sources: a line longer than a limit is an error, so that none fills
//! the memory.

use std::io::{self, BufRead, Read as _};

/// Reads the next line, without its line feed, into `line`; returns whether there was one.
///
/// # Errors
///
/// If the source cannot be read, the line is longer than `limit` bytes, or it is not UTF-8.
pub fn read_line(source: &mut dyn BufRead, limit: usize, line: &mut String) -> io::Result<bool> {
    let mut bytes = std::mem::take(line).into_bytes();
    let there = read_line_bytes(source, limit, &mut bytes)?;
    *line = String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("a line is not UTF-8: {error}")))?;
    Ok(there)
}

/// Reads the bytes of the next line, without its line feed, into `bytes`; returns whether there was
/// one.
///
/// # Errors
///
/// If the source cannot be read, or the line is longer than `limit` bytes.
pub(crate) fn read_line_bytes(source: &mut dyn BufRead, limit: usize, bytes: &mut Vec<u8>) -> io::Result<bool> {
    bytes.clear();
    let read = source.take(limit as u64 + 1).read_until(b'\n', bytes)?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if read > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("a line is longer than {limit} bytes")));
    }
    Ok(read > 0)
}

/// Says what is wrong with a line of JSON, and in which column if that is known.
///
/// The words of `serde_json` would name a line too: the first one, wherever the line is.
#[cfg(feature = "check")]
pub(crate) fn describe_json_fault(error: &serde_json::Error) -> String {
    let (said, column) = (error.to_string(), error.column());
    let place = format!(" at line {} column {column}", error.line());
    let cause = said.strip_suffix(&place).unwrap_or(&said);
    if column > 0 { format!("column {column}: {cause}") } else { cause.to_owned() }
}
