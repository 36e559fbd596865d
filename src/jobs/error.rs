//! Reasons why jobs cannot be made, done or merged.

use std::io;
use std::path::{Path, PathBuf};

use crate::answer::SolveError;
use crate::certificate::{CertificateError, ProofError};
use crate::files::OutputError;

/// Reasons why jobs cannot be made, done or merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobsError {
    /// The search is for games in which nothing moves or is captured.
    #[error(
        "jobs are for games without moves and captures (R14), which the search for the winner is for: choose other --rules"
    )]
    NotPlacement,
    /// There would be more positions than a job file may have.
    #[error("more than {most} positions: take a smaller --depth, or --jobs to stop at a number of jobs")]
    TooMany {
        /// The most positions.
        most: usize,
    },
    /// There is no job file in the folder.
    #[error("{}: no job file is here: name the folder that `pods jobs split` has made", path.display())]
    NoJobFile {
        /// The path at which it should be.
        path: PathBuf,
    },
    /// The job file is of another version.
    #[error("{}: a job file of version {found}, this program reads version {known}: use the program that wrote it, or split again", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The version known here.
        known: u32,
    },
    /// The job file is no such file, or damaged.
    #[error("{}: line {line}: {cause}; put back a copy, or split again with --force: results that are there stay valid", path.display())]
    JobFile {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The cause.
        cause: String,
    },
    /// Another job file is in the folder.
    #[error("{}: another job file is here: name another folder, or replace this one with --force: results that are there stay valid for the same positions", path.display())]
    OtherJobs {
        /// The file.
        path: PathBuf,
    },
    /// A worker of the same name is at work.
    #[error("the worker {name} is at work already ({holder}): choose another --worker, or leave it out")]
    WorkerInUse {
        /// The name.
        name: String,
        /// Process and host.
        holder: String,
    },
    /// The name of a worker cannot be the name of a file.
    #[error("{name:?} is no name of a worker: take letters, digits, dots and dashes, at most 100")]
    WorkerName {
        /// The name.
        name: String,
    },
    /// Results contradict each other.
    #[error("{0}")]
    Contradiction(String),
    /// Certificates are asked for, and it is not known who wins.
    #[error("no certificate: who wins is not known yet; go on with `pods jobs run`")]
    Open,
    /// Parts of the certificate are missing.
    #[error("no certificate: {missing} of its parts are missing; make them with `pods jobs run FOLDER --proofs`")]
    NoParts {
        /// The number.
        missing: u64,
    },
    /// A part of the certificate does not hold.
    #[error("{}: {cause}; remove this file, and make the part anew with `pods jobs run FOLDER --proofs`", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: CertificateError,
    },
    /// A file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        cause: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A search ended without an answer, or contradicts itself.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A proof does not hold.
    #[error(transparent)]
    Proof(#[from] ProofError),
}

impl JobsError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> JobsError + '_ {
        |cause| JobsError::Io { path: path.to_owned(), cause }
    }
}
