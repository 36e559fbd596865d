//! Requirements of a step on the lines of the positions that it leads to.

/// The goal of a side's strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// To win within the plies of the [`Need`].
    Win,
    /// Not to lose in fewer plies than the [`Need`] says.
    Last,
    /// Never to lose.
    Hold,
}

/// A position that a step leads to, and what its line must say.
pub(super) struct Need {
    pub(super) position: String,
    pub(super) goal: Goal,
    /// The most plies to a win, or the fewest to a loss.
    pub(super) plies: Option<u32>,
}
