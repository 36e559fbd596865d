//! A folder of jobs with its results, as a worker or a merge sees it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::claims::Standing;
use super::error::JobsError;
use super::file::{FILE, JobFile, Names};
use super::result::{JobResult, Reached, is_of};
use super::step::{Own, texts};
use super::tree::{Node, State, Tree};
use super::worth::{Leaf, Worth};
use crate::material::Side;
use crate::solver::Limits;

/// Factor of nodes from a search in vain to the next one.
const GROWTH: u64 = 4;

/// Limits of one worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<'a> {
    /// The nodes of a first search.
    pub(super) first_nodes: u64,
    pub(super) limits: Limits<'a>,
    /// Only jobs whose number has this rest when divided by the second one.
    pub(super) slice: Option<(u64, u64)>,
}

/// A folder of jobs, and what is known of them.
pub(super) struct Desk<'a> {
    pub(super) folder: &'a Path,
    pub(super) file: &'a JobFile,
    pub(super) tree: Tree<'a>,
    pub(super) names: Names,
    seen: HashSet<String>,
    /// By job: its results, with the names of their files.
    results: HashMap<String, Vec<(String, JobResult)>>,
    /// Files that cannot be believed, and why.
    pub(super) damaged: BTreeMap<PathBuf, String>,
    /// The files of certificates.
    proofs: HashSet<String>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(folder: &'a Path, file: &'a JobFile) -> Result<Desk<'a>, JobsError> {
        let (tree, names) = file.tree()?;
        let mut desk = Desk {
            folder,
            file,
            tree,
            names,
            seen: HashSet::new(),
            results: HashMap::new(),
            damaged: BTreeMap::new(),
            proofs: HashSet::new(),
        };
        desk.refresh()?;
        Ok(desk)
    }

    pub(super) fn results_folder(&self) -> PathBuf {
        self.folder.join("results")
    }

    pub(super) fn proofs_folder(&self) -> PathBuf {
        self.folder.join("proofs")
    }

    /// Reads what has come since it was last read.
    pub(super) fn refresh(&mut self) -> Result<(), JobsError> {
        let folder = self.results_folder();
        for name in names_in(&folder)? {
            if !self.seen.insert(name.clone()) {
                continue;
            }
            let path = folder.join(&name);
            match JobResult::read(&path) {
                Ok(result) => self.results.entry(result.job.clone()).or_default().push((name, result)),
                Err(cause) => drop(self.damaged.insert(path, cause)),
            }
        }
        self.proofs = names_in(&self.proofs_folder())?.into_iter().collect();
        Ok(())
    }

    /// Returns the results of a leaf.
    pub(super) fn of(&self, node: usize) -> &[(String, JobResult)] {
        let results = self.names.get(&node).and_then(|(name, _)| self.results.get(name));
        results.map_or(&[], Vec::as_slice)
    }

    /// Returns all results that belong to jobs here, and how many belong to none.
    pub(super) fn all(&self) -> (Vec<&JobResult>, usize) {
        let names: HashSet<&String> = self.names.values().map(|(name, _)| name).collect();
        let (own, other): (Vec<_>, Vec<_>) = self.results.iter().partition(|(job, _)| names.contains(job));
        let count = other.iter().map(|(_, results)| results.len()).sum();
        (own.into_iter().flat_map(|(_, results)| results.iter().map(|(_, result)| result)).collect(), count)
    }

    /// Returns the winner of a leaf by its results.
    pub(super) fn winner(&self, node: usize) -> Option<Side> {
        let to_move = self.tree.nodes[node].situation.to_move;
        self.of(node).iter().find_map(|(_, result)| result.winner(to_move))
    }

    /// Returns the certificate of a leaf, if there is one.
    pub(super) fn proof(&self, node: usize) -> Option<PathBuf> {
        let (job, _) = self.names.get(&node)?;
        let known = |name: &&String| self.proofs.contains(*name) && is_of(name, job);
        let name = self.of(node).iter().filter_map(|(_, result)| result.proof.as_ref()).find(known)?;
        Some(self.proofs_folder().join(name))
    }

    /// Returns `true` if a leaf is a job that somebody else is at.
    pub(super) fn is_held(&self, node: usize, others: &HashMap<String, Standing>) -> bool {
        self.names.get(&node).is_some_and(|(name, _)| matches!(others.get(name), Some(Standing::Held { .. })))
    }

    /// Returns `true` if a leaf is a job of a worker's slice.
    pub(super) fn is_in_slice(&self, node: usize, reach: &Reach<'_>) -> bool {
        let number = self.names.get(&node).map(|&(_, number)| number);
        number.is_some_and(|number| reach.slice.is_none_or(|(index, of)| number % of == index))
    }

    /// Collects the state of a leaf for one worker.
    pub(super) fn leaf(&self, node: usize, reach: &Reach<'_>, others: &HashMap<String, Standing>) -> Leaf {
        let (winner, (tried, next, within)) = (self.winner(node), self.next_nodes(node, reach));
        let held = self.is_held(node, others);
        Leaf {
            winner,
            // What somebody is at counts as if that were in vain, so that others go elsewhere.
            cost: if held { next.saturating_mul(GROWTH) } else { next },
            ready: within && !held && self.is_in_slice(node, reach),
            tried: tried || held,
            lacks: self.proof(node).is_none(),
        }
    }

    /// Returns three things for a worker: `true` if the leaf was searched in vain, the nodes that
    /// it gets next, and `true` if the worker may give it those.
    pub(super) fn next_nodes(&self, node: usize, reach: &Reach<'_>) -> (bool, u64, bool) {
        let (mut tried, mut spent, mut next, mut within) = (false, 0, reach.first_nodes, true);
        for (_, result) in self.of(node) {
            match result.reached {
                Some(Reached::Nodes(nodes)) => {
                    spent = spent.max(nodes);
                    next = next.max(nodes.saturating_mul(GROWTH));
                }
                Some(Reached::Seconds(seconds)) => {
                    within &= reach.limits.time.is_none_or(|limit| limit.as_secs_f64() > seconds);
                }
                Some(Reached::Memory(bytes)) => within &= reach.limits.memory > bytes,
                None => continue,
            }
            tried = true;
        }
        // The last search before the limit gets all of it.
        (tried, next.min(reach.limits.nodes), within && spent < reach.limits.nodes)
    }

    /// Evaluates the tree by all results.
    pub(super) fn worth(&self, reach: &Reach<'_>, others: &HashMap<String, Standing>) -> Worth {
        Worth::new(&self.tree, |node, _: &Node| self.leaf(node, reach, others))
    }

    /// Checks that no results contradict each other.
    pub(super) fn agrees(&self, worth: &Worth) -> Result<(), JobsError> {
        for (&node, (job, _)) in &self.names {
            let to_move = self.tree.nodes[node].situation.to_move;
            let path = |name: &str| self.results_folder().join(name);
            let said: Vec<(PathBuf, Side)> = self
                .of(node)
                .iter()
                .filter_map(|(name, result)| Some((path(name), result.winner(to_move)?)))
                .chain(match self.tree.nodes[node].state {
                    State::Found(winner, _) => Some((self.folder.join(FILE), winner)),
                    _ => None,
                })
                .collect();
            if let Some((first, winner)) = said.first()
                && let Some((other, _)) = said.iter().find(|(_, other)| other != winner)
            {
                let (first, other) = (first.display(), other.display());
                return Err(JobsError::Contradiction(format!(
                    "of the job {job}, {first} and {other} say the opposite"
                )));
            }
        }
        match worth.contradictions.first() {
            Some(&(cover, reply)) => Err(JobsError::Contradiction(format!(
                "{} shows that all placements there lose, {} that one of them wins",
                self.source(cover),
                self.source(reply)
            ))),
            None => Ok(()),
        }
    }

    /// Names the source of what is known of a node.
    fn source(&self, node: usize) -> String {
        let path = self.path_text(node);
        match self.of(node).iter().find(|(_, result)| result.value != "unknown") {
            Some((name, _)) => format!("{} ({path})", self.results_folder().join(name).display()),
            None => format!("what is known behind {path}"),
        }
    }

    /// Returns the way to a node, with a blank between the steps.
    pub(super) fn path_text(&self, node: usize) -> String {
        texts(&self.file.game, &self.tree.nodes[node].path).join(" ")
    }

    /// Returns the position of a leaf as anyone can read it.
    pub(super) fn own(&self, node: usize) -> Result<Own, JobsError> {
        let path = &self.tree.nodes[node].path;
        Own::of(&self.file.game, &self.file.root, path)
            .ok_or_else(|| JobsError::Contradiction(format!("{} cannot be set up as a position", self.path_text(node))))
    }
}

/// Returns the names of the files in a folder, temporary ones left out, in order; none if it is not
/// there.
fn names_in(folder: &Path) -> Result<Vec<String>, JobsError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(JobsError::io(folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(JobsError::io(folder))?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}
