//! Proof search on many machines: a position is cut into jobs, workers search them, and their
//! results are merged.
//!
//! Nothing but a folder that all of them see is needed: no server, no library for messages. The
//! same program makes the jobs ([`split()`]), does them ([`work()`]) and says what comes of it
//! ([`merge()`]). For placement games, in which nothing moves and nothing is captured; the search
//! is [`crate::solver::search`].
//!
//! # What is cut
//!
//! The **upper tree** has the position, all placements of the first plies, and on each point where
//! several kinds may be placed a *cover*: a pod with the legs of all of them, which refutes them
//! all if it is refuted. Without covers a search near the start takes many times as long. What a
//! search of a few thousand nodes decides is no job, nor is what that decides further up. Positions
//! that can be come to in several ways are one job. Leaves are jobs, the most promising first, in
//! the order of the search.
//!
//! # Which job is next
//!
//! Each worker reads all results that are there, works out for each position of the upper tree how
//! many nodes it may still take to show a win or a loss (proof numbers, with nodes as their unit),
//! and takes the job that leads to the end with the least. A job gets few nodes first; if they do
//! not do, it gets four times as many when its turn comes again. What others are at counts as if it
//! were in vain. So a job that no longer matters, since a sibling has decided what is above it, is
//! never begun, and no cover that is not refuted can keep all workers. Each worker has a table of
//! its own, in which it keeps what all its jobs have shown.
//!
//! # The folder
//!
//! | file | what |
//! | --- | --- |
//! | `jobs.jsonl` | the job file |
//! | `results/JOB-DIGEST.json` | a result: JOB is the name of the job, DIGEST the first 16 hexadecimal digits of the SHA-256 of the content |
//! | `proofs/JOB-DIGEST.jsonl` | the certificate of a job, named in the same way |
//! | `claims/JOB` | who is at a job: gone when the result is there |
//! | `workers/NAME` | locked by the worker NAME while it lives, and written to again and again |
//!
//! All files are written beside and renamed, so a kill leaves whole files only. Two workers that do
//! the same job write two files, which is seen and does no harm. Results are named by what they are
//! about: those of another split of the same game can be copied into a folder, and count there too.
//! A result whose content does not fit its name is damaged, and counts as not there.
//!
//! A claim counts for nothing when its worker is gone. On the same machine that shows by the lock
//! of its file, at once; on another by the age of that file, so the clocks of the machines must
//! agree to some seconds. A worker that takes slices by number (`--index`, `--of`) makes no claims.
//!
//! # The job file
//!
//! JSON Lines, each line as short as JSON allows, with the fields in this order and no others:
//!
//! 1. A header:
//!    `{"format":"pods-jobs","version":1,"program":…,"depth":…,"position":…,"game":{"board":…,"pods":…,"rules":…}}`.
//!    `depth` is the most plies from the position to a job; `board`, `pods` and `rules` are those
//!    of a certificate ([`crate::certificate`]).
//! 2. A line for each leaf that the rules and the lemmas of certificates do not decide:
//!    `{"job":…,"path":[…],"position":…,"covers":[{"id":…,"legs":…}],"value":…,"nodes":…}`. `job`
//!    is its name: 32 hexadecimal digits of the SHA-256 of points, lines, pods, options and
//!    position. `path` has the placements that lead there, `*@c3` for a cover. In `position` each
//!    cover is a pod of its own, whose legs stand in `covers`, which is left out where there is
//!    none. `value` and `nodes` are there where the split has found who wins.
//! 3. A trailer: `{"lines":…,"sha256":…}`, the number of lines of the second kind and the SHA-256
//!    of every byte before the trailer.
//!
//! # Results and certificates
//!
//! A result is one line of JSON with the fields of [`JobResult`], behind
//! `"format":"pods-job-result","version":1`. `value` is `win`, `loss` or `unknown`, never a draw;
//! with `unknown`, `reached` is the limit that was reached: a later worker with a higher one tries
//! again.
//!
//! The certificate of a job is one of version 2 ([`crate::certificate`]) and proves the job's
//! position by itself, with covers as kinds of their own. [`merge()`] checks them all and joins
//! them to one for the whole, by a walk that takes its choices from the upper tree and from the
//! parts.

mod claims;
mod desk;
mod error;
mod file;
mod merge;
mod result;
mod split;
mod step;
mod tree;
mod work;
mod worth;

pub use error::JobsError;
pub use merge::{Merged, OpenJob, merge, merge_with};
pub use result::{JobResult, Reached};
pub use split::{SplitCounts, SplitOptions, split};
pub use work::{Ended, WorkOptions, work};
