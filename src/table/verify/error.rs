//! Reasons why a verification failed.

use crate::solver::{Discrepancy, Stopped};
use crate::table::error::TableError;

/// Reasons why a verification failed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A value does not follow from the next positions, or the two files differ.
    #[error(transparent)]
    Discrepancy(#[from] Discrepancy),
    /// The observer stopped it; nothing wrong was found until then.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
