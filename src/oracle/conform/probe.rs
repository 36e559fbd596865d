//! Questions to a program about a position, and the differences from the reference engine's
//! answers.

use super::agrees;
use super::sequences::sequences;
use super::tested::{Reply, TestedProgram};
use crate::engine::{Engine, Reference};
use crate::oracle::GameRecord;
use crate::oracle::answer;
use crate::oracle::peer::PeerError;
use crate::oracle::protocol::{Answer, Query};
use crate::position::{Action, Game, Position, Setup};

/// A question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Probe {
    /// The game itself.
    Game,
    /// The legal actions.
    Moves,
    /// The result of an action.
    Apply(Action),
    /// Status of the game: it goes on, or who has won.
    Status,
    /// The number of action sequences.
    Perft(u32),
}

impl Probe {
    /// Returns the question as a request.
    pub(crate) fn ask(self, game: &Game, position: &Position) -> Query {
        let position = position.display(game).to_string();
        match self {
            Probe::Game => game_request(game),
            Probe::Moves => Query::Moves { position },
            Probe::Apply(action) => Query::Apply { position, action: action.display(game).to_string() },
            Probe::Status => Query::Status { position },
            Probe::Perft(depth) => Query::Perft { position, depth },
        }
    }

    /// Returns the reference engine's answer.
    pub(crate) fn expected(self, reference: &Reference, position: &Position) -> Answer {
        self.answer(reference, position)
    }

    pub(super) fn answer(self, engine: &dyn Engine, position: &Position) -> Answer {
        match self {
            Probe::Game => Answer::Ok,
            Probe::Moves => answer::moves(engine, position),
            Probe::Apply(action) => answer::apply(engine, position, action),
            Probe::Status => Answer::Status { status: engine.status(position).name().to_owned() },
            Probe::Perft(depth) => {
                let error = || Answer::error("2^64 sequences or more");
                sequences(engine, position, depth).map_or_else(error, |count| Answer::Perft { count })
            }
        }
    }
}

/// A question to which a program gives another answer than the reference engine.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The game.
    pub game: Game,
    /// The position.
    pub position: Position,
    /// The question.
    pub probe: Probe,
    /// The reference engine's answer.
    pub expected: Answer,
    /// Answer of the program.
    pub got: Reply,
}

impl Difference {
    /// Returns the difference between the answers to a question, if there is one.
    pub(super) fn of(
        game: &Game,
        position: &Position,
        probe: Probe,
        expected: Answer,
        got: Reply,
    ) -> Option<Box<Difference>> {
        if got.answer().is_some_and(|got| agrees(&expected, got)) {
            return None;
        }
        let (game, position) = (game.clone(), position.clone());
        Some(Box::new(Difference { game, position, probe, expected, got }))
    }

    /// Returns the requests that show the difference in a fresh process.
    #[must_use]
    pub(crate) fn asks(&self) -> Vec<Query> {
        let game = game_request(&self.game);
        match self.probe {
            Probe::Game => vec![game],
            probe => vec![game, probe.ask(&self.game, &self.position)],
        }
    }
}

/// Returns the game as a request. The hands are the whole set: positions that are asked for need
/// not come from the start.
pub(super) fn game_request(game: &Game) -> Query {
    Query::Game(GameRecord::of(&Setup::whole(game.clone())))
}

/// Sends the game; returns the difference, if the program refuses it.
pub(super) fn put_game(
    tested: &mut TestedProgram<'_, '_>,
    game: &Game,
    position: &Position,
) -> Result<Option<Box<Difference>>, PeerError> {
    let got = tested.ask(&game_request(game))?;
    Ok(Difference::of(game, position, Probe::Game, Answer::Ok, got))
}

/// Asks one question; returns the difference, if there is one.
pub(super) fn put(
    tested: &mut TestedProgram<'_, '_>,
    reference: &Reference,
    position: &Position,
    probe: Probe,
) -> Result<Option<Box<Difference>>, PeerError> {
    let game = reference.game();
    let expected = probe.expected(reference, position);
    let got = tested.ask(&probe.ask(game, position))?;
    Ok(Difference::of(game, position, probe, expected, got))
}
