//! Groups: the slices of a tier by what one side has on the board.

use hashbrown::HashMap;

use crate::material::Side;
use crate::table::index::reach::key;
use crate::table::index::{Index, Tier};

/// The slices of a tier in groups. In a group one side has the same pods on the board. Groups are
/// in the order of their first slices.
pub(in crate::table) struct Groups {
    of_slice: Vec<usize>,
    /// The slices of each group, in order; none is empty.
    slices: Vec<Vec<usize>>,
    by_key: HashMap<usize, usize>,
}

impl Groups {
    pub(in crate::table) fn new(index: &Index, tier: &Tier, side: Side) -> Groups {
        let mut groups = Groups { of_slice: Vec::new(), slices: Vec::new(), by_key: HashMap::new() };
        for (number, slice) in tier.slices().iter().enumerate() {
            let group = *groups.by_key.entry(key(index, slice.on_board(), side)).or_insert(groups.slices.len());
            if group == groups.slices.len() {
                groups.slices.push(Vec::new());
            }
            groups.slices[group].push(number);
            groups.of_slice.push(group);
        }
        groups
    }

    pub(in crate::table) fn len(&self) -> usize {
        self.slices.len()
    }

    pub(in crate::table) fn of(&self, slice: usize) -> usize {
        self.of_slice[slice]
    }

    pub(in crate::table) fn first(&self, group: usize) -> usize {
        self.slices[group][0]
    }

    pub(in crate::table) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.slices.iter().map(Vec::as_slice)
    }

    /// Returns the slices in which the side has the pods of a [`key`] on the board; none if there
    /// are no such slices.
    pub(in crate::table) fn with_key(&self, key: usize) -> &[usize] {
        self.by_key.get(&key).map_or(&[], |&group| &self.slices[group])
    }
}
