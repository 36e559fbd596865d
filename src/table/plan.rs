//! What a table will take, counted before anything is allocated.

use super::blocks::BLOCK_CELLS;
use super::index::Index;
use super::tier::Tier;
use crate::position::Game;

/// What a tier, or a whole table, will take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Need {
    /// Positions, both sides to move: exact.
    pub positions: u64,
    /// Bytes of memory at the peak of the build: an estimate a little above what was measured.
    pub memory: u64,
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
        for tier in index.tiers() {
            let cells = cells(index, tier);
            kept += cells;
            // What a build of a thousand million positions was measured to take beyond that: buffers, allocation.
            let memory = kept + tier.rows() * WORDS_OF_ROW + cells * 5 / 8 + REST;
            let disk = cells + cells / 4 + 2 * 40 * cells.div_ceil(BLOCK_CELLS as u64);
            let positions = 2 * tier.positions();
            let need = Need { positions, memory, disk, seconds: positions as f64 / rate };
            plan.total.positions += positions;
            plan.total.memory = plan.total.memory.max(memory);
            plan.total.disk += disk;
            plan.total.seconds += need.seconds;
            plan.tiers.push(need);
        }
        plan
    }
}

fn cells(index: &Index, tier: &Tier) -> u64 {
    2 * tier.rows() * index.points() as u64
}
