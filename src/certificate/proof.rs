//! Makes certificates and checks them before they are returned.

use std::io::{self, BufRead};
use std::sync::atomic::Ordering;

use super::check::{CheckOptions, Checked, check};
use super::error::{CertificateError, Fault};
use super::lines::Certificate;
use super::prove::prove;
use super::prove_placing::prove_placing;
use crate::answer::{Answerer, SolveError};
use crate::files::OutputError;
use crate::position::Position;
use crate::solver::search::Search;
use crate::solver::{Limits, Observer, Phase, Stopped};

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
pub enum PartError {
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
    /// Checks a certificate as [`super::check()`] does. The check has no limit of time; the
    /// interrupt of the limits and the observer can end it.
    ///
    /// # Errors
    ///
    /// If it does not pass, or the check was ended.
    pub fn of(certificate: Certificate, limits: Limits<'_>, observer: &dyn Observer) -> Result<Proof, ProofError> {
        let (bytes, total) = (certificate.bytes(), certificate.lines());
        drop(certificate);
        let checked = check_for(&bytes[..], (Some(total), u64::MAX), limits, observer)?;
        Ok(Proof { bytes, checked })
    }
}

/// Observer of a check: knows the number of lines, and is ended by the interrupt of limits too.
struct Checker<'a> {
    total: Option<u64>,
    limits: Limits<'a>,
    observer: &'a dyn Observer,
}

impl Observer for Checker<'_> {
    fn progress(&self, phase: Phase, done: u64, _: Option<u64>) {
        self.observer.progress(phase, done, self.total);
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
    let checker = Checker { total, limits, observer };
    match check(input, CheckOptions { memory, observer: &checker }) {
        Err(error) if error.fault == Fault::Stopped => {
            Err(SolveError::from(checker.stop().unwrap_or(Stopped::Interrupted)).into())
        }
        checked => Ok(checked?),
    }
}

/// Returns `true` if strategies were not made because they have too many positions, so that a
/// search may still prove it.
#[must_use]
pub fn has_too_many_positions(error: &SolveError) -> bool {
    matches!(
        error,
        SolveError::Stopped(Stopped::WouldNotFit { .. } | Stopped::LimitReached { .. } | Stopped::MemoryFull { .. })
    )
}

/// Makes a certificate by [`prove()`] and checks it. If a strategy of a placement game would have
/// too many positions and no distance is asked for, makes the certificate by [`prove_placing()`].
///
/// # Errors
///
/// Those of [`prove()`], [`prove_placing()`] and [`super::check()`].
pub(crate) fn prove_and_check(
    answerer: &mut Answerer<'_>,
    root: &Position,
    exact: bool,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Proof, ProofError> {
    let certificate = match prove(answerer, root, exact, limits, observer) {
        Err(error) if !exact && has_too_many_positions(&error) => {
            let search = Search::new(answerer.game(), limits.memory).ok_or(error)?;
            prove_placing(&search, root, limits, observer)?
        }
        made => made?,
    };
    Proof::of(certificate, limits, observer)
}
