//! A question about a position, and why there may be no answer.

use std::sync::Arc;

use crate::solver::{Discrepancy, Limits, Method, NoMirror, Stopped};
use crate::table::{AnswerError, IndexError, TableError};

/// Extent that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Want {
    /// Value, distance and best actions, as far as the limits go.
    #[default]
    Value,
    /// The winner: nothing more is looked for once it is known.
    Winner,
}

/// Request for an answer, with its method and limits.
///
/// ```
/// use pods::answer::{Request, Want};
/// use pods::solver::{Limits, Method};
///
/// let request = Request::new(Limits::default().with_nodes(1_000_000)).by(Method::Search);
/// assert_eq!((request.method, request.want), (Some(Method::Search), Want::Value));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The only method to use; `None` for all that fit, the cheapest first.
    pub method: Option<Method>,
    /// Extent that is asked for.
    pub want: Want,
    /// True if to derive the value again with the reference engine.
    pub verify: bool,
    /// The limits.
    pub limits: Limits<'a>,
}

impl<'a> Request<'a> {
    /// Creates a request for value, distance and best actions, by any method, verified.
    #[must_use]
    pub fn new(limits: Limits<'a>) -> Request<'a> {
        Request { method: None, want: Want::Value, verify: true, limits }
    }

    /// Returns the same request, by one method alone.
    #[must_use]
    pub fn by(self, method: Method) -> Self {
        Request { method: Some(method), ..self }
    }

    /// Returns the same request, for the value or for the winner alone.
    #[must_use]
    pub fn wanting(self, want: Want) -> Self {
        Request { want, ..self }
    }

    /// Returns the same request without a second derivation.
    #[must_use]
    pub fn unverified(self) -> Self {
        Request { verify: false, ..self }
    }
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request::new(Limits::default())
    }
}

/// Reasons why a question has no answer at all. That the winner is not known within the limits is
/// no error but an answer, unless the caller needs a value.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A limit was reached where the caller needs a value.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Two derivations of a value differ.
    #[error(transparent)]
    Discrepancy(#[from] Discrepancy),
    /// The method is for games that cannot cycle.
    #[error(
        "exhaustive search needs rules under which play cannot return to an earlier position (R21): use retrograde analysis"
    )]
    CanCycle,
    /// The search is for games in which nothing moves or is captured.
    #[error("search needs rules without moves and captures (R14): use retrograde analysis, or look for a forced win")]
    NotPlacement,
    /// No table was given that holds the position.
    #[error("no table holds the position: build one with `pods table build` and name its folder")]
    NoTable,
    /// No certificate of the library says who wins.
    #[error("the library has no certificate for this position")]
    NotInLibrary,
    /// The setup is too large for a table in memory.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(Arc<TableError>),
    /// The mirror theorem does not apply.
    #[error(transparent)]
    NoMirror(#[from] NoMirror),
}

impl SolveError {
    /// Names the limit of nodes of a whole question, where a part of it was reached.
    pub(crate) fn of_all(self, limits: Limits<'_>) -> SolveError {
        match self {
            SolveError::Stopped(stopped) => stopped.of_all(limits.nodes).into(),
            error => error,
        }
    }
}

impl From<TableError> for SolveError {
    fn from(error: TableError) -> SolveError {
        SolveError::Table(Arc::new(error))
    }
}

impl From<AnswerError> for SolveError {
    fn from(error: AnswerError) -> SolveError {
        match error {
            AnswerError::Table(error) => error.into(),
            AnswerError::Discrepancy(found) => found.into(),
        }
    }
}
