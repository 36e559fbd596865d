//! `pods jobs run`

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use cpu_time::ProcessTime;

use crate::cli::failure::{Exit, Failure, Outcome, interrupted};
use crate::cli::format::{PlainFormat, json_line};
use crate::cli::limits::{BudgetArgs, Stopper, memory, seconds};
use crate::cli::progress::SolverProgress;
use crate::files::Thousands;
use crate::jobs::{Ended, JobResult, WorkOptions, work};
use crate::solver::Limits;

/// Run jobs of a folder, as one of any number of workers.
///
/// A worker takes the most promising job, searches it, writes a result, and goes on until the
/// winner of the whole is known or nothing is left within its limits. It can be killed at any time:
/// its job is then free again, at once on the same machine, on another one after --reclaim-after.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods jobs run jobs
  pods jobs run jobs --proofs --wait
  pods jobs run jobs --index 3 --of 64
  pods jobs run jobs --max-nodes 100000000 --memory 16GiB --threads 2

A line is written for each result. The limits are those of one search of a job; a job that reaches
its limit is unknown, and is tried again by a worker that allows more.

With --proofs a worker makes certificates too; where results exist without them, it makes those that
the whole needs.

Ctrl-C releases the job.")]
pub(super) struct Args {
    /// The folder of the job file
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Name this worker; no other one at work may have the name [default: host and process]
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,

    /// Run only jobs of this slice, counted from 0, and make no claims
    #[arg(long, value_name = "I", requires = "of", conflicts_with_all = ["wait", "reclaim_after"])]
    index: Option<u64>,

    /// Divide the jobs into this many slices
    #[arg(long, value_name = "N", requires = "index")]
    of: Option<u64>,

    /// Give a job this many nodes first, and four times as many after each failure, up to
    /// --max-nodes
    #[arg(long, value_name = "N", default_value = "1000000")]
    first_nodes: u64,

    /// Make certificates of all results, for `pods jobs merge --certificate`
    #[arg(long)]
    proofs: bool,

    /// Wait while the only jobs left are those of other workers
    #[arg(long)]
    wait: bool,

    /// Take over jobs of a worker on another machine that has shown no sign of life for this many
    /// seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", allow_negative_numbers = true, value_parser = seconds)]
    reclaim_after: Duration,

    /// The commit that the program was built from, for the results
    #[arg(long, value_name = "ID")]
    commit: Option<String>,

    /// Use at most this much memory for the table that all jobs of this worker share, such as 16GiB
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = memory, help_heading = "Limits")]
    memory: u64,

    /// Format of the results
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,

    #[command(flatten)]
    budget: BudgetArgs,
}

/// Interval at which a waiting worker looks again.
const WAIT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let slice = args.index.zip(args.of);
    if let Some((index, of)) = slice
        && index >= of
    {
        return Err(Failure::wrong(format_args!(
            "--index {index} --of {of}: slices are counted from 0, so the last one is {}",
            of.saturating_sub(1)
        )));
    }
    let stopper = Stopper::new(true)?;
    let cpu = || ProcessTime::try_now().map_or(Duration::ZERO, |now| now.as_duration());
    let options = WorkOptions {
        worker: args.worker.as_deref(),
        slice,
        first_nodes: args.first_nodes,
        limits: args.budget.read(Limits::default().with_memory(args.memory), &stopper),
        proofs: args.proofs,
        reclaim_after: args.reclaim_after,
        wait: args.wait.then_some(WAIT),
        commit: args.commit.as_deref(),
        cpu: &cpu,
    };
    let (mut written, mut results) = (Ok(()), 0_u64);
    let ended = work(&args.folder, &options, &SolverProgress::default(), &mut |result, open| {
        results += 1;
        if written.is_ok() {
            written = say(args.format, result, open, out);
        }
    })?;
    written?;
    let folder = args.folder.display();
    match ended {
        Ended::Decided(winner) => eprintln!("pods: {winner} wins, see `pods jobs merge {folder}`; {results} results"),
        Ended::NothingLeft { held: 0, open: 0 } => eprintln!("pods: nothing is open; {results} results"),
        Ended::NothingLeft { held, open } => {
            let way_out = match slice {
                Some(_) => "no more of this slice within these limits",
                None if held > 0 => "the rest is with others, or beyond these limits",
                None => "raise --max-nodes, --time or --memory",
            };
            eprintln!("pods: {open} jobs are open, {held} with others: {way_out}; {results} results");
        }
        Ended::Interrupted => return interrupted(out, format_args!("{results} results are written, no job is held")),
    }
    Ok(Exit::Good)
}

fn say(format: PlainFormat, result: &JobResult, open: usize, out: &mut dyn Write) -> Result<(), Failure> {
    match format {
        PlainFormat::Json => json_line(out, result)?,
        PlainFormat::Text => {
            let path = if result.path.is_empty() { "start".to_owned() } else { result.path.join(" ") };
            let (nodes, proof) = (Thousands(result.nodes.into()), if result.proof.is_some() { ", proven" } else { "" });
            writeln!(
                out,
                "{path}  {}{proof}, {nodes} nodes, {:.1} s; {open} jobs were open",
                result.value, result.cpu_seconds
            )?;
        }
    }
    Ok(out.flush()?)
}
