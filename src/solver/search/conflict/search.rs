//! The search of a game of fixed conflicts. Counting, weighing, the mirror or the table decide a
//! sum of regions; else its placements are tried.

use crate::geometry::MAX_POINTS;
use crate::solver::search::conflict::regions::Namer;
use crate::solver::search::conflict::{Conflicts, Sum};
use crate::solver::search::field::bits;
use crate::solver::search::key::Key;
use crate::solver::search::table::{Known, Table};
use crate::solver::search::used::ALL_USED;
use crate::solver::search::{SearchFeatures, Unknown};

/// Regions of up to this many points are searched by themselves for their walls.
const SMALL: u32 = 10;

/// The search of one game of fixed conflicts.
pub(in crate::solver::search) struct ConflictSearch<'a> {
    conflicts: &'a Conflicts,
    table: &'a Table,
    features: SearchFeatures,
    namer: Namer,
    nodes: u64,
    /// Counts a node; an error ends the search.
    tick: &'a mut dyn FnMut() -> Result<(), Unknown>,
}

impl<'a> ConflictSearch<'a> {
    pub(in crate::solver::search) fn new(
        conflicts: &'a Conflicts,
        table: &'a Table,
        features: SearchFeatures,
        tick: &'a mut dyn FnMut() -> Result<(), Unknown>,
    ) -> ConflictSearch<'a> {
        ConflictSearch {
            conflicts,
            table,
            features,
            namer: Namer::new(conflicts.field.points.count_ones(), features.walls.then_some(SMALL)),
            nodes: 0,
            tick,
        }
    }

    /// Returns `true` if the side to move is known to lose from these sets, without any search.
    pub(in crate::solver::search) fn loses_at_sight(&mut self, sets: [u64; 2], mover: usize) -> bool {
        self.known(self.conflicts.contested(sets, 0), mover) == Ok(false)
    }

    /// Returns `true` if the side to move wins from these sets.
    pub(in crate::solver::search) fn wins(&mut self, sets: [u64; 2], mover: usize) -> Result<bool, Unknown> {
        let sum = self.conflicts.contested(sets, 0);
        self.sum_wins(sum, mover)
    }

    fn sum_wins(&mut self, sum: Sum, mover: usize) -> Result<bool, Unknown> {
        (self.tick)()?;
        self.nodes += 1;
        match self.known(sum, mover) {
            Ok(win) => Ok(win),
            Err((sum, key)) => self.search(sum, mover, key),
        }
    }

    /// Returns `true` if the mover wins, by counting, weighing, the mirror or the table; else the
    /// rest of the position, and its key.
    fn known(&mut self, sum: Sum, mover: usize) -> Result<bool, (Sum, Key)> {
        if let Some(win) = self.decided(sum, mover) {
            return Ok(win);
        }
        self.namer.take_apart(self.conflicts, sum.sets, self.features.regions);
        if let Some(win) = self.told_by_walls(sum, mover) {
            return Ok(win);
        }
        let (rest, key) = self.namer.reduced(self.conflicts, sum, mover);
        if rest != sum
            && let Some(win) = self.told_by_walls(rest, mover).or_else(|| self.decided(rest, mover))
        {
            return Ok(win);
        }
        self.table.get(key).map(|known| known.win).ok_or((rest, key))
    }

    /// Returns `true` if the mover wins the position that was taken apart last; `None` if the walls
    /// do not tell.
    fn told_by_walls(&self, sum: Sum, mover: usize) -> Option<bool> {
        if self.features.walls { self.namer.decided(sum.surplus, mover) } else { None }
    }

    /// Returns `true` if the mover wins; `None` if counting, weighing and the mirror do not tell.
    fn decided(&self, sum: Sum, mover: usize) -> Option<bool> {
        // As the mover sees it.
        let surplus = if mover == 0 { sum.surplus } else { -sum.surplus };
        let (mine, theirs) = (sum.sets[mover], sum.sets[1 - mover]);
        if mine == 0 {
            return Some(surplus > 0);
        }
        if surplus >= theirs.count_ones() as i32 {
            return Some(true);
        }
        if -surplus >= mine.count_ones() as i32 {
            return Some(false);
        }
        let SearchFeatures { weighing, mirror, .. } = self.features;
        if weighing && self.conflicts.outweighs(sum, mover) {
            return Some(true);
        }
        let lost =
            weighing && self.conflicts.is_outweighed(sum, mover) || mirror && self.conflicts.mirrored(sum, mover);
        lost.then_some(false)
    }

    fn search(&mut self, sum: Sum, mover: usize, key: Key) -> Result<bool, Unknown> {
        let before = self.nodes;
        let win = self.try_all(sum, mover)?;
        self.table.put(key, Known { win, best: None, used: ALL_USED }, self.nodes - before + 1);
        Ok(win)
    }

    fn try_all(&mut self, sum: Sum, mover: usize) -> Result<bool, Unknown> {
        let sign = if mover == 0 { 1 } else { -1 };
        let mut moves = [(0_i32, Sum { sets: [0; 2], surplus: 0 }, Key::START); MAX_POINTS];
        let mut count = 0;
        let tried = if self.features.inferior { self.conflicts.superior(sum.sets, mover) } else { sum.sets[mover] };
        for p in bits(tried) {
            let next = self.conflicts.after(sum, mover, p);
            // A next position that is known to be lost ends the matter before any search.
            match self.known(next, 1 - mover) {
                Ok(false) => return Ok(true),
                Ok(true) => {}
                Err((next, key)) => {
                    let mine = next.sets[mover].count_ones() as i32;
                    let theirs = next.sets[1 - mover].count_ones() as i32;
                    moves[count] = (4 * sign * next.surplus + mine - 4 * theirs, next, key);
                    count += 1;
                }
            }
        }
        moves[..count].sort_by_key(|(score, ..)| -score);
        for &(_, next, key) in &moves[..count] {
            (self.tick)()?;
            self.nodes += 1;
            // The table may have learned it since.
            let win = match self.table.get(key) {
                Some(known) => known.win,
                None => self.search(next, 1 - mover, key)?,
            };
            if !win {
                return Ok(true);
            }
        }
        // A free point, last: it is needed only where the rest is a number.
        if sign * sum.surplus > 0 {
            return Ok(!self.sum_wins(Sum { surplus: sum.surplus - sign, ..sum }, 1 - mover)?);
        }
        Ok(false)
    }
}
