//! Files without a name yet, which take the place of others when they are whole.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::identity::FileId;

/// How every temporary file ends.
const ENDING: &str = ".tmp";

/// What stands between the name of a file and the random letters of a temporary one for it.
const MARK: &str = ".pods-";

/// Names that are longer are not kept in that of the temporary file: file systems take 255 bytes.
const LONGEST: usize = 200;

/// A temporary file in a folder, for a file of this name. It is locked as long as it is written; what processes that were
/// killed have left for the same name is not, and removed.
pub(super) fn beside(folder: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    if name.len() <= LONGEST {
        prefix.push(name);
    }
    prefix.push(MARK);
    sweep(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(ENDING);
    // Readable as any other new file, not private as temporary files are; the umask takes from it what it takes.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        // A file system without locks has no help against what was left.
        let _ = file.as_file().try_lock();
        // Between the two calls another process may have taken it for one that was left.
        if FileId::of(file.path()).is_ok() {
            return Ok(file);
        }
    }
}

/// Removes what killed processes have left.
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
