//! A certificate that is checked before anybody gets it.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::check::{Checked, check};
use super::error::{CertificateError, Fault};
use super::prove::prove;
use crate::answer::{Answerer, SolveError};
use crate::position::Position;
use crate::solver::{Limits, Observer, Phase, Stopped};

/// A certificate that holds.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it proves.
    pub checked: Checked,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The position cannot be solved, or not within the limits.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The certificate does not hold.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

/// Makes a certificate as [`prove()`] does, and checks it as [`check()`] does. The check has no limit of time; the interrupt of the
/// limits and the observer can end it.
///
/// # Errors
///
/// Those of both.
pub fn prove_and_check(
    answerer: &mut Answerer<'_>,
    root: &Position,
    exact: bool,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Proof, ProofError> {
    let certificate = prove(answerer, root, exact, limits, observer)?;
    let (bytes, total) = (certificate.bytes(), certificate.lines() as u64);
    drop(certificate);
    let interrupted = || limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    let why = || observer.stop().or_else(|| interrupted().then_some(Stopped::Interrupted));
    let checked = check(&bytes[..], &|done| {
        observer.progress(Phase::Check, done, Some(total));
        if why().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match checked {
        Ok(checked) => Ok(Proof { bytes, checked }),
        Err(error) if error.fault == Fault::Stopped => {
            Err(SolveError::from(why().unwrap_or(Stopped::Interrupted)).into())
        }
        Err(error) => Err(error.into()),
    }
}
