//! One position to be drawn and solved, and where it comes from.

use std::fmt;

/// Source of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The position after one of White's first actions; there is one for each.
    Opening,
    /// Uniformly random play.
    Random,
    /// The strong policy.
    Strong,
}

impl Source {
    /// Returns the name in reports.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Source::Opening => "opening",
            Source::Random => "random",
            Source::Strong => "strong",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
