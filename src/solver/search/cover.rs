//! One search for many replies: a position that is at least as good for the loser as many others
//! refutes them all.
//!
//! Call the sides X and Y, and let the game be one without moves and captures in which an empty
//! hand loses. Q *covers* P (for Y) if the same points are held by the same sides and the same side
//! is to move with the same opening clause (R9), and
//!
//! 1. each pod of Y's on the board has in Q every leg that it has in P, a long one for a long one,
//!    or more;
//! 2. each pod of X's on the board has the same legs in both;
//! 3. Y's hand in P is a part of Y's hand in Q, and X's hand in Q a part of X's hand in P.
//!
//! **Theorem.** If X wins Q, X wins P.
//!
//! **Proof.** By induction on the number of empty points it is shown that Y wins Q if Y wins P. The
//! points held are the same, and so are those in any two positions that come from P and Q by the
//! same placements: the runs of lines from any point stop at the same points (R5), with
//! attack-through or without, and a point has the same empty neighbours (R7).
//!
//! - *Y is to move and wins P*: by some placement, since who cannot place loses (R15). It is legal
//!   in Q: the pod is in hand (3, R10) and the point empty; the placed pod attacks the same points,
//!   on which the same pods of X's stand (R11); X's pods attack the same points (2, R12); and it
//!   has the same liberties (R13), if that clause is on. The opening clause allows it, as it asks
//!   for the pod's own legs only (R9). After it, the position that comes from Q covers that from P,
//!   which Y wins; so Y wins Q.
//! - *X is to move, and Y wins P*: every placement of X's that is legal in Q is legal in P: X has
//!   the pod (3, R10); it attacks the same points, and Y's pods stand on the same ones (R11); where
//!   no leg of Y's pods in Q reaches, none of those in P does, since a long leg reaches what a
//!   short one does (1, R5, R12); liberties and opening clause are the same. Y wins the position
//!   after it in P, since Y wins P, and so by induction the position after it in Q. If X has no
//!   placement in Q, X loses Q (R15). So Y wins Q. ∎
//!
//! The search has no covering positions in games in which an empty hand *wins*: there condition 3
//! is no advantage, since Y's larger hand takes longer to empty. Games in which pods move or are
//! captured are not searched here at all: the points held do not stay the same there, nor are
//! liberties a matter of placement only.
//!
//! # Use in the search
//!
//! Y is to move, and is expected to lose (`sharing.rs`), or a first reply has been refuted. One
//! position covers all replies that are left on a point p: on p stands a pod of Y's that has all
//! legs of the pods that Y may still place there, a long one where any of them has a long one; Y's
//! hand is as it was before, from which nothing is taken; X is to move. X's pods and hand are
//! unchanged, and the opening clause no longer binds anybody. If X wins it, all replies on p are
//! refuted by one search. If Y does, nothing follows. The covering position is searched by the same
//! search, which keeps it in the same table: the theorems of [`super::canonical`] and
//! [`super::counting`] hold for any pods on the board, and hands are part of the key.
//!
//! The pod is often stronger than any real one, and then the search of the covering position can
//! take long or fail. So it is given up after a multiple of the nodes that the longest refutation
//! of an earlier reply took, and the replies are then tried one by one. A reply that the table
//! knows counts with the nodes that it once took, rounded down to a power of two: a search that
//! goes on from a checkpoint then gives covering positions as many nodes as before.
//!
//! Such a multiple is too much to lose on a covering position that fails where a refutation was
//! long ([`RACE`](super::choice::RACE)). There the covering position is raced against the replies
//! ([`Worker::race`]). In the first round a reply gets a sixteenth of the nodes of the longest
//! refutation, and the covering position four times as many; each later round gives four times as
//! many as the one before. The race ends when one of them settles the point, or when the turn
//! (`turns.rs`) is over.

use super::Unknown;
use super::field::{Field, LegBits};
use super::negamax::{CoverLimits, Raced, Refuted, Worker};
use super::node::{Node, Placement, Virtual};

/// The search of a covering position may take this many times the nodes of the longest refutation
/// so far.
pub(super) const PATIENCE: u64 = 256;

/// The nodes with which a race begins, as a part of the longest refutation.
const BEGIN: u64 = 16;
/// A covering position gets this many times the nodes of a reply.
const COVERING: u64 = 4;
/// The nodes grow by this factor from round to round.
const GROWTH: u64 = 4;

/// Returns the covering position: one virtual pod of the mover's at `point`, which is empty, with the
/// union `legs` of the legs of all pods that it covers.
pub(super) fn covering(field: &Field, node: &Node, legs: LegBits, point: usize) -> Node {
    let mut next = node.clone();
    let side = node.mover as usize;
    next.stand_as(field, side, legs, point);
    next.mover ^= 1;
    next.open = false;
    next
}

impl Worker<'_> {
    /// Tries to refute all pending placements on a point by one search, which may take a multiple of
    /// the nodes of the longest refutation; where that was long, in a race. Removes those that are
    /// refuted and calls `lost` with each.
    pub(super) fn refutes_all(
        &mut self,
        node: &Node,
        pending: usize,
        point: u8,
        limits: CoverLimits,
        depth: usize,
        lost: &mut Refuted<'_>,
    ) -> Result<Raced, Unknown> {
        let Some((covering, pod)) = self.covering_pending(node, pending, point) else { return Ok(Raced::Nothing) };
        let raced = if limits.longest < self.shared.race_from {
            self.expects_loss = false;
            match self.wins_within(&covering, depth, limits.longest.saturating_mul(PATIENCE))? {
                Some(true) => Raced::Refuted(Some(pod)),
                _ => Raced::Nothing,
            }
        } else {
            self.race(node, pending, (point, &covering, pod), limits, depth, lost)?
        };
        if matches!(raced, Raced::Refuted(Some(_))) {
            self.drop_pending(pending, point, lost);
        }
        Ok(raced)
    }

    /// Searches the covering position of a point, with its virtual pod, and the replies there in
    /// turn, each round with more nodes, until one or the other settles the point, or a round ends
    /// after more nodes than the turn has.
    fn race(
        &mut self,
        node: &Node,
        pending: usize,
        (point, covering, pod): (u8, &Node, Virtual),
        limits: CoverLimits,
        depth: usize,
        lost: &mut Refuted<'_>,
    ) -> Result<Raced, Unknown> {
        let begun = self.tracker.nodes();
        let mut left: Vec<_> = self.pending[pending..].iter().copied().filter(|(_, p)| p.point == point).collect();
        // The best one last.
        left.sort_unstable();
        let mut nodes = (limits.longest / BEGIN).max(1);
        while !left.is_empty() {
            self.expects_loss = false;
            match self.wins_within(covering, depth, nodes.saturating_mul(COVERING))? {
                Some(true) => return Ok(Raced::Refuted(Some(pod))),
                Some(false) => return Ok(Raced::Left),
                None => {}
            }
            while let Some(&(_, placement)) = left.last() {
                self.expects_loss = false;
                let before = self.tracker.nodes();
                match self.wins_within(&node.play(self.shared.field, placement), depth, nodes)? {
                    Some(false) => {
                        self.used.add(placement);
                        self.winner_took = self.tracker.nodes() - before;
                        return Ok(Raced::Wins(placement));
                    }
                    Some(true) => {
                        left.pop();
                        self.drop_one(pending, placement, lost);
                    }
                    None => break,
                }
            }
            nodes = nodes.saturating_mul(GROWTH);
            if self.tracker.nodes() - begun > limits.turn {
                return Ok(Raced::Aside);
            }
        }
        Ok(Raced::Refuted(None))
    }

    /// Returns the position that covers what all pending placements on a point lead to, and its
    /// virtual pod, if there are several.
    fn covering_pending(&self, node: &Node, pending: usize, point: u8) -> Option<(Node, Virtual)> {
        let field = self.shared.field;
        let (mut legs, mut count) = (LegBits::default(), 0);
        for (_, placement) in self.pending[pending..].iter().filter(|(_, p)| p.point == point) {
            legs = legs.with(field.legs[node.mover as usize][placement.kind as usize]);
            count += 1;
        }
        let point = point as usize;
        (count > 1).then(|| (covering(field, node, legs, point), Virtual::Pod(legs, point)))
    }

    /// Searches like [`Worker::wins`], with at most `nodes` nodes; `None` if they do not suffice.
    pub(super) fn wins_within(&mut self, node: &Node, depth: usize, nodes: u64) -> Result<Option<bool>, Unknown> {
        let whole = self.tracker.limits().nodes;
        self.tracker.limit_nodes(whole.min(self.tracker.nodes().saturating_add(nodes)));
        let result = self.wins(node, depth);
        self.tracker.limit_nodes(whole);
        match result {
            Ok(wins) => Ok(Some(wins)),
            Err(Unknown::Nodes) if self.tracker.nodes() < whole => Ok(None),
            Err(unknown) => Err(unknown),
        }
    }

    /// Removes the pending placements on a point of which the table knows that they lose, and calls
    /// `lost` with each; one that it knows to win, if there is one.
    pub(super) fn drop_known(
        &mut self,
        node: &Node,
        pending: usize,
        point: u8,
        lost: &mut Refuted<'_>,
    ) -> Option<Placement> {
        let here: Vec<_> = self.pending[pending..].iter().map(|&(_, p)| p).filter(|p| p.point == point).collect();
        for placement in here {
            match self.known(node, placement) {
                Some((true, used)) => {
                    self.used = used;
                    self.drop_one(pending, placement, lost);
                }
                Some((false, used)) => {
                    self.used = used;
                    self.used.add(placement);
                    return Some(placement);
                }
                None => {}
            }
        }
        None
    }

    /// Removes one pending placement and calls `lost` with it.
    fn drop_one(&mut self, pending: usize, placement: Placement, lost: &mut Refuted<'_>) {
        if let Some(at) = self.pending[pending..].iter().position(|&(_, other)| other == placement) {
            self.pending.swap_remove(pending + at);
        }
        lost.by(self.used, placement);
    }

    /// Removes the pending placements on a point and calls `lost` with each.
    pub(super) fn drop_pending(&mut self, pending: usize, point: u8, lost: &mut Refuted<'_>) {
        self.drop_where(pending, lost, |placement| placement.point == point);
    }

    /// Removes the pending placements that fall and calls `lost` with each.
    pub(super) fn drop_where(&mut self, pending: usize, lost: &mut Refuted<'_>, falls: impl Fn(Placement) -> bool) {
        let mut i = pending;
        while i < self.pending.len() {
            let placement = self.pending[i].1;
            if falls(placement) {
                self.pending.swap_remove(i);
                lost.by(self.used, placement);
            } else {
                i += 1;
            }
        }
    }
}
