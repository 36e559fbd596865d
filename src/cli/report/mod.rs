//! `pods report`: balance by orientation, measures, readings, and play.

mod balance;
pub(super) mod compare;
mod measures;
mod play;
mod readings;
mod sampled;
mod setups;
mod target;
pub(super) mod text;
mod too_large;

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;

pub(super) use self::setups::{RulesArg, SetupLists};
use self::target::TargetArgs;
use crate::answer::SolveError;
use crate::cli::ask::AskArgs;
use crate::cli::failure::{CommandResult, Failure};
use crate::report::{BalanceError, NamedSetup};

/// Report how fair setups are: first-player advantage, solved and verified.
///
/// Without setup options, the report is on a built-in suite of small setups; with some, on every
/// combination of them. Each option may be given several times. Of a setup that is too large to be
/// solved, half of --time goes into games that estimate who is favoured.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  pods report
  pods report --format csv > balance.csv
  pods report --board nook9 --pods four --hands bdt --rules standard --rules basic-author
  pods report --board lair16 --pods duo --rules advanced --tables tables
  pods report --certificates proofs --out balance --format html
  pods report play --rules advanced --count 100
  pods report readings advanced advanced-dutch
  pods report measures --board nook9 --pods four --hands bdt --rules advanced

Columns: `pods rules columns report`. Built-in boards and pods are reconstructions or made for the
purpose: no row about them is about the printed board of PODS.")]
pub(super) struct Args {
    #[command(flatten)]
    balance: BalanceArgs,

    #[command(subcommand)]
    what: Option<What>,
}

/// Arguments of the balance by orientation.
#[derive(Debug, clap::Args)]
struct BalanceArgs {
    #[command(flatten)]
    target: TargetArgs,

    /// Write certificates of the values into this folder, and cite them in the report
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Find the winners only: no distances, and no results of first actions except where the start
    /// is lost
    #[arg(long)]
    winners: bool,

    #[command(flatten)]
    solve: AskArgs,

    #[command(flatten)]
    setups: SetupLists,

    #[command(flatten)]
    rules: RulesArg,
}

impl BalanceArgs {
    fn has_files(&self) -> bool {
        self.target.has_files() || self.certificates.is_some()
    }
}

#[derive(Debug, Subcommand)]
enum What {
    Play(play::Args),
    Readings(readings::Args),
    Measures(measures::Args),
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    match &args.what {
        None => balance::run(&args.balance, out),
        Some(What::Play(args)) => play::run(args, out),
        Some(What::Readings(args)) => readings::run(args, out),
        Some(What::Measures(args)) => measures::run(args, out),
    }
}

impl Args {
    pub(super) fn has_files(&self) -> bool {
        match &self.what {
            None => self.balance.has_files(),
            Some(What::Play(args)) => args.target.has_files(),
            Some(What::Readings(args)) => args.target.has_files(),
            Some(What::Measures(args)) => args.target.has_files(),
        }
    }
}

fn failure(setup: &NamedSetup, error: BalanceError) -> Failure {
    match error {
        // The table is at fault, not the setup.
        BalanceError::Solve(error @ SolveError::Table(_)) => Failure::from(error),
        BalanceError::Solve(error) => Failure::from(error).at(setup.record()),
        other => Failure::wrong(other).at(setup.record()),
    }
}
