//! A search that keeps what it proves in a file, to go on from after it was ended.

use std::io::BufReader;
use std::path::PathBuf;
use std::time::Duration;

use super::failure::Failure;
use super::limits::{memory, seconds};
use super::progress::SolverProgress;
use super::terminal::note;
use crate::answer::{Checkpoint, CheckpointError, SolveError};
use crate::files::{Inputs, Output, OutputError, Overwrite, Thousands, is_full, open};
use crate::position::Game;
use crate::solver::search::{Loaded, SavedError, Search};
use crate::solver::{Limits, Observer};

/// The arguments of a checkpoint as they were typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct CheckpointArgs {
    /// Save what the search proves in this file, and resume from it if it exists
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Write the file every this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", requires = "checkpoint", allow_negative_numbers = true, value_parser = seconds)]
    pub(super) checkpoint_every: Duration,

    /// Limit the file to this size, such as 2GiB; the entries that took the most work are kept. By
    /// default 64MiB, or the size that it has
    #[arg(long, value_name = "SIZE", requires = "checkpoint", value_parser = memory)]
    pub(super) checkpoint_size: Option<u64>,

    /// Also read another checkpoint of the same setup; that file stays as it is, and its nodes are
    /// not counted. May be given several times
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    pub(super) checkpoint_from: Vec<PathBuf>,
}

impl CheckpointArgs {
    /// Returns the arguments for this file alone, if one is given.
    pub(super) fn of(checkpoint: Option<PathBuf>) -> CheckpointArgs {
        CheckpointArgs {
            checkpoint,
            checkpoint_every: Duration::from_secs(30),
            checkpoint_size: None,
            checkpoint_from: Vec::new(),
        }
    }
}

/// Runs `work` with a search, which has a checkpoint if one is asked for. Returns also whether the
/// file has everything that the search knew at the end.
pub(super) fn kept<T>(
    args: &CheckpointArgs,
    inputs: &Inputs,
    game: &Game,
    limits: Limits<'_>,
    work: impl FnOnce(&Search, &dyn Observer) -> Result<T, Failure>,
) -> Result<(T, Result<(), Failure>), Failure> {
    let mut search = Search::new(game, limits.memory).ok_or(SolveError::NotPlacement)?;
    let progress = SolverProgress::default();
    let Some(path) = &args.checkpoint else { return Ok((work(&search, &progress)?, Ok(()))) };
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
        note(format_args!("with {}, {known} positions are known", other.display()));
        say_left_out(loaded);
    }
    if let Some(loaded) = checkpoint.resume(&mut search).map_err(failed)? {
        let (known, nodes) = (Thousands(search.fill().entries.into()), Thousands(search.nodes().into()));
        note(format_args!("resuming from {}: {known} positions are known after {nodes} nodes", path.display()));
        refuse_to_shrink(loaded).map_err(|error| error.at(path.display()))?;
        say_left_out(loaded);
    }
    let not_written =
        |error: &OutputError| note(format_args!("the checkpoint was not written, and will be tried again: {error}"));
    let done = work(&search, &checkpoint.keeper(&search, &progress, &not_written));
    let saved = checkpoint.save(&search).map_err(|error| cannot_write(&error));
    match (done, saved) {
        // What was reached before the limit is lost, which is the worse of the two.
        (Err(Failure::Limit(_)), Err(lost)) => Err(lost),
        (done, saved) => Ok((done?, saved)),
    }
}

/// Refuses a checkpoint of which more than a hundredth does not fit into the table: it would be
/// written without that. Full buckets lose a few in a table that is large enough.
fn refuse_to_shrink(loaded: Loaded) -> Result<(), Failure> {
    let left_out = loaded.saved - loaded.kept;
    if left_out <= loaded.saved / 100 {
        return Ok(());
    }
    let way_out = "raise --memory, or keep this file by `pods search --checkpoint NEW --checkpoint-from` it";
    Err(Failure::wrong(format_args!("{} of its positions do not fit; {way_out}", Thousands(left_out.into()))))
}

/// Notes the part of a checkpoint that did not fit into the table.
fn say_left_out(loaded: Loaded) {
    if loaded.kept < loaded.saved {
        let left_out = Thousands((loaded.saved - loaded.kept).into());
        note(format_args!("{left_out} positions that took little work did not fit; raise --memory to keep them"));
    }
}

fn cannot_write(error: &OutputError) -> Failure {
    let way_out = match error {
        OutputError::Io(_, cause) if is_full(cause) => "make room, or name a file elsewhere",
        OutputError::Io(..) => "name a file elsewhere",
        _ => "name another file",
    };
    Failure::wrong(format_args!("no checkpoint: {error}; {way_out}"))
}

impl From<SavedError> for Failure {
    fn from(error: SavedError) -> Failure {
        match error {
            SavedError::Damaged { .. } => Failure::Discrepancy(error.to_string()),
            other => Failure::wrong(other),
        }
    }
}
