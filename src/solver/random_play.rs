//! The expected score of uniformly random play in games that cannot cycle (R34).

use hashbrown::HashMap;

use super::limits::Limits;
use super::packing::{PackedKey, Packing, with_key_width};
use crate::engine::bitboard::{Bitboard, State};
use crate::engine::{Engine, Status};
use crate::material::Side;
use crate::position::Position;
use crate::progress::{Observer, Phase, Stopped};

/// Returns White's expected score from a position when both sides choose uniformly among their
/// legal actions: 1 for a win, 0 for a loss. Exact up to the rounding of floating-point sums.
///
/// # Errors
///
/// If there are more positions than the limits allow, or the observer stops the job.
///
/// # Panics
///
/// If the rules allow play to return to an earlier position.
pub fn random_play_score(
    engine: &Bitboard,
    root: &Position,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<f64, Stopped> {
    assert!(!engine.game().rules().can_cycle(), "random play may be endless");
    let packing = Packing::new(engine.game(), &[root]);
    with_key_width!(packing.words(), W => {
        let most = limits.nodes.min(limits.memory / ((size_of::<(PackedKey<W>, f64)>() as u64 + 1) * 24 / 7));
        Scores::<W> { engine, packing, scores: HashMap::new(), most, observer }.score(&engine.state(root))
    })
}

struct Scores<'a, const W: usize> {
    engine: &'a Bitboard,
    packing: Packing,
    scores: HashMap<PackedKey<W>, f64>,
    most: u64,
    observer: &'a dyn Observer,
}

impl<const W: usize> Scores<'_, W> {
    fn score(&mut self, state: &State) -> Result<f64, Stopped> {
        if let Status::Won(side) = self.engine.state_status(state) {
            return Ok(if side == Side::White { 1.0 } else { 0.0 });
        }
        let key = self.packing.pack_state::<W>(state);
        if let Some(&score) = self.scores.get(&key) {
            return Ok(score);
        }
        let positions = self.scores.len() as u64;
        if positions >= self.most {
            return Err(Stopped::LimitReached { positions });
        }
        if positions.is_multiple_of(1 << 9) {
            self.observer.stop().map_or(Ok(()), Err)?;
        }
        if positions.is_multiple_of(1 << 14) {
            self.observer.progress(Phase::RandomPlay, positions, None);
        }
        let mut actions = Vec::new();
        self.engine.for_each_action(state, |action| actions.push(action));
        let mut sum = 0.0;
        for &action in &actions {
            sum += self.score(&self.engine.play_state(state, action))?;
        }
        let score = sum / actions.len() as f64;
        self.scores.insert(key, score);
        Ok(score)
    }
}
