//! The answers of this program's engines to requests.

use crate::engine::{Engine, Reference, Transition};
use crate::position::{Action, Game, Position};

use super::protocol::Answer;

/// Returns the answer to `moves`: status and legal actions.
#[must_use]
pub fn moves(engine: &dyn Engine, position: &Position) -> Answer {
    let game = engine.game();
    Answer::Moves {
        status: engine.status(position).name().to_owned(),
        actions: game.texts(&engine.sorted_actions(position)),
    }
}

/// Returns the answer to `apply`: the result of an action; for an illegal one, the clause that the
/// reference engine charges it with.
#[must_use]
pub fn apply(engine: &dyn Engine, position: &Position, action: Action) -> Answer {
    match engine.transition(position, action) {
        Some(transition) => applied(engine, &transition),
        None => Answer::Illegal { clause: clause(engine.game(), position, action) },
    }
}

pub(super) fn applied(engine: &dyn Engine, transition: &Transition) -> Answer {
    let game = engine.game();
    Answer::Applied {
        position: transition.next.display(game).to_string(),
        status: engine.status(&transition.next).name().to_owned(),
        returned: game.pods().ids(&transition.returned),
        removed: game.pods().ids(&transition.removed),
    }
}

fn clause(game: &Game, position: &Position, action: Action) -> Option<String> {
    Reference::new(game.clone()).check(position, action).err().map(|illegal| illegal.clause.to_string())
}
