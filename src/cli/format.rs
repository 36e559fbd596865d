//! The formats of answers.

use std::fmt;
use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

use super::failure::Failure;
use crate::files::{Record, write_rows};

/// Format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// Rows with a header row; `pods rules columns` says what each column means.
    Csv,
    /// One JSON object a line.
    Json,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// For people.
    Text,
    /// Rows with a header row; `pods rules columns` says what each column means.
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

pub(super) fn json_line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

pub(super) fn json_rows(out: &mut dyn Write, records: impl IntoIterator<Item = impl Serialize>) -> Result<(), Failure> {
    records.into_iter().try_for_each(|record| json_line(out, &record))
}

/// Writes records as CSV, below a header if that is wanted.
pub(super) fn csv_rows<R: Record>(
    out: &mut dyn Write,
    header: bool,
    records: impl IntoIterator<Item = R>,
) -> Result<(), Failure> {
    Ok(write_rows(out, header, records)?)
}

/// Writer of an answer whose rows are found one after the other.
pub(super) struct RowWriter<'a> {
    out: &'a mut dyn Write,
    format: Format,
}

impl<'a> RowWriter<'a> {
    /// Begins the answer: CSV with its header.
    pub(super) fn begin<R: Record>(out: &'a mut dyn Write, format: Format) -> Result<RowWriter<'a>, Failure> {
        if format == Format::Csv {
            csv_rows(out, true, [] as [R; 0])?;
        }
        out.flush()?;
        Ok(RowWriter { out, format })
    }

    pub(super) fn line(&mut self, line: impl fmt::Display) -> Result<(), Failure> {
        if self.format == Format::Text {
            writeln!(self.out, "{line}")?;
            self.out.flush()?;
        }
        Ok(())
    }

    pub(super) fn record<R: Record>(&mut self, record: R) -> Result<(), Failure> {
        match self.format {
            Format::Text => {}
            Format::Csv => csv_rows(self.out, false, [record])?,
            Format::Json => json_line(self.out, &record)?,
        }
        Ok(self.out.flush()?)
    }
}

/// Returns a number rounded to a number of digits after the point: for guesses and shares.
pub(super) fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}
