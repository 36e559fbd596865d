//! Checks a certificate in one pass, without a solver.
//!
//! Each step of a strategy is checked with the reference engine, and a walk by rules of its own, of
//! which a sample is compared with that engine.

mod index;
mod need;
mod read;
mod sections;
mod strategies;

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use self::read::{Digests, Reader};
#[cfg(feature = "tables")]
pub(super) use self::sections::SectionCheck;
use super::error::{CertificateError, Fault};
use super::header::{Claim, Header, Subject};
use super::walk::Compared;
use super::{CODED, FORMAT, STRATEGIES};
use crate::files::{Unpacked, unpacked};
use crate::position::{Game, Position};
use crate::progress::{Observer, Phase, Silent, report};

/// The last release that reads certificates of versions 2 and 3.
const READS_OLD_VERSIONS: &str = "0.3.0";

/// Statement that a valid certificate proves.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The game.
    pub game: Game,
    /// The position that the claim is about.
    pub root: Position,
    /// The claim that is proven.
    pub claim: Claim,
    /// Version of the format, from 1.
    pub version: u32,
    /// Number of lines of strategies, or of verdicts of a walk.
    pub lines: u64,
    /// Number of sections of a walk; 0 for strategies.
    pub sections: u64,
    /// Number of actions of the other side that were followed; a cover of several counts as one.
    pub answers: u64,
    /// Number of situations of a sample that were compared with the reference engine (version 4).
    pub compared: Option<Compared>,
    /// The SHA-256 of every byte before the trailer, which the trailer has, in lower-case
    /// hexadecimal digits.
    pub trailer_sha256: String,
    /// The SHA-256 of the whole file, unpacked.
    pub file_sha256: String,
}

impl Checked {
    fn of(subject: Subject, version: u32, lines: u64, digests: Digests) -> Checked {
        let Subject { game, root, claim } = subject;
        let Digests { trailer: trailer_sha256, file: file_sha256 } = digests;
        let (sections, answers, compared) = (0, 0, None);
        Checked { game, root, claim, version, lines, sections, answers, compared, trailer_sha256, file_sha256 }
    }

    /// Returns `true` if the lines are the choices of a walk, and not strategies.
    #[must_use]
    pub(crate) fn is_walk(&self) -> bool {
        self.version != STRATEGIES
    }
}

/// Limits of a check, and what it reports.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct CheckOptions<'a> {
    /// Memory for what the check keeps, in bytes, as near as that can be counted.
    pub memory: u64,
    /// Number of lines, if that is known, for what the observer is told; it proves nothing.
    pub total: Option<u64>,
    /// Is told the number of lines checked, now and then and at the end, and may end the check.
    pub observer: &'a dyn Observer,
}

impl Default for CheckOptions<'_> {
    /// Returns no limits, observed by nobody.
    fn default() -> Self {
        CheckOptions { memory: u64::MAX, total: None, observer: &Silent }
    }
}

impl<'a> CheckOptions<'a> {
    /// Returns the same with at most `memory` bytes of memory.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        CheckOptions { memory, ..self }
    }

    /// Returns the same, with the number of lines to be told to the observer.
    #[must_use]
    pub(crate) fn with_total(self, total: Option<u64>) -> Self {
        CheckOptions { total, ..self }
    }

    /// Returns the same with an observer.
    #[must_use]
    pub fn with_observer(self, observer: &'a dyn Observer) -> Self {
        CheckOptions { observer, ..self }
    }
}

/// Unpacks a certificate that xz or zstd has packed while it is read, by an eighth of the memory.
///
/// Returns the input for [`check()`], and the memory that is left for it: all where nothing is
/// packed.
///
/// # Errors
///
/// If the first bytes cannot be read.
pub(crate) fn unpack<'r>(input: impl BufRead + 'r, memory: u64) -> io::Result<(Box<dyn BufRead + 'r>, u64)> {
    let share = memory / 8;
    let Unpacked { reader, was_packed } = unpacked(input, share)?;
    Ok((reader, if was_packed { memory - share } else { memory }))
}

/// Checks every step of a certificate in one pass.
///
/// Strategies are checked with the reference engine. Memory holds the texts and the plies of their
/// positions and of those that their steps lead to: a line of a hundred bytes may lead to hundreds of
/// positions. The limit leaves out what the lines that are read together lead to.
///
/// A walk is checked by rules of the checker's own, of which a sample is compared with the reference
/// engine. Memory holds a key for each situation shown, and what each thread reads and shows at a
/// time. Half of the limit is for what earlier sections have shown; where that does not suffice, the
/// check goes on while later ones do not ask for what was left out.
///
/// # Errors
///
/// The first fault, with its line: the file is no certificate, is damaged, or does not prove its
/// claim; the observer ended the check; or its positions take too much memory ([`Fault`]).
pub fn check(input: impl BufRead, options: CheckOptions<'_>) -> Result<Checked, CertificateError> {
    let CheckOptions { memory, total, observer } = options;
    let progress = &|done| match report(observer, Phase::Check, done, total) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let mut reader = Reader::new(input);
    let header = read_header(&mut reader)?;
    let subject = header.subject().map_err(|cause| CertificateError::damaged(1, cause))?;
    match header.version {
        CODED => sections::check_sections(reader, subject, memory, progress),
        _ => strategies::check_strategies(reader, subject, memory, progress),
    }
}

/// Reads the header. A file of another format or version is an error of its own kind.
fn read_header(reader: &mut Reader<impl BufRead>) -> Result<Header, CertificateError> {
    let other = |cause: String| CertificateError::new(Fault::NoCertificate, 1, cause);
    let line = reader.header().map_err(|e| if e.fault == Fault::Memory { e } else { other(e.cause) })?;
    let value: serde_json::Value =
        serde_json::from_slice(&line).map_err(|_| other("this is no header of a certificate".to_owned()))?;
    if value["format"] != FORMAT {
        return Err(other(format!("a certificate begins with {{\"format\":{FORMAT:?},…}}, this file does not")));
    }
    let version = &value["version"];
    if [STRATEGIES, CODED].iter().any(|known| version == known) {
        return read::canonical(&line, 1);
    }
    let way_out = if (STRATEGIES..CODED).any(|old| *version == old) {
        format!("release {READS_OLD_VERSIONS} of this program reads versions 2 and 3")
    } else {
        "files of later versions need a later program".to_owned()
    };
    Err(other(format!(
        "the version of the format is {version}, this program reads {STRATEGIES} and {CODED}; {way_out}"
    )))
}
