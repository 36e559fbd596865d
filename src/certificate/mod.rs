//! Certificates: files that prove the value of a position to anyone who has the rules and trusts no
//! solver.
//!
//! A certificate holds a setup, a position, a claim about its value, and what proves the claim:
//! strategies, or a coded walk. [`prove()`] makes a certificate; [`check()`] reads it and uses
//! nothing of [`crate::solver`]. It checks strategies with the reference engine alone, and walks by
//! rules of its own, of which it compares a sample with that engine.
//!
//! # Version 1: strategies
//!
//! A strategy has one action for each position in which its side is to move, whatever the other
//! side does.
//!
//! The file is JSON Lines, each as short as JSON allows, with these fields in this order and no
//! others. So each certificate has exactly one text:
//!
//! 1. A header:
//!    `{"format":"pods-certificate","version":1,"position":…,"value":…,"plies":…,"board":…,"pods":…,"rules":…}`.
//!    `value` is `win`, `loss` or `draw` for the side to move in `position`; `plies` is the exact
//!    distance, or `null` where only the outcome is claimed. `board` has the points and the lines
//!    as they lie, already turned; `pods` the legs as their owner sees them; `rules` a rule set's
//!    name and each option by name.
//! 2. A line for each position of a strategy, sorted by position, byte by byte:
//!    `{"position":…,"action":…,"plies":…}`. The side to move is the one that follows the strategy.
//! 3. A trailer: `{"lines":…,"sha256":…}`, the number of lines of the second kind and the SHA-256
//!    of every byte before the trailer.
//!
//! ## What the lines say
//!
//! The winner's lines say: *I win within `plies` plies.* After the line's action, every answer
//! leads to a position that the winner has won, or that has a line of its own with at least two
//! plies fewer. So the numbers fall, and the game ends even where positions could repeat.
//!
//! The loser's lines, present if a distance is claimed, say: *I do not lose in fewer than `plies`
//! plies.* After the line's action, every answer leads to a position that is not lost and that has
//! a line with at most two plies fewer, until two plies are left.
//!
//! For a draw both sides have lines, with `plies` absent, that say: *I never lose.* Every answer
//! leads to a position that is not lost and has a line of its own. Nothing falls here, for a draw
//! is play without end (R21).
//!
//! If the side to move at the root follows no strategy, each of its actions counts as an answer.
//!
//! # Version 4: coded lines of a walk
//!
//! Full-size placement games have too many positions for a line each. For them the header says
//! `"version":4`, claims who wins and no distance, and what follows is what a proof chooses, bit by
//! bit, in the order in which a walk from the position asks for it. [`crate::rules::formats`]
//! describes it to the byte, [`crate::rules::lemmas`] states and proves what it rests on; the rules
//! of the walk are not shared with the search that chose. `PartFile` makes such a certificate, by
//! several threads, and goes on with one; [`prove()`] makes one of one section in memory.
//! [`check()`] reads both versions; files of versions 2 and 3, of older programs, are refused.

mod check;
mod error;
#[cfg(all(test, feature = "tables"))]
mod forged_tests;
mod header;
mod lines;
#[cfg(feature = "tables")]
mod make;
mod shown_before;
mod summary;
mod walk;

pub(crate) use check::unpack;
pub use check::{CheckOptions, Checked, check};
pub use error::{CertificateError, Fault};
pub(crate) use header::may_replace;
pub use header::{Claim, Claimed};
pub(crate) use lines::{LONGEST_TRAILER, lines_counted};
#[cfg(feature = "python")]
pub(crate) use make::check_for;
#[cfg(feature = "tables")]
pub use make::{Finished, Proof, ProofError, ProofMethod, prove};
#[cfg(feature = "tables")]
pub(crate) use make::{PartError, PartFile, Unfinished, has_too_many_positions};
pub use summary::ProofSummary;
pub use walk::Compared;

pub(crate) const FORMAT: &str = "pods-certificate";

/// The version of the format whose lines are strategies.
pub(crate) const STRATEGIES: u32 = 1;

/// The version of the format whose lines are coded bit by bit.
pub const CODED: u32 = 4;
