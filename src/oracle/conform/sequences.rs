//! Perft with a cache, for counts too large to be enumerated, as long as play reaches few positions.

use std::collections::HashMap;

use crate::engine::Engine;
use crate::position::Position;

/// The largest count that is asked for: JSON readers that know only doubles still take it exactly.
pub(super) const LARGEST_COUNT: u64 = 1 << 53;

/// The most counts that the cache keeps.
const MOST_KEPT: usize = 1 << 20;

/// The number of action sequences of exactly this length; `None` if it is 2⁶⁴ or more.
///
/// Counts are cached by position and depth, so that a count is fast if play reaches few positions.
pub(in crate::oracle) fn sequences(engine: &dyn Engine, position: &Position, depth: u32) -> Option<u64> {
    count(engine, position, depth, &mut HashMap::new())
}

fn count(
    engine: &dyn Engine,
    position: &Position,
    depth: u32,
    kept: &mut HashMap<(Position, u32), Option<u64>>,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth > 1
        && let Some(&known) = kept.get(&(position.clone(), depth))
    {
        return known;
    }
    let actions = engine.actions(position);
    if depth == 1 {
        return Some(actions.len() as u64);
    }
    let mut sum = Some(0_u64);
    for action in actions {
        let Some(next) = engine.apply(position, action).map(|transition| transition.next) else { continue };
        let more = count(engine, &next, depth - 1, kept);
        sum = sum.zip(more).and_then(|(sum, more)| sum.checked_add(more));
        if sum.is_none() {
            break;
        }
    }
    if kept.len() < MOST_KEPT {
        kept.insert((position.clone(), depth), sum);
    }
    sum
}
