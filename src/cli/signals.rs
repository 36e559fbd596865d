//! SIGINT, SIGTERM and SIGHUP: the first one asks the job to end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use std::{process, thread};

#[cfg(unix)]
use nix::sys::signal::{SigSet, SigmaskHow};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};

use super::failure::{Exit, Failure};
use super::terminal::{complain, note};

/// True once a signal has come.
static CAME: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// True while a signal ends the program at once: as long as no command listens.
static ENDS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Time within which further signals are the same request: `timeout` and batch systems signal the
/// process and then its group.
const SAME: Duration = Duration::from_secs(1);

/// Catches the signals from now on. While no command listens, one ends the program with the status
/// of an interrupt. While one listens, the first signal sets its [`Stopper`], and another one, a
/// second later or more, ends the program.
pub(crate) fn catch_signals() {
    let status = i32::from(Exit::Interrupted.code());
    // `nohup` has the program ignore SIGHUP.
    let all = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    block_signals_while(|| {
        for signal in all.clone() {
            // In the handler itself, so that a command cannot end between a signal and its being
            // seen. What the system does not let us catch does as by default.
            let _ = flag::register_conditional_shutdown(signal, status, ENDS.clone());
            let _ = flag::register(signal, CAME.clone());
        }
    });
    let Ok(mut signals) = Signals::new(all) else { return };
    let watch = move || {
        let mut first = None;
        for _ in signals.forever() {
            if first.get_or_insert_with(Instant::now).elapsed() >= SAME {
                low_level::exit(status);
            }
        }
    };
    if thread::Builder::new().name("signals".to_owned()).spawn(watch).is_err() {
        // The system gives no more threads.
        note("a second signal will not end the program at once");
    }
}

/// Registers handlers while signals wait: one that came after its handler was installed, but before
/// the handler knows what to do, would be lost.
fn block_signals_while(register: impl FnOnce()) {
    #[cfg(unix)]
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK);
    register();
    #[cfg(unix)]
    if let Ok(before) = before {
        // It fails for no mask that was in force before.
        let _ = before.thread_set_mask();
    }
}

/// Returns `true` if the process was started with this signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).is_some_and(|set| set >> (signal - 1) & 1 == 1)
}

/// Returns the exit status of a command, given the signals that came. From now on a signal ends the
/// program at once.
pub(crate) fn after_signals(exit: Exit) -> Exit {
    ENDS.store(true, Ordering::SeqCst);
    if exit == Exit::Discrepancy || !CAME.load(Ordering::SeqCst) {
        return exit;
    }
    if exit == Exit::Good {
        complain("pods: stopped early: the answer has what was known by then\n");
    }
    Exit::Interrupted
}

/// Ends the program soon after a signal and says what is kept: for jobs that may end at any moment.
pub(in crate::cli) fn end_at_signal(kept: &'static str) -> Result<(), Failure> {
    let stopper = Stopper::new(true)?;
    let watch = move || {
        while !stopper.is_set() {
            thread::sleep(Duration::from_millis(20));
        }
        complain(format_args!("pods: stopped early: {kept}\n"));
        process::exit(i32::from(Exit::Interrupted.code()))
    };
    if thread::Builder::new().spawn(watch).is_err() {
        // The system gives no more threads: the program ends, and says nothing.
        Stopper::new(false)?;
    }
    Ok(())
}

/// Set by the first signal; another one, a second later or more, ends the program.
pub(in crate::cli) struct Stopper(());

impl Stopper {
    /// Returns a stopper that listens, or one that is never set, since a signal ends the program.
    pub(in crate::cli) fn new(listens: bool) -> Result<Stopper, Failure> {
        ENDS.store(!listens, Ordering::SeqCst);
        Ok(Stopper(()))
    }

    /// Returns a stopper for a command that reads this file: while it waits for more from a pipe or
    /// a terminal it does not listen, and a signal ends the program.
    pub(in crate::cli) fn reading(file: &Path) -> Result<Stopper, Failure> {
        Stopper::new(!file.as_os_str().eq("-") && file.metadata().is_ok_and(|of| of.is_file()))
    }

    #[expect(clippy::unused_self, reason = "who has a stopper listens")]
    pub(in crate::cli) fn flag(&self) -> &'static AtomicBool {
        &CAME
    }

    pub(in crate::cli) fn is_set(&self) -> bool {
        self.flag().load(Ordering::Relaxed)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use nix::sys::signal::{Signal, raise};

    #[test]
    fn a_signal_that_comes_before_its_handler_waits_for_it() {
        // By default the system throws this one away.
        let came: Arc<AtomicBool> = Arc::default();
        block_signals_while(|| {
            raise(Signal::SIGURG).unwrap();
            flag::register(signal_hook::consts::SIGURG, came.clone()).unwrap();
        });
        assert!(came.load(Ordering::SeqCst));
    }
}
