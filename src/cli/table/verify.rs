//! `pods table verify`

use std::io::Write;

use super::TableArg;
use crate::cli::failure::{Exit, Outcome};
use crate::cli::limits::use_threads;
use crate::cli::progress::Progress;
use crate::solver::Thousands;
use crate::table::Verification;

/// Derives every value and distance of a table again from the next positions.
///
/// First every byte is checked. Then the fast engine plays the actions of each position, one by one, and the reference
/// engine those of a sample. Nothing of this is shared with the sweeps that built the table.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods table verify small
  pods table verify small --reference-every 1
  pods table verify wide --every 100")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArg,

    /// Each how many-th position to verify; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: u64,

    /// Each how many-th position to verify with the reference engine; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    reference_every: u64,

    /// Number of threads [default: all]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    use_threads(args.threads)?;
    let table = args.table.open()?;
    let progress = Progress::new("verify", "positions");
    let what = Verification { fast_every: args.every, reference_every: args.reference_every };
    let verified = table.verify(what, &|done, total| progress.update(done, Some(total)))?;
    drop(progress);
    writeln!(
        out,
        "every byte and the values of {} of {} positions hold, those of {} by the reference engine too",
        Thousands(verified.fast.into()),
        Thousands(table.index().positions().into()),
        Thousands(verified.reference.into())
    )?;
    Ok(Exit::Good)
}
