//! `pods table export`

use std::io::{self, IsTerminal as _, Write};

use super::TableArg;
use crate::cli::failure::{CommandResult, Exit, Failure};
use crate::cli::format::csv_rows;
use crate::cli::progress::Progress;
use crate::cli::terminal::note;
use crate::files::{Record as _, Thousands};
use crate::table::{ExportRecord, Table, held};

/// Write the positions that a table holds with their values as CSV: `position,value,plies`.
///
/// Positions come in the order of the index; a draw has no plies. Left out are those that an empty
/// hand has won, open ones, and, where captures follow every action, those with blocked pods where
/// no action leads to one. Standard error says how many of the latter there are; `pods table probe`
/// answers for them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods table export small > small.csv
  pods table export small --zstd > small.csv.zst
  pods table export small --dictionary

From Python, podsgame.Table('small').dataframe() has the same columns, and its to_parquet() writes
Parquet.")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArg,

    /// Compress the output with Zstandard
    #[arg(long, conflicts_with = "dictionary")]
    zstd: bool,

    /// Write a dictionary of the columns instead, as CSV: `column,type,meaning`
    #[arg(long)]
    dictionary: bool,
}

impl Args {
    pub(super) fn writes_bytes(&self) -> bool {
        self.zstd
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    if args.zstd && io::stdout().is_terminal() {
        return Err(Failure::wrong("compressed data is no text for a terminal: add > NAME.csv.zst"));
    }
    let table = args.table.open()?;
    if args.dictionary {
        csv_rows(out, true, ExportRecord::columns())?;
    } else if args.zstd {
        let mut compressed = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
        rows(&table, &mut compressed)?;
        compressed.finish()?;
    } else {
        rows(&table, out)?;
    }
    Ok(Exit::Good)
}

fn rows(table: &Table, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, index) = (table.game(), table.index());
    let blocked = index.positions() - held(index);
    if blocked > 0 {
        let blocked = Thousands(blocked.into());
        note(format_args!("{blocked} positions with blocked pods are left out"));
    }
    writeln!(out, "{}", ExportRecord::header().join(","))?;
    let (progress, total, mut done) = (Progress::new("export", "positions"), Some(held(index)), 0_u64);
    for tier in 0..index.tiers().len() {
        let mut result = Ok(());
        table.for_each(tier, &mut |position, value| {
            done += 1;
            if done.is_multiple_of(1 << 14) {
                progress.update(done, total);
            }
            let plies = value.plies().map(|plies| plies.to_string()).unwrap_or_default();
            // No text of a position has a comma or a quote.
            result = writeln!(out, "{},{},{plies}", position.display(game), value.outcome().name());
            result.is_ok()
        })?;
        result?;
    }
    Ok(())
}
