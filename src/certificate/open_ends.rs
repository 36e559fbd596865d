//! Open ends of a proof of version 3.

use serde::{Deserialize, Serialize};

use super::placing::Situation;
use crate::geometry::MAX_POINTS;
use crate::position::Position;

/// A situation that a section of its own is to show: an open end of a walk, or its start.
#[derive(Clone, Debug)]
pub(super) struct OpenEnd {
    pub(super) situation: Situation,
    /// The position itself, if no pod on the board is a cover.
    pub(super) real: Option<Position>,
}

impl OpenEnd {
    /// Largest size of one, in bytes: a position has its points on the heap.
    pub(super) const BYTES: u64 = (size_of::<OpenEnd>() + 2 * MAX_POINTS + 16) as u64;
}

/// The line before the lines of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Heading {
    /// The number of the section, from 1; the first walk has no heading.
    pub(super) section: u64,
}

/// Beginning of a heading. No other line does.
pub(super) const HEADING_START: &[u8] = b"{\"section\":";
