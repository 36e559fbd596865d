//! The search itself: who wins, by depth-first search with bounds, a table, and ordering by denial.

use super::bounds::Lives;
use super::canonical::whole;
use super::counting::decided;
use super::dominance::Dominance;
use super::field::Field;
use super::history::{Counts, History};
use super::key::Key;
use super::node::{Node, Placement, Used, Virtual, placements};
use super::order::{Weights, ordered};
use super::sharing::{Marks, SHARED};
use super::table::{Known, Table};
use super::used::Names;
use super::wide::canonical;
use super::{SearchFeatures, Unknown};
use crate::solver::tracker::Tracker;

/// State shared by all threads of a search.
pub(super) struct Shared<'a> {
    pub(super) field: &'a Field,
    pub(super) table: &'a Table,
    pub(super) dominance: &'a Dominance,
    pub(super) features: SearchFeatures,
    /// From how many nodes of the longest refutation on a covering position is raced against the
    /// replies.
    pub(super) race_from: u64,
    /// The nodes of the first turn of a placement (`turns.rs`).
    pub(super) turns_from: u64,
    /// Marks of what the threads are searching, if there are several.
    pub(super) marks: Option<&'a Marks>,
    /// Wins and failures so far.
    pub(super) counts: Counts,
}

/// A search by one thread.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    /// True if the node searched next is expected to be lost (`sharing.rs`).
    pub(super) expects_loss: bool,
    /// Nodes of the last node searched: now, or when the table learnt of it, rounded down to a
    /// power of two.
    pub(super) took: u64,
    /// The points and kinds that the winner of the last node searched uses (`used.rs`).
    pub(super) used: Used,
    pub(super) tracker: Tracker<'a>,
    pub(super) pending: Vec<(i32, Placement)>,
    /// The nodes of the placement that has won last, without those that were spent on others; in a
    /// race, those of its last try.
    pub(super) winner_took: u64,
    weights: Weights,
    pub(super) history: History<'a>,
    /// The shared nodes above the one that is searched, and how many plies they are from the root.
    path: Vec<(usize, Key)>,
    /// One of them of which another thread has found whether its mover wins: the search goes back
    /// there.
    settled: Option<(usize, bool)>,
}

/// Nodes between two looks whether another thread has settled a node above. Small searches look too
/// in tests.
const LOOK: u64 = if cfg!(test) { 2 } else { 1 << 8 };

/// Number of such cases.
#[cfg(test)]
pub(super) static SETTLED_ABOVE: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, tracker: Tracker<'a>) -> Worker<'a> {
        Worker {
            shared,
            expects_loss: false,
            took: 0,
            used: Used::ALL,
            tracker,
            pending: Vec::new(),
            winner_took: 0,
            weights: Weights::default(),
            history: History::new(&shared.counts),
            path: Vec::new(),
            settled: None,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.tracker.nodes()
    }

    /// Returns `true` if the mover wins; `depth` counts the plies from the root.
    pub(super) fn wins(&mut self, node: &Node, depth: usize) -> Result<bool, Unknown> {
        let &Shared { field, table, dominance, features, .. } = self.shared;
        self.tracker.tick()?;
        if !self.path.is_empty() && self.tracker.nodes().is_multiple_of(LOOK) {
            self.look_above()?;
        }
        self.took = 1;
        let expects_loss = self.expects_loss;
        if let Some(winner) = node.won_by_hand(field) {
            self.used = Used::ALL;
            return Ok(winner == node.mover as usize);
        }
        let lives = Lives::new(field, node);
        let passes = node.can_pass();
        if lives.open[node.mover as usize].any == 0 && !passes {
            self.used = Used::NONE;
            return Ok(false);
        }
        if features.bounds
            && let Some((win, used)) = decided(field, node, &lives)
        {
            self.used = used;
            return Ok(win);
        }
        let mut names = Names::default();
        let key = self.key(node, &lives, &mut names);
        if let Some((known, nodes)) = table.find(key) {
            self.took = nodes;
            self.used = self.used_by(node, &lives, &names, known);
            return Ok(known.win);
        }
        if let Some((win, used)) = dominance.get(field, node, &lives) {
            self.used = used;
            return Ok(win);
        }
        let mut against_pass = Used::NONE;
        let before = self.tracker.nodes();
        if passes {
            self.expects_loss = false;
            if !self.wins(&node.pass(), depth + 1)? {
                let nodes = self.tracker.nodes() - before + 1;
                self.took = nodes;
                let used = self.word(node, &lives, &names, true);
                table.put(key, Known { win: true, best: None, used }, nodes);
                return Ok(true);
            }
            against_pass = self.used;
        }
        self.expects_loss = expects_loss;
        let best = self.winning(node, &lives, Some(key), depth, &mut |_| {})?;
        let nodes = self.tracker.nodes() - before + 1;
        self.took = nodes;
        let best = match best {
            Found::Searched(best) => best,
            Found::Known(win) => {
                self.used = Used::ALL;
                return Ok(win);
            }
        };
        let win = best.is_some();
        if !win {
            self.used.join(against_pass);
        }
        let used = self.word(node, &lives, &names, win);
        table.put(key, Known { win, best, used }, nodes);
        dominance.put(field, node, &lives, win, nodes, if features.used { self.used } else { Used::ALL });
        Ok(win)
    }

    /// Returns the key of a position, and sets its `names`; `lives` are its pairs.
    #[inline]
    pub(super) fn key(&self, node: &Node, lives: &Lives, names: &mut Names) -> Key {
        let &Shared { field, features, .. } = self.shared;
        if features.canonical { canonical(field, node, lives, features.nameless, names) } else { whole(node) }
    }

    /// Returns a winning placement of an unfinished position, if there is one; calls `lost` with
    /// each placement that loses, as soon as that is known. With the node's `key`, the search also
    /// ends when another thread has meanwhile found who wins the node.
    pub(super) fn winning(
        &mut self,
        node: &Node,
        lives: &Lives,
        key: Option<Key>,
        depth: usize,
        lost: &mut dyn FnMut(Placement),
    ) -> Result<Found, Unknown> {
        let field = self.shared.field;
        let first = self.pending.len();
        let [mine, theirs] = [node.mover as usize, 1 - node.mover as usize].map(|side| &lives.open[side]);
        if self.shared.features.denial {
            ordered(field, node, mine, theirs, &mut self.weights, &mut self.pending);
        } else {
            self.pending.extend(placements(mine).map(|p| (0, p)));
        }
        let begun = self.tracker.nodes();
        if self.shared.features.history {
            self.history.begin(depth);
            self.history.add_to(&mut self.pending[first..], node.mover as usize, depth);
        }
        let above = self.path.len();
        if self.shared.marks.is_some() && depth < SHARED {
            self.path.extend(key.map(|key| (depth, key)));
        }
        let result = self.first_winning(Listed { node, lives, key, first, depth }, lost);
        if self.shared.features.history
            && let Ok(Found::Searched(Some(best))) = result
        {
            let nodes = (self.tracker.nodes() - begun).max(1);
            self.history.wins(best, node.mover as usize, depth, nodes, self.winner_took);
        }
        self.path.truncate(above);
        self.pending.truncate(first);
        match self.settled {
            Some((at, win)) if at == depth && result == Err(Unknown::Interrupted) => {
                self.settled = None;
                #[cfg(test)]
                SETTLED_ABOVE.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                Ok(Found::Known(win))
            }
            _ => result,
        }
    }

    /// Looks for a node above that another thread has settled. If there is one, all nodes up to it
    /// return as if they were interrupted.
    #[cold]
    fn look_above(&mut self) -> Result<(), Unknown> {
        let table = self.shared.table;
        self.settled = self.path.iter().find_map(|&(depth, key)| Some((depth, table.get(key)?.win)));
        if self.settled.is_some() { Err(Unknown::Interrupted) } else { Ok(()) }
    }
}

/// A node whose placements are searched.
#[derive(Clone, Copy)]
pub(super) struct Listed<'n> {
    pub(super) node: &'n Node,
    /// Its pairs.
    pub(super) lives: &'n Lives,
    /// Its key, if other threads may find who wins it.
    pub(super) key: Option<Key>,
    /// The place of its first placement among those that are pending.
    pub(super) first: usize,
    /// Plies from the root.
    pub(super) depth: usize,
}

/// The placements of a node that lose, as they are found.
pub(super) struct Refuted<'a> {
    pub(super) tell: &'a mut dyn FnMut(Placement),
    /// The points and kinds that the other side uses against them.
    pub(super) used: Used,
}

impl Refuted<'_> {
    /// Notes a placement, and what the other side uses against it.
    pub(super) fn by(&mut self, used: Used, placement: Placement) {
        self.used.join(used);
        (self.tell)(placement);
    }
}

/// Limits of a try to refute the placements on a point together (`cover.rs`).
#[derive(Clone, Copy)]
pub(super) struct CoverLimits {
    /// The nodes of the longest refutation so far, or of one that is expected.
    pub(super) longest: u64,
    /// The nodes after which no other round of a race begins.
    pub(super) turn: u64,
}

/// The result of trying to refute the placements on a point together.
pub(super) enum Raced {
    /// They all lose, by one search of a position with this virtual pod, or each by itself.
    Refuted(Option<Virtual>),
    /// This one wins.
    Wins(Placement),
    /// The covering position refutes nothing, and some placements are left.
    Left,
    /// The nodes of this turn did not suffice.
    Aside,
    /// Nothing was found out.
    Nothing,
}

/// The result of searching a node's placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The placement that wins, if one does.
    Searched(Option<Placement>),
    /// True if the mover wins, as another thread has found.
    Known(bool),
}
