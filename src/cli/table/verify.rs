//! `pods table verify`

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use super::TableArg;
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{Format, RowWriter};
use crate::cli::limits::{Stopper, memory};
use crate::cli::progress::{SolverProgress, Stoppable};
use crate::cli::threads::ThreadsArg;
use crate::files::{Thousands, record};
use crate::solver::{Observer, Stopped};
use crate::table::{Verification, VerifyError, held};

/// Sampling interval of the fast engine where all values were derived by rows.
const SAMPLE: u64 = 10_000;

/// Derive every value and distance of a table again from the next positions.
///
/// First every byte is checked. Then a separate evaluator derives all values, a row at a time, and the engines derive a sample. With the sweeps that built the
/// table it shares the numbering of positions and the storage of values, and nothing else.
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

    /// Verify one position in N with the fast engine; 0 for none [default: 10000 after rows, else
    /// 1]
    #[arg(long, value_name = "N")]
    every: Option<u64>,

    /// Verify one position in N with the reference engine; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    reference_every: u64,

    /// Verify position by position only: slow, for comparison
    #[arg(long)]
    plain: bool,

    /// Use at most this much memory, such as 500MiB or 16GiB: all values are unpacked, a byte or
    /// two each
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    /// Format of the answer; csv and json have one row
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    threads: ThreadsArg,
}

record! {
    /// The verification of a table, all of whose values hold.
    pub(in crate::cli) struct VerifiedRow {
        /// Name of the table.
        table: String,
        /// Positions that the table holds.
        held: u64,
        /// Positions whose values were derived by rows; empty with `--plain`.
        by_rows: Option<u64>,
        /// Positions whose values were derived with the fast engine.
        by_fast: u64,
        /// Positions whose values were derived with the reference engine.
        by_reference: u64,
    }
}

/// Runs a pass; the words are how far it came if Ctrl-C ended it.
fn pass<T>(
    stopper: &Stopper,
    before: &str,
    verify: impl FnOnce(&dyn Observer) -> Result<T, VerifyError>,
) -> Result<Result<T, String>, Failure> {
    let (progress, far) = (SolverProgress::counted_in(|_| "rows"), [AtomicU64::new(0), AtomicU64::new(0)]);
    let tell = |phase, done: u64, total: Option<u64>| {
        far[0].fetch_max(done, Ordering::Relaxed);
        far[1].fetch_max(total.unwrap_or(0), Ordering::Relaxed);
        progress.progress(phase, done, total);
    };
    match verify(&Stoppable { tell, stopper }) {
        Err(VerifyError::Stopped(Stopped::Interrupted)) => {
            let [done, total] = far.map(|number| Thousands(number.into_inner().into()));
            Ok(Err(format!("{before}{done} of {total} rows hold")))
        }
        verified => Ok(Ok(verified?)),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    args.threads.set_up()?;
    let table = args.table.open()?;
    let stopper = Stopper::new(true)?;
    let Ok(verifier) = pass(&stopper, "", |observer| table.verifier(args.memory, observer))? else {
        return interrupted(out, "the values were being read, and none is verified");
    };
    let by_rows = |observer: &dyn Observer| if args.plain { Ok(None) } else { verifier.rows(observer).map(Some) };
    let rows = match pass(&stopper, "by rows, ", by_rows)? {
        Ok(rows) => rows,
        Err(so_far) => return interrupted(out, so_far),
    };
    let fast_every = args.every.unwrap_or(if rows.is_some() { SAMPLE } else { 1 });
    let what = Verification { fast_every, reference_every: args.reference_every };
    let before =
        if rows.is_some() { "all values hold by rows; position by position, " } else { "position by position, " };
    let verified = match pass(&stopper, before, |observer| verifier.positions(what, observer))? {
        Ok(verified) => verified,
        Err(so_far) => return interrupted(out, so_far),
    };
    let held = held(table.index());
    let mut answer = RowWriter::begin::<VerifiedRow>(out, args.format)?;
    let number = |number: u64| Thousands(number.into());
    let (all, fast, reference) = (number(held), number(verified.fast), number(verified.reference));
    match rows {
        Some(rows) => answer.line(format_args!(
            "every byte and the values of {} of {all} positions hold, by rows; those of {fast} by the fast engine and of {reference} by the reference engine too",
            number(rows),
        ))?,
        None => answer.line(format_args!(
            "every byte and the values of {fast} of {all} positions hold, by the fast engine; those of {reference} by the reference engine too",
        ))?,
    }
    let table = args.table.name.display().to_string();
    let (by_fast, by_reference) = (verified.fast, verified.reference);
    answer.record(VerifiedRow { table, held, by_rows: rows, by_fast, by_reference })?;
    Ok(Exit::Good)
}
