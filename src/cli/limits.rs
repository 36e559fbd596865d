//! Arguments that limit a solver, and signals.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use std::{io, process, thread};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::failure::{Exit, Failure};
use super::terminal::complain;
use super::threads::threads;
use crate::solver::{Limits, Stopped};

/// The limits as they were typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Use at most this much memory for tables, such as 500MiB or 16GiB
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    /// Stop an exhaustive search, or a table, at this many positions
    #[arg(long, value_name = "N")]
    max_positions: Option<u64>,
}

impl LimitArgs {
    pub(super) fn read(&self) -> Limits<'static> {
        Limits::default().with_memory(self.memory).with_positions(self.max_positions.unwrap_or(u64::MAX))
    }
}

/// Budget of one position, as typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct BudgetArgs {
    /// Stop a search for the winner or for forced wins after this many nodes of each thread
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,

    /// Stop after this many seconds for a position, such as 60 or 0.5
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,

    /// Search for the winner with this many threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: usize,
}

impl BudgetArgs {
    /// Returns the limits with these as well.
    pub(super) fn read<'a>(&self, limits: Limits<'a>, stopper: &'a Stopper) -> Limits<'a> {
        let mut limits = limits.with_threads(self.threads).with_interrupt(&stopper.0);
        limits.nodes = self.max_nodes.unwrap_or(u64::MAX);
        limits.time = self.time;
        limits
    }
}

/// Returns the reason why a job ended early, with what may help.
pub(super) fn with_way_out(stopped: &Stopped) -> String {
    format!("{stopped}{}", way_out(stopped))
}

/// Returns what may help after a job that ended early, as words to append.
pub(super) fn way_out(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::WouldNotFit { predicted, .. } if predicted.bytes > 1 << 50 => {
            "; no memory suffices: take fewer pods or a smaller board"
        }
        Stopped::WouldNotFit { limit, .. } | Stopped::MemoryFull { limit } if limit.bytes < limit.whole => {
            "; raise --memory, or use fewer --threads"
        }
        Stopped::WouldNotFit { .. } => "; raise --memory, or take fewer pods or a smaller board",
        Stopped::LimitReached { .. } => "; raise --max-positions",
        Stopped::NodesReached { .. } => "; raise --max-nodes",
        Stopped::TimeUp { .. } => "; raise --time",
        Stopped::MemoryFull { .. } => "; raise --memory",
        Stopped::NoMemory => "; take fewer pods or a smaller board, or fewer --threads",
        Stopped::Interrupted => "",
    }
}

/// Handling of SIGINT and SIGTERM. By default they end the program at once, with the status of an
/// interrupt. While a command listens, the first one tells it to end, and a second one ends the
/// program.
struct Signals {
    came: Arc<AtomicBool>,
    ends: Arc<AtomicBool>,
}

static SIGNALS: LazyLock<io::Result<Signals>> = LazyLock::new(|| {
    let signals = Signals { came: Arc::default(), ends: Arc::new(AtomicBool::new(true)) };
    for signal in [SIGINT, SIGTERM] {
        // In this order, so that only a second signal finds what the first one has set.
        flag::register_conditional_shutdown(signal, i32::from(Exit::Interrupted.code()), signals.ends.clone())?;
        flag::register(signal, signals.came.clone())?;
        flag::register(signal, signals.ends.clone())?;
    }
    Ok(signals)
});

/// Catches SIGINT and SIGTERM from now on.
pub fn catch_signals() {
    LazyLock::force(&SIGNALS);
}

/// Returns the exit status of a command, given the signals that came. From now on a signal ends the
/// program at once.
pub fn after_signals(exit: Exit) -> Exit {
    let Ok(signals) = &*SIGNALS else { return exit };
    signals.ends.store(true, Ordering::SeqCst);
    if exit == Exit::Discrepancy || !signals.came.load(Ordering::SeqCst) {
        return exit;
    }
    if exit == Exit::Good {
        complain("pods: stopped early: the answer has what was known by then\n");
    }
    Exit::Interrupted
}

/// Ends the program soon after a signal and says what is kept: for jobs that may end at any moment.
pub(super) fn end_at_signal(kept: &'static str) -> Result<(), Failure> {
    let stopper = Stopper::new(true)?;
    let watch = move || {
        while !stopper.is_set() {
            thread::sleep(Duration::from_millis(20));
        }
        complain(format_args!("pods: stopped early: {kept}\n"));
        process::exit(i32::from(Exit::Interrupted.code()))
    };
    if thread::Builder::new().spawn(watch).is_err() {
        // The system gives no more threads: the program ends, and says nothing.
        Stopper::new(false)?;
    }
    Ok(())
}

/// Set by Ctrl-C, and by SIGTERM, with which batch systems end a job; a second one ends the
/// program.
pub(super) struct Stopper(Arc<AtomicBool>);

impl Stopper {
    /// Returns a stopper that listens, or one that is never set, since a signal ends the program.
    pub(super) fn new(listens: bool) -> Result<Stopper, Failure> {
        let signals = SIGNALS.as_ref();
        let signals = signals.map_err(|e| Failure::wrong(format_args!("signals cannot be listened to: {e}")))?;
        signals.ends.store(!listens || signals.came.load(Ordering::SeqCst), Ordering::SeqCst);
        Ok(Stopper(signals.came.clone()))
    }

    /// Returns a stopper for a command that reads this file: while it waits for more from a pipe or
    /// a terminal it does not listen, and a signal ends the program.
    pub(super) fn reading(file: &Path) -> Result<Stopper, Failure> {
        Stopper::new(!file.as_os_str().eq("-") && file.metadata().is_ok_and(|of| of.is_file()))
    }

    /// Returns the flag itself, for limits.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Returns `true` if a signal has come.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Reads a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, as in 60 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "the number of seconds is out of range".to_owned())
}

/// Reads a size in bytes: a number, perhaps with a unit.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit: f64 = match &text[digits..] {
        "" | "B" => 1.0,
        "K" | "KiB" => 1024.0,
        "M" | "MiB" => 1024.0 * 1024.0,
        "G" | "GiB" => 1024.0 * 1024.0 * 1024.0,
        "T" | "TiB" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        other => return Err(format!("{other:?} is no unit of memory: KiB, MiB, GiB or TiB, as in 500MiB")),
    };
    let number: f64 = text[..digits].parse().map_err(|_| "a number is missing, as in 500MiB or 16GiB".to_owned())?;
    let bytes = number * unit;
    if bytes < 1.0 || bytes > u64::MAX as f64 {
        return Err("the size is out of range".to_owned());
    }
    Ok(bytes as u64)
}
