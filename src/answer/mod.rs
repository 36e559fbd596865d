//! Answers questions about positions: chooses among all methods, within one set of limits.
//!
//! An [`Answerer`] tries the methods that fit the game, the cheapest first. The order, and what
//! each may take, is a plan ([`Answerer::plan`]), the same for a position and for a setup. One driver
//! runs it: all steps share one budget, and [`Answerer::spent`] counts what they took of it.
//!
//! | game | in this order |
//! | --- | --- |
//! | finished | the rules alone |
//! | any | positions of which a certificate says who wins, if the answerer has the library |
//! | any | tables on disk that hold the position |
//! | play cannot cycle | exhaustive search of few positions, or to the end if that is expected to be short; the mirror theorem; the search for the winner; then the distance by exhaustive search, as far as the limits go |
//! | play may cycle | a table in memory, solved by sweeps; retrograde analysis by hash, where few positions can be reached or a setup has no index; else alpha-beta search and forced wins, deepened ply by ply |
//!
//! An answer says what it contains ([`crate::solver::Extent`]): the value with its distance; the
//! winner alone; bounds; or nothing, with the limit that was reached and what would help. If the
//! request has no limit, a method that may run for ever gets one, and the answer names that limit:
//! 50 million nodes for the winner of a placement game, 5 million positions or more for a distance
//! when the winner is known, 20 million nodes if only looking ahead is left.
//!
//! A search that takes long keeps what it has proven in a file ([`Checkpoint`]), and goes on from
//! there.
//!
//! [`Answerer::every_action`] asks who wins after each action, [`Answerer::unfold`] tells values of
//! the position and its actions as they become known. [`Answerer::best`] names a move to play, proven
//! or guessed.

mod after_action;
mod ahead;
mod answerer;
pub mod best;
mod check;
mod checkpoint;
mod driver;
mod every_action;
mod library;
mod plan;
mod play;
mod question;
mod request;
mod rounds;
mod setup;
mod steps;
mod unfold;
mod values;

pub use after_action::{AfterAction, SomeActions};
pub use answerer::{Answerer, LookUp, over};
pub use check::Checked;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use library::{Certified, Proven, certificates};
pub(crate) use plan::FOR_LOOKING_AHEAD;
pub use plan::{Finds, Step, Used};
pub use question::solve;
pub use request::{Request, SolveError, Want};
pub(crate) use setup::SetupAnswer;
pub use setup::StartAnswer;
pub use unfold::News;
pub(crate) use values::Values;
