//! Arguments that limit a solver.

use std::time::Duration;

pub(super) use super::signals::{Stopper, end_at_signal};
use super::threads::ThreadsArg;
use crate::solver::{Limits, Stopped};

/// Budget of a question, as typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct BudgetArgs {
    /// Use at most this much memory for tables, such as 500MiB or 16GiB
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    /// Stop after this many nodes of a search, or positions of a table, for each position or start, by
    /// all threads together
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,

    /// Stop after this many seconds for each position or start, such as 60 or 0.5
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(super) time: Option<Duration>,

    #[command(flatten)]
    pub(super) threads: ThreadsArg,
}

impl BudgetArgs {
    pub(super) fn limits<'a>(&self, stopper: &'a Stopper) -> Limits<'a> {
        let limits = Limits::default().with_memory(self.memory).with_nodes(self.max_nodes.unwrap_or(u64::MAX));
        let limits = limits.with_threads(self.threads.number()).with_interrupt(stopper.flag());
        self.time.map_or(limits, |time| limits.with_time(time))
    }

    /// Returns the limits of each of several questions that are answered at a time, one by a thread.
    pub(super) fn shared<'a>(&self, stopper: &'a Stopper) -> Limits<'a> {
        share(self.limits(stopper).with_threads(1))
    }

    /// Returns `true` if nodes and time have no limit.
    pub(super) fn is_open(&self) -> bool {
        self.max_nodes.is_none() && self.time.is_none()
    }
}

/// Returns the limits of each setup, where as many are solved at a time as there are threads.
pub(super) fn share(limits: Limits<'_>) -> Limits<'_> {
    limits.with_share_of_memory(limits.memory / rayon::current_num_threads().max(1) as u64)
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
        Stopped::LimitReached { .. } | Stopped::NodesReached { .. } => "; raise --max-nodes",
        Stopped::TimeUp { .. } => "; raise --time",
        Stopped::MemoryFull { .. } => "; raise --memory",
        Stopped::NoMemory => "; take fewer pods or a smaller board, or fewer --threads",
        Stopped::Interrupted => "",
    }
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, as in 60 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "the number of seconds is out of range".to_owned())
}

/// Reads a size in bytes: a number, perhaps with a unit.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit = text[digits..].trim().to_ascii_lowercase();
    let unit: f64 = match unit.as_str() {
        "" | "b" => 1.0,
        "k" | "kb" | "kib" => 1024.0,
        "m" | "mb" | "mib" => 1024.0 * 1024.0,
        "g" | "gb" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tb" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        other => return Err(format!("{other:?} is no unit of memory: KiB, MiB, GiB or TiB, as in 500MiB")),
    };
    let number: f64 = text[..digits].parse().map_err(|_| "a number is missing, as in 500MiB or 16GiB".to_owned())?;
    let bytes = number * unit;
    if bytes < 1.0 || bytes > u64::MAX as f64 {
        return Err("the size is out of range".to_owned());
    }
    Ok(bytes as u64)
}
