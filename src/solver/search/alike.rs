//! Replies alike: where a covering position refutes nothing, one reply with the whole hand may
//! still refute others on its point.
//!
//! Call the sides X and Y, and let the game be one without moves and captures in which an empty
//! hand loses. Y is to move in P. Let Q be the position after one reply of Y's, of kind k on point
//! p, but with Y's hand as it was: a covering position (`cover.rs`) with the legs of one pod. Let X
//! win Q, and let A be the points that it uses (`used.rs`).
//!
//! **Theorem.** X wins after any reply of a kind j on p in P, if in each direction the leg of j, as
//! the points are held in P, reaches no point of A that the leg of k does not reach.
//!
//! **Proof.** Let R be what the reply leads to. Let X place in R as in Q, while Y's placements in R
//! are made in Q as well. The same points are held by the same sides all along, with the same legs
//! but for p, and Y's hand in R is a part of that in Q.
//!
//! - *A placement of Y's in R is legal in Q*: Y has the pod (R10), X's pods have the same legs
//!   (R12), the placed pod reaches the same pods of X's (R11), and has the same liberties (R13).
//!   The opening clause binds neither (R9).
//! - *X's placement in Q is legal in R*: it is on a point of A, X has the pod (R10), which reaches
//!   the same pods (R11) and has the same liberties (R13). Y's pods but for that on p attack the same
//!   points. If that on p attacks the point now, it attacked it in P, as runs only get shorter (R5);
//!   so the leg of k reached it in P, in the same direction. Then k has a long leg there or the
//!   point is next to p. The points between are empty now, or legs attack through; so k attacks the
//!   point in Q (R12), against what is legal there.
//!
//! X has a placement in Q whenever it is to move, so X has one in R, and Y is the first to have
//! none (R15). ∎
//!
//! With ghosts of Y's in P, legs of Y's go on over them (`ghosts.rs`), and Y's passes in R are made
//! in Q as well.
//!
//! # Use in the search
//!
//! A pod of a covering position has the legs of all replies on its point, and one leg too many lets
//! it fail. Then the replies are tried one by one. A reply that has others on its point is first
//! searched with the whole hand; if X wins, the others of which the theorem says it fall with it.

use super::Unknown;
use super::cover::covering;
use super::field::{Field, LegBits};
use super::negamax::{Refuted, Worker};
use super::node::{Node, Placement, Virtual};

/// The fewest pods in hand of the side that replies, and the fewest nodes of the longest refutation,
/// with which a reply is searched with the whole hand first. Of few pods one more is too many.
/// Small games try it too in tests.
const PODS: u16 = if cfg!(test) { 2 } else { 8 };
const NODES: u64 = if cfg!(test) { 1 } else { 100 };

impl Node {
    /// Returns `true` if replies of the mover's are searched with the whole hand first; `longest`
    /// counts the nodes of the longest refutation so far.
    pub(super) fn has_hand_to_spare(&self, longest: u64) -> bool {
        longest >= NODES && self.in_hand[self.mover as usize] >= PODS
    }
}

impl Worker<'_> {
    /// Returns `true` if several replies are pending on a point.
    pub(super) fn has_several(&self, pending: usize, point: u8) -> bool {
        self.pending[pending..].iter().filter(|(_, p)| p.point == point).nth(1).is_some()
    }

    /// Tries to refute a pending reply, and others on its point, by one search of at most `nodes`
    /// nodes. If that succeeds, removes them, calls `lost` with each, and returns the virtual pod.
    pub(super) fn refutes_alike(
        &mut self,
        node: &Node,
        pending: usize,
        reply: Placement,
        nodes: u64,
        depth: usize,
        lost: &mut Refuted<'_>,
    ) -> Result<Option<Virtual>, Unknown> {
        let field = self.shared.field;
        let legs = |placement: Placement| field.legs[node.mover as usize][placement.kind as usize];
        let covering = covering(field, node, legs(reply), reply.point as usize);
        self.expects_loss = false;
        if self.wins_within(&covering, depth, nodes)? != Some(true) {
            return Ok(None);
        }
        let reached = reach(field, node, legs(reply), reply.point as usize);
        let needed = self.used.points & !reached;
        self.drop_where(pending, lost, |other| {
            other.point == reply.point && reach(field, node, legs(other), other.point as usize) & needed == 0
        });
        Ok(Some(Virtual::Pod(legs(reply), reply.point as usize)))
    }
}

/// Returns the points that legs of the mover's reach from a point. Each lies in one direction.
fn reach(field: &Field, node: &Node, legs: LegBits, point: usize) -> u64 {
    let stops = field.points & !node.through(field, node.mover as usize);
    (0..8).fold(0, |set, d| set | legs.reached(d, field.near[d][point], field.sight(d, point, stops)))
}

#[cfg(test)]
mod tests {
    use super::super::node::{Used, placements};
    use super::super::random_games::{for_each_search, loses};
    use super::*;
    use crate::engine::Engine;
    use crate::progress::Silent;
    use crate::solver::limits::Limits;
    use crate::solver::tracker::Tracker;

    /// Tests replies that fall together, in every position of random games under all options,
    /// against the plain solver.
    fn what_falls_loses(seed: u64, least: u32) {
        let (mut positions, mut fallen, mut together, mut left_out, mut through) = (0, 0, 0, 0, 0);
        for_each_search(seed, least, |at, search, engine, field, all, values| {
            let game = engine.game();
            let shared = search.shared();
            let mut worker = Worker::new(&shared, Tracker::new(Limits::default(), &Silent));
            for &position in all {
                let node = Node::new(field, game, position);
                let replies: Vec<_> = placements(&node.legal(field, node.mover as usize)).collect();
                let loses = |reply| loses(engine, values, position, reply);
                for &reply in &replies {
                    worker.pending = replies.iter().map(|&reply| (0, reply)).collect();
                    let mut told = Vec::new();
                    let mut lost = Refuted { tell: &mut |reply| told.push(reply), used: Used::NONE };
                    let wins = worker.refutes_alike(&node, 0, reply, u64::MAX, 4, &mut lost).unwrap().is_some();
                    assert_eq!(told.contains(&reply), wins);
                    for &other in &told {
                        let text = || format!("{}\n{:?}\n{}", position.display(game), game.board(), game.rules());
                        assert!(loses(other), "seed {at}: {other:?} with {reply:?} in {}", text());
                    }
                    assert_eq!(worker.pending.len() + told.len(), replies.len());
                    fallen += told.len();
                    together += told.len().saturating_sub(1);
                    through += usize::from(field.through && told.len() > 1);
                    // Others on the point may win: so this test can fail.
                    let others = worker.pending.iter().filter(|(_, other)| other.point == reply.point);
                    left_out += others.filter(|(_, other)| !told.is_empty() && !loses(*other)).count();
                }
                positions += 1;
            }
        });
        let expected = least as usize;
        assert!(
            fallen > expected / 8 && together > expected / 16 && left_out > 0 && through > 0,
            "{fallen} {together} {left_out} {through}"
        );
    }

    #[test]
    fn what_falls_with_a_reply_loses() {
        what_falls_loses(51, 2_000);
    }

    #[test]
    #[ignore = "takes a minute or more"]
    fn what_falls_with_a_reply_loses_in_many_positions() {
        what_falls_loses(1_051, 40_000);
    }
}
