//! Limits of solvers.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::value::Plies;
use crate::progress::MemoryLimit;

/// Limits of a job of any solver. A solver ignores the limits that mean nothing to its method.
///
/// ```
/// use std::time::Duration;
/// use pods::solver::Limits;
///
/// let limits = Limits::default().with_time(Duration::from_secs(60)).with_threads(2);
/// assert_eq!(limits.memory, Limits::DEFAULT_MEMORY);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits<'a> {
    /// Memory for tables, in bytes.
    pub memory: u64,
    /// Nodes of a search, by all threads together, or positions of a table: a limit of work holds for
    /// every method, and for all steps of a question together. A search counts a position each time
    /// it visits it, a table once.
    pub nodes: u64,
    /// Time, from the beginning of the job. It holds for the separate pass that verifies too.
    pub time: Option<Duration>,
    /// The limit of time that was asked for, where `time` is a share of it.
    pub(crate) whole_time: Option<Duration>,
    /// The limit of memory that was asked for, where `memory` is a share of it.
    pub(crate) whole_memory: Option<u64>,
    /// Plies that a search for a move looks ahead; it then tries no other method but tables on
    /// disk. `None` for as many as the other limits allow, with all methods.
    pub plies: Option<Plies>,
    /// Threads of a search; 0 counts as 1.
    pub threads: usize,
    /// Ends the job once it is set.
    pub interrupt: Option<&'a AtomicBool>,
}

impl<'a> Limits<'a> {
    /// The memory limit that applies unless another is given: 8 GiB.
    pub const DEFAULT_MEMORY: u64 = 8 << 30;

    /// Returns these limits with `memory` bytes of memory.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Limits { memory, whole_memory: None, ..self }
    }

    /// Returns these limits with `share` bytes of their memory, for a part of the job.
    #[must_use]
    pub fn with_share_of_memory(self, share: u64) -> Self {
        Limits { memory: share, whole_memory: Some(self.memory_limit().whole), ..self }
    }

    /// Returns the limit of memory, and what was asked for.
    #[must_use]
    pub fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit { bytes: self.memory, whole: self.whole_memory.unwrap_or(self.memory) }
    }

    /// Returns these limits with at most `nodes` nodes of a search, or positions of a table.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Limits { nodes, ..self }
    }

    /// Returns these limits with at most `nodes` nodes if they have no limit of nodes or time.
    pub(crate) fn or_nodes(self, nodes: u64) -> Self {
        if self.nodes == u64::MAX && self.time.is_none() { self.with_nodes(nodes) } else { self }
    }

    /// Returns these limits with at most `time`.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Limits { time: Some(time), whole_time: None, ..self }
    }

    /// Returns these limits with at most `share` of their time, for a part of the job.
    pub fn with_share_of_time(self, share: Duration) -> Self {
        Limits { time: Some(share), whole_time: self.asked_time(), ..self }
    }

    /// Returns the limit of time that was asked for, of which [`Limits::time`] may be a share.
    pub(crate) fn asked_time(&self) -> Option<Duration> {
        self.whole_time.or(self.time)
    }

    /// The most threads that commands and players may ask for.
    pub(crate) const MAX_THREADS: usize = 256;

    /// Returns the number of cores, at most [`Limits::MAX_THREADS`]: the threads of a job for which
    /// no number is asked.
    #[must_use]
    pub(crate) fn cores() -> usize {
        std::thread::available_parallelism().map_or(1, NonZero::get).min(Limits::MAX_THREADS)
    }

    /// Returns these limits with `threads` threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Limits { threads, ..self }
    }

    /// Returns these limits with an equal share of the nodes for each thread, so that all threads
    /// together keep to `nodes`.
    pub(crate) fn shared_out(self) -> Self {
        match self.nodes {
            u64::MAX => self,
            nodes => self.with_nodes(nodes / self.threads.max(1) as u64),
        }
    }

    /// Returns these limits with a flag that ends the job when it is set.
    #[must_use]
    pub fn with_interrupt(self, interrupt: &'a AtomicBool) -> Self {
        Limits { interrupt: Some(interrupt), ..self }
    }
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            memory: Limits::DEFAULT_MEMORY,
            nodes: u64::MAX,
            plies: None,
            time: None,
            whole_time: None,
            whole_memory: None,
            threads: 1,
            interrupt: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stopped;

    #[test]
    fn a_share_of_memory_names_what_was_asked_for() {
        let asked = Limits::default().with_memory(8 << 20);
        let share = asked.with_share_of_memory(4 << 20).with_share_of_memory(2 << 20);
        let said = |limits: Limits<'_>| Stopped::MemoryFull { limit: limits.memory_limit() }.to_string();
        assert_eq!(said(asked), "stopped at the limit of 8.0 MiB of memory");
        assert_eq!(said(share), "stopped at the limit of 2.0 MiB (a share of 8.0 MiB) of memory");
        assert_eq!(said(share.with_memory(1 << 20)), "stopped at the limit of 1.0 MiB of memory");
    }
}
