//! The formats of answers.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

use super::failure::Failure;

/// Format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// Rows with a header row.
    Csv,
    /// One JSON object a line.
    Json,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// For people.
    Text,
    /// Rows with a header row.
    Csv,
    /// One JSON object a line.
    Json,
    /// A page with pictures, complete in one file.
    Html,
}

/// Format of an answer that is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PlainFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Writes a value as one line of JSON.
pub(super) fn json_line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// Writes records as CSV, a column for each field, with a header row if that is wanted.
pub(super) fn csv_records(
    out: &mut dyn Write,
    header: bool,
    records: impl IntoIterator<Item = impl Serialize>,
) -> Result<(), Failure> {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(out);
    records.into_iter().try_for_each(|record| writer.serialize(record)).map_err(csv_failure)?;
    Ok(writer.flush()?)
}

/// Writes rows as CSV; an empty header is left out.
pub(super) fn csv_rows<R, F>(out: &mut dyn Write, header: &[&str], rows: R) -> Result<(), Failure>
where
    R: IntoIterator<Item = Vec<F>>,
    F: AsRef<[u8]>,
{
    let mut writer = csv::Writer::from_writer(out);
    if !header.is_empty() {
        writer.write_record(header).map_err(csv_failure)?;
    }
    for row in rows {
        writer.write_record(row).map_err(csv_failure)?;
    }
    Ok(writer.flush()?)
}

fn csv_failure(error: csv::Error) -> Failure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Failure::Output(error),
        other => Failure::Output(io::Error::other(format!("{other:?}"))),
    }
}

/// Writes a number with at most three digits after the point: for guesses and shares.
pub(super) fn thousandths<S: serde::Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((number * 1e3).round() / 1e3)
}
