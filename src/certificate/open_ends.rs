//! Open ends of a proof in sections, and its progress.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::placing::Situation;
use crate::geometry::MAX_POINTS;
use crate::material::Side;
use crate::position::{Game, Position};

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

    /// The start of the first walk.
    pub(super) fn root(game: &Game, root: &Position) -> OpenEnd {
        OpenEnd { situation: Situation::new(game, root), real: Some(root.clone()) }
    }
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

/// Progress of a proof in sections.
#[derive(Debug)]
pub(super) struct SoFar {
    pub(super) winner: Side,
    /// True if the first walk is there.
    pub(super) begun: bool,
    /// Sections that are written, the first walk apart.
    pub(super) sections: u64,
    /// Open ends.
    pub(super) open: VecDeque<OpenEnd>,
    /// Lines between header and trailer.
    pub(super) lines: u64,
    /// The digest of all bytes.
    pub(super) digest: Sha256,
}

impl SoFar {
    pub(super) fn nothing(winner: Side) -> SoFar {
        let (open, digest) = (VecDeque::new(), Sha256::new());
        SoFar { winner, begun: false, sections: 0, open, lines: 0, digest }
    }

    /// The number of the section that is written next; 0 is the first walk.
    pub(super) fn next(&self) -> u64 {
        self.sections + u64::from(self.begun)
    }
}
