//! A table in memory: what it will take, and solving it.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::engine::Bitboard;
use crate::material::Side;
use crate::position::{Game, Position, Setup};
use crate::solver::{Limits, MemoryLimit, Observer, Phase, Prediction, Stopped, Tracker};
use crate::table::index::{Index, IndexError};
use crate::table::plan::seconds;
use crate::table::probe::Table;
use crate::table::retro::{Watch, needed};
use crate::table::solve::{Sweeps, solve_tiers};
use crate::table::verify::bytes_of_verification;

/// Bytes of a row of a tier that is being solved: four words, and one more for its unused cells at
/// the beginning.
const WORDS_OF_ROW: u64 = 5 * 8;
/// The most bytes that the frontier of a tier takes.
const FRONTIER: u64 = 16 << 20;
/// Bytes for all the rest: buffers of threads and the program itself.
const REST: u64 = 6 << 20;

/// A table to be solved in memory. Its needs are known before anything is allocated.
///
/// ```
/// use pods::material::{Side, builtin_board, builtin_pods};
/// use pods::position::{Game, Hand};
/// use pods::rules::Preset;
/// use pods::solver::{Limits, Silent, Value, Verdict};
/// use pods::table::{Prober, MemoryPlan};
///
/// let game = Game::new(builtin_board("ring8").unwrap(), builtin_pods("duo").unwrap(), Preset::Advanced.into());
/// let hand = Hand::whole(game.pods());
/// let start = game.start(hand, hand, Side::White)?;
/// let plan = MemoryPlan::for_position(&game, &start)?;
/// assert!(plan.bytes() < 64 << 20);
/// let table = plan.solve(Limits::default(), &Silent)?;
/// let solution = Prober::new(&game, [&table])?.solve(&start, true)?.expect("the table holds its start");
/// assert_eq!(solution.verdict, Verdict::Value(Value::Win(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MemoryPlan {
    setup: Setup,
    index: Index,
    bytes: u64,
    seconds: f64,
}

impl MemoryPlan {
    /// Creates a table of everything that a setup may come to.
    ///
    /// # Errors
    ///
    /// If the setup is too large for an index.
    pub fn new(setup: Setup) -> Result<MemoryPlan, IndexError> {
        let (game, index) = (setup.game(), Index::new(&setup)?);
        let seconds = index.tiers().iter().map(|tier| seconds(game, &index, tier)).sum();
        Ok(MemoryPlan { bytes: bytes(&index), seconds, index, setup })
    }

    /// Returns a table that holds a position and all that it leads to.
    ///
    /// # Errors
    ///
    /// As [`MemoryPlan::new`].
    pub fn for_position(game: &Game, position: &Position) -> Result<MemoryPlan, IndexError> {
        MemoryPlan::new(Setup::new(game.clone(), Side::BOTH.map(|side| position.in_game(side))))
    }

    /// Returns the setup; its hands are the pods in the game.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the positions of the index, both sides to move: a little more than the table holds
    /// where captures follow every action.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.index.positions()
    }

    /// Returns the bytes of memory at the peak, as long as no distance is above 254 plies; a tier
    /// with such a distance takes a byte more for each of its cells.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the most bytes of memory beside the table while [`crate::table::Verifier::rows`]
    /// derives it again.
    #[must_use]
    pub fn bytes_of_verification(&self) -> u64 {
        bytes_of_verification(&self.index)
    }

    /// Returns the seconds on two cores: a guess from measured rates of similar setups.
    pub(crate) fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Solves every position of the table. Time, interruption and the observer end it within about
    /// a second.
    ///
    /// # Errors
    ///
    /// If the table does not fit within the limits of memory and positions, mostly before it
    /// starts; or if it is ended.
    pub fn solve(self, limits: Limits<'_>, observer: &dyn Observer) -> Result<Table, Stopped> {
        let MemoryPlan { setup, index, bytes, .. } = self;
        let positions = index.positions();
        if bytes > limits.memory {
            let predicted = Prediction { positions: positions.into(), bytes: bytes.into() };
            return Err(Stopped::WouldNotFit { predicted, limit: limits.memory_limit() });
        }
        if positions > limits.nodes {
            return Err(Stopped::LimitReached { positions: limits.nodes });
        }
        let mut before = Vec::new();
        let mut sum = 0;
        for tier in index.tiers() {
            before.push(sum);
            sum += 2 * tier.positions();
        }
        let watch = LimitWatch {
            observer: &Tracker::new(limits, observer),
            limit: limits.memory_limit(),
            bytes: AtomicU64::new(bytes),
        };
        let engine = Bitboard::new(setup.game().clone());
        let codes = solve_tiers(&engine, &index, Sweeps::BitParallel, &watch, &mut |number, swept| {
            let of_tier = 2 * index.tiers()[number].positions();
            let done = before[number] + of_tier.saturating_sub(swept.undecided);
            observer.progress(Phase::Propagate, done, Some(positions));
        })?;
        Ok(Table::in_memory(setup, index, codes))
    }
}

/// Ends a job that an observer stops, or that needs too much memory.
struct LimitWatch<'a> {
    observer: &'a dyn Observer,
    limit: MemoryLimit,
    bytes: AtomicU64,
}

impl Watch for LimitWatch<'_> {
    type Error = Stopped;

    fn go_on(&self) -> Result<(), Stopped> {
        self.observer.stop().map_or(Ok(()), Err)
    }

    fn allow(&self, bytes: u64) -> Result<(), Stopped> {
        let bytes = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if bytes > self.limit.bytes { Err(Stopped::MemoryFull { limit: self.limit }) } else { Ok(()) }
    }
}

/// Returns the bytes of memory at the peak of solving.
fn bytes(index: &Index) -> u64 {
    let (mut peak, mut kept) = (0, 0);
    for (number, tier) in index.tiers().iter().enumerate() {
        kept += 2 * tier.rows() * index.points() as u64;
        // A word for each row of the earlier tiers that it leads to, for one player at a time.
        let words = Side::BOTH.map(|side| {
            let tier_sides = needed(index, number).into_iter().filter(|tier_side| tier_side.to_move == side);
            tier_sides.map(|tier_side| index.tiers()[tier_side.tier].rows() * 8).sum::<u64>()
        });
        let frontier = FRONTIER.min(8 * tier.rows() * 8);
        peak = peak.max(kept + tier.rows() * WORDS_OF_ROW + words[0].max(words[1]) + frontier);
    }
    peak + REST
}
