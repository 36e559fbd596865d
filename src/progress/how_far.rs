//! The progress of a search for the winner, for its observer.

/// The progress of a search for the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HowFar {
    /// Nodes of all threads and runs, as last counted.
    pub nodes: u64,
    /// The root's actions that are known to lose.
    pub losing: usize,
    /// All of the root's actions.
    pub actions: usize,
    /// Fill of the table.
    pub fill: Fill,
}

/// Fill of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Entries: positions whose winner is known.
    pub entries: u64,
    /// Bytes allocated, for these entries and more.
    pub bytes: u64,
    /// The most bytes that the table may take.
    pub most: u64,
    /// True if the system has given less than the table wanted.
    pub refused: bool,
}
