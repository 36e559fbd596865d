//! A search that keeps what it proves in a file, to go on from after it was ended.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::limits::seconds;
use super::progress::SolverProgress;
use crate::position::{Game, Position};
use crate::solver::search::{SavedError, Search};
use crate::solver::{Finding, Limits, Observer, Phase, Thousands, open_search, search_within};

/// The file as it was typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct CheckpointArgs {
    /// Keep what a search for the outcome proves in this file, and go on from it if it is there (with --method search)
    #[arg(long, value_name = "FILE", requires = "method")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Seconds between two times that the file is written
    #[arg(long, value_name = "SECONDS", default_value = "30", requires = "checkpoint", allow_negative_numbers = true, value_parser = seconds)]
    pub(super) checkpoint_every: Duration,
}

/// Solves a position by the search for the outcome with a checkpoint; and whether what it knew at the end is in the file.
pub(super) fn solve(
    path: &Path,
    every: Duration,
    game: &Game,
    position: &Position,
    limits: Limits<'_>,
) -> Result<(Finding, Result<(), Failure>), Failure> {
    let mut search = open_search(game, limits)?;
    let at = |failure: Failure| failure.at(path.display());
    match File::open(path) {
        Ok(file) => {
            let known = search.load(&mut BufReader::new(file)).map_err(|e| at(e.into()))?;
            let (known, nodes) = (Thousands(known as u128), Thousands(search.nodes().into()));
            eprintln!("pods: note: going on from {}: {known} positions are known after {nodes} nodes", path.display());
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(at(Failure::wrong(error))),
    }
    // A file that cannot be written is told now and not after hours.
    let temporary = temporary(path);
    File::create(&temporary).and_then(|_| fs::remove_file(&temporary)).map_err(|e| at(cannot_write(&e)))?;
    let keeper = Keeper {
        search: &search,
        path,
        every,
        due: Mutex::new(Instant::now().checked_add(every)),
        progress: SolverProgress::default(),
    };
    let finding = search_within(&search, position, limits, &keeper)?;
    let saved = keeper.save().map_err(|e| at(cannot_write(&e)));
    Ok((finding, saved))
}

fn cannot_write(error: &io::Error) -> Failure {
    Failure::wrong(format_args!("the checkpoint cannot be written: {error}; make room, or name a file elsewhere"))
}

/// Where a file is written before it takes its name. Always the same, so that nothing is left behind by many kills.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".pods-tmp");
    name.into()
}

/// Saves a search from time to time.
struct Keeper<'a> {
    search: &'a Search,
    path: &'a Path,
    every: Duration,
    /// When to save next; `None` for never.
    due: Mutex<Option<Instant>>,
    progress: SolverProgress,
}

impl Keeper<'_> {
    /// Writes the file anew: whole, or not at all.
    fn save(&self) -> io::Result<()> {
        let temporary = temporary(self.path);
        let run = || {
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&temporary)?);
            self.search.save(&mut out)?;
            out.flush()?;
            out.get_ref().sync_all()?;
            fs::rename(&temporary, self.path)?;
            // The name is on disk when the folder is; where folders cannot be opened, that is up to the system.
            let folder = self.path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            File::open(folder).and_then(|f| f.sync_all()).or(Ok(()))
        };
        run().inspect_err(|_| drop(fs::remove_file(&temporary)))
    }
}

impl Observer for Keeper<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.progress.progress(phase, done, total);
        // A poisoned lock means that another thread has panicked: no time to save anything.
        let Ok(mut due) = self.due.lock() else { return };
        let begun = Instant::now();
        if due.is_none_or(|due| begun < due) {
            return;
        }
        if let Err(error) = self.save() {
            eprintln!(
                "pods: note: {}: the checkpoint was not written, and will be tried again: {error}",
                self.path.display()
            );
        }
        // A slow disk must not take most of the time.
        *due = Instant::now().checked_add(self.every.max(10 * begun.elapsed()));
    }
}

impl From<SavedError> for Failure {
    fn from(error: SavedError) -> Failure {
        match error {
            SavedError::Damaged { .. } => Failure::Discrepancy(error.to_string()),
            other => Failure::wrong(other),
        }
    }
}
