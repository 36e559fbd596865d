//! The search itself: who wins, by depth-first search with bounds, a table, and ordering by denial.

use super::bounds::Lives;
use super::canonical::{canonical, whole};
use super::counting::decided;
use super::dominance::Dominance;
use super::field::Field;
use super::node::{Node, Pairs, Placement, placements};
use super::order::{Weights, ordered};
use super::table::{Known, Table};
use super::{SearchFeatures, Unknown};
use crate::solver::tracker::Tracker;

/// How many times the nodes of the last refutation the search of a covering position may take.
const PATIENCE: u64 = 256;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) field: &'a Field,
    pub(super) table: &'a Table,
    pub(super) dominance: &'a Dominance,
    pub(super) features: SearchFeatures,
}

/// A search by one thread.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    /// 0 for the one whose answer counts.
    number: usize,
    pub(super) tracker: Tracker<'a>,
    pub(super) pending: Vec<(i32, Placement)>,
    weights: Weights,
}

/// How many plies from the root the helping threads try other placements first.
const SPREAD: usize = 6;

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, number: usize, tracker: Tracker<'a>) -> Worker<'a> {
        Worker { shared, number, tracker, pending: Vec::new(), weights: Weights::default() }
    }

    /// The nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.tracker.nodes()
    }

    /// Whether the mover wins; `depth` counts the plies from the root.
    pub(super) fn wins(&mut self, node: &Node, depth: usize) -> Result<bool, Unknown> {
        let Shared { field, table, dominance, features } = *self.shared;
        self.tracker.tick()?;
        let (mover, foe) = (node.mover as usize, 1 - node.mover as usize);
        if let Some(winner) = node.won_by_hand(field) {
            return Ok(winner == mover);
        }
        let free = node.free(field);
        let mut close = [Pairs::NONE; 2];
        close[mover] = node.close(field, mover, &free);
        let mine = node.far_apart(field, mover, node.placeable(field, mover), &close[mover]);
        if mine.any == 0 {
            return Ok(false);
        }
        close[foe] = node.close(field, foe, &free);
        let theirs = node.far_apart(field, foe, node.kinds[foe], &close[foe]);
        let lives = (features.bounds || features.canonical).then(|| Lives::new(field, node, &close));
        if features.bounds
            && let Some(lives) = &lives
            && let Some(win) = decided(field, node, lives, &mine, &theirs)
        {
            return Ok(win);
        }
        let key = match &lives {
            Some(lives) if features.canonical => canonical(field, node, lives, features.nameless),
            _ => whole(node),
        };
        if let Some(known) = table.get(key) {
            return Ok(known.win);
        }
        if let Some(win) = lives.as_ref().and_then(|lives| dominance.get(node, lives)) {
            return Ok(win);
        }
        let before = self.tracker.nodes();
        let best = self.winning(node, &mine, &theirs, depth, &mut |_| {})?;
        let nodes = self.tracker.nodes() - before + 1;
        table.put(key, Known { win: best.is_some(), best }, nodes);
        if let Some(lives) = &lives {
            dominance.put(node, lives, best.is_some(), nodes);
        }
        Ok(best.is_some())
    }

    /// A winning placement of an unfinished position, if there is one; `lost` is told of each placement that loses, as soon
    /// as that is known.
    pub(super) fn winning(
        &mut self,
        node: &Node,
        mine: &Pairs,
        theirs: &Pairs,
        depth: usize,
        lost: &mut dyn FnMut(Placement),
    ) -> Result<Option<Placement>, Unknown> {
        let field = self.shared.field;
        let first = self.pending.len();
        if self.shared.features.denial {
            ordered(field, node, mine, theirs, &mut self.weights, &mut self.pending);
        } else {
            self.pending.extend(placements(mine).map(|p| (0, p)));
        }
        let spread = self.number > 0 && depth < SPREAD;
        if spread {
            self.pending[first..].sort_unstable();
            // Helpers put another one of the better placements in front, so that the threads do not all do the same.
            let last = self.pending.len() - 1;
            let other = (self.number + depth) % 3;
            self.pending[first..].swap(last - first, (last - first).saturating_sub(other));
        }
        let result = self.first_winning(node, first, spread, depth, lost);
        self.pending.truncate(first);
        result
    }

    /// The first of the pending placements that wins.
    fn first_winning(
        &mut self,
        node: &Node,
        first: usize,
        spread: bool,
        depth: usize,
        lost: &mut dyn FnMut(Placement),
    ) -> Result<Option<Placement>, Unknown> {
        let field = self.shared.field;
        let covers = self.shared.features.covers && !field.empty_hand_wins;
        // What the last refutation took; 0 for none so far.
        let mut effort = 0_u64;
        // The points whose placements one search was to refute.
        let mut tried = 0_u64;
        while self.pending.len() > first {
            if self.shared.features.denial && !spread {
                // Mostly the first one wins: the rest need no order before they are wanted.
                let last = self.pending.len() - 1;
                let best = (first..=last).max_by_key(|&i| self.pending[i]).unwrap_or(last);
                self.pending.swap(best, last);
            }
            let Some(&(_, placement)) = self.pending.last() else { break };
            let before = self.tracker.nodes();
            if covers && effort > 0 && tried >> placement.point & 1 == 0 {
                tried |= 1 << placement.point;
                let patience = effort.saturating_mul(PATIENCE);
                if self.refutes_all(node, first, placement.point, patience, depth + 1)? {
                    self.drop_pending(first, placement.point, lost);
                    effort = self.tracker.nodes() - before;
                    continue;
                }
            }
            self.pending.pop();
            let before = self.tracker.nodes();
            if !self.wins(&node.play(field, placement), depth + 1)? {
                return Ok(Some(placement));
            }
            lost(placement);
            effort = self.tracker.nodes() - before;
        }
        Ok(None)
    }
}
