//! Engine that answers.

use clap::ValueEnum;

use super::failure::Failure;
use crate::engine::{Bitboard, Engine, Reference, Transition};
use crate::geometry::Point;
use crate::material::Side;
use crate::position::{Action, Game, Position};

/// The engines that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineKind {
    /// The rules as they are written, slow and plain
    Reference,
    /// Sets of points as bits of a word
    Fast,
}

pub(super) fn engine(kind: EngineKind, game: &Game) -> Box<dyn Engine> {
    match kind {
        EngineKind::Reference => Box::new(Reference::new(game.clone())),
        EngineKind::Fast => Box::new(Bitboard::new(game.clone())),
    }
}

/// Returns the result of an action that the engine has listed as legal.
pub(super) fn play(engine: &dyn Engine, position: &Position, action: Action) -> Result<Transition, Failure> {
    engine.transition(position, action).ok_or_else(|| {
        let game = engine.game();
        let (action, position) = (action.display(game).to_string(), position.display(game).to_string());
        Failure::Discrepancy(format!("the engine lists {action} in {position} and does not play it"))
    })
}

/// Returns the points that each side's pods attack (R6).
pub(super) fn attacks(game: &Game, position: &Position) -> Vec<(Point, Side)> {
    let reference = Reference::new(game.clone());
    let mut attacks: Vec<(Point, Side)> = position
        .pods()
        .flat_map(|(at, pod)| reference.attacked_points(position, at).into_iter().map(move |to| (to, pod.side)))
        .collect();
    attacks.sort();
    attacks.dedup();
    attacks
}
