//! The thread that does the heavy work, one job at a time, and the queue of those that wait for it.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::json;

use super::events::Events;
use super::job::{Heavy, Kept, run};
use crate::table::Tablebase;

/// A job, and the page that gets its answer.
struct Job {
    what: Heavy,
    to: Events,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    /// The flag of the job that is being done.
    now: Option<Arc<AtomicBool>>,
    stopped: bool,
}

#[derive(Default)]
struct Queue {
    jobs: Mutex<Jobs>,
    /// Told when a job was added, or the server ends.
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle on the thread, which sends it jobs.
#[derive(Clone)]
pub(super) struct Worker(Arc<Queue>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{MAX_WAITING} questions wait already: close other pages, or ask again when one of them is answered")]
pub(super) struct Full;

const MAX_WAITING: usize = 16;

/// The stack of the thread: searches recurse once a ply.
const STACK: usize = 16 << 20;

impl Worker {
    pub(super) fn start(tables: Option<Tablebase>, memory: u64) -> io::Result<Worker> {
        let worker = Worker(Arc::default());
        let queue = worker.0.clone();
        let work = move || work(&queue, tables.as_ref(), memory);
        std::thread::Builder::new().name("worker".to_owned()).stack_size(STACK).spawn(work)?;
        Ok(worker)
    }

    /// Queues a job.
    ///
    /// # Errors
    ///
    /// If too many wait whose pages are still there.
    pub(super) fn ask(&self, what: Heavy, to: Events) -> Result<(), Full> {
        let mut jobs = self.0.lock();
        jobs.waiting.retain(|job| !job.to.is_gone());
        if jobs.waiting.len() >= MAX_WAITING {
            return Err(Full);
        }
        let before = jobs.waiting.len() + usize::from(jobs.now.is_some());
        to.send("waiting", &json!({ "before": before }));
        jobs.waiting.push_back(Job { what, to });
        self.0.changed.notify_one();
        Ok(())
    }

    /// Drops the jobs whose pages have gone.
    pub(super) fn tidy(&self) {
        self.0.lock().waiting.retain(|job| !job.to.is_gone());
    }

    /// Ends the current job, and drops those that wait.
    pub(super) fn stop(&self) {
        let mut jobs = self.0.lock();
        jobs.stopped = true;
        jobs.waiting.clear();
        if let Some(flag) = &jobs.now {
            flag.store(true, Ordering::Relaxed);
        }
        self.0.changed.notify_one();
    }
}

/// Runs the jobs, one after the other, until the server ends.
fn work(queue: &Queue, tables: Option<&Tablebase>, memory: u64) {
    let mut kept = Kept::new(tables, memory);
    while let Some(Job { what, to }) = next(queue) {
        if to.is_gone() {
            continue;
        }
        to.send("begun", &json!({}));
        if catch_unwind(AssertUnwindSafe(|| run(&mut kept, what, &to))).is_err() {
            kept = Kept::new(tables, memory);
            to.send("error", &json!({ "error": "this is a fault of the program: the job broke off" }));
        }
    }
}

/// Waits for the next job; `None` once the server ends.
fn next(queue: &Queue) -> Option<Job> {
    let mut jobs = queue.lock();
    jobs.now = None;
    loop {
        if jobs.stopped {
            return None;
        }
        if let Some(job) = jobs.waiting.pop_front() {
            jobs.now = Some(job.to.flag());
            return Some(job);
        }
        jobs = queue.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::super::events::events;
    use super::*;

    fn job() -> Heavy {
        let setting = json!({ "board": "cave36", "pods": "pods14", "rules": "advanced", "position": "start" });
        let ask = json!({ "values": { "setting": setting, "seconds": 3600.0 } });
        Heavy::read(serde_json::from_value(ask).unwrap()).unwrap()
    }

    #[test]
    fn what_nobody_waits_for_leaves_the_queue_and_a_full_one_refuses() {
        let worker = Worker::start(None, 1 << 24).unwrap();
        let streams = Arc::new(Semaphore::new(100));
        let ask = || {
            let permit = streams.clone().try_acquire_owned().unwrap();
            let own = worker.clone();
            let (to, response) = events(permit, move || own.tidy());
            worker.ask(job(), to).map(|()| response)
        };
        let waiting = || worker.0.lock().waiting.len();
        // The first one is taken by the thread, and the others wait.
        let first = ask().unwrap();
        while waiting() > 0 {
            std::thread::yield_now();
        }
        let pages: Vec<_> = (0..MAX_WAITING).map(|_| ask().unwrap()).collect();
        assert_eq!(waiting(), MAX_WAITING);
        assert_eq!(ask().unwrap_err(), Full);
        assert_eq!((waiting(), streams.available_permits()), (MAX_WAITING, 100 - 1 - MAX_WAITING));
        // Pages go: their jobs go with them, without any other question, and there is room again.
        drop(pages);
        assert_eq!((waiting(), streams.available_permits()), (0, 99));
        let pages: Vec<_> = (0..MAX_WAITING).map(|_| ask().unwrap()).collect();
        assert_eq!(ask().unwrap_err(), Full);
        // The page of the job that is being done goes: the next one begins.
        drop(first);
        while waiting() == MAX_WAITING {
            std::thread::yield_now();
        }
        drop(pages);
        worker.stop();
        assert_eq!(waiting(), 0);
    }
}
