//! Playing an action, with the reason where it is illegal. The engines do not know each other, so
//! this stands above them.

use super::{Engine, Illegal, Reason, Reference, Transition};
use crate::position::{Action, Game, Position};
use crate::rules::Clause;

/// Every engine plays, and says why it does not.
pub trait Play: Engine {
    /// Returns the result of a legal action, with what it captures.
    ///
    /// # Errors
    ///
    /// If the action is illegal, the clause that forbids it, and what is to blame.
    fn apply(&self, position: &Position, action: Action) -> Result<Transition, Illegal> {
        self.transition(position, action).ok_or_else(|| why_illegal(self.game(), position, action))
    }
}

impl<E: Engine + ?Sized> Play for E {}

fn why_illegal(game: &Game, position: &Position, action: Action) -> Illegal {
    let reference = Reference::new(game.clone());
    let (clause, reason) = match action {
        _ if reference.is_of_this_game(action) => match reference.check(position, action) {
            Err(illegal) => return illegal,
            Ok(()) => (Clause::R10, Reason::OnlyThisEngine),
        },
        Action::Place { kind, .. } if !game.pods().kinds().any(|own| own == kind) => (Clause::R3, Reason::Unknown),
        _ => (Clause::R1, Reason::Unknown),
    };
    Illegal { clause, reason }
}
