//! Makes certificates and checks them before they are returned.

mod answers;
mod by_search;
mod forced;
mod maker;
mod part_file;
mod sections;
mod strategies;
mod unfinished;

use std::io::{self, BufRead};
use std::sync::atomic::Ordering;

use self::by_search::by_search;
use self::strategies::by_strategies;
use super::check::{CheckOptions, Checked, check};
use super::error::{CertificateError, Fault};
use super::lines::Certificate;
use crate::answer::{Answerer, SolveError};
use crate::files::OutputError;
use crate::position::Position;
use crate::solver::search::Search;
use crate::solver::{Limits, Observer, Phase, Stopped, Tracker};

pub use part_file::Finished;
pub(crate) use part_file::PartFile;
pub(crate) use unfinished::Unfinished;

/// A certificate that has passed the check.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The file.
    pub bytes: Vec<u8>,
    /// The statement that it proves.
    pub checked: Checked,
}

/// Reasons why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The position cannot be solved, or not within the limits.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The certificate does not pass the check.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

/// Reasons why a certificate was not made in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PartError {
    /// Something else is there, or another process is at work.
    #[error("{0}")]
    InTheWay(&'static str),
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It holds no unfinished certificate of the position.
    #[error("no unfinished certificate to go on with: {}", .0.cause)]
    Unreadable(CertificateError),
    /// A limit was reached, or search and rules contradict each other.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The certificate does not pass the check, or that was ended.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The certificate cannot take its place.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl Proof {
    /// Checks a certificate by [`check_for()`].
    pub(super) fn of(
        certificate: Certificate,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<Proof, ProofError> {
        let (bytes, total) = (certificate.bytes(), certificate.lines());
        drop(certificate);
        let checked = check_for(&bytes[..], (Some(total), u64::MAX), limits, observer)?;
        Ok(Proof { bytes, checked })
    }
}

/// Observer of a check that is ended by the interrupt of limits too.
struct Checker<'a> {
    limits: Limits<'a>,
    observer: &'a dyn Observer,
}

impl Observer for Checker<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.observer.progress(phase, done, total);
    }

    fn stop(&self) -> Option<Stopped> {
        let interrupted = self.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
        self.observer.stop().or_else(|| interrupted.then_some(Stopped::Interrupted))
    }
}

/// Checks a certificate of `total` lines, if that is known, with `memory` bytes.
///
/// The check has no limit of time; the interrupt of the limits and the observer can end it.
///
/// # Errors
///
/// If it does not pass, or the check was ended.
pub(crate) fn check_for(
    input: impl BufRead,
    (total, memory): (Option<u64>, u64),
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Checked, ProofError> {
    let checker = Checker { limits, observer };
    match check(input, CheckOptions { memory, total, observer: &checker }) {
        Err(error) if error.fault == Fault::Stopped => {
            Err(SolveError::from(checker.stop().unwrap_or(Stopped::Interrupted)).into())
        }
        checked => Ok(checked?),
    }
}

/// Returns `true` if strategies were not made because they have too many positions, so that a
/// search may still prove it.
#[must_use]
pub(crate) fn has_too_many_positions(error: &SolveError) -> bool {
    matches!(
        error,
        SolveError::Stopped(Stopped::WouldNotFit { .. } | Stopped::LimitReached { .. } | Stopped::MemoryFull { .. })
    )
}

/// Ways to prove a position.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub enum ProofMethod<'a> {
    /// Strategies of the winner or, in a placement game where these have too many positions, the
    /// choices of a search.
    #[default]
    Fitting,
    /// Strategies for the outcome and, if `exact` is true, for the distance.
    Strategies {
        /// True if the distance is proven too.
        exact: bool,
    },
    /// The choices of a search for the winner, which uses what it knows already. They are one
    /// section; `PartFile` is for proofs that are too large for that.
    Search(&'a Search),
}

impl ProofMethod<'_> {
    /// Returns the method that fits: strategies if the distance is to be proven too.
    #[must_use]
    pub fn fitting(exact: bool) -> Self {
        if exact { ProofMethod::Strategies { exact } } else { ProofMethod::Fitting }
    }
}

/// Finds the value of a position, and proves it by a certificate that has passed the check. The
/// same position and method always give the same certificate.
///
/// # Errors
///
/// If a limit is reached first ([`Limits::nodes`] bounds the lines of strategies too), or
/// solver, tables or search contradict the rules.
pub fn prove(
    answerer: &mut Answerer<'_>,
    root: &Position,
    method: ProofMethod<'_>,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Proof, ProofError> {
    // All steps share the time.
    let tracker = Tracker::new(limits, observer);
    let certificate = match method {
        ProofMethod::Search(search) => by_search(search, root, limits, observer)?,
        ProofMethod::Strategies { exact } => by_strategies(answerer, root, exact, limits, observer)?,
        ProofMethod::Fitting => match by_strategies(answerer, root, false, limits, observer) {
            Err(error) if has_too_many_positions(&error) => {
                let search = Search::new(answerer.game(), limits.memory).ok_or(error)?;
                by_search(&search, root, tracker.part(1), observer)?
            }
            made => made?,
        },
    };
    Proof::of(certificate, tracker.part(1), observer)
}
