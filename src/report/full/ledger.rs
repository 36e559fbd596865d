//! The file of rows. Rows are only ever appended, so that a run that was killed can continue where it ended.
//!
//! Each row is written with one call, in the order of the plan, and ends with a checksum. On opening, a last line that is torn
//! is cut off; everything else that does not fit is an error, and nothing is changed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::plan::Plan;
use super::row::{ROW_HEADER, Row, checksum};
use super::task::Task;
use crate::files::{Inputs, Output, OutputError, Overwrite};

/// The most bytes of a file of rows: some millions of them.
pub const MOST_ROWS: u64 = 1 << 30;

/// Why a file of rows cannot be continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The path may not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is larger than such a file gets.
    #[error("it has more than {MOST_ROWS} bytes: name another file, or move this one away")]
    Huge,
    /// Another run has it open.
    #[error("another run writes to it: wait for its end, or name another file")]
    Locked,
    /// It does not begin as a file of rows does.
    #[error("it is no file of rows of this report: name another file, or move this one away")]
    NotRows,
    /// A line is damaged, and it is not the last one.
    #[error("line {0} is damaged: cut the file off before that line, and the rest is made again")]
    Damaged(usize),
    /// A row does not belong to this run.
    #[error(
        "line {0} belongs to a run with other setups, limits or seeds: ask for the same again, name another file, or \
         move this one away"
    )]
    Foreign(usize),
    /// There are more rows than this run has.
    #[error(
        "it has more rows than this run makes: ask for at least as many as before, name another file, or move this one away"
    )]
    Longer,
}

/// A file of rows, open at its end.
#[derive(Debug)]
pub struct Ledger {
    file: File,
}

/// A line as it stands in the file.
fn line(cells: &[String]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    // Writing to memory does not fail, and a single record has no other to differ from in length.
    let _ = writer.write_record(cells);
    writer.into_inner().unwrap_or_default()
}

fn header() -> Vec<u8> {
    line(&ROW_HEADER.into_iter().chain(["check"]).map(str::to_owned).collect::<Vec<_>>())
}

/// The cells of a line without its checksum; `None` if the checksum is wrong.
fn cells(line: &[u8]) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let record = reader.records().next()?.ok()?;
    let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
    let check = cells.pop()?;
    (cells.len() == ROW_HEADER.len() && check == checksum(&cells)).then_some(cells)
}

impl Ledger {
    /// Opens a file of rows and returns the rows in it. Creates the file, and its folder, if they are missing. Refuses
    /// the files in `inputs`, devices and read-only files. `settings` has the digest of each of the plan's setups
    /// ([`Plan::settings`]), in their order.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is in use, damaged, or not of this run. The rows in it are unchanged then.
    ///
    /// # Panics
    ///
    /// If a task names a setup for which the plan or `settings` has no entry.
    pub fn open(
        path: &Path,
        inputs: &Inputs,
        plan: &Plan,
        settings: &[String],
        tasks: &[Task],
    ) -> Result<(Ledger, Vec<Row>), LedgerError> {
        let overwrite = Overwrite { force: false, inputs, judge: &|_| Ok(()) };
        Output::to_keep(path, overwrite)?;
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LedgerError::Locked),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut bytes = Vec::new();
        if (&file).take(MOST_ROWS + 1).read_to_end(&mut bytes)? as u64 > MOST_ROWS {
            return Err(LedgerError::Huge);
        }
        let header = header();
        if !bytes.starts_with(&header) {
            if !header.starts_with(&bytes) {
                return Err(LedgerError::NotRows);
            }
            file.set_len(0)?;
            file.write_all(&header)?;
            return Ok((Ledger { file }, Vec::new()));
        }
        let (mut rows, mut at) = (Vec::new(), header.len());
        while at < bytes.len() {
            let number = rows.len() + 2;
            let end = bytes[at..].iter().position(|&byte| byte == b'\n').map(|end| at + end + 1);
            let Some(cells) = end.and_then(|end| cells(&bytes[at..end])) else {
                // A kill tears the last line at most.
                if end.is_some_and(|end| end < bytes.len()) {
                    return Err(LedgerError::Damaged(number));
                }
                break;
            };
            let task = tasks.get(rows.len()).ok_or(LedgerError::Longer)?;
            let entry = &plan.entries[task.entry];
            let row = Row::read(&cells, &settings[task.entry], task, entry);
            rows.push(row.ok_or(LedgerError::Foreign(number))?);
            at = end.unwrap_or(bytes.len());
        }
        file.set_len(at as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Ledger { file }, rows))
    }

    /// Appends a row.
    ///
    /// # Errors
    ///
    /// If the file cannot be written to.
    pub fn append(&mut self, row: &Row) -> io::Result<()> {
        self.file.write_all(&line(&row.cells()))
    }

    /// Syncs the file, so that its rows survive a power failure.
    ///
    /// # Errors
    ///
    /// If the file cannot be synced.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}
