//! Findings of a verification.

use crate::progress::Stopped;

/// Number of positions that a verification looked at, or the limit that ended it. In that case
/// nothing wrong was found, and the values stand unverified.
pub(crate) type Derived = Result<Result<u64, Stopped>, Discrepancy>;

/// A position whose value does not follow from its next positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("verification failed at {position}: {cause}")]
pub struct Discrepancy {
    /// The text of the position.
    pub position: String,
    /// The value that does not follow.
    pub cause: String,
}
