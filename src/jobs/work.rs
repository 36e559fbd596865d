//! A worker: takes jobs, searches them and writes results, until the position is decided or no job
//! is left for it.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::claims::{Standing, Worker};
use super::desk::{Desk, Reach};
use super::error::JobsError;
use super::file::JobFile;
use super::result::{JobResult, Reached, file_name, write_new};
use super::step::{texts, value_name};
use crate::answer::SolveError;
use crate::certificate::{Part, Proof, ProofError, told};
use crate::material::Side;
use crate::position::Action;
use crate::solver::search::{HowFar, Search, Unknown};
use crate::solver::{Limits, Observer, Outcome, Phase, Stopped};

/// Options of a worker.
#[derive(Clone, Copy)]
pub struct WorkOptions<'a> {
    /// Its name; by default the host's and the number of the process.
    pub worker: Option<&'a str>,
    /// Take jobs whose number has this rest when divided by the second one, without claims.
    pub slice: Option<(u64, u64)>,
    /// The nodes that a job gets first; each time that they do not suffice it later gets four times
    /// as many, up to the limit.
    pub first_nodes: u64,
    /// Limits of one search of a job.
    pub limits: Limits<'a>,
    /// Make certificates too.
    pub proofs: bool,
    /// Silence after which the jobs of another machine's worker are taken over.
    pub reclaim_after: Duration,
    /// Wait for the jobs of others if nothing else is left, and look again each time after so long.
    pub wait: Option<Duration>,
    /// The commit of the program's source, for the results.
    pub commit: Option<&'a str>,
    /// The CPU time of the process so far.
    pub cpu: &'a dyn Fn() -> Duration,
}

/// Reasons why a worker has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is known who wins the whole, and its parts have the certificates that were asked for.
    Decided(Side),
    /// Nothing is left for this worker within its limits: `held` jobs are with others.
    NothingLeft {
        /// Jobs that others are at.
        held: usize,
        /// Jobs that are open, these among them.
        open: usize,
    },
    /// Somebody has interrupted it.
    Interrupted,
}

/// Works on the jobs of a folder; `done` is told of each result, and how many jobs are open.
///
/// # Errors
///
/// If the folder has no job file that can be read, another worker has the name, results contradict
/// each other, or files cannot be read or written.
pub fn work(
    folder: &Path,
    options: &WorkOptions<'_>,
    observer: &dyn Observer,
    done: &mut dyn FnMut(&JobResult, usize),
) -> Result<Ended, JobsError> {
    let file = JobFile::read(folder)?;
    let mut desk = Desk::new(folder, &file)?;
    let worker = Worker::begin(folder, options.worker, options.reclaim_after)?;
    let search = Search::new(&file.game, options.limits.memory).ok_or(JobsError::NotPlacement)?;
    let beating = Beating { worker: &worker, inner: observer };
    let reach = Reach { first_nodes: options.first_nodes.max(1), limits: options.limits, slice: options.slice };
    // Jobs that turned out to be somebody else's since the others were listed.
    let mut lost: HashSet<String> = HashSet::new();
    loop {
        if options.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Ok(Ended::Interrupted);
        }
        worker.beat();
        // Claims before results: a job whose claim is gone has its result there.
        let mut others = if options.slice.is_none() { worker.others()? } else { HashMap::new() };
        desk.refresh()?;
        others.extend(lost.drain().map(|job| (job, Standing::Held { worker: String::new() })));
        let worth = desk.worth(&reach, &others);
        desk.agrees(&worth)?;
        let winner = worth.winner(&desk.tree, 0);
        let free = |node: &usize| !desk.is_held(*node, &others) && desk.is_in_slice(*node, &reach);
        let next = match winner {
            None => worth.choose(&desk.tree),
            Some(_) if options.proofs => {
                worth.proof(&desk.tree).into_iter().filter(|&node| lacks(&desk, node)).find(|node| free(node))
            }
            Some(winner) => return Ok(Ended::Decided(winner)),
        };
        let Some(node) = next else {
            if let Some(winner) = winner
                && worth.lacks(0) == 0
            {
                return Ok(Ended::Decided(winner));
            }
            let held = others.values().filter(|standing| matches!(standing, Standing::Held { .. })).count();
            match options.wait {
                Some(wait) if held > 0 => std::thread::sleep(wait),
                _ => return Ok(Ended::NothingLeft { held, open: desk.tree.open_among(&worth.needed(&desk.tree)) }),
            }
            continue;
        };
        let Some((job, _)) = desk.names.get(&node).cloned() else { return Err(JobsError::Open) };
        if options.slice.is_none() {
            let left = others.get(&job) == Some(&Standing::Left);
            if !worker.claim(&job, left)? {
                lost.insert(job);
                continue;
            }
        }
        let before = (desk.of(node).len(), lacks(&desk, node));
        desk.refresh()?;
        // Somebody may have written a result, and given the job free, just before it was claimed.
        if (desk.of(node).len(), lacks(&desk, node)) == before {
            let result = Task { desk: &desk, node, job: &job, search: &search, options, worker: &worker.name }
                .search(desk.next_nodes(node, &reach).1, &beating);
            match result {
                Ok(Some(result)) => {
                    result.write(&desk.results_folder())?;
                    done(&result, desk.tree.open_among(&worth.needed(&desk.tree)));
                }
                Ok(None) => {
                    worker.release(&job);
                    return Ok(Ended::Interrupted);
                }
                Err(error) => {
                    worker.release(&job);
                    return Err(error);
                }
            }
        }
        if options.slice.is_none() {
            worker.release(&job);
        }
    }
}

/// Returns `true` if a leaf is a job whose certificate is missing.
fn lacks(desk: &Desk<'_>, node: usize) -> bool {
    desk.tree.nodes[node].is_open() && desk.proof(node).is_none()
}

/// A job that is this worker's.
struct Task<'a> {
    desk: &'a Desk<'a>,
    node: usize,
    job: &'a str,
    search: &'a Search,
    options: &'a WorkOptions<'a>,
    worker: &'a str,
}

impl Task<'_> {
    /// Searches with so many nodes at most; nothing if somebody interrupts.
    fn search(&self, nodes: u64, observer: &dyn Observer) -> Result<Option<JobResult>, JobsError> {
        let Task { desk, node, options, .. } = *self;
        let game = &desk.file.game;
        let known = desk.winner(node);
        let situation = &desk.tree.nodes[node].situation;
        let own = desk.own(node)?;
        let begun = (options.cpu)();
        // What is known to be decided is searched again for its certificate only, and then to its
        // end.
        let nodes = if known.is_some() { u64::MAX } else { nodes };
        let limits = options.limits.with_nodes(nodes);
        let answer = self.search.solve_legs(&told(situation), limits, observer);
        let path = texts(game, &desk.tree.nodes[node].path);
        let mut result = JobResult::unknown(self.job, path, own.position.text(&own.game), game.rules().to_string());
        result.nodes = answer.nodes;
        result.threads = options.limits.threads;
        result.worker = self.worker.to_owned();
        result.commit = options.commit.map(str::to_owned);
        match answer.outcome {
            Ok(outcome) => {
                let mover = situation.to_move;
                let winner = if outcome == Outcome::Win { mover } else { mover.other() };
                result.value = value_name(winner, mover).to_owned();
                result.wins_by = answer.winning.map(|action: Action| game.action_text(action));
                if options.proofs {
                    let own = (&own.game, &own.position);
                    let part = Part { game, start: situation, own, winner };
                    match self.prove(&part, options.limits.with_nodes(u64::MAX), observer) {
                        Ok(name) => result.proof = Some(name),
                        Err(JobsError::Solve(SolveError::Stopped(Stopped::Interrupted)))
                        | Err(JobsError::Proof(ProofError::Solve(SolveError::Stopped(Stopped::Interrupted)))) => {
                            return Ok(None);
                        }
                        // Who wins is known all the same.
                        Err(JobsError::Solve(SolveError::Stopped(_))) if known.is_none() => {}
                        Err(error) => return Err(error),
                    }
                }
            }
            Err(Unknown::Interrupted) => return Ok(None),
            Err(Unknown::Nodes) => result.reached = Some(Reached::Nodes(nodes)),
            Err(Unknown::Time) => {
                result.reached = options.limits.time.map(|time| Reached::Seconds(time.as_secs_f64()));
            }
            Err(Unknown::Memory) => result.reached = Some(Reached::Memory(options.limits.memory)),
        }
        if known.is_some() && result.proof.is_none() {
            // Without an end this would be tried again and again.
            let stopped = Stopped::TimeUp { limit: options.limits.time.unwrap_or_default() };
            return Err(SolveError::from(stopped).into());
        }
        result.cpu_seconds = (options.cpu)().saturating_sub(begun).as_secs_f64();
        Ok(Some(result))
    }

    /// Makes, checks and writes the certificate; returns the name of its file.
    fn prove(&self, part: &Part<'_>, limits: Limits<'_>, observer: &dyn Observer) -> Result<String, JobsError> {
        let certificate = part.prove(self.search, limits, observer)?;
        let Proof { bytes, .. } = Proof::of(certificate, limits, observer)?;
        let name = file_name(self.job, &bytes, "jsonl");
        write_new(&self.desk.proofs_folder().join(&name), &bytes)?;
        Ok(name)
    }
}

/// An observer that keeps the worker's sign of life up to date.
struct Beating<'a> {
    worker: &'a Worker,
    inner: &'a dyn Observer,
}

impl Observer for Beating<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.worker.beat();
        self.inner.progress(phase, done, total);
    }

    fn search(&self, far: &HowFar) {
        self.inner.search(far);
    }

    fn stop(&self) -> Option<Stopped> {
        self.inner.stop()
    }
}
