//! Progress for people who wait: late, and on standard error only.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::solver::{Observer, Phase};

/// How long a run may take before progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// A line on standard error with what is done, the rate and the time left. It appears after a second, only if standard
/// error is a terminal, and goes away when dropped. Threads may share it.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: AtomicBool,
    unit: &'static str,
}

impl Progress {
    /// Progress of a task with a name, counted in units such as `positions`.
    #[must_use]
    pub fn new(task: &'static str, unit: &'static str) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(task);
        // Without a terminal it counts as shown already, and stays hidden.
        let shown = AtomicBool::new(!io::stderr().is_terminal());
        Progress { bar, begun: Instant::now(), shown, unit }
    }

    /// Tells how much is done, and how much there is to do if that is known.
    pub fn update(&self, done: u64, total: Option<u64>) {
        if self.begun.elapsed() >= PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.show(total.is_some());
        }
        if let Some(total) = total.filter(|&total| self.bar.length() != Some(total)) {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }

    /// Tells how much was done before the task began, so that the rate and the time left are of what is new.
    pub fn begin_at(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// Says what the task is busy with.
    pub fn message(&self, text: String) {
        self.bar.set_message(text);
    }

    fn show(&self, total: bool) {
        let template = if total {
            format!("{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {} {{per_sec}} ETA {{eta}}", self.unit)
        } else {
            format!("{{msg}} {{spinner}} {{human_pos}} {} {{per_sec}}, {{elapsed}}", self.unit)
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style);
        }
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Progress of a solver, a new line for each phase.
#[derive(Debug, Default)]
pub struct SolverProgress {
    current: Mutex<Option<(Phase, Progress)>>,
}

impl Observer for SolverProgress {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        // A poisoned lock means that another thread has panicked; progress is no reason to do so too.
        let Ok(mut current) = self.current.lock() else { return };
        match &*current {
            Some((of, progress)) if *of == phase => progress.update(done, total),
            _ => *current = Some((phase, Progress::new(phase.name(), "positions"))),
        }
    }
}
