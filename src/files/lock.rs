//! Lock files: one process at a time works on something.

use std::fs::{self, File, OpenOptions, TryLockError};
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

/// The beginning of what a lock file says.
const FIRST: &str = "process ";

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
    /// If another holder has the lock, the file cannot be opened, locked or written, or something
    /// else is there than a lock file of this program: that stays as it is.
    pub(crate) fn take(path: &Path) -> Result<Lock, LockError> {
        loop {
            let mut file = opened(path)?;
            if !lock_now(&file)? {
                return Err(LockError::Held { holder: holder(&mut file) });
            }
            if !is_lock_file(&mut file)? {
                return Err(foreign(path).into());
            }
            // Whoever had it last may have removed it between the two calls: then this lock keeps
            // nobody out.
            if is_still(path, &file) {
                let system = rustix::system::uname();
                file.set_len(0)?;
                file.rewind()?;
                writeln!(file, "{FIRST}{} on {}", std::process::id(), system.nodename().to_string_lossy())?;
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

/// Opens a lock file, or creates it; follows no link.
fn opened(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(foreign(path));
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    options.open(path)
}

/// Returns `true` if a file says what lock files say, as far as it goes: a process that was killed
/// may have left an empty one.
fn is_lock_file(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(LONGEST).read_to_end(&mut head)?;
    let Some(rest) = head.strip_prefix(FIRST.as_bytes()) else { return Ok(FIRST.as_bytes().starts_with(&head)) };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &rest[digits..];
    Ok(rest.is_empty() || digits > 0 && (rest.starts_with(b" on ") || b" on ".starts_with(rest)))
}

fn foreign(path: &Path) -> io::Error {
    let cause = format!("{} is no lock file of this program: move it away", path.display());
    io::Error::new(io::ErrorKind::AlreadyExists, cause)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_lock_file_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        for (there, taken) in [
            ("", true),
            ("proc", true),
            ("process 1 on vm\n", true),
            ("process 1", true),
            ("precious\n", false),
            ("process list of us\n", false),
        ] {
            fs::write(&path, there).unwrap();
            let lock = Lock::take(&path);
            assert_eq!(lock.is_ok(), taken, "{there:?} {lock:?}");
            assert_eq!(fs::read_to_string(&path).unwrap() == there, !taken);
        }
        #[cfg(unix)]
        {
            let (target, link) = (folder.path().join("target"), folder.path().join("b.lock"));
            fs::write(&target, "").unwrap();
            std::os::unix::fs::symlink(&target, &link).unwrap();
            assert!(matches!(Lock::take(&link), Err(LockError::Io(_))));
            assert_eq!(fs::read(&target).unwrap(), b"");
        }
    }
}
