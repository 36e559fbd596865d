//! Work on several threads, also where the system gives fewer than were asked for, or none.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::sync::mpsc;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::failure::Failure;
use super::terminal::complain;
use crate::solver::Limits;
use crate::solver::memory::is_left;

/// Number of threads, for commands whose answers do not depend on it.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(super) struct ThreadsArg {
    /// Work with this many threads, at most 256 [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
}

impl ThreadsArg {
    /// Sets up the threads that the jobs of this run share: as many as were asked for, or as the
    /// system gives, with a note.
    pub(super) fn set_up(self) -> Result<(), Failure> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let wanted = self.threads.unwrap_or_else(|| cores().min(Limits::MOST_THREADS));
        // The threads for good can be asked for only once: so it is tried before with others.
        let mut halves = std::iter::successors(Some(wanted), |threads| Some(threads / 2).filter(|&half| half > 0));
        let given = halves.find(|&threads| gives(threads));
        if given != Some(wanted) {
            let given = given.map_or("no thread".to_owned(), |given| format!("{given} threads"));
            complain(format_args!("pods: note: the system gives {given} instead of {wanted}: it will take longer\n"));
        }
        let pool = ThreadPoolBuilder::new().num_threads(given.unwrap_or(1));
        let pool = if given.is_none() { pool.use_current_thread() } else { pool };
        pool.build_global().map_err(|e| Failure::wrong(format_args!("the system gives no threads: {e}")))?;
        if given.is_some() {
            // They have what they begin with before anything else asks for memory.
            rayon::broadcast(|_| ());
        }
        Ok(())
    }
}

/// Bytes that must be left beside the threads: they need some when they run, and would end the
/// program without.
const LEFT: usize = 16 << 20;

/// Bytes of a thread: its stack, and what lies beside it.
const OF_A_THREAD: usize = (2 << 20) + (128 << 10);

/// Returns `true` if the system gives this many threads and has [`LEFT`] bytes beside them. The
/// threads have ended, and their memory is free again, when this returns.
fn gives(threads: usize) -> bool {
    // A thread that gets a stack and then no byte more ends the program: so it is asked before.
    if !is_left(threads * OF_A_THREAD + LEFT) {
        return false;
    }
    let mut started = Vec::new();
    let pool = ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|thread| {
        started.push(std::thread::Builder::new().spawn(|| thread.run())?);
        Ok(())
    });
    let pool = pool.build();
    let given = pool.as_ref().is_ok_and(|pool| {
        // A thread that begins while this one asks for all that is left could not have what it
        // begins with.
        pool.broadcast(|_| ());
        is_left(LEFT)
    });
    drop(pool);
    for thread in started {
        let _ = thread.join();
    }
    given
}

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=Limits::MOST_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("it must be a number, at least 1 and at most {}", Limits::MOST_THREADS)),
    }
}

/// Runs the jobs of these numbers, several at a time, and passes their results to `take` in order,
/// each as soon as those before it are done. After a job that returns nothing no other is begun.
/// `count` gets the number of jobs done. Returns the results of jobs behind one that returned
/// nothing.
///
/// # Errors
///
/// The first failure of a job, in their order, or that of `take`; the results before it are handed
/// on.
pub(super) fn in_order<T: Send>(
    jobs: Range<usize>,
    job: impl Fn(usize) -> Option<Result<T, Failure>> + Sync,
    count: impl Fn(u64),
    mut take: impl FnMut(T) -> Result<(), Failure>,
) -> Result<Vec<T>, Failure> {
    // Where this thread is the only one, it cannot wait for others.
    if rayon::current_thread_index().is_some() {
        return one_by_one(jobs, &job, &count, &mut take);
    }
    let (sender, receiver) = mpsc::channel::<(usize, Result<T, Failure>)>();
    std::thread::scope(|scope| {
        let (all, job) = (jobs.clone(), &job);
        let work = move || {
            // Taken one after the other from the front, so that what is finished can be handed on
            // soon.
            let _ = all.par_bridge().try_for_each_with(sender, |sender, number| {
                let done = job(number)?;
                let failed = done.is_err();
                // Nobody listens any more if handing on failed: then there is nothing left to do.
                sender.send((number, done)).ok().filter(|()| !failed)
            });
        };
        if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
            return one_by_one(jobs, job, &count, &mut take);
        }
        let (mut waiting, mut next, mut done) = (BTreeMap::new(), jobs.start, 0);
        for (number, result) in receiver {
            done += 1;
            count(done);
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                take(result?)?;
            }
        }
        waiting.into_values().collect()
    })
}

/// Runs the jobs one after the other on this thread.
fn one_by_one<T>(
    jobs: Range<usize>,
    job: impl Fn(usize) -> Option<Result<T, Failure>>,
    count: impl Fn(u64),
    mut take: impl FnMut(T) -> Result<(), Failure>,
) -> Result<Vec<T>, Failure> {
    for (done, number) in (1..).zip(jobs) {
        let Some(result) = job(number) else { break };
        take(result?)?;
        count(done);
    }
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Runs the jobs, and returns the results in order, those still waiting, and the end of the
    /// run.
    fn run(
        job: impl Fn(usize) -> Option<Result<usize, Failure>> + Sync,
    ) -> (Vec<usize>, Result<Vec<usize>, String>, usize) {
        let (mut taken, counted) = (Vec::new(), AtomicUsize::new(0));
        let count = |done| counted.store(done as usize, Ordering::Relaxed);
        let ended = in_order(3..200, job, count, |number| {
            taken.push(number);
            Ok(())
        });
        (taken, ended.map_err(|failure| failure.to_string()), counted.into_inner())
    }

    #[test]
    fn what_is_done_is_handed_on_in_order() {
        let all: Vec<usize> = (3..200).collect();
        assert_eq!(run(|number| Some(Ok(number))), (all, Ok(Vec::new()), 197));
    }

    #[test]
    fn a_failure_ends_the_work_behind_what_came_before_it() {
        let (taken, ended, _) = run(|number| Some(if number < 50 { Ok(number) } else { Err(Failure::wrong(number)) }));
        assert_eq!((taken, ended), ((3..50).collect(), Err("50".to_owned())));
    }

    #[test]
    fn what_is_done_behind_a_job_that_was_not_begun_comes_apart() {
        let (taken, ended, counted) = run(|number| (number != 50).then_some(Ok(number)));
        assert_eq!(taken, (3..50).collect::<Vec<_>>());
        let behind = ended.unwrap();
        assert!(behind.iter().all(|&number| number > 50) && behind.is_sorted(), "{behind:?}");
        assert_eq!(counted, taken.len() + behind.len());
    }

    #[test]
    fn one_thread_does_the_same() {
        let mut taken = Vec::new();
        let take = |number: usize| {
            taken.push(number);
            Ok(())
        };
        let behind = one_by_one(3..200, |number| (number != 50).then_some(Ok(number)), |_| (), take).unwrap();
        assert_eq!((taken, behind), ((3..50).collect(), Vec::new()));
    }

    #[test]
    fn a_failure_to_take_ends_the_work() {
        let ended = in_order(0..1000, |number| Some(Ok(number)), |_| (), |_| Err(Failure::wrong("full")));
        assert_eq!(ended.unwrap_err().to_string(), "full");
    }
}
