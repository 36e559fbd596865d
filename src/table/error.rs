//! Errors of tables.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::{Bytes, OutputError, is_full};
use crate::solver::Discrepancy;
use crate::table::index::IndexError;

/// Reasons why there is no table, or no answer from one. Never a statement about a value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The setup is too large for an index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file cannot be read or written.
    #[error("{path}: {1}{advice}", path = .0.display(), advice = advice(.1))]
    Io(PathBuf, io::Error),
    /// The file is no table.
    #[error("{path}: not a table of PODS: {1}", path = .0.display())]
    NotATable(PathBuf, String),
    /// The file is a table of another version of the format.
    #[error("{path}: a table of format version {found}, this program reads version {wanted}: {advice}", path = path.display(), advice = match *found { ..=4 => "release 0.3.0 reads it; build the table again", old if old < *wanted => "build the table again", _ => "a newer release made it" })]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The version that can be read.
        wanted: u32,
    },
    /// Bytes of the file are not what was written.
    #[error("{path}: damaged, {1} does not match its checksum; build the table again", path = .0.display())]
    Damaged(PathBuf, String),
    /// The file ends before the place that was to be read.
    #[error("{}: damaged: it is cut short, perhaps since it was opened; build the table again", .0.display())]
    Shorter(PathBuf),
    /// The table is of another setup than the one asked for.
    #[error("{path}: a table of another setup: {1}", path = .0.display())]
    OtherSetup(PathBuf, String),
    /// A file of the table is not written.
    #[error(transparent)]
    Output(OutputError),
    /// A file stands where the table is to be, and is kept.
    #[error("kept: {0}")]
    InTheWay(Box<TableError>),
    /// Another process builds a table with this name.
    #[error("{path}: {1} is at work on this table", path = .0.display())]
    Busy(PathBuf, String),
    /// An unfinished build of another setup has this name.
    #[error("{path}: an unfinished build of another setup is kept: {1}", path = .0.display())]
    OtherParts(PathBuf, String),
    /// The path of the unfinished build holds something else.
    #[error("{path}: this is where the unfinished build would be kept, and it {1}", path = .0.display())]
    NotOurs(PathBuf, &'static str),
    /// The position is not in the table.
    #[error("{0} is not in the table: {1}")]
    NotStored(String, String),
    /// The build needs more memory than allowed.
    #[error(
        "not started: {positions} positions need at least {needed} of memory, the limit is {limit}; allow more, or take fewer pods or a smaller board",
        positions = crate::files::Thousands(u128::from(*positions)), needed = Bytes(u128::from(*needed)), limit = Bytes(u128::from(*limit))
    )]
    Memory {
        /// Positions of the setup.
        positions: u64,
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The build needs more room on disk than there is.
    #[error(
        "not started: {positions} positions may take {needed} on disk while they are solved and written, {free} are free in {path}; make room, take a folder on another disk, or take fewer pods or a smaller board",
        positions = crate::files::Thousands(u128::from(*positions)), needed = Bytes(u128::from(*needed)), free = Bytes(u128::from(*free)), path = path.display()
    )]
    Space {
        /// Path of the table.
        path: PathBuf,
        /// Positions of the setup.
        positions: u64,
        /// Bytes needed.
        needed: u64,
        /// Bytes free, with those that an earlier start of the same build has taken.
        free: u64,
    },
    /// The processes of a build do not go on together.
    #[error("{0}")]
    Peers(String),
}

impl TableError {
    pub(in crate::table) fn io(path: &Path) -> impl Fn(io::Error) -> TableError + '_ {
        |cause| TableError::Io(path.to_owned(), cause)
    }

    pub(in crate::table) fn damaged(path: &Path, place: impl Into<String>) -> TableError {
        TableError::Damaged(path.to_owned(), place.into())
    }
}

impl From<OutputError> for TableError {
    fn from(error: OutputError) -> TableError {
        match error {
            OutputError::Io(path, cause) => TableError::Io(path, cause),
            other => TableError::Output(other),
        }
    }
}

/// Returns a way out, where the system's words do not name one.
fn advice(cause: &io::Error) -> &'static str {
    if is_full(cause) {
        "; make room, or take another folder, and start again: a build goes on from its finished tiers"
    } else {
        ""
    }
}

/// Reasons why a table does not answer a question that takes several of its values. Never a
/// statement about a value.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The table cannot be read, or does not hold the position.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A value does not follow from those of the next positions.
    #[error(transparent)]
    Discrepancy(#[from] Discrepancy),
}
