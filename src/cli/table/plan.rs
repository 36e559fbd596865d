//! `pods table plan`

use std::io::Write;

use super::cluster::ProcessesArgs;
use super::{index_of, time_text};
use crate::cli::failure::{CommandResult, Exit};
use crate::cli::format::{Format, csv_rows, json_rows, rounded};
use crate::cli::setup::SetupArgs;
use crate::files::{Bytes, Thousands, count, record};
use crate::material::{PodSet, Side};
use crate::position::Hand;
use crate::table::{Index, Need, TablePlan};

/// Predict the positions, memory and time of a table.
///
/// Nothing is built. Positions are counted exactly, with both sides to move; those with blocked
/// pods count too, though they are answered and not stored. How well a file compresses is not
/// known before it is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods table plan --board cave36 --pods four --hands :bdt --rules advanced
  pods table plan --board ring8 --pods duo --rules advanced --tiers --format csv

With --tiers, `slices` is the number of ways to divide the pods of a tier between board and hands.

The needs, as --tiers, csv and json show them:

  memory    of a build that keeps all values, a little above measured values
  least     of a build that reads values back from disk
  streamed  of a build that solves tiers from disk
  scratch   words on disk beside finished tiers and logs, while a tier is solved from there: exact
  seconds   on two cores, a guess; longer from disk")]
pub(super) struct Args {
    /// Show a row for each tier: a pair of sets of pods still in the game
    #[arg(long)]
    tiers: bool,

    /// Format of the plan
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    processes: ProcessesArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

record! {
    /// Predicted needs of a tier, or of the whole table.
    pub(in crate::cli) struct PlanRow {
        /// White's pods in the game.
        white: String,
        /// Black's pods in the game.
        black: String,
        /// Slices: ways to divide the pods between board and hands.
        slices: usize,
        /// Positions, with both sides to move.
        positions: u64,
        /// Bytes of memory of a build that keeps all values.
        memory: u64,
        /// Bytes of memory of a build that reads values back from disk.
        least: u64,
        /// Bytes of memory of a build that solves tiers from disk.
        streamed: u64,
        /// Bytes of words on disk beside finished tiers and logs, while a tier is solved from there.
        scratch: u64,
        /// Seconds on two cores, and longer from disk.
        seconds: f64,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let index = index_of(&args.setup, &setup)?;
    let plan = TablePlan::new(setup.game(), &index);
    let pods = setup.game().pods();
    if let Some(needs) = args.processes.read(&index, &plan) {
        if args.format == Format::Text {
            write_summary(out, pods, &index, &plan)?;
        }
        needs.write(args.format, out)?;
        return Ok(Exit::Good);
    }
    let rows: Vec<PlanRow> =
        if args.tiers { rows(pods, &index, &plan).collect() } else { vec![whole(pods, &index, &plan)] };
    match args.format {
        Format::Text if args.tiers => write_tiers(out, &rows, &whole(pods, &index, &plan))?,
        Format::Text => write_summary(out, pods, &index, &plan)?,
        Format::Csv => csv_rows(out, true, rows)?,
        Format::Json => json_rows(out, rows)?,
    }
    Ok(Exit::Good)
}

fn rows(pods: &PodSet, index: &Index, plan: &TablePlan) -> impl Iterator<Item = PlanRow> {
    index.tiers().iter().zip(&plan.tiers).map(|(tier, need)| {
        let [white, black] = Side::BOTH.map(|side| alive_text(pods, index, tier.alive(), side));
        let Need { positions, memory, least, streamed, scratch, seconds } = *need;
        let seconds = rounded(seconds, 3);
        PlanRow { white, black, slices: tier.slices().len(), positions, memory, least, streamed, scratch, seconds }
    })
}

fn whole(pods: &PodSet, index: &Index, plan: &TablePlan) -> PlanRow {
    let most = |side| {
        let counts: Vec<u8> = index.piece_types().iter().map(|piece_type| piece_type.count).collect();
        alive_text(pods, index, &counts, side)
    };
    let Need { positions, memory, least, streamed, scratch, seconds } = plan.total;
    let seconds = rounded(seconds, 3);
    let [white, black] = Side::BOTH.map(most);
    let slices = index.tiers().iter().map(|t| t.slices().len()).sum();
    PlanRow { white, black, slices, positions, memory, least, streamed, scratch, seconds }
}

/// Writes the plan for people, summed up.
pub(super) fn write_summary(
    out: &mut dyn Write,
    pods: &PodSet,
    index: &Index,
    plan: &TablePlan,
) -> std::io::Result<()> {
    let all = whole(pods, index, plan);
    let bytes = |bytes: u64| Bytes(bytes.into());
    writeln!(out, "setup      White {}, Black {}, on {} points", all.white, all.black, index.points())?;
    writeln!(out, "positions  {} in {}", Thousands(all.positions.into()), count(index.tiers().len() as u64, "tier"))?;
    if let Some(largest) = rows(pods, index, plan).max_by_key(|row| row.positions) {
        let PlanRow { white, black, positions, .. } = largest;
        writeln!(out, "largest    {} with White {white}, Black {black} in the game", Thousands(positions.into()))?;
    }
    writeln!(out, "memory     {} to keep all values", bytes(all.memory))?;
    writeln!(out, "           {} if values are read back from disk", bytes(all.least))?;
    writeln!(out, "           {} if tiers are solved from disk too: the least", bytes(all.streamed))?;
    writeln!(out, "disk       {} for words while a tier is solved from disk", bytes(all.scratch))?;
    writeln!(out, "time       {} on two cores, a guess; more from disk", time_text(all.seconds))
}

fn write_tiers(out: &mut dyn Write, tiers: &[PlanRow], all: &PlanRow) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>10} {:>10} {:>7} {:>16} {:>10} {:>10} {:>10} {:>10} {:>9}",
        "white", "black", "slices", "positions", "memory", "least", "streamed", "scratch", "seconds"
    )?;
    for row in tiers {
        write_row(out, row, [&row.white, &row.black])?;
    }
    write_row(out, all, ["all", &count(tiers.len() as u64, "tier")])
}

pub(super) fn alive_text(pods: &PodSet, index: &Index, counts: &[u8], side: Side) -> String {
    let piece_types = index.piece_types().iter().zip(counts).filter(|(piece_type, _)| piece_type.side == side);
    let hand: Hand =
        piece_types.flat_map(|(piece_type, &n)| std::iter::repeat_n(piece_type.kind, n as usize)).collect();
    hand.display(pods).to_string()
}

fn write_row(out: &mut dyn Write, row: &PlanRow, [white, black]: [&str; 2]) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>10} {:>10} {:>7} {:>16} {:>10} {:>10} {:>10} {:>10} {:>9.1}",
        white,
        black,
        row.slices,
        Thousands(row.positions.into()).to_string(),
        Bytes(row.memory.into()).to_string(),
        Bytes(row.least.into()).to_string(),
        Bytes(row.streamed.into()).to_string(),
        Bytes(row.scratch.into()).to_string(),
        row.seconds
    )
}
