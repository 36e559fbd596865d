//! The names of methods on the command line.

use clap::ValueEnum;

use crate::solver::Method;

/// A method, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodArg {
    /// Alpha-beta search to the end, for rules under which play cannot cycle
    Exhaustive,
    /// Backward from the finished games among all positions that can be reached, for all rules
    Retrograde,
    /// A table in memory of every position with the same pods in the game, for all rules
    Sweeps,
    /// The mirror theorem, for symmetric positions of placement games
    Mirror,
    /// Search for the winner alone, for placement games of any size
    Search,
    /// Look it up in a table of --tables
    Table,
    /// Look it up in the built-in list of positions that certificates prove
    Library,
    /// Alpha-beta search and forced wins, deepened ply by ply, for all rules
    Forced,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Method {
        match method {
            MethodArg::Exhaustive => Method::Exhaustive,
            MethodArg::Retrograde => Method::Retrograde,
            MethodArg::Sweeps => Method::Sweeps,
            MethodArg::Mirror => Method::Mirror,
            MethodArg::Search => Method::Search,
            MethodArg::Table => Method::Table,
            MethodArg::Library => Method::Library,
            MethodArg::Forced => Method::Forced,
        }
    }
}
