//! Shoves and kicks (R22–R25) of the checker: the fate of each pushed pod, for every push along a
//! leg.
//!
//! A push of a fixed pod that leaves the last one alone is one action for all points of the last
//! pod but those that have to be empty. Where the last pod is pushed, the line is looked at again
//! with it on each of its points. A push by the last pod is looked at from its target: which fixed
//! pod it takes the place of, and where it comes from.

use smallvec::SmallVec;

use crate::rules::{Captures, KickGaps};
use crate::table::index::{Arrangement, Placed};
use crate::table::verify::rows::Check;
use crate::table::verify::rows::actions::{Liberties, Row, SliceContext};
use crate::table::verify::rows::board::NOWHERE;
use crate::table::verify::rows::captures::PlayedAction;
use crate::table::verify::rows::keys::{Key, raise};

struct Push {
    /// The point that the pushing pod takes.
    takes: u8,
    empty: u64,
    /// The points that pushed pods leave, each with the one that they are left on.
    pushed: SmallVec<[(u8, u8); 4]>,
}

impl Push {
    /// Returns the pods after it, where one pushes from a point; pods on other points than theirs
    /// are not looked for.
    fn make(&self, pods: &Arrangement, from: Option<u8>) -> Arrangement {
        let mut after = Arrangement::EMPTY;
        for pod in pods.pods() {
            let pushed = self.pushed.iter().find(|(left, _)| *left == pod.point);
            let point = match pushed {
                Some(&(_, to)) => to,
                None if Some(pod.point) == from => self.takes,
                None => pod.point,
            };
            after.insert(Placed { piece_type: pod.piece_type, point });
        }
        after
    }
}

impl<K: Key> Check<'_, K> {
    /// Returns the shoves and kicks of a pod on a point along a leg when these points are occupied.
    fn pushes(&self, from: u8, (direction, long): (usize, bool), occupied: u64) -> SmallVec<[Push; 4]> {
        let near = self.tables.next[direction][from as usize];
        let (mut found, mut run, mut takes) = (SmallVec::new(), 0_u64, near);
        while takes != NOWHERE && occupied >> takes & 1 == 0 {
            if !long || !self.options.shove_after_run {
                return found;
            }
            run |= 1 << takes;
            takes = self.tables.next[direction][takes as usize];
        }
        if takes != NOWHERE {
            found.extend(self.shove(takes, direction, run, occupied));
            if long && takes == near {
                self.kicks(takes, direction, occupied, &mut found);
            }
        }
        found
    }

    fn shove(&self, takes: u8, direction: usize, run: u64, occupied: u64) -> Option<Push> {
        let mut pushed = SmallVec::new();
        let mut at = takes;
        while occupied >> at & 1 == 1 {
            let to = self.tables.next[direction][at as usize];
            if to == NOWHERE {
                return None;
            }
            pushed.push((at, to));
            at = to;
        }
        Some(Push { takes, empty: run | 1 << at, pushed })
    }

    /// Finds the kicks of the pod on a point, but those that are shoves.
    fn kicks(&self, kicked: u8, direction: usize, occupied: u64, found: &mut SmallVec<[Push; 4]>) {
        let (mut at, mut empty) = (kicked, 0);
        loop {
            let to = self.tables.beside[direction][at as usize];
            if to == NOWHERE || occupied >> to & 1 == 1 {
                return;
            }
            empty |= 1 << to;
            let joined = self.tables.next[direction][at as usize] == to;
            if at != kicked || !joined {
                found.push(Push { takes: kicked, empty, pushed: SmallVec::from_slice(&[(kicked, to)]) });
            }
            if !joined && self.options.kick_gaps == KickGaps::LastStep {
                return;
            }
            at = to;
        }
    }

    /// Returns `true` if a pod could leave a point by a shove or a kick of its own (R27).
    pub(super) fn may_push(&self, piece_type: u8, from: u8, occupied: u64) -> bool {
        let legs = &self.tables.views[piece_type as usize].legs;
        legs.iter().any(|&leg| !self.pushes(from, leg, occupied).is_empty())
    }

    /// Evaluates shoves and kicks of the mover's pods but the last one.
    pub(super) fn push_by_fixed<const N: usize>(&self, row: &mut Row<'_, K, N>, last: u8) {
        let views = &self.tables.views[last as usize];
        let liberties = Liberties::new(views, self.tables.all & !row.occupied);
        let mut out = [K::NONE; N];
        for pod in row.fixed.pods().iter().filter(|pod| self.side(pod.piece_type) == row.context.mover) {
            for &leg in &self.tables.views[pod.piece_type as usize].legs {
                for push in self.pushes(pod.point, leg, row.occupied) {
                    let want = row.cells & !row.won & !push.empty;
                    if want == 0 {
                        continue;
                    }
                    let fixed = push.make(row.fixed, Some(pod.point));
                    // One point more is held, and the one that the pushing pod leaves is free.
                    let held = (fixed.occupied() & !row.occupied).trailing_zeros() as u8;
                    let stuck = liberties.none_with(views, held) & !views.near_of[pod.point as usize];
                    let won = self.settle(&self.pushed(row.context, &fixed, last, stuck), want, &mut out);
                    row.won |= won;
                    raise(&mut row.best, &out, want & !won);
                }
                let mut cell = self.tables.next[leg.0][pod.point as usize];
                while cell != NOWHERE {
                    if row.cells & !row.won & !row.occupied & 1 << cell != 0 {
                        self.push_last(row, last, pod.point, leg, cell);
                    }
                    cell = self.tables.next[leg.0][cell as usize];
                }
            }
        }
    }

    /// Evaluates shoves and kicks of a pod along a leg that push the last one off a point.
    fn push_last<const N: usize>(&self, row: &mut Row<'_, K, N>, last: u8, from: u8, leg: (usize, bool), cell: u8) {
        for push in self.pushes(from, leg, row.occupied | 1 << cell) {
            if let Some(&(_, to)) = push.pushed.iter().find(|(left, _)| *left == cell) {
                let fixed = push.make(row.fixed, Some(from));
                self.single(row, last, &fixed, to, 1 << cell);
            }
        }
    }

    /// Evaluates shoves and kicks of the last pod, which is the mover's.
    pub(super) fn push_by_last<const N: usize>(&self, row: &mut Row<'_, K, N>, last: u8) {
        for &(direction, long) in &self.tables.views[last as usize].legs {
            let back = &self.tables.next[direction ^ 4];
            for target in row.fixed.pods() {
                let near = back[target.point as usize];
                let (mut sources, mut at) = (0_u64, near);
                while at != NOWHERE && row.occupied >> at & 1 == 0 {
                    sources |= 1 << at;
                    if !long || !self.options.shove_after_run {
                        break;
                    }
                    at = back[at as usize];
                }
                if row.cells & !row.won & sources == 0 {
                    continue;
                }
                // What it takes from the point next to the pod: of that, shoves can come from
                // farther off.
                for push in self.pushes(near, (direction, long), row.occupied) {
                    let shoves = self.tables.next[direction][target.point as usize] == push.pushed[0].1;
                    let from = row.cells & !row.won & if shoves { sources } else { 1 << near };
                    if from != 0 {
                        let fixed = push.make(row.fixed, None);
                        self.single(row, last, &fixed, push.takes, from);
                    }
                }
            }
        }
    }

    /// Raises the keys of some cells to that of the position with these fixed pods and the last one
    /// on a point.
    fn single<const N: usize>(&self, row: &mut Row<'_, K, N>, last: u8, fixed: &Arrangement, at: u8, cells: u64) {
        let blocked = self.tables.views[last as usize].near[at as usize] & !fixed.occupied() == 0;
        let mut out = [K::NONE; N];
        if self.settle(&self.pushed(row.context, fixed, last, u64::from(blocked) << at), 1 << at, &mut out) != 0 {
            row.won |= cells;
            return;
        }
        let mut cells = cells;
        while cells != 0 {
            let best = &mut row.best[cells.trailing_zeros() as usize];
            *best = (*best).max(out[at as usize]);
            cells &= cells - 1;
        }
    }

    /// Makes a push: like a move, it leaves the hand as it is.
    fn pushed<'m>(
        &self,
        context: &'m SliceContext<'_>,
        fixed: &'m Arrangement,
        last: u8,
        stuck: u64,
    ) -> PlayedAction<'m> {
        PlayedAction {
            mover: context.mover,
            tier: context.tier,
            hand: context.hand,
            fixed,
            piece_type: last,
            stuck,
            captures: self.options.captures != Captures::Never,
            missing: &context.missing,
        }
    }
}
