//! `pods jobs`: a search cut into jobs for many machines.

mod merge;
mod run;
mod split;

use std::io::Write;

use clap::Subcommand;

pub(super) use self::merge::OpenRow;
use super::failure::{Failure, Outcome};
use crate::certificate::ProofError;
use crate::jobs::JobsError;

/// Divide a search for the winner among any number of machines.
///
/// For placement games. `split` makes jobs, `run` works on them, `merge` says what they come to.
/// All machines need to see one folder; nothing else has to run. The documentation of pods::jobs
/// describes its files.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods jobs split start --board cave16 --pods mini5 --out jobs
  pods jobs run jobs --proofs
  pods jobs merge jobs --certificate start.jsonl

Several workers at once:
  seq 4 | xargs -P 4 -I {} pods jobs run jobs --worker {}
  sbatch --array 0-63 scripts/cluster/jobs.sbatch /shared/jobs
  hq submit --array 0-63 pods jobs run /shared/jobs")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Split(split::Args),
    Run(run::Args),
    Merge(merge::Args),
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.command {
        Command::Split(args) => split::run(args, out),
        Command::Run(args) => run::run(args, out),
        Command::Merge(args) => merge::run(args, out),
    }
}

impl From<JobsError> for Failure {
    fn from(error: JobsError) -> Failure {
        match error {
            JobsError::Solve(error) | JobsError::Proof(ProofError::Solve(error)) => Failure::from(error),
            JobsError::Output(error) => Failure::from(error),
            JobsError::Contradiction(_) | JobsError::Part { .. } | JobsError::Proof(ProofError::Certificate(_)) => {
                Failure::Discrepancy(error.to_string())
            }
            other => Failure::wrong(other),
        }
    }
}
