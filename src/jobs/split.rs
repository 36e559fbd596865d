//! Cutting the search of a position into jobs.

use std::path::Path;

use super::error::JobsError;
use super::file;
use super::tree::{Node, State, Tree};
use crate::answer::SolveError;
use crate::certificate::told;
use crate::material::Side;
use crate::position::{Game, Position};
use crate::solver::search::{Search, Unknown};
use crate::solver::{Limits, Observer, Outcome, Phase, Silent, Tracker};

/// Options of a split.
#[derive(Clone, Copy, Debug)]
pub struct SplitOptions {
    /// The most plies from the position to a job.
    pub depth: usize,
    /// Grow no further when there are so many jobs.
    pub jobs: Option<usize>,
    /// The nodes of search within which a position is decided at once and is no job.
    pub probe: u64,
    /// Replace another job file.
    pub force: bool,
}

/// Counts of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitCounts {
    /// Positions to be searched.
    pub jobs: usize,
    /// Positions among them in which a pod covers several replies.
    pub covers: usize,
    /// Positions that were decided at once, beside those of the rules and lemmas.
    pub decided: usize,
    /// The nodes that all that took.
    pub nodes: u64,
    /// The winner, if known already.
    pub winner: Option<Side>,
    /// The bytes of the job file.
    pub bytes: usize,
}

/// Cuts the search of a position into jobs, and writes the job file into a folder.
///
/// # Errors
///
/// If the game is not one that the search is for, there would be too many positions, the folder
/// holds another job file, it cannot be written, or somebody interrupts.
pub fn split(
    game: &Game,
    root: &Position,
    folder: &Path,
    options: SplitOptions,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<SplitCounts, JobsError> {
    let search = Search::new(game, limits.memory).ok_or(JobsError::NotPlacement)?;
    let mut looked = 0;
    let mut look = |node: &Node| -> Result<Option<(Side, u64)>, JobsError> {
        looked += 1;
        observer.progress(Phase::Enumerate, looked, None);
        if options.probe == 0 {
            return Ok(None);
        }
        let answer = search.solve_legs(&told(&node.situation), limits.with_nodes(options.probe), observer);
        match answer.outcome {
            Ok(Outcome::Win) => Ok(Some((node.situation.to_move, answer.nodes))),
            Ok(_) => Ok(Some((node.situation.to_move.other(), answer.nodes))),
            Err(Unknown::Nodes) => Ok(None),
            Err(cause) => Err(SolveError::from(Tracker::new(limits, &Silent).reason(cause)).into()),
        }
    };
    let mut tree = Tree::new(game, root, &mut look)?;
    let (mut i, mut level, mut reachable, mut grown) = (0, 0, vec![true], 0);
    let mut jobs = 1;
    while i < tree.nodes.len() {
        if tree.nodes[i].path.len() > level {
            level = tree.nodes[i].path.len();
            tree.collapse();
            reachable = tree.reachable();
            jobs = tree.open_among(&reachable);
        }
        let enough = options.jobs.is_some_and(|enough| jobs >= enough);
        if level >= options.depth || enough {
            break;
        }
        if reachable[i] && tree.nodes[i].is_open() {
            let before = tree.nodes.len();
            tree.grow(i, &mut look)?;
            grown = level + 1;
            jobs = jobs + tree.nodes[before..].iter().filter(|node| node.is_open()).count() - 1;
        }
        i += 1;
    }
    tree.collapse();
    let reachable = tree.reachable();
    let text = file::text(game, root, grown, &tree)?;
    file::write(folder, &text, options.force)?;
    let leaves = || tree.nodes.iter().zip(&reachable).filter(|(_, reachable)| **reachable).map(|(node, _)| node);
    let covered = |node: &&Node| node.path.iter().any(|step| matches!(step, super::step::Step::Cover(_)));
    Ok(SplitCounts {
        jobs: tree.open_among(&reachable),
        covers: leaves().filter(|node| node.is_open()).filter(covered).count(),
        decided: leaves().filter(|node| matches!(node.state, State::Found(..))).count(),
        nodes: search.nodes(),
        winner: tree.nodes[0].winner(),
        bytes: text.len(),
    })
}
