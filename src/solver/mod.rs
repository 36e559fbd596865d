//! Exact values of positions, and the passes that check them.
//!
//! Games that cannot cycle are searched to the end ([`Exhaustive`]); the others are solved backward
//! ([`Retrograde`]). Both have a plain twin, and both are verified position by position with the
//! reference engine. [`search`] finds the winner of placement games of any size, and [`forced`]
//! looks for forced wins under any rules.

mod exhaustive;
mod exhaustive_verify;
pub mod forced;
mod limits;
pub mod memory;
mod mirror;
mod packing;
mod plain;
mod play_graph;
mod predict;
mod random_play;
mod retrograde;
pub mod search;
mod solution;
mod tracker;
mod value;
mod verify;

pub(crate) use crate::progress::{MemoryLimit, Prediction};
pub use crate::progress::{Observer, Phase, Silent, Stopped};
pub use exhaustive::Exhaustive;
pub(crate) use exhaustive::Knowledge;
pub use limits::Limits;
pub use mirror::{NoMirror, mirror_board, mover_loses_by_mirror};
pub use plain::{plain_exhaustive, plain_retrograde};
pub(crate) use play_graph::PlayGraph;
pub use predict::positions_at_most;
pub use random_play::random_play_score;
pub use retrograde::Retrograde;
pub use solution::{Extent, Finding, Method, Solution, Unsolved, Verdict};
pub use tracker::{Tracker, Unknown};
#[cfg(feature = "tables")]
pub(crate) use value::{BEST_SCORE, score_after, score_before};
pub use value::{Outcome, Plies, Value};
pub(crate) use verify::Derived;
pub use verify::Discrepancy;
