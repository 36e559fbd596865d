//! The upper tree: the root, all that may be played in the first plies, and covers of it.

use std::collections::HashMap;

use super::error::JobsError;
use super::step::{Step, most_covers};
use crate::certificate::{Sight, Situation, told};
use crate::geometry::Point;
use crate::material::Side;
use crate::position::{Game, Position};
use crate::rules::EmptyHand;
use crate::solver::search::Search;

/// The most positions of a tree.
pub(super) const MOST: usize = 1_000_000;

/// State of a node when the tree is made.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// Nothing: a job.
    Open,
    /// The rules or a lemma say who wins.
    AtSight(Side),
    /// So many nodes of a search have told who wins.
    Found(Side, u64),
    /// Placements, by points.
    Grown(Vec<Group>),
}

/// Placements on a point. Each is another node.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) at: Point,
    /// The cover of all of it, where there is one.
    pub(super) cover: Option<usize>,
    /// Single placements; none if the cover is refuted, and with it all of them.
    pub(super) replies: Vec<usize>,
}

impl Group {
    pub(super) fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.replies.iter().copied().chain(self.cover)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) situation: Situation,
    pub(super) path: Vec<Step>,
    pub(super) state: State,
}

impl Node {
    /// Returns the winner, where the tree itself knows.
    pub(super) fn winner(&self) -> Option<Side> {
        match self.state {
            State::AtSight(side) | State::Found(side, _) => Some(side),
            State::Open | State::Grown(_) => None,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.state, State::Open)
    }
}

/// Callback that knows new nodes: their winner and the nodes it took.
pub(super) type Look<'a> = dyn FnMut(&Node) -> Result<Option<(Side, u64)>, JobsError> + 'a;

/// A tree. A node stands behind all nodes that lead to it.
pub(super) struct Tree<'a> {
    game: &'a Game,
    sight: Sight<'a>,
    /// For the order of placements alone.
    order: Search,
    pub(super) nodes: Vec<Node>,
    by_key: HashMap<[u8; 16], usize>,
    buffer: Vec<u8>,
}

/// Bytes of the table of a search that is asked for orders only.
const LITTLE: u64 = 1 << 12;

impl<'a> Tree<'a> {
    /// Returns the tree of a root alone.
    pub(super) fn new(game: &'a Game, root: &Position, look: &mut Look<'_>) -> Result<Tree<'a>, JobsError> {
        let order = Search::new(game, LITTLE).ok_or(JobsError::NotPlacement)?;
        let mut tree = Tree {
            game,
            sight: Sight::new(game),
            order,
            nodes: Vec::new(),
            by_key: HashMap::new(),
            buffer: Vec::new(),
        };
        tree.node(Situation::new(game, root), Vec::new(), look)?;
        Ok(tree)
    }

    /// Returns the node of a situation.
    pub(super) fn find(&mut self, situation: &Situation) -> Option<usize> {
        self.by_key.get(&situation.key(&mut self.buffer)).copied()
    }

    /// Returns the node of a situation, which is new if it is not there yet.
    fn node(&mut self, situation: Situation, path: Vec<Step>, look: &mut Look<'_>) -> Result<usize, JobsError> {
        let key = situation.key(&mut self.buffer);
        if let Some(&there) = self.by_key.get(&key) {
            return Ok(there);
        }
        if self.nodes.len() >= MOST {
            return Err(JobsError::TooMany { most: MOST });
        }
        let mut node = Node { situation, path, state: State::Open };
        node.state = match self.at_sight(&node.situation) {
            Some(winner) => State::AtSight(winner),
            None => look(&node)?.map_or(State::Open, |(winner, nodes)| State::Found(winner, nodes)),
        };
        self.nodes.push(node);
        self.by_key.insert(key, self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    fn at_sight(&self, situation: &Situation) -> Option<Side> {
        if let Some(winner) = situation.won_by_hand(self.game) {
            return Some(winner);
        }
        if situation.placements(self.game).is_empty() {
            return Some(situation.to_move.other());
        }
        Side::BOTH.into_iter().find(|&side| self.sight.shows(situation, side))
    }

    /// Returns `true` if a node is lost by the side that has just placed.
    fn is_refuted(&self, node: usize) -> bool {
        let node = &self.nodes[node];
        node.winner() == Some(node.situation.to_move)
    }

    /// Adds the possible replies to an open node. If they decide the winner, the node is decided,
    /// and has nothing below it. Nodes with fewer plies must have been grown before.
    pub(super) fn grow(&mut self, node: usize, look: &mut Look<'_>) -> Result<(), JobsError> {
        let Node { situation, path, .. } = self.nodes[node].clone();
        let mover = situation.to_move;
        let covers = self.game.rules().options().empty_hand == EmptyHand::Loses
            && path.iter().filter(|step| matches!(step, Step::Cover(_))).count() < most_covers(self.game);
        let mut order: Vec<(Point, Vec<Step>)> = Vec::new();
        for (kind, at) in self.order.promising(&told(&situation)) {
            let step = Step::Place(kind, at);
            match order.iter_mut().find(|(point, _)| *point == at) {
                Some((_, steps)) => steps.push(step),
                None => order.push((at, vec![step])),
            }
        }
        let before = self.nodes.len();
        let (mut groups, mut all_refuted) = (Vec::new(), true);
        let mut next = |tree: &mut Tree<'_>, step: Step| {
            let way = path.iter().copied().chain([step]).collect();
            let Some(after) = step.taken(tree.game, &situation) else { return Ok(None) };
            tree.node(after, way, look).map(Some)
        };
        let mut won = false;
        'points: for (i, (at, steps)) in order.iter().enumerate() {
            let mut group = Group { at: *at, cover: None, replies: Vec::new() };
            // Mostly the most promising placement wins where one does: a look at it comes before
            // all covers.
            if i == 0
                && let Some(first) = next(self, steps[0])?
            {
                won = self.nodes[first].winner() == Some(mover);
                if won {
                    break 'points;
                }
            }
            if covers && steps.len() > 1 {
                group.cover = next(self, Step::Cover(*at))?;
            }
            if !group.cover.is_some_and(|cover| self.is_refuted(cover)) {
                for &step in steps {
                    group.replies.extend(next(self, step)?);
                    won = group.replies.last().is_some_and(|&reply| self.nodes[reply].winner() == Some(mover));
                    if won {
                        break 'points;
                    }
                }
                all_refuted &= group.replies.iter().all(|&reply| self.is_refuted(reply));
            }
            groups.push(group);
        }
        if !won && !all_refuted {
            self.nodes[node].state = State::Grown(groups);
            return Ok(());
        }
        // What was added is not needed, but for what it took.
        let mut nodes = 0;
        for dropped in self.nodes.drain(before..) {
            if let State::Found(_, found) = dropped.state {
                nodes += found;
            }
            self.by_key.remove(&dropped.situation.key(&mut self.buffer));
        }
        self.nodes[node].state = State::Found(if won { mover } else { mover.other() }, nodes);
        Ok(())
    }

    /// Sets the state of nodes that their children decide, and drops nothing.
    pub(super) fn collapse(&mut self) {
        for i in (0..self.nodes.len()).rev() {
            let State::Grown(groups) = &self.nodes[i].state else { continue };
            let mover = self.nodes[i].situation.to_move;
            let spent = |node: usize| match self.nodes[node].state {
                State::Found(_, nodes) => nodes,
                _ => 0,
            };
            let won = groups
                .iter()
                .flat_map(|group| &group.replies)
                .find(|&&reply| self.nodes[reply].winner() == Some(mover));
            let refuted = |group: &Group| {
                group.cover.is_some_and(|cover| self.is_refuted(cover))
                    || !group.replies.is_empty() && group.replies.iter().all(|&reply| self.is_refuted(reply))
            };
            let found = match won {
                Some(&reply) => Some((mover, spent(reply))),
                None if groups.iter().all(refuted) => {
                    let nodes = groups.iter().flat_map(Group::members).map(spent).sum();
                    Some((mover.other(), nodes))
                }
                None => None,
            };
            if let Some((winner, nodes)) = found {
                self.nodes[i].state = State::Found(winner, nodes);
                continue;
            }
            let refuted: Vec<bool> =
                groups.iter().map(|group| group.cover.is_some_and(|cover| self.is_refuted(cover))).collect();
            if let State::Grown(groups) = &mut self.nodes[i].state {
                groups
                    .iter_mut()
                    .zip(refuted)
                    .filter(|(_, refuted)| *refuted)
                    .for_each(|(group, _)| group.replies.clear());
            }
        }
    }

    /// Returns the number of jobs among some nodes.
    pub(super) fn open_among(&self, nodes: &[bool]) -> usize {
        self.nodes.iter().zip(nodes).filter(|(node, among)| **among && node.is_open()).count()
    }

    /// Returns by node `true` if the root leads to it by nodes that are not decided.
    pub(super) fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.nodes.len()];
        reachable[0] = true;
        for i in 0..self.nodes.len() {
            if let (true, State::Grown(groups)) = (reachable[i], &self.nodes[i].state) {
                groups.iter().flat_map(Group::members).for_each(|member| reachable[member] = true);
            }
        }
        reachable
    }
}
