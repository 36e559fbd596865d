//! One position to be drawn and solved, and where it comes from.

use crate::files::named;

named! {
    /// Source of a position.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Source {
        /// The position after one of White's first actions; there is one for each.
        Opening = "opening",
        /// Uniformly random play.
        Random = "random",
        /// The strong policy.
        Strong = "strong",
    }
}

/// One position to be drawn and solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The index of the setup in the plan.
    pub setup: usize,
    /// Source of the position.
    pub source: Source,
    /// The number of plies before the position.
    pub ply: u32,
    /// The seed; `None` for openings.
    pub seed: Option<u64>,
    /// The first action; `None` where it is drawn.
    pub opening: Option<String>,
}
