//! Long work without the lock of the interpreter, which Ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::progress::{Observer, Phase, Stopped};

/// Time between two looks at signals.
const TICK: Duration = Duration::from_millis(50);

/// The stack of a job: searches recurse once a ply.
const STACK: usize = 16 << 20;

/// Progress of a job, and the request to end it.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) interrupt: AtomicBool,
    far: Mutex<Option<(&'static str, u64, Option<u64>)>>,
}

impl Observer for Watch {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        *self.far.lock().unwrap_or_else(PoisonError::into_inner) = Some((phase.name(), done, total));
    }

    fn stop(&self) -> Option<Stopped> {
        self.interrupt.load(Ordering::Relaxed).then_some(Stopped::Interrupted)
    }
}

/// Wakes the thread that waits for a job, also if the job panics.
struct Done<'a>(&'a AtomicBool, Thread);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
        self.1.unpark();
    }
}

/// Runs a job, and returns its result and whether Ctrl-C ended it early. `progress` is called with
/// a phase, what is done and all that there is to do.
///
/// # Errors
///
/// What `progress` raises; the job is ended then.
pub(super) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<(T, bool)> {
    let (watch, done) = (Watch::default(), AtomicBool::new(false));
    let mut raised: Option<PyErr> = None;
    let made = thread::scope(|scope| {
        let end = Done(&done, thread::current());
        let watch = &watch;
        let work = move || {
            let _end = end;
            job(watch)
        };
        let worker = thread::Builder::new().name("podsgame".to_owned()).stack_size(STACK).spawn_scoped(scope, work)?;
        let mut told = None;
        while !done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(TICK));
            if raised.is_some() {
                continue;
            }
            raised = py.check_signals().err();
            let far = *watch.far.lock().unwrap_or_else(PoisonError::into_inner);
            if let (Some(progress), None, Some(far)) = (progress, &raised, far)
                && told != Some(far)
            {
                told = Some(far);
                raised = progress.call1(far).err();
            }
            watch.interrupt.store(raised.is_some(), Ordering::Relaxed);
        }
        Ok::<T, PyErr>(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    match raised {
        Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
        raised => Ok((made, raised.is_some())),
    }
}
