//! The search's ideas, each behind a switch.

/// Which of the search's ideas are on: for measuring what each is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ideas {
    /// Order placements by denial; else as they are listed.
    pub denial: bool,
    /// Key the table by the residue; else by the whole position.
    pub residue: bool,
    /// Leave out of the residue which kinds are which and the legs that do not matter.
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
    /// The mirror theorem at inner positions of games of fixed conflicts.
    pub mirror: bool,
}

impl Ideas {
    /// Every idea.
    pub const ALL: Ideas = Ideas {
        denial: true,
        residue: true,
        nameless: true,
        bounds: true,
        conflicts: true,
        regions: true,
        weighing: true,
        covers: true,
        mirror: true,
    };
}
