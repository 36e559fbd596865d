//! The entries of the race.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::ValueEnum;
use cpu_time::ProcessTime;
use minimax::Strategy as _;
use pods::material::Board;
use pods::solver::search::{Search, SearchFeatures};
use pods::solver::{Limits, Outcome, Silent};

use crate::snort::{self, Snort};

/// Memory for the table of each solver whose table has a size.
const TABLE: usize = 512 << 20;

/// Nodes of the peers, counted where they ask for the next position.
static NODES: AtomicU64 = AtomicU64::new(0);

#[inline]
fn count() {
    // One thread writes: no need of an atomic addition.
    NODES.store(NODES.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// The search of pods without its mirror idea
    PodsSearch,
    /// The search of pods with everything: theorem-aided
    PodsMirror,
    /// The search of pods without its special case for games such as Snort
    PodsGeneral,
    /// Crate minimax, iterative deepening
    Minimax,
    /// Crate game-solver
    GameSolver,
}

/// The answer of a solver.
pub struct Solved {
    /// For the player who starts.
    pub outcome: Outcome,
    /// CPU time, without that of setting up the table.
    pub time: Duration,
    /// Positions that were looked at, as the solver counts them; of the peers, those that they
    /// asked for.
    pub nodes: u64,
}

impl Solver {
    pub const ALL: [Solver; 5] =
        [Solver::PodsSearch, Solver::PodsMirror, Solver::PodsGeneral, Solver::Minimax, Solver::GameSolver];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Solver::PodsSearch => "pods-search",
            Solver::PodsMirror => "pods-mirror",
            Solver::PodsGeneral => "pods-general",
            Solver::Minimax => "minimax",
            Solver::GameSolver => "game-solver",
        }
    }

    /// Returns the configuration that is measured, in a few words.
    pub fn configuration(self) -> &'static str {
        match self {
            Solver::PodsSearch => "search alone: mirror idea off",
            Solver::PodsMirror => "theorem-aided: mirror idea on",
            Solver::PodsGeneral => "search alone: mirror idea and fixed conflicts off",
            Solver::Minimax => "0.6.0 IterativeSearch with table, MTD(f) and double steps; moves by denial",
            Solver::GameSolver => "0.1.0 solve, scores win or not; moves by denial",
        }
    }

    /// Solves the game; returns the winner and the work that it took.
    pub fn solve(self, board: Board) -> Result<Solved, String> {
        let start = Snort::start(&board);
        let depth = board.len() as u8 + 1;
        match self {
            Solver::PodsSearch => ours(board, features(false, true)),
            Solver::PodsMirror => ours(board, SearchFeatures::ALL),
            Solver::PodsGeneral => ours(board, features(false, false)),
            Solver::Minimax => minimax(start, depth),
            Solver::GameSolver => Ok(game_solver(start)),
        }
    }
}

fn features(mirror: bool, conflicts: bool) -> SearchFeatures {
    let mut features = SearchFeatures::ALL;
    (features.mirror, features.conflicts) = (mirror, conflicts);
    features
}

fn ours(board: Board, features: SearchFeatures) -> Result<Solved, String> {
    let (game, start) = snort::game(board)?;
    let search = Search::with_features(&game, TABLE as u64, features).ok_or("Snort is a placement game")?;
    let begun = ProcessTime::now();
    let answer = search.solve(&start, Limits::default(), &Silent);
    let outcome = answer.outcome.map_err(|e| e.to_string())?;
    Ok(Solved { outcome, time: begun.elapsed(), nodes: answer.nodes })
}

struct Rules;

/// Every position that is not over counts the same: a search to the end needs no guess.
struct Even;

impl minimax::Game for Rules {
    type S = Snort;
    type M = u8;

    fn generate_moves(state: &Snort, moves: &mut Vec<u8>) -> Option<minimax::Winner> {
        moves.extend(state.ordered().map(|point| point as u8));
        Self::get_winner(state)
    }

    fn apply(state: &mut Snort, point: u8) -> Option<Snort> {
        count();
        Some(state.after(u32::from(point)))
    }

    fn get_winner(state: &Snort) -> Option<minimax::Winner> {
        (state.mine == 0).then_some(minimax::Winner::PlayerJustMoved)
    }

    fn zobrist_hash(state: &Snort) -> u64 {
        let product = u128::from(state.mine ^ 0x9e37_79b9_7f4a_7c15) * u128::from(state.theirs ^ 0xc2b2_ae3d_27d4_eb4f);
        let folded = product as u64 ^ (product >> 64) as u64;
        (folded ^ folded >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

impl minimax::Evaluator for Even {
    type G = Rules;

    fn evaluate(&self, _: &Snort) -> minimax::Evaluation {
        0
    }
}

fn minimax(start: Snort, depth: u8) -> Result<Solved, String> {
    let options = minimax::IterativeOptions::new().with_table_byte_size(TABLE).with_mtdf().with_double_step_increment();
    let mut search = minimax::IterativeSearch::new(Even, options);
    search.set_max_depth(depth);
    let begun = ProcessTime::now();
    search.choose_move(&start);
    let time = begun.elapsed();
    let outcome = match search.root_value() {
        minimax::BEST_EVAL => Outcome::Win,
        minimax::WORST_EVAL => Outcome::Loss,
        other => return Err(format!("minimax ends with the value {other}, which is no end of a game")),
    };
    Ok(Solved { outcome, time, nodes: NODES.load(Ordering::Relaxed) })
}

impl game_solver::Game for Snort {
    type Move = u32;
    type Iter = std::vec::IntoIter<u32>;

    fn player(&self) -> game_solver::Player {
        // Positions are seen by the player to move; the solver never asks.
        game_solver::Player::P1
    }

    // A win scores 1 whenever it comes, and the range of scores leaves one question: a win or not.
    fn score(&self) -> u32 {
        2
    }

    fn max_score(&self) -> u32 {
        1
    }

    fn min_score(&self) -> i32 {
        0
    }

    fn make_move(&mut self, point: u32) -> bool {
        count();
        let open = self.mine >> point & 1 != 0;
        if open {
            *self = self.after(point);
        }
        open
    }

    fn possible_moves(&self) -> Self::Iter {
        self.ordered().collect::<Vec<u32>>().into_iter()
    }

    fn is_winning_move(&self, point: u32) -> bool {
        self.after(point).mine == 0
    }
}

fn game_solver(start: Snort) -> Solved {
    let begun = ProcessTime::now();
    let outcome = if game_solver::solve(&start) > 0 { Outcome::Win } else { Outcome::Loss };
    Solved { outcome, time: begun.elapsed(), nodes: NODES.load(Ordering::Relaxed) }
}
