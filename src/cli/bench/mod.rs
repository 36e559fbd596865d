//! `pods bench`

mod answer;
mod player;
mod table;

use std::io::Write;
use std::time::Instant;

use clap::Subcommand;

use super::failure::{Exit, Failure, Outcome};
use crate::engine::{Bitboard, Engine, Reference};
use crate::material::{Side, find_board, find_pods};
use crate::position::{Game, Hand, Position};
use crate::rules::{Preset, RuleSet};
use crate::solver::{Exhaustive, Limits, Retrograde, Silent, Value};

/// Measure the engines and the solvers side by side.
///
/// Answers are checked. One thread is used. Machines are noisy: the ratios say more than the rates.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods bench
  pods bench answer
  pods bench player 'best --nodes 2000'
  pods bench table")]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    Answer(answer::Args),
    Player(Box<player::Args>),
    Table(table::Args),
}

impl Args {
    /// Returns `true` if what is measured has `--threads` of its own.
    pub(super) const fn has_threads(&self) -> bool {
        matches!(self.what, Some(What::Player(_)))
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.what {
        Some(What::Answer(args)) => return answer::run(args, out),
        Some(What::Player(args)) => return player::run(args, out),
        Some(What::Table(args)) => return table::run(args, out),
        None => {}
    }
    writeln!(
        out,
        "perft from the start of cave36, pods14, full hands: leaves/s, one thread, bulk-counted at the last ply"
    )?;
    writeln!(out, "  {:16} {:>14} {:>14} {:>8}", "rules", "reference", "fast", "ratio")?;
    for preset in Preset::ALL {
        let (game, start) = setup("cave36", "pods14", preset.into())?;
        let (reference, fast) = (Reference::new(game.clone()), Bitboard::new(game));
        let (leaves, slow_seconds) = timed(|| reference.perft(&start, 2));
        let (same, _) = timed(|| fast.perft(&start, 2));
        if leaves != same {
            return Err(Failure::Discrepancy(format!("perft 2 under {preset:?}: reference {leaves}, fast {same}")));
        }
        let (deep, fast_seconds) = timed(|| fast.perft(&start, 4));
        let (slow_rate, fast_rate) = (leaves as f64 / slow_seconds, deep as f64 / fast_seconds);
        writeln!(out, "  {:16} {slow_rate:>14.3e} {fast_rate:>14.3e} {:>8.0}", preset.name(), fast_rate / slow_rate)?;
        out.flush()?;
    }
    writeln!(out, "solvers: positions/s, one thread; verification with the reference engine on all threads")?;
    writeln!(out, "  {:44} {:>12} {:>10} {:>12} {:>12}", "setup", "value", "positions", "solve/s", "verify/s")?;
    for (board, pods, rules) in [
        ("den12", "mini7", Preset::Standard),
        ("ring8", "four", Preset::Advanced),
        ("nook9", "trio", Preset::VeryAdvanced),
    ] {
        let (game, start) = setup(board, pods, rules.into())?;
        let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
        let failed = |e: &dyn std::fmt::Display| Failure::Discrepancy(e.to_string());
        let (value, positions, seconds, checked, verify_seconds) = if game.rules().can_cycle() {
            let (table, seconds) = timed(|| Retrograde::build(&fast, &[&start], Limits::default(), &Silent));
            let table = table.map_err(Failure::wrong)?;
            let (checked, verify_seconds) = timed(|| table.verify(&reference, &Silent));
            let value = table.value(&start).unwrap_or(Value::Draw);
            (
                value,
                table.positions(),
                seconds,
                checked.map_err(|e| failed(&e))?.map_err(Failure::wrong)?,
                verify_seconds,
            )
        } else {
            let mut search = Exhaustive::new(fast, &[&start], Limits::default());
            let (value, seconds) = timed(|| search.value(&start, &Silent));
            let value = value.map_err(Failure::wrong)?;
            let (checked, verify_seconds) = timed(|| search.verify(&reference, &[(&start, value)], &[], &Silent));
            (
                value,
                search.positions(),
                seconds,
                checked.map_err(|e| failed(&e))?.map_err(Failure::wrong)?,
                verify_seconds,
            )
        };
        writeln!(
            out,
            "  {:44} {:>12} {positions:>10} {:>12.3e} {:>12.3e}",
            format!("{board} {pods} {}", rules.name()),
            value.to_string(),
            positions as f64 / seconds,
            checked as f64 / verify_seconds,
        )?;
        out.flush()?;
    }
    Ok(Exit::Good)
}

fn setup(board: &str, pods: &str, rules: RuleSet) -> Result<(Game, Position), Failure> {
    let pods = find_pods(pods).map_err(Failure::wrong)?;
    let hand = Hand::whole(&pods);
    let game = Game::new(find_board(board).map_err(Failure::wrong)?, pods, rules);
    let start = game.start(hand, hand, Side::White).map_err(Failure::wrong)?;
    Ok((game, start))
}

/// Runs a job, and returns its result with the seconds that it took.
fn timed<T>(job: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = job();
    (result, begun.elapsed().as_secs_f64())
}
