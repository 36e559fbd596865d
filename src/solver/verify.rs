//! What a verification finds.

/// A position whose value does not follow from its next positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("verification failed at {position}: {cause}")]
pub struct Discrepancy {
    /// The text of the position.
    pub position: String,
    /// What does not follow.
    pub cause: String,
}
