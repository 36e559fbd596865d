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
//! | ideas | nodes | CPU seconds | unsolved |
//! | --- | --- | --- | --- |
//! | denial | 10,842,412 | 12.5 | 2 |
//! | denial, bounds | 5,219,558 | 9.5 | 0 |
//! | denial, residue | 3,580,034 | 7.3 | 0 |
//! | all | 1,907,315 | 5.0 | 0 |
//! | all but denial | not done in 60 s | | |
//!
//! Tried and left out, since they took more nodes: killer placements (+6 %), a history of refutations (twice as many), and
//! weights of 1 to 3 for what the opponent loses (up to +50 %).
//!
//! # Snort
//!
//! With pods of four short legs on a grid, without R13 and with hands that never end, every grid is settled at once by
//! mirroring from the second placement on (`conflict.rs`): the first player wins if a side is odd, else loses; 8 × 8 takes
//! 65 nodes, 5 × 6, 6 × 7 and 7 × 7 take 2. Without that idea, found by search alone, 6 × 6 takes 3.2 million nodes and 3.7
//! seconds.
//!
//! # How early in the game
//!
//! The same setup, one thread, random positions (`examples/frontier.rs`; rows in `results/frontier/`; CPU seconds on a
//! machine with other work):
//!
//! | ply | positions | median | 95 % | unsolved | limit of nodes | median nodes |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | 12 | 40 | 0.02 s | 0.69 s | 0 | 30 million | 7,505 |
//! | 10 | 40 | 0.36 s | 3.27 s | 0 | 30 million | 124,588 |
//! | 8 | 12 | 6.0 s | 28 s | 0 | 16 million | 2,535,535 |
//! | 7 | 6 | 5.0 s | | 1 | 60 million | 1,830,304 |
//! | 6 | 2 | 35 s, 53 s | | 0 | 50 million | |
//!
//! At ply 6 the run was ended after five minutes, with the third position unfinished: two rows say little.
//!
//! The geometric mean of the nodes grows by 10 to 13 every two plies from ply 12 to 8. If that went on, the empty board would
//! take some 10^10 nodes; but the number of placements grows faster towards the start, so this is the least to expect and
//! no forecast.

mod answer;
mod conflict;
mod counting;
mod field;
mod future;
mod negamax;
mod node;
mod order;
mod regions;
mod residue;
mod table;
#[cfg(test)]
mod tests;

pub(in crate::solver) use answer::Watch;
pub use answer::{Answer, Budget, Ideas, Search, Unknown};
pub(in crate::solver) use table::Key;
