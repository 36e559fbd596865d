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
    last: Mutex<Instant>,
}

impl Watch<'_> {
    pub(super) fn new(to: &Events) -> Watch<'_> {
        Watch { to, last: Mutex::new(Instant::now()) }
    }

    /// Whether it is time to tell the page something.
    fn is_time(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.elapsed() >= EVERY;
        if due {
            *last = Instant::now();
        }
        due
    }
}

impl Observer for Watch<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        if self.is_time() {
            self.to.send("progress", &json!({ "phase": phase.name(), "done": done, "total": total }));
        }
    }

    fn search(&self, far: &HowFar) {
        if self.is_time() {
            let far = json!({ "phase": "search", "done": far.nodes, "losing": far.losing, "actions": far.actions });
            self.to.send("progress", &far);
        }
    }

    fn stop(&self) -> Option<Stopped> {
        self.to.is_gone().then_some(Stopped::Interrupted)
    }
}
