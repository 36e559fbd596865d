//! Tells the page the progress of a job.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::explore::events::Events;
use crate::solver::search::HowFar;
use crate::solver::{Observer, Phase, Stopped};

/// The least time between two messages to the page.
const EVERY: Duration = Duration::from_millis(250);

/// The positions that searches have looked at: those of the searches before, and of the one that
/// runs.
#[derive(Debug, Default)]
struct Searched {
    before: u64,
    now: u64,
}

impl Searched {
    /// Notes how far the search is that runs, which counts from 0, and returns the sum.
    fn sum(&mut self, now: u64) -> u64 {
        if now < self.now {
            self.before += self.now;
        }
        self.now = now;
        self.before + now
    }
}

/// Observer that passes progress on, and ends the job when the page has gone.
pub(super) struct Watch<'a> {
    to: &'a Events,
    /// Times of the last progress report of each kind. A search reports both at once, and one must
    /// not silence the other.
    last: [Mutex<Instant>; 2],
    searched: Mutex<Searched>,
}

impl Watch<'_> {
    pub(super) fn new(to: &Events) -> Watch<'_> {
        let now = Instant::now();
        Watch { to, last: [Mutex::new(now), Mutex::new(now)], searched: Mutex::default() }
    }

    /// Counts the positions of all searches that this watches.
    fn searched(&self, now: u64) -> u64 {
        self.searched.lock().unwrap_or_else(PoisonError::into_inner).sum(now)
    }

    /// Tells the page something, if it is time to.
    fn tell(&self, last: usize, what: impl FnOnce() -> serde_json::Value) {
        let mut last = self.last[last].lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= EVERY {
            *last = Instant::now();
            self.to.send("progress", &what());
        }
    }
}

impl Observer for Watch<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        let done = if phase == Phase::Search { self.searched(done) } else { done };
        self.tell(0, || json!({ "phase": phase.name(), "done": done, "total": total }));
    }

    fn search(&self, far: &HowFar) {
        let HowFar { nodes, losing, actions, .. } = *far;
        let nodes = self.searched.lock().unwrap_or_else(PoisonError::into_inner).before + nodes;
        self.tell(1, || json!({ "phase": "search", "done": nodes, "losing": losing, "actions": actions }));
    }

    fn stop(&self) -> Option<Stopped> {
        self.to.is_gone().then_some(Stopped::Interrupted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_one_search_after_another_are_added() {
        let mut searched = Searched::default();
        assert_eq!([10, 25, 25, 3, 8, 1].map(|now| searched.sum(now)), [10, 25, 25, 28, 33, 34]);
    }
}
