//! Compression of values by crowding: fitted to setups of 8 to 36 points under every preset.

use crate::position::Game;
use crate::rules::Captures;
use crate::table::index::Index;
use crate::table::storage::block_rows::held_of_some_rows;
use crate::table::storage::{BlockRows, codec};

/// Bytes of a block of a file whose positions have one value: the counts, the frame of Zstandard
/// and its checksum.
const LEAST_OF_BLOCK: f64 = 30.0;

/// The same while it is built, without counts.
const LEAST_OF_PART_BLOCK: f64 = 24.0;

/// Bits that a held position takes besides [`LEAST_OF_BLOCK`], of outcomes and of plies, by pods in
/// the game for each point of the board.
const HELD: [(f64, [f64; 2]); 10] = [
    (0.0, [0.03, 0.03]),
    (0.3125, [0.04, 0.04]),
    (0.375, [0.04, 0.045]),
    (0.4375, [0.085, 0.105]),
    (0.5, [0.3, 0.41]),
    (0.583, [0.54, 1.0]),
    (0.667, [0.72, 1.38]),
    (0.75, [1.02, 2.15]),
    (0.875, [1.1, 2.8]),
    (1.0, [1.1, 2.9]),
];

/// The same where nothing is ever captured.
const HELD_WITHOUT_CAPTURES: [(f64, [f64; 2]); 10] = [
    (0.0, [0.002, 0.002]),
    (0.3125, [0.005, 0.005]),
    (0.375, [0.01, 0.012]),
    (0.4375, [0.03, 0.045]),
    (0.5, [0.1, 0.14]),
    (0.583, [0.28, 0.43]),
    (0.667, [0.36, 0.56]),
    (0.75, [0.48, 0.76]),
    (0.875, [0.5, 0.87]),
    (1.0, [0.46, 0.83]),
];

/// Bits that a cell of plies takes besides [`LEAST_OF_PART_BLOCK`] while a table is built, by pods
/// in the game for each point of the board.
const CURVE: [(f64, f64); 11] = [
    (0.0, 0.002),
    (0.25, 0.003),
    (0.3125, 0.008),
    (0.375, 0.02),
    (0.4375, 0.06),
    (0.5, 0.16),
    (0.583, 0.5),
    (0.667, 0.95),
    (0.75, 1.5),
    (0.875, 2.0),
    (1.0, 2.0),
];

/// The same where nothing is ever captured.
const CURVE_WITHOUT_CAPTURES: [(f64, f64); 11] = [
    (0.0, 0.002),
    (0.25, 0.003),
    (0.3125, 0.008),
    (0.375, 0.02),
    (0.4375, 0.06),
    (0.5, 0.14),
    (0.583, 0.25),
    (0.667, 0.4),
    (0.75, 0.5),
    (0.875, 0.55),
    (1.0, 0.5),
];

/// The most bits of a cell in use while a table is built, where few cells are in use: then their
/// places cost more than their values.
const MOST_OF_USED: f64 = 12.0;

/// Exponent of the sample's factor: not all of it carries over to a more crowded board.
const CARRIED_OVER: f64 = 0.5;

/// Bytes of the blocks of a tier.
#[derive(Clone, Copy, Default)]
pub(super) struct TierSize {
    /// In the file of outcomes and in that of plies.
    pub(super) files: [u64; 2],
    /// While the table is built.
    pub(super) part: u64,
}

/// Number of bytes that values take, by crowding.
pub(super) struct Curve {
    /// Bits of a cell of plies while the table is built.
    of_cell: &'static [(f64, f64)],
    /// Bits of a held position, of outcomes and of plies.
    of_held: &'static [(f64, [f64; 2])],
    /// Factors of this setup against the curves, from the sample: in the two files, and while it is
    /// built.
    factors: [f64; 3],
}

impl Curve {
    /// Creates the curve of most setups.
    pub(super) fn new(game: &Game) -> Curve {
        let without_captures = game.rules().options().captures == Captures::Never;
        let of_cell = if without_captures { &CURVE_WITHOUT_CAPTURES } else { &CURVE };
        let of_held = if without_captures { &HELD_WITHOUT_CAPTURES } else { &HELD };
        Curve { of_cell, of_held, factors: [1.0; 3] }
    }

    /// Draws the curve towards what a tier of the same game takes.
    pub(super) fn through(mut self, measures: &Measures, size: TierSize) -> Curve {
        let factor = |found: f64, expected: f64| (found / expected).clamp(0.1, 10.0).powf(CARRIED_OVER);
        let expected = self.held(measures.crowd);
        for content in [0, 1] {
            let found = 8.0 * (size.files[content] as f64 - LEAST_OF_BLOCK * measures.blocks) / measures.held.max(1.0);
            self.factors[content] = factor(found.max(0.001), expected[content]);
        }
        let found = 8.0 * (size.part as f64 - LEAST_OF_PART_BLOCK * measures.part_blocks) / measures.cells;
        // Where few cells are in use, their places cost most, and the sample says little about
        // their values.
        let most = MOST_OF_USED * measures.used().max(0.002);
        let found = found.clamp(0.001, 0.9 * most);
        self.factors[2] = factor(1.0 / (1.0 / found - 1.0 / most), self.cell(measures.crowd));
        self
    }

    /// Returns the bits of a held position, of outcomes and of plies.
    fn held(&self, crowd: f64) -> [f64; 2] {
        let of = |content: usize| {
            let points = self.of_held.iter().map(|&(at, bits)| (at, bits[content]));
            self.factors[content] * between(points.collect::<Vec<_>>().as_slice(), crowd)
        };
        [of(0), of(1)]
    }

    /// Returns the bits of a cell of plies, as if all were in use.
    fn cell(&self, crowd: f64) -> f64 {
        self.factors[2] * between(self.of_cell, crowd)
    }

    /// Returns the bytes of a tier.
    pub(super) fn size(&self, measures: &Measures) -> TierSize {
        let of_part = LEAST_OF_PART_BLOCK * measures.part_blocks;
        if measures.held == 0.0 {
            return TierSize { files: [0; 2], part: of_part as u64 };
        }
        let of_cell = 1.0 / (1.0 / self.cell(measures.crowd) + 1.0 / (MOST_OF_USED * measures.used()));
        let of_file = |bits: f64| (LEAST_OF_BLOCK * measures.blocks + bits * measures.held / 8.0) as u64;
        let part = (of_part + of_cell * measures.cells / 8.0) as u64;
        TierSize { files: self.held(measures.crowd).map(of_file), part }
    }
}

/// Returns the value of a curve between two of its points, where it grows by a factor.
fn between(points: &[(f64, f64)], at: f64) -> f64 {
    let next = points.partition_point(|&(x, _)| x <= at).clamp(1, points.len() - 1);
    let ((x0, y0), (x1, y1)) = (points[next - 1], points[next]);
    y0 * (y1 / y0).powf(((at - x0) / (x1 - x0)).min(1.0))
}

/// Measures of a tier, both sides to move.
pub(super) struct Measures {
    /// Pods in the game for each point of the board.
    crowd: f64,
    cells: f64,
    /// Cells that hold a position, from evenly spread rows.
    held: f64,
    /// Blocks of each file.
    blocks: f64,
    /// Blocks while it is built.
    part_blocks: f64,
}

impl Measures {
    /// Returns the measures of a tier, by a look at so many of its rows.
    pub(super) fn new(index: &Index, block_rows: &BlockRows, number: usize, looked_at: u64) -> Measures {
        let tier = &index.tiers()[number];
        let pods: u32 = tier.alive().iter().map(|&count| u32::from(count)).sum();
        let (rows, held) = held_of_some_rows(index, tier, looked_at);
        Measures {
            crowd: f64::from(pods) / index.points() as f64,
            cells: 2.0 * tier.rows() as f64 * index.points() as f64,
            held: 2.0 * tier.rows() as f64 * held as f64 / rows.max(1) as f64,
            blocks: 2.0 * block_rows.count(index, number) as f64,
            part_blocks: codec::count(index, tier) as f64,
        }
    }

    fn used(&self) -> f64 {
        self.held / self.cells
    }
}
