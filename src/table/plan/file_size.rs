//! Predicts the sizes of a table's files before it is built.
//!
//! Headers, lists of blocks and the number of blocks are exact, except for the list of tiers with
//! two bytes a distance, which is not known before. How well a block compresses depends on the
//! values. So the same game is solved with fewer pods, up to [`MOST_SAMPLED`] cells, and
//! compressed. A table no larger than that is predicted exactly. For larger ones the sample shows
//! how much the setup differs from others as crowded, and a [`Curve`] how the bits grow with the
//! pods.
//!
//! `results/laboratory/table-times` has how far predictions were off.

use std::io;

use rayon::prelude::*;

use crate::engine::Bitboard;
use crate::material::{BySide, PodKind, Side};
use crate::position::{Game, Hand, Setup};
use crate::table::index::Index;
use crate::table::plan::compression::{Curve, Measures, TierSize};
use crate::table::retro::sweep::ToTheEnd;
use crate::table::solve::Sweeps;
use crate::table::solve::solve_tiers;
use crate::table::storage::blocks::HeldCodes;
use crate::table::storage::codec::{Codec, Window};
use crate::table::storage::file::frame_bytes;
use crate::table::storage::parts::TierBlocks;
use crate::table::storage::{BlockRows, Codes, Content, Header, SetupText};

/// The most cells of the sample, both sides to move: they take a fraction of a second.
const MOST_SAMPLED: u64 = 1 << 18;

/// Number of rows that are sampled for cells in use: of all tiers together, and of each tier at
/// least.
const ROWS_LOOKED_AT: u64 = 1 << 17;
const ROWS_OF_TIER: u64 = 16;

/// Bytes of the files of a table.
pub(in crate::table) struct FileSizes {
    /// Of each tier, in the file of outcomes and in that of plies.
    pub(in crate::table) tiers: Vec<[u64; 2]>,
    /// Of the rest of the file of outcomes and of that of plies.
    pub(in crate::table) frames: [u64; 2],
    /// Of all tiers as a build keeps them until its end.
    pub(in crate::table) parts: u64,
    /// The blocks of each of the two files.
    pub(in crate::table) blocks: u64,
}

impl FileSizes {
    /// Returns the sizes of the files of an index of a game.
    pub(in crate::table) fn predict(game: &Game, index: &Index) -> FileSizes {
        let block_rows = BlockRows::new(index);
        let sample = Sample::solve(game, index);
        let wide_tiers = sample.as_ref().filter(|s| s.is_whole(index)).map_or_else(Vec::new, |s| s.wide_tiers.clone());
        let setup = SetupText::new(&Setup::new(game.clone(), hands(index)));
        let frames = CONTENTS.map(|content| {
            let (wide_tiers, block_rows) = (wide_tiers.clone(), block_rows.clone());
            frame_bytes(&Header { content, setup: setup.clone(), block_rows, wide_tiers })
        });
        let sizes = match sample {
            Some(sample) if sample.is_whole(index) => sample.tiers,
            sample => {
                let curve = sample.as_ref().map_or_else(|| Curve::new(game), |sample| sample.curve(game));
                let looked_at = (ROWS_LOOKED_AT / index.tiers().len().max(1) as u64).max(ROWS_OF_TIER);
                let tiers = 0..index.tiers().len();
                let measures = |tier| Measures::new(index, &block_rows, tier, looked_at);
                tiers.into_par_iter().map(|tier| curve.size(&measures(tier))).collect()
            }
        };
        let blocks: Vec<u64> = (0..index.tiers().len()).map(|tier| 2 * block_rows.count(index, tier) as u64).collect();
        FileSizes {
            tiers: sizes.iter().zip(&blocks).map(|(of, blocks)| of.files.map(|size| size + 8 * blocks)).collect(),
            frames,
            parts: sizes.iter().map(|of| of.part).sum(),
            blocks: blocks.iter().sum(),
        }
    }
}

const CONTENTS: [Content; 2] = [Content::Outcomes, Content::Plies];

/// Returns the starting hands of an index.
fn hands(index: &Index) -> BySide<Hand> {
    lists(index).map(|kinds| kinds.into_iter().collect())
}

/// Returns the pods of both starting hands.
fn lists(index: &Index) -> BySide<Vec<PodKind>> {
    BySide::from_fn(|side| {
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
    tiers: Vec<TierSize>,
}

impl Sample {
    /// Returns the largest sample that is small enough; `None` if there is none, or it cannot be
    /// compressed.
    fn solve(game: &Game, of: &Index) -> Option<Sample> {
        let mut index = None;
        for hands in growing_hands(of) {
            match Index::new(&Setup::new(game.clone(), hands)) {
                Ok(larger) if cells(&larger) <= MOST_SAMPLED => index = Some(larger),
                _ => break,
            }
        }
        let index = index.filter(|index| !index.tiers().is_empty())?;
        let engine = Bitboard::new(game.clone());
        let Ok(codes) = solve_tiers(&engine, &index, Sweeps::BitParallel, &ToTheEnd, &mut |_, _| ());
        let (mut tiers, mut wide_tiers, block_rows) = (Vec::new(), Vec::new(), BlockRows::new(&index));
        for (number, codes) in codes.iter().enumerate() {
            let part = TierBlocks::new(&index, number, codes, None).ok()?;
            if part.wide {
                wide_tiers.push(number);
            }
            let files = file_bytes(&index, &block_rows, number, codes).ok()?;
            tiers.push(TierSize { files, part: part.len() as u64 });
        }
        Some(Sample { index, wide_tiers, tiers })
    }

    /// Returns the curve of the game through the last tier, which is the largest and the most
    /// crowded.
    fn curve(&self, game: &Game) -> Curve {
        let last = self.tiers.len() - 1;
        let measures = Measures::new(&self.index, &BlockRows::new(&self.index), last, ROWS_LOOKED_AT);
        Curve::new(game).through(&measures, self.tiers[last])
    }

    /// Returns `true` if it has all pods of an index.
    fn is_whole(&self, index: &Index) -> bool {
        self.index.piece_types() == index.piece_types()
    }
}

/// Returns the hands of an index, and smaller ones before them, from one pod each on. Each is the
/// next one without one pod: the middle one of the larger hand, since neighbours in a pod set have
/// similar legs.
fn growing_hands(index: &Index) -> Vec<BySide<Hand>> {
    let mut kinds = lists(index);
    let mut all = Vec::new();
    loop {
        all.push(kinds.as_ref().map(|kinds| kinds.iter().copied().collect()));
        let larger = if kinds.white.len() < kinds.black.len() { Side::Black } else { Side::White };
        if kinds[larger].len() < 2 {
            break;
        }
        let middle = kinds[larger].len() / 2;
        kinds[larger].remove(middle);
    }
    all.reverse();
    all
}

/// Returns the cells of all tiers, both sides to move.
fn cells(index: &Index) -> u64 {
    2 * index.rows() * index.points() as u64
}

/// Returns the bytes of the blocks of a tier, of outcomes and of plies.
fn file_bytes(index: &Index, block_rows: &BlockRows, tier: usize, codes: &[Codes; 2]) -> io::Result<[u64; 2]> {
    let (mut codec, mut plain, mut sums) = (Codec::default(), Vec::new(), [0; 2]);
    let windows = codes.each_ref().map(|codes| Window { codes, first: 0 });
    for block in 0..block_rows.count(index, tier) {
        for held in HeldCodes::gather(index, block_rows, tier, block, windows) {
            for (content, sum) in CONTENTS.into_iter().zip(&mut sums) {
                *sum += held.pack(content, &mut codec, &mut plain)?.len() as u64;
            }
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::testing::with_hands;

    #[test]
    fn samples_grow_by_a_pod_at_a_time_to_the_whole() {
        let (game, index) = with_hands("ring8", "four", ["bdqt", "bd"], Preset::Advanced);
        let texts = growing_hands(&index)
            .into_iter()
            .map(|hands| hands.map(|hand| hand.display(game.pods()).to_string()).into_array().join("/"));
        assert_eq!(texts.collect::<Vec<_>>(), ["b/b", "b/bd", "bt/bd", "bdt/bd", "bdqt/bd"]);
    }
}
