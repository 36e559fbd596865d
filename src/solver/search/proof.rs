//! Answers the questions of a writer of certificates: the winner's placement in a position, and
//! whether the side to move wins within some nodes. Pods on the board may have any legs, as in
//! covering positions ([`super::cover`]).

use super::Unknown;
use super::answer::Search;
use super::bounds::Lives;
use super::cover::covering;
use super::features::SearchFeatures;
use super::field::{KINDS, LegBits};
use super::negamax::{Found, Shared, Worker};
use super::node::{Node, Placement};
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
        // Certificates have no ghosts, and no replies that fall with others: what is refuted together
        // there is asked for one by one, and a search without leaves in the table what those
        // questions need.
        let shared = self.shared();
        let shared = Shared {
            features: SearchFeatures { ghosts: false, alike: false, elsewhere: false, ..shared.features },
            ..shared
        };
        work(&mut ProofSearch { worker: Worker::new(&shared, Tracker::new(limits, observer)) })
    }
}

impl ProofSearch<'_> {
    pub(crate) fn nodes(&self) -> u64 {
        self.worker.nodes()
    }

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

    /// Returns `true` if the other side wins after a legal placement; `None` if `nodes` nodes do
    /// not tell.
    ///
    /// # Errors
    ///
    /// If another limit is reached.
    pub(crate) fn wins_after(
        &mut self,
        position: &ProofNode,
        (kind, point): (usize, usize),
        nodes: u64,
    ) -> Result<Option<bool>, Unknown> {
        let placement = Placement { kind: kind as u8, point: point as u8 };
        let next = position.0.play(self.worker.shared.field, placement);
        self.worker.wins_within(&next, plies(&next), nodes)
    }

    /// Returns `true` if the other side wins after the side to move has placed a pod with these
    /// legs, as they lie, that is not from its hand; `None` if `nodes` nodes do not tell.
    ///
    /// # Errors
    ///
    /// If another limit is reached.
    pub(crate) fn wins_after_legs(
        &mut self,
        position: &ProofNode,
        (legs, point): (LegBits, usize),
        nodes: u64,
    ) -> Result<Option<bool>, Unknown> {
        let next = covering(self.worker.shared.field, &position.0, legs, point);
        self.worker.wins_within(&next, plies(&next), nodes)
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
