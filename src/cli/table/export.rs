//! `pods table export`

use std::io::Write;

use super::TableArg;
use crate::cli::failure::{Exit, Outcome};

/// Writes every position that a table holds with its value as CSV: `position,value,plies`.
///
/// Positions come in the order of the index, without open ones; a draw has no plies.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods table export small > small.csv")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArg,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let table = args.table.open()?;
    let game = table.game();
    writeln!(out, "position,value,plies")?;
    for tier in 0..table.index().tiers().len() {
        let mut result = Ok(());
        table.for_each(tier, &mut |position, value| {
            let plies = value.plies().map(|plies| plies.to_string()).unwrap_or_default();
            // No text of a position has a comma or a quote.
            result = writeln!(out, "{},{},{plies}", position.text(game), value.outcome().name());
            result.is_ok()
        })?;
        result?;
    }
    Ok(Exit::Good)
}
