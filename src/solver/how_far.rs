//! How far a search of the outcome is, for those who watch it.

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HowFar {
    /// Nodes of all threads and runs, as of when they were last counted.
    pub nodes: u64,
    /// The root's actions that are known to lose.
    pub losing: usize,
    /// All of the root's actions.
    pub actions: usize,
    /// How full the table is.
    pub fill: Fill,
}

/// How full a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Positions that are known.
    pub entries: u64,
    /// Bytes in use, with room for more.
    pub bytes: u64,
    /// The bytes that it may come to.
    pub most: u64,
    /// Whether the system has given less than the table wanted.
    pub refused: bool,
}
