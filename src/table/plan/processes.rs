//! Predicts what each of several processes will take.

use crate::material::Side;
use crate::table::index::Index;
use crate::table::plan::{Need, TablePlan, log};
use crate::table::retro::external::{Stripes, row_bytes};

/// From this many positions on (with either side to move) all processes solve a tier together. Process 0 solves a
/// smaller one alone in less time than the barriers would take.
const SHARED_FROM: u64 = 1 << 20;

/// How many times longer sweeps from disk take than sweeps in memory: where pods are captured, and where not.
const FROM_DISK: [f64; 2] = [2.5, 1.3];

/// Processes send a fifth of the bound on the log, or less: a seventh to an eighth was measured on 16 points with 7 pods and
/// captures, a sixth on 12 points without captures.
const SENT_OF_LOG: u64 = 5;

/// What several processes will take to build a table. Memory and disk are those of the process that takes most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ProcessNeed {
    /// Positions, both sides to move, of the tiers that are solved together: exact.
    pub shared: u64,
    /// Bytes of memory: those of a build from disk, and for process 0 those of the tiers that it solves alone. An estimate.
    pub memory: u64,
    /// Bytes of words on disk while a tier is solved together; its log in the folder of the build is not counted. Exact.
    pub scratch: u64,
    /// Bytes of words that all processes together send: an estimate, 1.2 to 1.6 times what measured
    /// builds sent.
    pub exchanged: u64,
    /// The most positions of a process, divided by the mean: exact.
    pub balance: f64,
    /// Seconds where each process has two cores: a guess.
    pub seconds: f64,
}

impl ProcessNeed {
    /// Bits sent for each position of the tiers that are solved together.
    #[must_use]
    pub fn bits_a_position(&self) -> f64 {
        self.exchanged as f64 * 8.0 / self.shared.max(1) as f64
    }
}

/// Whether several processes that may use `memory` bytes each solve a tier together.
pub(in crate::table) fn is_shared(need: &Need, memory: u64, stream: bool) -> bool {
    stream || need.least > memory || need.positions >= SHARED_FROM
}

impl TablePlan {
    /// What each of several processes that may use `memory` bytes each will take. With `stream` they solve every tier
    /// together.
    #[must_use]
    pub fn of_processes(&self, index: &Index, processes: usize, memory: u64, stream: bool) -> ProcessNeed {
        let captures = usize::from(index.tiers().len() == 1);
        let row = 2 * row_bytes(index.points()) as u64;
        let mut all = ProcessNeed { balance: 1.0, ..ProcessNeed::default() };
        let mut most_positions = 0.0;
        for (number, need) in self.tiers.iter().enumerate() {
            if processes < 2 || !is_shared(need, memory, stream) {
                let alone = if need.least > memory { need.streamed } else { need.least };
                all.memory = all.memory.max(alone);
                all.seconds += need.seconds;
                continue;
            }
            let tier = &index.tiers()[number];
            let rows = Stripes::of(index, number, processes).rows();
            let sum = |of: fn(&[u64; 3]) -> u64| rows.iter().map(of).sum::<u64>() as f64;
            let most = |of: fn(&[u64; 3]) -> u64| rows.iter().map(of).max().unwrap_or(0);
            let swept = Side::BOTH.len() as f64 * tier.rows().max(1) as f64;
            let part = most(|of| of[0]) as f64 / swept;
            all.shared += need.positions;
            all.memory = all.memory.max(need.streamed);
            all.scratch = all.scratch.max(row * most(|of| of[1]));
            all.exchanged += (log(index, tier) as f64 * sum(|of| of[2]) / swept) as u64 / SENT_OF_LOG;
            most_positions += part * processes as f64 * need.positions as f64;
            all.seconds += need.seconds * FROM_DISK[captures] * part;
        }
        if all.shared > 0 {
            all.balance = most_positions / all.shared as f64;
        }
        all.memory = all.memory.max(self.total.streamed);
        all
    }
}
