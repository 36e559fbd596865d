//! The checked position.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};

use crate::geometry::{Coord, MAX_POINTS, Point};
use crate::material::{BySide, PodKind, Side};
use crate::rules::{EmptyHand, Opening};

use super::{Game, Hand};

/// A pod on the board: whose it is and of which kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pod {
    /// The owner.
    pub side: Side,
    /// The kind.
    pub kind: PodKind,
}

/// A consistent position of one particular game (R29); finished games included.
///
/// Made from a [`super::UncheckedPosition`], by [`Game::start`] or by an engine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub(crate) occupants: Vec<Option<Pod>>,
    pub(crate) hands: BySide<Hand>,
    pub(crate) to_move: Side,
    pub(crate) open: bool,
}

/// A byte for each point, in one piece: hash tables of positions ask for little else.
impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mut bytes = [0; MAX_POINTS];
        for (byte, pod) in bytes.iter_mut().zip(&self.occupants) {
            *byte = pod.map_or(0, |pod| 1 + 2 * pod.kind.index() as u8 + pod.side.index() as u8);
        }
        hasher.write(&bytes[..self.occupants.len().min(MAX_POINTS)]);
        (self.hands, self.to_move, self.open).hash(hasher);
    }
}

impl Position {
    /// Returns the position of these parts, if [`check`](super::UncheckedPosition::check) accepts
    /// them; that method says why it does not, and takes longer.
    #[must_use]
    pub fn new(
        game: &Game,
        occupants: Vec<Option<Pod>>,
        hands: BySide<Hand>,
        to_move: Side,
        open: bool,
    ) -> Option<Position> {
        let (pods, most) = (game.pods(), Hand::whole(game.pods()));
        let is_whole = occupants.len() == game.board().len();
        let position = Position { occupants, hands, to_move, open };
        let fit = Side::BOTH.into_iter().all(|side| position.in_game(side).is_within(&most));
        let may_open = || position.hand(to_move).iter().any(|(kind, _)| pods.is_bipod(kind));
        let opens = !open || game.rules().options().opening != Opening::Any && fit && may_open();
        (is_whole && fit && opens).then_some(position)
    }

    /// Returns the pod on a point.
    ///
    /// # Panics
    ///
    /// If the point is not on the game's board.
    #[must_use]
    pub fn pod(&self, point: Point) -> Option<Pod> {
        self.occupants[point.index()]
    }

    /// Returns the pods on the board, by rising point number.
    pub fn pods(&self) -> impl Iterator<Item = (Point, Pod)> + '_ {
        self.occupants.iter().enumerate().filter_map(|(i, pod)| pod.map(|pod| (Point::new(i), pod)))
    }

    /// Returns a player's hand.
    #[must_use]
    pub fn hand(&self, side: Side) -> &Hand {
        &self.hands[side]
    }

    /// Returns a player's pods in the game: on the board and in hand.
    pub(crate) fn in_game(&self, side: Side) -> Hand {
        let mut pods = self.hands[side];
        self.pods().filter(|(_, pod)| pod.side == side).for_each(|(_, pod)| pods.add(pod.kind));
        pods
    }

    /// Returns the side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns `true` if the opening clause binds the side to move (R9, R32).
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Returns the winner by empty hands alone (R30); `None` if `empty-hand` is `loses`, or no hand
    /// is empty.
    ///
    /// A player to move without a legal action has lost too (R15, R20). This says nothing of that;
    /// an engine's status covers both.
    #[must_use]
    pub fn won_by_empty_hand(&self, game: &Game) -> Option<Side> {
        if game.rules().options().empty_hand == EmptyHand::Loses {
            return None;
        }
        [self.to_move.other(), self.to_move].into_iter().find(|side| self.hand(*side).is_empty())
    }

    /// Returns the position as one line of text, to be shown. Equal positions have the same text.
    ///
    /// # Panics
    ///
    /// If the position has a kind of pod that the game lacks, or fewer points than its board.
    #[must_use]
    pub fn display<'a>(&'a self, game: &'a Game) -> impl fmt::Display + 'a {
        PositionText(self, game)
    }
}

struct PositionText<'a>(&'a Position, &'a Game);

impl fmt::Display for PositionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionText(position, game) = self;
        let (board, pods) = (game.board(), game.pods());
        write_rows(
            f,
            board.rows().into(),
            |_| board.columns().into(),
            |coord| {
                board.point_at(coord).and_then(|point| position.pod(point)).map(|pod| (pod.side, pods.id(pod.kind)))
            },
        )?;
        let BySide { white, black } = position.hands.as_ref().map(|hand| hand.display(pods));
        write!(f, " {} {white} {black} {}", mover(position.to_move), flag(position.open))
    }
}

/// Writes the rows of a position, the top one first: pods as letters, empty places by number.
pub(super) fn write_rows(
    f: &mut fmt::Formatter<'_>,
    rows: usize,
    width: impl Fn(usize) -> usize,
    pod: impl Fn(Coord) -> Option<(Side, char)>,
) -> fmt::Result {
    for row in (0..rows).rev() {
        let mut empty = 0;
        for column in 0..width(row) {
            let Some((side, id)) = pod(Coord { row: row as u8, column: column as u8 }) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            empty = 0;
            f.write_char(if side == Side::White { id.to_ascii_uppercase() } else { id })?;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if row > 0 {
            f.write_char('/')?;
        }
    }
    Ok(())
}

/// Returns the letter of the side to move.
pub(super) const fn mover(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// Returns the last field of a position's text.
pub(super) const fn flag(open: bool) -> &'static str {
    if open { "open" } else { "-" }
}
