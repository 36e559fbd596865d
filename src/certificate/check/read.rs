//! Reads the lines of a certificate, none longer than a bound.

use std::io::{self, BufRead, Read as _};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::super::error::CertificateError;
use super::super::lines::{TRAILER_START, Trailer};
use crate::files::{BOM, describe_json_fault, hex};

/// The longest header; 64 points, 26 kinds of pods and some words about them take a hundredth of
/// it.
const LONGEST_HEADER: u64 = 1 << 20;

/// The longest line; a position of 64 points takes a hundredth of it.
const LONGEST_LINE: u64 = 1 << 16;

/// The digests of a certificate, in lower-case hexadecimal digits.
pub(super) struct Digests {
    /// The SHA-256 of every byte before the trailer, which the trailer has.
    pub(super) trailer: String,
    /// The SHA-256 of the whole file.
    pub(super) file: String,
}

/// A line without its line feed.
pub(super) struct Raw {
    pub(super) number: u64,
    pub(super) bytes: Vec<u8>,
}

/// Reader that numbers lines and computes the digest of what it has read.
pub(super) struct Reader<R> {
    input: R,
    number: u64,
    digest: Sha256,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: R) -> Reader<R> {
        Reader { input, number: 0, digest: Sha256::new() }
    }

    /// Reads the next line. The trailer is left out of the digest.
    fn line(&mut self, longest: u64) -> Result<Raw, CertificateError> {
        let number = self.number + 1;
        let damaged = |cause: String| Err(CertificateError::damaged(number, cause));
        let mut bytes = Vec::new();
        // A byte order mark is no part of the first line.
        let mark = if number == 1 { BOM.len() } else { 0 };
        if let Err(error) = (&mut self.input).take(longest + mark as u64).read_until(b'\n', &mut bytes) {
            return Err(CertificateError::broken_off(&error, number));
        }
        if mark > 0 && bytes.starts_with(BOM) {
            bytes.drain(..mark);
        }
        let is_whole = bytes.last() == Some(&b'\n');
        match bytes.len() as u64 {
            n if n > longest || n == longest && !is_whole => {
                return damaged(format!("the line is longer than {longest} bytes"));
            }
            0 => return damaged("the file ends here, before the trailer that closes a certificate".to_owned()),
            _ if !is_whole => return damaged("the file ends in the middle of this line".to_owned()),
            _ => self.number = number,
        }
        if !is_trailer(&bytes) {
            self.digest.update(&bytes);
        }
        bytes.pop();
        Ok(Raw { number, bytes })
    }

    pub(super) fn header(&mut self) -> Result<Vec<u8>, CertificateError> {
        Ok(self.line(LONGEST_HEADER)?.bytes)
    }

    /// Reads the length of the next section of version 4; 0 where they end. `line` is for errors.
    pub(super) fn section_length(&mut self, line: u64) -> Result<u64, CertificateError> {
        let length = self.exactly(4, line)?;
        Ok(length.iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte)))
    }

    /// Reads the next section of version 4, of at most `most` bytes; `None` where they end. `line`
    /// is for errors.
    pub(super) fn section(&mut self, most: u64, line: u64) -> Result<Option<Vec<u8>>, CertificateError> {
        let length = self.section_length(line)?;
        if length > most {
            // A length that is not true is a fault of the file, and asks for no memory.
            return match io::copy(&mut (&mut self.input).take(length), &mut io::sink()) {
                Ok(read) if read == length => Err(CertificateError::memory(line, most)),
                Ok(_) => Err(cut_section(line)),
                Err(error) => Err(CertificateError::broken_off(&error, line)),
            };
        }
        Ok(if length == 0 { None } else { Some(self.exactly(length, line)?) })
    }

    /// Reads exactly `length` bytes.
    fn exactly(&mut self, length: u64, line: u64) -> Result<Vec<u8>, CertificateError> {
        let mut bytes = Vec::new();
        // A length that is not true takes no more than is there.
        match (&mut self.input).take(length).read_to_end(&mut bytes) {
            Ok(read) if read as u64 == length => {}
            Ok(_) => return Err(cut_section(line)),
            Err(error) => return Err(CertificateError::broken_off(&error, line)),
        }
        self.digest.update(&bytes);
        Ok(bytes)
    }

    /// Reads the trailer of version 4, the last line, after so many lines.
    pub(super) fn trailer(&mut self, lines: u64) -> Result<Digests, CertificateError> {
        self.number = lines + 1;
        let trailer = self.line(LONGEST_LINE)?;
        if !is_trailer(&trailer.bytes) {
            return Err(CertificateError::damaged(trailer.number, "this is no trailer"));
        }
        let digests = self.sealed(&trailer, lines)?;
        self.at_end()?;
        Ok(digests)
    }

    /// Reads at most `most` lines of strategies, and the trailer if it comes next, or the fault
    /// that follows them.
    pub(super) fn chunk(&mut self, most: usize) -> (Vec<Raw>, Result<Option<Raw>, CertificateError>) {
        let mut lines = Vec::new();
        while lines.len() < most {
            match self.line(LONGEST_LINE) {
                Ok(line) if is_trailer(&line.bytes) => return (lines, Ok(Some(line))),
                Ok(line) => lines.push(line),
                Err(error) => return (lines, Err(error)),
            }
        }
        (lines, Ok(None))
    }

    /// Compares the trailer with what was read before it.
    pub(super) fn sealed(&self, raw: &Raw, lines: u64) -> Result<Digests, CertificateError> {
        let trailer: Trailer = canonical(&raw.bytes, raw.number)?;
        let damaged = |cause: String| Err(CertificateError::damaged(raw.number, cause));
        if trailer.lines != lines {
            return damaged(format!("the trailer counts {} lines, there are {lines}", trailer.lines));
        }
        let digest = hex(&self.digest.clone().finalize());
        if trailer.sha256 != digest {
            return damaged(format!(
                "the SHA-256 of what stands before the trailer is {digest}, not {}",
                trailer.sha256
            ));
        }
        let whole = self.digest.clone().chain_update(&raw.bytes).chain_update(b"\n");
        Ok(Digests { trailer: digest, file: hex(&whole.finalize()) })
    }

    /// Checks that nothing follows the trailer.
    pub(super) fn at_end(&mut self) -> Result<(), CertificateError> {
        let number = self.number + 1;
        match self.input.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err(CertificateError::damaged(number, "something follows the trailer")),
            Err(error) => Err(CertificateError::broken_off(&error, number)),
        }
    }
}

fn cut_section(line: u64) -> CertificateError {
    CertificateError::damaged(line, "the file ends in the middle of a section")
}

/// Reads a line of JSON, which must be written as this program would write it.
pub(super) fn canonical<T: Serialize + DeserializeOwned>(line: &[u8], number: u64) -> Result<T, CertificateError> {
    let damaged = |cause: String| CertificateError::damaged(number, cause);
    let value: T = serde_json::from_slice(line).map_err(|error| damaged(describe_json_fault(&error)))?;
    match serde_json::to_vec(&value) {
        Ok(again) if again == line => Ok(value),
        _ => Err(damaged(
            "the line is not written in the one way that a certificate has: compact, fields in order".to_owned(),
        )),
    }
}

fn is_trailer(line: &[u8]) -> bool {
    line.starts_with(TRAILER_START)
}
