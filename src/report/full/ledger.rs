//! The file of rows. Rows are only ever appended, in the order of the plan; each ends with a
//! checksum.

use std::io;
use std::path::Path;

use super::plan::Plan;
use super::row::{Row, SampleRecord, checksum};
use super::task::Task;
use crate::files::{Appended, AppendedError, Inputs, Kind, Read, Record as _, write_rows};

/// The most bytes of a file of rows; enough for some millions of rows.
pub const MOST_ROWS: u64 = 1 << 30;

/// A file of rows, open at its end.
#[derive(Debug)]
pub struct Ledger(Appended);

/// Returns a line of the file, or its header. Writing to memory does not fail.
fn line(row: Option<&Row>) -> Vec<u8> {
    let mut line = Vec::new();
    let _ = write_rows(&mut line, row.is_none(), row.map(Row::record));
    line
}

/// Returns the cells of a line; `None` if their number or the checksum is wrong.
fn cells(line: &[u8]) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let record = reader.records().next()?.ok()?;
    let cells: Vec<String> = record.iter().map(str::to_owned).collect();
    let (check, others) = cells.split_last()?;
    (cells.len() == SampleRecord::header().len() && *check == checksum(others)).then_some(cells)
}

impl Ledger {
    /// Opens a file of rows and returns the rows in it. Creates the file, and its folder, if they
    /// are missing. Refuses the files in `inputs`, devices and read-only files. `settings` has the
    /// digest of each of the plan's setups ([`Plan::settings`]), in their order.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is in use, damaged, or not of this run. The rows in
    /// it are unchanged then.
    ///
    /// # Panics
    ///
    /// If a task names a setup for which the plan or `settings` has no setup.
    pub fn open(
        path: &Path,
        inputs: &Inputs,
        plan: &Plan,
        settings: &[String],
        tasks: &[Task],
    ) -> Result<(Ledger, Vec<Row>), AppendedError> {
        let head = line(None);
        let kind = Kind { lines: "rows", beginning: &head, head: &head, most: MOST_ROWS, group: 1 };
        let mut tasks = tasks.iter();
        let (file, rows) = Appended::open(path, inputs, kind, |line| {
            let Some(cells) = cells(line) else { return Read::Damaged };
            let Some(task) = tasks.next() else { return Read::Beyond };
            let row = Row::read(&cells, &settings[task.setup], task, &plan.setups[task.setup]);
            row.map_or(Read::Foreign, Read::Own)
        })?;
        Ok((Ledger(file), rows))
    }

    /// Appends a row.
    ///
    /// # Errors
    ///
    /// If the file cannot be written to.
    pub fn append(&mut self, row: &Row) -> io::Result<()> {
        self.0.append(&line(Some(row)))
    }

    /// Syncs the file, so that its rows survive a power failure.
    ///
    /// # Errors
    ///
    /// If the file cannot be synced.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
}
