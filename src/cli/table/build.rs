//! `pods table build`

use std::io::Write;
use std::time::Duration;

use super::cluster::ClusterArgs;
use super::plan::write_summary;
use super::{TableArg, index_of};
use crate::cli::failure::{CommandResult, Exit, Failure};
use crate::cli::format::{Format, RowWriter};
use crate::cli::limits::{end_at_signal, memory};
use crate::cli::progress::Progress;
use crate::cli::setup::SetupArgs;
use crate::cli::terminal::{complain, note};
use crate::cli::threads::ThreadsArg;
use crate::files::{Cell as _, Decimal, Thousands, count, record};
use crate::material::PodSet;
use crate::progress::{BuildStep, Observer, Phase};
use crate::table::{
    BuildOptions, Index, Sweeps, Table, TableError, TablePlan, discard_parts, held, parts_folder, table_path,
};

const EXAMPLES: &str = "\
Examples:
  pods table build small --board lair16 --pods trio --rules advanced
  pods table build wide --board cave36 --pods four --hands :bdt --rules advanced --memory 4GiB";

/// Solve a setup and write the table NAME.
///
/// Finished tiers are kept in the folder NAME.building. A build that was stopped resumes there, and
/// gives the same file. A tier that does not fit in memory is solved from disk, in the same folder.
///
/// A file and parts of another setup are kept, and so is everything that this program did not make.
///
/// With -n and -p several processes build the table together, each started in the same way, and
/// make the same file; all must see the folder. They divide large tiers among them, in memory, or on
/// disk where a part does not fit. If one is lost, all end; they resume when as many are started
/// again. Nothing is encrypted and there is no password: processes listen on the loopback
/// interface, unless --hosts names machines of a network whose every user is trusted.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArg,

    /// Use at most this much memory, such as 500MiB or 16GiB; `pods table plan` shows the minimum
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    #[command(flatten)]
    threads: ThreadsArg,

    /// Solve position by position: slow, for comparison
    #[arg(long)]
    plain: bool,

    /// Lose at most this many seconds of work when the build is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    checkpoint: u64,

    /// Solve from disk even what fits in memory, for comparison
    #[arg(long)]
    stream: bool,

    /// Remove the parts of an unfinished build of this name, of whatever setup, and begin anew
    #[arg(long)]
    discard: bool,

    /// Replace the file of another table, or whatever else stands where the file belongs
    #[arg(long)]
    force: bool,

    /// Format of the answer; csv and json have one row
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    cluster: ClusterArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

struct BuildBar<'a> {
    progress: &'a Progress,
    tiers: usize,
}

impl Observer for BuildBar<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        match phase {
            Phase::Build => self.progress.update(done, total),
            _ => self.progress.detail(format_args!("writing, {} %", 100 * done / total.unwrap_or(0).max(1))),
        }
    }

    fn build(&self, step: BuildStep) {
        if let BuildStep::Swept(tier, swept) = step {
            self.progress.detail(format_args!("tier {}/{}, sweep {}", tier + 1, self.tiers, swept.distance));
        }
    }
}

record! {
    /// The file of a table.
    pub(in crate::cli) struct BuiltRow {
        /// The file.
        file: String,
        /// True if this run made it; else it was there already.
        built: bool,
        /// Its bytes.
        bytes: u64,
        /// Tiers of the table.
        tiers: usize,
        /// Positions of the table.
        positions: u64,
        /// Positions that it holds; those with blocked pods are answered from their actions.
        held: u64,
        /// Bits a position in the file.
        bits: Decimal<3>,
        /// Bits a held position in the file.
        bits_held: Decimal<3>,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    args.threads.set_up()?;
    let index = index_of(&args.setup, &setup)?;
    let plan = TablePlan::new(setup.game(), &index);
    let sweeps = if args.plain { Sweeps::Direct } else { Sweeps::BitParallel };
    let options = BuildOptions {
        memory: args.memory,
        sweeps,
        checkpoint: Duration::from_secs(args.checkpoint),
        stream: args.stream,
        discard: args.discard,
        force: args.force,
    };
    if table_path(&args.table.name).is_file() {
        match Table::open(&args.table.name).and_then(|table| table.of(&setup)) {
            Ok(table) => {
                discard_parts(&args.table.name, &setup)?;
                let mut rows = RowWriter::begin::<BuiltRow>(out, args.format)?;
                rows.line(format_args!(
                    "{} is there already; `pods table verify` checks it",
                    args.table.name.display()
                ))?;
                rows.record(built_row(&table, &plan, false))?;
                return Ok(Exit::Good);
            }
            Err(_) if args.force => {}
            Err(error) => return Err(TableError::InTheWay(Box::new(error)).into()),
        }
    }
    end_at_signal("the same command resumes after the finished tiers")?;
    let progress = Progress::new("table", "positions");
    let observer = BuildBar { progress: &progress, tiers: index.tiers().len() };
    let failed = |error| match error {
        TableError::Memory { .. } | TableError::Space { .. } => refusal(&error, setup.game().pods(), &index, &plan),
        other => other.into(),
    };
    let built = args.cluster.build(&setup, &args.table.name, options, &observer, failed)?;
    drop(progress);
    if !args.cluster.tells() {
        return Ok(Exit::Good);
    }
    let folder = parts_folder(&args.table.name);
    if folder.exists() {
        note(format_args!("{} is kept: it has files that are not of the build", folder.display()));
    }
    let table = Table::open(&args.table.name)?;
    let (all, held) = (plan.total.positions, held(&index));
    let mut rows = RowWriter::begin::<BuiltRow>(out, args.format)?;
    rows.line(format_args!("{} positions in {}", Thousands(all.into()), count(index.tiers().len() as u64, "tier")))?;
    if held < all {
        let [held, others] = [held, all - held].map(|number| Thousands(number.into()));
        rows.line(format_args!("{held} are held, {others} with blocked pods are answered from their actions"))?;
    }
    let row = built_row(&table, &plan, true);
    let size = Thousands(row.bytes.into());
    let [bits, bits_held] = [row.bits, row.bits_held].map(|bits| bits.cell());
    rows.line(format_args!("{}: {size} bytes, {bits} bits a position, {bits_held} a position held", row.file))?;
    rows.record(row)?;
    match args.format {
        Format::Text => built.write(out)?,
        // The row is of the file; what processes did together is no file.
        Format::Csv | Format::Json => {
            let mut text = Vec::new();
            built.write(&mut text)?;
            complain(String::from_utf8_lossy(&text));
        }
    }
    Ok(Exit::Good)
}

fn built_row(table: &Table, plan: &TablePlan, built: bool) -> BuiltRow {
    let (tiers, positions, held) = (table.index().tiers().len(), plan.total.positions, held(table.index()));
    let (file, bytes) = table.file().map_or_else(Default::default, |of| (of.path().display().to_string(), of.bytes()));
    let [bits, bits_held] = [positions, held].map(|number| Decimal(bytes as f64 * 8.0 / number as f64));
    BuiltRow { file, built, bytes, tiers, positions, held, bits, bits_held }
}

/// Explains with the plan why a table does not fit, so that one sees what would.
fn refusal(error: &TableError, pods: &PodSet, index: &Index, plan: &TablePlan) -> Failure {
    let mut text = Vec::new();
    match write_summary(&mut text, pods, index, plan) {
        Ok(()) => Failure::Wrong(format!("{error}\n{}", String::from_utf8_lossy(&text).trim_end())),
        Err(error) => error.into(),
    }
}
