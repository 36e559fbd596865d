//! The plan of a match, and playing one pair of its games.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::opening::{Opening, OpeningError, openings, seeded};
use super::play::{Conventions, Pair, Played, play};
use super::player::{Best, Failing, Player, Random, Trouble};
use super::program::Program;
use super::ready::Ready;
use super::spec::Spec;
use crate::engine::Engine as _;
use crate::material::Side;
use crate::progress::Observer;
use crate::report::{BalanceError, NamedSetup};

/// A match.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The two players.
    pub players: [Spec; 2],
    /// The setups; pairs of games take turns among them.
    pub setups: Vec<NamedSetup>,
    /// Side that starts.
    pub first: Side,
    /// Number of openings that are played, each with both colours.
    pub pairs: u64,
    /// Plies of random play in an opening.
    pub opening_plies: u32,
    /// Seed of openings and of random players.
    pub seed: u64,
    /// Conventions for draws.
    pub conventions: Conventions,
    /// Memory of each player of this program, in bytes.
    pub memory: u64,
    /// Time allowed to a program beyond its budget.
    pub grace: Duration,
}

/// Reasons why a match cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A setup cannot start.
    #[error(transparent)]
    Setup(#[from] BalanceError),
    /// There are too few openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A player cannot play.
    #[error("{player}: {cause}")]
    Player {
        /// The player.
        player: String,
        /// The reason.
        cause: String,
    },
}

impl Plan {
    /// Returns the engines and starting positions of the setups.
    ///
    /// # Errors
    ///
    /// If a setup cannot be read or started.
    pub fn ready(&self) -> Result<Vec<Ready>, PlanError> {
        let ready = |of: &NamedSetup| Ready::new(of.setup(), self.first).map_err(BalanceError::from);
        Ok(self.setups.iter().map(ready).collect::<Result<_, _>>()?)
    }

    /// Returns the openings, one for each pair; those of the first pairs if the observer ends it.
    ///
    /// # Errors
    ///
    /// If a setup has too few.
    pub fn openings(&self, ready: &[Ready], observer: &dyn Observer) -> Result<Vec<Opening>, PlanError> {
        Ok(openings(ready, self.opening_plies, self.pairs, self.seed, observer)?)
    }

    /// Plays an opening twice. `None` if `interrupt` was set before both games ended. Without times
    /// in the budgets the games are the same in every run.
    ///
    /// # Errors
    ///
    /// If a player cannot play at all. A player that fails in a game loses it.
    ///
    /// # Panics
    ///
    /// If the opening is of a setup that `ready` lacks.
    pub fn play(
        &self,
        number: u64,
        opening: &Opening,
        ready: &[Ready],
        interrupt: &AtomicBool,
    ) -> Result<Option<Pair>, PlanError> {
        let of = &ready[opening.setup];
        let mut games = Vec::new();
        for game in 0..2 {
            let Some(played) = self.game(number, game, opening, of, interrupt)? else { return Ok(None) };
            games.push(played);
        }
        let Ok(games) = <[Played; 2]>::try_from(games) else { return Ok(None) };
        Ok(Some(Pair { number, setup: opening.setup, opening: opening.actions.len(), games }))
    }

    fn game(
        &self,
        number: u64,
        game: usize,
        opening: &Opening,
        of: &Ready,
        interrupt: &AtomicBool,
    ) -> Result<Option<Played>, PlanError> {
        let cannot =
            |who: usize| move |cause: String| PlanError::Player { player: self.players[who].to_string(), cause };
        let mut by_player = Vec::new();
        for (who, spec) in self.players.iter().enumerate() {
            let stream = 1 + who as u64 + 2 * game as u64;
            let player = player(spec, of, seeded(self.seed, stream, number), self.memory, self.grace, interrupt);
            if interrupt.load(Ordering::Relaxed) {
                return Ok(None);
            }
            match player {
                Ok(player) => by_player.push(player),
                // It has said hello, and so it is a player: it loses this game, once it is to move.
                Err(Trouble::Fault(cause)) => by_player.push(Box::new(Failing(cause))),
                Err(Trouble::End(cause)) => return Err(cannot(who)(cause)),
            }
        }
        if Pair::first_player(game) == Side::Black {
            by_player.reverse();
        }
        let Ok(mut players) = <[Box<dyn Player>; 2]>::try_from(by_player) else { return Ok(None) };
        play(&of.engine, &of.start, &opening.actions, &mut players, self.conventions, interrupt).map_err(|cause| {
            let names: Vec<String> = self.players.iter().map(Spec::to_string).collect();
            PlanError::Player { player: names.join(" against "), cause }
        })
    }
}

/// Returns a player of one game of a setup, with `memory` bytes if it is one of this program. A
/// program may take `grace` longer for an answer than its budget says.
pub(super) fn player(
    spec: &Spec,
    of: &Ready,
    random: rand_pcg::Pcg64,
    memory: u64,
    grace: Duration,
    interrupt: &AtomicBool,
) -> Result<Box<dyn Player>, Trouble> {
    let game = of.engine.game();
    Ok(match spec {
        Spec::Random => Box::new(Random::new(game, random)),
        Spec::Best(budget) => Box::new(Best::new(game, *budget, memory)),
        Spec::Program { command, budget } => Box::new(Program::start(command, *budget, &of.setup, grace, interrupt)?),
    })
}
