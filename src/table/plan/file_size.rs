//! Predicts the sizes of a table's files before it is built.
//!
//! Headers, lists of blocks and the number of blocks are exact, except that the headers also list the tiers with two
//! bytes a distance, which are not known before. How well a block compresses depends on the values, which are not known
//! before either. So the same game is solved with fewer pods, up to [`MOST_SAMPLED`] cells, and compressed. A table as
//! small as that is predicted exactly. For larger ones the sample says how much the setup differs from others as
//! crowded, and [`CURVE`] says how the bits of a cell grow with the pods.
//!
//! Of 87 setups of 8 to 36 points with 2 to 9 pods, of every preset and up to 390 million positions, 23 were predicted
//! exactly, and the others at 0.68 to 1.39 times what their files took.

use std::io;

use rayon::prelude::*;

use crate::engine::Bitboard;
use crate::material::{PodKind, Side};
use crate::position::{Game, Hand};
use crate::rules::Captures;
use crate::table::index::{Index, Tier};
use crate::table::retro::sweep::ToTheEnd;
use crate::table::solve::Sweeps;
use crate::table::solve::solve_tiers;
use crate::table::storage::codec::{BLOCK_CELLS, Codec};
use crate::table::storage::file::frame_bytes;
use crate::table::storage::parts::TierBlocks;
use crate::table::storage::{Content, Header, SetupText, codec};

/// The most cells of the sample, both sides to move: they take a fraction of a second.
const MOST_SAMPLED: u64 = 1 << 18;

/// Bytes of a block in which all cells have one value: the frame of Zstandard and its checksum.
const LEAST_OF_BLOCK: f64 = 24.0;

/// Bits that a cell of plies takes besides [`LEAST_OF_BLOCK`], by pods in the game for each point of the board.
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

/// The bits of a cell of outcomes, as a part of those of a cell of plies.
const OUTCOMES_TO_PLIES: f64 = 0.6;

/// The most bits of a cell that is in use, of outcomes and of plies, where few cells are: then their places cost more
/// than their values.
const MOST_OF_USED: [f64; 2] = [7.0, 12.0];

/// The factor of the sample is raised to this power: not all of it carries over to a more crowded board.
const CARRIED_OVER: f64 = 0.5;

/// How many rows are sampled for cells in use: of all tiers together, and of each tier at least.
const ROWS_LOOKED_AT: u64 = 1 << 17;
const ROWS_OF_TIER: u64 = 16;

/// Bytes of the files of a table.
pub(in crate::table) struct FileSizes {
    /// Of each tier, in the file of outcomes and in that of plies.
    pub(in crate::table) tiers: Vec<[u64; 2]>,
    /// Of the rest of the file of outcomes and of that of plies.
    pub(in crate::table) frames: [u64; 2],
}

impl FileSizes {
    /// The sizes of the files of an index of a game.
    pub(in crate::table) fn predict(game: &Game, index: &Index) -> FileSizes {
        let sample = Sample::solve(game, index);
        let wide_tiers = sample.as_ref().filter(|s| s.is_whole(index)).map_or_else(Vec::new, |s| s.wide_tiers.clone());
        let setup = SetupText::new(game, &hands(index));
        let frames = CONTENTS.map(|content| {
            let wide_tiers = wide_tiers.clone();
            frame_bytes(&Header { content, setup: setup.clone(), block_cells: BLOCK_CELLS, wide_tiers })
        });
        let tiers = match sample {
            Some(sample) if sample.is_whole(index) => sample.tiers,
            sample => {
                let curve = Curve::new(game, sample.as_ref());
                let looked_at = (ROWS_LOOKED_AT / index.tiers().len().max(1) as u64).max(ROWS_OF_TIER);
                index.tiers().par_iter().map(|tier| curve.tier(index, tier, looked_at)).collect()
            }
        };
        let listed = |(tier, sizes): (&Tier, [u64; 2])| sizes.map(|size| size + 8 * codec::count(index, tier) as u64);
        FileSizes { tiers: index.tiers().iter().zip(tiers).map(listed).collect(), frames }
    }
}

const CONTENTS: [Content; 2] = [Content::Outcomes, Content::Plies];

/// The starting hands of an index.
fn hands(index: &Index) -> [Hand; 2] {
    lists(index).map(|kinds| kinds.into_iter().collect())
}

/// The pods of both starting hands.
fn lists(index: &Index) -> [Vec<PodKind>; 2] {
    Side::BOTH.map(|side| {
        let of_side = index.piece_types().iter().filter(|piece_type| piece_type.side == side);
        let mut kinds: Vec<_> =
            of_side.flat_map(|piece_type| std::iter::repeat_n(piece_type.kind, piece_type.count.into())).collect();
        kinds.sort();
        kinds
    })
}

/// A table of the same game with fewer pods, or with all of them.
struct Sample {
    index: Index,
    wide_tiers: Vec<usize>,
    /// Bytes of the blocks of each tier, of outcomes and of plies.
    tiers: Vec<[u64; 2]>,
}

impl Sample {
    /// The largest sample that is small enough; `None` if there is none, or it cannot be compressed.
    fn solve(game: &Game, of: &Index) -> Option<Sample> {
        let mut index = None;
        for hands in growing_hands(of) {
            match Index::new(game, &hands) {
                Ok(larger) if cells(&larger) <= MOST_SAMPLED => index = Some(larger),
                _ => break,
            }
        }
        let index = index.filter(|index| !index.tiers().is_empty())?;
        let engine = Bitboard::new(game.clone());
        let Ok(codes) = solve_tiers(&engine, &index, Sweeps::BitParallel, &ToTheEnd, &mut |_, _| ());
        let (mut tiers, mut wide_tiers) = (Vec::new(), Vec::new());
        for (number, codes) in codes.iter().enumerate() {
            let plies = TierBlocks::new(&index, number, codes).ok()?;
            if plies.wide {
                wide_tiers.push(number);
            }
            tiers.push([outcomes_bytes(&index, &index.tiers()[number], &plies).ok()?, plies.len() as u64]);
        }
        Some(Sample { index, wide_tiers, tiers })
    }

    /// Whether it has all pods of an index.
    fn is_whole(&self, index: &Index) -> bool {
        self.index.piece_types() == index.piece_types()
    }
}

/// The hands of an index, and smaller ones before them, from one pod each on. Each is the next one without one pod: the
/// middle one of the larger hand, since neighbours in a pod set have similar legs.
fn growing_hands(index: &Index) -> Vec<[Hand; 2]> {
    let mut kinds = lists(index);
    let mut all = Vec::new();
    loop {
        all.push(kinds.each_ref().map(|kinds| kinds.iter().copied().collect()));
        let larger = usize::from(kinds[0].len() < kinds[1].len());
        if kinds[larger].len() < 2 {
            break;
        }
        let middle = kinds[larger].len() / 2;
        kinds[larger].remove(middle);
    }
    all.reverse();
    all
}

/// Cells of all tiers, both sides to move.
fn cells(index: &Index) -> u64 {
    2 * index.rows() * index.points() as u64
}

/// Bytes of the blocks of outcomes of a tier.
fn outcomes_bytes(index: &Index, tier: &Tier, plies: &TierBlocks) -> io::Result<u64> {
    let (mut tools, mut buffers) = (Codec::default(), Default::default());
    let mut sum = 0;
    for (number, block) in plies.blocks().iter().enumerate() {
        let made =
            codec::outcomes_of(&mut tools, &mut buffers, block, plies.wide, codec::cells_of(index, tier, number))?;
        sum += made.map_or(0, |block| block.len() as u64);
    }
    Ok(sum)
}

/// The bits of a cell, by crowding.
struct Curve {
    points: &'static [(f64, f64)],
    /// For outcomes and plies: how much more a cell of this setup takes than the curve says, from the sample.
    factors: [f64; 2],
}

impl Curve {
    fn new(game: &Game, sample: Option<&Sample>) -> Curve {
        let without_captures = game.rules().options().captures == Captures::Never;
        let points = if without_captures { &CURVE_WITHOUT_CAPTURES } else { &CURVE };
        let mut curve = Curve { points, factors: [1.0; 2] };
        let Some(sample) = sample else { return curve };
        // The last tier is the largest and the most crowded.
        let (Some(tier), Some(sizes)) = (sample.index.tiers().last(), sample.tiers.last()) else { return curve };
        let (blocks, cells, used) = measures(&sample.index, tier, ROWS_LOOKED_AT);
        let expected = curve.bits(crowd(&sample.index, tier));
        curve.factors = [0, 1].map(|content| {
            let found = 8.0 * (sizes[content] as f64 - LEAST_OF_BLOCK * blocks) / cells;
            // Where few cells are in use, their places cost most, and the sample says little about their values.
            let found = found.clamp(0.001, 0.9 * MOST_OF_USED[content] * used.max(0.002));
            let unlimited = 1.0 / (1.0 / found - 1.0 / (MOST_OF_USED[content] * used.max(0.002)));
            (unlimited / expected[content]).clamp(0.1, 10.0).powf(CARRIED_OVER)
        });
        curve
    }

    /// Bits of a cell, as if all were in use.
    fn bits(&self, crowd: f64) -> [f64; 2] {
        let next = self.points.partition_point(|&(at, _)| at <= crowd).clamp(1, self.points.len() - 1);
        let ((x0, y0), (x1, y1)) = (self.points[next - 1], self.points[next]);
        let part = ((crowd - x0) / (x1 - x0)).min(1.0);
        let plies = y0 * (y1 / y0).powf(part);
        [OUTCOMES_TO_PLIES * plies * self.factors[0], plies * self.factors[1]]
    }

    /// Bytes of the blocks of a tier, of outcomes and of plies.
    fn tier(&self, index: &Index, tier: &Tier, looked_at: u64) -> [u64; 2] {
        let (blocks, cells, used) = measures(index, tier, looked_at);
        let bits = self.bits(crowd(index, tier));
        [0, 1].map(|content| {
            let bits =
                if used > 0.0 { 1.0 / (1.0 / bits[content] + 1.0 / (MOST_OF_USED[content] * used)) } else { 0.0 };
            (LEAST_OF_BLOCK * blocks + bits * cells / 8.0) as u64
        })
    }
}

/// Pods in the game for each point of the board.
fn crowd(index: &Index, tier: &Tier) -> f64 {
    let pods: u32 = tier.alive().iter().map(|&count| u32::from(count)).sum();
    f64::from(pods) / index.points() as f64
}

/// The blocks of a tier, its cells, and the part of its cells that is in use, from evenly spread rows.
fn measures(index: &Index, tier: &Tier, looked_at: u64) -> (f64, f64, f64) {
    let step = tier.rows().div_ceil(looked_at).max(1);
    let (mut rows, mut used) = (0, 0);
    for row in (step / 2..tier.rows()).step_by(step as usize) {
        let slice = &tier.slices()[tier.slice_at(row)];
        used += u64::from(index.cells(slice, &index.unrank(slice, row)).count_ones());
        rows += 1;
    }
    let points = index.points() as f64;
    let used = used as f64 / (rows.max(1) as f64 * points);
    (codec::count(index, tier) as f64, 2.0 * tier.rows() as f64 * points, used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{builtin_board, builtin_pods};
    use crate::rules::Preset;

    #[test]
    fn samples_grow_by_a_pod_at_a_time_to_the_whole() {
        let pods = builtin_pods("four").unwrap();
        let hands = ["bdqt", "bd"].map(|ids| Hand::parse(ids, &pods).unwrap());
        let game = Game::new(builtin_board("ring8").unwrap(), pods, Preset::Advanced.into());
        let index = Index::new(&game, &hands).unwrap();
        let texts = growing_hands(&index).into_iter().map(|hands| hands.map(|hand| hand.text(game.pods())).join("/"));
        assert_eq!(texts.collect::<Vec<_>>(), ["b/b", "b/bd", "bt/bd", "bdt/bd", "bdqt/bd"]);
    }
}
