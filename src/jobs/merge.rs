//! Merging of the results of all jobs, and the joined certificate.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::claims::claimants;
use super::desk::{Desk, Reach};
use super::error::JobsError;
use super::file::JobFile;
use super::result::Reached;
use super::step::Step;
use super::tree::{Node, State};
use super::worth::Worth;
use crate::certificate::{CertificateError, Choices, Chosen, Guide, Pairs, Part, Proof, Situation, join};
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Game, Position};
use crate::solver::search::Search;
use crate::solver::{Limits, Observer, Silent};

/// A job that may still matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenJob {
    /// Its name.
    pub job: String,
    /// The way to it, with a blank between the steps.
    pub path: String,
    /// Its position; kinds that stand for covers come with its line of the job file.
    pub position: String,
    /// The most nodes that a search in vain has had; 0 for none.
    pub tried: u64,
    /// Worker that has claimed it.
    pub claimed_by: Option<String>,
}

/// Merged results.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The game.
    pub game: Game,
    /// By how many degrees the board was turned before it lay so.
    pub orientation: u16,
    /// The position that was split.
    pub root: Position,
    /// Its winner, if known.
    pub winner: Option<Side>,
    /// All jobs.
    pub jobs: usize,
    /// Those of which it is known who wins.
    pub decided: usize,
    /// Those that may still matter.
    pub open: Vec<OpenJob>,
    /// Results of these jobs.
    pub results: usize,
    /// Results of jobs that were decided by another result with the same value.
    pub duplicates: usize,
    /// Results that belong to no job here.
    pub others: usize,
    /// The workers that they come from.
    pub workers: usize,
    /// Files that cannot be believed, and why; they count as not there.
    pub damaged: Vec<(PathBuf, String)>,
    /// The nodes of all results.
    pub nodes: u64,
    /// The CPU seconds of all results.
    pub cpu_seconds: f64,
    /// Number of parts of a certificate that are missing, if it is known who wins.
    pub missing_proofs: Option<u64>,
}

/// Merges the results of a folder. With `certify`, also joins their certificates to one, and checks
/// it.
///
/// # Errors
///
/// If the folder has no job file that can be read, results contradict each other, or files cannot
/// be read; and if a certificate is asked for and it is not known who wins, a part is missing or
/// does not hold, or somebody interrupts.
pub fn merge(
    folder: &Path,
    certify: Option<(Limits<'_>, &dyn Observer)>,
) -> Result<(Merged, Option<Proof>), JobsError> {
    let (limits, observer) = certify.unwrap_or((Limits::default(), &Silent));
    merge_with(folder, limits, observer, &mut |_| Ok(certify.is_some()))
}

/// Merges as [`merge`] does; `certify` gets the merged result, and decides whether to join the
/// certificates.
///
/// # Errors
///
/// As [`merge`], and what `certify` fails with.
pub fn merge_with<E: From<JobsError>>(
    folder: &Path,
    limits: Limits<'_>,
    observer: &dyn Observer,
    certify: &mut dyn FnMut(&Merged) -> Result<bool, E>,
) -> Result<(Merged, Option<Proof>), E> {
    let file = JobFile::read(folder)?;
    let mut desk = Desk::new(folder, &file)?;
    let reach = Reach { first_nodes: 1, limits: limits.with_nodes(u64::MAX), slice: None };
    let worth = desk.worth(&reach, &HashMap::new());
    desk.agrees(&worth)?;
    let merged = merged(&desk, &worth)?;
    if !certify(&merged)? {
        return Ok((merged, None));
    }
    let winner = merged.winner.ok_or(JobsError::Open)?;
    if worth.lacks(0) > 0 {
        return Err(JobsError::NoParts { missing: worth.lacks(0) }.into());
    }
    let mut joiner =
        Joiner { desk: &mut desk, worth: &worth, winner, part: Choices::default(), search: None, limits, observer };
    let certificate = join(&file.game, &file.root, winner, &mut joiner)?;
    let proof = Proof::of(certificate, limits, observer).map_err(JobsError::from)?;
    Ok((merged, Some(proof)))
}

fn merged(desk: &Desk<'_>, worth: &Worth) -> Result<Merged, JobsError> {
    let needed = worth.needed(&desk.tree);
    let claims = claimants(desk.folder);
    let jobs: Vec<usize> = (0..desk.tree.nodes.len())
        .filter(|node| desk.names.contains_key(node) && desk.tree.nodes[*node].is_open())
        .collect();
    let decided = jobs.iter().filter(|&&node| desk.winner(node).is_some()).count();
    let mut list = Vec::new();
    for &node in jobs.iter().filter(|&&node| needed[node]) {
        let own = desk.own(node)?;
        let (job, _) = &desk.names[&node];
        let tried = desk.of(node).iter().filter_map(|(_, result)| match result.reached {
            Some(Reached::Nodes(nodes)) => Some(nodes),
            Some(_) => Some(result.nodes),
            None => None,
        });
        list.push(OpenJob {
            job: job.clone(),
            path: desk.path_text(node),
            position: own.position.text(&own.game),
            tried: tried.max().unwrap_or(0),
            claimed_by: claims.get(job).cloned(),
        });
    }
    let (results, others) = desk.all();
    let mut workers: Vec<&str> = results.iter().map(|result| result.worker.as_str()).collect();
    workers.sort_unstable();
    workers.dedup();
    let known = |&node: &usize| desk.of(node).iter().filter(|(_, result)| result.value != "unknown").count();
    let winner = worth.winner(&desk.tree, 0);
    Ok(Merged {
        game: desk.file.game.clone(),
        orientation: desk.file.orientation,
        root: desk.file.root.clone(),
        winner,
        jobs: jobs.len(),
        decided,
        open: list,
        results: results.len(),
        duplicates: jobs.iter().map(|node| known(node).saturating_sub(1)).sum(),
        others,
        workers: workers.len(),
        damaged: desk.damaged.iter().map(|(path, cause)| (path.clone(), cause.clone())).collect(),
        nodes: results.iter().map(|result| result.nodes).sum(),
        // A sum of nothing is -0.0.
        cpu_seconds: results.iter().fold(0.0, |sum, result| sum + result.cpu_seconds),
        missing_proofs: winner.map(|_| worth.lacks(0)),
    })
}

/// The results as a guide through the whole proof.
struct Joiner<'d, 'a> {
    desk: &'d mut Desk<'a>,
    worth: &'d Worth,
    winner: Side,
    /// The choices of the part that the walk is in, or was in last.
    part: Choices,
    /// For what was decided at the split, which has no part.
    search: Option<Search>,
    limits: Limits<'d>,
    observer: &'d dyn Observer,
}

impl Joiner<'_, '_> {
    /// Returns the choice for a situation: from the part that the walk is in, the tree, or the part
    /// that begins here.
    fn chosen(&mut self, situation: &Situation) -> Result<Chosen, JobsError> {
        // What a part has shown below one of its positions does not need the rest of it.
        if let Some(chosen) = self.part.get(situation) {
            return Ok(chosen);
        }
        let missing = || JobsError::Contradiction("the walk comes to a position that no job leads to".to_owned());
        let node = self.desk.tree.find(situation).ok_or_else(missing)?;
        if let State::Grown(groups) = &self.desk.tree.nodes[node].state {
            if situation.to_move != self.winner {
                let covered = groups.iter().filter(|group| self.worth.takes_cover(group)).map(|group| group.at);
                return Ok(Chosen::Covered(covered.collect()));
            }
            let reply = self.worth.winning_reply(groups).ok_or_else(missing)?;
            let placed = groups.iter().find(|group| group.replies.contains(&reply)).map(|group| group.at);
            return self.placement(situation, placed.ok_or_else(missing)?, reply).ok_or_else(missing);
        }
        self.part = self.load(node)?;
        self.part.get(situation).ok_or_else(missing)
    }

    /// Returns the placement on a point that leads to a node.
    fn placement(&mut self, from: &Situation, at: Point, to: usize) -> Option<Chosen> {
        let game = &self.desk.file.game;
        let legal = from.placements(game);
        let mut kinds: Vec<PodKind> = legal.kinds_at(at).collect();
        kinds.retain(|&kind| {
            let next = Step::Place(kind, at).taken(game, from);
            next.is_some_and(|next| self.desk.tree.find(&next) == Some(to))
        });
        Some(Chosen::Placement(*kinds.first()?, at))
    }

    /// Returns the choices of a leaf's certificate; of a leaf that was decided at the split, they
    /// are searched for.
    fn load(&mut self, node: usize) -> Result<Choices, JobsError> {
        let own = self.desk.own(node)?;
        let Node { situation, state, .. } = &self.desk.tree.nodes[node];
        let game = &self.desk.file.game;
        let part = Part { game, start: situation, own: (&own.game, &own.position), winner: self.winner };
        if let State::Found(..) = state {
            let search = match &mut self.search {
                Some(search) => search,
                none => none.insert(Search::new(game, self.limits.memory).ok_or(JobsError::NotPlacement)?),
            };
            let bytes = part.prove(search, self.limits, self.observer)?.bytes();
            let broken = |cause: CertificateError| JobsError::Proof(cause.into());
            return part.read(&bytes[..]).map_err(broken);
        }
        let path = self.desk.proof(node).ok_or(JobsError::NoParts { missing: 1 })?;
        let file = File::open(&path).map_err(JobsError::io(&path))?;
        part.read(BufReader::new(file)).map_err(|cause| JobsError::Part { path, cause })
    }
}

impl Guide for Joiner<'_, '_> {
    type Error = JobsError;

    fn winning(&mut self, situation: &Situation) -> Result<(PodKind, Point), JobsError> {
        match self.chosen(situation)? {
            Chosen::Placement(kind, at) => Ok((kind, at)),
            Chosen::Covered(_) => Err(self.fault("a placement of the winner is missing".to_owned())),
        }
    }

    fn covered(&mut self, situation: &Situation, _: &Pairs) -> Result<PointSet, JobsError> {
        match self.chosen(situation)? {
            Chosen::Covered(points) => Ok(points),
            Chosen::Placement(..) => Err(self.fault("covered points are missing".to_owned())),
        }
    }

    fn fault(&self, cause: String) -> JobsError {
        JobsError::Contradiction(format!("the certificates do not join: {cause}"))
    }
}
