//! Estimates who is favoured in a game that is too large to solve: the player of `pods best` plays
//! against itself.
//!
//! A [`Balance`] has setups and [`Strength`]s. A strength is a number of nodes for each action, so
//! every run plays the same games. Each game begins with an opening of random placements. Setups
//! that differ in their rules alone share their openings, and so do all strengths. So the effect of
//! a rule can be counted opening by opening ([`Change`]). Both sides are the same player, so there
//! is no second game with swapped players. A setup is played with White and with Black to start,
//! where these are different games ([`Start`]).
//!
//! The share of games that the first player wins holds for play of this strength from such
//! openings. It does not settle the value of the game. Shares at several strengths show whether the
//! share depends on the strength.
//!
//! Games are kept in the format of [`super::Line`], one file for each strength ([`Ledger`]). All
//! figures are computed from the files ([`rows`]), so a run that was killed and resumed ends with
//! the same figures as one that was not.

mod change;
mod course;
mod ledger;
mod page;
mod plan;
mod row;

pub use change::Change;
pub use course::Course;
pub use ledger::Ledger;
pub(crate) use ledger::MAX_FILE_BYTES;
pub(crate) use page::balance_page;
pub(crate) use plan::MAX_GAMES;
pub use plan::{Balance, MEMORY, Prepared, Start, Strength};
pub use row::{PlayedRecord, Row, rows};
