//! `pods jobs split`

use std::io::Write;
use std::path::PathBuf;

use crate::cli::failure::{Exit, Outcome};
use crate::cli::format::{PlainFormat, json_line};
use crate::cli::limits::{Stopper, memory};
use crate::cli::progress::SolverProgress;
use crate::cli::setup::SetupArgs;
use crate::files::{Bytes, Thousands, record};
use crate::jobs::{SplitOptions, split};
use crate::solver::Limits;

/// Divide the search of a position into jobs.
///
/// All placements of the first plies are jobs, and so is on each point the cover of all that may be
/// placed there: refuting it refutes them all. Positions that a short search decides are no jobs,
/// nor is what follows from them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods jobs split start --board cave16 --pods mini5 --out jobs
  pods jobs split start --depth 2 --out jobs
  pods jobs split '6/5O/4o1/2B3/6/6 b cdfghjkpqtvy bcdfghjkpqtvy -' --jobs 1000 --out jobs

With both --depth and --jobs, whichever is reached first counts.

Another job file in the folder is replaced only with --force. Results in the folder stay, and count
for the same positions.")]
pub(super) struct Args {
    /// A position's text, or `start`
    #[arg(value_name = "POSITION")]
    position: String,

    /// Write the job file into this folder, which is made if it is missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Go this many plies from the position to a job [default: 1, or as many as --jobs takes]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Go one ply deeper, position by position, until there are this many jobs
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Search each position for this many nodes first; 0 for none
    #[arg(long, value_name = "N", default_value = "10000")]
    probe: u64,

    /// Use at most this much memory for that search, such as 500MiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = memory)]
    memory: u64,

    /// Replace another job file
    #[arg(long)]
    force: bool,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,

    #[command(flatten)]
    setup: SetupArgs,
}

record! {
    /// A search divided into jobs.
    pub(in crate::cli) struct SplitRow {
        /// The position's text.
        position: String,
        /// Folder of the job file.
        folder: String,
        /// Number of jobs.
        jobs: usize,
        /// Those of them with covers.
        covers: usize,
        /// Positions that a short search decided at once.
        decided: usize,
        /// Nodes of that search in all.
        nodes: u64,
        /// Bytes of the job file.
        bytes: usize,
        /// `win` or `loss` for the side to move, if no job is needed, else `unknown`.
        value: &'static str,
    }
}

/// Bytes that a result takes on disk, which is a block of most file systems.
const RESULT: u128 = 4096;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setup = args.setup.read()?;
    let position = setup.position(&args.position)?;
    let stopper = Stopper::new(true)?;
    let depth = args.depth.unwrap_or(if args.jobs.is_some() { usize::MAX } else { 1 });
    let options = SplitOptions { depth, jobs: args.jobs, probe: args.probe, force: args.force };
    let limits = Limits::default().with_memory(args.memory).with_interrupt(stopper.flag());
    let made = split(setup.game(), &position, &args.out, options, limits, &SolverProgress::default())?;
    let value = made.winner.map_or("unknown", |winner| if winner == position.to_move() { "win" } else { "loss" });
    if args.format == PlainFormat::Json {
        let (position, folder) = (position.text(setup.game()), args.out.display().to_string());
        let (jobs, covers, decided) = (made.jobs, made.covers, made.decided);
        let line = SplitRow { position, folder, jobs, covers, decided, nodes: made.nodes, bytes: made.bytes, value };
        json_line(out, &line)?;
        return Ok(Exit::Good);
    }
    writeln!(out, "position  {}", position.text(setup.game()))?;
    let thousands = |number: usize| Thousands(number as u128);
    writeln!(out, "jobs      {}, {} of them with covers", thousands(made.jobs), thousands(made.covers))?;
    let (decided, nodes) = (thousands(made.decided), Thousands(made.nodes.into()));
    writeln!(out, "decided   {decided} positions at once, {nodes} nodes in all")?;
    let (own, results) = (Bytes(made.bytes as u128), Bytes(RESULT * made.jobs as u128));
    writeln!(
        out,
        "disk      {own} for the job file, up to {results} for each round of results; certificates come on top"
    )?;
    match made.winner {
        Some(_) => writeln!(out, "value     {value} for {}, without a job", position.to_move())?,
        None => writeln!(out, "next      pods jobs run {}", args.out.display())?,
    }
    Ok(Exit::Good)
}
