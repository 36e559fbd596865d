//! What is asked of a program in a position, and how its answers differ from the reference engine's.

use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64;

use super::agrees;
use super::asker::{Asker, Got};
use super::peer::PeerError;
use super::sequences::sequences;
use super::tally::Tally;
use crate::engine::{Engine, Reference};
use crate::oracle::GameRecord;
use crate::oracle::answer;
use crate::oracle::illegal::near_illegal;
use crate::oracle::protocol::{Answer, Ask};
use crate::position::{Action, Game, Hand, Position};

/// A question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The game itself.
    Game,
    /// The legal actions.
    Moves,
    /// The result of an action.
    Apply(Action),
    /// Whether the game goes on.
    Status,
    /// The number of action sequences.
    Perft(u32),
}

impl Probe {
    /// The question as a request.
    #[must_use]
    pub fn ask(self, game: &Game, position: &Position) -> Ask {
        let position = position.text(game);
        match self {
            Probe::Game => game_request(game),
            Probe::Moves => Ask::Moves { position },
            Probe::Apply(action) => Ask::Apply { position, action: game.action_text(action) },
            Probe::Status => Ask::Status { position },
            Probe::Perft(depth) => Ask::Perft { position, depth },
        }
    }

    /// The reference engine's answer.
    #[must_use]
    pub fn expected(self, reference: &Reference, position: &Position) -> Answer {
        self.answer(reference, position)
    }

    /// An engine's answer.
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
    /// What the program gave.
    pub got: Got,
}

impl Difference {
    /// The difference between the answers to a question, if there is one.
    pub(super) fn of(
        game: &Game,
        position: &Position,
        probe: Probe,
        expected: Answer,
        got: Got,
    ) -> Option<Box<Difference>> {
        if got.answer().is_some_and(|got| agrees(&expected, got)) {
            return None;
        }
        let (game, position) = (game.clone(), position.clone());
        Some(Box::new(Difference { game, position, probe, expected, got }))
    }

    /// What is to be asked to see it, for a program that is started afresh.
    #[must_use]
    pub fn asks(&self) -> Vec<Ask> {
        let game = game_request(&self.game);
        match self.probe {
            Probe::Game => vec![game],
            probe => vec![game, probe.ask(&self.game, &self.position)],
        }
    }
}

/// How much is asked in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// How many legal actions are played.
    pub played: usize,
    /// How many illegal ones.
    pub illegal: usize,
    /// To what depth sequences are counted, at most; 0 for not at all.
    pub depth: u32,
}

impl Effort {
    /// All legal actions, no illegal ones, no counts.
    pub(super) const WHOLE: Effort = Effort { played: usize::MAX, illegal: 0, depth: 0 };
}

/// Sequences up to which a count is asked for.
const PERFT_LIMIT: u64 = 1500;

/// The game as a request. The hands are the whole set: positions that are asked for need not come from the start.
pub(super) fn game_request(game: &Game) -> Ask {
    let hand = Hand::whole(game.pods());
    Ask::Game(GameRecord::of(game, &hand, &hand))
}

/// Tells the program which game it is about; the difference, if it does not take it.
pub(super) fn put_game(
    asker: &mut Asker<'_, '_>,
    game: &Game,
    position: &Position,
) -> Result<Option<Box<Difference>>, PeerError> {
    let got = asker.ask(&game_request(game))?;
    Ok(Difference::of(game, position, Probe::Game, Answer::Ok, got))
}

/// Asks one question; the difference, if there is one.
pub(super) fn put(
    asker: &mut Asker<'_, '_>,
    reference: &Reference,
    position: &Position,
    probe: Probe,
) -> Result<Option<Box<Difference>>, PeerError> {
    let game = reference.game();
    let expected = probe.expected(reference, position);
    let got = asker.ask(&probe.ask(game, position))?;
    Ok(Difference::of(game, position, probe, expected, got))
}

/// Asks everything about a position that the effort allows; the first difference, if there is one.
pub(super) fn examine(
    asker: &mut Asker<'_, '_>,
    reference: &Reference,
    position: &Position,
    effort: Effort,
    random: &mut Pcg64,
    tally: &mut Tally,
) -> Result<Option<Box<Difference>>, PeerError> {
    let legal = reference.actions(position);
    tally.position(reference, position, legal.len());
    for probe in [Probe::Moves, Probe::Status] {
        tally.questions += 1;
        if let Some(difference) = put(asker, reference, position, probe)? {
            return Ok(Some(difference));
        }
    }
    for action in chosen(reference, position, &legal, effort.played, random) {
        tally.questions += 1;
        tally.played(reference, position, action);
        if let Some(difference) = put(asker, reference, position, Probe::Apply(action))? {
            return Ok(Some(difference));
        }
    }
    for (action, clause) in near_illegal(reference, position, effort.illegal, random) {
        tally.questions += 1;
        tally.touch(clause);
        if let Some(difference) = put(asker, reference, position, Probe::Apply(action))? {
            return Ok(Some(difference));
        }
    }
    for depth in 1..=effort.depth {
        // The next depth multiplies by about as many actions as there are.
        if (legal.len().max(1) as u64).saturating_pow(depth) > PERFT_LIMIT {
            break;
        }
        tally.questions += 1;
        tally.counts += 1;
        if let Some(difference) = put(asker, reference, position, Probe::Perft(depth))? {
            return narrowed(asker, difference, depth).map(Some);
        }
    }
    Ok(None)
}

/// Some of the legal actions: at most as many as wanted, those that do most first.
fn chosen(
    reference: &Reference,
    position: &Position,
    legal: &[Action],
    most: usize,
    random: &mut Pcg64,
) -> Vec<Action> {
    if legal.len() <= most {
        return legal.to_vec();
    }
    let mut drawn: Vec<Action> = legal.to_vec();
    drawn.shuffle(random);
    drawn.truncate(most.saturating_mul(4));
    drawn.sort_by_cached_key(|&action| {
        let takes = reference
            .apply(position, action)
            .map_or(0, |result| usize::from(!result.returned.is_empty()) + usize::from(!result.removed.is_empty()));
        let kind = match action {
            Action::Place { .. } => 0,
            Action::Move { .. } => 1,
            Action::Shove { .. } | Action::Kick { .. } => 2,
        };
        std::cmp::Reverse((takes, kind))
    });
    // Half of them for what they do, half as they were drawn.
    let rest = drawn.split_off(most.div_ceil(2));
    let plain = rest.len().saturating_sub(most / 2);
    drawn.extend(&rest[plain..]);
    drawn
}

/// A difference in a count, followed down to the position where something else than a count differs.
fn narrowed(asker: &mut Asker<'_, '_>, difference: Box<Difference>, depth: u32) -> Result<Box<Difference>, PeerError> {
    let reference = Reference::new(difference.game.clone());
    let position = &difference.position;
    if difference.got.answer().is_none() {
        return Ok(difference);
    }
    for probe in [Probe::Moves, Probe::Status] {
        if let Some(found) = put(asker, &reference, position, probe)? {
            return Ok(found);
        }
    }
    for action in reference.actions(position) {
        if let Some(found) = put(asker, &reference, position, Probe::Apply(action))? {
            return Ok(found);
        }
        let Some(next) = reference.apply(position, action).map(|result| result.next) else { continue };
        if depth > 1
            && let Some(found) = put(asker, &reference, &next, Probe::Perft(depth - 1))?
        {
            return narrowed(asker, found, depth - 1);
        }
    }
    Ok(difference)
}
