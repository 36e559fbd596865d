//! Proof search on many machines: a position is divided into jobs, workers search them, and their
//! results are merged.
//!
//! All that it needs is a folder that all machines see: no server, no library for messages. The
//! same program makes the jobs ([`split()`]), runs them ([`work()`]) and merges their results
//! ([`merge()`]). It is for placement games; the search is [`crate::solver::search`].
//!
//! # The upper tree
//!
//! The **upper tree** has the position, all placements of the first plies, and on each point where
//! several kinds may be placed a *cover*: a pod with the legs of all of them, which refutes them
//! all if it is refuted. Without covers a search near the start takes many times as long. Positions
//! that a short search decides are no jobs, nor are those that follow from them. Transpositions
//! share a job. Leaves are jobs, the most promising first, in the order of the search.
//!
//! # The next job
//!
//! Each worker reads all results so far. For each position of the upper tree it works out how many
//! nodes a win or a loss may still take to show (proof numbers, with nodes as their unit), and
//! takes the job that leads to the end with the least. A job gets few nodes first, and four times
//! as many each time that they do not suffice. Running jobs are assumed to fail. So a job that no
//! longer matters, since a sibling has decided its parent, is never begun, and no cover that is not
//! refuted can keep all workers. Each worker has one table for all its jobs.
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
//! Every file is written under another name and renamed, so a kill leaves whole files only. Two
//! workers that run the same job write two files, which is noticed and does no harm. Results are
//! named by their subject: those of another split of the same game can be copied into a folder, and
//! count there too. A result whose content does not fit its name is damaged, and counts as missing.
//!
//! The claim of a dead worker is void. On the same machine the lock of its file shows that at once;
//! on another the age of that file does, so the clocks of the machines must agree to some seconds.
//! A worker that takes slices by number (`--index`, `--of`) makes no claims.
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
