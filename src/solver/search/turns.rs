//! Turns: where a placement takes long, others are tried before it is searched on.
//!
//! Mostly the first placement of the order wins, and no other need be tried. Where it does not,
//! refuting it can take very long, while another one wins soon. So the placements of a node take
//! turns, and each gets a part of the nodes that falls with its rank in the order, about as fast as
//! the chance that it is the one that wins: in each round the first gets four times as many nodes
//! as in the round before, the next four an eighth of that, the next sixteen a 64th, the next 64 a
//! 512th, but nobody gets a turn of fewer nodes than the first one of the first round. So a
//! placement that wins soon is found though it stands late in the order, and most nodes go where
//! most wins are. Results of a turn stay in the table. Placements on one point take turns of their
//! own, since the winning one may stand where another takes longest.
//!
//! At the root the parts are fourths, 16ths and 64ths: where all placements lose there, those that
//! are refuted soon then have their turn early, and what refutes them may help to refute others.
//!
//! A placement that won lately at the same ply (`history.rs`) has a longer first turn, before
//! others have theirs: if it needed long to refute one reply, it may need as long for the next,
//! and the others would first be tried in vain.
//!
//! A covering position that is raced against the replies that it covers (`cover.rs`) has a turn
//! together with them first, as many nodes as one placement.
//!
//! A position whose search ends within the first turn is searched as if there were no turns.

use super::field::KINDS;
use super::node::Placement;

/// The nodes of a turn in the first round.
pub(super) const TURNS: u64 = 250_000;

/// The nodes of a round's first turn, to that of the round before.
const GROWTH: u64 = 4;

/// The turns of a round come in groups, of which the first is a single one. Each group has `WIDER`
/// times as many turns as the one before, each with a part of `SHORTER` of the nodes, or of
/// `ROOT_SHORTER` at the root.
const WIDER: u32 = 4;
const SHORTER: u64 = 8;
const ROOT_SHORTER: u64 = 4;

/// The turns of the placements of one node.
pub(super) struct Turns {
    /// The nodes of a turn in the first round; `u64::MAX` for no limit.
    from: u64,
    /// The nodes of the longest turn in this round.
    nodes: u64,
    is_root: bool,
    /// The placements that have had their turn in this round.
    had: u32,
    /// By kind: the points of the placements that have had their turn in this round.
    aside: [u64; KINDS],
    /// The points whose covering position has had its turn in this round.
    pub(super) raced: u64,
}

impl Turns {
    /// Returns the first round of a node, with turns of so many nodes; `u64::MAX` for no limit.
    pub(super) fn new(from: u64, is_root: bool) -> Turns {
        Turns { from, nodes: from, is_root, had: 0, aside: [0; KINDS], raced: 0 }
    }

    pub(super) fn are_first(&self) -> bool {
        self.nodes == self.from
    }

    pub(super) fn had_none(&self) -> bool {
        self.had == 0
    }

    /// Returns `true` if a placement has had its turn in this round.
    pub(super) fn is_aside(&self, placement: Placement) -> bool {
        self.aside[placement.kind as usize] >> placement.point & 1 == 1
    }

    /// Returns the nodes of the next turn, if it is for this placement; `None` if the round is
    /// over.
    pub(super) fn nodes(&self, placement: Placement) -> Option<u64> {
        let shorter = if self.is_root { ROOT_SHORTER } else { SHORTER };
        let (mut nodes, mut width, mut before) = (self.nodes, 1_u32, self.had);
        while before >= width && nodes < u64::MAX {
            before -= width;
            width = width.saturating_mul(WIDER);
            nodes /= shorter;
        }
        (!self.is_aside(placement) && nodes >= self.from).then_some(nodes)
    }

    /// Notes that the turn of a placement was not enough.
    pub(super) fn put_aside(&mut self, placement: Placement) {
        self.aside[placement.kind as usize] |= 1 << placement.point;
        self.had += 1;
    }

    pub(super) fn next_round(&mut self) {
        *self = Turns { from: self.from, ..Turns::new(self.nodes.saturating_mul(GROWTH), self.is_root) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the nodes of each turn of a round.
    fn played(turns: &mut Turns, placements: u8) -> Vec<u64> {
        let placed = (0..placements).map(|i| Placement { kind: i % 14, point: i / 14 });
        let mut nodes = Vec::new();
        for placement in placed {
            let Some(turn) = turns.nodes(placement) else { break };
            nodes.push(turn);
            turns.put_aside(placement);
        }
        nodes
    }

    #[test]
    fn rounds_give_most_to_the_first() {
        let mut turns = Turns::new(100, false);
        assert!(turns.are_first());
        assert_eq!(played(&mut turns, 100), [100]);
        turns.next_round();
        assert!(!turns.are_first());
        assert_eq!(played(&mut turns, 100), [400]);
        turns.next_round();
        assert_eq!(played(&mut turns, 100), [vec![1600], vec![200; 4]].concat());
        turns.next_round();
        assert_eq!(played(&mut turns, 100), [vec![6400], vec![800; 4], vec![100; 16]].concat());
        turns.next_round();
        assert_eq!(played(&mut turns, 7), [vec![25_600], vec![3200; 4], vec![400; 2]].concat());
        assert_eq!(turns.nodes(Placement { kind: 0, point: 0 }), None, "it has had its turn");
    }

    #[test]
    fn rounds_at_the_root_are_more_even() {
        let mut turns = Turns::new(100, true);
        assert_eq!(played(&mut turns, 100), [100]);
        turns.next_round();
        assert_eq!(played(&mut turns, 100), [vec![400], vec![100; 4]].concat());
        turns.next_round();
        turns.next_round();
        assert_eq!(played(&mut turns, 100), [vec![6400], vec![1600; 4], vec![400; 16], vec![100; 64]].concat());
    }

    #[test]
    fn turns_without_limit_go_on() {
        let mut turns = Turns::new(u64::MAX, true);
        assert_eq!(played(&mut turns, 200), [u64::MAX; 200]);
    }
}
