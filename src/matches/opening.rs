//! Openings: different positions that random play reaches after some plies.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::ready::Ready;
use crate::engine::{Engine as _, Status};
use crate::position::{Action, Position};
use crate::progress::{Observer, Phase, report};

/// The beginning of two games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The number of the setup in the plan.
    pub setup: usize,
    /// The actions from the start.
    pub actions: Vec<Action>,
}

/// The reason why there are not as many openings as were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "after {plies} random plies {found} different positions were found in which the game goes on ({TRIES} tries for each), \
     and {wanted} are wanted: ask for fewer pairs or games (--pairs, --count), or change --opening-plies"
)]
pub struct OpeningError {
    /// The plies of an opening.
    pub plies: u32,
    /// Number that were found.
    pub found: usize,
    /// Number that were wanted of one setup.
    pub wanted: usize,
}

/// Draws for one more opening before the search for it is given up.
const TRIES: usize = 1000;

/// Returns the random number generator for item `number` of what is drawn from `seed`, in a stream
/// of its own for each `use_of`.
pub(super) fn seeded(seed: u64, use_of: u64, number: u64) -> Pcg64 {
    let mut bytes = [0; 32];
    for (place, word) in bytes.chunks_exact_mut(8).zip([seed, use_of, number]) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    Pcg64::from_seed(bytes)
}

/// Returns the openings of `plies` plies for `pairs` pairs; the setups take turns. The same seed
/// gives the same openings, and fewer pairs get the first of those that more pairs get. Fewer are
/// drawn if the observer ends it.
///
/// # Errors
///
/// If a setup has too few.
pub(super) fn openings(
    ready: &[Ready],
    plies: u32,
    pairs: u64,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<Opening>, OpeningError> {
    const DRAWN: u64 = 0;
    let mut seen: Vec<HashSet<Position>> = vec![HashSet::new(); ready.len()];
    let mut openings = Vec::new();
    for number in 0..pairs {
        if report(observer, Phase::Openings, number, Some(pairs)).is_err() {
            break;
        }
        let setup = (number % ready.len() as u64) as usize;
        let mut random = seeded(seed, DRAWN, number);
        let mut draws = (0..TRIES).filter_map(|_| draw(&ready[setup], plies, &mut random));
        let found = draws.find_map(|(actions, position)| seen[setup].insert(position).then_some(actions));
        let Some(actions) = found else {
            let wanted = pairs.div_ceil(ready.len() as u64) as usize;
            return Err(OpeningError { plies, found: seen[setup].len(), wanted });
        };
        openings.push(Opening { setup, actions });
    }
    Ok(openings)
}

/// Returns the openings for several games that differ in their rules alone: `plies` placements that
/// are legal in all of them, capture nothing, and lead to the same position in each. At each ply
/// all such placements have the same chance. No two openings lead to the same position. The same
/// seed gives the same openings, and fewer are the first of more. `None` if `interrupt` was set
/// before all were drawn.
///
/// # Errors
///
/// If there are too few.
pub(super) fn common_openings(
    games: &[&Ready],
    plies: u32,
    count: u64,
    seed: u64,
    interrupt: &AtomicBool,
) -> Result<Option<Vec<Vec<Action>>>, OpeningError> {
    const DRAWN: u64 = 8;
    let (mut seen, mut openings) = (HashSet::new(), Vec::new());
    for number in 0..count {
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut random = seeded(seed, DRAWN, number);
        let mut draws = (0..TRIES).filter_map(|_| draw_common(games, plies, &mut random));
        let found = draws.find_map(|(actions, position)| seen.insert(position).then_some(actions));
        let Some(actions) = found else {
            return Err(OpeningError { plies, found: seen.len(), wanted: count as usize });
        };
        openings.push(actions);
    }
    Ok(Some(openings))
}

/// Returns random placements that are legal and lead to the same position in all of the games;
/// `None` if there are none, or a game ends there.
fn draw_common(games: &[&Ready], plies: u32, random: &mut Pcg64) -> Option<(Vec<Action>, Position)> {
    let mut positions: Vec<Position> = games.iter().map(|game| game.start.clone()).collect();
    let mut actions = Vec::new();
    for _ in 0..plies {
        let mut left = games.first()?.engine.sorted_actions(&positions[0]);
        left.retain(|action| matches!(action, Action::Place { .. }));
        // Draws until one is common to all. So each common one has the same chance, and few are
        // tested.
        let action = loop {
            if left.is_empty() {
                return None;
            }
            let action = left.swap_remove(random.random_range(0..left.len()));
            if let Some(next) = common_step(games, &positions, action) {
                positions = next;
                break action;
            }
        };
        actions.push(action);
    }
    let goes_on = |(game, position): (&&Ready, &Position)| game.engine.status(position) == Status::Ongoing;
    games.iter().zip(&positions).all(goes_on).then(|| (actions, positions.swap_remove(0)))
}

/// Applies a placement in each of the games, if it is legal in all, captures nothing, and leads to
/// the same position.
fn common_step(games: &[&Ready], positions: &[Position], action: Action) -> Option<Vec<Position>> {
    let step = |(game, position): (&&Ready, &Position)| {
        let result = game.engine.transition(position, action)?;
        (result.returned.is_empty() && result.removed.is_empty()).then_some(result.next)
    };
    let next: Vec<Position> = games.iter().zip(positions).map(step).collect::<Option<_>>()?;
    next.iter().all(|position| *position == next[0]).then_some(next)
}

/// Returns random play from the start, and where it leads; `None` if the game ends on the way or
/// there.
pub(super) fn draw(ready: &Ready, plies: u32, random: &mut Pcg64) -> Option<(Vec<Action>, Position)> {
    let (engine, mut position) = (&ready.engine, ready.start.clone());
    let mut actions = Vec::new();
    for _ in 0..plies {
        let legal = engine.sorted_actions(&position);
        if legal.is_empty() {
            return None;
        }
        let action = legal[random.random_range(0..legal.len())];
        position = engine.transition(&position, action)?.next;
        actions.push(action);
    }
    (engine.status(&position) == Status::Ongoing).then_some((actions, position))
}
