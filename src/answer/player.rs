//! Choice of the search that makes the guesses.

use std::fmt;
use std::str::FromStr;

use crate::rules::RuleSet;

/// The search that makes guesses where nothing is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Player {
    /// Alpha-beta search; where pods move and do not shove, a selective one.
    AlphaBeta,
    /// Monte Carlo tree search. Alpha-beta search answers in its place where a number of plies is
    /// given.
    Tree,
}

impl Player {
    /// All of them.
    pub(crate) const ALL: [Player; 2] = [Player::AlphaBeta, Player::Tree];

    /// Returns the stronger player under these rules: tree search where pods move
    /// (`results/player`).
    #[must_use]
    pub(crate) fn stronger(rules: &RuleSet) -> Player {
        if rules.options().moves { Player::Tree } else { Player::AlphaBeta }
    }

    /// Returns the name, as on the command line.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Player::AlphaBeta => "alpha-beta",
            Player::Tree => "tree",
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
