//! Players of this program.

use std::sync::atomic::AtomicBool;

use rand::RngExt as _;
use rand_pcg::Pcg64;

use super::spec::Budget;
use crate::answer::{Answerer, SolveError};
use crate::engine::{Bitboard, Engine as _};
use crate::position::{Action, Game, Position};
use crate::solver::{Limits, Silent, Verdict};

#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) action: Action,
    pub(super) proven: Option<Verdict>,
}

impl From<Action> for Chosen {
    fn from(action: Action) -> Chosen {
        Chosen { action, proven: None }
    }
}

/// Something that plays one game.
pub(super) trait Player {
    /// Chooses an action in an unfinished game. It may be illegal; the caller must check that.
    fn choose(&mut self, position: &Position, interrupt: &AtomicBool) -> Result<Chosen, Trouble>;
}

/// Reasons why there is no action.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The player failed and loses the game; with a description.
    Fault(String),
    /// The match cannot go on; with the cause.
    End(String),
}

/// A player that has failed before it was asked.
pub(super) struct Failing(pub(super) String);

impl Player for Failing {
    fn choose(&mut self, _: &Position, _: &AtomicBool) -> Result<Chosen, Trouble> {
        Err(Trouble::Fault(self.0.clone()))
    }
}

/// Any legal action, each with the same chance.
pub(super) struct Random {
    engine: Bitboard,
    random: Pcg64,
}

impl Random {
    pub(super) fn new(game: &Game, random: Pcg64) -> Random {
        Random { engine: Bitboard::new(game.clone()), random }
    }
}

impl Player for Random {
    fn choose(&mut self, position: &Position, _: &AtomicBool) -> Result<Chosen, Trouble> {
        let actions = self.engine.sorted_actions(position);
        if actions.is_empty() {
            return Err(Trouble::End("a player was asked for an action in a finished game".to_owned()));
        }
        Ok(actions[self.random.random_range(0..actions.len())].into())
    }
}

pub(super) struct Best {
    answerer: Answerer<'static>,
    /// The positions of the game so far, as far as this player was asked or acted.
    past: Vec<Position>,
    budget: Budget,
    memory: u64,
}

impl Best {
    /// Creates a player of one game, with `memory` bytes for its tables.
    pub(super) fn new(game: &Game, budget: Budget, memory: u64) -> Best {
        Best { answerer: Answerer::new(game), past: Vec::new(), budget, memory }
    }
}

impl Player for Best {
    fn choose(&mut self, position: &Position, interrupt: &AtomicBool) -> Result<Chosen, Trouble> {
        let mut limits = Limits::default().with_memory(self.memory).with_interrupt(interrupt);
        limits.time = self.budget.time;
        limits.nodes = self.budget.nodes.unwrap_or(u64::MAX);
        limits.plies = self.budget.depth;
        let failed = |error: SolveError| Trouble::End(error.to_string());
        limits.threads = self.budget.threads;
        let best = self.answerer.best_after(&self.past, position, limits, &Silent).map_err(failed)?;
        let choice = best.choice.ok_or_else(|| Trouble::End("best was asked in a finished game".to_owned()))?;
        self.past.push(position.clone());
        self.past.extend(self.answerer.engine().transition(position, choice.action).map(|result| result.next));
        Ok(Chosen { action: choice.action, proven: choice.judgement.proven() })
    }
}
