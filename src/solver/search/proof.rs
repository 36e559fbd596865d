//! Answers the questions of a writer of certificates: the winner's placement in a position, and
//! whether the side to move wins within some nodes. Pods on the board may have any legs, as in
//! covering positions ([`super::cover`]).

use super::Unknown;
use super::answer::Search;
use super::features::SearchFeatures;
use super::field::{Field, LegBits};
use super::negamax::{Found, Shared, Worker};
use super::node::{Node, Placement};
use crate::geometry::{DirectionSet, Point};
use crate::material::{Legs, PodKind, Side};
use crate::position::Hand;
use crate::progress::Observer;
use crate::solver::limits::Limits;
use crate::solver::tracker::Tracker;

/// A position of a placement game: the pods on the board with their legs as they lie there (R4),
/// and the rest.
#[derive(Clone, Debug)]
pub(crate) struct LegPosition<'a> {
    pub(crate) pods: Vec<(Point, Side, Legs)>,
    pub(crate) hands: [&'a Hand; 2],
    pub(crate) to_move: Side,
    /// True if the opening clause binds the side to move (R9).
    pub(crate) open: bool,
}

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
        // Certificates have no ghosts: what these refute together is asked for point by point, and a
        // search without them leaves in the table what those questions need.
        let shared = self.shared();
        let shared = Shared { features: SearchFeatures { ghosts: false, ..shared.features }, ..shared };
        work(&mut ProofSearch { worker: Worker::new(&shared, Tracker::new(limits, observer)) })
    }
}

impl ProofSearch<'_> {
    /// Returns the nodes so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.worker.nodes()
    }

    /// Returns the position, ready to be asked about.
    pub(crate) fn node(&self, position: &LegPosition<'_>) -> ProofNode {
        ProofNode(node(self.worker.shared.field, position))
    }

    /// Returns the placement with which the side to move wins, if it does.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub(crate) fn winning(&mut self, position: &ProofNode) -> Result<Option<(PodKind, Point)>, Unknown> {
        let best = self.worker.winning_placement(&position.0)?;
        Ok(best.map(|best| (PodKind::new(best.kind as usize), Point::new(best.point as usize))))
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
        (kind, at): (PodKind, Point),
        nodes: u64,
    ) -> Result<Option<bool>, Unknown> {
        let placement = Placement { kind: kind.index() as u8, point: at.index() as u8 };
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
        (legs, at): (Legs, Point),
        nodes: u64,
    ) -> Result<Option<bool>, Unknown> {
        let mut next = position.0.clone();
        next.stand_as(self.worker.shared.field, next.mover as usize, leg_bits(legs), at.index());
        next.mover ^= 1;
        next.open = false;
        self.worker.wins_within(&next, plies(&next), nodes)
    }
}

impl Worker<'_> {
    /// Returns the placement with which the mover wins, if it does: the one in the table if it wins
    /// here, else one found by a search of the next positions.
    fn winning_placement(&mut self, node: &Node) -> Result<Option<Placement>, Unknown> {
        let field = self.shared.field;
        let side = node.mover as usize;
        let (mine, theirs) = (node.legal(field, side), node.legal(field, 1 - side));
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
        match self.winning(node, &mine, &theirs, None, plies(node), &mut |_| {})? {
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

fn node(field: &Field, position: &LegPosition<'_>) -> Node {
    let mut node = Node::bare(position.hands, position.to_move, position.open);
    for &(point, side, legs) in &position.pods {
        node.stand_as(field, side.index(), leg_bits(legs), point.index());
    }
    node
}

fn leg_bits(legs: Legs) -> LegBits {
    let set = |set: DirectionSet| set.iter().fold(0, |bits, d| bits | 1 << d.index());
    LegBits { short: set(legs.short()), long: set(legs.long()) }
}
