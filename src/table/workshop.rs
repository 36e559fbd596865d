//! The folder of a build that is not finished: whose it is, who works in it, and what of it may be removed.
//!
//! The folder is made with two files in it: `build.json` says that this program made it, and for which setup; `lock` is
//! locked by the process that works in it. A folder without the first is somebody else's, and so is every file in it that
//! has no name of a part, a log or a temporary file: they are never removed. The setup counts by its content, so that a
//! renamed copy of the same board goes on.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::TableError;
use super::file::is_temporary;
use super::header::SetupText;
use crate::files::{Lock, LockError, read_bytes};

const MARKER: &str = "build.json";
const LOCK: &str = "lock";

/// The most bytes of a marker; one of 64 points takes a hundredth of it.
const MOST: u64 = 1 << 20;

/// The name of the format.
const FORMAT: &str = "pods-building";
const VERSION: u32 = 1;

/// What stands in `build.json`.
#[derive(Serialize, Deserialize)]
struct Marker {
    format: String,
    version: u32,
    setup: SetupText,
}

/// The folder of an unfinished build, in which this process alone works.
#[derive(Debug)]
pub(super) struct Workshop {
    folder: PathBuf,
    _lock: Lock,
}

impl Workshop {
    /// Makes the folder, or opens the one that an earlier build of the same setup has left; with `discard` its parts are
    /// removed, whatever their setup.
    ///
    /// # Errors
    ///
    /// If another process works in it, it has parts of another setup, or it is not one that this program made.
    pub(super) fn open(folder: &Path, setup: &SetupText, discard: bool) -> Result<Workshop, TableError> {
        loop {
            if fs::symlink_metadata(folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                match make(folder, setup)? {
                    Some(workshop) => return Ok(workshop),
                    // Another process was faster.
                    None => continue,
                }
            }
            let Some((marker, lock)) = enter(folder)? else { continue };
            let workshop = Workshop { folder: folder.to_owned(), _lock: lock };
            let same = marker.setup.identity() == setup.identity();
            if discard {
                workshop.clear()?;
                write_marker(folder, setup)?;
            } else if !same {
                let difference = marker.setup.difference(setup);
                let difference = difference.unwrap_or_else(|| "its pod set has other pods".to_owned());
                return Err(TableError::OtherParts { folder: folder.to_owned(), difference });
            }
            return Ok(workshop);
        }
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes the files of the build, but not those by which the folder is known.
    fn clear(&self) -> Result<(), TableError> {
        for entry in fs::read_dir(&self.folder).map_err(TableError::io(&self.folder))? {
            let path = entry.map_err(TableError::io(&self.folder))?.path();
            if path.file_name().is_some_and(is_part_of_a_build) {
                fs::remove_file(&path).map_err(TableError::io(&path))?;
            }
        }
        Ok(())
    }

    /// Removes the folder with what the build has put into it. With files of somebody else's in it, it stays.
    pub(super) fn remove(self) -> Result<(), TableError> {
        self.clear()?;
        let (marker, lock) = (self.folder.join(MARKER), self.folder.join(LOCK));
        fs::remove_file(&marker).map_err(TableError::io(&marker))?;
        fs::remove_file(&lock).map_err(TableError::io(&lock))?;
        match fs::remove_dir(&self.folder) {
            // Whoever waited for it may have removed it as soon as the lock was gone.
            Err(error) if !matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound) => {
                Err(TableError::io(&self.folder)(error))
            }
            _ => Ok(()),
        }
    }
}

/// Removes what a build that was stopped after its files were in place has left behind, if it is of this setup. A folder
/// that is in use, of another setup or not of this program's making is left alone.
///
/// # Errors
///
/// If it cannot be removed.
pub(super) fn remove_left(folder: &Path, setup: &SetupText) -> Result<(), TableError> {
    match read_marker(folder) {
        Some(marker) if marker.setup.identity() == setup.identity() => {}
        _ => return Ok(()),
    }
    match Workshop::open(folder, setup, false) {
        Ok(workshop) => workshop.remove(),
        Err(TableError::Busy { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes the folder at once with its two files, so that it is never without them; `None` if it has come to be there.
fn make(folder: &Path, setup: &SetupText) -> Result<Option<Workshop>, TableError> {
    let io = TableError::io(folder);
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(&io)?;
    let mut prefix = OsString::from(".");
    prefix.push(folder.file_name().unwrap_or_default());
    prefix.push(".pods-");
    sweep(parent, &prefix);
    let new = tempfile::Builder::new().prefix(&prefix).suffix(".tmp").tempdir_in(parent).map_err(&io)?;
    let lock = Lock::take(&new.path().join(LOCK)).map_err(|error| held(folder, error))?;
    write_marker(new.path(), setup)?;
    // As any other new folder, not private as temporary ones are.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let shared = fs::metadata(parent).map_err(&io)?.permissions().mode() & 0o777;
        fs::set_permissions(new.path(), fs::Permissions::from_mode(shared)).map_err(&io)?;
    }
    // A folder takes the place of an empty one without a word: nobody's may go that way.
    if fs::symlink_metadata(folder).is_ok() {
        return Ok(None);
    }
    match fs::rename(new.path(), folder) {
        Ok(()) => {
            let _ = new.keep();
            Ok(Some(Workshop { folder: folder.to_owned(), _lock: lock }))
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty) => {
            Ok(None)
        }
        Err(error) => Err(io(error)),
    }
}

/// Removes folders that were being made when their process was killed: nobody holds their lock.
fn sweep(parent: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if !name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) || !is_temporary(&name) {
            continue;
        }
        // What has no lock yet may be about to get one.
        let Ok(_) = fs::symlink_metadata(path.join(LOCK)) else { continue };
        if let Ok(_lock) = Lock::take(&path.join(LOCK)) {
            for file in [MARKER, LOCK] {
                let _ = fs::remove_file(path.join(file));
            }
            let _ = fs::remove_dir(&path);
        }
    }
}

/// Locks a folder that is there; `None` if it went away meanwhile.
fn enter(folder: &Path) -> Result<Option<(Marker, Lock)>, TableError> {
    let not_ours = |how: &'static str| TableError::NotOurs { folder: folder.to_owned(), how };
    match fs::symlink_metadata(folder) {
        Ok(there) if there.file_type().is_symlink() => return Err(not_ours("is a link")),
        Ok(there) if there.is_dir() => {}
        Ok(_) => return Err(not_ours("is no folder")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::io(folder)(error)),
    }
    if read_marker(folder).is_none() && !has_only_a_lock(folder) {
        return match folder.exists() {
            true => Err(not_ours("was not made by this program, or by another version of it")),
            false => Ok(None),
        };
    }
    let lock = match Lock::take(&folder.join(LOCK)) {
        Ok(lock) => lock,
        Err(LockError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(held(folder, error)),
    };
    if let Some(marker) = read_marker(folder) {
        return Ok(Some((marker, lock)));
    }
    // The build that had it was done between the two looks, or killed while it cleared away: what is left is its lock.
    let _ = fs::remove_file(lock.path());
    let _ = fs::remove_dir(folder);
    Ok(None)
}

fn held(folder: &Path, error: LockError) -> TableError {
    match error {
        LockError::Held { holder } => TableError::Busy { folder: folder.to_owned(), holder },
        LockError::Io(error) => TableError::io(folder)(error),
    }
}

/// Whether a build was killed just before it had removed its folder.
fn has_only_a_lock(folder: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    let only = entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == LOCK));
    only && read_bytes(&folder.join(LOCK), MOST).is_ok_and(|bytes| bytes.starts_with(b"process "))
}

fn read_marker(folder: &Path) -> Option<Marker> {
    let bytes = read_bytes(&folder.join(MARKER), MOST).ok()?;
    let marker: Marker = serde_json::from_slice(&bytes).ok()?;
    (marker.format == FORMAT && marker.version == VERSION).then_some(marker)
}

fn write_marker(folder: &Path, setup: &SetupText) -> Result<(), TableError> {
    let path = folder.join(MARKER);
    let marker = Marker { format: FORMAT.to_owned(), version: VERSION, setup: setup.clone() };
    let text = serde_json::to_vec_pretty(&marker).map_err(|e| TableError::io(&path)(e.into()))?;
    super::file::write_atomically(&path, folder, |out| out.write_all(&text).map_err(TableError::io(&path)))
}

/// Whether a file has a name that builds give: a part, a log or a temporary file.
fn is_part_of_a_build(name: &OsStr) -> bool {
    let numbered = |name: &str, before: &str, after: &str| {
        let number = name.strip_prefix(before).and_then(|name| name.strip_suffix(after));
        number.is_some_and(|number| number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let name_of_ours = |name: &str| numbered(name, "tiers-from-", ".part") || numbered(name, "tier-", ".log");
    is_temporary(name) || name.to_str().is_some_and(name_of_ours)
}
