//! Numbering of the positions that a tier holds, without gaps.
//!
//! Where positions with blocked pods are left out, most rows of a crowded board hold nothing, and
//! the others few cells. So values are kept without gaps, and a row is found by counting the bits
//! of the rows before it.

use rayon::prelude::*;

use crate::table::index::{Index, Tier, for_each_row};

/// Rows that a thread looks at at a time.
const ROWS_PER_TASK: u64 = 1 << 12;

/// Such parts whose results wait to be put together.
const PARTS: u64 = 1 << 8;

#[derive(Clone, Copy)]
struct Word {
    /// A bit for each row that holds a position.
    full: u64,
    /// Rows before these that hold a position.
    rows_before: u64,
    /// Positions that the rows before these hold.
    held_before: u64,
}

/// Sets of points, one after the other: as short as the board allows.
enum Cells {
    Narrow(Vec<u16>),
    Wide(Vec<u64>),
}

/// The positions that a tier holds with one side to move, by their numbers.
pub(super) struct Held {
    words: Vec<Word>,
    /// The cells in use of each row that holds a position.
    cells: Cells,
    /// For each of these rows how many positions the rows before it in its word hold.
    starts: Vec<u16>,
    all: u64,
}

/// Facts about a few rows, without those before them.
#[derive(Default)]
struct Part {
    full: Vec<u64>,
    cells: Vec<u64>,
}

impl Held {
    pub(super) fn new(index: &Index, tier: &Tier) -> Held {
        let cells = if index.points() <= 16 { Cells::Narrow(Vec::new()) } else { Cells::Wide(Vec::new()) };
        let mut held = Held { words: Vec::new(), cells, starts: Vec::new(), all: 0 };
        held.words.reserve_exact(tier.rows().div_ceil(64) as usize);
        let parts = tier.rows().div_ceil(ROWS_PER_TASK);
        let mut next = 0;
        while next < parts {
            let end = parts.min(next + PARTS);
            let found: Vec<Part> =
                (next..end).into_par_iter().map(|part| Part::new(index, tier, part * ROWS_PER_TASK)).collect();
            held.reserve(found.iter().map(|part| part.cells.len()).sum());
            found.iter().for_each(|part| held.add(part));
            next = end;
        }
        held
    }

    fn reserve(&mut self, rows: usize) {
        // Exactly: what doubles may take half as much again as is needed.
        self.starts.reserve_exact(rows);
        match &mut self.cells {
            Cells::Narrow(cells) => cells.reserve_exact(rows),
            Cells::Wide(cells) => cells.reserve_exact(rows),
        }
    }

    fn add(&mut self, part: &Part) {
        let mut cells = part.cells.iter();
        for &full in &part.full {
            self.words.push(Word { full, rows_before: self.starts.len() as u64, held_before: self.all });
            let mut start = 0;
            for &cells in cells.by_ref().take(full.count_ones() as usize) {
                self.starts.push(start);
                // At most 64 cells in each of 64 rows.
                start += cells.count_ones() as u16;
                match &mut self.cells {
                    Cells::Narrow(all) => all.push(cells as u16),
                    Cells::Wide(all) => all.push(cells),
                }
            }
            self.all += u64::from(start);
        }
    }

    pub(super) fn positions(&self) -> u64 {
        self.all
    }

    /// Returns the number of positions in the rows before one whose number is a multiple of 64.
    pub(super) fn before(&self, row: u64) -> u64 {
        self.words.get((row / 64) as usize).map_or(self.all, |word| word.held_before)
    }

    /// Returns the cells of a row that are in use, and the number of the position in the lowest of
    /// them.
    #[inline]
    pub(super) fn row(&self, row: u64) -> (u64, usize) {
        let word = &self.words[(row / 64) as usize];
        let bit = row % 64;
        if word.full >> bit & 1 == 0 {
            return (0, 0);
        }
        let number = word.rows_before as usize + (word.full & ((1 << bit) - 1)).count_ones() as usize;
        (self.cells_of(number), word.held_before as usize + self.starts[number] as usize)
    }

    #[inline]
    fn cells_of(&self, number: usize) -> u64 {
        match &self.cells {
            Cells::Narrow(cells) => cells[number].into(),
            Cells::Wide(cells) => cells[number],
        }
    }
}

impl Part {
    fn new(index: &Index, tier: &Tier, first: u64) -> Part {
        let mut part = Part::default();
        for_each_row(index, tier, first, ROWS_PER_TASK.min(tier.rows() - first) as usize, |row, slice, fixed| {
            let cells = index.cells(slice, fixed);
            if (row - first).is_multiple_of(64) {
                part.full.push(0);
            }
            if let (Some(full), true) = (part.full.last_mut(), cells != 0) {
                *full |= 1 << (row % 64);
                part.cells.push(cells);
            }
        });
        part
    }
}

fn bytes_of_row(index: &Index) -> u64 {
    (if index.points() <= 16 { size_of::<u16>() } else { size_of::<u64>() } + size_of::<u16>()) as u64
}

/// Returns the bytes that a tier takes, with `bytes` for each position and side to move, counted
/// row by row.
pub(super) fn exact_bytes(index: &Index, tier: &Tier, bytes: u64) -> u64 {
    let of_rows = |part: u64| {
        let mut needed = 0;
        for_each_row(
            index,
            tier,
            part * ROWS_PER_TASK,
            ROWS_PER_TASK.min(tier.rows() - part * ROWS_PER_TASK) as usize,
            |_, slice, fixed| {
                let held = u64::from(index.cells(slice, fixed).count_ones());
                needed += if held == 0 { 0 } else { bytes_of_row(index) + 2 * bytes * held };
            },
        );
        needed
    };
    let rows: u64 = (0..tier.rows().div_ceil(ROWS_PER_TASK)).into_par_iter().map(of_rows).sum();
    size_of::<Word>() as u64 * tier.rows().div_ceil(64) + rows
}

/// Returns the most bytes that all tiers take, with `bytes` for each position and side to move:
/// known without a look at the rows. It is what they take if no position is left out.
pub(super) fn most_bytes(index: &Index, bytes: u64) -> u64 {
    let of_tier = |tier: &Tier| {
        let words = size_of::<Word>() as u64 * tier.rows().div_ceil(64);
        let slices = tier.slices().iter().map(|slice| {
            let pods: u64 = slice.on_board().iter().map(|&count| u64::from(count)).sum();
            let cells = index.points() as u64 + 1 - pods.max(1);
            slice.rows() * (bytes_of_row(index) + 2 * bytes * cells)
        });
        words + slices.sum::<u64>()
    };
    index.tiers().iter().map(of_tier).sum()
}
