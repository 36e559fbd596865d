//! Stripes: which process sweeps which chunks of a tier, and which processes read its results.
//!
//! The columns for a player to move are put in a row, one after the other, and cut into pieces of equally many rows,
//! one for each process. So few processes share a column, and its words are sent to few. Within a column the chunks are
//! in the order of a fixed permutation: chunks in which much is decided late are close together in the index, and the
//! permutation spreads them over the processes.

use crate::material::Side;
use crate::table::index::Index;
use crate::table::retro::external::chunks::{Chunk, Chunks};
use crate::table::retro::external::columns::{Column, columns};

/// Which processes sweep and read which parts of a tier.
pub(in crate::table) struct Stripes {
    /// By the player to move: for each chunk the process that sweeps it.
    sweeps: [Vec<u16>; 2],
    /// By the player to move: for each slice the processes that read it in the sweeps for the other player.
    reads: [Vec<Vec<u16>>; 2],
}

impl Stripes {
    /// The stripes of a tier; `columns` are by the player to move.
    pub(super) fn new(columns: [&[Column]; 2], chunks: &Chunks, slices: usize, processes: usize) -> Stripes {
        let sweeps = columns.map(|columns| deal(columns, chunks, processes));
        let reads = Side::BOTH.map(|to_move| {
            let reader = to_move.other().index();
            let mut of_slices = vec![Vec::new(); slices];
            for column in columns[reader] {
                let of_column = column.slices.iter().flat_map(|&slice| chunks.of_slice(slice));
                let mut readers: Vec<u16> = of_column.map(|chunk| sweeps[reader][chunk.number as usize]).collect();
                readers.sort_unstable();
                readers.dedup();
                column.slices.iter().for_each(|&slice| of_slices[slice].clone_from(&readers));
            }
            of_slices
        });
        Stripes { sweeps, reads }
    }

    /// The stripes of a tier of an index.
    pub(in crate::table) fn of(index: &Index, number: usize, processes: usize) -> TierStripes {
        let chunks = Chunks::new(&index.tiers()[number]);
        let columns = Side::BOTH.map(|mover| columns(index, number, mover));
        let slices = index.tiers()[number].slices().len();
        let stripes = Stripes::new([&columns[0], &columns[1]], &chunks, slices, processes);
        TierStripes { stripes, chunks, processes }
    }

    /// Whether a process sweeps a chunk with a player to move.
    pub(super) fn sweeps(&self, process: usize, to_move: Side, chunk: Chunk) -> bool {
        usize::from(self.sweeps[to_move.index()][chunk.number as usize]) == process
    }

    /// The processes that read a slice with a player to move.
    pub(super) fn readers(&self, to_move: Side, slice: usize) -> impl Iterator<Item = usize> + '_ {
        self.reads[to_move.index()][slice].iter().map(|&process| usize::from(process))
    }

    /// Whether a process has the words of a chunk with a player to move.
    pub(super) fn holds(&self, process: usize, to_move: Side, chunk: Chunk) -> bool {
        self.sweeps(process, to_move, chunk) || self.readers(to_move, chunk.slice).any(|reader| reader == process)
    }
}

/// The stripes of a tier, with its chunks.
pub(in crate::table) struct TierStripes {
    stripes: Stripes,
    chunks: Chunks,
    processes: usize,
}

impl TierStripes {
    /// Rows with either player to move, by process: those that it sweeps, those whose words it has, and those that it sends,
    /// each as often as it is sent.
    pub(in crate::table) fn rows(&self) -> Vec<[u64; 3]> {
        let mut rows = vec![[0; 3]; self.processes];
        for (side, chunk) in
            Side::BOTH.into_iter().flat_map(|side| (0..self.chunks.len()).map(move |chunk| (side, chunk)))
        {
            let chunk = self.chunks.get(chunk);
            let sweeper = usize::from(self.stripes.sweeps[side.index()][chunk.number as usize]);
            rows[sweeper][0] += chunk.rows as u64;
            rows[sweeper][1] += chunk.rows as u64;
            for reader in self.stripes.readers(side, chunk.slice).filter(|&reader| reader != sweeper) {
                rows[reader][1] += chunk.rows as u64;
                rows[sweeper][2] += chunk.rows as u64;
            }
        }
        rows
    }
}

/// For each chunk the process that sweeps it with one player to move.
fn deal(columns: &[Column], chunks: &Chunks, processes: usize) -> Vec<u16> {
    let all = || columns.iter().flat_map(|column| &column.slices).flat_map(|&slice| chunks.of_slice(slice));
    let total: u64 = all().map(|chunk| chunk.rows as u64).sum();
    let mut sweeps = vec![0; chunks.len() as usize];
    let (mut process, mut before) = (0, 0);
    for column in columns {
        let mut these: Vec<Chunk> = column.slices.iter().flat_map(|&slice| chunks.of_slice(slice)).collect();
        these.sort_unstable_by_key(|chunk| scattered(chunk.number));
        for chunk in these {
            let rows = chunk.rows as u64;
            // A chunk belongs to the process in whose piece its middle lies.
            while process + 1 < processes && (2 * before + rows) * processes as u64 > 2 * total * (process as u64 + 1) {
                process += 1;
            }
            sweeps[chunk.number as usize] = process as u16;
            before += rows;
        }
    }
    sweeps
}

/// A fixed permutation of numbers: the finaliser of MurmurHash3.
fn scattered(number: u32) -> u32 {
    let mut x = number;
    x = (x ^ x >> 16).wrapping_mul(0x85eb_ca6b);
    x = (x ^ x >> 13).wrapping_mul(0xc2b2_ae35);
    x ^ x >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{builtin_board, builtin_pods};
    use crate::position::{Game, Hand};
    use crate::rules::Preset;
    use crate::table::index::reach::tests::{each_step, slice_of};

    #[test]
    fn whoever_sweeps_a_position_has_what_it_leads_to() {
        for preset in Preset::ALL {
            let pods = builtin_pods("trio").unwrap();
            let hands = [Hand::whole(&pods); 2];
            let game = Game::new(builtin_board("ring8").unwrap(), pods, preset.into());
            let index = Index::new(&game, &hands).unwrap();
            let mut steps = 0;
            for processes in [2, 3, 7] {
                for (number, tier) in index.tiers().iter().enumerate() {
                    assert!(tier.rows() > 0);
                    let TierStripes { stripes, chunks, .. } = Stripes::of(&index, number, processes);
                    let chunk_of = |row: u64| chunks.of_rows(row..row + 1).next().unwrap();
                    each_step(&game, &index, number, |step| {
                        if step.to.tier == number {
                            let (from, to) = (chunk_of(step.from.row), chunk_of(step.to.row));
                            assert_eq!(slice_of(&index, step.to).0, to.slice);
                            let (mover, next) = (step.position.to_move(), step.next.to_move());
                            let holders = (0..processes).filter(|&i| stripes.holds(i, next, to));
                            let sweeper = (0..processes).find(|&i| stripes.sweeps(i, mover, from)).unwrap();
                            assert!(holders.into_iter().any(|i| i == sweeper), "{preset:?}");
                            steps += 1;
                        }
                    });
                }
            }
            assert!(steps > 500, "{steps}");
        }
    }

    #[test]
    fn each_process_has_as_many_rows_and_few_read_a_chunk() {
        let pods = builtin_pods("four").unwrap();
        let hands = [Hand::whole(&pods); 2];
        let game = Game::new(builtin_board("lair16").unwrap(), pods, Preset::Advanced.into());
        let index = Index::new(&game, &hands).unwrap();
        let number = index.tiers().len() - 1;
        let tier = &index.tiers()[number];
        let chunks = Chunks::new(tier);
        let columns = Side::BOTH.map(|mover| columns(&index, number, mover));
        for processes in [1, 2, 3, 4, 16] {
            let stripes = Stripes::new([&columns[0], &columns[1]], &chunks, tier.slices().len(), processes);
            for side in Side::BOTH {
                let rows = |process: usize| -> u64 {
                    let all = (0..chunks.len()).map(|number| chunks.get(number));
                    all.filter(|&chunk| stripes.sweeps(process, side, chunk)).map(|chunk| chunk.rows as u64).sum()
                };
                let rows: Vec<u64> = (0..processes).map(rows).collect();
                assert_eq!(rows.iter().sum::<u64>(), tier.rows());
                let mean = tier.rows() / processes as u64;
                assert!(rows.iter().all(|&rows| rows.abs_diff(mean) < mean / 50), "{processes}: {rows:?}");
                let copies: usize = (0..tier.slices().len()).map(|slice| stripes.readers(side, slice).count()).sum();
                let most = tier.slices().len() + processes * tier.slices().len() / 4;
                assert!(copies <= most, "{processes}: {copies}");
            }
        }
    }
}
