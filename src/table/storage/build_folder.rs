//! The folder of an unfinished build: its owner, the process at work in it, and what of it may be
//! removed.
//!
//! The folder is made with two files: `build.json` says that this program made it, and for which
//! setup; `lock` is locked by the process at work. A folder without the first is not ours, and
//! neither is a file whose name is not that of a part, a log or a temporary file: these are never
//! removed. A setup is compared by its content, so a renamed copy of the same board resumes the
//! build.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::files::{Inputs, Lock, LockError, Output, Overwrite, read_bytes};
use crate::table::error::TableError;
use crate::table::storage::SetupText;

const MARKER: &str = "build.json";
const LOCK: &str = "lock";

/// The most bytes of a marker; one of 64 points takes a hundredth of it.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The name of the format.
const FORMAT: &str = "pods-building";
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Marker {
    format: String,
    version: u32,
    setup: SetupText,
}

/// The folder of an unfinished build, in which this process alone works.
#[derive(Debug)]
pub(in crate::table) struct BuildFolder {
    folder: PathBuf,
    /// `None` for a process that works in it together with the one that has the lock.
    _lock: Option<Lock>,
}

impl BuildFolder {
    /// Makes the folder, or opens the one that an earlier build of the same setup has left; with
    /// `discard` its parts are removed, whatever their setup.
    ///
    /// # Errors
    ///
    /// If another process works in it, it has parts of another setup, or it is not one that this
    /// program made.
    pub(in crate::table) fn open(folder: &Path, setup: &SetupText, discard: bool) -> Result<BuildFolder, TableError> {
        loop {
            if fs::symlink_metadata(folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                match make(folder, setup)? {
                    Some(build_folder) => return Ok(build_folder),
                    // Another process was faster.
                    None => continue,
                }
            }
            let Some((marker, lock)) = enter(folder)? else { continue };
            let build_folder = BuildFolder { folder: folder.to_owned(), _lock: Some(lock) };
            let same = marker.setup.identity() == setup.identity();
            if discard {
                clear(folder, is_part_of_a_build)?;
                write_marker(folder, setup)?;
            } else if !same {
                let difference = marker.setup.difference(setup);
                let difference = difference.unwrap_or_else(|| "its pod set has other pods".to_owned());
                return Err(TableError::OtherParts(folder.to_owned(), difference));
            }
            return Ok(build_folder);
        }
    }

    /// Returns the folder in which another process has the lock, to work in it too. `mark` is what
    /// that one says is written in the lock.
    ///
    /// # Errors
    ///
    /// If it is not there, or another folder of the same name.
    #[cfg(feature = "cluster")]
    pub(in crate::table) fn beside(folder: &Path, setup: &SetupText, mark: &str) -> Result<BuildFolder, TableError> {
        let same = read_marker(folder).is_some_and(|marker| marker.setup.identity() == setup.identity());
        if !same || BuildFolder::mark_in(folder).as_deref() != Some(mark) {
            let how = "is not the folder in which process 0 works: all processes need the same folder, on a disk that they share";
            return Err(TableError::NotOurs(folder.to_owned(), how));
        }
        Ok(BuildFolder { folder: folder.to_owned(), _lock: None })
    }

    /// Returns the text of the lock: the process and its host.
    #[cfg(feature = "cluster")]
    pub(super) fn mark(&self) -> String {
        BuildFolder::mark_in(&self.folder).unwrap_or_default()
    }

    #[cfg(feature = "cluster")]
    fn mark_in(folder: &Path) -> Option<String> {
        let bytes = read_bytes(&folder.join(LOCK), MAX_FILE_BYTES).ok()?;
        String::from_utf8(bytes).ok()
    }

    pub(in crate::table) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes the folder with what the build has put into it. With files of somebody else's in it,
    /// it stays.
    pub(in crate::table) fn remove(self) -> Result<(), TableError> {
        let io = TableError::io(&self.folder);
        let entries = fs::read_dir(&self.folder).map_err(&io)?;
        if entries.flatten().any(|entry| !is_of_a_build(&entry.file_name())) {
            return clear(&self.folder, is_of_a_build);
        }
        // It goes all at once, so that nobody finds half of it.
        let (parent, prefix) = beside(&self.folder);
        let away = new_folder(parent, &prefix).map_err(&io)?;
        fs::rename(&self.folder, away.path()).map_err(&io)?;
        clear_away(away.path())?;
        let _ = away.keep();
        Ok(())
    }
}

fn clear(folder: &Path, which: impl Fn(&OsStr) -> bool) -> Result<(), TableError> {
    for entry in fs::read_dir(folder).map_err(TableError::io(folder))? {
        let path = entry.map_err(TableError::io(folder))?.path();
        if path.file_name().is_some_and(&which) {
            fs::remove_file(&path).map_err(TableError::io(&path))?;
        }
    }
    Ok(())
}

/// Removes a folder of a build that has no name any more, the lock last, so that the remains of a
/// kill are recognized by it.
fn clear_away(folder: &Path) -> Result<(), TableError> {
    clear(folder, |name| name != LOCK && is_of_a_build(name))?;
    clear(folder, |name| name == LOCK)?;
    match fs::remove_dir(folder) {
        // Without its lock it is a remain to others, who sweep it or put a lock of theirs into it first.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => Ok(()),
        done => done.map_err(TableError::io(folder)),
    }
}

/// Returns the folder that a folder is in, and how temporary ones for it begin.
fn beside(folder: &Path) -> (&Path, OsString) {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = OsString::from(".");
    prefix.push(folder.file_name().unwrap_or_default());
    prefix.push(".pods-");
    (parent, prefix)
}

fn new_folder(parent: &Path, prefix: &OsStr) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(prefix).suffix(".tmp").tempdir_in(parent)
}

/// Removes what a build that was stopped after its files were in place has left behind, if it is of
/// this setup. A folder that is in use, of another setup or not of this program's making is left
/// alone.
pub(in crate::table) fn remove_left(folder: &Path, setup: &SetupText) -> Result<(), TableError> {
    let (parent, prefix) = beside(folder);
    sweep(parent, &prefix);
    match read_marker(folder) {
        Some(marker) if marker.setup.identity() == setup.identity() => {}
        _ => return Ok(()),
    }
    match BuildFolder::open(folder, setup, false) {
        Ok(build_folder) => build_folder.remove(),
        Err(TableError::Busy { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes the folder and its two files in one step, so that it is never without them; `None` if a
/// folder has appeared there meanwhile.
fn make(folder: &Path, setup: &SetupText) -> Result<Option<BuildFolder>, TableError> {
    let io = TableError::io(folder);
    let (parent, prefix) = beside(folder);
    fs::create_dir_all(parent).map_err(&io)?;
    sweep(parent, &prefix);
    let new = new_folder(parent, &prefix).map_err(&io)?;
    let prepared = Lock::take(&new.path().join(LOCK)).map_err(|error| held(folder, error)).and_then(|lock| {
        write_marker(new.path(), setup)?;
        Ok(lock)
    });
    let lock = match prepared {
        Ok(lock) => lock,
        // Another process has taken it for one that was left by a kill.
        Err(TableError::Busy { .. }) => return Ok(None),
        Err(_) if !new.path().exists() => return Ok(None),
        Err(error) => return Err(error),
    };
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
            Ok(Some(BuildFolder { folder: folder.to_owned(), _lock: Some(lock) }))
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty) => {
            Ok(None)
        }
        Err(_) if fs::symlink_metadata(folder).is_ok() || !new.path().exists() => Ok(None),
        Err(error) => Err(io(error)),
    }
}

/// Removes folders that were being made or removed when their process was killed: nobody holds
/// their lock.
fn sweep(parent: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if !name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) || !is_temporary(&name) {
            continue;
        }
        if fs::symlink_metadata(path.join(LOCK)).is_err() {
            // Only an empty one goes. Who is about to put a lock into it makes another one.
            let _ = fs::remove_dir(&path);
        } else if let Ok(_lock) = Lock::take(&path.join(LOCK)) {
            let _ = clear_away(&path);
        }
    }
}

/// Locks a folder that is there; `None` if it went away meanwhile.
fn enter(folder: &Path) -> Result<Option<(Marker, Lock)>, TableError> {
    let not_ours = |how: &'static str| TableError::NotOurs(folder.to_owned(), how);
    match fs::symlink_metadata(folder) {
        Ok(there) if there.file_type().is_symlink() => return Err(not_ours("is a link")),
        Ok(there) if there.is_dir() => {}
        Ok(_) => return Err(not_ours("is no folder")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::io(folder)(error)),
    }
    if read_marker(folder).is_none() {
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
    // It may have been another folder of the same name until now.
    Ok(read_marker(folder).map(|marker| (marker, lock)))
}

fn held(folder: &Path, error: LockError) -> TableError {
    match error {
        LockError::Held { holder } => TableError::Busy(folder.to_owned(), holder),
        LockError::Io(error) => TableError::io(folder)(error),
    }
}

fn read_marker(folder: &Path) -> Option<Marker> {
    let bytes = read_bytes(&folder.join(MARKER), MAX_FILE_BYTES).ok()?;
    let marker: Marker = serde_json::from_slice(&bytes).ok()?;
    (marker.format == FORMAT && marker.version == VERSION).then_some(marker)
}

fn write_marker(folder: &Path, setup: &SetupText) -> Result<(), TableError> {
    let path = folder.join(MARKER);
    let marker = Marker { format: FORMAT.to_owned(), version: VERSION, setup: setup.clone() };
    let text = serde_json::to_vec_pretty(&marker).map_err(|e| TableError::io(&path)(e.into()))?;
    write_whole(&path, |out| out.write_all(&text).map_err(TableError::io(&path)))
}

/// Writes a file of a build whole or not at all, whatever stands there.
pub(super) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let overwrite = Overwrite { force: true, inputs: &Inputs::default(), judge: &|_| Ok(()) };
    Output::new(path, overwrite)?.write(fill)
}

/// Returns `true` if this is the name of a temporary file in the folder of a build.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let mark = b".pods-";
    name.starts_with(b".") && name.ends_with(b".tmp") && name.windows(mark.len()).any(|window| window == mark)
}

/// Returns `true` if a file is one of those, or one by which the folder is known.
fn is_of_a_build(name: &OsStr) -> bool {
    name == MARKER || name == LOCK || is_part_of_a_build(name)
}

/// Returns `true` if a file has a name that builds give: a part, a log or a temporary file.
fn is_part_of_a_build(name: &OsStr) -> bool {
    let is_number = |number: &str| number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
    let between = |name: &str, before: &str, after: &str| {
        let between = name.strip_prefix(before).and_then(|name| name.strip_suffix(after));
        between.map(|between| between.split('-').map(is_number).collect::<Vec<_>>())
    };
    // A log is of a tier and a process; up to release 0.3.0 that of one process was of a tier.
    let name_of_ours = |name: &str| {
        between(name, "tiers-from-", ".part") == Some(vec![true])
            || between(name, "tier-", ".log").is_some_and(|all| all.len() <= 2 && !all.contains(&false))
    };
    is_temporary(name) || name.to_str().is_some_and(name_of_ours)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::{Game, Preset, Setup};

    /// Sweeps take a folder for a remain in the moment of its removal when its lock is gone.
    #[test]
    fn a_folder_can_be_removed_while_others_sweep() {
        let (board, pods) = (crate::material::builtin_board("nook9"), crate::material::builtin_pods("duo"));
        let setup = Setup::whole(Game::new(board.unwrap(), pods.unwrap(), Preset::Standard.into()));
        let setup = SetupText::new(&setup);
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("t.building");
        let ends = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let sweeper = scope.spawn(|| {
                let (parent, prefix) = beside(&folder);
                while !ends.load(Ordering::Relaxed) {
                    sweep(parent, &prefix);
                }
            });
            let removed: Result<Vec<()>, TableError> =
                (0..300).map(|_| BuildFolder::open(&folder, &setup, false)?.remove()).collect();
            ends.store(true, Ordering::Relaxed);
            sweeper.join().unwrap();
            removed.unwrap();
        });
    }
}
