//! Progress for people who wait: late, and on standard error only.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, Weak};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::limits::Stopper;
use super::terminal::complain;
use crate::files::{Bytes, Thousands};
use crate::progress::{HowFar, Observer, Phase, Stopped};

/// Time before progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two lines where standard error is no terminal.
const BETWEEN: Duration = Duration::from_secs(60);

/// Time between two looks at a job that tells nothing meanwhile.
const LOOK: Duration = Duration::from_millis(500);

/// A line on standard error with what is done, the rate and the time left.
///
/// On a terminal it appears after a second, and goes away when dropped; elsewhere there is a line a
/// minute. Threads may share it. Of several the one that was begun or told last is kept up to date
/// while nothing is told.
#[derive(Debug)]
pub(super) struct Progress(Arc<ProgressLine>);

/// The line of a task, which a thread may show.
#[derive(Debug)]
pub(super) struct ProgressLine {
    task: &'static str,
    bar: ProgressBar,
    begun: Instant,
    /// Work that was done before the task began.
    done_before: AtomicU64,
    shown: AtomicBool,
    unit: &'static str,
    /// Lines that were written; `None` on a terminal.
    lines: Option<AtomicU64>,
    over: Mutex<bool>,
}

/// The line that was told last, and its address.
static LATEST: (Mutex<Weak<ProgressLine>>, AtomicUsize) = (Mutex::new(Weak::new()), AtomicUsize::new(0));

/// Starts the thread that shows the latest line, once.
fn keep_showing() {
    static BEGUN: Once = Once::new();
    let look = || {
        loop {
            thread::sleep(LOOK);
            let line = LATEST.0.lock().ok().and_then(|latest| latest.upgrade());
            line.iter().for_each(|line| line.look());
        }
    };
    // Without a thread a line is shown when it is told something.
    BEGUN.call_once(|| drop(thread::Builder::new().name("progress".to_owned()).spawn(look)));
}

impl Deref for Progress {
    type Target = ProgressLine;

    fn deref(&self) -> &ProgressLine {
        &self.0
    }
}

impl Progress {
    /// Returns the progress of a task with a name, counted in units such as `positions`.
    #[must_use]
    pub(super) fn new(task: &'static str, unit: &'static str) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(task);
        // Without a terminal it counts as shown already, and stays hidden.
        let is_terminal = io::stderr().is_terminal();
        let lines = (!is_terminal).then(AtomicU64::default);
        let (done_before, shown) = (AtomicU64::new(0), AtomicBool::new(!is_terminal));
        let over = Mutex::new(false);
        let progress = Progress(Arc::new(ProgressLine {
            task,
            bar,
            begun: Instant::now(),
            done_before,
            shown,
            unit,
            lines,
            over,
        }));
        progress.be_latest();
        keep_showing();
        progress
    }

    fn be_latest(&self) {
        let address = Arc::as_ptr(&self.0) as usize;
        if LATEST.1.swap(address, Ordering::Relaxed) != address
            && let Ok(mut latest) = LATEST.0.lock()
        {
            *latest = Arc::downgrade(&self.0);
        }
    }

    /// Shows the work that is done, and all that there is to do if that is known.
    pub(super) fn update(&self, done: u64, total: Option<u64>) {
        self.be_latest();
        if let Some(total) = total.filter(|&total| self.bar.length() != Some(total)) {
            let is_first = self.bar.length().is_none();
            self.bar.set_length(total);
            if is_first && self.lines.is_none() && self.shown.load(Ordering::Relaxed) {
                self.show();
            }
        }
        self.bar.set_position(done);
        self.show_in_time();
    }

    /// Sets the amount that was done before the task began, so that the rate and the time left are
    /// of new work.
    pub(super) fn begin_at(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
        self.done_before.store(done, Ordering::Relaxed);
        self.bar.reset_eta();
    }

    /// Runs `write` while the progress is out of its way.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    pub(super) fn message(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Shows what is done of one of the things that are counted, beside their number.
    pub(super) fn within(&self, phase: Phase, done: u64, total: Option<u64>) {
        let number = |number: u64| Thousands(number.into());
        let of = total.map(|total| format!(" of {}", number(total))).unwrap_or_default();
        self.detail(format_args!("{} {}{of}", phase.name(), number(done)));
    }

    /// Shows more about one of the things that are counted, beside their number.
    pub(super) fn detail(&self, text: fmt::Arguments<'_>) {
        self.message(format!("{}, {text}", self.task));
        self.update(self.bar.position(), self.bar.length());
    }
}

impl ProgressLine {
    /// Shows the state of a job that has told nothing new.
    fn look(&self) {
        if let Ok(over) = self.over.lock()
            && !*over
        {
            self.show_in_time();
            self.bar.tick();
        }
    }

    fn show_in_time(&self) {
        if self.begun.elapsed() >= PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.show();
        }
        let Some(lines) = &self.lines else { return };
        let minutes = self.begun.elapsed().as_secs() / BETWEEN.as_secs();
        if lines.fetch_max(minutes, Ordering::Relaxed) < minutes {
            let (done, total) = (self.bar.position(), self.bar.length());
            // The mean: that of the last seconds tells little where work comes in large pieces.
            let new = done.saturating_sub(self.done_before.load(Ordering::Relaxed));
            let rate = new as f64 / self.begun.elapsed().as_secs_f64();
            let text = line_text(&self.bar.message(), self.unit, (done, total), rate);
            complain(format_args!("pods: progress: {text}\n"));
        }
    }

    fn show(&self) {
        let template = if self.bar.length().is_some() {
            format!("{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {} {{rate}}, {{left}}", self.unit)
        } else {
            format!("{{msg}} {{spinner}} {{human_pos}} {} {{rate}}, {{elapsed}}", self.unit)
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
                let _ = text.write_str(&rate_text(state.per_sec()));
            };
            let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
                let left = state.len().unwrap_or(0).saturating_sub(state.pos());
                let _ = text.write_str(&left_text(left, state.per_sec()));
            };
            self.bar.set_style(style.with_key("rate", rate).with_key("left", left));
        }
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
    }
}

fn line_text(task: &str, unit: &str, (done, total): (u64, Option<u64>), per_second: f64) -> String {
    let (rate, number) = (rate_text(per_second), Thousands(done.into()));
    match total {
        Some(total) => {
            let left = left_text(total.saturating_sub(done), per_second);
            format!("{task}, {number} of {} {unit}, {rate}, {left}", Thousands(total.into()))
        }
        None => format!("{task}, {number} {unit}, {rate}"),
    }
}

/// Returns a rate with as many digits as mean something: `315,725/s`, `4.2/s`, `3/min`, or `-`
/// where nothing is known yet.
fn rate_text(per_second: f64) -> String {
    match per_second {
        rate if !rate.is_finite() || rate <= 0.0 => "-".to_owned(),
        rate if rate >= 10.0 => format!("{}/s", Thousands(rate.round() as u128)),
        rate if rate >= 1.0 => format!("{rate:.1}/s"),
        rate if rate * 60.0 >= 1.0 => format!("{:.0}/min", rate * 60.0),
        rate => format!("{:.1}/h", rate * 3600.0),
    }
}

/// Returns the time that what is left takes at a rate, or that it is not known.
fn left_text(left: u64, per_second: f64) -> String {
    let seconds = left as f64 / per_second;
    match Duration::try_from_secs_f64(seconds) {
        _ if left == 0 => "done".to_owned(),
        Ok(time) if seconds > 0.0 && time < Duration::from_secs(10 * 365 * 24 * 3600) => {
            format!("{} left", HumanDuration(Duration::from_secs(time.as_secs().max(1))))
        }
        _ => "time left not known".to_owned(),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let address = Arc::as_ptr(&self.0) as usize;
        let _ = LATEST.1.compare_exchange(address, 0, Ordering::Relaxed, Ordering::Relaxed);
        if let Ok(mut over) = self.over.lock() {
            *over = true;
        }
        self.bar.finish_and_clear();
    }
}

/// Observer of a job that a signal ends, which is told a phase, what is done and all there is to do.
pub(super) struct Stoppable<'a, F> {
    pub(super) tell: F,
    pub(super) stopper: &'a Stopper,
}

impl Progress {
    /// Returns an observer of a job with one phase.
    pub(super) fn until(self, stopper: &Stopper) -> Stoppable<'_, impl Fn(Phase, u64, Option<u64>) + Sync> {
        Stoppable { tell: move |_, done, total| self.update(done, total), stopper }
    }
}

impl<F: Fn(Phase, u64, Option<u64>) + Sync> Observer for Stoppable<'_, F> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        (self.tell)(phase, done, total);
    }

    fn stop(&self) -> Option<Stopped> {
        self.stopper.is_set().then_some(Stopped::Interrupted)
    }
}

pub(super) struct Within<'a>(pub &'a Progress);

impl Observer for Within<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.0.within(phase, done, total);
    }
}

/// Progress of a solver, a new line for each phase.
#[derive(Debug)]
pub(super) struct SolverProgress {
    unit: fn(Phase) -> &'static str,
    current: Mutex<Option<(Phase, Progress)>>,
}

impl SolverProgress {
    #[must_use]
    pub(super) fn counted_in(unit: fn(Phase) -> &'static str) -> SolverProgress {
        SolverProgress { unit, current: Mutex::new(None) }
    }
}

impl Default for SolverProgress {
    fn default() -> SolverProgress {
        SolverProgress::counted_in(|phase| match phase {
            Phase::Prove | Phase::Check => "lines",
            _ => "positions",
        })
    }
}

impl Observer for SolverProgress {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        // A poisoned lock means that another thread has panicked; progress is no reason to do so
        // too.
        let Ok(mut current) = self.current.lock() else { return };
        match &*current {
            Some((of, progress)) if *of == phase => progress.update(done, total),
            _ => {
                let progress = Progress::new(phase.name(), (self.unit)(phase));
                // A job that resumes begins with what earlier runs have done.
                progress.begin_at(done, total);
                progress.update(done, total);
                *current = Some((phase, progress));
            }
        }
    }

    fn search(&self, far: &HowFar) {
        let Ok(current) = self.current.lock() else { return };
        if let Some((Phase::Search, progress)) = &*current {
            progress.message(how_far(far));
        }
    }

    fn searched(&self, positions: u64) {
        let Ok(current) = self.current.lock() else { return };
        if let Some((Phase::Prove, progress)) = &*current {
            progress.detail(format_args!("{} positions searched", Thousands(positions.into())));
        }
    }
}

/// Describes the progress of a search for the winner.
pub(super) fn how_far(far: &HowFar) -> String {
    let HowFar { losing, actions, fill, .. } = *far;
    let left = actions.saturating_sub(losing);
    let (used, most) = (Bytes(fill.bytes.into()), Bytes(fill.most.into()));
    let refused = if fill.refused { ", the system gives no more" } else { "" };
    format!(
        "{losing} of {actions} first actions lose, {left} left; table {used} of {most}{refused}, {} entries",
        Thousands(fill.entries.into())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_the_digits_that_mean_something() {
        for (rate, text) in [
            (315_725.25, "315,725/s"),
            (10.4, "10/s"),
            (4.24, "4.2/s"),
            (0.05, "3/min"),
            (0.001, "3.6/h"),
            (0.0, "-"),
            (f64::NAN, "-"),
            (f64::INFINITY, "-"),
        ] {
            assert_eq!(rate_text(rate), text);
        }
    }

    #[test]
    fn how_far_a_search_is_is_said_with_all_that_is_known() {
        use crate::progress::Fill;
        let fill = Fill { entries: 1_234_567, bytes: 3 << 29, most: 6 << 30, refused: false };
        let far = HowFar { nodes: 10, losing: 3, actions: 51, fill };
        let text = "3 of 51 first actions lose, 48 left; table 1.5 GiB of 6.0 GiB, 1,234,567 entries";
        assert_eq!(how_far(&far), text);
        let far = HowFar { fill: Fill { refused: true, most: 3 << 29, ..fill }, ..far };
        assert_eq!(how_far(&far), text.replace("of 6.0 GiB", "of 1.5 GiB, the system gives no more"));
    }

    #[test]
    fn a_line_has_the_share_and_the_time_left() {
        let text = "readings, 31 of 104 setups, 30/min, 2 minutes left";
        assert_eq!(line_text("readings", "setups", (31, Some(104)), 0.5), text);
        assert_eq!(line_text("check", "lines", (12_345, None), 100.0), "check, 12,345 lines, 100/s");
    }

    #[test]
    fn what_is_done_within_one_of_several_things_is_shown_beside_their_number() {
        let progress = Progress::new("balance", "setups");
        progress.update(1, Some(4));
        Within(&progress).progress(Phase::Enumerate, 8192, Some(1_000_000));
        assert_eq!(progress.bar.message(), "balance, enumerate 8,192 of 1,000,000");
        assert_eq!((progress.bar.position(), progress.bar.length()), (1, Some(4)));
    }

    #[test]
    fn the_time_left_is_not_known_before_anything_is_done() {
        for (left, rate, text) in [
            (4, 0.0, "time left not known"),
            (4, f64::NAN, "time left not known"),
            (u64::MAX, 1e-3, "time left not known"),
            (4, 2.0, "2 seconds left"),
            (4, 1000.0, "1 second left"),
            (7200, 1.0, "2 hours left"),
            (0, 0.0, "done"),
        ] {
            assert_eq!(left_text(left, rate), text, "{left} at {rate}");
        }
    }
}
