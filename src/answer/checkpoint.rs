//! A file that keeps what a search for the winner proves, to go on from after it was ended.

use std::fs::{self, File};
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::files::{FileId, Lock, LockError, Output, OutputError, ReadError, open};
use crate::progress::{BuildStep, HowFar, Observer, Phase, Stopped};
use crate::solver::search::{Loaded, SavedError, Search};

/// The bytes of entries of a file, where nothing else is asked for and it had no more before.
const USUAL: u64 = 64 << 20;

/// A checkpoint: a file that has what a search has proven, and is written anew from time to time.
#[derive(Debug)]
pub struct Checkpoint<'a> {
    output: Output<'a>,
    /// The file that was there at first.
    there: Option<File>,
    every: Duration,
    bytes: u64,
    /// The file that was there at first, or was written last; `None` for none.
    own: Mutex<Option<FileId>>,
    /// Keeps other processes away from the file.
    _lock: Lock,
    /// The path of the lock's file.
    lock_file: PathBuf,
}

/// Reasons why a file is not used as a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Another run has it: each would write over what the other one has proven.
    #[error("{0}: wait for it, or name another file; `pods search --checkpoint-from` goes on from both")]
    InUse(String),
    /// It cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It holds no search of the setup.
    #[error(transparent)]
    Saved(#[from] SavedError),
}

impl<'a> Checkpoint<'a> {
    /// Opens a checkpoint, which is written `every` so often with at most `bytes` bytes of entries;
    /// `None` for 64 MiB, or as many as the file that is there has: so another command that goes on
    /// from a large file does not make it small.
    ///
    /// # Errors
    ///
    /// If another run has it, it cannot be written, or something that is there cannot be read.
    pub fn open(output: Output<'a>, every: Duration, bytes: Option<u64>) -> Result<Checkpoint<'a>, CheckpointError> {
        // A file that cannot be written is told now and not after hours.
        output.can_be_written()?;
        let lock_file = beside(&output.target()?);
        let lock = match Lock::take(&lock_file) {
            Ok(lock) => lock,
            Err(error @ LockError::Held { .. }) => return Err(CheckpointError::InUse(error.to_string())),
            Err(LockError::Io(cause)) => {
                return Err(OutputError::Io(output.path().to_owned(), cause).into());
            }
        };
        let there = match open(output.path()) {
            Ok(file) => Some(file),
            Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let had = there.as_ref().map(File::metadata).transpose();
        let had = had.map_err(|cause| OutputError::Io(output.path().to_owned(), cause))?;
        let bytes = bytes.unwrap_or(had.as_ref().map_or(USUAL, |file| USUAL.max(file.len())));
        let own = Mutex::new(had.and_then(|file| FileId::of_metadata(output.path(), &file).ok()));
        Ok(Checkpoint { output, there, every, bytes, own, _lock: lock, lock_file })
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.output.path()
    }

    /// Loads what the file had when it was opened; `None` if there was no file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is damaged, or of another setup or version.
    pub fn resume(&mut self, search: &mut Search) -> Result<Option<Loaded>, CheckpointError> {
        let Some(file) = self.there.take() else { return Ok(None) };
        Ok(Some(search.load(&mut BufReader::new(file))?))
    }

    /// Writes the file anew: whole, or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or another program has put something in its place.
    pub fn save(&self, search: &Search) -> Result<(), OutputError> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        self.output.write(|out| {
            let saved = search.save(out, self.bytes);
            saved.map_err(|cause| OutputError::Io(self.path().to_owned(), cause))?;
            if self.is_taken(search, own.as_ref()) { Err(OutputError::Taken(self.path().to_owned())) } else { Ok(()) }
        })?;
        *own = FileId::of(self.path()).ok();
        Ok(())
    }

    /// Returns `true` if the file there is neither that which was there at first nor that which was
    /// written last, or is no longer a search of the setup.
    fn is_taken(&self, search: &Search, own: Option<&FileId>) -> bool {
        let Ok(there) = FileId::of(self.path()) else { return false };
        let mut head = Vec::new();
        let wanted = search.head();
        let read = File::open(self.path()).and_then(|file| file.take(wanted.len() as u64).read_to_end(&mut head));
        own != Some(&there) || read.is_ok() && head != wanted
    }

    /// Returns an observer that writes the file when it is due and reports to another one, whose
    /// `failed` gets the error of a file that was not written and will be tried again.
    pub fn keeper(
        &'a self,
        search: &'a Search,
        observer: &'a dyn Observer,
        failed: &'a (dyn Fn(&OutputError) + Sync),
    ) -> impl Observer + 'a {
        let due = Mutex::new(Instant::now().checked_add(self.every));
        Keeper { checkpoint: self, search, observer, failed, due }
    }
}

impl Drop for Checkpoint<'_> {
    fn drop(&mut self) {
        // Before the lock is released, so that it is not the next one's that goes.
        let _ = fs::remove_file(&self.lock_file);
    }
}

/// Returns the path of the lock of a checkpoint. The file itself is replaced each time.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// Observer that saves a search from time to time.
struct Keeper<'a> {
    checkpoint: &'a Checkpoint<'a>,
    search: &'a Search,
    observer: &'a dyn Observer,
    failed: &'a (dyn Fn(&OutputError) + Sync),
    /// Time of the next save; `None` for never.
    due: Mutex<Option<Instant>>,
}

impl Observer for Keeper<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.observer.progress(phase, done, total);
        // Another thread is saving, or has panicked.
        let Ok(mut due) = self.due.try_lock() else { return };
        let begun = Instant::now();
        if due.is_none_or(|due| begun < due) {
            return;
        }
        if let Err(error) = self.checkpoint.save(self.search) {
            (self.failed)(&error);
        }
        // A slow disk must not take most of the time.
        *due = Instant::now().checked_add(self.checkpoint.every.max(10 * begun.elapsed()));
    }

    fn search(&self, far: &HowFar) {
        self.observer.search(far);
    }

    fn searched(&self, positions: u64) {
        self.observer.searched(positions);
    }

    fn build(&self, step: BuildStep) {
        self.observer.build(step);
    }

    fn stop(&self) -> Option<Stopped> {
        self.observer.stop()
    }
}
