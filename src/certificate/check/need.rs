//! What a step asks of the positions that it leads to.

/// What a side's strategy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// To win within the plies of the [`Need`].
    Win,
    /// Not to lose in fewer plies than the [`Need`] says.
    Last,
    /// Never to lose.
    Hold,
}

/// A position that a step leads to, and what its line has to say.
pub(super) struct Need {
    pub(super) position: String,
    pub(super) goal: Goal,
    /// The most plies to a win, or the fewest to a loss.
    pub(super) plies: Option<u32>,
}
