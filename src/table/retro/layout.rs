//! Layout of the rows that a sweep reads, if it has not all rows of a tier in memory.
//!
//! Where nothing is shoved, an action leaves each pod of the opponent on its point or takes it off.
//! So the positions of a [column](crate::table::retro::disk) in which one certain pod of the
//! opponent stands on one point lead to such positions only, as long as that pod stays. They are a
//! *strip*. Its rows are numbered like those of the slice, with the digit of that pod left out: so
//! the numbers of rows in a strip are made from the same points with other weights.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::geometry::MAX_POINTS;
use crate::table::index::{Index, Place, Placed, Slice, left_below};

/// Added to the place of a row whose strip is not in memory: no array is as long.
const NOT_HELD: u64 = 1 << 60;

/// Division of a slice's rows into strips by the point of one pod, a digit of the row's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) struct Split {
    /// The place of the pod among the fixed ones.
    pub(in crate::table) place: usize,
    /// Weight of the digit.
    pub(super) weight: u64,
    /// Number of values that it has.
    pub(in crate::table) ways: u64,
}

impl Split {
    /// Divides by the only pod of a piece type; `None` if it is no digit of the slice's rows.
    pub(in crate::table) fn new(index: &Index, slice: &Slice, piece_type: u8) -> Option<Split> {
        let before = &slice.on_board()[..usize::from(piece_type)];
        let single = slice.on_board()[usize::from(piece_type)] == 1 && slice.last() != Some(piece_type);
        single.then(|| {
            let place = before.iter().map(|&count| usize::from(count)).sum();
            let digit = before.iter().filter(|&&count| count > 0).count();
            Split { place, weight: slice.digit_weight(digit), ways: (index.points() - place) as u64 }
        })
    }

    /// Returns the rows of a strip, those included in which another pod stands on its point.
    pub(super) fn rows(self, slice: &Slice) -> u64 {
        slice.rows() / self.ways
    }

    /// Returns the number within its strip of a row, counted from the first row of the slice.
    pub(super) fn within(self, row: u64) -> u64 {
        row / (self.weight * self.ways) * self.weight + row % self.weight
    }
}

/// The rows of a slice that belong to a strip, or all of them, asked for by their rising numbers
/// within it.
pub(super) struct StripRows<'a> {
    index: &'a Index,
    slice: &'a Slice,
    /// The pod that divides the slice, and its point.
    strip: Option<(Split, u8)>,
    /// The last value of the digits above that of the pod, and the row of the tier in which the
    /// digits below are 0.
    above: u64,
    first: Option<u64>,
}

impl<'a> StripRows<'a> {
    pub(in crate::table) fn new(index: &'a Index, slice: &'a Slice, strip: Option<(Split, u8)>) -> StripRows<'a> {
        StripRows { index, slice, strip, above: u64::MAX, first: None }
    }

    /// Returns the row of the tier; `None` if another pod would stand on the strip's point.
    #[inline]
    pub(in crate::table) fn at(&mut self, number: u64) -> Option<u64> {
        let Some((split, point)) = self.strip else { return Some(self.slice.first_row() + number) };
        let (above, below) = (number / split.weight, number % split.weight);
        if above != self.above {
            let block = self.slice.first_row() + above * split.weight * split.ways;
            let taken = self.index.first_points(self.slice, block, split.place);
            self.above = above;
            self.first = (taken >> point & 1 == 0).then(|| block + left_below(taken, point) * split.weight);
        }
        self.first.map(|first| first + below)
    }
}

/// Place of a slice's rows in an array.
#[derive(Clone, Debug)]
pub(in crate::table) struct Spot {
    pub(in crate::table) first: u64,
    /// Its division, and the offset that each strip adds to the place of a row, by the point of the
    /// pod.
    pub(in crate::table) split: Option<(Split, Arc<[u64; MAX_POINTS]>)>,
}

/// Returns the offsets that the strips on some points add to the place of a row, with `rows` rows
/// each, in this order.
pub(super) fn offsets(points: &[u8], rows: u64) -> Arc<[u64; MAX_POINTS]> {
    let mut offsets = [NOT_HELD; MAX_POINTS];
    for (slot, &point) in (0..).zip(points) {
        offsets[usize::from(point)] = slot * rows;
    }
    Arc::new(offsets)
}

/// Places of the rows that a sweep reads: for each tier an array, with the rows of some slices.
#[derive(Default)]
pub(in crate::table) struct Layout {
    /// By tier and slice.
    spots: HashMap<(usize, usize), Spot>,
}

impl Layout {
    pub(super) fn put(&mut self, tier: usize, slice: usize, spot: Spot) {
        self.spots.insert((tier, slice), spot);
    }

    /// Finds the rows of a slice.
    ///
    /// # Panics
    ///
    /// If they are not there: a sweep asked for a slice that no action leads to, which is an error
    /// of this program.
    pub(in crate::table) fn spot(&self, index: &Index, tier: usize, slice: &Slice) -> &Spot {
        let number = index.tiers()[tier].slice_at(slice.first_row());
        match self.spots.get(&(tier, number)) {
            Some(spot) => spot,
            None => panic!("a bug: a sweep asks for slice {number} of tier {tier}, which no action leads to"),
        }
    }

    pub(in crate::table) fn row(&self, index: &Index, tier: usize, slice: &Slice, row: u64, fixed: &[Placed]) -> u64 {
        let (spot, row) = (self.spot(index, tier, slice), row - slice.first_row());
        match &spot.split {
            None => spot.first + row,
            Some((split, offsets)) => spot.first + offsets[usize::from(fixed[split.place].point)] + split.within(row),
        }
    }

    pub(super) fn row_of(&self, index: &Index, place: Place) -> u64 {
        let tier = &index.tiers()[place.tier];
        let slice = &tier.slices()[tier.slice_at(place.row)];
        self.row(index, place.tier, slice, place.row, index.unrank(slice, place.row).pods())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::testing::whole;

    #[test]
    fn each_row_is_in_the_strip_of_the_point_where_the_pod_stands() {
        for pods in ["trio", "alike"] {
            let (_, index) = whole("ring8", pods, Preset::Advanced);
            let mut split_slices = 0;
            for slice in index.tiers().iter().flat_map(|tier| tier.slices()) {
                for piece_type in 0..index.piece_types().len() as u8 {
                    let Some(split) = Split::new(&index, slice, piece_type) else { continue };
                    split_slices += 1;
                    let mut seen = Vec::new();
                    for point in 0..index.points() as u8 {
                        let mut rows = StripRows::new(&index, slice, Some((split, point)));
                        for number in 0..split.rows(slice) {
                            let Some(row) = rows.at(number) else { continue };
                            let fixed = index.unrank(slice, row);
                            let pod = fixed.pods()[split.place];
                            assert_eq!((pod.piece_type, pod.point), (piece_type, point));
                            assert_eq!(split.within(row - slice.first_row()), number);
                            seen.push(row);
                        }
                    }
                    seen.sort_unstable();
                    assert!(seen.into_iter().eq(slice.first_row()..slice.first_row() + slice.rows()));
                }
            }
            assert!(split_slices > 30, "{split_slices}");
        }
    }
}
