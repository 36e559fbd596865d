//! Measures of play that designers know, exact where a setup is solved.
//!
//! The names are those of the literature where there are some ([`Measure`]): AdvantageP1,
//! Drawishness, GameLength, BranchingFactor, BoardSitesOccupied, BoardCoverage, LeadChange and
//! Drama are measures of Browne (2008) and concepts of Ludii (Piette et al., 2020). There an
//! estimate by a player says who leads; here the exact value does. So the leader is the player who
//! wins with best play, and there is none in a drawn position.
//!
//! Three kinds of play are measured, all from the start with White to move; with equal hands the
//! game that Black starts is the same with the board turned by 180°. Optimal play and random play
//! choose by chance, so the chance of each position after each ply can be worked out, and with it
//! each measure: these figures are exact. The player of this program chooses by search, so its
//! games are a sample. They begin with an opening of random actions, which counts as no decision,
//! and are judged twice: by exact values, and by what the player said while it played. The second
//! is all that is known of a setup too large to be solved ([`estimates`] puts both side by side).
//!
//! Games that could be endless (R21) end at a horizon, which the rows name, as drawn.

mod exact;
mod games;
mod measure;
mod observed;
mod pictures;
#[cfg(test)]
mod play_tests;
mod removed;
mod row;
mod sampled;
mod sum;
#[cfg(test)]
mod tests;

pub use measure::Measure;
pub(crate) use pictures::{by_ply_picture, points_picture};
pub use row::{EstimateRow, MeasureRow, Method, estimates};

use self::exact::{BYTES, Chance, Solved};
use self::games::{Figure, Games};
use self::removed::removed;
use self::row::{JUDGED, Measured, OPTIMAL, RANDOM};
use self::sampled::{PlayedGame, Stops, ValueOf, by_chance, random_of, strong};
use super::{BalanceError, NamedSetup};
use crate::answer::{Answerer, SolveError};
use crate::engine::Bitboard;
use crate::material::Side;
use crate::position::Position;
use crate::solver::{Limits, Observer, PlayGraph, Stopped, Tracker, Value};
use crate::table::Tablebase;

/// Kinds of play to be measured, and how much of them.
#[derive(Clone, Debug)]
pub struct MeasurePlan {
    /// Plies after which a game is drawn where it could be endless.
    pub horizon: u32,
    /// Times that a position comes up in a game that is played before that is drawn.
    pub repetitions: u32,
    /// Random actions at the beginning of a game of the player.
    pub opening_plies: u32,
    /// Seed of all samples.
    pub seed: u64,
    /// Games of optimal and of random play, where they are sampled.
    pub games: u64,
    /// Strengths of the player: nodes for each action, and games.
    pub strengths: Vec<(u64, u64)>,
}

/// Measures a setup.
///
/// If all positions fit within the limits, the rows of optimal and random play are exact. Else, if
/// the tables hold the start, they are sampled. Else there are only rows of the player, which are
/// estimates.
///
/// # Errors
///
/// If the setup cannot start, a table cannot be read, or the work is interrupted.
pub fn measures(
    named: &NamedSetup,
    tables: Option<&Tablebase>,
    plan: &MeasurePlan,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Vec<MeasureRow>, BalanceError> {
    let engine = Bitboard::new(named.game().clone());
    let start = named.setup().start(Side::White)?;
    let tracker = Tracker::new(limits, observer);
    let graph = match PlayGraph::build(&engine, &start, limits, &tracker) {
        Ok(graph) => Some(graph).filter(|graph| graph.positions() as u64 * BYTES <= limits.memory),
        Err(Stopped::Interrupted) => return Err(SolveError::from(Stopped::Interrupted).into()),
        Err(_) => None,
    };
    let setup = Measurer { named, engine: &engine, start: &start, plan, limits, rows: Vec::new() };
    Ok(match graph {
        Some(graph) => setup.solved(&graph, tables, &tracker)?,
        None => setup.unsolved(tables, &tracker)?,
    })
}

/// A setup that is measured, and its rows so far.
struct Measurer<'m> {
    named: &'m NamedSetup,
    engine: &'m Bitboard,
    start: &'m Position,
    plan: &'m MeasurePlan,
    limits: Limits<'m>,
    rows: Vec<MeasureRow>,
}

impl Measurer<'_> {
    /// Returns the rows of a setup of which all positions are solved.
    fn solved(
        mut self,
        graph: &PlayGraph,
        tables: Option<&Tablebase>,
        observer: &dyn Observer,
    ) -> Result<Vec<MeasureRow>, SolveError> {
        let solved = Solved::new(self.engine, graph);
        for (play, chance) in [(OPTIMAL, Chance::Optimal), (RANDOM, Chance::Random)] {
            let mut games = Games::default();
            games.add(&solved.play(chance, self.horizon().unwrap_or(u32::MAX), observer)?);
            let of = Measured { play: play.to_owned(), method: Method::Exact, games: None, horizon: self.horizon() };
            self.push(&of, games.figures(self.named.game(), false));
        }
        drop(solved);
        self.pods(tables, graph.values()[0], observer)?;
        let mut value_of = |position: &Position| {
            let number = graph.number(position).ok_or(SolveError::NoTable)?;
            Ok(graph.values()[number as usize])
        };
        self.strong(Some(&mut value_of))?;
        Ok(self.rows)
    }

    /// Returns the rows of a setup with more positions.
    fn unsolved(mut self, tables: Option<&Tablebase>, observer: &dyn Observer) -> Result<Vec<MeasureRow>, SolveError> {
        let known = match tables {
            Some(tables) => tables.of(self.named.game())?.value(self.start)?,
            None => None,
        };
        let Some(value) = known else {
            self.random()?;
            self.strong(None)?;
            return Ok(self.rows);
        };
        let mut answerer = Answerer::with_tables(self.named.game(), tables)?;
        let mut values = answerer.values(self.start, self.limits, observer)?;
        let mut value_of = |position: &Position| values.value(position);
        for (play, chance) in [(OPTIMAL, Chance::Optimal), (RANDOM, Chance::Random)] {
            let mut games = Games::default();
            for number in 0..self.plan.games {
                let random = random_of(self.plan.seed, number);
                let game = by_chance(self.engine, self.start, self.stops(), chance, random, &mut value_of)?;
                games.add(&game.judged(self.engine, 0, &mut value_of)?);
            }
            let of = self.played(play.to_owned(), Method::Sampled, self.plan.games);
            self.push(&of, games.figures(self.named.game(), true));
        }
        self.strong(Some(&mut value_of))?;
        self.pods(tables, value, observer)?;
        Ok(self.rows)
    }

    /// Adds the rows of random play that can be seen without anybody who judges positions.
    fn random(&mut self) -> Result<(), SolveError> {
        let mut games = Games::default();
        let mut no_value = |_: &Position| Err(SolveError::NoTable);
        for number in 0..self.plan.games {
            let random = random_of(self.plan.seed, number);
            let game = by_chance(self.engine, self.start, self.stops(), Chance::Random, random, &mut no_value)?;
            games.add(&game.seen(self.engine));
        }
        let mut figures = games.figures(self.named.game(), true);
        figures.retain(|figure| !JUDGED.contains(&figure.measure) && figure.measure != Measure::DramaDistance);
        let of = self.played(RANDOM.to_owned(), Method::Sampled, self.plan.games);
        self.push(&of, figures);
        Ok(())
    }

    fn strong(&mut self, mut value_of: Option<ValueOf<'_>>) -> Result<(), SolveError> {
        for &(nodes, count) in &self.plan.strengths {
            let opening = self.plan.opening_plies;
            let (mut judged, mut guessed) = (Games::default(), Games::default());
            for number in 0..count {
                if self.limits.interrupt.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed)) {
                    return Err(Stopped::Interrupted.into());
                }
                let random = random_of(self.plan.seed, number);
                let game: PlayedGame =
                    strong(self.engine, self.start, self.stops(), (nodes, opening), random, self.limits)?;
                if let Some(value_of) = &mut value_of {
                    judged.add(&game.judged(self.engine, opening, *value_of)?);
                }
                guessed.add(&game.guessed(self.engine));
            }
            let play = format!("strong-{nodes}");
            let mut estimated = guessed.figures(self.named.game(), true);
            // A guess has no distance.
            estimated.retain(|figure| figure.measure != Measure::DramaDistance);
            if value_of.is_some() {
                let of = self.played(play.clone(), Method::Sampled, count);
                self.push(&of, judged.figures(self.named.game(), true));
                estimated.retain(|figure| JUDGED.contains(&figure.measure) && figure.ply.is_none());
            }
            let of = self.played(play, Method::Estimated, count);
            self.push(&of, estimated);
        }
        Ok(())
    }

    /// Adds the rows of pods that are taken out of a hand.
    fn pods(&mut self, tables: Option<&Tablebase>, value: Value, observer: &dyn Observer) -> Result<(), SolveError> {
        let figures = removed(self.named, tables, value, self.limits, observer)?;
        let of = Measured { play: OPTIMAL.to_owned(), method: Method::Exact, games: None, horizon: None };
        self.push(&of, figures);
        Ok(())
    }

    fn push(&mut self, of: &Measured, figures: Vec<Figure>) {
        self.rows.extend(figures.into_iter().map(|figure| MeasureRow::new(self.named, of, figure)));
    }

    fn played(&self, play: String, method: Method, games: u64) -> Measured {
        Measured { play, method, games: Some(games), horizon: self.horizon() }
    }

    /// Returns the horizon, where games can be endless.
    fn horizon(&self) -> Option<u32> {
        self.named.game().rules().can_cycle().then_some(self.plan.horizon)
    }

    fn stops(&self) -> Stops {
        Stops { horizon: self.horizon().unwrap_or(u32::MAX), repetitions: self.plan.repetitions }
    }
}
