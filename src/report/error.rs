//! Reasons why a row of a report could not be made.

use crate::answer::SolveError;
use crate::material::MaterialError;
use crate::position::StartError;

/// Reasons why a row could not be made.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BalanceError {
    /// Board or pods cannot be read.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A hand or a rule set cannot be read.
    #[error("{0}")]
    Setup(String),
    /// The game cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A value fails its verification, or a table cannot be read.
    #[error(transparent)]
    Solve(#[from] SolveError),
}
