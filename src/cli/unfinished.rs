//! A certificate that is written section by section into a file beside its own: what is said of it.

use std::path::Path;

use super::check_proof::failed;
use super::failure::Failure;
use super::terminal::note;
use crate::certificate::{Fault, Finished, PartError, PartFile, ProofError, Unfinished};
use crate::files::{Bytes, Output, Thousands, is_full, is_same};
use crate::position::{Game, Position};
use crate::progress::Observer;
use crate::solver::Limits;
use crate::solver::search::Search;

/// Opens or creates the file for the certificate at `out`; `others` are files that the command has
/// another use for.
pub(super) fn open(out: &Path, others: &[&Path], memory: u64) -> Result<PartFile, Failure> {
    let path = PartFile::path_for(out);
    for made in [&*path, out] {
        if others.iter().any(|other| is_same(other, made)) {
            let cause =
                "the certificate is made in this file, and the command has another use for it: name another one";
            return Err(Failure::wrong(cause).at(made.display()));
        }
    }
    PartFile::open(out).map_err(|error| failure(&path, error, memory))
}

/// Reads what is there of a certificate; `force` takes something else for nothing.
pub(super) fn read(
    part: &PartFile,
    game: &Game,
    root: &Position,
    force: bool,
    memory: u64,
) -> Result<Option<Unfinished>, Failure> {
    let path = part.path();
    let there = match part.read(game, root, memory) {
        Ok(there) => there,
        // What cannot be read may be there all the same, and what does not fit may be whole.
        Err(error) if force && !matches!(error.fault, Fault::NoCertificate | Fault::Memory) => None,
        Err(error) => return Err(failure(path, PartError::Unreadable(error), memory)),
    };
    if let Some(there) = &there {
        let [sections, lines, open] =
            [there.sections(), there.lines(), there.open()].map(|number| Thousands(number.into()));
        let path = path.display();
        note(format_args!("resuming from {path}: {sections} sections, {lines} lines; {open} sections are open"));
    }
    Ok(there)
}

pub(super) fn make(
    part: &mut PartFile,
    search: &Search,
    root: &Position,
    there: Option<Unfinished>,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<(), Failure> {
    part.make(search, root, there, limits, observer).map_err(|error| {
        if !part.is_empty() {
            note(format_args!("the same command resumes from the whole sections in {}", part.path().display()));
        }
        failure(part.path(), error, limits.memory)
    })
}

/// Checks the certificate, and puts it where it belongs.
pub(super) fn finish(
    mut part: PartFile,
    output: &Output<'_>,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Finished, Failure> {
    part.finish(output, limits, observer).map_err(|error| {
        // With more memory it can be checked again.
        if let PartError::Proof(ProofError::Certificate(error)) = &error
            && error.fault != Fault::Memory
        {
            note(format_args!("{} stays as it is: move it away to begin anew", part.path().display()));
        }
        failure(part.path(), error, limits.memory)
    })
}

fn failure(path: &Path, error: PartError, memory: u64) -> Failure {
    match error {
        PartError::Solve(error) => error.into(),
        PartError::Proof(error) => failed(path, error, memory),
        PartError::Output(error) => error.into(),
        PartError::Unreadable(ref of) if of.fault == Fault::Memory => {
            let way_out = format!("go on with more --memory than {}, or move it away", Bytes(memory.into()));
            Failure::Limit(format!("{error}; {way_out}")).at(path.display())
        }
        PartError::Unreadable(of) if of.section.is_some() && of.fault != Fault::Memory => {
            Failure::Discrepancy(format!("{of}; move it away, or begin anew with --force")).at(path.display())
        }
        PartError::Unreadable(_) => {
            let way_out = "go on with the same position and setup, move it away, or begin anew with --force";
            Failure::wrong(format_args!("{error}; {way_out}")).at(path.display())
        }
        PartError::Io(cause) if is_full(&cause) => {
            Failure::wrong(format_args!("{cause}; make room, or name a file elsewhere")).at(path.display())
        }
        other => Failure::wrong(other).at(path.display()),
    }
}
