//! Findings of a verification.

use super::limits::Stopped;

/// Number of positions that a verification looked at, or the limit that ended it with nothing wrong
/// found until then: what it was to verify stands, unverified.
pub type Derived = Result<Result<u64, Stopped>, Discrepancy>;

/// A position whose value does not follow from its next positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("verification failed at {position}: {cause}")]
pub struct Discrepancy {
    /// The text of the position.
    pub position: String,
    /// The value that does not follow.
    pub cause: String,
}
