//! `pods table plan`

use std::io::Write;

use crate::cli::failure::{Exit, Failure, Outcome};
use crate::cli::format::{Format, csv_rows, json_line};
use crate::cli::setup::SetupArgs;
use crate::material::{PodSet, Side};
use crate::position::Hand;
use crate::solver::{Bytes, Thousands};
use crate::table::{Index, Need, TablePlan};

/// Shows what a table will take, tier by tier, before anything is allocated.
///
/// Positions are counted exactly, both sides to move, those with blocked pods too, which are answered and not stored. `memory` is what a build takes that keeps all values; with less, down to
/// `least`, it reads values that it needs again back from disk; with less still, down to `streamed`, it solves the tier from
/// disk too. `disk` is for the files, which mostly take less; while they are put together, the finished tiers take up to two
/// thirds of that again. `scratch` is what a tier takes on disk beside the finished ones while it is solved from there. Seconds are a
/// guess, and some more from disk.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods table plan --board cave36 --pods four --black-hand bdt --rules advanced")]
pub(super) struct Args {
    /// How to write the plan; csv and json have a row for each tier
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    setup: SetupArgs,
}

#[derive(serde::Serialize)]
struct Row {
    white: String,
    black: String,
    slices: usize,
    positions: u64,
    memory: u64,
    least: u64,
    streamed: u64,
    disk: u64,
    scratch: u64,
    seconds: f64,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setting = args.setup.read()?;
    let index = Index::new(&setting.game, &[setting.white, setting.black]).map_err(Failure::wrong)?;
    let plan = TablePlan::new(&setting.game, &index);
    match args.format {
        Format::Text => write_text(out, setting.game.pods(), &index, &plan)?,
        Format::Csv => {
            let header =
                ["white", "black", "slices", "positions", "memory", "least", "streamed", "disk", "scratch", "seconds"];
            let fields = rows(setting.game.pods(), &index, &plan).map(|r| {
                let numbers = [r.slices as u64, r.positions, r.memory, r.least, r.streamed, r.disk, r.scratch];
                let numbers = numbers.map(|n| n.to_string());
                [r.white, r.black].into_iter().chain(numbers).chain([format!("{:.3}", r.seconds)]).collect()
            });
            csv_rows(out, &header, fields.collect::<Vec<Vec<String>>>())?;
        }
        Format::Json => {
            for row in rows(setting.game.pods(), &index, &plan) {
                json_line(out, &row)?;
            }
        }
    }
    Ok(Exit::Good)
}

fn rows(pods: &PodSet, index: &Index, plan: &TablePlan) -> impl Iterator<Item = Row> {
    index.tiers().iter().zip(&plan.tiers).map(|(tier, need)| {
        let [white, black] = Side::BOTH.map(|side| alive_text(pods, index, tier.alive(), side));
        let Need { positions, memory, least, streamed, disk, scratch, seconds } = *need;
        Row { white, black, slices: tier.slices().len(), positions, memory, least, streamed, disk, scratch, seconds }
    })
}

/// The plan for people, tier by tier and in all.
pub(super) fn write_text(out: &mut dyn Write, pods: &PodSet, index: &Index, plan: &TablePlan) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>10} {:>10} {:>7} {:>16} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}",
        "white", "black", "slices", "positions", "memory", "least", "streamed", "disk", "scratch", "seconds"
    )?;
    for row in rows(pods, index, plan) {
        write_row(out, &row)?;
    }
    let Need { positions, memory, least, streamed, disk, scratch, seconds } = plan.total;
    let (white, black) = ("all".to_owned(), format!("{} tiers", index.tiers().len()));
    let slices = index.tiers().iter().map(|t| t.slices().len()).sum();
    write_row(out, &Row { white, black, slices, positions, memory, least, streamed, disk, scratch, seconds })
}

/// The pods of a side in a tier, as the text of a hand.
pub(super) fn alive_text(pods: &PodSet, index: &Index, counts: &[u8], side: Side) -> String {
    let classes = index.classes().iter().zip(counts).filter(|(class, _)| class.side == side);
    let hand: Hand = classes.flat_map(|(class, &n)| std::iter::repeat_n(class.kind, n as usize)).collect();
    hand.text(pods)
}

fn write_row(out: &mut dyn Write, row: &Row) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>10} {:>10} {:>7} {:>16} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9.1}",
        row.white,
        row.black,
        row.slices,
        Thousands(row.positions.into()).to_string(),
        Bytes(row.memory.into()).to_string(),
        Bytes(row.least.into()).to_string(),
        Bytes(row.streamed.into()).to_string(),
        Bytes(row.disk.into()).to_string(),
        Bytes(row.scratch.into()).to_string(),
        row.seconds
    )
}
