//! Predicts what each of several processes will take.

use crate::table::cluster::exchange::ahead;
use crate::table::cluster::tier::{Strips, StripsOfProcess, left_beside};
use crate::table::index::Index;
use crate::table::plan::{Need, REST, STREAM_REST, TablePlan, end_of_tier, lists, log};
use crate::table::retro::children::needed;
use crate::table::retro::external::planes::row_bytes;

/// Number of positions (with either side to move) from which on all processes solve a tier
/// together. Process 0 solves a smaller one alone, faster than the barriers would allow.
const SHARED_FROM: u64 = 1 << 20;

/// CPU seconds of several processes that build from disk, as a multiple of those of one process in
/// memory: where pods are captured, and where not (`results/cluster`).
const FROM_DISK: [f64; 2] = [2.3, 1.7];

/// The same where all that a process needs fits in its memory.
const RESIDENT: f64 = 1.5;

/// Processes send at most the bound on the log divided by this: where pods are captured; and where
/// they are not, or are shoved, so that words go to all who read the column.
const SENT_OF_LOG: [u64; 2] = [4, 2];

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
    /// Bytes of words that all processes together send: an estimate, seldom too low.
    pub exchanged: u64,
    /// Bytes of finished blocks that the others send to process 0, which writes them: an estimate
    /// as rough as that of the files.
    pub blocks: u64,
    /// The most positions of a process, divided by the mean: exact.
    pub balance: f64,
    /// Seconds where each process has two cores: a guess.
    pub seconds: f64,
}

impl ProcessNeed {
    /// Returns the bits sent for each position of the tiers that are solved together.
    #[must_use]
    pub fn bits_a_position(&self) -> f64 {
        self.exchanged as f64 * 8.0 / self.shared.max(1) as f64
    }
}

/// Returns `true` if several processes that may use `memory` bytes each solve a tier together.
pub(in crate::table::cluster) fn is_shared(need: &Need, memory: u64, stream: bool) -> bool {
    stream || need.least > memory || need.positions >= SHARED_FROM
}

impl TablePlan {
    /// Predicts the needs of each of several processes that may use `memory` bytes each. With
    /// `stream` they solve every tier together.
    #[must_use]
    pub fn of_processes(&self, index: &Index, processes: usize, memory: u64, stream: bool) -> ProcessNeed {
        let no_captures = index.tiers().len() == 1;
        let sent_of_log = SENT_OF_LOG[usize::from(no_captures || self.shoves)];
        let row = 4 * row_bytes(index.points()) as u64;
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
            let codes = needed(index, number).into_iter().map(|tier_side| tier_side.bytes(index)).sum();
            let left = left_for_strips(index, number, processes, memory);
            let fits = |process| left_beside(codes, index.points(), left, &strips, process).is_some();
            let resident = !stream && (0..processes).all(fits);
            if !resident {
                all.scratch = all.scratch.max(row / 2 * most(|of| of.swept + of.read));
            }
            let sent = sum(|of| of.sent) / sum(|of| of.swept).max(1.0);
            all.exchanged += (log(index, tier) as f64 * sent) as u64 / sent_of_log;
            most_positions += part * processes as f64 * need.positions as f64;
            all.seconds += need.seconds * if resident { RESIDENT } else { FROM_DISK[usize::from(no_captures)] } * part;
        }
        if all.shared > 0 {
            all.balance = most_positions / all.shared as f64;
            // All make blocks, of the tiers and then of the files.
            let part = all.shared as f64 / self.total.positions as f64;
            let made = part * self.parts as f64 + self.total.disk as f64;
            all.blocks = (made * (processes - 1) as f64 / processes as f64) as u64;
        }
        all.memory_of_first = all.memory_of_first.max(all.memory);
        all
    }

    /// Returns the least memory with which one of several processes takes part in a build.
    pub(in crate::table::cluster) fn least_of(
        &self,
        index: &Index,
        processes: usize,
        process: usize,
        memory: u64,
        stream: bool,
    ) -> u64 {
        let need = self.of_processes(index, processes, memory, stream);
        match (processes, process) {
            (0 | 1, _) => self.total.streamed,
            (_, 0) => need.memory_of_first,
            _ => need.memory,
        }
    }
}

/// Returns the part of a process's `memory` that is left for what the strips of a tier read.
pub(in crate::table::cluster) fn left_for_strips(index: &Index, number: usize, processes: usize, memory: u64) -> u64 {
    memory.saturating_sub(rest(processes) + lists(index, number))
}

/// Returns the same while the blocks of a tier are made.
pub(in crate::table::cluster) fn left_for_blocks(
    index: &Index,
    number: usize,
    processes: usize,
    memory: u64,
    shoves: bool,
) -> u64 {
    let chunks = Strips::new(index, number, shoves, processes).all_chunks();
    memory.saturating_sub(rest(processes) + end_of_tier(index, &index.tiers()[number], chunks))
}

/// Returns the bytes of memory of a process for everything else: words on the way, from it and to
/// it, too.
fn rest(processes: usize) -> u64 {
    STREAM_REST + 2 * ahead(processes) * (processes.max(1) as u64 - 1)
}
