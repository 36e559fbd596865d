//! Proofs of values where alpha-beta search does not see the end.

use crate::answer::Answerer;
use crate::answer::plan::BYTES_A_POSITION;
use crate::answer::request::SolveError;
use crate::answer::steps::{forced, of_table};
use crate::engine::{Bitboard, Engine as _};
use crate::position::Position;
use crate::solver::search::Search;
use crate::solver::{Finding, Limits, Retrograde, Solution, Stopped, Tracker, positions_at_most};
use crate::table::MemoryPlan;

/// Positions that retrograde analysis by hash lists in a second.
const POSITIONS_A_SECOND: f64 = 1e5;

/// Ratio of the upper bound of the number of positions to the limit from which on only one in
/// [`SMALL_PART`] of the limit is used. The bound is usually far too high, but seldom by that much.
const TOO_HIGH: u128 = 10_000;
const SMALL_PART: u64 = 16;

/// Looks for the winner of an unfinished position, or for losing actions, within these limits, and
/// charges the nodes to the tracker: by the answerer's search for the winner if one is given and the
/// rules fit, else by forced wins. A lost position without a distance has no best action.
pub(super) fn try_value(
    answerer: Option<&mut Answerer<'_>>,
    engine: &Bitboard,
    position: &Position,
    limits: Limits<'_>,
    tracker: &mut Tracker<'_>,
) -> Result<Finding, SolveError> {
    match answerer {
        Some(answerer) if Search::fits(engine.game()) => answerer.search(position, limits, tracker),
        _ => Ok(forced(engine, position, limits, tracker)),
    }
}

/// Returns the value from a table of all that the position leads to, if the table fits within these
/// limits; it proves draws too.
pub(super) fn by_table(
    answerer: &mut Answerer<'_>,
    position: &Position,
    limits: Limits<'_>,
    tracker: &mut Tracker<'_>,
) -> Result<Option<Solution>, SolveError> {
    let plan = MemoryPlan::for_position(answerer.game(), position).ok().filter(|plan| {
        let in_time = limits.time.is_none_or(|time| plan.seconds() <= time.as_secs_f64());
        in_time && plan.positions() <= limits.nodes && plan.bytes() <= limits.memory
    });
    let Some(plan) = plan else { return Ok(by_hash(answerer.engine(), position, limits, tracker)) };
    tracker.charge(plan.positions());
    match answerer.table(plan, limits, &Tracker::new(limits, tracker.observer())) {
        Ok(_) => answerer.memory_says(position, false),
        Err(_) => Ok(None),
    }
}

/// Returns the value by retrograde analysis by hash, if the position leads to few enough positions.
fn by_hash(engine: &Bitboard, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Option<Solution> {
    let by_time = limits.time.map_or(u64::MAX, |time| (time.as_secs_f64() * POSITIONS_A_SECOND) as u64);
    let positions = limits.nodes.min(by_time).min(limits.memory / BYTES_A_POSITION);
    // If there are probably far too many, the listing stops early.
    let hopeless = positions_at_most(engine.game(), &[position]) > u128::from(positions) * TOO_HIGH;
    let positions = if hopeless { positions / SMALL_PART } else { positions };
    let within = Tracker::new(limits, tracker.observer());
    let limits = limits.with_memory(u64::MAX).with_nodes(positions);
    let table = match Retrograde::build(engine, &[position], limits, &within) {
        Ok(table) => table,
        Err(stopped) => {
            if let Stopped::LimitReached { positions } = stopped {
                tracker.charge(positions);
            }
            return None;
        }
    };
    tracker.charge(table.positions());
    of_table(engine, &table, position, true).ok()
}
