//! Choice of the search that makes the guesses.

use std::str::FromStr;

use crate::files::named;
use crate::rules::RuleSet;

named! {
    /// The search that makes guesses where nothing is proven.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Player {
        /// Alpha-beta search; where pods move and do not shove, a selective one.
        AlphaBeta = "alpha-beta",
        /// Monte Carlo tree search. Alpha-beta search answers in its place where a number of plies
        /// is given.
        Tree = "tree",
    }
}

impl Player {
    /// All of them.
    pub(crate) const ALL: [Player; 2] = [Player::AlphaBeta, Player::Tree];

    /// Returns the stronger player under these rules: tree search where pods move
    /// (`results/player`).
    pub(crate) fn stronger(rules: &RuleSet) -> Player {
        if rules.options().moves { Player::Tree } else { Player::AlphaBeta }
    }
}

/// No player has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the players are alpha-beta and tree")]
pub struct NoPlayer;

impl FromStr for Player {
    type Err = NoPlayer;

    fn from_str(text: &str) -> Result<Player, NoPlayer> {
        Player::ALL.into_iter().find(|player| player.name() == text).ok_or(NoPlayer)
    }
}
