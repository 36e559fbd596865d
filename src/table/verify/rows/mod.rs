//! Checks whole tables independently: derives every value from those of the next positions, a row
//! at a time.
//!
//! For each row and player all actions are gone through once, each for all points of the last pod
//! together. What an action leads to is, for most of these points, one row again, so its keys are
//! read as a whole; captures that depend on the point are looked up one by one. The highest key
//! that an action leads to decides the value ([`keys::Key`]): there are no rounds, no counters and
//! no sets of wins or losses, as the sweeps have them. Which positions exist follows from the board
//! and the legs ([`BoardTables::existing`]), and the index must hold just these.

mod actions;
mod board;
mod captures;
mod held;
mod keys;
mod pushes;
mod store;
#[cfg(test)]
pub(in crate::table) mod tests;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::material::Side;
use crate::position::Game;
use crate::rules::Options;
use crate::solver::{Observer, Phase, Stopped};
use crate::table::index::{Arrangement, Index, Place, Slice, Tier};

use actions::SliceContext;
pub(in crate::table) use board::BoardTables;
use keys::Key;
use store::Keys;
pub(in crate::table) use store::{Stored, Unpacked, in_memory};

/// Rows that a thread takes at a time.
pub(super) const ROWS_PER_TASK: u64 = 1 << 9;

/// Reasons why a check ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Wrong(Wrong),
    Stopped(Stopped),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) place: Place,
    pub(super) to_move: Side,
    pub(super) fault: Fault,
}

/// Disagreement of a table, its index and the evaluator of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The code does not follow from those of the next positions.
    Code { stored: u16, derived: u16 },
    /// The index holds a position that no table has to hold, or the other way round.
    Held {
        /// True if the index holds it.
        by_index: bool,
    },
    /// An action from a position of this row leads to one for which the index has no place.
    NoPlace,
}

struct Check<'a, K> {
    index: &'a Index,
    options: Options,
    /// True if a blocked pod that could shove or kick is not captured (R27).
    pods_escape: bool,
    tables: BoardTables,
    keys: &'a Keys<K>,
}

/// Checks all rows of a table. Returns the number of positions, each counted once. The observer is
/// told of rows.
pub(super) fn check_rows(
    game: &Game,
    index: &Index,
    unpacked: &Unpacked,
    observer: &dyn Observer,
) -> Result<u64, Ended> {
    match (unpacked, index.points()) {
        (Unpacked::Narrow(keys), 0..=16) => Check::new(game, index, keys).run::<16>(observer),
        (Unpacked::Narrow(keys), 17..=40) => Check::new(game, index, keys).run::<40>(observer),
        (Unpacked::Narrow(keys), _) => Check::new(game, index, keys).run::<64>(observer),
        (Unpacked::Wide(keys), _) => Check::new(game, index, keys).run::<64>(observer),
    }
}

impl<'a, K: Key> Check<'a, K> {
    fn new(game: &Game, index: &'a Index, keys: &'a Keys<K>) -> Check<'a, K> {
        let tables = BoardTables::new(game, index.piece_types());
        let options = *game.rules().options();
        let pods_escape = options.moves && options.shoves && options.shove_liberty;
        Check { index, options, pods_escape, tables, keys }
    }

    fn run<const N: usize>(&self, observer: &dyn Observer) -> Result<u64, Ended> {
        let (done, total) = (AtomicU64::new(0), self.index.rows());
        let positions = AtomicU64::new(0);
        for (number, tier) in self.index.tiers().iter().enumerate() {
            (0..tier.rows().div_ceil(ROWS_PER_TASK)).into_par_iter().try_for_each(|chunk| {
                observer.stop().map_or(Ok(()), |stopped| Err(Ended::Stopped(stopped)))?;
                let rows = ROWS_PER_TASK.min(tier.rows() - chunk * ROWS_PER_TASK);
                let checked = self.chunk::<N>(number, chunk * ROWS_PER_TASK, rows).map_err(Ended::Wrong)?;
                positions.fetch_add(checked, Ordering::Relaxed);
                observer.progress(Phase::Verify, done.fetch_add(rows, Ordering::Relaxed) + rows, Some(total));
                Ok(())
            })?;
        }
        Ok(positions.into_inner())
    }

    /// Checks some rows of a tier and returns the number of positions in them.
    fn chunk<const N: usize>(&self, number: usize, first: u64, rows: u64) -> Result<u64, Wrong> {
        let mut seen = 0;
        let mut result = Ok(());
        for_each_slice(&self.index.tiers()[number], first, rows, |slice, first, rows| {
            for mover in Side::BOTH {
                let context = SliceContext::new(self, number, slice, mover);
                for_each_row(self.index, slice, first, rows, |row, fixed| {
                    let (cells, own) = self.tables.existing(slice, fixed);
                    seen += u64::from(own.count_ones());
                    if result.is_ok() {
                        result = self.compare::<N>(number, row, &context, fixed, (mover, cells));
                    }
                });
            }
        });
        result.map(|()| seen)
    }

    /// Compares the keys of a row with those that follow, in all cells of which a position exists;
    /// they must be the cells that the index holds.
    fn compare<const N: usize>(
        &self,
        tier: usize,
        row: u64,
        context: &SliceContext<'_>,
        fixed: &Arrangement,
        (mover, mut cells): (Side, u64),
    ) -> Result<(), Wrong> {
        let wrong =
            |cell: u32, fault| Err(Wrong { place: Place { tier, row, cell: cell as u8 }, to_move: mover, fault });
        let by_index = self.index.cells(context.slice, fixed);
        if cells != by_index {
            let cell = (cells ^ by_index).trailing_zeros();
            return wrong(cell, Fault::Held { by_index: by_index >> cell & 1 == 1 });
        }
        if cells == 0 {
            return Ok(());
        }
        let derived = self.value::<N>(context, fixed, cells);
        if context.missing.get() {
            return wrong(cells.trailing_zeros(), Fault::NoPlace);
        }
        let mut stored = [K::NONE; N];
        self.keys[tier].row(mover, row, &mut stored);
        if keys::same(&derived, &stored, cells) {
            return Ok(());
        }
        while derived[cells.trailing_zeros() as usize] == stored[cells.trailing_zeros() as usize] {
            cells &= cells - 1;
        }
        let cell = cells.trailing_zeros();
        let [stored, derived] = [&stored, &derived].map(|keys| keys[cell as usize].code());
        wrong(cell, Fault::Code { stored, derived })
    }
}

/// Calls `visit` for each slice that has a part in some rows of a tier, with the first row of the
/// part and their number.
pub(super) fn for_each_slice<'a>(tier: &'a Tier, first: u64, rows: u64, mut visit: impl FnMut(&'a Slice, u64, u64)) {
    let (mut at, end) = (first, first + rows);
    while at < end {
        let slice = &tier.slices()[tier.slice_at(at)];
        let next = end.min(slice.first_row() + slice.rows());
        visit(slice, at, next - at);
        at = next;
    }
}

/// Calls `visit` for some rows of a slice, with the number and the pods but the last one.
pub(in crate::table) fn for_each_row(
    index: &Index,
    slice: &Slice,
    first: u64,
    rows: u64,
    mut visit: impl FnMut(u64, &Arrangement),
) {
    let mut fixed = index.unrank(slice, first);
    for row in first..first + rows {
        if row > first {
            index.unrank_next(slice, row, &mut fixed);
        }
        visit(row, &fixed);
    }
}
