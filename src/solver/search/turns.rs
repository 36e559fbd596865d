//! Turns: where a placement takes long, others are tried before it is searched on.
//!
//! Mostly the placement that the order likes best wins, and nothing else need be tried. Where it does not, it can take for ever to find
//! that out, while another one wins soon. So the placements of a node take turns: the first gets so many nodes, and if they do
//! not suffice, all placements on its point are put aside, and the best one on another point gets half as many, the next
//! a third, and so on. After some points a new round begins with four times the nodes. What a turn has found stays in the table.
//!
//! A node that takes fewer nodes than the first turn is searched as if there were no turns.

/// The nodes of the first turn of the first round.
pub(super) const TURNS: u64 = 4_000_000;

/// The nodes of a round, to those of the round before.
const GROWTH: u64 = 4;

/// A round ends when so many points have been put aside.
const POINTS: u32 = 16;

/// The turns of the placements of one node.
pub(super) struct Turns {
    /// The nodes of the first turn of this round; `u64::MAX` for no limit.
    nodes: u64,
    /// The points whose placements have had their turn in this round.
    pub(super) aside: u64,
}

impl Turns {
    /// The first round; the first turn has so many nodes, `u64::MAX` for no limit.
    pub(super) fn new(nodes: u64) -> Turns {
        Turns { nodes, aside: 0 }
    }

    /// The nodes of the next turn, if it is for a placement on this point; `None` if the round is over.
    pub(super) fn nodes(&self, point: u8) -> Option<u64> {
        let turns = self.aside.count_ones();
        if self.nodes == u64::MAX {
            return Some(u64::MAX);
        }
        (turns < POINTS && self.aside >> point & 1 == 0).then(|| self.nodes / u64::from(turns + 1))
    }

    /// The turn of the placements on this point was not enough.
    pub(super) fn put_aside(&mut self, point: u8) {
        self.aside |= 1 << point;
    }

    /// Begins the next round.
    pub(super) fn next_round(&mut self) {
        self.aside = 0;
        self.nodes = self.nodes.saturating_mul(GROWTH);
    }
}
