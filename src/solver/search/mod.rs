//! Search of placement games of any size: who wins a position of a game without moves and captures.
//!
//! A depth-first search to the end of the game. Its features can be switched off one by one
//! ([`SearchFeatures`]):
//!
//! - **denial**: placements are tried in the order of how many pairs of pod and point they take
//!   from the opponent and how few from their player;
//! - **history**: placements that won elsewhere in the search are tried earlier, those that failed
//!   later (`history.rs`);
//! - **canonical key**: the table is keyed by what the rest of the game depends on, so positions
//!   with different pasts and the same future share an entry; **nameless**: so do positions that
//!   differ only in legs that no longer matter (the proofs are in the sources, `canonical.rs`);
//! - **bounds**: matchings between pods and points give a lower and an upper bound on the
//!   placements that each side can still make, which ends many lines early (`bounds.rs`,
//!   `counting.rs`);
//! - **covers**: where an empty hand loses, one search refutes all replies on a point, by a
//!   *covering* position, which is at least as good for the loser as what any of them leads to (the
//!   proof is in the sources, `cover.rs`);
//! - **ghosts**: one search refutes the replies on several points that take nothing from the
//!   opponent, by virtual pods on all of them and passes in place of these replies (the proof is in
//!   the sources, `ghosts.rs`);
//! - **races**: where refutations are long, a covering position and the replies that it covers are
//!   searched in turn (`cover.rs`);
//! - **turns**: where a placement takes long, others are tried before it is searched on; a
//!   placement that won lately gets a longer first turn (`turns.rs`);
//! - **dominance**: where an empty hand loses, a position that the table does not know takes its
//!   value from a searched one that looks the same where its winner plays and the loser may,
//!   whatever else stands elsewhere or is in hand (the proof is in the sources, `view.rs`);
//!   **used**: of the winner's pairs only those count that its play there uses (the proof is in the
//!   sources, `used.rs`);
//! - **alike**: where a covering position has failed, a reply is searched with the whole hand, and
//!   others on its point whose further legs reach no point that is used fall with it (the proof is
//!   in the sources, `alike.rs`);
//! - **elsewhere**: replies on other points that touch nothing of what refuted some replies fall
//!   with them (the proof is in the sources, `elsewhere.rs`);
//! - **conflicts**: games of fixed conflicts, such as Snort, have a search of their own, with the
//!   features **regions**, **weighing**, **walls**, **inferior** and **mirror** (`conflict`).
//!
//! Threads share the table, and near the root each takes replies that no other one is searching
//! (`sharing.rs`). Values are exact, so the outcome does not depend on their number; only the
//! winning action that is named and the number of nodes may. With one thread every run does the
//! same.
//!
//! On a limit the answer says so, and names the actions of the root that are known to lose. The
//! table can then be saved, and another run can continue from it ([`Search::save`],
//! [`Search::load`]).
//!
//! `results/search` has what each feature saves, and what was tried and left out.

mod alike;
mod answer;
mod bounds;
mod buckets;
mod canonical;
mod choice;
mod conflict;
mod counting;
mod cover;
mod dominance;
mod elsewhere;
mod features;
mod field;
mod ghosts;
mod history;
mod key;
mod known;
mod negamax;
mod node;
mod order;
mod pages;
#[cfg(feature = "tables")]
mod proof;
#[cfg(test)]
mod random_games;
mod saved;
mod sharing;
mod table;
#[cfg(test)]
mod tests;
mod turns;
mod used;
mod view;
mod wide;

pub use answer::{Search, SearchResult};
pub use features::SearchFeatures;

pub use super::tracker::Unknown;
pub(crate) use crate::progress::HowFar;
#[cfg(feature = "tables")]
pub(crate) use field::LegBits;
pub(crate) use key::Key;
#[cfg(feature = "tables")]
pub(crate) use proof::{ProofNode, ProofSearch};
pub use saved::{Loaded, SavedError};
