//! Errors as exceptions. Their classes stand in the Python sources.

use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::answer::SolveError;
use crate::certificate::{Fault, ProofError};
use crate::files::with_short_words;
use crate::oracle::check::CheckError;
use crate::report::BalanceError;
use crate::solver::Stopped;
use crate::table::{AnswerError, TableError};

/// Returns a class or a function of the Python module `podsgame._records`.
pub(super) fn record<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("podsgame._records")?.getattr(name)
}

/// Creates an exception of the class with this name.
pub(super) fn exception<'py>(
    py: Python<'py>,
    class: &str,
    args: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyErr {
    let made = || record(py, class)?.call1(args.into_pyobject(py)?);
    made().map_or_else(|error| error, PyErr::from_value)
}

/// Returns a message, without what nobody would read of a long name or number.
fn short_message(cause: &dyn Display) -> String {
    with_short_words(&cause.to_string())
}

/// Creates the exception for wrong input.
pub(super) fn input(py: Python<'_>, cause: &dyn Display) -> PyErr {
    exception(py, "InputError", (short_message(cause),))
}

/// Creates the exception for a failed verification.
fn discrepancy(py: Python<'_>, cause: &dyn Display) -> PyErr {
    exception(py, "Discrepancy", (short_message(cause),))
}

/// Creates the exception for a Ctrl-C that came before anything was known.
pub(super) fn interrupted(py: Python<'_>) -> PyErr {
    exception(py, "Interrupted", (py.None(),))
}

/// Creates the exception for a limit.
pub(super) fn limit(py: Python<'_>, cause: &dyn Display) -> PyErr {
    exception(py, "LimitReached", (short_message(cause),))
}

pub(super) fn of_solve(py: Python<'_>, error: &SolveError) -> PyErr {
    match error {
        SolveError::Stopped(Stopped::Interrupted) => interrupted(py),
        SolveError::Stopped(stopped) => limit(py, stopped),
        SolveError::Discrepancy(found) => discrepancy(py, found),
        SolveError::Table(error) => of_table(py, error),
        other => input(py, other),
    }
}

pub(super) fn of_table(py: Python<'_>, error: &TableError) -> PyErr {
    match error {
        TableError::Damaged { .. } | TableError::Shorter { .. } => discrepancy(py, error),
        other => input(py, other),
    }
}

pub(super) fn of_answer(py: Python<'_>, error: &AnswerError) -> PyErr {
    match error {
        AnswerError::Table(error) => of_table(py, error),
        AnswerError::Discrepancy(found) => discrepancy(py, found),
    }
}

pub(super) fn of_balance(py: Python<'_>, error: &BalanceError) -> PyErr {
    match error {
        BalanceError::Solve(error) => of_solve(py, error),
        other => input(py, other),
    }
}

pub(super) fn of_proof(py: Python<'_>, error: &ProofError) -> PyErr {
    match error {
        ProofError::Solve(error) => of_solve(py, error),
        ProofError::Certificate(error) => match error.fault {
            Fault::NoCertificate => input(py, error),
            Fault::Memory => limit(py, error),
            Fault::Stopped => interrupted(py),
            Fault::Damaged | Fault::Unproven => discrepancy(py, error),
        },
    }
}

pub(super) fn of_oracle(py: Python<'_>, error: &CheckError) -> PyErr {
    match error {
        CheckError::Unreadable { .. } => input(py, error),
        CheckError::Stopped { .. } => interrupted(py),
        CheckError::Manifest { .. } | CheckError::Wrong { .. } => discrepancy(py, error),
    }
}
