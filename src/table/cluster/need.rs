//! Predicts what each of several processes will take.

use crate::table::cluster::exchange::ahead;
use crate::table::index::Index;
use crate::table::plan::{Need, REST, STREAM_REST, TablePlan, codes_of_needed, end_of_tier, left_for_strips, lists};
use crate::table::retro::{Strips, StripsOfProcess, left_beside};

/// Number of positions (with either side to move) from which on all processes solve a tier
/// together. Process 0 solves a smaller one alone, faster than the barriers would allow.
const SHARED_FROM: u64 = 1 << 20;

/// CPU seconds of several processes that build from disk, as a multiple of those of one process in
/// memory: where pods are captured, and where not (`results/cluster`).
const FROM_DISK: [f64; 2] = [2.3, 1.7];

/// The same where all that a process needs fits in its memory.
const RESIDENT: f64 = 1.5;

/// Predicted needs of several processes that build a table. Memory and disk are those of the
/// process that takes most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ProcessNeed {
    /// Positions, both sides to move, of the tiers that are solved together: exact.
    pub shared: u64,
    /// The fewest bytes of memory with which a process can sweep its strips, with up to two
    /// threads. It uses more where it may, to sweep several strips together. An estimate, a little
    /// above measured values.
    pub memory: u64,
    /// The same for process 0, which also solves small tiers alone, makes the blocks of a solved
    /// tier, and puts the files together.
    pub memory_of_first: u64,
    /// Bytes of words on disk while a tier is solved together, where they do not fit in memory; its
    /// log in the folder of the build is not counted. Exact, where distances fit in a byte.
    pub scratch: u64,
    /// The most positions of a process, divided by the mean: exact.
    pub balance: f64,
    /// Seconds where each process has two cores: a guess.
    pub seconds: f64,
}

/// Returns `true` if several processes that may use `memory` bytes each solve a tier together.
pub(super) fn is_shared(need: &Need, memory: u64, stream: bool) -> bool {
    stream || need.least > memory || need.positions >= SHARED_FROM
}

impl TablePlan {
    /// Predicts the needs of each of several processes that may use `memory` bytes each. With
    /// `stream` they solve every tier together.
    #[must_use]
    pub fn of_processes(&self, index: &Index, processes: usize, memory: u64, stream: bool) -> ProcessNeed {
        let no_captures = index.tiers().len() == 1;
        let mut all = ProcessNeed { balance: 1.0, memory: REST, memory_of_first: self.end, ..ProcessNeed::default() };
        let mut most_positions = 0.0;
        for (number, need) in self.tiers.iter().enumerate() {
            if processes < 2 || !is_shared(need, memory, stream) {
                let alone = if need.least > memory { need.streamed } else { need.least };
                all.memory_of_first = all.memory_of_first.max(alone);
                all.seconds += need.seconds;
                continue;
            }
            let tier = &index.tiers()[number];
            let strips = Strips::new(index, number, self.shoves, processes);
            let rows = strips.rows();
            let sum = |of: fn(&StripsOfProcess) -> u64| rows.iter().map(of).sum::<u64>() as f64;
            let most = |of: fn(&StripsOfProcess) -> u64| rows.iter().map(of).max().unwrap_or(0);
            let part = most(|of| of.swept) as f64 / sum(|of| of.swept).max(1.0);
            all.shared += need.positions;
            all.memory = all.memory.max(rest(processes) + strips.memory() + lists(index, number));
            let end = rest(processes) + end_of_tier(index, tier, strips.all_chunks());
            all.memory_of_first = all.memory_of_first.max(end);
            let codes = codes_of_needed(index, number);
            let left = left_for_strips(index, number, memory, rest(processes));
            let fits = |process| left_beside(codes, index.points(), left, &strips, process).is_some();
            let resident = !stream && (0..processes).all(fits);
            if !resident {
                all.scratch = all.scratch.max(strips.scratch(index.points()));
            }
            most_positions += part * processes as f64 * need.positions as f64;
            all.seconds += need.seconds * if resident { RESIDENT } else { FROM_DISK[usize::from(no_captures)] } * part;
        }
        if all.shared > 0 {
            all.balance = most_positions / all.shared as f64;
        }
        all.memory_of_first = all.memory_of_first.max(all.memory);
        all
    }

    /// Returns the least memory with which one of several processes takes part in a build.
    pub(super) fn least_of(&self, index: &Index, processes: usize, process: usize, memory: u64, stream: bool) -> u64 {
        let need = self.of_processes(index, processes, memory, stream);
        match (processes, process) {
            (0 | 1, _) => self.total.streamed,
            (_, 0) => need.memory_of_first,
            _ => need.memory,
        }
    }
}

/// Returns the bytes of memory of a process for everything else: words on the way, from it and to
/// it, too.
pub(super) fn rest(processes: usize) -> u64 {
    STREAM_REST + 2 * ahead(processes) * (processes.max(1) as u64 - 1)
}
