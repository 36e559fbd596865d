//! Actions and their notation.

use crate::geometry::{Coord, Point};
use crate::material::PodKind;

use super::Game;

/// What a player does in a turn (R10, R17, R22, R24). Nothing here says that it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A pod from hand goes to a point.
    Place {
        /// Which pod.
        kind: PodKind,
        /// Where to.
        at: Point,
    },
    /// A pod goes to an empty point.
    Move {
        /// Where it stands.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// A pod takes the place of another one and pushes it, and what stands behind it, on by one point.
    Shove {
        /// Where it stands.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// A pod takes the place of its neighbour, which slides on.
    Kick {
        /// Where it stands.
        from: Point,
        /// Where it ends.
        to: Point,
        /// By how many points the kicked pod slides, from 1.
        distance: u8,
    },
}

/// Why a text is not an action of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// It is not written as an action is.
    #[error(
        "{0:?} is no action: write b@c3 to place, c3-c5 to move, c3>c5 to shove, c3>c4+2 to kick the pod on c4 by 2"
    )]
    Notation(String),
    /// There is no such point.
    #[error("in {action:?}: {coord} is no point of the board (R1)")]
    NoPoint {
        /// The whole text.
        action: String,
        /// The place.
        coord: Coord,
    },
    /// There is no such pod.
    #[error("in {action:?}: the pod set has no pod {id} (R3)")]
    NoPod {
        /// The whole text.
        action: String,
        /// The id.
        id: char,
    },
}

impl Game {
    /// An action's notation.
    #[must_use]
    pub fn action_text(&self, action: Action) -> String {
        let name = |point| self.board().coord(point);
        match action {
            Action::Place { kind, at } => format!("{}@{}", self.pods().id(kind), name(at)),
            Action::Move { from, to } => format!("{}-{}", name(from), name(to)),
            Action::Shove { from, to } => format!("{}>{}", name(from), name(to)),
            Action::Kick { from, to, distance } => format!("{}>{}+{distance}", name(from), name(to)),
        }
    }

    /// Reads an action.
    ///
    /// # Errors
    ///
    /// If it is not written as an action is, or names a point or pod that is not there.
    pub fn action(&self, text: &str) -> Result<Action, ActionError> {
        let notation = || ActionError::Notation(text.to_owned());
        let point = |name: &str| {
            let coord = Coord::parse(name).ok_or_else(notation)?;
            self.board().point_at(coord).ok_or_else(|| ActionError::NoPoint { action: text.to_owned(), coord })
        };
        if let Some((id, at)) = text.split_once('@') {
            let mut letters = id.chars();
            let (Some(id @ 'a'..='z'), None) = (letters.next(), letters.next()) else { return Err(notation()) };
            let at = point(at)?;
            let kind = self.pods().kind(id).ok_or_else(|| ActionError::NoPod { action: text.to_owned(), id })?;
            Ok(Action::Place { kind, at })
        } else if let Some((from, to)) = text.split_once('-') {
            Ok(Action::Move { from: point(from)?, to: point(to)? })
        } else if let Some((from, to)) = text.split_once('>') {
            match to.split_once('+') {
                None => Ok(Action::Shove { from: point(from)?, to: point(to)? }),
                Some((to, digits)) => {
                    let plain = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
                    let distance = digits.parse::<u8>().ok().filter(|_| plain).ok_or_else(notation)?;
                    Ok(Action::Kick { from: point(from)?, to: point(to)?, distance })
                }
            }
        } else {
            Err(notation())
        }
    }

    /// Sorts actions by their notation, byte by byte.
    pub fn sort_actions(&self, actions: &mut [Action]) {
        actions.sort_by_cached_key(|&action| self.action_text(action));
    }
}
