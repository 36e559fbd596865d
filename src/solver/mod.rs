//! Exact values of positions, and the passes that check them.
//!
//! Games that cannot cycle are searched to the end ([`Exhaustive`]); the others are solved backward
//! ([`Retrograde`]). Both have a plain twin, and both are verified position by position with the
//! reference engine. [`search`] finds the winner of placement games of any size, and [`forced`]
//! looks for forced wins under any rules.
//!
//! # Drawn examples
//!
//! ```
//! use pods::engine::{Bitboard, Engine as _};
//! use pods::material::{board_from_toml, pods_from_toml};
//! use pods::position::Game;
//! use pods::solver::{Exhaustive, Limits, Retrograde, Silent, Value};
//!
//! /// A row of points. Both sides have pods that look both ways.
//! fn row(points: &str, rules: &str) -> Bitboard {
//!     let board = format!("name = 'row'\nsource = 'drawn'\npoints = '{points}'");
//!     let pods = "name = 'few'\nsource = 'drawn'\n[[pod]]\nid = 't'\nlegs = 'e w'\ncount = 2";
//!     let (board, pods) = (board_from_toml("row", &board), pods_from_toml("few", pods));
//!     Bitboard::new(Game::new(board.unwrap(), pods.unwrap(), rules.parse().unwrap()))
//! }
//! fn solved(engine: Bitboard, position: &str) -> Value {
//!     let position = engine.game().parse_position(position).unwrap();
//!     Exhaustive::new(engine, &[&position], Limits::default()).value(&position, &Silent).unwrap()
//! }
//!
//! // o-T-o      From the middle a pod attacks both ends: Black has no action (R11, R20).
//! assert_eq!(solved(row("o-o-o", "standard"), "3 w t t -"), Value::Win(1));
//!
//! // o-o-o-o    Wherever White begins, Black has an answer that leaves White none.
//! assert_eq!(solved(row("o-o-o-o", "standard"), "4 w t2 t2 -"), Value::Loss(2));
//!
//! // T-o-o-t    Where pods move, play may never end: a draw (R21), which retrograde analysis finds.
//! let engine = row("o-o-o-o", "advanced");
//! let position = engine.game().parse_position("T2t w t t -").unwrap();
//! let table = Retrograde::build(&engine, &[&position], Limits::default(), &Silent).unwrap();
//! assert_eq!(table.value(&position), Some(Value::Draw));
//! ```

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
