//! Turns: where a placement takes long, others are tried before it is searched on.
//!
//! Mostly the first placement of the order wins, and no other need be tried. Where it does not,
//! refuting it can take very long, while another one wins soon. So the placements of a node take
//! turns: in the first round each gets the same nodes, those still open get four times as many in
//! the next round, and so on. Results of a turn stay in the table. Placements on one point take
//! turns of their own, since the winning one may stand where another takes longest.
//!
//! What won lately at the same ply (`history.rs`) has a longer first turn, before others have
//! theirs: what took long to refute one reply may take as long against the next, while all others
//! would spend their turns in vain.
//!
//! A covering position and the replies that it covers (`cover.rs`) have a turn together first, as
//! many nodes as one placement.
//!
//! A node that takes fewer nodes than the first turn is searched as if there were no turns.

use super::field::KINDS;
use super::node::Placement;

/// The nodes of a turn in the first round.
pub(super) const TURNS: u64 = 1_000_000;

/// The nodes of a round's turns, to those of the round before.
const GROWTH: u64 = 4;

/// The turns of the placements of one node.
pub(super) struct Turns {
    /// The nodes of a turn in this round; `u64::MAX` for no limit.
    nodes: u64,
    first: bool,
    /// By kind: the points of the placements that have had their turn in this round.
    aside: [u64; KINDS],
    /// The points whose covering position has had its turn in this round.
    pub(super) raced: u64,
}

impl Turns {
    /// Returns the first round, with turns of so many nodes; `u64::MAX` for no limit.
    pub(super) fn new(nodes: u64) -> Turns {
        Turns { nodes, first: true, aside: [0; KINDS], raced: 0 }
    }

    /// Returns `true` if this is the first round.
    pub(super) fn are_first(&self) -> bool {
        self.first
    }

    /// Returns `true` if a placement has had its turn in this round.
    pub(super) fn is_aside(&self, placement: Placement) -> bool {
        self.aside[placement.kind as usize] >> placement.point & 1 == 1
    }

    /// Returns the nodes of the next turn, if it is for this placement; `None` if the round is
    /// over.
    pub(super) fn nodes(&self, placement: Placement) -> Option<u64> {
        (!self.is_aside(placement)).then_some(self.nodes)
    }

    /// Notes that the turn of a placement was not enough.
    pub(super) fn put_aside(&mut self, placement: Placement) {
        self.aside[placement.kind as usize] |= 1 << placement.point;
    }

    /// Begins the next round.
    pub(super) fn next_round(&mut self) {
        *self = Turns { first: false, ..Turns::new(self.nodes.saturating_mul(GROWTH)) };
    }
}
