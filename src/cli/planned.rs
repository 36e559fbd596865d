//! The plan of `pods solve --explain-method`.

use std::io::Write;

use super::failure::Failure;
use super::format::{Format, csv_records, json_line};
use crate::answer::Step;
use crate::report::PlannedRow;
use crate::solver::{Bytes, Thousands};

/// Writes a plan; in a stream of positions CSV has no header.
pub(super) fn write(
    position: &str,
    steps: &[Step],
    format: Format,
    streamed: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rows = PlannedRow::of(position, steps);
    match format {
        Format::Csv => csv_records(out, !streamed, rows),
        Format::Json => rows.iter().try_for_each(|row| json_line(out, row)),
        Format::Text => {
            writeln!(out, "position  {position}")?;
            rows.iter().try_for_each(|row| line(row, out))
        }
    }
}

fn line(row: &PlannedRow, out: &mut dyn Write) -> Result<(), Failure> {
    let when = match row.used {
        "if-open" => ", if still open",
        "no" => ", not used",
        _ => "",
    };
    write!(out, "{:>2}. {:10} finds the {}{when}", row.step, row.method, row.finds)?;
    let takes = [
        row.positions.map(|positions| format!("about {} positions", Thousands(positions))),
        row.bytes.map(|bytes| Bytes(bytes).to_string()),
        row.seconds.map(|seconds| format!("{seconds:.1} s")),
        row.limit.map(|limit| format!("at most {} looked at", Thousands(limit.into()))),
    ];
    let takes: Vec<String> = takes.into_iter().flatten().collect();
    if !takes.is_empty() {
        write!(out, ": {}", takes.join(", "))?;
    }
    if let Some(why) = &row.why {
        write!(out, "\n               {why}")?;
    }
    Ok(writeln!(out)?)
}
