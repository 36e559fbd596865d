//! Tracks what a job has used of its limits, and what is left.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::limits::Limits;
use crate::progress::{HowFar, Observer, Phase, Stopped};

/// Limit that ended a search. One byte, since every node of a search returns it;
/// `Tracker::reason` gives the full [`Stopped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unknown {
    /// The limit of nodes.
    #[error("unknown: the limit of nodes was reached")]
    Nodes,
    /// The limit of time.
    #[error("unknown: the limit of time was reached")]
    Time,
    /// The limit of memory.
    #[error("unknown: the limit of memory was reached")]
    Memory,
    /// The interrupt of the limits was set.
    #[error("unknown: interrupted")]
    Interrupted,
}

/// Counter of the nodes of a job, which reports when a limit is reached.
///
/// A job of several parts gives each part a share of what is left (`Tracker::part`) and then adds
/// the nodes that it used (`Tracker::charge`).
///
/// As an observer it passes progress on, and stops the job when time is up or the interrupt is set.
pub struct Tracker<'a> {
    limits: Limits<'a>,
    begun: Instant,
    deadline: Option<Instant>,
    nodes: u64,
    observer: &'a dyn Observer,
}

/// Nodes between two looks at the clock.
const LOOK: u64 = 1 << 10;
/// Nodes between two reports of progress.
const REPORT: u64 = 1 << 16;

impl<'a> Tracker<'a> {
    /// Begins to count. The time runs from now on.
    #[must_use]
    pub fn new(limits: Limits<'a>, observer: &'a dyn Observer) -> Tracker<'a> {
        let begun = Instant::now();
        let deadline = limits.time.and_then(|time| begun.checked_add(time));
        Tracker { limits, begun, deadline, nodes: 0, observer }
    }

    /// Counts a node.
    ///
    /// # Errors
    ///
    /// If a limit is reached. The clock is looked at every 1,024 nodes.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Unknown> {
        if self.nodes >= self.limits.nodes {
            return Err(Unknown::Nodes);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) {
            self.look()?;
            if self.nodes.is_multiple_of(REPORT) {
                self.observer.progress(Phase::Search, self.nodes, None);
            }
        }
        Ok(())
    }

    /// Checks the clock and the interrupt.
    fn look(&self) -> Result<(), Unknown> {
        if self.limits.interrupt.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Unknown::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Unknown::Time),
            _ => Ok(()),
        }
    }

    /// Adds the nodes of a part that counted its own.
    pub(crate) fn charge(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets another limit of nodes: for a part of the job that may not take all of them.
    pub(crate) fn limit_nodes(&mut self, nodes: u64) {
        self.limits.nodes = nodes;
    }

    pub(crate) fn limits(&self) -> Limits<'a> {
        self.limits
    }

    pub(crate) fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Returns an equal share of the nodes and the time that are left, with the other limits of the
    /// job.
    pub(crate) fn part(&self, of: u32) -> Limits<'a> {
        let left = |time: Duration| time.saturating_sub(self.begun.elapsed()) / of;
        let limits = match self.limits.nodes {
            u64::MAX => self.limits,
            most => self.limits.with_nodes(most.saturating_sub(self.nodes) / u64::from(of)),
        };
        limits.time.map_or(limits, |time| limits.with_share_of_time(left(time)))
    }

    /// Returns `true` if nodes or time are used up, or the interrupt is set.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.nodes >= self.limits.nodes || self.look().is_err()
    }

    /// Returns the full reason why a search within these limits ended.
    pub(crate) fn reason(&self, cause: Unknown) -> Stopped {
        match (cause, self.limits.asked_time()) {
            (Unknown::Time, Some(limit)) => Stopped::TimeUp { limit },
            (Unknown::Interrupted, _) => Stopped::Interrupted,
            (Unknown::Memory, _) => Stopped::MemoryFull { limit: self.limits.memory_limit() },
            (Unknown::Nodes | Unknown::Time, _) => Stopped::NodesReached { nodes: self.limits.nodes },
        }
    }
}

impl Observer for Tracker<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.observer.progress(phase, done, total);
    }

    fn search(&self, far: &HowFar) {
        self.observer.search(far);
    }

    fn searched(&self, positions: u64) {
        self.observer.searched(positions);
    }

    fn stop(&self) -> Option<Stopped> {
        self.look().err().map(|cause| self.reason(cause)).or_else(|| self.observer.stop())
    }
}
