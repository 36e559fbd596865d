//! Estimates who is favoured in a placement game that is too large to be solved from the start,
//! from sampled positions.
//!
//! For each setup, positions are drawn after a number of plies, by random play and by a policy that
//! plays well. Each is solved exactly, up to a limit of nodes. The report gives the share of
//! positions that the first player wins, with its Wilson interval. This share describes the
//! positions that such play leads to, not best play from the start. Only solved openings say
//! something about best play, and in a large game they are few; those that another run has decided
//! can be taken from its file ([`KnownOpenings`]).
//!
//! Within one share the positions are drawn independently. Shares are not independent of each
//! other: with the same seed, the play to an earlier ply is the beginning of that to a later one,
//! and all orientations use the same random numbers.
//!
//! The positions that the limit leaves unsolved are not like the others, so their share is not
//! guessed. Besides the interval of the solved ones the report gives the bounds that hold if all
//! unsolved ones are lost, or all won ([`Share`]).

mod known;
mod ledger;
mod plan;
mod row;
mod sample;
mod share;
mod summary;
mod task;

pub use known::{KnownError, KnownOpening, KnownOpenings};
pub use ledger::{Ledger, MOST_ROWS};
pub use plan::{FullError, Plan, Policy};
pub use row::{Row, SampleRecord};
pub use sample::random_position;
pub(crate) use share::wilson_of_share;
pub use share::{Interval, Share, wilson};
pub use summary::{Summary, SummaryRecord, summaries};
pub use task::{Source, Task};
