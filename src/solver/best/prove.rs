//! The exact means for positions that alpha-beta does not look to the end of.

use super::answer::Means;
use crate::engine::Engine as _;
use crate::engine::bitboard::Bitboard;
use crate::position::{Action, Game, Position};
use crate::solver::Verdict;
use crate::solver::forced::{Forced, forced_win};
use crate::solver::limits::{Limits, Stopped};
use crate::solver::predict::positions_at_most;
use crate::solver::retrograde::Retrograde;
use crate::solver::search::Search;
use crate::solver::tracker::Tracker;
use crate::solver::value::{Plies, Value};

/// Forced wins are looked for within so many plies.
const FORCED: Plies = 99;

/// Retrograde analysis is tried on so many positions for each second that may be used.
const POSITIONS_A_SECOND: u64 = 100_000;

/// Where the bound of the number of positions is so many times what may be used, only a part of that is: the bound is far
/// too high, but seldom that far.
const TOO_HIGH: u128 = 10_000;
const SMALL_PART: u64 = 16;

/// What retrograde analysis takes at most for a position.
const BYTES_A_POSITION: u64 = 256;

/// What was found out about a position.
#[derive(Debug)]
pub(super) enum Found {
    /// Its value and how it was found. The action keeps the value; a lost position has none here, since all lose.
    Value { verdict: Verdict, means: Means, action: Option<Action>, line: Vec<Action> },
    /// Only that these actions lose.
    Losing(Vec<Action>),
}

/// The means that fit a game.
pub(super) enum Prover {
    Placement(Box<Search>),
    Forced(Box<Bitboard>),
}

impl Prover {
    pub(super) fn new(game: &Game, memory: u64) -> Prover {
        match Search::new(game, memory) {
            Some(search) => Prover::Placement(Box::new(search)),
            None => Prover::Forced(Box::new(Bitboard::new(game.clone()))),
        }
    }

    /// Tries to find the value of an unfinished position.
    pub(super) fn try_value(&self, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Found {
        match self {
            Prover::Placement(search) => {
                let answer = search.solve(position, limits, tracker.observer());
                tracker.charge(answer.nodes);
                match answer.outcome {
                    Ok(outcome) => Found::Value {
                        verdict: Verdict::Outcome(outcome),
                        means: Means::Search,
                        action: answer.winning,
                        line: Vec::new(),
                    },
                    Err(_) => Found::Losing(answer.losing),
                }
            }
            Prover::Forced(engine) => {
                let answer = forced_win(engine, position, FORCED, limits, tracker.observer());
                tracker.charge(answer.nodes);
                match answer.at_least() {
                    Forced::Win { plies, line, .. } => Found::Value {
                        verdict: Verdict::Value(Value::Win(plies)),
                        means: Means::Forced,
                        action: line.first().copied(),
                        line,
                    },
                    Forced::NotWithin(_) | Forced::Unknown { .. } => Found::Losing(Vec::new()),
                }
            }
        }
    }
}

/// The value of a position from every position that it leads to, where there are few enough; also for draws.
pub(super) fn by_retrograde(
    engine: &Bitboard,
    position: &Position,
    limits: Limits<'_>,
    tracker: &mut Tracker<'_>,
) -> Option<Found> {
    // The table knows no time: what may be looked at is fixed before it begins.
    let by_time = limits.time.map_or(u64::MAX, |time| (time.as_secs_f64() * POSITIONS_A_SECOND as f64) as u64);
    let positions = limits.nodes.min(by_time).min(limits.memory / BYTES_A_POSITION);
    let hopeless = positions_at_most(engine.game(), &[position]) > u128::from(positions) * TOO_HIGH;
    let positions = if hopeless { positions / SMALL_PART } else { positions };
    // The bound of the memory is as far too high as that of the positions; their number bounds it better.
    let limits = Limits { memory: u64::MAX, positions, ..limits };
    let table = match Retrograde::build(engine, &[position], limits, tracker.observer()) {
        Ok(table) => table,
        Err(stopped) => {
            if let Stopped::LimitReached { positions } = stopped {
                tracker.charge(positions);
            }
            return None;
        }
    };
    tracker.charge(table.positions());
    let value = table.value(position)?;
    let (mut line, mut here, mut wanted) = (Vec::new(), position.clone(), value);
    // A draw has no end: one action is enough. A lost or won game ends after as many plies as its distance says.
    for _ in 0..value.plies().unwrap_or(1) {
        let keeps = |action: &Action| {
            let next = engine.apply(&here, *action)?.next;
            let value = table.value(&next)?;
            (value.before() == wanted).then_some((*action, next, value))
        };
        let (action, next, value) = engine.actions(&here).iter().find_map(keeps)?;
        line.push(action);
        (here, wanted) = (next, value);
    }
    let action = line.first().copied();
    Some(Found::Value { verdict: Verdict::Value(value), means: Means::Retrograde, action, line })
}
