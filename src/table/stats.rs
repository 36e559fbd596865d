//! Statistics of a table, tier by tier.

use rayon::prelude::*;

use crate::geometry::PointSet;
use crate::material::Side;
use crate::position::Position;
use crate::solver::{Plies, Value};
use crate::table::error::TableError;
use crate::table::index::rows::{count_cells, for_each_row};
use crate::table::index::{Index, Place, Tier, TierSide};
use crate::table::probe::Table;
use crate::table::storage::cursor::Cursor;
use crate::table::storage::groups::{GROUP_ROWS, groups};
use crate::table::storage::value_of;

/// How many positions have which value, with one player to move.
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

    /// These counts and others together.
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

    /// All positions counted.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

/// How many positions a table holds, both sides to move: all of the index but those with blocked pods where no action
/// leads to one.
#[must_use]
pub fn held(index: &Index) -> u64 {
    let of_tier = |tier| count_cells(index, tier, |slice, fixed| index.own_cells(slice, fixed));
    2 * index.tiers().iter().map(of_tier).sum::<u64>()
}

impl Table {
    /// The counts of a tier, with White and with Black to move. Each position counts once.
    ///
    /// # Errors
    ///
    /// If the table has no distances, or a block is damaged.
    pub fn counts(&self, tier: usize) -> Result<[Counts; 2], TableError> {
        let (index, of) = (self.index(), &self.index().tiers()[tier]);
        let of_side = |side: Side| {
            let of_group = |cursor: &mut Cursor, group: u64| {
                let codes = self.source().group(index, cursor, TierSide { tier, to_move: side }, group)?;
                let mut counts = Counts::default();
                for_each_of_group(index, of, group, |row, cell, at| {
                    counts.add(codes.get(at), Place { tier, row, cell })
                });
                Ok::<Counts, TableError>(counts)
            };
            (0..groups(of.rows()))
                .into_par_iter()
                .map_init(|| Cursor::new(1), of_group)
                .try_reduce(Counts::default, |a, b| Ok(a.plus(&b)))
        };
        Ok([of_side(Side::White)?, of_side(Side::Black)?])
    }

    /// Calls `visit` with every position that is held of a tier, by rising place, White to move before Black, and its value, as long
    /// as it returns true.
    ///
    /// # Errors
    ///
    /// If the table has no distances, or a block is damaged.
    pub fn for_each(&self, tier: usize, visit: &mut dyn FnMut(Position, Value) -> bool) -> Result<(), TableError> {
        let (index, of) = (self.index(), &self.index().tiers()[tier]);
        let (mut cursor, mut more) = (Cursor::new(1), true);
        for group in 0..groups(of.rows()) {
            if !more {
                break;
            }
            let mut codes = |to_move| self.source().group(index, &mut cursor, TierSide { tier, to_move }, group);
            let codes = [codes(Side::White)?, codes(Side::Black)?];
            for_each_of_group(index, of, group, |row, cell, at| {
                for side in Side::BOTH {
                    let position = if more { index.position(Place { tier, row, cell }, side) } else { None };
                    if let Some(position) = position {
                        more &= visit(position, value_of(codes[side.index()].get(at)));
                    }
                }
            });
        }
        Ok(())
    }

    /// The position of a place that was counted.
    #[must_use]
    pub fn position(&self, place: Place, to_move: Side) -> Option<Position> {
        self.index().position(place, to_move)
    }
}

/// Calls `visit` with the row and the cell of each position of a group of rows, and the number of the cell in the group.
fn for_each_of_group(index: &Index, tier: &Tier, group: u64, mut visit: impl FnMut(u64, u8, usize)) {
    let first = group * GROUP_ROWS;
    for_each_row(index, tier, first, GROUP_ROWS.min(tier.rows() - first) as usize, |row, slice, fixed| {
        for cell in PointSet(index.own_cells(slice, fixed)) {
            visit(row, cell.index() as u8, (row - first) as usize * index.points() + cell.index());
        }
    });
}
