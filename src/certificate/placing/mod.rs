//! Proofs of who wins a placement game, for positions with too many continuations for a line each.
//!
//! Nothing moves and nothing is captured. The walk ([`walk`]) shows that one side, the *winner*,
//! wins; the other side is the *loser*. It goes depth first from the position. A position is won
//!
//! - if the winner has won it by an empty hand (R16), if it was shown before, or if the numbers of
//!   placements ([`counting`]) or the mirror ([`mirror`]) decide it;
//! - if the next line says that a later section shows it, or that an earlier one has;
//! - with the winner to move, if the position after the placement in the next line of the
//!   certificate is won;
//! - with the loser to move, if the position after each reply, or a cover of it, is won. Replies
//!   are followed in the order of points, and on each point in the order of kinds. The next line
//!   lists the covered points. Where no reply is legal there is no line (R15).
//!
//! **Covers.** Let an empty hand lose. On a covered point all replies are refuted at once: the
//! loser has a pod there with all legs of all kinds that could be placed there, and its whole hand.
//! If the winner wins that position, the winner wins after each of the replies. *Proof.* Continue
//! both by the same placements. The points held are the same, so are the runs of lines (R5) and the
//! liberties (R7), and a pod placed on a point reaches the same opposing pods (R11). The loser's
//! pods attack at least as many points in the cover, the winner's the same (R12). So what the
//! winner may place in the cover, the winner may place after the reply, and what the loser may
//! place after the reply, the loser may place in the cover, having the pod (R10). So the winner's
//! strategy in the cover also wins after the reply (R15). This holds for pods with any legs on the
//! board, so for covers of covers too.

mod choices;
mod counting;
mod essence;
mod mirror;
#[cfg(test)]
mod plain;
mod situation;
#[cfg(test)]
mod tests;
mod walk;

use serde::{Deserialize, Serialize};

pub(crate) use choices::{Choices, Chosen};
pub(crate) use situation::{Pairs, Situation, only_places};
pub(crate) use walk::{Guide, Walk};

/// A line of such a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Choice {
    /// The winner's placement.
    Action(String),
    /// The points on which all replies of the loser are covered.
    Covered(Vec<String>),
    /// None: that the winner wins here is shown in a section of its own ([`super::sections`]).
    Later(()),
    /// None: an earlier section has shown, or left to a section of its own, that the winner wins
    /// here.
    Shown(()),
}
