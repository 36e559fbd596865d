//! `pods crosscheck`

use std::io::Write;

use super::failure::{Exit, Outcome, interrupted};
use super::limits::Stopper;
use super::progress::{Progress, Stoppable};
use super::threads::ThreadsArg;
use crate::engine::crosscheck;

/// Compare the two engines in random games.
///
/// Boards have holes and diagonals; pods, rule sets and positions are random too. The engines must
/// agree on everything they say: actions, next positions, returned and removed pods, status,
/// hashes, texts, perft. A difference is shrunk and printed as a test.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods crosscheck
  pods crosscheck --cases 1000000 --seed 7

The same seed gives the same cases, with any number of threads.

Exit status: 1 the engines differ.")]
pub(super) struct Args {
    /// Play this many random games
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,

    /// Seed the random games
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsArg,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    args.threads.set_up()?;
    let stopper = Stopper::new(true)?;
    let observer = Stoppable { progress: Progress::new("cross-check", "cases"), stopper: &stopper };
    let result = crosscheck::run(args.seed, args.cases, &observer);
    drop(observer);
    match result {
        Ok(totals) => {
            let stopped = totals.cases < args.cases;
            writeln!(out, "the engines agree{}", if stopped { " so far" } else { "" })?;
            writeln!(out, "seed       {}", args.seed)?;
            writeln!(out, "cases      {}", totals.cases)?;
            writeln!(out, "positions  {}", totals.positions)?;
            writeln!(out, "actions    {}, of which shoves and kicks {}", totals.actions, totals.pushes)?;
            writeln!(
                out,
                "captures   {} with own pods returned, {} with foes removed",
                totals.returns, totals.removals
            )?;
            if stopped {
                return interrupted(out, format_args!("{} of {} cases", totals.cases, args.cases));
            }
            Ok(Exit::Good)
        }
        Err(failure) => {
            writeln!(out, "seed {}, case {}: {}", args.seed, failure.number, failure.difference)?;
            writeln!(out, "As a test, for tests/regressions.rs:\n\n{}", failure.difference.as_test())?;
            Ok(Exit::Discrepancy)
        }
    }
}
