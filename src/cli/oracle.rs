//! `pods oracle`

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;

use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::format::{Format, RowWriter};
use super::limits::Stopper;
use super::outputs::ForceArg;
use super::progress::Progress;
use super::setup::SetupArgs;
use crate::files::record;
use crate::oracle::check::{CheckError, check};
use crate::oracle::export::{ExportError, Spec, export};
use crate::table::Tablebase;

/// Write and check oracle sets, which test other implementations.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods oracle export --out my-set --board nook9 --pods four --rules advanced --solve
  pods oracle check my-set")]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Export(ExportArgs),
    Check(CheckArgs),
}

/// Write an oracle set: manifest.json and positions.jsonl.
///
/// It has positions of every kind: openings, middle games, endings, setups; captures of every kind;
/// the traps of the rules; illegal actions that come close, with the clause that forbids them;
/// draws; finished games.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods oracle export --out nook --board nook9 --pods four --rules advanced --solve
  pods oracle export --out big --count 100000 --seed 7 --zstd
  pods table build small --board lair16 --pods duo --rules advanced
  pods oracle export --out tabled --board lair16 --pods duo --rules advanced --solve --tables .

The same seed, setup and tables give the same set. A kind that does not come up is in the manifest with 0 positions.")]
struct ExportArgs {
    /// Write into this folder, which is made if it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Seed the random positions
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,

    /// Write this many positions of each kind
    #[arg(long, value_name = "N", default_value = "20")]
    count: u64,

    /// Solve positions too, where a table has at most N positions [default of N: 20000]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20000")]
    solve: Option<u64>,

    /// With --solve, look positions up in the tables of this folder first, however many positions a
    /// solver would need
    #[arg(long, value_name = "FOLDER", requires = "solve")]
    tables: Option<PathBuf>,

    /// Compress the positions to positions.jsonl.zst [default: only if the folder's name ends in
    /// .zst]
    #[arg(long)]
    zstd: bool,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    setup: SetupArgs,
}

/// Derive every line of oracle sets again with the reference engine.
///
/// Sets that are cut short, reordered or altered, or repeat a line, are refused, with the line and
/// the cause.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods oracle check results/oracle/*/

Exit status 1: a set is not what it should be; 2: a file cannot be read.")]
struct CheckArgs {
    /// Folders with oracle sets
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Folder of the tables that a set was made with
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,

    /// Format of the findings; csv and json have a row for each set
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

record! {
    /// The findings of an oracle set.
    pub(super) struct CheckedSet {
        /// Folder of the set.
        set: String,
        /// Positions of the set; empty if it has a fault.
        positions: Option<u64>,
        /// Seed from which the set was drawn; empty if it has a fault.
        seed: Option<u64>,
        /// SHA-256 of the positions' text, uncompressed; empty if the set has a fault.
        sha256: Option<String>,
        /// The first fault; empty if there is none.
        fault: Option<String>,
    }
}

impl Args {
    pub(super) fn has_files(&self) -> bool {
        matches!(self.what, What::Export(_))
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    match &args.what {
        What::Export(args) => run_export(args, out),
        What::Check(args) => run_check(args, out),
    }
}

fn run_export(args: &ExportArgs, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let spec = Spec::new(setup).with_seed(args.seed).with_count(args.count).with_solve(args.solve);
    let compressed = args.zstd || args.out.extension().is_some_and(|extension| extension == "zst");
    let tables = args.tables.as_deref().map(Tablebase::open).transpose()?;
    let inputs = args.setup.inputs();
    let to = args.force.folder(&args.out, &inputs);
    let stopper = Stopper::new(true)?;
    let observer = Progress::new("oracle set", "positions").until(&stopper);
    let made = export(&spec, tables.as_ref(), to, compressed, &observer);
    drop(observer);
    let manifest = match made {
        Err(stopped @ ExportError::Stopped(_)) => return interrupted(out, stopped),
        made => made.map_err(|error| match error {
            ExportError::Output(error) => error.into(),
            other => Failure::wrong(other).at(args.out.display()),
        })?,
    };
    for kind in &manifest.kinds {
        writeln!(out, "{:18} {:>8}", kind.kind, kind.positions)?;
    }
    writeln!(out, "{:18} {:>8}", "all", manifest.positions.lines)?;
    Ok(Exit::Good)
}

fn run_check(args: &CheckArgs, out: &mut dyn Write) -> CommandResult {
    let tables = args.tables.as_deref().map(Tablebase::open).transpose()?;
    let stopper = Stopper::new(true)?;
    let mut rows = RowWriter::begin::<CheckedSet>(out, args.format)?;
    for folder in &args.folders {
        let set = folder.display().to_string();
        let observer = Progress::new("check", "positions").until(&stopper);
        let checked = check(folder, tables.as_ref(), &observer);
        drop(observer);
        let manifest = match checked {
            Err(stopped @ CheckError::Stopped { .. }) => return interrupted(out, stopped),
            Err(error @ CheckError::Unreadable { .. }) => return Err(Failure::wrong(error)),
            Err(error @ (CheckError::Wrong { .. } | CheckError::Manifest { .. })) => {
                let fault = Some(error.to_string());
                rows.record(CheckedSet { set, positions: None, seed: None, sha256: None, fault })?;
                return Err(Failure::Discrepancy(error.to_string()));
            }
            Ok(manifest) => manifest,
        };
        let (lines, seed, sha256) = (manifest.positions.lines, Some(manifest.seed), Some(manifest.positions.sha256));
        rows.line(format_args!("{set}: {lines} positions, all as the rules say"))?;
        rows.record(CheckedSet { set, positions: Some(lines), seed, sha256, fault: None })?;
    }
    Ok(Exit::Good)
}
