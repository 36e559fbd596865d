//! `pods frontier`

use std::io::Write;
use std::time::Instant;

use rand::{RngExt as _, SeedableRng as _};

use super::failure::{Exit, Failure, Outcome};
use super::format::csv_rows;
use super::limits::LimitArgs;
use super::progress::SolverProgress;
use super::setup::{Setting, SetupArgs};
use crate::engine::{Bitboard, Engine};
use crate::material::Side;
use crate::position::Position;
use crate::solver::search::{Budget, Search};

/// Measures how early in a placement game random positions are solved.
///
/// Each seed stands for a position after some uniformly random plies from the start; it is searched by one thread. A row
/// per position, as CSV; an unknown value is an empty cell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods frontier --ply 12 --ply 14 --count 20
  pods frontier --ply 10 --orientation 90 --max-nodes 1000000 > frontier.csv")]
pub(super) struct Args {
    /// Random plies before the search; several may be given
    #[arg(long, value_name = "N", required = true)]
    ply: Vec<u32>,

    /// Positions for each number of plies: seeds from 0
    #[arg(long, value_name = "N", default_value = "40")]
    count: u64,

    /// Stop without an answer after this many nodes
    #[arg(long, value_name = "N", default_value = "30000000")]
    max_nodes: u64,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

const HEADER: [&str; 9] = ["board", "orientation", "rules", "ply", "seed", "position", "value", "nodes", "seconds"];

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setting = args.setup.read()?;
    let not_placement = || Failure::wrong("the search is for rules under which nothing moves and nothing is captured");
    csv_rows(out, &HEADER, Vec::<Vec<String>>::new())?;
    for &ply in &args.ply {
        for seed in 0..args.count {
            let position = random_position(&setting, ply, seed)?;
            let search = Search::new(&setting.game, args.limits.read().memory).ok_or_else(not_placement)?;
            let budget = Budget { nodes: args.max_nodes, ..Budget::default() };
            let begun = Instant::now();
            let answer = search.solve(&position, budget, &SolverProgress::default());
            let seconds = begun.elapsed().as_secs_f64();
            let (board, rules) = (setting.game.board(), setting.game.rules());
            let row = vec![
                board.name().to_owned(),
                board.orientation().to_string(),
                rules.to_string(),
                ply.to_string(),
                seed.to_string(),
                position.text(&setting.game),
                answer.outcome.map_or("", |outcome| outcome.name()).to_owned(),
                answer.nodes.to_string(),
                format!("{seconds:.3}"),
            ];
            csv_rows(out, &[], [row])?;
            out.flush()?;
        }
    }
    Ok(Exit::Good)
}

/// The position that random play comes to; an earlier one if the game ends before.
fn random_position(setting: &Setting, plies: u32, seed: u64) -> Result<Position, Failure> {
    let engine = Bitboard::new(setting.game.clone());
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut position = setting.start(Side::White)?;
    for _ in 0..plies {
        let actions = engine.actions(&position);
        if actions.is_empty() {
            break;
        }
        let action = actions[random.random_range(0..actions.len())];
        position = super::engines::play(&engine, &position, action)?.next;
    }
    Ok(position)
}
