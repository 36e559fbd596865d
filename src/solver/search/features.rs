//! The features of the search, each behind a switch.

/// Which of the search's features are on: for measuring what each is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchFeatures {
    /// Order placements by denial; else as they are listed.
    pub denial: bool,
    /// The table is keyed by the canonical key; else by the whole position.
    pub canonical: bool,
    /// Leave out of the canonical key which kinds are which and the legs that do not matter.
    pub nameless: bool,
    /// Bounds by matchings.
    pub bounds: bool,
    /// Games of fixed conflicts, such as Snort, are searched as what they are: two sets of points.
    pub conflicts: bool,
    /// Positions of games of fixed conflicts are known by their regions.
    pub regions: bool,
    /// Games of fixed conflicts are decided by weighing.
    pub weighing: bool,
    /// One search refutes many replies (`cover.rs`).
    pub covers: bool,
    /// Where refutations are long, a covering position is searched in turn with the replies that it covers.
    pub race: bool,
    /// Positions that another one covers are known by it (`dominance.rs`).
    pub dominance: bool,
    /// The mirror theorem at inner positions of games of fixed conflicts.
    pub mirror: bool,
}

impl SearchFeatures {
    /// Every idea.
    pub const ALL: SearchFeatures = SearchFeatures {
        denial: true,
        canonical: true,
        nameless: true,
        bounds: true,
        conflicts: true,
        regions: true,
        weighing: true,
        covers: true,
        race: true,
        dominance: true,
        mirror: true,
    };
}
