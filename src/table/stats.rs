//! Statistics of a table, tier by tier.

use rayon::prelude::*;

use crate::material::Side;
use crate::position::Position;
use crate::solver::{Plies, Value};
use crate::table::error::TableError;
use crate::table::index::rows::{count_cells, for_each_row};
use crate::table::index::{Index, Place};
use crate::table::probe::Table;
use crate::table::storage::{Codes, value_of};

/// Rows that a thread counts at a time.
const ROWS: u64 = 1 << 12;

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

/// The counts of a tier, with White and with Black to move. Each position counts once.
#[must_use]
pub fn counts(index: &Index, number: usize, codes: &[Codes; 2]) -> [Counts; 2] {
    let (tier, points) = (&index.tiers()[number], index.points());
    [0, 1].map(|side: usize| {
        let part = |chunk: u64| {
            let mut counts = Counts::default();
            let first = chunk * ROWS;
            for_each_row(index, tier, first, ROWS.min(tier.rows() - first) as usize, |row, slice, fixed| {
                let mut cells = index.own_cells(slice, fixed);
                while cells != 0 {
                    let cell = cells.trailing_zeros() as u8;
                    cells &= cells - 1;
                    let code = codes[side].get(row as usize * points + cell as usize);
                    counts.add(code, Place { tier: number, row, cell });
                }
            });
            counts
        };
        let chunks = tier.rows().div_ceil(ROWS);
        (0..chunks).into_par_iter().map(part).reduce(Counts::default, |a, b| a.plus(&b))
    })
}

impl Table {
    /// The counts of a tier, with White and with Black to move.
    ///
    /// # Errors
    ///
    /// If the table has no distances, or a block is damaged.
    pub fn counts(&self, tier: usize) -> Result<[Counts; 2], TableError> {
        Ok(counts(self.index(), tier, &self.codes(tier)?))
    }

    /// Calls `visit` with every position that is held of a tier, by rising place, White to move before Black, and its value, as long
    /// as it returns true.
    ///
    /// # Errors
    ///
    /// If the table has no distances, or a block is damaged.
    pub fn for_each(&self, tier: usize, visit: &mut dyn FnMut(Position, Value) -> bool) -> Result<(), TableError> {
        let (codes, index) = (self.codes(tier)?, self.index());
        let (of, points) = (&index.tiers()[tier], index.points());
        let mut more = true;
        for_each_row(index, of, 0, of.rows() as usize, |row, slice, fixed| {
            let cells = index.own_cells(slice, fixed);
            for cell in (0..points as u8).filter(|&cell| cells >> cell & 1 == 1) {
                for side in Side::BOTH {
                    if !more {
                        return;
                    }
                    let value = value_of(codes[side.index()].get(row as usize * points + cell as usize));
                    if let Some(position) = index.position(Place { tier, row, cell }, side) {
                        more &= visit(position, value);
                    }
                }
            }
        });
        Ok(())
    }

    /// The position of a place that was counted.
    #[must_use]
    pub fn position(&self, place: Place, to_move: Side) -> Option<Position> {
        self.index().position(place, to_move)
    }
}
