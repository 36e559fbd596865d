//! Predicts the memory, the room for words on disk and the time that a table will take, before
//! anything is allocated.

mod space;

use crate::material::Side;
use crate::position::Game;
use crate::rules::EmptyHand;
use crate::table::index::{Index, Tier, TierSide};
use crate::table::retro::{Strips, needed};
use crate::table::storage::{BLOCK_CELLS, BlockRows};
pub(in crate::table) use space::check_space;

/// Predicted needs of a tier or a whole table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Need {
    /// Positions with either side to move, also those with blocked pods: exact.
    pub positions: u64,
    /// Bytes of memory at the peak of the build, with all earlier tiers kept in memory: an
    /// estimate, a little above measured values.
    pub memory: u64,
    /// As `memory`, but with only those earlier tiers in memory that this one needs; the others are
    /// read back from disk when a later tier needs them.
    pub least: u64,
    /// The least memory of a build: as `least`, or, where that is less, with the tier that is being
    /// solved on disk.
    pub streamed: u64,
    /// Bytes of words on disk, besides finished tiers and logs, while a tier is solved from disk:
    /// exact. The total is the most of any tier.
    pub scratch: u64,
    /// Seconds on two cores: a guess from measured rates of similar setups.
    pub seconds: f64,
}

/// A plan: the tiers of an index, in the order in which they are solved.
#[derive(Clone, Debug)]
pub struct TablePlan {
    /// Predicted needs by tier.
    pub tiers: Vec<Need>,
    /// Predicted needs of the whole table.
    pub total: Need,
    /// Bytes of memory while the file is put together.
    pub(in crate::table) end: u64,
    pub(in crate::table) shoves: bool,
}

/// Bytes of a row of a tier that is being solved, for the words of wins and losses of both players.
const WORDS_OF_ROW: u64 = 4 * 8;
/// Memory for everything else.
pub(in crate::table) const REST: u64 = 56 << 20;
/// The same for a build from disk, which has more buffers.
pub(in crate::table) const STREAM_REST: u64 = 64 << 20;
/// Bytes for each block of an earlier tier while codes are read from it.
const LISTS_OF_BLOCK: u64 = 28;
/// Bytes of an entry that says where words are in a log.
const ENTRY_OF_CHUNK: u64 = 32;
/// Number of sweeps that find something in most chunks, by assumption.
const SWEEPS: u64 = 40;

/// Returns `true` if an action may shove or kick a pod (R22, R24).
pub(in crate::table) fn may_shove(game: &Game) -> bool {
    let options = game.rules().options();
    options.moves && options.shoves
}

/// Returns the seconds on two cores that a tier takes: a guess from measured rates of similar
/// setups.
pub(in crate::table) fn seconds(game: &Game, index: &Index, tier: &Tier) -> f64 {
    let pods: u32 = tier.alive().iter().map(|&count| u32::from(count)).sum();
    let crowd = f64::from(pods) / index.points() as f64;
    // Both sides to move, and both cores.
    tier.positions() as f64 / rate(game, crowd)
}

/// Returns the positions per second of bit-parallel sweeps on one core, where there are so many
/// pods a point.
///
/// Fitted to CPU seconds of builds. The more crowded the board, the more captures and the more
/// sweeps; most where the game goes on when a hand is empty.
fn rate(game: &Game, crowd: f64) -> f64 {
    let options = game.rules().options();
    match (options.moves, may_shove(game), options.empty_hand == EmptyHand::Loses) {
        (false, ..) => 100e6 * 10_f64.powf(-crowd),
        (true, false, false) => 80e6 * 10_f64.powf(-1.2 * crowd),
        // The more crowded, the more can be pushed.
        (true, true, false) => 80e6 * 10_f64.powf(-1.2 * crowd) / (1.0 + crowd),
        (true, false, true) => 5.5e6,
        (true, true, true) => 4e6 * 10_f64.powf(-crowd),
    }
}

impl TablePlan {
    /// Plans the tables of an index of a game.
    #[must_use]
    pub fn new(game: &Game, index: &Index) -> TablePlan {
        let mut kept = 0;
        let shoves = may_shove(game);
        let mut plan = TablePlan { tiers: Vec::new(), total: Need::default(), end: 0, shoves };
        for (number, tier) in index.tiers().iter().enumerate() {
            let cells = cells(index, tier);
            let own = own(index, number);
            let memory = kept + own;
            let least = codes_of_needed(index, number) + own;
            kept += cells;
            let positions = 2 * tier.positions();
            let strips = Strips::new(index, number, shoves, 1);
            let streamed = least.min(streamed(index, number, &strips));
            let need = Need {
                positions,
                memory,
                least,
                streamed,
                scratch: strips.scratch(index.points()),
                seconds: seconds(game, index, tier),
            };
            plan.total.positions += positions;
            plan.total.memory = plan.total.memory.max(memory);
            plan.total.least = plan.total.least.max(least);
            plan.total.streamed = plan.total.streamed.max(streamed);
            plan.total.scratch = plan.total.scratch.max(need.scratch);
            plan.total.seconds += need.seconds;
            plan.tiers.push(need);
        }
        // While the file is made, a list of all its blocks is in memory, and those of the blocks of
        // a tier that they are made from.
        let lists = |tier: &Tier| cells(index, tier) / BLOCK_CELLS as u64 * LISTS_OF_BLOCK;
        let rows = BlockRows::new(index);
        let blocks: u64 = (0..index.tiers().len()).map(|tier| 2 * rows.count(index, tier) as u64).sum();
        plan.end = REST + blocks * 16 + index.tiers().iter().map(lists).max().unwrap_or(0);
        plan.total.streamed = plan.total.streamed.max(plan.end);
        plan
    }

    /// Returns the bytes of words on disk that a build takes at its peak with `memory` bytes of
    /// memory, besides finished tiers and logs, whose sizes are not known before.
    pub(crate) fn scratch_of_build(&self, memory: u64, stream: bool) -> u64 {
        let scratch = self.tiers.iter().filter(|need| stream || need.least > memory).map(|need| need.scratch);
        scratch.max().unwrap_or(0)
    }
}

/// Returns the bytes of the codes of the earlier tiers that a tier leads to.
pub(in crate::table) fn codes_of_needed(index: &Index, number: usize) -> u64 {
    needed(index, number).into_iter().map(|tier_side| tier_side.bytes(index)).sum()
}

/// Returns the bytes of memory that a tier takes while one process solves it from disk.
fn streamed(index: &Index, number: usize, strips: &Strips) -> u64 {
    let end = end_of_tier(index, &index.tiers()[number], strips.all_chunks());
    STREAM_REST + (strips.memory() + lists(index, number)).max(end)
}

/// Returns the part of a process's `memory` that is left for what the strips of a tier read. `rest`
/// bytes are for everything else.
pub(in crate::table) fn left_for_strips(index: &Index, number: usize, memory: u64, rest: u64) -> u64 {
    memory.saturating_sub(rest + lists(index, number))
}

/// Returns the same while the blocks of a tier are made.
pub(in crate::table) fn left_for_blocks(index: &Index, number: usize, memory: u64, rest: u64, shoves: bool) -> u64 {
    let chunks = Strips::new(index, number, shoves, 1).all_chunks();
    memory.saturating_sub(rest + end_of_tier(index, &index.tiers()[number], chunks))
}

/// Returns the bytes of the lists of the blocks of an earlier tier, the largest that a tier needs,
/// while codes are read from it.
pub(in crate::table) fn lists(index: &Index, number: usize) -> u64 {
    let lists = |tier_side: &TierSide| tier_side.bytes(index) / BLOCK_CELLS as u64 * LISTS_OF_BLOCK;
    needed(index, number).iter().map(lists).max().unwrap_or(0)
}

/// Returns the bytes of memory at the end of a tier that is solved from disk: for each of so many
/// chunks and each sweep an entry that says where its words are in the log, and the lengths of all
/// blocks.
pub(in crate::table) fn end_of_tier(index: &Index, tier: &Tier, chunks: u64) -> u64 {
    chunks * SWEEPS * ENTRY_OF_CHUNK + cells(index, tier) / BLOCK_CELLS as u64 * 4
}

/// Returns the bytes of memory that a tier takes while it is solved and compressed, without the
/// earlier ones.
pub(in crate::table) fn own(index: &Index, number: usize) -> u64 {
    let tier = &index.tiers()[number];
    let cells = cells(index, tier);
    // A word for each row of the earlier tiers that it leads to, for one player at a time.
    let words = Side::BOTH.map(|side| {
        let tier_sides = needed(index, number).into_iter().filter(|tier_side| tier_side.to_move == side);
        tier_sides.map(|tier_side| index.tiers()[tier_side.tier].rows() * 8).sum::<u64>()
    });
    // The last part is for buffers and allocation.
    cells + tier.rows() * WORDS_OF_ROW + cells / 8 + words[0].max(words[1]) + REST
}

fn cells(index: &Index, tier: &Tier) -> u64 {
    2 * tier.rows() * index.points() as u64
}
