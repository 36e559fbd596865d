//! `pods crosscheck`

use std::io::Write;

use super::failure::{CommandResult, Exit, interrupted};
use super::format::{Format, RowWriter};
use super::limits::Stopper;
use super::progress::Progress;
use super::threads::ThreadsArg;
use crate::engine::crosscheck::{self, Totals};
use crate::files::record;

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

    /// Format of the findings; csv and json have one row
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    threads: ThreadsArg,
}

record! {
    /// The findings of a cross-check.
    #[derive(Default)]
    pub(super) struct CrosscheckRow {
        /// Seed of the random games.
        seed: u64,
        /// Cases without a difference; this and the other counts are empty if there is one.
        cases: Option<u64>,
        /// Positions in which the engines were compared.
        positions: Option<u64>,
        /// Legal actions whose results were compared.
        actions: Option<u64>,
        /// Shoves and kicks among them.
        pushes: Option<u64>,
        /// Actions among them after which pods came back to the mover's hand.
        returns: Option<u64>,
        /// Actions among them that took opposing pods out of the game.
        removals: Option<u64>,
        /// Number of the first case in which the engines differ; empty if they agree.
        case: Option<u64>,
        /// The difference, shrunk; empty if the engines agree.
        difference: Option<String>,
        /// The difference as a test in Rust; empty if the engines agree.
        test: Option<String>,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    args.threads.set_up()?;
    let stopper = Stopper::new(true)?;
    let observer = Progress::new("cross-check", "cases").until(&stopper);
    let result = crosscheck::run(args.seed, args.cases, &observer);
    drop(observer);
    let mut rows = RowWriter::begin::<CrosscheckRow>(out, args.format)?;
    match result {
        Ok(totals) => {
            let Totals { cases, positions, actions, pushes, returns, removals } = totals;
            let stopped = cases < args.cases;
            rows.line(format_args!(
                "the engines agree{}\n\
                 seed       {}\n\
                 cases      {cases}\n\
                 positions  {positions}\n\
                 actions    {actions}, of which shoves and kicks {pushes}\n\
                 captures   {returns} with own pods returned, {removals} with foes removed",
                if stopped { " so far" } else { "" },
                args.seed
            ))?;
            let [positions, actions, pushes] = [positions, actions, pushes].map(Some);
            let [cases, returns, removals] = [cases, returns, removals].map(Some);
            rows.record(CrosscheckRow {
                seed: args.seed,
                cases,
                positions,
                actions,
                pushes,
                returns,
                removals,
                ..CrosscheckRow::default()
            })?;
            if stopped {
                return interrupted(out, format_args!("{} of {} cases", totals.cases, args.cases));
            }
            Ok(Exit::Good)
        }
        Err(failure) => {
            let (case, difference, test) = (failure.number, &failure.difference, failure.difference.as_test());
            rows.line(format_args!("seed {}, case {case}: {difference}", args.seed))?;
            rows.line(format_args!("As a test, for tests/rules/regressions.rs:\n\n{test}"))?;
            let (difference, seed) = (Some(difference.to_string()), args.seed);
            let row =
                CrosscheckRow { seed, case: Some(case), difference, test: Some(test), ..CrosscheckRow::default() };
            rows.record(row)?;
            Ok(Exit::Discrepancy)
        }
    }
}
