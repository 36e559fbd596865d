//! The counts of action sequences that are asked for.

use crate::engine::{Engine, Sequences};
use crate::position::Position;
use crate::progress::Silent;

/// The largest count that is asked for: JSON readers that know only doubles still take it exactly.
pub(super) const LARGEST_COUNT: u64 = 1 << 53;

/// Returns the number of action sequences of exactly this length; `None` if it is 2⁶⁴ or more.
pub(in crate::oracle) fn sequences(engine: &dyn Engine, position: &Position, depth: u32) -> Option<u64> {
    Sequences::new(engine).count(position, depth, &Silent).unwrap_or(None)
}
