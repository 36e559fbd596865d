//! Reasons why a job ended early, and the needs and limits that they name.

use std::fmt;
use std::time::Duration;

use crate::files::{Bytes, Thousands};

/// Predicted needs of a job, computed before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Estimated positions.
    pub positions: u128,
    /// Estimated bytes of memory for them.
    pub bytes: u128,
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = if self.positions == u128::MAX { "" } else { "about " };
        write!(f, "{about}{} positions, {}", Thousands(self.positions), Bytes(self.bytes))
    }
}

/// A limit of memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// The limit of a part of the job, or of all of it.
    pub bytes: u64,
    /// The limit that was asked for.
    pub whole: u64,
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [bytes, whole] = [self.bytes, self.whole].map(|bytes| Bytes(bytes.into()));
        if self.bytes == self.whole { write!(f, "{whole}") } else { write!(f, "{bytes} (a share of {whole})") }
    }
}

/// Reasons why a solver ended early. Never a statement about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The job was not started: it may not fit in memory.
    #[error("not started: {predicted} needed, the limit is {limit}")]
    WouldNotFit {
        /// The prediction.
        predicted: Prediction,
        /// The limit.
        limit: MemoryLimit,
    },
    /// The table grew to the limit.
    #[error("stopped at the limit of {}", counted(*positions, "position"))]
    LimitReached {
        /// Positions in the table when it stopped.
        positions: u64,
    },
    /// A search visited as many nodes as it may.
    #[error("stopped at the limit of {}", counted(*nodes, "node"))]
    NodesReached {
        /// The limit, for each thread.
        nodes: u64,
    },
    /// The time is up.
    #[error("stopped after {}", Seconds(*limit))]
    TimeUp {
        /// The limit that was asked for.
        limit: Duration,
    },
    /// The table has reached the limit, and the method needs all that it holds.
    #[error("stopped at the limit of {limit} of memory")]
    MemoryFull {
        /// The limit.
        limit: MemoryLimit,
    },
    /// The system has no more memory to give, whatever the limit is.
    #[error("stopped: the system has no more memory")]
    NoMemory,
    /// The job was interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl Stopped {
    /// Names the limit of nodes of a whole question, where a share of it was reached; `nodes` is
    /// `u64::MAX` for no limit.
    #[cfg(feature = "tables")]
    pub(crate) fn of_all(self, nodes: u64) -> Stopped {
        match self {
            Stopped::NodesReached { .. } if nodes < u64::MAX => Stopped::NodesReached { nodes },
            Stopped::LimitReached { .. } if nodes < u64::MAX => Stopped::LimitReached { positions: nodes },
            stopped => stopped,
        }
    }
}

/// Returns a number with the word that belongs to it.
fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", Thousands(number.into()), if number == 1 { "" } else { "s" })
}

/// A time in seconds, rounded to a thousandth; all digits if it is shorter.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.0 < Duration::from_millis(1) { 9 } else { 3 };
        let text = format!("{:.digits$}", self.0.as_secs_f64());
        let number = text.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{number} second{}", if number == "1" { "" } else { "s" })
    }
}
