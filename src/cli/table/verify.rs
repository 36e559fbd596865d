//! `pods table verify`

use std::io::Write;

use super::TableArg;
use crate::cli::failure::{Exit, Outcome};
use crate::cli::limits::{ThreadsArg, memory};
use crate::cli::progress::Progress;
use crate::solver::{Observer, Phase, Thousands};
use crate::table::{Verification, held};

/// How often the fast engine looks again where all values were derived by rows.
const SAMPLE: u64 = 10_000;

/// Derives every value and distance of a table again from the next positions.
///
/// First every byte is checked, and the two files are compared. Then an evaluator of its own derives all values a row at
/// a time; rules with shoves and kicks it does not know, there the fast engine plays the actions of each position, one by
/// one. The engines also look at a sample. Nothing of this is shared with the sweeps that built the table but the
/// numbers of the positions.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods table verify small
  pods table verify small --reference-every 1
  pods table verify small --plain
  pods table verify wide --plain --every 100")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArg,

    /// Each how many-th position to verify with the fast engine; 0 for none [default: 10000 after rows, else 1]
    #[arg(long, value_name = "N")]
    every: Option<u64>,

    /// Each how many-th position to verify with the reference engine; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    reference_every: u64,

    /// Leave out the rows: position by position only, slow, to compare with
    #[arg(long)]
    plain: bool,

    /// The most memory to use, such as 500MiB or 16GiB: all values are unpacked, a byte a cell
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    #[command(flatten)]
    threads: ThreadsArg,
}

/// A progress bar of its own.
struct Bar(Progress);

impl Observer for Bar {
    fn progress(&self, _: Phase, done: u64, total: Option<u64>) {
        self.0.update(done, total);
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    args.threads.set_up()?;
    let table = args.table.open()?;
    let verifier = table.verifier(args.memory)?;
    let rows = if args.plain { None } else { verifier.rows(&Bar(Progress::new("verify by rows", "rows")))? };
    let fast_every = args.every.unwrap_or(if rows.is_some() { SAMPLE } else { 1 });
    let what = Verification { fast_every, reference_every: args.reference_every };
    let verified = verifier.positions(what, &Bar(Progress::new("verify by positions", "rows")))?;
    let all = Thousands(held(table.index()).into());
    let (fast, reference) = (Thousands(verified.fast.into()), Thousands(verified.reference.into()));
    match rows {
        Some(rows) => writeln!(
            out,
            "every byte and the values of {} of {all} positions hold, by rows; those of {fast} by the fast engine and of {reference} by the reference engine too",
            Thousands(rows.into()),
        )?,
        None => writeln!(
            out,
            "every byte and the values of {fast} of {all} positions hold, by the fast engine; those of {reference} by the reference engine too",
        )?,
    }
    Ok(Exit::Good)
}
