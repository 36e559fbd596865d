//! What a table will take, counted before anything is allocated.

use super::blocks::BLOCK_CELLS;
use super::earlier::needed;
use super::index::Index;
use super::tier::Tier;
use crate::position::Game;

/// What a tier, or a whole table, will take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Need {
    /// Positions, both sides to move: exact.
    pub positions: u64,
    /// Bytes of memory at the peak of the build, all earlier tiers kept: an estimate a little above what was measured.
    pub memory: u64,
    /// The same with only those earlier tiers kept that this one needs; the others are read back from disk.
    pub least: u64,
    /// Bytes on disk at most; compression mostly leaves a tenth or less.
    pub disk: u64,
    /// Seconds on two cores: a guess from measured rates of similar setups.
    pub seconds: f64,
}

/// A plan: the tiers of an index, in the order in which they are solved.
#[derive(Clone, Debug)]
pub struct TablePlan {
    /// What each tier will take.
    pub tiers: Vec<Need>,
    /// What the whole table will take.
    pub total: Need,
}

/// Bytes of a row of a tier that is being solved, for the words of wins and losses of both players.
const WORDS_OF_ROW: u64 = 4 * 8;
/// Memory for all the rest.
const REST: u64 = 48 << 20;
/// Positions per second of bit-parallel sweeps and of those position by position, on two cores.
const RATES: (f64, f64) = (25e6, 0.15e6);

impl TablePlan {
    /// The plan of an index of a game.
    #[must_use]
    pub fn new(game: &Game, index: &Index) -> TablePlan {
        let options = game.rules().options();
        let rate = if options.moves && options.shoves { RATES.1 } else { RATES.0 };
        let mut kept = 0;
        let mut plan = TablePlan { tiers: Vec::new(), total: Need::default() };
        for (number, tier) in index.tiers().iter().enumerate() {
            let cells = cells(index, tier);
            let own = own(index, tier);
            let memory = kept + own;
            let least = needed(index, number).into_iter().map(|half| half.bytes(index)).sum::<u64>() + own;
            kept += cells;
            let disk = cells + cells / 4 + 2 * 40 * cells.div_ceil(BLOCK_CELLS as u64);
            let positions = 2 * tier.positions();
            let need = Need { positions, memory, least, disk, seconds: positions as f64 / rate };
            plan.total.positions += positions;
            plan.total.memory = plan.total.memory.max(memory);
            plan.total.least = plan.total.least.max(least);
            plan.total.disk += disk;
            plan.total.seconds += need.seconds;
            plan.tiers.push(need);
        }
        plan
    }
}

/// Bytes of memory that a tier takes while it is solved and compressed, without the earlier ones.
pub(super) fn own(index: &Index, tier: &Tier) -> u64 {
    let cells = cells(index, tier);
    // The last part is what a build of a thousand million positions was measured to take more: buffers, allocation.
    cells + tier.rows() * WORDS_OF_ROW + cells * 5 / 8 + REST
}

fn cells(index: &Index, tier: &Tier) -> u64 {
    2 * tier.rows() * index.points() as u64
}
