//! Steps of the build of a table, for its observer.

/// A step of the build of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildStep {
    /// Tiers up to this one were taken from an earlier build that was stopped.
    Resumed(usize),
    /// A tier with one side to move was read back from disk: it was solved by an earlier build, or
    /// dropped to make room.
    ReadBack(usize),
    /// A sweep of a tier is done.
    Swept(usize, Swept),
    /// A tier is solved.
    Solved(usize),
    /// Everything is solved, and the files are being written: so many of the blocks of each, and
    /// all of them.
    Writing(u64, u64),
}

/// Result of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swept {
    /// The distance that the sweep decided.
    pub distance: u16,
    /// Cells found.
    pub found: u64,
    /// Cells still undecided.
    pub undecided: u64,
}
