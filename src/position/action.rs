//! Actions and their notation.

use std::fmt;

use crate::files::shortened;
use crate::geometry::{Coord, Point};
use crate::material::PodKind;

use super::Game;

/// An action: what a player does in one turn (R10, R17, R22, R24). It need not be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A pod from hand goes to a point.
    Place {
        /// Kind of the pod.
        kind: PodKind,
        /// Target point.
        at: Point,
    },
    /// A pod goes to an empty point.
    Move {
        /// The point that it stands on.
        from: Point,
        /// Target point.
        to: Point,
    },
    /// A pod takes the place of another one and pushes it, and what stands behind it, on by one
    /// point.
    Shove {
        /// The point that it stands on.
        from: Point,
        /// Target point.
        to: Point,
    },
    /// A pod takes the place of its neighbour, which slides on.
    Kick {
        /// The point that it stands on.
        from: Point,
        /// Target point.
        to: Point,
        /// By how many points the kicked pod slides, from 1.
        distance: u8,
    },
}

/// Reasons why a text is not an action of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// It is not in the notation of actions.
    #[error(
        "{:?} is no action: write b@c3 to place, c3-c5 to move, c3>c5 to shove, c3>c4+2 to kick the pod on c4 by 2",
        shortened(.0)
    )]
    Notation(String),
    /// There is no such point.
    #[error("in {:?}: {coord} is no point of the board (R1)", shortened(action))]
    NoPoint {
        /// The whole text.
        action: String,
        /// The place.
        coord: Coord,
    },
    /// There is no such pod.
    #[error("in {:?}: the pod set has no pod {id} (R3)", shortened(action))]
    NoPod {
        /// The whole text.
        action: String,
        /// The id.
        id: char,
    },
}

/// An action as it is written: by the names of points and pods, for any game. It need not be
/// possible in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum WrittenAction {
    /// A pod from hand goes to a point.
    Place { id: char, at: Coord },
    /// A pod goes to an empty point.
    Move { from: Coord, to: Coord },
    /// A pod pushes what stands on a point on, and takes its place.
    Shove { from: Coord, to: Coord },
    /// A pod takes the place of its neighbour, which slides on.
    Kick {
        from: Coord,
        to: Coord,
        /// By how many points the kicked pod slides.
        distance: u8,
    },
}

impl WrittenAction {
    /// Reads the notation of an action.
    ///
    /// # Errors
    ///
    /// If the text is not in the notation.
    pub(crate) fn parse(text: &str) -> Result<WrittenAction, ActionError> {
        let notation = || ActionError::Notation(text.to_owned());
        let place = |name: &str| name.parse::<Coord>().map_err(|_| notation());
        if let Some((id, at)) = text.split_once('@') {
            let mut letters = id.chars();
            let (Some(id @ 'a'..='z'), None) = (letters.next(), letters.next()) else { return Err(notation()) };
            Ok(WrittenAction::Place { id, at: place(at)? })
        } else if let Some((from, to)) = text.split_once('-') {
            Ok(WrittenAction::Move { from: place(from)?, to: place(to)? })
        } else if let Some((from, to)) = text.split_once('>') {
            match to.split_once('+') {
                None => Ok(WrittenAction::Shove { from: place(from)?, to: place(to)? }),
                Some((to, digits)) => {
                    let plain = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
                    let distance = digits.parse::<u8>().ok().filter(|_| plain).ok_or_else(notation)?;
                    Ok(WrittenAction::Kick { from: place(from)?, to: place(to)?, distance })
                }
            }
        } else {
            Err(notation())
        }
    }

    /// Finds the points and the pod of a game that the action names.
    ///
    /// # Errors
    ///
    /// If the game lacks one of them.
    pub(crate) fn of(self, game: &Game) -> Result<Action, ActionError> {
        let point = |coord| {
            let missing = || ActionError::NoPoint { action: self.to_string(), coord };
            game.board().point_at(coord).ok_or_else(missing)
        };
        Ok(match self {
            WrittenAction::Place { id, at } => {
                let at = point(at)?;
                let missing = || ActionError::NoPod { action: self.to_string(), id };
                Action::Place { kind: game.pods().kind(id).ok_or_else(missing)?, at }
            }
            WrittenAction::Move { from, to } => Action::Move { from: point(from)?, to: point(to)? },
            WrittenAction::Shove { from, to } => Action::Shove { from: point(from)?, to: point(to)? },
            WrittenAction::Kick { from, to, distance } => Action::Kick { from: point(from)?, to: point(to)?, distance },
        })
    }
}

impl fmt::Display for WrittenAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrittenAction::Place { id, at } => write!(f, "{id}@{at}"),
            WrittenAction::Move { from, to } => write!(f, "{from}-{to}"),
            WrittenAction::Shove { from, to } => write!(f, "{from}>{to}"),
            WrittenAction::Kick { from, to, distance } => write!(f, "{from}>{to}+{distance}"),
        }
    }
}

impl Action {
    /// Returns the notation, to be shown.
    ///
    /// # Panics
    ///
    /// If the game lacks a point or the pod of the action.
    #[must_use]
    pub fn display(self, game: &Game) -> impl fmt::Display + use<> {
        game.written(self)
    }
}

impl Game {
    /// Returns actions as [`Action::display`] writes them.
    pub(crate) fn texts<'a>(&self, actions: impl IntoIterator<Item = &'a Action>) -> Vec<String> {
        actions.into_iter().map(|action| action.display(self).to_string()).collect()
    }

    /// Returns the action by the names of its points and its pod.
    ///
    /// # Panics
    ///
    /// If the game lacks a point or the pod of the action.
    pub(crate) fn written(&self, action: Action) -> WrittenAction {
        let name = |point| self.board().coord(point);
        match action {
            Action::Place { kind, at } => WrittenAction::Place { id: self.pods().id(kind), at: name(at) },
            Action::Move { from, to } => WrittenAction::Move { from: name(from), to: name(to) },
            Action::Shove { from, to } => WrittenAction::Shove { from: name(from), to: name(to) },
            Action::Kick { from, to, distance } => WrittenAction::Kick { from: name(from), to: name(to), distance },
        }
    }

    /// Returns a number that orders actions like their notation. Its bytes, from the highest, are
    /// those of the text, at most eleven, then zeros; so a text precedes every longer one that
    /// begins with it.
    fn order(&self, action: Action) -> u128 {
        let mut key = Key::default();
        match action {
            Action::Place { kind, at } => {
                key.byte(self.pods().id(kind) as u8);
                key.byte(b'@');
                key.place(self.board().coord(at));
            }
            Action::Move { from, to } | Action::Shove { from, to } | Action::Kick { from, to, .. } => {
                key.place(self.board().coord(from));
                key.byte(if matches!(action, Action::Move { .. }) { b'-' } else { b'>' });
                key.place(self.board().coord(to));
            }
        }
        if let Action::Kick { distance, .. } = action {
            key.byte(b'+');
            key.number(distance);
        }
        key.bytes
    }

    /// Reads the notation of an action.
    ///
    /// # Errors
    ///
    /// If the text is not in the notation, or names a point or a pod that the game lacks.
    pub fn parse_action(&self, text: &str) -> Result<Action, ActionError> {
        WrittenAction::parse(text)?.of(self)
    }

    /// Sorts actions by their notation, byte by byte.
    ///
    /// # Panics
    ///
    /// If the game lacks a point or the pod of an action.
    pub fn sort_actions(&self, actions: &mut [Action]) {
        actions.sort_by_cached_key(|&action| self.order(action));
    }
}

/// A short text as a number that is built byte by byte.
#[derive(Default)]
struct Key {
    bytes: u128,
    length: u32,
}

impl Key {
    fn byte(&mut self, byte: u8) {
        self.length += 1;
        self.bytes |= u128::from(byte) << (u128::BITS - 8 * self.length);
    }

    fn number(&mut self, number: u8) {
        for power in [100, 10] {
            if number >= power {
                self.byte(b'0' + number / power % 10);
            }
        }
        self.byte(b'0' + number % 10);
    }

    fn place(&mut self, at: Coord) {
        self.byte(b'a' + at.column);
        self.number(at.row + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Board, PodSet, PodSpec};
    use crate::rules::Preset;

    /// Returns every action that can be written down on a board without lines, kicks by some
    /// distances of one to three digits.
    fn all_actions(columns: u8, rows: u8) -> (Game, Vec<Action>) {
        let points = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column }));
        let spec = |id| PodSpec { id, name: String::new(), legs: "n".parse().unwrap(), count: 1 };
        let pods = PodSet::new("all", "test", ('a'..='z').map(spec).collect()).unwrap();
        let game = Game::new(Board::new("bare", "test", points, []).unwrap(), pods, Preset::VeryAdvanced.into());
        let mut actions = Vec::new();
        for from in game.board().points() {
            actions.extend(game.pods().kinds().map(|kind| Action::Place { kind, at: from }));
            for to in game.board().points() {
                actions.extend([Action::Move { from, to }, Action::Shove { from, to }]);
                let slides = [0, 1, 2, 9, 10, 11, 19, 99, 100, 101, 110, 255];
                actions.extend(slides.map(|distance| Action::Kick { from, to, distance }));
            }
        }
        (game, actions)
    }

    #[test]
    fn the_order_of_actions_is_that_of_their_texts() {
        for (columns, rows) in [(26, 2), (2, 26), (8, 8), (3, 12), (1, 1)] {
            let (game, mut actions) = all_actions(columns, rows);
            for &action in &actions {
                let bytes = game.order(action).to_be_bytes();
                let text = action.display(&game).to_string();
                assert_eq!(bytes.split(|&byte| byte == 0).next().unwrap(), text.as_bytes());
                assert!(bytes[text.len()..].iter().all(|&byte| byte == 0), "{text}");
            }
            // Not in the order in which they were made.
            let half = actions.len() / 2;
            actions.rotate_left(half);
            let mut by_text = actions.clone();
            by_text.sort_by_cached_key(|&action| action.display(&game).to_string());
            game.sort_actions(&mut actions);
            assert_eq!(actions, by_text);
        }
    }
}
