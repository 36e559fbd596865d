//! How much a solver may use, what it expects to use, and how it tells where it is.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Told how far a long job has come. Called now and then, from the thread that does the job.
pub trait Observer: Sync {
    /// `done` positions of a phase are done, of `total` if that is known.
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>);

    /// Why the job is to end now, if it is. Jobs that can end early ask every few thousand positions.
    fn stop(&self) -> Option<Stopped> {
        None
    }
}

/// An observer that ends the job when its time is up or somebody interrupts it, and passes the rest on.
pub(in crate::solver) struct Timed<'a> {
    pub(in crate::solver) inner: &'a dyn Observer,
    /// The time limit, and when it ends.
    pub(in crate::solver) end: Option<(Duration, Instant)>,
    pub(in crate::solver) interrupt: Option<&'a AtomicBool>,
}

impl Observer for Timed<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.inner.progress(phase, done, total);
    }

    fn stop(&self) -> Option<Stopped> {
        if self.interrupt.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Stopped::Interrupted);
        }
        let end = self.end.filter(|(_, end)| Instant::now() >= *end);
        end.map(|(limit, _)| Stopped::TimeUp { limit }).or_else(|| self.inner.stop())
    }
}

/// What a solver is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Searching positions.
    Search,
    /// Listing every position that can be reached.
    Enumerate,
    /// Going backward from the finished games.
    Propagate,
    /// Deriving each value again from those of the next positions.
    Verify,
    /// Expected score of random play.
    RandomPlay,
    /// Writing down the strategies of a certificate.
    Prove,
}

impl Phase {
    /// One word for a progress bar.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Search => "search",
            Phase::Enumerate => "enumerate",
            Phase::Propagate => "propagate",
            Phase::Verify => "verify",
            Phase::RandomPlay => "random play",
            Phase::Prove => "prove",
        }
    }
}

/// An observer that does not listen.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: Phase, _: u64, _: Option<u64>) {}
}

/// What a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Memory in bytes.
    pub memory: u64,
    /// Positions in the table.
    pub positions: u64,
}

impl Limits {
    /// The memory limit that applies unless another is given: 8 GiB.
    pub const DEFAULT_MEMORY: u64 = 8 << 30;

    /// How many positions a search looks at that was given no number and might not fit in memory.
    pub const ATTEMPT: u64 = 10_000_000;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { memory: Limits::DEFAULT_MEMORY, positions: u64::MAX }
    }
}

/// What a job may need at most, computed before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// An upper bound of the number of positions; saturates.
    pub positions: u128,
    /// An estimate of the bytes that so many positions take; saturates.
    pub bytes: u128,
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {} positions, {}", Thousands(self.positions), Bytes(self.bytes))
    }
}

/// Why a solver ended early. Never a statement about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The job was not started: it may not fit in memory.
    #[error(
        "not started: {predicted} needed, the limit is {limit}; raise --memory, or take fewer pods or a smaller board",
        limit = Bytes(u128::from(*limit))
    )]
    WouldNotFit {
        /// What it may need.
        predicted: Prediction,
        /// The limit in bytes.
        limit: u64,
    },
    /// The table grew to the limit.
    #[error(
        "stopped at the limit of {} positions; raise --memory or --max-positions, or take fewer pods",
        Thousands(u128::from(*positions))
    )]
    LimitReached {
        /// Positions in the table when it stopped.
        positions: u64,
    },
    /// A search looked at as many nodes as it may.
    #[error("stopped at the limit of {} nodes; raise --max-nodes, or take a later position", Thousands(u128::from(*nodes)))]
    NodesReached {
        /// The limit, for each thread.
        nodes: u64,
    },
    /// The time is up.
    #[error("stopped after {} seconds; raise --time, or take a later position", limit.as_secs_f64())]
    TimeUp {
        /// The limit.
        limit: Duration,
    },
    /// Somebody interrupted the job.
    #[error("interrupted")]
    Interrupted,
}

/// A number with its digits in groups of three; beyond 10^15 as a power of ten.
pub struct Thousands(pub u128);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 1_000_000_000_000_000 {
            return write!(f, "{:.1e}", self.0 as f64);
        }
        let digits = self.0.to_string();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// A number of bytes in the largest fitting binary unit.
pub struct Bytes(pub u128);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut unit) = (self.0 as f64, "bytes");
        for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
            if value < 1024.0 {
                break;
            }
            value /= 1024.0;
            unit = larger;
        }
        match unit {
            "bytes" => write!(f, "{} bytes", self.0),
            _ if value >= 1e6 => write!(f, "{value:.1e} {unit}"),
            _ => write!(f, "{value:.1} {unit}"),
        }
    }
}
