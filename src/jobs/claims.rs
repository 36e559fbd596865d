//! Claims of workers: a file for each worker, and one for each claimed job.
//!
//! A claim is made by a hard link to a file that is complete, which fails if there is one; so one
//! worker has it. It is gone when the result is there. A claim counts for nothing when its worker
//! is gone: on the same machine that shows at once, as the worker's file is locked while its
//! process lives; elsewhere it shows by the age of that file, which its worker writes to again and
//! again. Whoever takes such a claim over renames it first, so that only one does.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::error::JobsError;
use crate::files::{Lock, LockError};

/// Number of times that a worker writes to its file within the age at which it counts as gone.
const BEATS: u32 = 10;

/// The most bytes of a claim.
const MOST: usize = 1 << 12;

/// The longest name of a worker.
const LONGEST: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Claim {
    worker: String,
    host: String,
}

/// A worker at work.
pub(super) struct Worker {
    pub(super) name: String,
    host: String,
    workers: PathBuf,
    claims: PathBuf,
    reclaim_after: Duration,
    lock: Lock,
    beaten: Mutex<Instant>,
}

/// Obstacle to a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Its worker lives.
    Held {
        /// The worker.
        worker: String,
    },
    /// Its worker is gone.
    Left,
}

impl Worker {
    /// Begins to work in a folder; nobody else has the name then.
    pub(super) fn begin(folder: &Path, name: Option<&str>, reclaim_after: Duration) -> Result<Worker, JobsError> {
        let host = gethostname::gethostname().to_string_lossy().into_owned();
        let name = name.map_or_else(|| named(&format!("{host}-{}", std::process::id())), str::to_owned);
        if name.is_empty() || name.len() > LONGEST || name.starts_with('.') || !name.chars().all(is_plain) {
            return Err(JobsError::WorkerName { name });
        }
        let (workers, claims) = (folder.join("workers"), folder.join("claims"));
        for folder in [&workers, &claims] {
            fs::create_dir_all(folder).map_err(JobsError::io(folder))?;
        }
        let path = workers.join(&name);
        let lock = match Lock::take(&path) {
            Ok(lock) => lock,
            Err(LockError::Held { holder }) => return Err(JobsError::WorkerInUse { name, holder }),
            Err(LockError::Io(cause)) => return Err(JobsError::Io { path, cause }),
        };
        Ok(Worker { name, host, workers, claims, reclaim_after, lock, beaten: Mutex::new(Instant::now()) })
    }

    /// Shows that the worker lives; does nothing if it has done so a short time ago.
    pub(super) fn beat(&self) {
        // A poisoned lock means that another thread has panicked, and this worker ends soon.
        let Ok(mut beaten) = self.beaten.lock() else { return };
        if beaten.elapsed() >= self.reclaim_after / BEATS {
            // What cannot be written now may be written next time; at worst somebody does this job
            // again.
            let _ = File::options()
                .write(true)
                .open(self.lock.path())
                .and_then(|file| file.set_modified(SystemTime::now()));
            *beaten = Instant::now();
        }
    }

    /// Claims of others, by job.
    pub(super) fn others(&self) -> Result<HashMap<String, Standing>, JobsError> {
        let mut standing = HashMap::new();
        let mut lives: HashMap<Claim, bool> = HashMap::new();
        for entry in fs::read_dir(&self.claims).map_err(JobsError::io(&self.claims))? {
            let entry = entry.map_err(JobsError::io(&self.claims))?;
            let Ok(job) = entry.file_name().into_string() else { continue };
            if job.starts_with('.') {
                continue;
            }
            // What is gone by now is no claim any more.
            let Some(claim) = read(&entry.path()) else { continue };
            if claim.worker == self.name {
                // Of an earlier run by this name: this one has no claim while it looks.
                standing.insert(job, Standing::Left);
                continue;
            }
            let alive = *lives.entry(claim.clone()).or_insert_with(|| self.is_alive(&claim));
            standing.insert(job, if alive { Standing::Held { worker: claim.worker } } else { Standing::Left });
        }
        Ok(standing)
    }

    /// Returns `true` if the worker of a claim lives, as far as can be told.
    fn is_alive(&self, claim: &Claim) -> bool {
        let path = self.workers.join(&claim.worker);
        let Ok(file) = File::options().write(true).open(&path) else { return false };
        // Locks of other machines are not seen on all file systems.
        if claim.host == self.host {
            match file.try_lock() {
                Ok(()) => {
                    let _ = file.unlock();
                    return false;
                }
                Err(TryLockError::WouldBlock) => return true,
                Err(TryLockError::Error(_)) => {}
            }
        }
        let age = file.metadata().and_then(|there| there.modified()).map(|then| then.elapsed().unwrap_or_default());
        age.is_ok_and(|age| age < self.reclaim_after)
    }

    /// Claims a job; returns whether this worker has it now. `left` says that a worker that is gone
    /// had it.
    pub(super) fn claim(&self, job: &str, left: bool) -> Result<bool, JobsError> {
        let path = self.claims.join(job);
        let failed = JobsError::io(&path);
        if left {
            self.take_away(&path).map_err(&failed)?;
        }
        let claim = Claim { worker: self.name.clone(), host: self.host.clone() };
        let mut file = tempfile::Builder::new().prefix(".claim-").tempfile_in(&self.claims).map_err(&failed)?;
        serde_json::to_writer(&mut file, &claim).map_err(|e| failed(e.into()))?;
        match file.persist_noclobber(&path) {
            Ok(_) => Ok(true),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(failed(error.error)),
        }
    }

    /// Takes a claim away that a worker has left; does nothing if somebody else has done so.
    fn take_away(&self, path: &Path) -> io::Result<()> {
        let aside = self.claims.join(format!(".left-{}", self.name));
        match fs::rename(path, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            renamed => renamed?,
        }
        // Between the look and the rename somebody may have taken it over, and be at work by now.
        let in_use = read(&aside).is_some_and(|claim| claim.worker != self.name && self.is_alive(&claim));
        if in_use {
            // If there is one again, two work at the same: the results agree.
            let _ = fs::hard_link(&aside, path);
        }
        fs::remove_file(&aside)
    }

    /// Gives a job free.
    pub(super) fn release(&self, job: &str) {
        // What cannot be removed is taken over when this worker is gone.
        let _ = fs::remove_file(self.claims.join(job));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A worker that has ended in good order leaves nothing.
        let _ = fs::remove_file(self.lock.path());
    }
}

/// Returns the claims of a folder, by job: the worker.
pub(super) fn claimants(folder: &Path) -> HashMap<String, String> {
    let Ok(entries) = fs::read_dir(folder.join("claims")) else { return HashMap::new() };
    let names = entries.flatten().filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())));
    let claims = names.filter(|(name, _)| !name.starts_with('.'));
    claims.filter_map(|(name, path)| Some((name, read(&path)?.worker))).collect()
}

/// Returns `true` if the name of a worker may have a character.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')
}

/// Returns a host's name with nothing in it that a file name cannot have.
fn named(text: &str) -> String {
    let plain = text.chars().map(|c| if is_plain(c) { c } else { '-' });
    let name: String = plain.take(LONGEST).collect();
    name.trim_start_matches('.').to_owned()
}

fn read(path: &Path) -> Option<Claim> {
    let bytes = crate::files::read_bytes(path, MOST as u64).ok()?;
    serde_json::from_slice(&bytes).ok()
}
