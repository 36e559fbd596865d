//! Who is favoured in a placement game that is too large to be solved from the start, told from positions on the way.
//!
//! For each setup, positions are drawn after some plies, by random play and by a policy that plays well; each is then solved
//! exactly, as far as a limit of nodes allows. The share of positions that the first player wins comes with its Wilson
//! interval. It is a statement about the positions that such play leads to, not about best play from the start: only the
//! openings that are solved, and they are few in a large game, say something of that.
//!
//! Within one share the positions are drawn independently. Shares are not independent of each other: with the same seed, fewer
//! plies are the beginning of more, and all orientations take the same draws.
//!
//! Positions that the limit leaves unsolved are not like the others, so their share is not guessed: beside the interval of
//! the solved ones stand the bounds that hold if all unsolved ones went one way or the other ([`Share`]).

mod ledger;
mod plan;
mod row;
mod sample;
mod share;
mod summary;
mod task;

pub use ledger::{Ledger, LedgerError, MOST_ROWS};
pub use plan::{FullError, Plan, Policy};
pub use row::{ROW_HEADER, Row};
pub use sample::{random_position, strong_position};
pub use share::{Interval, Share, wilson};
pub use summary::{SUMMARY_HEADER, Summary, summaries, write_summaries};
pub use task::{Source, Task};
