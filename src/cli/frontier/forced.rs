//! `pods frontier --hand-size N --max-plies N`

use std::io::Write;

use cpu_time::ProcessTime;
use rand::{RngExt as _, SeedableRng as _};

use super::{Args, Measured};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::limits::Stopper;
use crate::cli::progress::SolverProgress;
use crate::engine::{Bitboard, Engine};
use crate::files::{Decimal, record};
use crate::material::Side;
use crate::position::{Position, Setup};
use crate::solver::forced::{Forced, forced_win};

record! {
    /// A late position that was searched for a forced win.
    pub(in crate::cli) struct ForcedRow {
        /// Name of the board.
        board: String,
        /// Degrees by which the board is turned clockwise (R2).
        orientation: u16,
        /// The rule set.
        rules: String,
        /// The most pods in a hand.
        hands: usize,
        /// Seed of the random play before the position.
        seed: u64,
        /// The position's text.
        position: String,
        /// `win in N`, `not within N` or `unknown`, of plies of the side to move.
        answer: String,
        /// Nodes of the search.
        nodes: u64,
        /// Processor time of the search, in seconds.
        seconds: Decimal<3>,
    }
}

/// Measures late positions, searched for a forced win.
pub(super) fn run(args: &Args, setup: &Setup, hands: usize, plies: u16, out: &mut dyn Write) -> CommandResult {
    let engine = Bitboard::new(setup.game().clone());
    let rows = Measured::<ForcedRow>::begin(args.format, out)?;
    let stopper = Stopper::new(true)?;
    for seed in 0..args.count {
        let position = late_position(setup, hands, seed)?;
        let limits = args.limits.read().with_nodes(args.max_nodes).with_interrupt(stopper.flag());
        let begun = ProcessTime::now();
        let progress = SolverProgress::default();
        let answer = forced_win(&engine, &position, plies, limits, &progress);
        let seconds = begun.elapsed().as_secs_f64();
        if stopper.is_set() {
            return interrupted(out, format_args!("{seed} of {} positions are measured", args.count));
        }
        let row = ForcedRow {
            board: setup.game().board().name().to_owned(),
            orientation: setup.game().board().orientation().degrees(),
            rules: setup.game().rules().to_string(),
            hands,
            seed,
            position: position.display(setup.game()).to_string(),
            answer: match answer.found {
                Forced::Win { plies, .. } => format!("win in {plies}"),
                Forced::NotWithin(plies) => format!("not within {plies}"),
                Forced::Unknown { .. } => "unknown".to_owned(),
            },
            nodes: answer.nodes,
            seconds: Decimal(seconds),
        };
        rows.write(row, out)?;
    }
    Ok(Exit::Good)
}

/// Random games for one late position, and plies for one of them, before it is given up: hands may
/// grow again by captures, so play can be endless (R21).
const TRIES: u64 = 1_000;
const LONGEST: u32 = 2_000;

/// Returns the first unfinished position of random play in which no hand has more pods than given.
fn late_position(setup: &Setup, hands: usize, seed: u64) -> Result<Position, Failure> {
    let engine = Bitboard::new(setup.game().clone());
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    for _ in 0..TRIES {
        let mut position = setup.start(Side::White)?;
        for _ in 0..LONGEST {
            let actions = engine.sorted_actions(&position);
            if actions.is_empty() {
                break;
            }
            if Side::BOTH.iter().all(|&side| position.hand(side).len() <= hands) {
                return Ok(position);
            }
            let action = actions[random.random_range(0..actions.len())];
            position = crate::cli::engines::play(&engine, &position, action)?.next;
        }
    }
    Err(Failure::wrong(format_args!("random play does not come to hands of at most {hands}; raise --hand-size")))
}
