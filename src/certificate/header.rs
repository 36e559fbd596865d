//! The first line of a certificate: the setup and the claim.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{FORMAT, STRATEGIES};
use crate::files::named;
use crate::material::{BoardData, PodsData};
use crate::position::{Game, Position, RulesData};

named! {
    /// The outcome for the side to move at the root.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Claimed {
        /// The side to move wins.
        Win = "win",
        /// The other side wins.
        Loss = "loss",
        /// Neither side can force a win (R21).
        Draw = "draw",
    }
}

/// Claim of a certificate about its position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The winner.
    pub value: Claimed,
    /// In exactly how many plies; `None` for a draw and where no distance is claimed.
    pub plies: Option<u32>,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.value.name())?;
        self.plies.map_or(Ok(()), |plies| write!(f, " in exactly {plies}"))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    format: String,
    pub(super) version: u32,
    position: String,
    value: Claimed,
    plies: Option<u32>,
    board: BoardData,
    pods: PodsData,
    rules: RulesData,
}

#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) game: Game,
    pub(super) root: Position,
    pub(super) claim: Claim,
}

impl Header {
    pub(super) fn new(version: u32, game: &Game, root: &Position, claim: Claim) -> Header {
        let (board, pods) = (game.board(), game.pods());
        Header {
            format: FORMAT.to_owned(),
            version,
            position: root.display(game).to_string(),
            value: claim.value,
            plies: claim.plies,
            board: board.clone().into(),
            pods: pods.clone().into(),
            rules: RulesData::new(game.rules()),
        }
    }

    /// Returns `true` if another header has the same position of the same setup; names make no
    /// difference.
    fn is_about_the_same(&self, other: &Header) -> bool {
        let pods = |header: &Header| -> Vec<(char, String, u8)> {
            header.pods.kinds.iter().map(|pod| (pod.id, pod.legs.clone(), pod.count)).collect()
        };
        let board = |header: &Header| (header.board.points.clone(), header.board.lines.clone());
        (&self.position, board(self), pods(self), &self.rules.options)
            == (&other.position, board(other), pods(other), &other.rules.options)
    }

    /// Returns the setup, the position and the claim, if they are valid.
    pub(super) fn subject(&self) -> Result<Subject, String> {
        if self.value == Claimed::Draw && self.plies.is_some() {
            return Err("a draw has no distance (R33): plies must be null".to_owned());
        }
        let board = canonical(&self.board, "points and lines are not in order, or some are twice")?;
        let pods = canonical(&self.pods, "pods or their legs are not in order")?;
        let game = Game::new(board, pods, self.rules.rules()?);
        let root = game.parse_position(&self.position).map_err(|e| e.to_string())?;
        let claim = Claim { value: self.value, plies: self.plies };
        Ok(Subject { game, root, claim })
    }
}

/// Checks that a certificate of `root` may replace a file that begins with `head`.
///
/// Only a certificate of the same position that proves no more is replaced. `exact` says that the
/// new one proves the distance too. Names make no difference; points, lines, legs, counts and
/// options do.
///
/// # Errors
///
/// If it may not; the message says what the file is.
pub(crate) fn may_replace(head: &[u8], game: &Game, root: &Position, exact: bool) -> Result<(), String> {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Ok(there) = serde_json::from_slice::<Header>(line) else {
        return Err(format!("it is no certificate ({FORMAT}) of a version known here"));
    };
    let new = Header::new(STRATEGIES, game, root, Claim { value: Claimed::Draw, plies: None });
    if !there.is_about_the_same(&new) {
        return Err("it is a certificate of another position or setup".to_owned());
    }
    match there.plies {
        Some(plies) if !exact => Err(format!("it proves more: the distance too, {plies} plies")),
        _ => Ok(()),
    }
}

/// Converts data, which must be as this program writes them: in order, nothing twice, the bottom
/// left at `a1`.
fn canonical<T: Clone + TryFrom<D, Error = String>, D: Clone + Eq + From<T>>(
    data: &D,
    wrong: &str,
) -> Result<T, String> {
    let value = T::try_from(data.clone())?;
    if D::from(value.clone()) == *data { Ok(value) } else { Err(wrong.to_owned()) }
}
