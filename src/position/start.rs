//! The start of a game: an empty board, two hands, and whose turn it is.

use super::{Game, Hand, Position};
use crate::material::{BySide, Side};
use crate::rules::Opening;

/// Reasons why hands do not start a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The first player must open with a bipod and has none (R9).
    #[error(
        "{0} must open with a bipod (R9) and has none in hand: give {0} a pod with exactly two legs, or set opening=any"
    )]
    NoBipod(Side),
    /// A hand has more of a kind than the set (R3, R29).
    #[error("{side} is given {given} of pod {id:?}, the pod set {set} has {count} for each player (R3)")]
    TooMany {
        /// The side of the hand.
        side: Side,
        /// The pod's id.
        id: char,
        /// Number that the hand has.
        given: u8,
        /// Number that the set has.
        count: u8,
        /// The name of the set.
        set: String,
    },
}

impl Game {
    /// Returns the starting position with all pods of the set in both hands and White to move.
    ///
    /// # Errors
    ///
    /// If White has to open with a bipod and the set has none (R9).
    pub fn whole_start(&self) -> Result<Position, StartError> {
        let hand = Hand::whole(self.pods());
        self.start(hand, hand, Side::White)
    }

    /// Returns the starting position: an empty board, these hands, `first` to move and bound by the
    /// opening clause if the rules have it (R8, R9; for Black to start, R34).
    ///
    /// # Errors
    ///
    /// If `first` has to open with a bipod and holds none (R9), or a hand has more of a pod than
    /// the set.
    pub fn start(&self, white: Hand, black: Hand, first: Side) -> Result<Position, StartError> {
        for (side, hand) in [(Side::White, &white), (Side::Black, &black)] {
            for (kind, given) in hand.iter() {
                let (spec, set) = (self.pods().spec(kind), self.pods().name().to_owned());
                if given > spec.count {
                    return Err(StartError::TooMany { side, id: spec.id, given, count: spec.count, set });
                }
            }
        }
        let open = self.rules().options().opening == Opening::Bipod;
        let position = Position {
            occupants: vec![None; self.board().len()],
            hands: BySide { white, black },
            to_move: first,
            open,
        };
        if open && !position.hand(first).iter().any(|(kind, _)| self.pods().is_bipod(kind)) {
            return Err(StartError::NoBipod(first));
        }
        Ok(position)
    }
}
