//! Search of placement games of any size: who wins a position of a game without moves and captures.
//!
//! A depth-first search to the end of the game with four ideas, each of which can be switched off ([`Ideas`]):
//!
//! - **denial**: placements are tried in the order of how many pairs of pod and point they take from the opponent and how
//!   few from their player;
//! - **residue**: the table is keyed by what the rest of the game depends on, so positions with different pasts and the
//!   same future are one (the proof is in the sources, `residue.rs`);
//! - **bounds**: matchings between pods and points bound the numbers of placements that the sides can surely and can at
//!   most make, which ends many lines early (`future.rs`, `counting.rs`);
//! - **threads**: helping threads try other placements first and share the table. Values are exact, so the answer does not
//!   depend on their number; only which winning action is named, and the number of nodes, may. One thread does the same in
//!   every run.
//!
//! Where a limit is reached, the answer says so, and which of the root's actions are known to lose.
//!
//! # What the ideas are worth
//!
//! Board `cave36` in all orientations, `pods14`, whole hands, `standard`, 40 positions after 12 random plies, one thread,
//! a table of 64 MiB; nodes until all are solved, at most 3 million for a position:
//!
//! | ideas | nodes | unsolved |
//! | --- | --- | --- |
//! | denial | 11,568,336 | 2 |
//! | denial, bounds | 5,230,273 | 0 |
//! | denial, residue | 3,883,539 | 0 |
//! | all | 1,907,476 | 0 |

mod answer;
mod conflict;
mod counting;
mod field;
mod future;
mod negamax;
mod node;
mod order;
mod residue;
mod table;
#[cfg(test)]
mod tests;

pub(in crate::solver) use answer::Watch;
pub use answer::{Answer, Budget, Ideas, Search, Unknown};
pub(in crate::solver) use table::Key;
