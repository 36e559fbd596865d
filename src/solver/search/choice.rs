//! Choice of the placement of a node that is searched next, and attempts to refute several at once.

use super::Unknown;
use super::cover::PATIENCE;
use super::negamax::{CoverLimits, Found, Listed, Raced, Refuted, Worker};
use super::node::{Placement, Used};
use super::sharing::{Marks, SHARED};
use super::turns::Turns;

/// The search of a position with ghosts may take this many times as many; larger factors take more
/// nodes.
const GHOST_BUDGET: u64 = 2;

/// Nodes assumed for the longest refutation before the first one, where a node is expected to be
/// lost; a much smaller number gives good covering positions up.
const FIRST: u64 = 20;

/// Nodes of a refutation from which on placements on points where one has failed come last.
const LONG: u64 = 1_000;

/// Nodes of a refutation from which on a covering position is raced against the replies
/// (`cover.rs`).
pub(super) const RACE: u64 = 20_000;

/// Plies from the root within which a node looks up all placements in the table before it searches
/// one; other nodes do so after a turn that was not enough (`turns.rs`). A search that was resumed
/// may know a winning one.
const LOOK_UP: usize = 3;

/// The search of a node's placements so far.
struct SoFar<'l> {
    turns: Turns,
    /// The nodes of the longest refutation; 0 for none so far.
    effort: u64,
    /// True if the node is expected to be lost.
    expects_loss: bool,
    /// The points at which a covering position has been tried.
    tried: u64,
    /// The points on which a placement was searched and does not win. Other placements there are
    /// tried after those on other points, since placements on one point mostly fail together.
    failed: u64,
    /// True while replies that take nothing may be refuted together; once.
    tries_ghosts: bool,
    /// True once all placements were looked up.
    looked_up: bool,
    /// The nodes of the turns that did not win.
    spent: Vec<(Placement, u64)>,
    lost: Refuted<'l>,
}

impl SoFar<'_> {
    /// Notes the nodes of a refutation.
    fn note_effort(&mut self, nodes: u64) {
        self.effort = self.effort.max(nodes);
    }
}

/// A placement that is searched next.
#[derive(Clone, Copy)]
struct Next {
    placement: Placement,
    /// The nodes that it may take.
    turn: u64,
    /// The nodes of the longest refutation, or of one that is expected; 0 for none.
    longest: u64,
    /// The nodes of the search before it.
    before: u64,
}

/// The result of trying a placement, or several.
enum Tried {
    /// Nothing was found out.
    Nothing,
    /// Some are refuted, or put aside.
    Some,
    /// The node is decided.
    All(Found),
}

impl<'a> Worker<'a> {
    /// Returns the first of the pending placements that wins; calls `lost` with those that lose.
    pub(super) fn first_winning(&mut self, at: Listed<'_>, lost: &mut dyn FnMut(Placement)) -> Result<Found, Unknown> {
        let features = self.shared.features;
        let mover = at.node.mover as usize;
        let mut so_far = SoFar {
            turns: Turns::new(self.shared.turns_from, at.depth == 0),
            effort: 0,
            expects_loss: self.expects_loss,
            tried: 0,
            failed: 0,
            tries_ghosts: self.covers() && features.ghosts && (at.node.ghosts == 0 || at.node.has_ghosts(mover)),
            looked_up: at.depth < LOOK_UP,
            spent: Vec::new(),
            lost: Refuted { tell: lost, used: Used::NONE },
        };
        if so_far.looked_up
            && let Some(best) = self.known_to_win(at.node, at.first)
        {
            return Ok(Found::Searched(Some(best)));
        }
        while self.pending.len() > at.first {
            let placement = self.choose(at, &so_far);
            let Some(turn) = so_far.turns.nodes(placement) else {
                so_far.turns.next_round();
                continue;
            };
            let longer = features.history && so_far.turns.are_first();
            let turn = if longer { turn.max(self.history.took_lately(placement, at.depth)) } else { turn };
            let is_first = so_far.effort == 0 && so_far.expects_loss && features.first_covers;
            let longest = if is_first { FIRST } else { so_far.effort };
            let next = Next { placement, turn, longest, before: self.tracker.nodes() };
            let mut tried = self.try_ghosts(at, &mut so_far, next)?;
            if matches!(tried, Tried::Nothing) {
                tried = self.try_cover(at, &mut so_far, next)?;
            }
            if matches!(tried, Tried::Nothing) {
                tried = self.try_one(at, &mut so_far, next)?;
            }
            if let Tried::All(found) = tried {
                return Ok(found);
            }
        }
        self.used = so_far.lost.used;
        Ok(Found::Searched(None))
    }

    /// Returns the nodes that the last refutation took: those since there were `before`, or as many
    /// as it took when the table learnt of it.
    pub(super) fn effort_since(&self, before: u64) -> u64 {
        self.took.max(self.tracker.nodes() - before)
    }

    /// Returns `true` if covering positions may refute several placements here.
    fn covers(&self) -> bool {
        self.shared.features.covers && !self.shared.field.empty_hand_wins
    }

    /// Returns the marks of nodes that several threads share, if this is one.
    fn marks(&self, at: Listed<'_>) -> Option<&'a Marks> {
        self.shared.marks.filter(|_| at.depth < SHARED)
    }

    /// Puts the placement that comes next last among the pending ones, and returns it.
    #[inline]
    fn choose(&mut self, at: Listed<'_>, so_far: &SoFar<'_>) -> Placement {
        let later = Later { turns: &so_far.turns, worse: if so_far.effort < LONG { 0 } else { so_far.failed } };
        let last = self.pending.len() - 1;
        if self.shared.features.denial {
            // Mostly the first one wins, so the best is picked each time and the rest is not sorted.
            let pending = self.pending[at.first..].iter().enumerate();
            let best = if later.is_none() {
                pending.max_by_key(|&(_, &pending)| packed(pending))
            } else {
                pending.max_by_key(|&(_, &pending)| later.rank(pending))
            };
            let best = best.map_or(last, |(i, _)| at.first + i);
            self.pending.swap(best, last);
        }
        if so_far.effort > 0 || so_far.expects_loss {
            self.leave_to_others(at, later);
        }
        self.pending[last].1
    }

    /// Tries, once, to refute the replies that take nothing together.
    fn try_ghosts(&mut self, at: Listed<'_>, so_far: &mut SoFar<'_>, next: Next) -> Result<Tried, Unknown> {
        if !so_far.tries_ghosts || next.longest == 0 {
            return Ok(Tried::Nothing);
        }
        so_far.tries_ghosts = false;
        let nodes = next.longest.saturating_mul(GHOST_BUDGET);
        if !self.refutes_points(at.node, at.lives, at.first, nodes, at.depth + 1, &mut so_far.lost)? {
            return Ok(Tried::Nothing);
        }
        so_far.note_effort(self.effort_since(next.before));
        Ok(Tried::Some)
    }

    /// Tries to refute all placements on the point of one, by a covering position.
    fn try_cover(&mut self, at: Listed<'_>, so_far: &mut SoFar<'_>, next: Next) -> Result<Tried, Unknown> {
        let Next { placement, turn, longest, before } = next;
        let point = placement.point;
        // What won lately at this ply mostly wins here too, so it is searched itself.
        if !self.covers()
            || longest == 0
            || (so_far.tried | so_far.turns.raced) >> point & 1 == 1
            || (self.shared.features.history && self.history.won_lately(placement, at.depth))
        {
            return Ok(Tried::Nothing);
        }
        so_far.tried |= 1 << point;
        let mark = self.marks(at).map(|marks| marks.mark(at.node, None, point));
        let all = self.pending.len();
        // A search that goes on from a table knows most replies near its root.
        let known = if longest < self.shared.race_from {
            None
        } else {
            self.drop_known(at.node, at.first, point, &mut so_far.lost)
        };
        let raced = if let Some(wins) = known {
            self.winner_took = 0;
            Raced::Wins(wins)
        } else {
            let limits = CoverLimits { longest, turn };
            self.refutes_all(at.node, at.first, point, limits, at.depth + 1, &mut so_far.lost)?
        };
        drop(mark);
        match raced {
            Raced::Refuted(by) => {
                self.drop_elsewhere(at.node, at.lives, at.first, by, &mut so_far.lost);
                so_far.note_effort(self.effort_since(before));
            }
            Raced::Wins(placement) => return Ok(Tried::All(Found::Searched(Some(placement)))),
            Raced::Left | Raced::Nothing if self.pending.len() < all => so_far.failed |= 1 << point,
            Raced::Left => {}
            Raced::Aside => {
                so_far.tried &= !(1 << point);
                so_far.turns.raced |= 1 << point;
            }
            Raced::Nothing => {
                // Once a reply is refuted, its refutation tells how long this may take.
                if so_far.effort == 0 {
                    so_far.tried &= !(1 << point);
                }
                return Ok(Tried::Nothing);
            }
        }
        Ok(Tried::Some)
    }

    /// Searches a placement: with those alike, if that refutes them all, or else by itself.
    fn try_one(&mut self, at: Listed<'_>, so_far: &mut SoFar<'_>, next: Next) -> Result<Tried, Unknown> {
        let Next { placement, turn, longest, before } = next;
        let features = self.shared.features;
        let mark = self.marks(at).map(|marks| marks.mark(at.node, Some(placement.kind), placement.point));
        // Where one has been tried, covering positions are on.
        if features.alike
            && at.node.has_hand_to_spare(longest)
            && so_far.tried >> placement.point & 1 == 1
            && self.has_several(at.first, placement.point)
        {
            let nodes = turn.min(longest.saturating_mul(PATIENCE));
            let by = self.refutes_alike(at.node, at.first, placement, nodes, at.depth + 1, &mut so_far.lost)?;
            if by.is_some() {
                self.drop_elsewhere(at.node, at.lives, at.first, by, &mut so_far.lost);
                so_far.failed |= 1 << placement.point;
                so_far.note_effort(self.effort_since(before));
                return Ok(Tried::Some);
            }
        }
        self.expects_loss = so_far.effort == 0 && !so_far.expects_loss;
        let wins = self.wins_within(&at.node.play(self.shared.field, placement), at.depth + 1, turn)?;
        drop(mark);
        if features.history && wins != Some(false) {
            so_far.spent.push((placement, self.tracker.nodes() - before));
        }
        let Some(wins) = wins else {
            so_far.turns.put_aside(placement);
            if !std::mem::replace(&mut so_far.looked_up, true)
                && let Some(best) = self.known_to_win(at.node, at.first)
            {
                return Ok(Tried::All(Found::Searched(Some(best))));
            }
            return Ok(Tried::Some);
        };
        self.pending.pop();
        if !wins {
            self.note_winner(at, so_far, next);
            return Ok(Tried::All(Found::Searched(Some(placement))));
        }
        so_far.lost.by(self.used, placement);
        so_far.failed |= 1 << placement.point;
        so_far.note_effort(self.took);
        if self.marks(at).is_some()
            && let Some(known) = at.key.and_then(|key| self.shared.table.get(key))
        {
            return Ok(Tried::All(Found::Known(known.win)));
        }
        Ok(Tried::Some)
    }

    /// Notes the placement that wins, its nodes, and those that were spent on others.
    fn note_winner(&mut self, at: Listed<'_>, so_far: &SoFar<'_>, next: Next) {
        self.used.add(next.placement);
        self.winner_took = self.tracker.nodes() - next.before;
        for &(other, nodes) in &so_far.spent {
            if other == next.placement {
                self.winner_took += nodes;
            } else {
                self.history.fails(other, at.node.mover as usize, nodes);
            }
        }
    }

    /// Picks the next placement: the best pending one that no other thread is searching, if there
    /// is one, in the order of `later`.
    fn leave_to_others(&mut self, at: Listed<'_>, later: Later<'_>) {
        let Listed { node, first, .. } = at;
        let Some(marks) = self.marks(at) else { return };
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
