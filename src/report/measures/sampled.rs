//! Games that are played: as samples of play by chance, or by the player of this program.

use std::collections::HashMap;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::exact::{Chance, gains};
use super::observed::{Decision, Flow, Observed, Starter};
use crate::answer::best::Judgement;
use crate::answer::{Answerer, SolveError};
use crate::engine::{Bitboard, Engine as _, Status};
use crate::geometry::PointSet;
use crate::position::{Action, Position};
use crate::report::point_values::target;
use crate::solver::{Limits, Outcome, Silent, Value};

pub(super) type ValueOf<'v> = &'v mut dyn FnMut(&Position) -> Result<Value, SolveError>;

pub(super) struct Turn {
    position: Position,
    action: Action,
    /// The leader as the player takes it, for the side to move; `None` where none was asked.
    guess: Option<Outcome>,
}

pub(super) struct PlayedGame {
    turns: Vec<Turn>,
    last: Position,
}

#[derive(Clone, Copy)]
pub(super) struct Stops {
    /// A game ends undecided after this many plies.
    pub(super) horizon: u32,
    /// And when a position comes up for this time.
    pub(super) repetitions: u32,
}

/// Memory of the player, in bytes.
const MEMORY: u64 = 64 << 20;

pub(super) fn random_of(seed: u64, number: u64) -> Pcg64 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    Pcg64::from_seed(bytes)
}

/// Plays a game; `choose` gets the positions before, the position, and its legal actions.
pub(super) fn play(
    engine: &Bitboard,
    start: &Position,
    stops: Stops,
    mut choose: impl FnMut(&[Turn], &Position, &[Action]) -> Result<(Action, Option<Outcome>), SolveError>,
) -> Result<PlayedGame, SolveError> {
    let (mut turns, mut last) = (Vec::new(), start.clone());
    let mut seen: HashMap<Position, u32> = HashMap::new();
    loop {
        let times = seen.entry(last.clone()).or_default();
        *times += 1;
        let stops = *times >= stops.repetitions || turns.len() as u32 >= stops.horizon;
        if stops || engine.status(&last) != Status::Ongoing {
            return Ok(PlayedGame { turns, last });
        }
        let (action, guess) = choose(&turns, &last, &engine.sorted_actions(&last))?;
        let next = engine.position(&engine.play_state(&engine.state(&last), action));
        turns.push(Turn { position: std::mem::replace(&mut last, next), action, guess });
    }
}

pub(super) fn by_chance(
    engine: &Bitboard,
    start: &Position,
    stops: Stops,
    chance: Chance,
    mut random: Pcg64,
    value_of: ValueOf<'_>,
) -> Result<PlayedGame, SolveError> {
    play(engine, start, stops, |_, position, actions| {
        let mut may = actions.to_vec();
        if chance == Chance::Optimal {
            let (value, gives) = (value_of(position)?, gives(engine, position, actions, value_of)?);
            let mut given = gives.into_iter();
            may.retain(|_| given.next() == Some(value));
        }
        Ok((may[random.random_range(0..may.len())], None))
    })
}

/// Plays a game of the player of this program against itself, after an opening by chance. It looks
/// at so many nodes before each action.
pub(super) fn strong(
    engine: &Bitboard,
    start: &Position,
    stops: Stops,
    (nodes, opening): (u64, u32),
    mut random: Pcg64,
    limits: Limits<'_>,
) -> Result<PlayedGame, SolveError> {
    // Both players share what they have found.
    let mut player = Answerer::new(engine.game());
    let limits = Limits { interrupt: limits.interrupt, ..Limits::default() }.with_memory(MEMORY);
    play(engine, start, stops, |turns, position, actions| {
        if (turns.len() as u32) < opening {
            return Ok((actions[random.random_range(0..actions.len())], None));
        }
        let past: Vec<Position> = turns.iter().map(|turn| turn.position.clone()).collect();
        let best = player.best_after(&past, position, limits.with_nodes(nodes), &Silent)?;
        Ok(best.choice.map_or((actions[0], None), |choice| (choice.action, Some(leader(choice.judgement)))))
    })
}

/// Returns the outcome that a judgement expects; a score of 0 counts as a draw.
fn leader(judgement: Judgement) -> Outcome {
    match judgement {
        Judgement::Proven(verdict, _) => verdict.outcome(),
        Judgement::Guessed(guess) => match guess.score() {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        },
    }
}

fn gives(
    engine: &Bitboard,
    position: &Position,
    actions: &[Action],
    value_of: ValueOf<'_>,
) -> Result<Vec<Value>, SolveError> {
    let state = engine.state(position);
    let after = |&action: &Action| Ok(value_of(&engine.position(&engine.play_state(&state, action)))?.before());
    actions.iter().map(after).collect()
}

impl PlayedGame {
    /// Observes the game, its decisions from ply `from` on, by exact values.
    pub(super) fn judged(&self, engine: &Bitboard, from: u32, value_of: ValueOf<'_>) -> Result<Observed, SolveError> {
        let mut observed = self.begun(engine);
        let mut flow = Flow::game();
        for (turn, ply) in self.turns.iter().zip(0..) {
            self.act(engine, turn, &mut observed);
            if ply < from {
                continue;
            }
            let actions = engine.sorted_actions(&turn.position);
            let (value, gives) = (value_of(&turn.position)?, gives(engine, &turn.position, &actions, value_of)?);
            let held = held(engine, &turn.position);
            observed.decision(ply, 1.0, &Decision { value: Some(value), gives: &gives, actions: actions.len(), held });
            gains(&mut observed, 1.0, &actions, &gives);
            flow.pass(Starter::after(ply).seen_by_first(value.outcome()), f64::from(value.plies().unwrap_or(0)));
            let given = actions.iter().zip(&gives).find(|(action, _)| **action == turn.action).map(|(_, given)| given);
            observed.step(ply, 1.0, given.is_some_and(|given| given.outcome() != value.outcome()));
        }
        self.end(engine, &flow, &mut observed);
        Ok(observed)
    }

    /// Observes the game as its player judged it while it played: what can be told without exact
    /// values.
    pub(super) fn guessed(&self, engine: &Bitboard) -> Observed {
        let mut observed = self.begun(engine);
        let mut flow = Flow::game();
        let mut before = None;
        for (turn, ply) in self.turns.iter().zip(0..) {
            self.act(engine, turn, &mut observed);
            let Some(guess) = turn.guess else { continue };
            let lead = Starter::after(ply).seen_by_first(guess);
            let (actions, held) = (engine.sorted_actions(&turn.position).len(), held(engine, &turn.position));
            observed.decision(ply, 1.0, &Decision { value: None, gives: &[], actions, held });
            flow.pass(lead, 0.0);
            // The guess after an action is that of the opponent's turn: the last action has none.
            if let Some((ply, before)) = before {
                observed.step(ply, 1.0, lead != before);
            }
            before = Some((ply, lead));
        }
        if let (Some((ply, lead)), Some(winner)) = (before, self.winner(engine)) {
            let won = if winner == Starter::First { Outcome::Win } else { Outcome::Loss };
            observed.step(ply, 1.0, lead != won);
        }
        self.end(engine, &flow, &mut observed);
        observed
    }

    /// Observes what can be seen of the game without anybody who judges positions.
    pub(super) fn seen(&self, engine: &Bitboard) -> Observed {
        let mut observed = self.begun(engine);
        for (turn, ply) in self.turns.iter().zip(0..) {
            self.act(engine, turn, &mut observed);
            let (actions, held) = (engine.legal_actions(&turn.position).len(), held(engine, &turn.position));
            observed.decision(ply, 1.0, &Decision { value: None, gives: &[], actions, held });
        }
        self.end(engine, &Flow::game(), &mut observed);
        observed
    }

    fn begun(&self, engine: &Bitboard) -> Observed {
        let game = engine.game();
        Observed::new(game.board().points().count(), game.pods().kinds().count())
    }

    fn act(&self, engine: &Bitboard, turn: &Turn, observed: &mut Observed) {
        observed.points[target(turn.action).index()][0].sum += 1.0;
        observed.captures(engine.captured(&engine.state(&turn.position), turn.action).map(f64::from));
    }

    pub(super) fn winner(&self, engine: &Bitboard) -> Option<Starter> {
        let mover = Starter::after(self.turns.len() as u32);
        match engine.status(&self.last) {
            Status::Ongoing => None,
            Status::Won(side) if side == self.last.to_move() => Some(mover),
            Status::Won(_) => Some(mover.other()),
        }
    }

    fn end(&self, engine: &Bitboard, flow: &Flow, observed: &mut Observed) {
        match self.winner(engine) {
            None => observed.drawn(1.0),
            Some(winner) => {
                observed.won(self.turns.len() as u32, flow, winner);
                let positions = self.turns.iter().map(|turn| &turn.position).chain([&self.last]);
                let points = positions.flat_map(Position::pods).fold(0, |points, (at, _)| points | 1_u64 << at.index());
                let all = engine.game().board().points().count();
                observed.covered(1.0, PointSet(points).into_iter().count() as f64 / all as f64);
            }
        }
        observed.count_games(1.0);
    }
}

fn held(engine: &Bitboard, position: &Position) -> f64 {
    position.pods().count() as f64 / engine.game().board().points().count() as f64
}
