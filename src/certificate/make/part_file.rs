//! The file in which a certificate is made, section by section: a run that was stopped goes on
//! there, and what passes the check takes the place of the certificate.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::sections::prove_in_sections;
use super::unfinished::read_unfinished;
use super::{CertificateError, Checked, PartError, Unfinished, check_for};
use crate::files::{Output, hex, is_still, lock_now};
use crate::position::{Game, Position};
use crate::progress::Observer;
use crate::solver::Limits;
use crate::solver::search::Search;

/// The size of the buffers, in bytes.
const BUFFER: usize = 1 << 20;

/// The file beside a certificate in which it is made. One process alone has it open; it goes away
/// if it is left empty.
#[derive(Debug)]
pub(crate) struct PartFile {
    path: PathBuf,
    file: File,
}

/// A certificate that has passed the check.
#[derive(Debug)]
pub struct Finished {
    /// Statement that it proves.
    pub checked: Checked,
    /// The bytes of the file.
    pub bytes: u64,
    /// Their SHA-256.
    pub sha256: String,
}

impl PartFile {
    /// Returns the name of the file for the certificate at `out`: with `.part` behind it.
    #[must_use]
    pub(crate) fn path_for(out: &Path) -> PathBuf {
        let mut path = out.as_os_str().to_owned();
        path.push(".part");
        path.into()
    }

    /// Opens or creates the file for the certificate at `out`, and its folder, for this process
    /// alone.
    ///
    /// # Errors
    ///
    /// If it is no plain file, another process has it, or it cannot be opened.
    pub(crate) fn open(out: &Path) -> Result<PartFile, PartError> {
        let path = PartFile::path_for(out);
        let is_file = fs::symlink_metadata(&path).map(|there| there.is_file()).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(true),
            _ => Err(error),
        })?;
        if !is_file {
            let cause = "the certificate is made in this file first, and something else is there; move it away";
            return Err(PartError::InTheWay(cause));
        }
        out.parent().map_or(Ok(()), fs::create_dir_all)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        if !lock_now(&file)? {
            let cause = "another run makes a certificate in it: wait for its end, or name another file";
            return Err(PartError::InTheWay(cause));
        }
        // Another run may have finished with it between the two calls.
        if !is_still(&path, &file) {
            return Err(PartError::InTheWay("another run has just moved it: try again"));
        }
        Ok(PartFile { path, file })
    }

    #[must_use]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.file.metadata().is_ok_and(|there| there.len() == 0)
    }

    /// Reads what is there of a certificate of the position; `None` if not even a section is.
    /// `memory` is the limit with which the proof goes on.
    ///
    /// # Errors
    ///
    /// If it is about something else, or damaged, or takes more memory.
    pub(crate) fn read(
        &self,
        game: &Game,
        root: &Position,
        memory: u64,
    ) -> Result<Option<Unfinished>, CertificateError> {
        read_unfinished(BufReader::with_capacity(BUFFER, &self.file), game, root, memory)
    }

    /// Makes what is missing, by several threads if the limits say so. What is written when a limit
    /// is reached are whole sections.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, search and rules contradict each other, or the file cannot be
    /// written.
    pub(crate) fn make(
        &mut self,
        search: &Search,
        root: &Position,
        there: Option<Unfinished>,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<(), PartError> {
        if there.as_ref().is_none_or(|there| !there.complete) {
            let bytes = there.as_ref().map_or(0, |there| there.bytes);
            self.file.set_len(bytes)?;
            self.file.seek(SeekFrom::Start(bytes))?;
            let mut out = BufWriter::with_capacity(BUFFER, &self.file);
            let made = prove_in_sections(search, root, there, limits, observer, &mut out);
            // What is in the buffer are whole sections too.
            let flushed = out.into_inner().map(drop).map_err(io::IntoInnerError::into_error);
            made?;
            flushed?;
        }
        Ok(self.file.sync_all()?)
    }

    /// Checks the certificate, and puts it where it belongs.
    ///
    /// # Errors
    ///
    /// If it does not pass the check, then the file stays as it is; or if it cannot take its place.
    pub(crate) fn finish(
        &mut self,
        output: &Output<'_>,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<Finished, PartError> {
        self.file.rewind()?;
        let mut digested = Digested { input: &self.file, digest: Sha256::new(), bytes: 0 };
        let input = BufReader::with_capacity(BUFFER, &mut digested);
        let checked = check_for(input, (None, limits.memory), limits, observer)?;
        let Digested { digest, bytes, .. } = digested;
        if !is_still(&self.path, &self.file) {
            let cause = "somebody has moved or replaced it meanwhile: nothing takes the place of the certificate";
            return Err(PartError::InTheWay(cause));
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
