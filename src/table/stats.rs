//! Statistics of a table, tier by tier.

use rayon::prelude::*;

use crate::files::record;
use crate::geometry::PointSet;
use crate::material::Side;
use crate::position::Position;
use crate::solver::{Plies, Value};
use crate::table::error::TableError;
use crate::table::index::{Index, Place, TierSide, count_cells, for_each_row};
use crate::table::probe::Table;
use crate::table::storage::{Cursor, value_of};

record! {
    /// The columns of an export of a table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ExportRecord {
        /// The position's one text: rows from the top, side to move, hands, -. Left out are those
        /// that an empty hand has won, open ones, and, where captures follow every action, those
        /// with blocked pods where no action leads to one.
        pub position: String,
        /// Value with best play, for the side to move (R33): `win`, `draw` or `loss`.
        pub value: &'static str,
        /// Single actions to the end with best play; empty for a draw.
        pub plies: Option<Plies>,
    }
}

/// Numbers of positions by value, with one player to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won positions.
    pub wins: u64,
    /// Lost positions.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// The place of a win of the longest distance: the first of them.
    pub longest_win: Option<(Plies, Place)>,
    /// The place of a loss of the longest distance: the first of them.
    pub longest_loss: Option<(Plies, Place)>,
    /// Positions by code: draws, then losses in 0 plies, wins in 1, losses in 2 and so on.
    pub by_code: Vec<u64>,
}

impl Counts {
    fn add(&mut self, code: u16, place: Place) {
        let longer = |best: &mut Option<(Plies, Place)>, plies| {
            if best.is_none_or(|(most, at)| plies > most || plies == most && place < at) {
                *best = Some((plies, place));
            }
        };
        match value_of(code) {
            Value::Draw => self.draws += 1,
            Value::Win(plies) => {
                self.wins += 1;
                longer(&mut self.longest_win, plies);
            }
            Value::Loss(plies) => {
                self.losses += 1;
                longer(&mut self.longest_loss, plies);
            }
        }
        let code = usize::from(code);
        if self.by_code.len() <= code {
            self.by_code.resize(code + 1, 0);
        }
        self.by_code[code] += 1;
    }

    /// Returns these counts and others together.
    #[must_use]
    pub fn plus(mut self, other: &Counts) -> Counts {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        for (mine, theirs) in [(&mut self.longest_win, other.longest_win), (&mut self.longest_loss, other.longest_loss)]
        {
            // Longer first; among equals the earlier place, whatever the order of adding.
            *mine = (*mine).into_iter().chain(theirs).min_by_key(|&(plies, place)| (std::cmp::Reverse(plies), place));
        }
        if self.by_code.len() < other.by_code.len() {
            self.by_code.resize(other.by_code.len(), 0);
        }
        self.by_code.iter_mut().zip(&other.by_code).for_each(|(mine, theirs)| *mine += theirs);
        self
    }

    #[must_use]
    pub(crate) fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

/// Returns the number of positions that a table holds, both sides to move: all of the index but
/// those with blocked pods where no action leads to one.
#[must_use]
pub fn held(index: &Index) -> u64 {
    let of_tier = |tier| count_cells(index, tier, |slice, fixed| index.own_cells(slice, fixed));
    2 * index.tiers().iter().map(of_tier).sum::<u64>()
}

impl Table {
    /// Returns the counts of a tier, with White and with Black to move. Each position counts once.
    /// `done` is told the rows of each block that is counted.
    ///
    /// # Errors
    ///
    /// If the table has no distances, or a block is damaged.
    pub(crate) fn counts(&self, tier: usize, done: &(dyn Fn(u64) + Sync)) -> Result<[Counts; 2], TableError> {
        let of_block = |cursor: &mut Cursor, block: usize| {
            let mut counts = [Counts::default(), Counts::default()];
            for (place, codes) in self.block(cursor, tier, block)? {
                counts.iter_mut().zip(codes).for_each(|(counts, code)| counts.add(code, place));
            }
            let rows = self.source().block_rows().rows(self.index(), tier, block);
            done(rows.end - rows.start);
            Ok::<_, TableError>(counts)
        };
        let none = || [Counts::default(), Counts::default()];
        (0..self.source().block_rows().count(self.index(), tier))
            .into_par_iter()
            .map_init(|| Cursor::new(1), of_block)
            .try_reduce(none, |[white, black], [more_white, more_black]| {
                Ok([white.plus(&more_white), black.plus(&more_black)])
            })
    }

    /// Calls `visit` with every position that is held of a tier, by rising place, White to move
    /// before Black, and its value, as long as it returns true.
    ///
    /// # Errors
    ///
    /// If the table has no distances, or a block is damaged.
    pub fn for_each(&self, tier: usize, visit: &mut dyn FnMut(Position, Value) -> bool) -> Result<(), TableError> {
        let mut cursor = Cursor::new(1);
        for block in 0..self.source().block_rows().count(self.index(), tier) {
            for (place, codes) in self.block(&mut cursor, tier, block)? {
                for (side, code) in Side::BOTH.into_iter().zip(codes) {
                    if let Some(position) = self.index().position(place, side)
                        && !visit(position, value_of(code))
                    {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the positions of a block with both sides to move, each once, and their codes.
    fn block(
        &self,
        cursor: &mut Cursor,
        tier: usize,
        block: usize,
    ) -> Result<impl Iterator<Item = (Place, [u16; 2])>, TableError> {
        let (index, source) = (self.index(), self.source());
        let rows = source.block_rows().rows(index, tier, block);
        let (mut places, mut held) = (Vec::new(), 0);
        let of = &index.tiers()[tier];
        for_each_row(index, of, rows.start, (rows.end - rows.start) as usize, |row, slice, fixed| {
            let own = index.own_cells(slice, fixed);
            for (number, cell) in (held..).zip(PointSet(index.cells(slice, fixed))) {
                held = number + 1;
                if own >> cell.index() & 1 == 1 {
                    places.push((Place { tier, row, cell: cell.index() as u8 }, number));
                }
            }
        });
        let mut codes = |to_move| source.codes(index, cursor, TierSide { tier, to_move }, block, held);
        let codes = [codes(Side::White)?, codes(Side::Black)?];
        Ok(places.into_iter().map(move |(place, number)| (place, codes.each_ref().map(|codes| codes.get(number)))))
    }

    /// Returns the position of a place that was counted.
    #[must_use]
    pub fn position(&self, place: Place, to_move: Side) -> Option<Position> {
        self.index().position(place, to_move)
    }
}
