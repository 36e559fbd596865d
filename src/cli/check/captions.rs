//! `pods check --captions`

use std::io::Write;

use crate::cli::failure::{CommandResult, Exit, Failure};
use crate::cli::format::{Format, csv_rows, json_rows};
use crate::material::{Board, PodSet};
use crate::report::captions::{CaptionRow, captions};

/// Asks every caption of a board and pods.
pub(super) fn run(board: &Board, pods: &PodSet, format: Format, out: &mut dyn Write) -> CommandResult {
    let rows: Vec<CaptionRow> = captions(board, pods).into_iter().map(CaptionRow::from).collect();
    let (held, all) = (rows.iter().filter(|row| row.holds).count(), rows.len());
    match format {
        Format::Text => {
            for row in &rows {
                text(out, row)?;
            }
            writeln!(out, "\n{held} of {all} captions hold for {} with {}", board.name(), pods.name())?;
        }
        Format::Json => {
            json_rows(out, &rows)?;
        }
        Format::Csv => {
            csv_rows(out, true, &rows)?;
        }
    }
    Ok(if held == all { Exit::Good } else { Exit::Discrepancy })
}

fn text(out: &mut dyn Write, row: &CaptionRow) -> Result<(), Failure> {
    writeln!(out, "{:5}  {}  ({})", if row.holds { "holds" } else { "FAILS" }, row.name, row.source)?;
    writeln!(out, "       {}", row.says)?;
    writeln!(out, "       {} {}", if row.holds { "found:" } else { "why not:" }, row.found)?;
    if let (Some(orientation), Some(rules), Some(position)) = (row.orientation, &row.rules, &row.position) {
        writeln!(out, "       '{position}' --orientation {orientation} --rules {rules}")?;
    }
    Ok(())
}
