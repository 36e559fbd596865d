//! Work on several threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::failure::Failure;
use crate::solver::Limits;

/// Number of threads, for commands whose answers do not depend on it.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(super) struct ThreadsArg {
    /// Work with this many threads, at most 256 [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
}

impl ThreadsArg {
    pub(super) fn number(self) -> usize {
        self.threads.unwrap_or_else(Limits::cores)
    }

    /// Sets up the threads that the jobs of this run share.
    pub(super) fn set_up(self) -> Result<(), Failure> {
        let wanted = self.number();
        let refused =
            |_| Failure::wrong(format_args!("the system does not give {wanted} threads; use fewer --threads"));
        ThreadPoolBuilder::new().num_threads(wanted).build_global().map_err(refused)
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=Limits::MAX_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("it must be a number, at least 1 and at most {}", Limits::MAX_THREADS)),
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
    let (sender, receiver) = mpsc::channel::<(usize, Result<T, Failure>)>();
    std::thread::scope(|scope| {
        let (all, job) = (jobs.clone(), &job);
        let begun = std::thread::Builder::new().spawn_scoped(scope, move || {
            // Taken one after the other from the front, so that what is finished can be handed on
            // soon.
            let _ = all.par_bridge().try_for_each_with(sender, |sender, number| {
                let done = job(number)?;
                let failed = done.is_err();
                // Nobody listens any more if handing on failed: then there is nothing left to do.
                sender.send((number, done)).ok().filter(|()| !failed)
            });
        });
        begun.map_err(|_| Failure::wrong("the system gives no further thread"))?;
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
    fn a_failure_to_take_ends_the_work() {
        let ended = in_order(0..1000, |number| Some(Ok(number)), |_| (), |_| Err(Failure::wrong("full")));
        assert_eq!(ended.unwrap_err().to_string(), "full");
    }
}
