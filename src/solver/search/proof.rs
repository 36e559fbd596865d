//! Answers the questions of a writer of certificates: the winner's placement in a position, and
//! which replies one covering position refutes ([`super::cover`]). Pods on the board may have any
//! legs, as in covering positions.
//!
//! Certificates have no ghosts, and no replies that fall with others: those are asked about one by
//! one. Their searches use both all the same: what they find together is found with fewer nodes.

use super::Unknown;
use super::answer::Search;
use super::bounds::Lives;
use super::field::{KINDS, LegBits, bits};
use super::negamax::{CoverLimits, Found, Raced, Refuted, Worker};
use super::node::{Node, Placement, Used};
use crate::progress::Observer;
use crate::solver::limits::Limits;
use crate::solver::tracker::Tracker;

/// A position of a [`ProofSearch`].
pub(crate) struct ProofNode(Node);

/// Answers questions of a proof from a search's table, and by further search.
pub(crate) struct ProofSearch<'a> {
    worker: Worker<'a>,
}

impl Search {
    /// Runs `work` with a [`ProofSearch`] of one thread. The limits hold for all its questions
    /// together.
    pub(crate) fn for_proof<T>(
        &self,
        limits: Limits<'_>,
        observer: &dyn Observer,
        work: impl FnOnce(&mut ProofSearch<'_>) -> T,
    ) -> T {
        let shared = self.shared();
        work(&mut ProofSearch { worker: Worker::new(&shared, Tracker::new(limits, observer)) })
    }
}

impl ProofSearch<'_> {
    /// Returns the position, ready to be asked about: the hands by side and kind, the pods as side,
    /// point and legs, the side to move, and whether the opening clause binds it (R9).
    pub(crate) fn node(
        &self,
        hands: &[[u8; KINDS]; 2],
        pods: impl Iterator<Item = (usize, usize, LegBits)>,
        (mover, open): (usize, bool),
    ) -> ProofNode {
        let mut node = Node::bare(hands, mover, open);
        pods.for_each(|(side, point, legs)| node.stand_as(self.worker.shared.field, side, legs, point));
        ProofNode(node)
    }

    /// Returns the placement with which the side to move wins, if it does, as kind and point.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub(crate) fn winning(&mut self, position: &ProofNode) -> Result<Option<(usize, usize)>, Unknown> {
        let best = self.worker.winning_placement(&position.0)?;
        Ok(best.map(|best| (usize::from(best.kind), usize::from(best.point))))
    }

    /// Returns `true` if one search of a covering position ([`super::cover`]) refutes all replies of
    /// the side to move with some `kinds` on a point; else searches each of them.
    ///
    /// `longest` are the nodes of the longest refutation so far, which tell how long that search may
    /// take.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub(crate) fn refutes_point(
        &mut self,
        position: &ProofNode,
        kinds: u32,
        point: usize,
        longest: &mut u64,
    ) -> Result<bool, Unknown> {
        let ProofNode(node) = position;
        let worker = &mut self.worker;
        let field = worker.shared.field;
        let depth = plies(node) + 1;
        let point = point as u8;
        let replies = bits(u64::from(kinds)).map(|kind| (0, Placement { kind: kind as u8, point }));
        worker.pending.clear();
        worker.pending.extend(replies);
        let mut lost = Refuted { tell: &mut |_| {}, used: Used::NONE };
        let before = worker.nodes();
        let limits = CoverLimits { longest: *longest, turn: u64::MAX };
        let raced = worker.refutes_all(node, 0, point, limits, depth, &mut lost)?;
        let covered = matches!(raced, Raced::Refuted(Some(_)));
        if covered {
            *longest = (*longest).max(worker.effort_since(before));
        }
        while let Some((_, reply)) = worker.pending.pop() {
            let before = worker.nodes();
            worker.expects_loss = false;
            worker.wins(&node.play(field, reply), depth)?;
            *longest = (*longest).max(worker.effort_since(before));
        }
        Ok(covered)
    }
}

impl Worker<'_> {
    /// Returns the placement with which the mover wins, if it does: the one in the table if it wins
    /// here, else one found by a search of the next positions.
    fn winning_placement(&mut self, node: &Node) -> Result<Option<Placement>, Unknown> {
        let field = self.shared.field;
        let side = node.mover as usize;
        let lives = Lives::new(field, node);
        let mine = &lives.open[side];
        if mine.any == 0 || node.won_by_hand(field).is_some() {
            return Ok(None);
        }
        // Positions with the same key may differ in the names of kinds, so the known placement is
        // tried, not trusted.
        if let Some(best) = self.known_best(node)
            && mine.at[best.kind as usize] >> best.point & 1 == 1
            && !self.wins(&node.play(field, best), plies(node) + 1)?
        {
            return Ok(Some(best));
        }
        match self.winning(node, &lives, None, plies(node), &mut |_| {})? {
            Found::Searched(best) => Ok(best),
            // Happens only where a key is given.
            Found::Known(_) => Ok(None),
        }
    }

    /// Returns the winning placement that the table has for the key of a position. It may be of
    /// another position with the same key, in which kinds have other names.
    fn known_best(&self, node: &Node) -> Option<Placement> {
        self.shared.table.get(self.key_of(node))?.best
    }
}

/// Returns the plies since the empty board. The search remembers by ply what won lately, and looks
/// up all placements near the root only.
fn plies(node: &Node) -> usize {
    node.held.iter().map(|points| points.count_ones() as usize).sum()
}
