//! A certificate that is written section by section into a file beside its own, and checked before
//! it takes its place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::check_proof::failed;
use super::failure::Failure;
use crate::certificate::{
    Checked, Fault, ProofError, SectionsError, Unfinished, check_for, go_on, prove_in_sections, read_unfinished,
};
use crate::files::{Output, hex, is_still, lock_now};
use crate::position::{Game, Position};
use crate::solver::search::Search;
use crate::solver::{Bytes, Limits, Observer, Thousands};

/// The size of the buffers, in bytes.
const BUFFER: usize = 1 << 20;

/// The file beside a certificate in which it is made.
pub(super) struct PartFile {
    path: PathBuf,
    file: File,
}

/// A certificate that has passed the check.
pub(super) struct Finished {
    pub(super) checked: Checked,
    /// The bytes of the file.
    pub(super) bytes: u64,
    /// Their SHA-256.
    pub(super) sha256: String,
}

impl PartFile {
    /// Opens or creates the file for the certificate at `out`, for this process alone; `others` are
    /// files that the command has another use for.
    pub(super) fn open(out: &Path, others: &[&Path]) -> Result<PartFile, Failure> {
        let mut path = out.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let wrong = |error: io::Error| Failure::wrong(error).at(path.display());
        if others.contains(&&*path) {
            let cause =
                "the certificate is made in this file, and the command has another use for it: name another one";
            return Err(Failure::wrong(cause).at(path.display()));
        }
        let is_file = fs::symlink_metadata(&path).map(|there| there.is_file()).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(true),
            _ => Err(wrong(error)),
        })?;
        if !is_file {
            let cause = "the certificate is made in this file first, and something else is there; move it away";
            return Err(Failure::wrong(cause).at(path.display()));
        }
        out.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(wrong)?;
        if !lock_now(&file).map_err(wrong)? {
            let cause = "another run makes a certificate in it: wait for its end, or name another file";
            return Err(Failure::wrong(cause).at(path.display()));
        }
        // Another run may have finished with it between the two calls.
        if !is_still(&path, &file) {
            let cause = "another run has just moved it: try again";
            return Err(Failure::wrong(cause).at(path.display()));
        }
        Ok(PartFile { path, file })
    }

    fn is_empty(&self) -> bool {
        self.file.metadata().is_ok_and(|there| there.len() == 0)
    }

    fn wrong(&self, error: io::Error) -> Failure {
        Failure::wrong(error).at(self.path.display())
    }

    /// Reads what is there of a certificate; `force` takes something else for nothing.
    pub(super) fn read(
        &self,
        game: &Game,
        root: &Position,
        force: bool,
        memory: u64,
    ) -> Result<Option<Unfinished>, Failure> {
        let there = match read_unfinished(BufReader::with_capacity(BUFFER, &self.file), game, root, memory) {
            Ok(there) => there,
            // What cannot be read may be there all the same, and what does not fit may be whole.
            Err(error) if force && !matches!(error.fault, Fault::NoCertificate | Fault::Memory) => None,
            Err(error) => {
                let way_out = match error.fault {
                    Fault::Memory => {
                        &format!("go on with more --memory than {}, or move it away", Bytes(memory.into()))
                    }
                    _ => "go on with the same position and setup, move it away, or begin anew with --force",
                };
                let cause = format!("no unfinished certificate to go on with: {}; {way_out}", error.cause);
                let failure = if error.fault == Fault::Memory { Failure::Limit } else { Failure::Wrong };
                return Err(failure(cause).at(self.path.display()));
            }
        };
        if let Some(there) = &there {
            let [sections, lines, open] =
                [there.sections(), there.lines(), there.open()].map(|number| Thousands(number.into()));
            let path = self.path.display();
            eprintln!("pods: note: resuming from {path}: {sections} sections, {lines} lines; {open} sections are open");
        }
        Ok(there)
    }

    fn sync(&self) -> Result<(), Failure> {
        self.file.sync_all().map_err(|error| self.wrong(error))
    }

    /// Makes what is missing.
    pub(super) fn make(
        &mut self,
        search: &Search,
        root: &Position,
        there: Option<Unfinished>,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<(), Failure> {
        if there.as_ref().is_some_and(|there| there.complete) {
            return self.sync();
        }
        let bytes = there.as_ref().map_or(0, |there| there.bytes);
        self.file.set_len(bytes).map_err(|error| self.wrong(error))?;
        self.file.seek(SeekFrom::Start(bytes)).map_err(|error| self.wrong(error))?;
        let mut out = BufWriter::with_capacity(BUFFER, &self.file);
        let made = match there {
            Some(there) => go_on(search, root, there, limits, observer, &mut out),
            None => prove_in_sections(search, root, limits, observer, &mut out),
        };
        // What is in the buffer are whole sections too.
        let flushed = out.into_inner().map(drop).map_err(io::IntoInnerError::into_error);
        let Err(error) = made.and_then(|()| Ok(flushed?)) else { return self.sync() };
        if !self.is_empty() {
            eprintln!("pods: note: the sections so far are in {}: the same command resumes", self.path.display());
        }
        Err(match error {
            SectionsError::Solve(error) => Failure::from(error),
            SectionsError::Io(error) => self.wrong(error),
        })
    }

    /// Checks the certificate, and puts it where it belongs.
    pub(super) fn finish(
        mut self,
        output: &Output<'_>,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<Finished, Failure> {
        self.file.rewind().map_err(|error| self.wrong(error))?;
        let mut digested = Digested { input: &self.file, digest: Sha256::new(), bytes: 0 };
        let input = BufReader::with_capacity(BUFFER, &mut digested);
        let checked = check_for(input, (None, limits.memory), limits, observer).map_err(|error| {
            // With more memory it can be checked again.
            if let ProofError::Certificate(error) = &error
                && error.fault != Fault::Memory
            {
                eprintln!("pods: note: {} stays as it is: move it away to begin anew", self.path.display());
            }
            failed(&self.path, error, limits.memory)
        })?;
        let Digested { digest, bytes, .. } = digested;
        if !is_still(&self.path, &self.file) {
            let cause = "somebody has moved or replaced it meanwhile: nothing takes the place of the certificate";
            return Err(Failure::wrong(cause).at(self.path.display()));
        }
        output.adopt(&self.path)?;
        Ok(Finished { checked, bytes, sha256: hex(&digest.finalize()) })
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if self.is_empty() && is_still(&self.path, &self.file) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Reader that digests what it reads.
struct Digested<R> {
    input: R,
    digest: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Digested<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}
