//! Proof numbers of the upper tree by the results so far, in nodes of search, and the next job.
//!
//! Each node has two efforts: the nodes that it may still take to show that the side to move wins,
//! and that it loses. A leaf costs the nodes that it will be given next; a win costs as much as its
//! cheapest reply, a loss as much as all points together, and a point as much as its cover or its
//! replies, whichever is less. 0 means shown, [`NEVER`] means refuted. A search that ends without
//! an answer raises the cost of its leaf, so that others get their turn, and no leaf can keep all
//! workers. Where one reply is to be chosen, the effort of the second most promising counts twice,
//! of the third three times, and so on.

use super::tree::{Group, Node, State, Tree};
use crate::material::Side;

/// The effort of what is not so.
pub(super) const NEVER: u64 = u64::MAX;

/// The most that an effort counts.
const MOST: u64 = u64::MAX >> 8;

/// Largest cost of a cover that is tried first, as a multiple of a reply's effort.
const COVERING: u64 = 4;

/// State of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// The winner, if known.
    pub(super) winner: Option<Side>,
    /// The nodes that it will be given next.
    pub(super) cost: u64,
    /// True if this worker may take it now.
    pub(super) ready: bool,
    /// True if somebody has searched it in vain.
    pub(super) tried: bool,
    /// True if a certificate of it is missing.
    pub(super) lacks: bool,
}

/// The efforts of all nodes.
pub(super) struct Worth {
    /// To show that the side to move wins.
    win: Vec<u64>,
    /// To show that it loses.
    loss: Vec<u64>,
    ready: Vec<bool>,
    tried: Vec<bool>,
    /// Number of certificates that are missing for a proof, of nodes that are decided.
    lacks: Vec<u64>,
    /// Pairs of nodes that cannot both be as they are.
    pub(super) contradictions: Vec<(usize, usize)>,
}

fn add(a: u64, b: u64) -> u64 {
    if a == NEVER || b == NEVER { NEVER } else { a.saturating_add(b).min(MOST) }
}

impl Worth {
    /// Returns the efforts, from the leaves up.
    pub(super) fn new(tree: &Tree<'_>, leaf: impl Fn(usize, &Node) -> Leaf) -> Worth {
        let number = tree.nodes.len();
        let mut worth = Worth {
            win: vec![NEVER; number],
            loss: vec![NEVER; number],
            ready: vec![false; number],
            tried: vec![false; number],
            lacks: vec![0; number],
            contradictions: Vec::new(),
        };
        for i in (0..number).rev() {
            let node = &tree.nodes[i];
            match &node.state {
                State::Grown(groups) => worth.inner(i, groups),
                State::AtSight(winner) | State::Found(winner, _) => worth.decided(i, *winner == node.situation.to_move),
                State::Open => {
                    let Leaf { winner, cost, ready, tried, lacks } = leaf(i, node);
                    match winner {
                        Some(winner) => worth.decided(i, winner == node.situation.to_move),
                        None => (worth.win[i], worth.loss[i]) = (cost.clamp(1, MOST), cost.clamp(1, MOST)),
                    }
                    (worth.ready[i], worth.tried[i]) = (ready && winner.is_none(), tried);
                    worth.lacks[i] = u64::from(lacks);
                }
            }
        }
        worth
    }

    fn decided(&mut self, node: usize, wins: bool) {
        (self.win[node], self.loss[node]) = if wins { (0, NEVER) } else { (NEVER, 0) };
    }

    fn inner(&mut self, node: usize, groups: &[Group]) {
        let (mut win, mut loss) = (NEVER, 0);
        let (mut lacks_win, mut lacks_loss) = (u64::MAX, 0_u64);
        for group in groups {
            for &reply in &group.replies {
                win = win.min(self.loss[reply]);
                if self.loss[reply] == 0 {
                    lacks_win = lacks_win.min(self.lacks[reply]);
                    // What refutes all replies on a point refutes each.
                    if let Some(cover) = group.cover.filter(|&cover| self.win[cover] == 0) {
                        self.contradictions.push((cover, reply));
                    }
                }
            }
            loss = add(loss, self.refuting(group));
            lacks_loss = lacks_loss.saturating_add(self.lacking(group));
        }
        (self.win[node], self.loss[node]) = match (win, loss) {
            (0, _) => (0, NEVER),
            (_, 0) => (NEVER, 0),
            other => other,
        };
        self.lacks[node] = if win == 0 { lacks_win } else { lacks_loss };
        let open = |group: &&Group| win != 0 && self.refuting(group) != 0;
        self.ready[node] = groups.iter().filter(open).flat_map(Group::members).any(|member| self.ready[member]);
        self.tried[node] =
            groups.iter().flat_map(Group::members).any(|member| self.tried[member] || self.is_decided(member));
    }

    /// Returns the effort to refute all that may be placed on a point.
    fn refuting(&self, group: &Group) -> u64 {
        let cover = group.cover.map_or(NEVER, |cover| self.win[cover]);
        let singly = match group.replies.is_empty() {
            // They are left out where the cover is refuted.
            true => NEVER,
            false => group.replies.iter().fold(0, |sum, &reply| add(sum, self.win[reply])),
        };
        cover.min(singly)
    }

    /// Returns the number of certificates that are missing for the refutation of all that may be
    /// placed on a point, in the way of [`Worth::takes_cover`].
    fn lacking(&self, group: &Group) -> u64 {
        match (self.takes_cover(group), group.cover) {
            (true, Some(cover)) => self.lacks[cover],
            _ => group.replies.iter().map(|&reply| self.lacks[reply]).sum(),
        }
    }

    /// Returns `true` if a proof refutes the cover of a refuted group, and not each reply.
    pub(super) fn takes_cover(&self, group: &Group) -> bool {
        let Some(cover) = group.cover.filter(|&cover| self.win[cover] == 0) else { return false };
        let singly = !group.replies.is_empty() && group.replies.iter().all(|&reply| self.win[reply] == 0);
        !singly || self.lacks[cover] <= group.replies.iter().map(|&reply| self.lacks[reply]).sum()
    }

    /// Returns the reply by which a proof wins a node that is won.
    pub(super) fn winning_reply(&self, groups: &[Group]) -> Option<usize> {
        let replies = groups.iter().flat_map(|group| group.replies.iter().copied());
        replies.filter(|&reply| self.loss[reply] == 0).min_by_key(|&reply| (self.lacks[reply], reply))
    }

    pub(super) fn is_decided(&self, node: usize) -> bool {
        self.win[node] == 0 || self.loss[node] == 0
    }

    /// Returns the winner of a node, if it is known.
    pub(super) fn winner(&self, tree: &Tree<'_>, node: usize) -> Option<Side> {
        let mover = tree.nodes[node].situation.to_move;
        match (self.win[node], self.loss[node]) {
            (0, _) => Some(mover),
            (_, 0) => Some(mover.other()),
            _ => None,
        }
    }

    /// Returns the number of certificates that are missing for a proof of a node that is decided.
    pub(super) fn lacks(&self, node: usize) -> u64 {
        self.lacks[node]
    }

    /// Returns the open leaf that most is to be expected of, among those that this worker may take.
    pub(super) fn choose(&self, tree: &Tree<'_>) -> Option<usize> {
        let mut node = 0;
        loop {
            if !self.ready[node] {
                return None;
            }
            let State::Grown(groups) = &tree.nodes[node].state else { return Some(node) };
            node = self.descend(groups)?;
        }
    }

    fn descend(&self, groups: &[Group]) -> Option<usize> {
        let open: Vec<&Group> = groups.iter().filter(|group| self.refuting(group) != 0).collect();
        let replies = open.iter().flat_map(|group| group.replies.iter().map(move |&reply| (reply, *group)));
        let mut promising: Vec<(usize, &Group)> = replies.filter(|&(reply, _)| self.loss[reply] != NEVER).collect();
        promising.sort_by_key(|&(reply, _)| reply);
        // The later in the order of promise, the cheaper it must be: some hundred replies of a wide
        // position would all be searched in vain otherwise before the best gets more nodes than
        // they.
        let dear = |rank: usize, reply: usize| self.loss[reply].saturating_mul(1 + rank as u64);
        let best = (promising.into_iter().enumerate())
            .filter(|&(_, (reply, _))| self.ready[reply])
            .min_by_key(|&(rank, (reply, _))| (dear(rank, reply), rank))
            .map(|(_, (reply, group))| (group, reply));
        let covers =
            open.iter().filter_map(|group| Some((*group, group.cover?))).filter(|&(_, cover)| self.ready[cover]);
        let Some((group, reply)) = best else {
            return covers.map(|(_, cover)| cover).min_by_key(|&cover| (self.win[cover], cover));
        };
        // As in the search itself: a first reply alone, since mostly the first one wins where one
        // does; then covers first.
        let begun = groups.iter().flat_map(|group| &group.replies).any(|&r| self.tried[r] || self.is_decided(r));
        match group.cover {
            Some(cover)
                if begun && self.ready[cover] && self.win[cover] <= self.loss[reply].saturating_mul(COVERING) =>
            {
                Some(cover)
            }
            _ => Some(reply),
        }
    }

    /// Returns by node `true` if its value may still matter for that of the root.
    pub(super) fn needed(&self, tree: &Tree<'_>) -> Vec<bool> {
        let mut needed = vec![false; tree.nodes.len()];
        needed[0] = !self.is_decided(0);
        for i in 0..tree.nodes.len() {
            let (true, State::Grown(groups)) = (needed[i], &tree.nodes[i].state) else { continue };
            for group in groups.iter().filter(|group| self.refuting(group) != 0) {
                group.members().filter(|&member| !self.is_decided(member)).for_each(|member| needed[member] = true);
            }
        }
        needed
    }

    /// Returns the leaves of the proof of a decided root, those of searches at the time of the
    /// split among them.
    pub(super) fn proof(&self, tree: &Tree<'_>) -> Vec<usize> {
        let (mut leaves, mut in_proof) = (Vec::new(), vec![false; tree.nodes.len()]);
        in_proof[0] = self.is_decided(0);
        for i in 0..tree.nodes.len() {
            if !in_proof[i] {
                continue;
            }
            let State::Grown(groups) = &tree.nodes[i].state else {
                leaves.push(i);
                continue;
            };
            if self.win[i] == 0 {
                self.winning_reply(groups).into_iter().for_each(|reply| in_proof[reply] = true);
                continue;
            }
            for group in groups {
                match (self.takes_cover(group), group.cover) {
                    (true, Some(cover)) => in_proof[cover] = true,
                    _ => group.replies.iter().for_each(|&reply| in_proof[reply] = true),
                }
            }
        }
        leaves
    }
}
