//! The skill trace: how often twice the nodes win.

use super::games::Figure;
use super::measure::Measure;
use super::observed::Starter;
use super::sampled::{Stops, random_of, strong};
use crate::answer::SolveError;
use crate::engine::Bitboard;
use crate::position::Position;
use crate::report::full::wilson_of_share;
use crate::solver::{Limits, Stopped};

/// Games of twice the nodes against the nodes.
pub(super) struct Doubling {
    /// Nodes of the weaker player before each action.
    pub(super) nodes: u64,
    /// Openings, each played twice with the sides swapped.
    pub(super) pairs: u64,
}

impl Doubling {
    /// Plays the games and returns the figures: shares of the games, with intervals that count each
    /// pair once, since its two games have an opening in common.
    pub(super) fn figures(
        &self,
        engine: &Bitboard,
        start: &Position,
        stops: Stops,
        (opening, seed): (u32, u64),
        limits: Limits<'_>,
    ) -> Result<Vec<Figure>, SolveError> {
        let (mut won, mut drawn) = (0_u64, 0_u64);
        for number in 0..self.pairs {
            for stronger in Starter::BOTH {
                if limits.interrupt.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed)) {
                    return Err(Stopped::Interrupted.into());
                }
                let nodes = Starter::BOTH
                    .map(|player| if player == stronger { self.nodes.saturating_mul(2) } else { self.nodes });
                let game = strong(engine, start, stops, (nodes, opening), random_of(seed, number), limits)?;
                match game.winner(engine) {
                    None => drawn += 1,
                    Some(winner) => won += u64::from(winner == stronger),
                }
            }
        }
        let share = |measure: Measure, games: u64| {
            let value = games as f64 / (2 * self.pairs) as f64;
            let interval = wilson_of_share(value, self.pairs as f64);
            Figure { item: Some(format!("strong-{}", self.nodes)), interval, ..Figure::new(measure, value) }
        };
        Ok(vec![share(Measure::SkillTrace, won), share(Measure::SkillTraceDrawn, drawn)])
    }
}
