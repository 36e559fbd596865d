//! Positions on the way, drawn with a seed.

use rand::{RngExt as _, SeedableRng as _};

use crate::answer::best::near_best;
use crate::engine::{Bitboard, Engine as _};
use crate::position::{Action, Position};

/// The position that uniformly random play comes to after `plies` plies; an earlier one if the game ends before.
#[must_use]
pub fn random_position(engine: &Bitboard, start: &Position, plies: u32, seed: u64) -> Position {
    walk(engine, start, plies, seed, |position| engine.actions(position))
}

/// The position that strong play comes to: each ply one of the actions that look nearly as good as the best one, after
/// looking at `nodes` positions ([`near_best`]), each with the same chance.
#[must_use]
pub fn strong_position(
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
        position = engine.position(&engine.play(&engine.state(&position), action));
    }
    position
}
