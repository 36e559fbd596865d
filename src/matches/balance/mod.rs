//! Who is favoured in a game that is too large to be solved, by play: games of the player of `pods best` against itself.
//!
//! A [`Balance`] has setups, and [`Strength`]s by nodes an action, so that every run plays the same games. Each game begins with
//! an opening of random placements. Setups that differ in their rules alone share their openings, and so do all strengths: what
//! a rule changes is counted opening by opening ([`Change`]). Whoever starts, the other hand plays equally well, so a game needs
//! no second one with swapped players. It is played with both starters where that is another game ([`Start`]).
//!
//! The share of games that the first player wins is that of play of this strength from such openings. It is not the value of
//! the game, which such play does not settle; shares at several strengths show whether it moves.
//!
//! Games are kept in the format of [`super::Line`], one file for each strength ([`Ledger`]). All figures are made from what is
//! kept ([`rows`]), so that a run that was killed and one that was not end with the same.

mod change;
mod course;
mod ledger;
mod page;
mod plan;
mod row;

pub use change::{Change, paired_difference};
pub use course::Course;
pub use ledger::{Ledger, MOST_GAMES};
pub use page::balance_page;
pub use plan::{Balance, MEMORY, MOST, Prepared, Start, Strength};
pub use row::{ROW_HEADER, Row, TEXTS, rows, write_balance};
