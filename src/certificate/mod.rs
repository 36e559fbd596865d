//! Certificates: files that prove the value of a position to anyone who has the rules and trusts no
//! solver.
//!
//! A certificate holds a setup, a position, a claim about its value, and the strategies that prove
//! the claim. A strategy has one action for each position in which its side is to move, whatever
//! the other side does. [`prove()`] makes a certificate; [`check()`] reads it with the reference
//! engine alone and uses nothing of [`crate::solver`].
//!
//! # The file
//!
//! JSON Lines, each as short as JSON allows, with these fields in this order and no others. So each
//! certificate has exactly one text:
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
//! # What the lines say
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
//! of the walk are its own, and shared neither with the search that chose nor with the walks of
//! older versions. A sample of its situations is compared with the reference engine.
//! [`PartFile`] makes such a certificate, by several threads, and goes on with one;
//! [`prove()`] makes one of one section in memory. [`check()`] reads all versions.
//!
//! # Versions 2 and 3
//!
//! The same as lines of JSON: `{"action":…}`, the winner's placement, or `{"covered":[…]}`, the
//! points on which all replies of the loser are refuted together. There is no line where the walk
//! finds by itself that the winner wins: by a lemma, or since it has shown the situation before. So
//! they depend on how it counts (`certificate/placing`), which must not change. Version 3 has
//! sections: `{"later":null}` leaves a situation to one of them, each behind its heading
//! `{"section":N}`, and `{"shown":null}` says that an earlier one has shown it. They are read and
//! no longer written; [`rewrite`] makes one of version 4 of one of version 2.

mod check;
mod coded;
mod error;
#[cfg(all(test, feature = "tables"))]
mod forged_tests;
mod header;
mod keep;
mod lines;
#[cfg(feature = "tables")]
mod maker;
mod open_ends;
#[cfg(feature = "tables")]
mod part_file;
mod placing;
#[cfg(feature = "tables")]
mod proof;
#[cfg(feature = "tables")]
mod prove;
#[cfg(feature = "tables")]
mod prove_placing;
#[cfg(feature = "tables")]
mod rewrite;
#[cfg(feature = "tables")]
mod sections;
mod shown_before;
mod summary;
#[cfg(feature = "tables")]
mod unfinished;

pub use check::{CheckOptions, Checked, check};
pub use coded::Compared;
pub use error::{CertificateError, Fault};
pub use header::{Claim, Claimed};
pub use keep::may_replace;
#[cfg(feature = "tables")]
pub use part_file::{Finished, PartFile};
#[cfg(feature = "python")]
pub(crate) use proof::check_for;
#[cfg(feature = "tables")]
pub use proof::{PartError, Proof, ProofError, ProofMethod, has_too_many_positions, prove};
#[cfg(feature = "tables")]
pub use rewrite::rewrite;
pub use summary::ProofSummary;
#[cfg(feature = "tables")]
pub use unfinished::Unfinished;

/// The name of the format.
pub(crate) const FORMAT: &str = "pods-certificate";

/// The version of the format whose lines are strategies.
pub const STRATEGIES: u32 = 1;

/// The version of the format whose lines are the choices of a walk.
pub(crate) const WALK: u32 = 2;

/// The version of the format whose lines are the choices of walks in sections.
pub(crate) const SECTIONS: u32 = 3;

/// The version of the format whose lines are coded bit by bit.
pub const CODED: u32 = 4;
