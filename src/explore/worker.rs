//! The thread that does the heavy work, one job at a time.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use super::events::Events;
use super::job::{Heavy, Kept, run};
use crate::table::Tablebase;

/// A job, and the page that gets its answer.
struct Job {
    what: Heavy,
    to: Events,
}

/// A handle on the thread, which sends it jobs.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    jobs: Sender<Job>,
    /// How many jobs are not done.
    waiting: Arc<AtomicUsize>,
    /// The flag of the job that is being done.
    now: Arc<Mutex<Option<Arc<AtomicBool>>>>,
    stopped: Arc<AtomicBool>,
}

/// The stack of the thread: searches recurse once a ply.
const STACK: usize = 16 << 20;

impl Worker {
    /// Starts the thread.
    pub(super) fn start(tables: Option<Tablebase>, memory: u64) -> io::Result<Worker> {
        let (jobs, queue) = mpsc::channel();
        let worker = Worker { jobs, waiting: Arc::default(), now: Arc::default(), stopped: Arc::default() };
        let own = worker.clone();
        // The thread gets no sender of its own queue, or it would wait for ever.
        let own = Thread { waiting: own.waiting, now: own.now, stopped: own.stopped };
        let work = move || own.work(tables.as_ref(), memory, &queue);
        std::thread::Builder::new().name("worker".to_owned()).stack_size(STACK).spawn(work)?;
        Ok(worker)
    }

    /// Queues a job.
    pub(super) fn ask(&self, what: Heavy, to: Events) {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        to.send("waiting", &json!({ "before": before }));
        // If the thread has ended, so has the server.
        let _ = self.jobs.send(Job { what, to });
    }

    /// Ends the current job, and drops those that wait.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Some(flag) = &*self.now.lock().unwrap_or_else(PoisonError::into_inner) {
            flag.store(true, Ordering::Relaxed);
        }
    }
}

/// What the thread shares with [`Worker`].
struct Thread {
    waiting: Arc<AtomicUsize>,
    now: Arc<Mutex<Option<Arc<AtomicBool>>>>,
    stopped: Arc<AtomicBool>,
}

impl Thread {
    fn work(&self, tables: Option<&Tablebase>, memory: u64, queue: &Receiver<Job>) {
        let mut kept = Kept::new(tables, memory);
        for Job { what, to } in queue {
            self.set(Some(to.flag()));
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            if !to.is_gone() {
                to.send("begun", &json!({}));
                if catch_unwind(AssertUnwindSafe(|| run(&mut kept, what, &to))).is_err() {
                    kept = Kept::new(tables, memory);
                    to.send("error", &json!({ "error": "this is a fault of the program: the job broke off" }));
                }
            }
            self.set(None);
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn set(&self, flag: Option<Arc<AtomicBool>>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = flag;
    }
}
