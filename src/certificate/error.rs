//! Reasons why a file proves nothing.

use std::fmt;
use std::io::{self, ErrorKind};

use crate::files::{Bytes, cut};

/// The most bytes of a cause.
const LONGEST_CAUSE: usize = 4096;

/// Kinds of faults of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The file cannot be read, or is no certificate of a version known here.
    NoCertificate,
    /// A line has the wrong form, is in the wrong place or is missing; or the digest is wrong.
    Damaged,
    /// Everything is well written, and the claim does not follow.
    Unproven,
    /// The check was ended early: nothing is known.
    Stopped,
    /// The check would take more memory than it may: nothing is known.
    Memory,
}

/// Place and cause of a certificate's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateError {
    /// The kind of fault.
    pub fault: Fault,
    /// The line, counted from 1; the header is line 1. In version 4 each verdict counts as one.
    pub line: u64,
    /// The section, from 1; `None` where the file has lines of text.
    pub section: Option<u64>,
    /// The verdict that was read last, or is not whole, from 1 over all sections; `None` where the
    /// section could not be read.
    pub verdict: Option<u64>,
    /// The cause.
    pub cause: String,
}

impl CertificateError {
    pub(super) fn new(fault: Fault, line: u64, cause: impl Into<String>) -> CertificateError {
        // The names in a file may be long, and errors of many lines are kept at once.
        CertificateError { fault, line, section: None, verdict: None, cause: cut(cause.into(), LONGEST_CAUSE) }
    }

    /// Moves the error of a line to where it stands after `lines` others.
    pub(super) fn further(self, lines: u64) -> CertificateError {
        CertificateError { line: self.line + lines, ..self }
    }

    /// Adds the number of the section that could not be read.
    pub(super) fn in_section(self, section: u64) -> CertificateError {
        CertificateError { section: Some(section), ..self }
    }

    /// Adds the number of the section, and counts its lines as verdicts after `lines` others.
    pub(super) fn in_section_after(self, section: u64, lines: u64) -> CertificateError {
        let verdict = (self.line > 0).then_some(self.line + lines);
        CertificateError { verdict, ..self.further(lines + 1).in_section(section) }
    }

    /// Creates the error of a file that cannot be read from a line on.
    pub(crate) fn unreadable(error: &io::Error, line: u64) -> CertificateError {
        let (fault, cause) = match error.kind() {
            ErrorKind::OutOfMemory => (Fault::Memory, "it cannot be unpacked within the limit of memory"),
            _ => (Fault::NoCertificate, "cannot be read"),
        };
        CertificateError::new(fault, line, format!("{cause}: {error}"))
    }

    /// Creates the error of a file that was read up to a line and cannot be read on: it is damaged,
    /// unless memory is short.
    pub(super) fn broken_off(error: &io::Error, line: u64) -> CertificateError {
        match CertificateError::unreadable(error, line) {
            short @ CertificateError { fault: Fault::Memory, .. } => short,
            other => CertificateError { fault: Fault::Damaged, ..other },
        }
    }

    pub(super) fn damaged(line: u64, cause: impl Into<String>) -> CertificateError {
        CertificateError::new(Fault::Damaged, line, cause)
    }

    /// Creates the error of a check that was ended after `done` lines between header and trailer.
    pub(super) fn stopped(done: u64) -> CertificateError {
        let cause =
            format!("the check was ended here, and proves nothing; there is no fault in the {done} lines before it");
        CertificateError::new(Fault::Stopped, done + 1, cause)
    }

    /// Creates the error where the positions met up to a line take more than `memory` bytes, a part
    /// of what the check may.
    pub(super) fn memory(line: u64, memory: u64) -> CertificateError {
        let part = Bytes(memory.into());
        let cause = format!(
            "what is met so far takes more than the {part} that the check has for it; there is no fault before this line"
        );
        CertificateError::new(Fault::Memory, line, cause)
    }

    pub(super) fn unproven(line: u64, cause: impl Into<String>) -> CertificateError {
        CertificateError::new(Fault::Unproven, line, cause)
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way_out = match self.fault {
            Fault::NoCertificate => "a certificate begins with a line of JSON, its header",
            Fault::Damaged => "the file was altered or cut short: get it again from its maker",
            Fault::Unproven => "the claim is not shown: do not rely on it",
            Fault::Stopped => "check it to the end",
            Fault::Memory => "nothing is known: do not rely on it",
        };
        match (self.section, self.verdict) {
            (Some(section), Some(verdict)) => write!(f, "section {section}, verdict {verdict}: ")?,
            (Some(section), None) => write!(f, "section {section}: ")?,
            (None, _) => write!(f, "line {}: ", self.line)?,
        }
        write!(f, "{} ({way_out})", self.cause)
    }
}

impl std::error::Error for CertificateError {}
