//! Chooses an action to play in games of any size, within a budget, and keeps proofs and guesses
//! apart.
//!
//! A search to the end is tried where it may succeed; where it fails, a heuristic search answers.
//! Proven and guessed results have different types ([`Judgement`]), and nothing turns a [`Guess`]
//! into a value.
//!
//! 1. Alpha-beta search to 1, 2, 3 … plies, with a small part of the budget. It sees wins and
//!    losses that are near, with their exact distances (the proof is in the sources, `deepen.rs`).
//! 2. With a share of the rest, a proof: in games without moves and captures the search for the
//!    winner ([`crate::solver::search`]); in the others a table in memory, if there are few
//!    positions, which also proves draws, and proof-number search for a forced win within ever more
//!    plies ([`crate::solver::forced`]).
//! 3. Else a guess, without the actions that are known to lose. Where pods move, it is by Monte
//!    Carlo tree search; the wins and losses that it backs up its tree are proven (`tree/`). A
//!    position that comes back, in the game or on a line, counts as a draw in its guesses (R21), so
//!    a player that looks better off goes on. Threads grow one tree, and all together they keep to
//!    the nodes of the limits. Elsewhere the alpha-beta search of step 1 looks further ahead.
//! 4. The proof methods of step 2 are tried on the position after the action that looks best. If
//!    the opponent wins there, the action is dropped, and step 3 is repeated; if the opponent loses
//!    there, the action is a proven win.
//!
//! So an action that was shown to lose is played only if all actions were.
//!
//! The guesses of the tree weigh what each side could place and move, what it holds, attacks, and
//! may lose (`weights.rs`); the weights are learned from games.
//! The other guesses count pairs of pod and point that each side could place and points that only
//! one side could use (`evaluate.rs`). `results/player` has how strong the players are.

mod answer;
mod choose;
mod deepen;
mod evaluate;
#[cfg(test)]
mod games;
mod prove;
#[cfg(test)]
mod tests;
mod tree;
mod weights;

use crate::rules::RuleSet;
use crate::solver::Method;

pub use answer::{Best, Choice, Guess, Judgement};
pub(super) use choose::choose;

/// Returns the search that makes the guesses under these rules: tree search where pods move, else
/// alpha-beta search (`results/player`).
#[must_use]
pub fn guess_method(rules: &RuleSet) -> Method {
    if rules.options().moves { Method::Tree } else { Method::AlphaBeta }
}
