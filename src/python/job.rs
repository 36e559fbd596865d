//! Long work without the lock of the interpreter, which Ctrl-C and the end of memory end.

use std::hint::black_box;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use super::error::{interrupted, limit};
use crate::progress::{Observer, Phase, Stopped};

/// Time between two looks at signals and memory.
const TICK: Duration = Duration::from_millis(20);

/// The stack of a job: searches recurse once a ply.
const STACK: usize = 16 << 20;

/// Bytes that the system must be able to give while a job runs. A small allocation that it refuses
/// would end the process, so a job ends before.
const SPARE: usize = 64 << 20;

/// Progress of a job, and the request to end it.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) interrupt: AtomicBool,
    lacks_memory: AtomicBool,
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

impl Watch {
    /// Ends the job for want of memory; always `None`.
    pub(super) fn lack_memory<T>(&self) -> Option<T> {
        self.lacks_memory.store(true, Ordering::Relaxed);
        self.interrupt.store(true, Ordering::Relaxed);
        None
    }
}

/// Creates the exception for want of memory.
pub(super) fn no_memory() -> PyErr {
    PyMemoryError::new_err("the system has no more memory")
}

/// Returns `true` if the system can give as much as a job leaves over.
fn has_spare_memory() -> bool {
    let mut spare = Vec::<u8>::new();
    let given = spare.try_reserve_exact(SPARE).is_ok();
    black_box(&spare);
    given
}

/// Runs a job with the threads that all jobs share; `None` if the system gives none.
///
/// A process that was forked after they were started has none of them, and gets others for each
/// job.
fn with_threads<T: Send>(job: impl FnOnce() -> T + Send) -> Option<T> {
    static SHARED_BY: OnceLock<Option<u32>> = OnceLock::new();
    let started = || ThreadPoolBuilder::new().build_global().is_ok().then(process::id);
    if *SHARED_BY.get_or_init(started) == Some(process::id()) {
        return Some(job());
    }
    let threads = |count| ThreadPoolBuilder::new().num_threads(count).stack_size(STACK).build();
    Some(threads(0).or_else(|_| threads(1)).ok()?.install(job))
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
/// An exception of `progress`, which ends the job; and if the system has no more threads or memory.
pub(super) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<(T, bool)> {
    if !has_spare_memory() {
        return Err(no_memory());
    }
    let (watch, done) = (Watch::default(), AtomicBool::new(false));
    let mut raised: Option<PyErr> = None;
    let made = thread::scope(|scope| {
        let end = Done(&done, thread::current());
        let watch = &watch;
        let work = move || {
            let _end = end;
            with_threads(|| job(watch))
        };
        let worker = thread::Builder::new().name("podsgame".to_owned()).stack_size(STACK).spawn_scoped(scope, work)?;
        let mut told = None;
        while !done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(TICK));
            if !has_spare_memory() {
                watch.lack_memory::<()>();
            }
            if raised.is_some() || watch.interrupt.load(Ordering::Relaxed) {
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
        Ok::<Option<T>, PyErr>(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    if watch.lacks_memory.into_inner() {
        return Err(no_memory());
    }
    let made = made.ok_or_else(|| limit(py, &"the system gives no threads"))?;
    match raised {
        Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
        raised => Ok((made, raised.is_some())),
    }
}

/// Runs a job that has no answer before its end; it returns `None` if its watch has ended it.
///
/// # Errors
///
/// If Ctrl-C ended it, and as [`run`].
pub(super) fn run_to_end<T: Send>(py: Python<'_>, job: impl FnOnce(&Watch) -> Option<T> + Send) -> PyResult<T> {
    run(py, None, job)?.0.ok_or_else(|| interrupted(py))
}
