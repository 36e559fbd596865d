//! Progress of long jobs: one protocol for solvers, tables, certificates, reports and test data.
//!
//! A job gets an [`Observer`], reports to it, and ends with the reason that it gives.

use crate::files::named;
mod build;
mod how_far;
mod stopped;

pub use build::{BuildStep, Swept};
pub(crate) use how_far::Fill;
pub use how_far::HowFar;
pub use stopped::{MemoryLimit, Prediction, Stopped};

/// Observer of a long job, which is told of its progress and may end it. Every thread of the job
/// calls it.
pub trait Observer: Sync {
    /// Reports that `done` positions of a phase are done, of `total` if that is known.
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>);

    /// Reports the progress of a search for the winner in detail; called together with
    /// [`Observer::progress`].
    fn search(&self, _far: &HowFar) {}

    /// Reports the positions searched so far for the lines that [`Observer::progress`] counts while a
    /// certificate is written; called together with it.
    fn searched(&self, _positions: u64) {}

    /// Reports a step of the build of a table; called together with [`Observer::progress`].
    fn build(&self, _step: BuildStep) {}

    /// Returns the reason why the job should end now, if there is one. Jobs that can end early ask
    /// every few thousand positions.
    fn stop(&self) -> Option<Stopped> {
        None
    }
}

named! {
    /// Phase reported to an [`Observer`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Phase {
        /// Searching positions.
        Search = "search",
        /// Listing every position that can be reached.
        Enumerate = "enumerate",
        /// Spreading values backward from the finished positions.
        Propagate = "propagate",
        /// Reading all values into memory.
        Unpack = "unpack",
        /// Comparing files that say the same, by blocks, or games under two rule sets, by positions.
        Compare = "compare",
        /// Deriving each value again from those of the next positions.
        Verify = "verify",
        /// Expected score of random play.
        RandomPlay = "random play",
        /// Writing the strategies of a certificate.
        Prove = "prove",
        /// Checking a certificate or a set of test data; progress counts its lines.
        Check = "check",
        /// Solving the tiers of a table.
        Build = "build",
        /// Writing the files of a table; progress counts blocks.
        Write = "write",
        /// Writing a set of test data; progress counts its lines.
        Export = "export",
        /// Counting action sequences; progress counts the positions looked at.
        Perft = "perft",
        /// Drawing the openings of a match.
        Openings = "openings",
        /// Comparing the engines; progress counts cases.
        CrossCheck = "cross-check",
    }
}

pub(crate) fn report(observer: &dyn Observer, phase: Phase, done: u64, total: Option<u64>) -> Result<(), Stopped> {
    observer.progress(phase, done, total);
    observer.stop().map_or(Ok(()), Err)
}

/// An observer that ignores progress and never ends a job.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: Phase, _: u64, _: Option<u64>) {}
}
