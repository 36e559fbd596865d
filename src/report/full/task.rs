//! One position to be drawn and solved, and where it comes from.

use std::fmt;

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// It is the position after one of White's first actions; all of them are there.
    Opening,
    /// Uniformly random play.
    Random,
    /// The strong policy.
    Strong,
}

impl Source {
    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
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
    /// Which of the plan's setups.
    pub entry: usize,
    /// Where the position comes from.
    pub source: Source,
    /// After how many plies.
    pub ply: u32,
    /// The seed; `None` for openings.
    pub seed: Option<u64>,
    /// The first action; `None` where it is drawn.
    pub opening: Option<String>,
}
