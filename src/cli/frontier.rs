//! `pods frontier`

use std::io::Write;

use cpu_time::ProcessTime;
use rand::{RngExt as _, SeedableRng as _};

use super::failure::{Exit, Failure, Outcome};
use super::format::csv_rows;
use super::limits::LimitArgs;
use super::progress::SolverProgress;
use super::setup::{Setting, SetupArgs};
use crate::engine::{Bitboard, Engine};
use crate::material::Side;
use crate::position::Position;
use crate::solver::forced::{Forced, forced_win_counted};
use crate::solver::search::{Budget, Search};

/// Measures how early random positions are solved, or how fast forced wins are found in late ones.
///
/// Each seed stands for a position that uniformly random play comes to; it is searched by one thread. A row per position,
/// as CSV, with CPU seconds. With --ply, the positions of a placement game are searched for the winner; an unknown value
/// is an empty cell. With --hands and --max-plies, positions of any game are searched for a forced win; the answer is
/// `win in N`, `not within N` or `unknown`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods frontier --ply 12 --ply 14 --count 20
  pods frontier --ply 10 --orientation 90 --max-nodes 1000000 > frontier.csv
  pods frontier --hands 3 --max-plies 7 --rules advanced --count 4")]
pub(super) struct Args {
    /// Random plies before the search; several may be given
    #[arg(long, value_name = "N", required_unless_present = "hands")]
    ply: Vec<u32>,

    /// Random play until no hand has more than this many pods, instead of a number of plies
    #[arg(long, value_name = "N", conflicts_with = "ply", requires = "max_plies")]
    hands: Option<usize>,

    /// Look for a forced win within so many plies
    #[arg(long, value_name = "N", requires = "hands")]
    max_plies: Option<u16>,

    /// Positions for each number of plies, or in all: seeds from 0
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

const FORCED_HEADER: [&str; 9] =
    ["board", "orientation", "rules", "hands", "seed", "position", "answer", "nodes", "seconds"];

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setting = args.setup.read()?;
    if let (Some(hands), Some(plies)) = (args.hands, args.max_plies) {
        return forced(args, &setting, hands, plies, out);
    }
    let not_placement = || Failure::wrong("the search is for rules under which nothing moves and nothing is captured");
    csv_rows(out, &HEADER, Vec::<Vec<String>>::new())?;
    for &ply in &args.ply {
        for seed in 0..args.count {
            let position = random_position(&setting, ply, seed)?;
            let search = Search::new(&setting.game, args.limits.read().memory).ok_or_else(not_placement)?;
            let budget = Budget { nodes: args.max_nodes, ..Budget::default() };
            let begun = ProcessTime::now();
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

fn forced(args: &Args, setting: &Setting, hands: usize, plies: u16, out: &mut dyn Write) -> Outcome {
    let engine = Bitboard::new(setting.game.clone());
    csv_rows(out, &FORCED_HEADER, Vec::<Vec<String>>::new())?;
    for seed in 0..args.count {
        let position = late_position(setting, hands, seed)?;
        let budget = Budget { nodes: args.max_nodes, ..Budget::default() };
        let begun = ProcessTime::now();
        let progress = SolverProgress::default();
        let (found, nodes) = forced_win_counted(&engine, &position, plies, budget, args.limits.read(), &progress);
        let seconds = begun.elapsed().as_secs_f64();
        let (board, rules) = (setting.game.board(), setting.game.rules());
        let row = vec![
            board.name().to_owned(),
            board.orientation().to_string(),
            rules.to_string(),
            hands.to_string(),
            seed.to_string(),
            position.text(&setting.game),
            match found {
                Forced::Win { plies, .. } => format!("win in {plies}"),
                Forced::NotWithin(plies) => format!("not within {plies}"),
                Forced::Unknown { .. } => "unknown".to_owned(),
            },
            nodes.to_string(),
            format!("{seconds:.3}"),
        ];
        csv_rows(out, &[], [row])?;
        out.flush()?;
    }
    Ok(Exit::Good)
}

/// Random games for one late position, and plies for one of them, before it is given up: hands may grow again by captures,
/// so play can be endless (R21).
const TRIES: u64 = 1_000;
const LONGEST: u32 = 2_000;

/// The first unfinished position of random play in which no hand has more pods than given.
fn late_position(setting: &Setting, hands: usize, seed: u64) -> Result<Position, Failure> {
    let engine = Bitboard::new(setting.game.clone());
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    for _ in 0..TRIES {
        let mut position = setting.start(Side::White)?;
        for _ in 0..LONGEST {
            let actions = engine.actions(&position);
            if actions.is_empty() {
                break;
            }
            if Side::BOTH.iter().all(|&side| position.hand(side).len() <= hands) {
                return Ok(position);
            }
            let action = actions[random.random_range(0..actions.len())];
            position = super::engines::play(&engine, &position, action)?.next;
        }
    }
    Err(Failure::wrong(format_args!("random play does not come to hands of at most {hands}; raise --hands")))
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
