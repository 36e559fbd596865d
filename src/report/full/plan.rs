//! The plan of a report: which positions are drawn and solved, in which order; and performing one
//! of its tasks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::known::{KnownOpening, KnownOpenings};
use super::row::Row;
use super::sample::{random_position, strong_position};
use super::task::{Source, Task};
use crate::engine::{Bitboard, Engine as _, Status};
use crate::material::{MaterialError, Side};
use crate::position::{Action, Game, Position};
use crate::report::BalanceError;
use crate::report::{NamedSetup, material_text, sha256_hex};
use crate::solver::Limits;
use crate::solver::search::Search;
use crate::solver::{Outcome, Silent};

/// Parameters of the strong policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The nodes that it searches before each action.
    pub nodes: u64,
    /// Largest loss of score of a chosen action against the best, in quarters of a pair of pod and
    /// point.
    pub margin: i16,
}

/// Input of a report: setups, sample sizes and limits.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The setups.
    pub setups: Vec<NamedSetup>,
    /// The numbers of plies after which positions are drawn.
    pub plies: Vec<u32>,
    /// Number that are drawn for each setup, source and number of plies.
    pub count: u64,
    /// The first seed; the others are the numbers that follow it.
    pub seed: u64,
    /// The most nodes for solving a drawn position.
    pub nodes: u64,
    /// The most nodes for solving an opening; with 0, openings are left out.
    pub opening_nodes: u64,
    /// Openings whose winner is known; the others are solved.
    pub known: KnownOpenings,
    /// The strong policy.
    pub policy: Policy,
    /// The size of each search's transposition table, in bytes.
    pub table: u64,
}

/// Reasons why a report cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FullError {
    /// A setup cannot start.
    #[error(transparent)]
    Setup(#[from] BalanceError),
    /// A board or pod file cannot be read.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The rules have moves or captures.
    #[error(
        "{0}: the search that solves positions is for rules under which nothing moves and nothing is captured, such as \
         standard or basic-author"
    )]
    NotPlacement(String),
}

/// A setup that is ready to be drawn from.
pub struct Ready {
    /// The engine of its game.
    pub engine: Bitboard,
    /// The starting position, White to move.
    pub start: Position,
    /// By their names the openings whose winner is known.
    pub known: BTreeMap<String, KnownOpening>,
}

impl Plan {
    /// Returns the engines and starting positions of the setups.
    ///
    /// # Errors
    ///
    /// If a setup cannot be read or started, or its rules have moves or captures.
    pub fn ready(&self) -> Result<Vec<Ready>, FullError> {
        let ready = |setup: &NamedSetup| {
            if !Search::fits(setup.game()) {
                return Err(FullError::NotPlacement(setup.rules().to_string()));
            }
            let start = setup.setup().start(Side::White).map_err(BalanceError::from)?;
            let engine = Bitboard::new(setup.game().clone());
            let of_opening = self.known.of(setup)?;
            let known = |action: Action| {
                let opening = action.display(engine.game()).to_string();
                let position = engine
                    .position(&engine.play_state(&engine.state(&start), action))
                    .display(engine.game())
                    .to_string();
                of_opening(&opening, &position).map(|known| (opening, known))
            };
            let known = engine.sorted_actions(&start).into_iter().filter_map(known).collect();
            Ok(Ready { engine, start, known })
        };
        self.setups.iter().map(ready).collect()
    }

    /// Returns all tasks in the order of the rows: openings first, then seed by seed, so that a run
    /// with a larger `count` can continue one with a smaller `count`.
    #[must_use]
    pub fn tasks(&self, ready: &[Ready]) -> Vec<Task> {
        let mut tasks = Vec::new();
        if self.opening_nodes > 0 {
            for (setup, of) in ready.iter().enumerate() {
                for action in of.engine.sorted_actions(&of.start) {
                    let opening = Some(action.display(of.engine.game()).to_string());
                    tasks.push(Task { setup, source: Source::Opening, ply: 1, seed: None, opening });
                }
            }
        }
        for seed in (0..self.count).map(|number| self.seed.wrapping_add(number)) {
            for &ply in &self.plies {
                for source in [Source::Random, Source::Strong] {
                    let all = 0..self.setups.len();
                    tasks.extend(all.map(|setup| Task { setup, source, ply, seed: Some(seed), opening: None }));
                }
            }
        }
        tasks
    }

    /// Returns a digest of everything that a row depends on and does not contain, so that rows of
    /// different runs are not mixed.
    ///
    /// # Errors
    ///
    /// If a board or pod file cannot be read.
    pub fn settings(&self, setup: &NamedSetup) -> Result<String, FullError> {
        let Plan { nodes, opening_nodes, policy, table, known, .. } = self;
        let (board, pods) = (material_text(setup.board())?.0, material_text(setup.pods())?.0);
        let version = env!("CARGO_PKG_VERSION");
        let known = known.digest();
        let text = format!("{version} {nodes} {opening_nodes} {policy:?} {table}\n{board}\n{pods}{known}");
        Ok(sha256_hex(text.as_bytes())[..12].to_owned())
    }

    /// Performs a task: draws its position and solves it, unless it is an opening whose winner is
    /// known. The result is the same in every run. `None` if `interrupt` was set before the end.
    ///
    /// # Panics
    ///
    /// If the task names a setup that the plan lacks, or `ready` has rules with moves or captures.
    #[must_use]
    pub fn perform(&self, task: &Task, ready: &Ready, settings: &str, interrupt: &AtomicBool) -> Option<Row> {
        let Ready { engine, start, known } = ready;
        let opening = task.opening.as_ref().and_then(|text| engine.game().parse_action(text).ok());
        let position = match (opening, task.source) {
            (Some(action), _) => engine.position(&engine.play_state(&engine.state(start), action)),
            (None, Source::Strong) => {
                let Policy { nodes, margin } = self.policy;
                strong_position(engine, start, task.ply, task.seed.unwrap_or_default(), nodes, margin)
            }
            (None, _) => random_position(engine, start, task.ply, task.seed.unwrap_or_default()),
        };
        let limit = if task.source == Source::Opening { self.opening_nodes } else { self.nodes };
        let known = task.opening.as_ref().and_then(|opening| known.get(opening));
        let (winner, nodes) = match known {
            Some(KnownOpening { winner, nodes }) => (Some(*winner), *nodes),
            None => self.winner(
                engine.game(),
                engine.status(&position),
                &position,
                Limits::default().with_nodes(limit).with_interrupt(interrupt),
            ),
        };
        // A search that was cut short gives no row.
        let row = Row {
            settings: settings.to_owned(),
            setup: self.setups[task.setup].clone(),
            task: task.clone(),
            position: position.display(engine.game()).to_string(),
            winner,
            nodes,
        };
        (!interrupt.load(Ordering::Relaxed)).then_some(row)
    }

    fn winner(&self, game: &Game, status: Status, position: &Position, limits: Limits<'_>) -> (Option<Side>, u64) {
        if let Status::Won(side) = status {
            return (Some(side), 0);
        }
        let search = Search::new(game, self.table).expect("the setup's rules were checked");
        // A new table for each position: the result and its nodes must not depend on what was
        // solved before.
        let answer = search.solve(position, limits, &Silent);
        let mover = position.to_move();
        let winner = answer.outcome.ok().map(|outcome| if outcome == Outcome::Win { mover } else { mover.other() });
        (winner, answer.nodes)
    }
}
