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
use super::turns::Turns;
use super::used::Names;
use super::wide::canonical;
use super::{SearchFeatures, Unknown};
use crate::solver::tracker::Tracker;

/// The search of a covering position may take this many times the nodes of the longest refutation
/// so far.
const PATIENCE: u64 = 256;

/// The search of a position with ghosts may take this many times as many; larger factors take more
/// nodes.
const GHOST_BUDGET: u64 = 2;

/// Nodes assumed for the longest refutation before the first one, where a node is expected to be
/// lost; a much smaller number gives good covering positions up.
const FIRST: u64 = 20;

/// Once a refutation has taken [`LONG`] nodes, placements on points where one has failed come last;
/// once it has taken [`RACE`], a covering position is raced against the replies (`cover.rs`).
const LONG: u64 = 1_000;
pub(super) const RACE: u64 = 20_000;

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
    history: History<'a>,
    /// The shared nodes above the one that is searched, and how many plies they are from the root.
    path: Vec<(usize, Key)>,
    /// One of them of which another thread has found whether its mover wins: the search goes back
    /// there.
    settled: Option<(usize, bool)>,
}

/// Nodes fewer than this many plies from the root look up all placements in the table before they
/// search one; other nodes do so after a turn that was not enough (`turns.rs`). A search that was
/// resumed may know a winning one.
const LOOK_UP: usize = 3;

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
        if let Some((win, used)) = dominance.get(node, &lives) {
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
        dominance.put(node, &lives, win, nodes, if features.used { self.used } else { Used::ALL });
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
        let result = self.first_winning(node, lives, first, key, depth, lost);
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

    /// Returns the first of the pending placements that wins.
    fn first_winning(
        &mut self,
        node: &Node,
        lives: &Lives,
        first: usize,
        key: Option<Key>,
        depth: usize,
        lost: &mut dyn FnMut(Placement),
    ) -> Result<Found, Unknown> {
        let &Shared { field, table, features, marks, .. } = self.shared;
        let mut looked_up = depth < LOOK_UP;
        if looked_up && let Some(best) = self.known_to_win(node, first) {
            return Ok(Found::Searched(Some(best)));
        }
        let mut lost = Refuted { tell: lost, used: Used::NONE };
        let marks = marks.filter(|_| depth < SHARED);
        let (expects_loss, covers) = (self.expects_loss, features.covers && !field.empty_hand_wins);
        // The nodes of the longest refutation; 0 for none so far.
        let mut effort = 0_u64;
        // The points at which a covering position has been tried.
        let mut tried = 0_u64;
        // The points on which a placement was searched and does not win. Other placements there are
        // tried after those on other points, since placements on one point mostly fail together.
        let mut failed = 0_u64;
        let mut turns = Turns::new(self.shared.turns_from, depth == 0);
        // Whether replies that take nothing may be refuted together; once.
        let mut tries_ghosts = covers && features.ghosts && (node.ghosts == 0 || node.has_ghosts(node.mover as usize));
        // The nodes of the turns that did not win.
        let mut spent = Vec::new();
        while self.pending.len() > first {
            let later = Later { turns: &turns, worse: if effort < LONG { 0 } else { failed } };
            if features.denial {
                // Mostly the first one wins, so the best is picked each time and the rest is not
                // sorted.
                let last = self.pending.len() - 1;
                let pending = self.pending[first..].iter().enumerate();
                let best = if later.is_none() {
                    pending.max_by_key(|&(_, &pending)| packed(pending))
                } else {
                    pending.max_by_key(|&(_, &pending)| later.rank(pending))
                };
                let best = best.map_or(last, |(i, _)| first + i);
                self.pending.swap(best, last);
            }
            if effort > 0 || expects_loss {
                self.leave_to_others(node, first, later, marks);
            }
            let Some(&(_, placement)) = self.pending.last() else { break };
            let Some(turn) = turns.nodes(placement) else {
                turns.next_round();
                continue;
            };
            let longer = features.history && turns.are_first();
            let turn = if longer { turn.max(self.history.took_lately(placement, depth)) } else { turn };
            let leads_to_loss = effort == 0 && !expects_loss;
            let before = self.tracker.nodes();
            let longest = if effort == 0 && expects_loss && features.first_covers { FIRST } else { effort };
            if tries_ghosts && longest > 0 {
                tries_ghosts = false;
                let nodes = longest.saturating_mul(GHOST_BUDGET);
                if self.refutes_points(node, lives, first, nodes, depth + 1, &mut lost)? {
                    effort = effort.max(self.tracker.nodes() - before).max(self.took);
                    continue;
                }
            }
            // What won lately at this ply mostly wins here too, so it is searched itself.
            if covers
                && longest > 0
                && (tried | turns.raced) >> placement.point & 1 == 0
                && !(features.history && self.history.won_lately(placement, depth))
            {
                tried |= 1 << placement.point;
                let mark = marks.map(|marks| marks.mark(node, None, placement.point));
                let raced = if longest < self.shared.race_from {
                    let patience = longest.saturating_mul(PATIENCE);
                    self.expects_loss = false;
                    self.refutes_all(node, first, placement.point, patience, depth + 1, &mut lost)?
                } else {
                    let limits = RaceLimits { longest, turn };
                    self.race(node, first, placement.point, limits, depth + 1, &mut lost)?
                };
                drop(mark);
                match raced {
                    Raced::Refuted(by) => {
                        self.drop_elsewhere(node, lives, first, by, &mut lost);
                        effort = effort.max(self.tracker.nodes() - before).max(self.took);
                        continue;
                    }
                    Raced::Wins(placement) => return Ok(Found::Searched(Some(placement))),
                    Raced::Left(lost) => {
                        failed |= u64::from(lost) << placement.point;
                        continue;
                    }
                    Raced::Aside => {
                        tried &= !(1 << placement.point);
                        turns.raced |= 1 << placement.point;
                        continue;
                    }
                    // Once a reply is refuted, its refutation tells how long this may take.
                    Raced::Nothing if effort == 0 => tried &= !(1 << placement.point),
                    Raced::Nothing => {}
                }
            }
            let mark = marks.map(|marks| marks.mark(node, Some(placement.kind), placement.point));
            // Where one has been tried, covering positions are on.
            if features.alike
                && node.has_hand_to_spare(longest)
                && tried >> placement.point & 1 == 1
                && self.has_several(first, placement.point)
            {
                let nodes = turn.min(longest.saturating_mul(PATIENCE));
                let by = self.refutes_alike(node, first, placement, nodes, depth + 1, &mut lost)?;
                if by.is_some() {
                    self.drop_elsewhere(node, lives, first, by, &mut lost);
                    failed |= 1 << placement.point;
                    effort = effort.max(self.tracker.nodes() - before).max(self.took);
                    continue;
                }
            }
            self.expects_loss = leads_to_loss;
            let wins = self.wins_within(&node.play(field, placement), depth + 1, turn)?;
            drop(mark);
            if features.history && wins != Some(false) {
                spent.push((placement, self.tracker.nodes() - before));
            }
            let Some(wins) = wins else {
                turns.put_aside(placement);
                if !std::mem::replace(&mut looked_up, true)
                    && let Some(best) = self.known_to_win(node, first)
                {
                    return Ok(Found::Searched(Some(best)));
                }
                continue;
            };
            self.pending.pop();
            if !wins {
                self.used.add(placement);
                self.winner_took = self.tracker.nodes() - before;
                for (other, nodes) in spent {
                    if other == placement {
                        self.winner_took += nodes;
                    } else {
                        self.history.fails(other, node.mover as usize, nodes);
                    }
                }
                return Ok(Found::Searched(Some(placement)));
            }
            lost.by(self.used, placement);
            failed |= 1 << placement.point;
            effort = effort.max(self.took);
            if marks.is_some()
                && let Some(known) = key.and_then(|key| table.get(key))
            {
                return Ok(Found::Known(known.win));
            }
        }
        self.used = lost.used;
        Ok(Found::Searched(None))
    }

    /// Picks the next placement: the best pending one that no other thread is searching, if there
    /// is one. Those on points of `worse` come after the others.
    fn leave_to_others(&mut self, node: &Node, first: usize, later: Later<'_>, marks: Option<&Marks>) {
        let Some(marks) = marks else { return };
        let free = |&(_, p): &(i32, Placement)| {
            !marks.is_marked(node, None, p.point) && !marks.is_marked(node, Some(p.kind), p.point)
        };
        let last = self.pending.len() - 1;
        if self.pending.last().is_none_or(free) {
            return;
        }
        let best = (first..last).filter(|&i| free(&self.pending[i])).max_by_key(|&i| later.rank(self.pending[i]));
        if let Some(best) = best {
            self.pending.swap(best, last);
        }
    }
}

/// Placements tried after the others.
#[derive(Clone, Copy)]
struct Later<'a> {
    /// Those that have had their turn come last of all.
    turns: &'a Turns,
    /// The points whose placements come after those on other points.
    worse: u64,
}

impl Later<'_> {
    fn is_none(self) -> bool {
        self.worse == 0 && self.turns.had_none()
    }

    /// Returns the sort key of a pending placement; the highest comes first.
    #[inline]
    fn rank(self, pending: (i32, Placement)) -> i64 {
        let has_turn = i64::from(!self.turns.is_aside(pending.1));
        let better = i64::from(self.worse >> pending.1.point & 1 == 0);
        (has_turn << 60) + (better << 59) + packed(pending)
    }
}

/// Returns score and placement as one number of 48 bits, in the same order.
#[inline]
fn packed((score, Placement { kind, point }): (i32, Placement)) -> i64 {
    i64::from(score) << 16 | i64::from(kind) << 8 | i64::from(point)
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

#[derive(Clone, Copy)]
pub(super) struct RaceLimits {
    /// The nodes of the longest refutation so far, of which the first round has a part.
    pub(super) longest: u64,
    /// The nodes after which no other round begins.
    pub(super) turn: u64,
}

/// The result of trying to refute the placements on a point together.
pub(super) enum Raced {
    /// They all lose, by one search of a position with this virtual pod, or each by itself.
    Refuted(Option<Virtual>),
    /// This one wins.
    Wins(Placement),
    /// The covering position refutes nothing. Some placements are left; true if others were found
    /// to lose.
    Left(bool),
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
