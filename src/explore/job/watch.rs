//! Tells the page the progress of a job.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::explore::events::Events;
use crate::solver::search::HowFar;
use crate::solver::{Observer, Phase, Stopped};

/// The least time between two messages to the page.
const EVERY: Duration = Duration::from_millis(250);

/// Passes progress on, and ends the job when the page has gone.
pub(super) struct Watch<'a> {
    to: &'a Events,
    /// When progress was told, and when how far a search is: it tells both at once, and one must not silence the other.
    last: [Mutex<Instant>; 2],
}

impl Watch<'_> {
    pub(super) fn new(to: &Events) -> Watch<'_> {
        let now = Instant::now();
        Watch { to, last: [Mutex::new(now), Mutex::new(now)] }
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
        self.tell(0, || json!({ "phase": phase.name(), "done": done, "total": total }));
    }

    fn search(&self, far: &HowFar) {
        let HowFar { nodes, losing, actions, .. } = *far;
        self.tell(1, || json!({ "phase": "search", "done": nodes, "losing": losing, "actions": actions }));
    }

    fn stop(&self) -> Option<Stopped> {
        self.to.is_gone().then_some(Stopped::Interrupted)
    }
}
