//! Lock files: one process at a time works on something.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use super::identity::FileId;

/// The most bytes that are read of what a lock file says of its holder.
const LONGEST: u64 = 1 << 10;

/// A lock file that this process holds. Dropping it releases the lock, and so does the end of the
/// process, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Holds the lock until it is closed.
    file: File,
}

/// Reasons why a lock was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum LockError {
    /// Another process has it, or another thread of this one.
    #[error("in use by {holder}")]
    Held {
        /// Process and host, as far as they are known.
        holder: String,
    },
    /// The operating system reports an error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Lock {
    /// Locks a file without waiting, creates it if it is missing, and writes process and host into
    /// it. On a file system without locks it succeeds and keeps nobody out.
    ///
    /// # Errors
    ///
    /// If another holder has the lock, or the file cannot be opened, locked or written.
    pub(crate) fn take(path: &Path) -> Result<Lock, LockError> {
        loop {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            if !lock_now(&file)? {
                return Err(LockError::Held { holder: holder(&mut file) });
            }
            // Whoever had it last may have removed it between the two calls: then this lock keeps
            // nobody out.
            if is_still(path, &file) {
                let system = rustix::system::uname();
                file.set_len(0)?;
                file.rewind()?;
                writeln!(file, "process {} on {}", std::process::id(), system.nodename().to_string_lossy())?;
                return Ok(Lock { file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Between fork and exec, a child process has a copy of the open file, and the lock with it.
        let _ = self.file.unlock();
    }
}

/// Locks an open file until it is closed, without waiting; says whether nobody else has it. On a
/// file system without locks it succeeds and keeps nobody out.
///
/// # Errors
///
/// If the operating system reports an error.
pub(crate) fn lock_now(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns `true` if a path still leads to an open file: somebody may have moved, removed or
/// replaced it.
#[cfg(unix)]
pub(crate) fn is_still(path: &Path, file: &File) -> bool {
    let opened = file.metadata().and_then(|there| FileId::of_metadata(path, &there));
    matches!((opened, FileId::of(path)), (Ok(opened), Ok(named)) if opened == named)
}

/// Returns `true` if a path still leads to an open file. Where an open file cannot be removed, it
/// is enough that it leads to a file.
#[cfg(not(unix))]
pub(crate) fn is_still(path: &Path, _: &File) -> bool {
    FileId::of(path).is_ok()
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.take(LONGEST).read_to_string(&mut text);
    match text.trim() {
        text if read.is_ok() && !text.is_empty() => text.chars().filter(|c| !c.is_control()).collect(),
        _ => "another process".to_owned(),
    }
}
