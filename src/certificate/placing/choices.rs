//! The choices of a proof, by the positions that they are for.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::super::shown_before::{FirstBytes, ShownKey};
use super::situation::Situation;
use crate::geometry::{Point, PointSet};
use crate::material::PodKind;

/// Choice of a proof in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// The winner's placement.
    Placement(PodKind, Point),
    /// The points on which all replies of the loser are covered.
    Covered(PointSet),
}

/// Choices by position.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    by_key: HashMap<ShownKey, Chosen, BuildHasherDefault<FirstBytes>>,
    buffer: Vec<u8>,
}

impl Choices {
    /// Notes the choice for a position.
    pub(crate) fn insert(&mut self, situation: &Situation, chosen: Chosen) {
        let key = situation.key(&mut self.buffer);
        self.by_key.insert(key, chosen);
    }

    /// Returns the choice for a position, if there is one.
    pub(crate) fn get(&mut self, situation: &Situation) -> Option<Chosen> {
        self.by_key.get(&situation.key(&mut self.buffer)).copied()
    }
}
