//! Ends of a game (R15, R16, R19, R20, R28, R30).

use super::{Reference, illegal};
use crate::engine::{Illegal, Reason, Status};
use crate::material::Side;
use crate::position::Position;
use crate::rules::{Clause, EmptyHand};

impl Reference {
    /// Returns the status: an empty hand may have won (R16, R19, R30); else a player to move
    /// without a legal action has lost (R15, R20; shoves and kicks are actions too, R28).
    pub(super) fn status_of(&self, position: &Position) -> Status {
        if let Some(winner) = self.winner_by_empty_hand(position) {
            Status::Won(winner)
        } else if self.is_stuck(position) {
            Status::Won(position.to_move().other())
        } else {
            Status::Ongoing
        }
    }

    /// Returns the winner by an empty hand (R30, and R16 and R19 in play): if one wins, the player
    /// not to move is asked first, then the one to move.
    pub(super) fn winner_by_empty_hand(&self, position: &Position) -> Option<Side> {
        let (mover, waiting) = (position.to_move(), position.to_move().other());
        match self.options().empty_hand {
            EmptyHand::Loses => None,
            EmptyHand::Wins if position.hand(waiting).is_empty() => Some(waiting),
            EmptyHand::Wins if position.hand(mover).is_empty() => Some(mover),
            EmptyHand::Wins => None,
        }
    }

    /// Checks that nobody has won: no action is legal once an empty hand has (R30).
    pub(super) fn nobody_has_won(&self, position: &Position) -> Result<(), Illegal> {
        match self.winner_by_empty_hand(position) {
            Some(winner) => illegal(Clause::R30, Reason::Finished(winner)),
            None => Ok(()),
        }
    }

    /// Returns `true` if the player to move has no legal action (R15, R20).
    fn is_stuck(&self, position: &Position) -> bool {
        !self.candidates(position).any(|action| self.check(position, action).is_ok())
    }
}
