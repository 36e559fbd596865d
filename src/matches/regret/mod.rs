//! Regret of a player: the actions by which it gives a value away, counted against exact values.
//!
//! The player plays both sides of games that begin with openings of random play, of any length up
//! to a limit, each with the same chance. So its decisions are those that come up in play: after
//! its own actions, and after others that it would not have chosen. A position counts once in a
//! setup, at its first decision. Each decision is judged by the values of the position and of the
//! one after the action: an action loses value if it makes a draw or a loss of a win, or a loss of
//! a draw. Where a win is kept, the plies count by which it becomes longer.

mod row;

pub use row::{RegretRow, regret_rows};

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::RngExt as _;

use super::opening::{draw, seeded};
use super::plan::{PlanError, player};
use super::play::{Conventions, End, Played, play};
use super::player::{Failing, Player, Trouble};
use super::ready::Ready;
use super::spec::Spec;
use crate::answer::{Answerer, SolveError};
use crate::engine::Engine as _;
use crate::material::Side;
use crate::position::{Action, Position};
use crate::report::{BalanceError, NamedSetup};
use crate::solver::{Limits, Outcome, Plies, Silent, Value};
use crate::table::Tablebase;

/// Games in which the decisions of players are judged.
#[derive(Clone, Debug)]
pub struct RegretPlan {
    /// The players; each plays games of its own, from the same openings.
    pub players: Vec<Spec>,
    /// Games of each player and setup.
    pub games: u64,
    /// The most plies of random play in an opening.
    pub opening_plies: u32,
    /// Seed of openings and of a random player.
    pub seed: u64,
    /// Conventions for draws.
    pub conventions: Conventions,
    /// Memory of each player of this program, in bytes.
    pub memory: u64,
    /// Time allowed to a program beyond its budget.
    pub grace: Duration,
}

/// A decision that was judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedAction {
    /// Plies before the decision.
    pub ply: u32,
    /// Share of the points that are held.
    pub held: f64,
    /// The value of the position, for the side to move.
    pub value: Value,
    /// The value that the action gives that side.
    pub given: Value,
    /// True if some action loses value: else there is nothing to lose.
    pub may_lose: bool,
}

impl JudgedAction {
    /// Returns `true` if the action loses value.
    pub(crate) fn loses(&self) -> bool {
        self.given.outcome() < self.value.outcome()
    }

    /// Returns the plies by which a win that is kept becomes longer.
    pub(crate) const fn plies_lost(&self) -> Option<Plies> {
        match (self.value, self.given) {
            (Value::Win(best), Value::Win(given)) => Some(given.saturating_sub(best)),
            _ => None,
        }
    }
}

/// The decisions of a player in the games of a setup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgedGames {
    /// Decisions, each position once.
    pub decisions: Vec<JudgedAction>,
    /// Games that the player lost by a fault: an illegal action, or none.
    pub faults: u64,
}

/// Reasons why decisions cannot be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegretError {
    /// The setup cannot start, or the player cannot play.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The values are not known within the limits.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl RegretPlan {
    /// Plays the games of a setup and judges the decisions, by player. `None` if `interrupt` was
    /// set before all were played. Without times in the budgets the result is the same in every
    /// run.
    ///
    /// # Errors
    ///
    /// If the setup cannot start, the player cannot play at all, or the values are not known within
    /// the limits.
    pub fn judge(
        &self,
        named: &NamedSetup,
        tables: Option<&Tablebase>,
        limits: Limits<'_>,
        interrupt: &AtomicBool,
    ) -> Result<Option<Vec<JudgedGames>>, RegretError> {
        let ready = Ready::new(named.setup(), Side::White).map_err(|e| PlanError::from(BalanceError::from(e)))?;
        let mut answerer = Answerer::with_tables(named.game(), tables)?;
        let mut values = answerer.values(&ready.start, limits, &Silent)?;
        let mut all = Vec::new();
        for spec in &self.players {
            let Some(judged) = self.games(spec, &ready, &mut |of| values.value(of), interrupt)? else {
                return Ok(None);
            };
            all.push(judged);
        }
        Ok(Some(all))
    }

    /// Plays and judges the games of a player.
    fn games(
        &self,
        spec: &Spec,
        ready: &Ready,
        value_of: &mut dyn FnMut(&Position) -> Result<Value, SolveError>,
        interrupt: &AtomicBool,
    ) -> Result<Option<JudgedGames>, RegretError> {
        let (mut judged, mut seen) = (JudgedGames::default(), HashSet::new());
        for number in 0..self.games {
            let Some((opening, game)) = self.game(spec, number, ready, interrupt)? else { return Ok(None) };
            judged.faults += u64::from(matches!(game.end, End::Fault(_)));
            let mut position = ready.start.clone();
            for (&action, ply) in game.actions.iter().zip(0..) {
                let next = after(ready, &position, action);
                if ply as usize >= opening && seen.insert(position.clone()) {
                    judged.decisions.push(judge(ready, ply, &position, &next, value_of)?);
                }
                position = next;
            }
        }
        Ok(Some(judged))
    }

    /// Plays a game, and returns it with the plies of its opening.
    fn game(
        &self,
        spec: &Spec,
        number: u64,
        ready: &Ready,
        interrupt: &AtomicBool,
    ) -> Result<Option<(usize, Played)>, RegretError> {
        const DRAWN: u64 = 16;
        let mut random = seeded(self.seed, DRAWN, number);
        let plies = random.random_range(0..=self.opening_plies);
        // A game that ends in the opening is no game of the player: the next draw has its chance.
        let opening = (0..TRIES).find_map(|_| draw(ready, plies, &mut random)).map_or(Vec::new(), |drawn| drawn.0);
        let cannot = |cause| PlanError::Player { player: spec.to_string(), cause };
        let mut players: Vec<Box<dyn Player>> = Vec::new();
        for side in 0..2 {
            match player(spec, ready, seeded(self.seed, DRAWN + 1 + side, number), self.memory, self.grace) {
                Ok(player) => players.push(player),
                Err(Trouble::Fault(cause)) => players.push(Box::new(Failing(cause))),
                Err(Trouble::End(cause)) => return Err(cannot(cause).into()),
            }
        }
        let Ok(mut players) = <[Box<dyn Player>; 2]>::try_from(players) else { return Ok(None) };
        let game = play(&ready.engine, &ready.start, &opening, &mut players, self.conventions, interrupt);
        Ok(game.map_err(cannot)?.map(|game| (opening.len(), game)))
    }
}

/// Draws of an opening before a game begins from the start.
const TRIES: usize = 1000;

fn after(ready: &Ready, position: &Position, action: Action) -> Position {
    ready.engine.position(&ready.engine.play_state(&ready.engine.state(position), action))
}

/// Judges a decision by the values of the position and of all that its actions lead to.
fn judge(
    ready: &Ready,
    ply: u32,
    position: &Position,
    next: &Position,
    value_of: &mut dyn FnMut(&Position) -> Result<Value, SolveError>,
) -> Result<JudgedAction, SolveError> {
    let (value, given) = (value_of(position)?, value_of(next)?.before());
    let mut may_lose = given.outcome() < value.outcome();
    if value.outcome() != Outcome::Loss {
        for action in ready.engine.sorted_actions(position) {
            may_lose = may_lose || value_of(&after(ready, position, action))?.before().outcome() < value.outcome();
            if may_lose {
                break;
            }
        }
    }
    let held = position.pods().count() as f64 / ready.engine.game().board().points().count() as f64;
    Ok(JudgedAction { ply, held, value, given, may_lose })
}

#[cfg(test)]
mod tests;
