//! The plan of `pods solve --explain-method`.

use std::io::Write;

use super::failure::Failure;
use super::format::{Format, csv_rows, json_rows};
use crate::answer::Step;
use crate::files::{Bytes, Thousands};
use crate::report::PlannedRow;

pub(super) fn write(position: &str, steps: &[Step], format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    let rows = PlannedRow::of(position, steps);
    match format {
        Format::Csv => csv_rows(out, false, rows),
        Format::Json => json_rows(out, rows),
        Format::Text => {
            writeln!(out, "position  {position}")?;
            rows.iter().try_for_each(|row| line(row, out))
        }
    }
}

fn line(row: &PlannedRow, out: &mut dyn Write) -> Result<(), Failure> {
    let when = match row.used {
        "if-open" => format!("looks for the {}, if still open", row.finds),
        "no" => "cannot be used".to_owned(),
        _ => format!("looks for the {}", row.finds),
    };
    write!(out, "{:>2}. {:10} {when}", row.step, row.method)?;
    let unit = if matches!(row.method, "search" | "forced") { "nodes" } else { "positions" };
    let takes = [
        row.positions.map(|positions| format!("about {} positions", Thousands(positions))),
        row.bytes.map(|bytes| Bytes(bytes).to_string()),
        row.seconds.map(|seconds| format!("{seconds:.1} s")),
        row.limit.map(|limit| format!("at most {} {unit}", Thousands(limit.into()))),
    ];
    let takes: Vec<String> = takes.into_iter().flatten().collect();
    // The reason tells what it would take.
    if !takes.is_empty() && row.why.is_none() {
        write!(out, ": {}", takes.join(", "))?;
    }
    if let Some(why) = &row.why {
        write!(out, "\n               {why}")?;
    }
    Ok(writeln!(out)?)
}
