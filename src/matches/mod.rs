//! Matches between players: engines of this program, and any program that answers `best` in the
//! conformance protocol.
//!
//! A [`Plan`] has two players ([`Spec`]), setups, and openings drawn by a seed. Each opening is
//! played twice, with the colours swapped: a pair. A [`Tally`] counts the results, and an `Sprt`
//! says when one of two claims about the players may be accepted. Games are kept as text ([`Line`])
//! in a `GamesFile`, pair by pair; [`replay`] plays them again with the reference engine and
//! reports illegal actions, wrong claims, and games that are missing or repeated.
//!
//! [`balance`] lets the player of this program play itself, to estimate which side is favoured.
//!
//! No rule ends a game in which positions repeat (R21). In a match such a game is drawn when a
//! position has occurred several times, or when it is too long ([`Conventions`]). Both are counted
//! separately, and say nothing about the value.

pub mod balance;
mod games_file;
mod opening;
mod order;
mod plan;
mod play;
mod player;
mod program;
mod ready;
mod record;
mod replay;
mod spec;
mod sprt;
mod tally;

pub(crate) use games_file::GamesFile;
pub use opening::{Opening, OpeningError};
pub use plan::{Plan, PlanError};
pub use play::{Clock, Conventions, End, Pair, Played, Proof};
pub use ready::Ready;
pub(crate) use record::UNCLOSED;
pub use record::{EndLine, GameLine, Header, Line, SetupLine};
pub use replay::{ReplayError, Replayed, replay};
pub(crate) use spec::within_a_day;
pub use spec::{Budget, Spec, SpecError};
pub(crate) use sprt::{Decision, Sprt};
pub use tally::{Tally, WinDrawLoss};
