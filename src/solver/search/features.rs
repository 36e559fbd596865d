//! The features of the search, each behind a switch.

/// Switches of the search's features. Switching one off measures its gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchFeatures {
    /// Placements are tried in the order of denial; else as they are listed.
    pub denial: bool,
    /// The table is keyed by the canonical key; else by the whole position.
    pub canonical: bool,
    /// The canonical key leaves out which kinds are which, and the legs that do not matter.
    pub nameless: bool,
    /// Bounds by matchings decide positions without a search.
    pub bounds: bool,
    /// Games of fixed conflicts, such as Snort, are searched as two sets of points.
    pub conflicts: bool,
    /// Positions of games of fixed conflicts are keyed by their regions.
    pub regions: bool,
    /// Games of fixed conflicts are decided by weighing.
    pub weighing: bool,
    /// Games of fixed conflicts are decided by the walls of their regions (`conflict/walls.rs`).
    pub walls: bool,
    /// Placements in games of fixed conflicts that exclude no more than others do are left out.
    pub inferior: bool,
    /// The order also counts what won and what failed elsewhere in the search (`history.rs`).
    pub history: bool,
    /// One search refutes many replies (`cover.rs`).
    pub covers: bool,
    /// One search refutes the replies on several points (`ghosts.rs`).
    pub ghosts: bool,
    /// Covers refute the first reply too where a node is expected to be lost.
    pub first_covers: bool,
    /// A covering position is searched in turn with the replies that it covers, where refutations
    /// are long.
    pub race: bool,
    /// Other placements have their turn where one takes long (`turns.rs`).
    pub turns: bool,
    /// A position takes its value from a searched one that covers it or that it covers
    /// (`dominance.rs`).
    pub dominance: bool,
    /// Dominance counts only the pairs that the winner uses (`used.rs`).
    pub used: bool,
    /// A reply is searched with the whole hand first, and others on its point fall with it
    /// (`alike.rs`).
    pub alike: bool,
    /// Replies on other points that touch nothing of a refutation fall with it (`elsewhere.rs`).
    pub elsewhere: bool,
    /// The mirror theorem decides positions of games of fixed conflicts.
    pub mirror: bool,
}

impl SearchFeatures {
    /// Every feature on.
    pub const ALL: SearchFeatures = SearchFeatures {
        denial: true,
        canonical: true,
        nameless: true,
        bounds: true,
        conflicts: true,
        regions: true,
        weighing: true,
        walls: true,
        inferior: true,
        history: true,
        covers: true,
        ghosts: true,
        first_covers: true,
        race: true,
        turns: true,
        dominance: true,
        used: true,
        alike: true,
        elsewhere: true,
        mirror: true,
    };
}
