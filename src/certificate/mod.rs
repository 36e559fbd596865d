//! Certificates: files that prove the value of a position to anyone who has the rules and trusts no
//! solver.
//!
//! A certificate holds a setup, a position, a claim about its value, and the strategies that prove
//! the claim. A strategy has one action for each position in which its side is to move, whatever
//! the other side does. [`prove()`] makes a certificate from a solver's answers; [`check()`] reads
//! it with the reference engine alone and uses nothing of [`crate::solver`]; [`prove_and_check`]
//! does one after the other.
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
//! # Version 2: the choices of a walk
//!
//! Full-size placement games have too many positions for a line each. For them the header says
//! `"version":2`, claims who wins and no distance, and the second kind of line holds what a proof
//! chooses, in the order in which a walk from the position asks: `{"action":…}`, the winner's
//! placement, or `{"covered":[…]}`, the points on which all replies of the loser are refuted
//! together. The walk and its lemmas are described, with their proofs, in the sources
//! (`certificate/placing`). It plays by rules of its own, and shares nothing with the search that
//! chose. In every position without a cover it compares these rules with the reference engine.
//! [`prove_placing()`] makes such a certificate, [`check()`] reads all versions.
//!
//! # Version 3: sections
//!
//! The same in sections, with `"version":3`. The first walk begins at the position. Where it asks,
//! the next line may be `{"later":null}`: a section of its own shows that the winner wins there.
//! The sections stand in the order of these lines, each behind its heading `{"section":N}`, counted
//! from 1, and may have such lines themselves; these stand for sections behind all that are asked
//! for before. Anywhere but at the position that a walk starts from, the next line may be
//! `{"shown":null}` instead: an earlier section has shown the position, or left it to a section of
//! its own. Neither stands where the walk itself has shown it. A walk here knows a position again
//! if the rest of the game depends on the same in both (the essence, described and proven in the
//! sources), not only if all of it is the same, and does not recall what a lemma shows at sight.
//! The trailer counts the headings too.
//!
//! Whether earlier sections have shown what a section says they have is looked up when both are
//! walked, so several threads can check sections, and make them too: while one is made, what those
//! in work will show is not known to it. A file that was not finished can be gone on with.
//! [`prove_in_sections`] makes such a certificate, and [`go_on`] finishes one.

mod check;
mod coded;
mod error;
mod header;
mod keep;
mod lines;
mod maker;
mod open_ends;
mod parts;
mod placing;
mod proof;
mod prove;
mod prove_placing;
mod rewrite;
mod sections;
mod shown_before;
mod summary;
mod unfinished;

pub use check::{Checked, check, check_within};
pub use coded::Compared;
pub use error::{CertificateError, Fault};
pub(crate) use header::GameData;
pub use header::{Claim, Claimed};
pub use keep::may_replace;
pub use lines::Certificate;
pub(crate) use lines::{TRAILER_START, Trailer, canonical};
pub(crate) use maker::told;
pub(crate) use parts::{Part, join};
pub(crate) use placing::{Choices, Chosen, Guide, Pairs, Sight, Situation, union};
pub use proof::{Proof, ProofError, check_for, has_too_many_positions, prove_and_check};
pub use prove::prove;
pub use prove_placing::prove_placing;
pub use rewrite::rewrite;
pub use sections::{SectionsError, go_on, prove_in_sections};
pub use summary::ProofSummary;
pub use unfinished::{Unfinished, read_unfinished};

/// The name of the format.
pub const FORMAT: &str = "pods-certificate";

/// The version of the format whose lines are strategies.
pub const STRATEGIES: u32 = 1;

/// The version of the format whose lines are the choices of a walk.
pub const WALK: u32 = 2;

/// The version of the format whose lines are the choices of walks in sections.
pub const SECTIONS: u32 = 3;

/// The version of the format whose lines are coded bit by bit.
pub const CODED: u32 = 4;
