//! `pods bench`

mod answer;
mod player;
mod table;

use std::io::Write;
use std::time::Instant;

use clap::Subcommand;

pub(super) use self::answer::AnswerRow;
pub(super) use self::table::SweepRow;
use super::failure::{CommandResult, Exit, Failure};
use super::format::{Format, RowWriter};
use crate::engine::{Bitboard, Engine, Reference};
use crate::files::{Decimal, record};
use crate::geometry::Orientation;
use crate::material::{BySide, Side, find_pods};
use crate::position::{Hand, Position};
use crate::report::{NamedSetup, SetupRecord};
use crate::rules::{Preset, RuleSet};
use crate::solver::{Exhaustive, Limits, Retrograde, Silent, Value};

/// Measure the engines and the solvers side by side.
///
/// Answers are checked. One thread is used. Machines are noisy: the ratios say more than the rates.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  pods bench
  pods bench --format csv
  pods bench answer
  pods bench player 'best --nodes 2000'
  pods bench table")]
pub(super) struct Args {
    /// Format of the rates; csv and json have a row for each
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

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

record! {
    /// A rate of an engine or a solver.
    pub(super) struct BenchRow {
        #[serde(flatten)]
        setup: SetupRecord,
        /// The work: `perft`, `solve`, or `verify`, which derives a solver's values again.
        work: &'static str,
        /// Engine that plays: `fast` or `reference`.
        engine: &'static str,
        /// Leaves of the perft, or positions.
        number: u64,
        /// Seconds that they took.
        seconds: Decimal<6>,
        /// Leaves or positions per second.
        rate: Decimal<0>,
    }
}

impl BenchRow {
    fn new(setup: &SetupRecord, work: &'static str, engine: &'static str, number: u64, seconds: f64) -> BenchRow {
        let (seconds, rate) = (Decimal(seconds), Decimal(number as f64 / seconds));
        BenchRow { setup: setup.clone(), work, engine, number, seconds, rate }
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    match &args.what {
        Some(What::Answer(args)) => return answer::run(args, out),
        Some(What::Player(args)) => return player::run(args, out),
        Some(What::Table(args)) => return table::run(args, out),
        None => {}
    }
    let mut rows = RowWriter::begin::<BenchRow>(out, args.format)?;
    engines(&mut rows)?;
    solvers(&mut rows)?;
    Ok(Exit::Good)
}

fn engines(rows: &mut RowWriter<'_>) -> Result<(), Failure> {
    rows.line(
        "perft from the start of cave36, pods14, full hands: leaves/s, one thread, bulk-counted at the last ply",
    )?;
    rows.line(format_args!("  {:16} {:>14} {:>14} {:>8}", "rules", "reference", "fast", "ratio"))?;
    for preset in Preset::ALL {
        let (setup, start) = setup("cave36", "pods14", preset.into())?;
        let (reference, fast) = (Reference::new(setup.game().clone()), Bitboard::new(setup.game().clone()));
        let (leaves, slow_seconds) = timed(|| reference.perft(&start, 2));
        let (same, _) = timed(|| fast.perft(&start, 2));
        if leaves != same {
            return Err(Failure::Discrepancy(format!("perft 2 under {preset:?}: reference {leaves}, fast {same}")));
        }
        let (deep, fast_seconds) = timed(|| fast.perft(&start, 4));
        let (slow_rate, fast_rate) = (leaves as f64 / slow_seconds, deep as f64 / fast_seconds);
        let ratio = fast_rate / slow_rate;
        rows.line(format_args!("  {:16} {slow_rate:>14.3e} {fast_rate:>14.3e} {ratio:>8.0}", preset.name()))?;
        let setup = setup.record();
        rows.record(BenchRow::new(&setup, "perft", "reference", leaves, slow_seconds))?;
        rows.record(BenchRow::new(&setup, "perft", "fast", deep, fast_seconds))?;
    }
    Ok(())
}

fn solvers(rows: &mut RowWriter<'_>) -> Result<(), Failure> {
    rows.line("solvers: positions/s, one thread; verification with the reference engine on all threads")?;
    rows.line(format_args!(
        "  {:44} {:>12} {:>10} {:>12} {:>12}",
        "setup", "value", "positions", "solve/s", "verify/s"
    ))?;
    for (board, pods, rules) in [
        ("den12", "mini7", Preset::Standard),
        ("ring8", "four", Preset::Advanced),
        ("nook9", "trio", Preset::VeryAdvanced),
    ] {
        let (setup, start) = setup(board, pods, rules.into())?;
        let game = setup.game();
        let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
        let failed = |e: &dyn std::fmt::Display| Failure::Discrepancy(e.to_string());
        let (value, positions, seconds, checked, verify_seconds) = if game.rules().can_cycle() {
            let (table, seconds) = timed(|| Retrograde::build(&fast, &[&start], Limits::default(), &Silent));
            let table = table.map_err(Failure::wrong)?;
            let (checked, verify_seconds) = timed(|| table.verify(&reference, &Silent));
            let value = table.value(&start).unwrap_or(Value::Draw);
            let checked = checked.map_err(|e| failed(&e))?.map_err(Failure::wrong)?;
            (value, table.positions(), seconds, checked, verify_seconds)
        } else {
            let mut search = Exhaustive::new(fast, &[&start], Limits::default());
            let (value, seconds) = timed(|| search.value(&start, &Silent));
            let value = value.map_err(Failure::wrong)?;
            let (checked, verify_seconds) = timed(|| search.verify(&reference, &[(&start, value)], &[], &Silent));
            let checked = checked.map_err(|e| failed(&e))?.map_err(Failure::wrong)?;
            (value, search.positions(), seconds, checked, verify_seconds)
        };
        rows.line(format_args!(
            "  {:44} {:>12} {positions:>10} {:>12.3e} {:>12.3e}",
            format!("{board} {pods} {}", rules.name()),
            value.to_string(),
            positions as f64 / seconds,
            checked as f64 / verify_seconds,
        ))?;
        let setup = setup.record();
        rows.record(BenchRow::new(&setup, "solve", "fast", positions, seconds))?;
        rows.record(BenchRow::new(&setup, "verify", "reference", checked, verify_seconds))?;
    }
    Ok(())
}

fn setup(board: &str, pods: &str, rules: RuleSet) -> Result<(NamedSetup, Position), Failure> {
    let set = find_pods(pods).map_err(Failure::wrong)?;
    let hand = Hand::whole(&set).display(&set).to_string();
    let hands = BySide { white: hand.as_str(), black: &hand };
    let setup = NamedSetup::read(board, Orientation::R0, pods, hands, rules).map_err(Failure::wrong)?;
    let start = setup.setup().start(Side::White)?;
    Ok((setup, start))
}

/// Runs a job, and returns its result with the seconds that it took.
fn timed<T>(job: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = job();
    (result, begun.elapsed().as_secs_f64())
}
