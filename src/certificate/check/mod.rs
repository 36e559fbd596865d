//! Checking a certificate: one pass, the reference engine, and no solver.

mod coded;
mod index;
mod need;
mod read;
mod sections;
mod strategy;
mod walk;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::time::Duration;

use rayon::prelude::*;

pub(super) use self::coded::SectionCheck;
use self::coded::check_coded;
use self::index::Index;
use self::need::{Goal, Need};
use self::read::{Digests, Reader};
use self::strategy::Strategies;
use self::walk::winner_of;
use super::coded::Compared;
use super::error::{CertificateError, Fault};
use super::header::{Claim, Header, Subject};
use super::lines::TRAILER_START;
use super::open_ends::{HEADING_START, Heading};
use super::placing::Choices;
use super::shown_before::{ShownBefore, ShownKey};
use super::{CODED, FORMAT, SECTIONS, STRATEGIES, WALK};
use crate::material::Side;
use crate::position::{Game, Position};
use crate::progress::{Observer, Phase, Silent, report};

/// Number of lines that are read before they are checked together.
const CHUNK: usize = 1 << 10;

/// Memory for what a walk lists, in bytes, that suffices for the longest sections that the program
/// makes. With less, fewer threads walk.
const FOR_A_WALK: u64 = 1 << 28;

/// Interval at which the reader of sections checks for a stop.
const LOOK: Duration = Duration::from_millis(100);

/// Returns a quarter of the memory for a check of sections, in bytes, and the number of threads
/// that may walk in one. A half is for what earlier sections have listed, a quarter for the walks,
/// and a quarter for what is read and what waits.
fn shares(memory: u64) -> (u64, usize) {
    let quarter = memory / 4;
    (quarter, rayon::current_num_threads().min((quarter / FOR_A_WALK) as usize).max(1))
}

/// Checks that earlier sections have shown everything that a section takes from them, which
/// `needed` lists with the lines that say so. If `full`, some of what they have shown did not fit.
fn all_shown(needed: &[(ShownKey, u64)], shown: &ShownBefore, full: bool) -> Result<(), CertificateError> {
    let Some(&(_, line)) = needed.iter().find(|(key, _)| !shown.has(key)) else { return Ok(()) };
    Err(match full {
        true => CertificateError::memory(line, shown.memory()),
        false => CertificateError::unproven(line, "no earlier section shows what this line says is shown"),
    })
}

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
    /// Number of lines between header and trailer.
    pub lines: u64,
    /// Number of sections, the first one apart.
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
    pub fn is_walk(&self) -> bool {
        self.version != STRATEGIES
    }
}

/// Limits of a check, and what it reports.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct CheckOptions<'a> {
    /// Memory for texts and plies of positions, in bytes, as near as that can be counted.
    pub memory: u64,
    /// Is told the number of lines checked, after every 1,024 lines and at the end, and may end the
    /// check.
    pub observer: &'a dyn Observer,
}

impl Default for CheckOptions<'_> {
    /// Returns no limits, observed by nobody.
    fn default() -> Self {
        CheckOptions { memory: u64::MAX, observer: &Silent }
    }
}

impl<'a> CheckOptions<'a> {
    /// Returns the same with at most `memory` bytes of memory.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        CheckOptions { memory, ..self }
    }

    /// Returns the same with an observer.
    #[must_use]
    pub fn with_observer(self, observer: &'a dyn Observer) -> Self {
        CheckOptions { observer, ..self }
    }
}

/// Checks every step of a certificate with the reference engine, in one pass.
///
/// Memory holds the texts and the plies of its positions and of those that its steps lead to, or,
/// for walks, 20 to 40 bytes for each position shown, and for sections what each thread reads and
/// shows at a time: a line of a hundred bytes may lead to hundreds of positions. The limit of memory
/// leaves out those that the 1,024 lines lead to that are read together. Half of it is for what
/// earlier sections have shown; where that does not suffice, the check goes on while later ones do
/// not ask for what was left out.
///
/// # Errors
///
/// The first fault, with its line: the file is no certificate, is damaged, or does not prove its
/// claim; the observer ended the check; or its positions take too much memory ([`Fault`]).
pub fn check(input: impl BufRead, options: CheckOptions<'_>) -> Result<Checked, CertificateError> {
    let CheckOptions { memory, observer } = options;
    let progress = &|done| match report(observer, Phase::Check, done, None) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let mut reader = Reader::new(input);
    let header = read_header(&mut reader)?;
    let subject = header.subject().map_err(|cause| CertificateError::damaged(1, cause))?;
    match header.version {
        WALK => return walk::check_walk(reader, subject, memory, progress),
        SECTIONS => return sections::check_sections(reader, subject, memory, progress),
        CODED => return check_coded(reader, subject, memory, progress),
        _ => {}
    }
    let strategies = Strategies::new(subject.game.clone(), &subject.root, subject.claim)
        .map_err(|cause| CertificateError::unproven(1, cause))?;
    let mut index = Index::new(memory);
    let mut answers = 0;
    let first = strategies.root(&subject.root).map_err(|cause| CertificateError::unproven(1, cause))?;
    answers += first.answers;
    for need in first.needs {
        index.need(need, 1)?;
    }
    let mut last = String::new();
    let mut done = 0;
    loop {
        let (chunk, end) = reader.chunk(CHUNK);
        let checked: Vec<_> = chunk.par_iter().map(|raw| strategies.line(raw)).collect();
        for (raw, checked) in chunk.iter().zip(checked) {
            let step = checked?;
            if step.position <= last {
                let how = if step.position == last { "is there twice" } else { "is out of order" };
                let cause = format!("the position {} {how}: lines rise byte by byte", step.position);
                return Err(CertificateError::damaged(raw.number, cause));
            }
            index.give(&step.position, step.goal, step.plies, raw.number)?;
            answers += step.answers;
            for need in step.needs {
                if need.position <= step.position && !index.has(&need.position) {
                    return Err(index::missing(&need.position, raw.number));
                }
                index.need(need, raw.number)?;
            }
            last = step.position;
        }
        done += chunk.len() as u64;
        let flow = progress(done);
        if let Some(trailer) = end? {
            let digests = reader.sealed(&trailer, done)?;
            reader.at_end()?;
            index.complete()?;
            return Ok(Checked { answers, ..Checked::of(subject, STRATEGIES, done, digests) });
        }
        if flow.is_break() {
            return Err(CertificateError::stopped(done));
        }
    }
}

/// Reads and checks a certificate of version 2; returns its header, what that is about, the winner
/// and the choices.
pub(super) fn read_choices(input: impl BufRead) -> Result<(Header, Subject, Side, Choices), CertificateError> {
    let mut reader = Reader::new(input);
    let header = read_header(&mut reader)?;
    if header.version != WALK {
        let cause = format!("this is a certificate of version {}, wanted is one of version {WALK}", header.version);
        return Err(CertificateError::new(Fault::NoCertificate, 1, cause));
    }
    let subject = header.subject().map_err(|cause| CertificateError::damaged(1, cause))?;
    let winner = winner_of(&subject)?;
    let choices = walk::choices(reader, &subject, winner)?;
    Ok((header, subject, winner, choices))
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
    if ![STRATEGIES, WALK, SECTIONS, CODED].iter().any(|&version| value["version"] == version) {
        let known = format!("this program reads versions {STRATEGIES} to {CODED}");
        return Err(other(format!("the version of the format is {}, {known}", value["version"])));
    }
    read::canonical(&line, 1)
}

/// Statement of a valid line, and the positions for which it needs further lines.
struct Step {
    position: String,
    goal: Goal,
    plies: Option<u32>,
    needs: Vec<Need>,
    answers: u64,
}

/// Checks that a line is the heading of the section with this number.
fn check_heading(line: &[u8], line_number: u64, number: u64) -> Result<(), CertificateError> {
    let Heading { section } = read::canonical(line, line_number)?;
    if section == number {
        return Ok(());
    }
    let cause = format!("this is the heading of section {section}, where section {number} begins");
    Err(CertificateError::damaged(line_number, cause))
}

fn is_heading(line: &[u8]) -> bool {
    line.starts_with(HEADING_START)
}

fn is_trailer(line: &[u8]) -> bool {
    line.starts_with(TRAILER_START)
}
