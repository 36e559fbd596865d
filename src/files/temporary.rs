//! Temporary files, which replace others when they are complete.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::identity::FileId;
use super::place::folder_of;

/// Ending of every temporary file's name.
const ENDING: &str = ".tmp";

/// Mark in a temporary file's name, between the final name and the random letters.
const MARK: &str = ".pods-";

/// A longer name is left out of the temporary file's name: file systems allow 255 bytes.
const LONGEST: usize = 200;

/// Returns a temporary file beside the file at `path`, locked while it is written. First removes
/// those for the same file that have no lock: processes that were killed have left them.
pub(super) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let (folder, name) = (folder_of(path), path.file_name().unwrap_or_default());
    let mut prefix = OsString::from(".");
    if name.len() <= LONGEST {
        prefix.push(name);
    }
    prefix.push(MARK);
    sweep(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(ENDING);
    // Readable like any other new file, as the umask allows, and not private as temporary files are
    // by default.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        // On a file system without locks, what killed processes have left stays.
        let _ = file.as_file().try_lock();
        // Between the two calls another process may have removed the file, taking it for one that
        // was left.
        if FileId::of(file.path()).is_ok() {
            return Ok(file);
        }
    }
}

/// Removes the temporary files that killed processes have left.
fn sweep(folder: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        let ours = bytes.starts_with(prefix.as_encoded_bytes()) && bytes.ends_with(ENDING.as_bytes());
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        match file.try_lock() {
            Ok(()) => drop(fs::remove_file(entry.path())),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}
