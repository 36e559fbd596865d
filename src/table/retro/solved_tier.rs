//! Result of solving a tier in memory.

use rayon::prelude::*;

use crate::material::Side;
use crate::table::storage::{Codes, PageBuffer};

/// Rows that a thread takes at a time.
const ROWS_PER_TASK: usize = 1 << 12;

pub(in crate::table) struct SolvedTier {
    /// With White and with Black to move.
    pub(in crate::table) codes: [Codes; 2],
    /// The cells that White to move wins, and those that are not in use; a word a row.
    won_or_unused: PageBuffer,
}

impl SolvedTier {
    /// Creates it from the codes, and for each row the cells that White to move wins and those that
    /// are not in use.
    pub(in crate::table) fn new(codes: [Codes; 2], won_or_unused: PageBuffer) -> SolvedTier {
        SolvedTier { codes, won_or_unused }
    }

    /// Returns the codes and the cells in use, a word a row, so that nobody has to walk over the
    /// rows again. `points` are those of the board.
    pub(in crate::table) fn into_codes_and_used(self, points: usize) -> ([Codes; 2], PageBuffer) {
        let SolvedTier { codes, won_or_unused: mut words } = self;
        let of_white = &codes[Side::White.index()];
        words.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(|(i, words)| {
            for (row, word) in (i * ROWS_PER_TASK..).zip(words) {
                *word = !*word | of_white.decided_at_all(row * points, points);
            }
        });
        (codes, words)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Bitboard;
    use crate::table::index::for_each_row;
    use crate::table::retro::children::ChildTiers;
    use crate::table::retro::sweep::{ToTheEnd, solve_tier};
    use crate::table::solve::{Sweeps, with_evaluator};
    use crate::table::testing::small_games;

    #[test]
    fn the_cells_in_use_are_those_that_a_walk_finds() {
        let mut seen = 0;
        for (game, index) in small_games(40, 50, 60_000) {
            let engine = Bitboard::new(game);
            with_evaluator(&engine, &index, Sweeps::BitParallel, |evaluator| {
                let mut earlier = ChildTiers::default();
                for (number, tier) in index.tiers().iter().enumerate() {
                    let Ok(solved) = solve_tier(&index, number, &earlier, evaluator, &ToTheEnd, &mut |_| ());
                    let (codes, used) = solved.into_codes_and_used(index.points());
                    assert_eq!(used.len() as u64, tier.rows());
                    for_each_row(&index, tier, 0, used.len(), |row, slice, fixed| {
                        assert_eq!(used[row as usize], index.cells(slice, fixed), "tier {number}, row {row}");
                        seen += 1;
                    });
                    earlier.push(codes);
                }
            });
        }
        assert!(seen > 10_000, "{seen}");
    }
}
