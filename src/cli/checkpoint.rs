//! A search that keeps what it proves in a file, to go on from after it was ended.

use std::io::{self, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::limits::{memory, seconds};
use super::progress::{SolverProgress, how_far};
use crate::answer::{Answerer, Checkpoint, CheckpointError, Request, SolveError};
use crate::files::Thousands;
use crate::files::{Inputs, Output, OutputError, Overwrite, open};
use crate::position::Game;
use crate::solver::search::{HowFar, Loaded, SavedError, Search};
use crate::solver::{Limits, Method, Observer, Phase};

/// The arguments of a checkpoint as they were typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct CheckpointArgs {
    /// With --method search, save what is proven in this file, and resume from it if it exists
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Write the file every this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", requires = "checkpoint", allow_negative_numbers = true, value_parser = seconds)]
    pub(super) checkpoint_every: Duration,

    /// Limit the file to this size, such as 2GiB; the entries that took the most work are kept
    #[arg(long, value_name = "SIZE", default_value = "64MiB", requires = "checkpoint", value_parser = memory)]
    pub(super) checkpoint_size: u64,

    /// Also read another checkpoint of the same setup; that file stays as it is, and its nodes are
    /// not counted. May be given several times
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    pub(super) checkpoint_from: Vec<PathBuf>,
}

/// Asks an answerer whose search has a checkpoint. Returns also whether the file has everything
/// that the search knew at the end.
pub(super) fn ask<T>(
    args: &CheckpointArgs,
    files: (&Path, &Inputs),
    game: &Game,
    limits: Limits<'_>,
    question: impl FnOnce(&mut Answerer<'_>, Request<'_>, &dyn Observer) -> Result<T, SolveError>,
) -> Result<(T, Result<(), Failure>), Failure> {
    kept(args, files, game, limits, |search, keeper| {
        let request = Request::new(limits).by(Method::Search);
        Ok(question(&mut Answerer::new(game).with_search(search), request, keeper)?)
    })
}

/// Runs `work` with a search that has a checkpoint at `path`. Returns also whether the file has
/// everything that the search knew at the end.
pub(super) fn kept<T>(
    args: &CheckpointArgs,
    (path, inputs): (&Path, &Inputs),
    game: &Game,
    limits: Limits<'_>,
    work: impl FnOnce(&Search, &dyn Observer) -> Result<T, Failure>,
) -> Result<(T, Result<(), Failure>), Failure> {
    let mut search = Search::new(game, limits.memory).ok_or(SolveError::NotPlacement)?;
    let (every, size) = (args.checkpoint_every, args.checkpoint_size);
    // What is there is read first, and so known.
    let inputs = inputs.clone().with(&args.checkpoint_from);
    let overwrite = Overwrite { force: false, inputs: &inputs, judge: &|_| Ok(()) };
    let output = Output::to_keep(path, overwrite).map_err(|error| cannot_write(&error))?;
    let failed = |error| match error {
        CheckpointError::Output(error) => cannot_write(&error),
        CheckpointError::Saved(error) => Failure::from(error).at(path.display()),
        error => Failure::wrong(error).at(path.display()),
    };
    let mut checkpoint = Checkpoint::open(output, every, size).map_err(failed)?;
    for other in &args.checkpoint_from {
        let file = open(other).map_err(|error| Failure::wrong(error).at(other.display()))?;
        let loaded =
            search.learn(&mut BufReader::new(file)).map_err(|error| Failure::from(error).at(other.display()))?;
        let known = Thousands(search.fill().entries.into());
        eprintln!("pods: note: with {}, {known} positions are known", other.display());
        say_left_out(loaded);
    }
    if let Some(loaded) = checkpoint.resume(&mut search).map_err(failed)? {
        let (known, nodes) = (Thousands(search.fill().entries.into()), Thousands(search.nodes().into()));
        eprintln!("pods: note: resuming from {}: {known} positions are known after {nodes} nodes", path.display());
        say_left_out(loaded);
    }
    let said =
        Said { progress: SolverProgress::default(), said: Mutex::new((Phase::Search, Instant::now(), search.nodes())) };
    let not_written =
        |error: &OutputError| eprintln!("pods: note: the checkpoint was not written, and will be tried again: {error}");
    let done = work(&search, &checkpoint.keeper(&search, &said, &not_written));
    let saved = checkpoint.save(&search).map_err(|error| cannot_write(&error));
    match (done, saved) {
        // What was reached before the limit is lost, which is the worse of the two.
        (Err(Failure::Limit(_)), Err(lost)) => Err(lost),
        (done, saved) => Ok((done?, saved)),
    }
}

/// Notes the part of a checkpoint that did not fit into the table.
fn say_left_out(loaded: Loaded) {
    if loaded.kept < loaded.saved {
        let left_out = Thousands((loaded.saved - loaded.kept).into());
        eprintln!("pods: note: {left_out} positions that took little work did not fit; raise --memory to keep them");
    }
}

fn cannot_write(error: &OutputError) -> Failure {
    Failure::wrong(format_args!("no checkpoint: {error}; make room, or name a file elsewhere"))
}

/// Progress of a search, which is also told once a minute where there is no terminal.
struct Said {
    progress: SolverProgress,
    /// Phase, time and count of the last progress line.
    said: Mutex<(Phase, Instant, u64)>,
}

/// Interval of progress lines where there is no terminal.
const SAY: Duration = Duration::from_secs(60);

impl Observer for Said {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.progress.progress(phase, done, total);
        if phase == Phase::Prove {
            self.say(phase, done, "lines", String::new);
        }
    }

    fn search(&self, far: &HowFar) {
        self.progress.search(far);
        self.say(Phase::Search, far.nodes, "nodes", || format!("; {}", how_far(far)));
    }
}

impl Said {
    /// Writes once a minute how much of a phase is done, for those who keep standard error in a
    /// file.
    fn say(&self, phase: Phase, done: u64, unit: &str, more: impl FnOnce() -> String) {
        let Ok(mut said) = self.said.lock() else { return };
        let (of, since, before) = *said;
        if of != phase {
            *said = (phase, Instant::now(), done);
            return;
        }
        let seconds = since.elapsed().as_secs_f64();
        if seconds < SAY.as_secs_f64() {
            return;
        }
        *said = (phase, Instant::now(), done);
        if io::stderr().is_terminal() {
            return;
        }
        let rate = Thousands((done.saturating_sub(before) as f64 / seconds).round() as u128);
        eprintln!("pods: note: {} {unit}, {rate}/s{}", Thousands(done.into()), more());
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
