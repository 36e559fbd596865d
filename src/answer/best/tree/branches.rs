//! The tree in memory: nodes, their branches, and what is proven of them.

use crate::position::Action;
use crate::solver::Plies;

/// Proven knowledge of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// It leads back to a position that the game or the line has been in. That counts as a draw in
    /// guesses and proves nothing (R21).
    Repeats,
    /// Proven: who takes it wins within at most this many plies, itself included.
    Wins(Plies),
    /// Proven: who takes it loses within at most this many plies.
    Loses(Plies),
}

/// Proven result of a position for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// It is won within at most this many plies: one action is proven to win.
    Won(Plies),
    /// It is lost within at most this many plies: every action is proven to lose, or there is none.
    Lost(Plies),
}

impl Proof {
    /// Derives a proof of a node from its branches.
    pub(super) fn of(branches: &[Branch]) -> Option<Proof> {
        let mut longest = Some(0);
        for branch in branches {
            match branch.known {
                Known::Wins(plies) => return Some(Proof::Won(plies)),
                Known::Loses(plies) => longest = longest.map(|longest: Plies| longest.max(plies)),
                Known::Nothing | Known::Repeats => longest = None,
            }
        }
        longest.map(Proof::Lost)
    }

    /// Converts the proof to the action that leads to the position.
    pub(super) const fn before(self) -> Known {
        match self {
            Proof::Won(plies) => Known::Loses(plies + 1),
            Proof::Lost(plies) => Known::Wins(plies + 1),
        }
    }
}

/// An action of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) action: Action,
    /// The share of the search that it is given at first; those of a node sum up to 1.
    pub(super) prior: f32,
    /// The mean of the guesses that it has led to, for the player who takes it, from −1 (lost) to
    /// 1.
    pub(super) worth: f32,
    /// Number of these guesses, at least 1.
    pub(super) visits: u32,
    /// Threads that are below it.
    pub(super) pending: u16,
    pub(super) known: Known,
    /// The node that it leads to, or [`NONE`].
    pub(super) node: u32,
}

/// No node.
pub(super) const NONE: u32 = u32::MAX;

impl Branch {
    /// Creates a branch that leads to no node yet.
    pub(super) const fn new(action: Action, worth: f32, known: Known) -> Branch {
        Branch { action, prior: 0.0, worth, visits: 1, pending: 0, known, node: NONE }
    }
}

/// A position whose actions are in the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    count: u16,
    /// Times that the search came here.
    visits: u32,
}

/// A way from the root: the number of the branch at each node.
pub(super) type Way = Vec<u16>;

/// End of a walk down the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// A branch without a node.
    Leaf,
    /// A branch that repeats a position.
    Repetition,
}

/// The tree. It never takes more memory than it was made with: when it is full, the nodes that were
/// visited least are dropped. A dropped node's result stays in the branch that led to it.
pub(super) struct Tree {
    nodes: Vec<Node>,
    branches: Vec<Branch>,
    most_nodes: usize,
    most_branches: usize,
}

/// The fewest branches there is room for.
const FEWEST: usize = 1 << 11;

impl Tree {
    /// Creates a tree with these branches of its root. It takes at most `memory` bytes, and with
    /// room for at least [`FEWEST`] branches; a smaller one where the system gives less memory. A
    /// search of `nodes` nodes gets no more room than it can fill.
    pub(super) fn new(root: &[Branch], memory: u64, nodes: u64) -> Tree {
        let fewest = FEWEST.max(root.len());
        let enough = nodes.saturating_add(FEWEST as u64);
        let fit = memory / 8 * 7 / size_of::<Branch>() as u64;
        let mut most = fit.min(enough).clamp(fewest as u64, u64::from(NONE)) as usize;
        loop {
            let most_nodes = (most * size_of::<Branch>() / 7 / size_of::<Node>()).max(FEWEST);
            let (mut nodes, mut branches) = (Vec::new(), Vec::new());
            let given = nodes.try_reserve_exact(most_nodes).is_ok() && branches.try_reserve_exact(most).is_ok();
            if given || most == fewest {
                let mut tree = Tree { nodes, branches, most_nodes, most_branches: most };
                tree.add(root);
                return tree;
            }
            drop((nodes, branches));
            most = (most / 2).max(fewest);
        }
    }

    /// Returns the branches of the root, which is never dropped.
    pub(super) fn root(&self) -> &[Branch] {
        self.of(0)
    }

    fn of(&self, node: usize) -> &[Branch] {
        let Node { first, count, .. } = self.nodes[node];
        &self.branches[first as usize..first as usize + usize::from(count)]
    }

    /// Returns the branches of the node that a branch leads to; none if it leads to no node.
    pub(super) fn below(&self, branch: &Branch) -> &[Branch] {
        if branch.node == NONE { &[] } else { self.of(branch.node as usize) }
    }

    fn add(&mut self, branches: &[Branch]) {
        self.nodes.push(Node { first: self.branches.len() as u32, count: branches.len() as u16, visits: 1 });
        self.branches.extend_from_slice(branches);
    }

    /// Walks from the root to a branch without a node. At each node it follows the branch with the
    /// highest `promise`, the first of equal ones; `promise` gets the square root of the node's
    /// visits. Branches that are proven to lose are left out; `None` if the root has no others.
    /// Each branch on the way notes that a thread is below it.
    pub(super) fn descend(
        &mut self,
        way: &mut Way,
        actions: &mut Vec<Action>,
        promise: impl Fn(&Branch, f32) -> f32,
    ) -> Option<Reached> {
        way.clear();
        actions.clear();
        let mut here = 0;
        loop {
            let Node { first, count, visits } = self.nodes[here];
            let first = first as usize;
            let root = (visits as f32).sqrt();
            let mut best: Option<(usize, f32)> = None;
            for (number, branch) in self.branches[first..first + usize::from(count)].iter().enumerate() {
                if matches!(branch.known, Known::Loses(_)) {
                    continue;
                }
                let promise = promise(branch, root);
                if best.is_none_or(|(_, most)| promise > most) {
                    best = Some((number, promise));
                }
            }
            let (number, _) = best?;
            let branch = &mut self.branches[first + number];
            branch.pending += 1;
            way.push(number as u16);
            actions.push(branch.action);
            if branch.known == Known::Repeats {
                return Some(Reached::Repetition);
            }
            if branch.node == NONE {
                return Some(Reached::Leaf);
            }
            here = branch.node as usize;
        }
    }

    /// Adds the branches of the position at the end of a way, if there are any, and updates every
    /// branch on the way: with `worth`, for the player who takes the last action, and with what is
    /// proven of that action.
    pub(super) fn back_up(&mut self, way: &Way, grown: &[Branch], worth: f32, known: Known) {
        if !self.has_room(grown) {
            self.thin_out();
        }
        // Another thread may have dropped nodes of the way in the meantime, so it is walked again.
        let mut steps: Vec<(usize, usize)> = Vec::with_capacity(way.len());
        let mut here = 0;
        for &number in way {
            let at = self.nodes[here].first as usize + usize::from(number);
            steps.push((here, at));
            match self.branches[at].node {
                NONE => break,
                node => here = node as usize,
            }
        }
        let whole = steps.len() == way.len();
        if let Some(&(_, at)) = steps.last()
            && whole
            && !grown.is_empty()
            && self.branches[at].node == NONE
            && self.has_room(grown)
        {
            self.branches[at].node = self.nodes.len() as u32;
            self.add(grown);
        }
        // The side changes with every ply.
        let mut worth = if (way.len() - steps.len()).is_multiple_of(2) { worth } else { -worth };
        let mut known = if whole { known } else { Known::Nothing };
        for &(node, at) in steps.iter().rev() {
            self.nodes[node].visits += 1;
            let branch = &mut self.branches[at];
            branch.pending = branch.pending.saturating_sub(1);
            branch.visits += 1;
            branch.worth += (worth - branch.worth) / branch.visits as f32;
            let proof = match known {
                Known::Nothing | Known::Repeats => None,
                Known::Wins(plies) => {
                    (branch.known, branch.worth) = (known, 1.0);
                    Some(Proof::Won(plies))
                }
                Known::Loses(_) => {
                    (branch.known, branch.worth) = (known, -1.0);
                    Proof::of(self.of(node))
                }
            };
            worth = match proof {
                Some(Proof::Won(_)) => -1.0,
                Some(Proof::Lost(_)) => 1.0,
                None => -worth,
            };
            known = proof.map_or(Known::Nothing, Proof::before);
        }
    }

    fn has_room(&self, branches: &[Branch]) -> bool {
        self.branches.len() + branches.len() <= self.most_branches && self.nodes.len() < self.most_nodes
    }

    /// Drops the nodes that were visited least, until the tree is at most half full.
    fn thin_out(&mut self) {
        let mut fewest = 2;
        loop {
            // Parents come before their children, so one look from the front finds all that stay.
            let mut stay = vec![false; self.nodes.len()];
            stay[0] = true;
            let (mut nodes, mut branches) = (0, 0);
            for node in 0..self.nodes.len() {
                if !stay[node] {
                    continue;
                }
                nodes += 1;
                branches += usize::from(self.nodes[node].count);
                for branch in self.of(node) {
                    if branch.node != NONE && self.nodes[branch.node as usize].visits >= fewest {
                        stay[branch.node as usize] = true;
                    }
                }
            }
            if nodes <= self.most_nodes / 2 && branches <= self.most_branches / 2 || nodes == 1 {
                return self.keep(&stay);
            }
            fewest *= 2;
        }
    }

    /// Drops all other nodes. The order of those that stay does not change.
    fn keep(&mut self, stay: &[bool]) {
        let mut place = vec![NONE; stay.len()];
        for (number, (node, _)) in stay.iter().enumerate().filter(|(_, stay)| **stay).enumerate() {
            place[node] = number as u32;
        }
        let mut end = 0;
        for node in 0..self.nodes.len() {
            if !stay[node] {
                continue;
            }
            let Node { first, count, .. } = self.nodes[node];
            let range = first as usize..first as usize + usize::from(count);
            for branch in &mut self.branches[range.clone()] {
                branch.node = if branch.node == NONE { NONE } else { place[branch.node as usize] };
            }
            self.branches.copy_within(range, end);
            self.nodes[place[node] as usize] = Node { first: end as u32, ..self.nodes[node] };
            end += usize::from(count);
        }
        self.nodes.truncate(stay.iter().filter(|stay| **stay).count());
        self.branches.truncate(end);
    }
}
