//! Draws positions from games, by a seed.

use rand::{RngExt as _, SeedableRng as _};

use crate::answer::best::near_best;
use crate::engine::{Bitboard, Engine as _};
use crate::position::{Action, Position};

/// Returns the position that uniformly random play reaches after `plies` plies, or at the end of
/// the game if that comes first.
#[must_use]
pub fn random_position(engine: &Bitboard, start: &Position, plies: u32, seed: u64) -> Position {
    walk(engine, start, plies, seed, |position| engine.sorted_actions(position))
}

/// Returns the position that strong play reaches after `plies` plies, or at the end of the game if
/// that comes first. Each ply is drawn uniformly among the actions that a search of `nodes` nodes
/// scores at most `margin` below the best ([`near_best`]).
pub(crate) fn strong_position(
    engine: &Bitboard,
    start: &Position,
    plies: u32,
    seed: u64,
    nodes: u64,
    margin: i16,
) -> Position {
    walk(engine, start, plies, seed, |position| near_best(engine, position, nodes, margin))
}

fn walk(
    engine: &Bitboard,
    start: &Position,
    plies: u32,
    seed: u64,
    choices: impl Fn(&Position) -> Vec<Action>,
) -> Position {
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut position = start.clone();
    for _ in 0..plies {
        let choices = choices(&position);
        if choices.is_empty() {
            break;
        }
        let action = choices[random.random_range(0..choices.len())];
        position = engine.position(&engine.play_state(&engine.state(&position), action));
    }
    position
}
