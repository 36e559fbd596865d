//! Points of some of the fixed pods of a row, for less than all of them cost.

use crate::table::index::rank::nth_left;
use crate::table::index::{Index, Slice};

impl Index {
    #[inline]
    pub(in crate::table) fn point_of(&self, slice: &Slice, row: u64, place: usize) -> u8 {
        if !slice.single {
            return self.unrank(slice, row).pods()[place].point;
        }
        let (mut number, mut used, mut point) = (row - slice.first_row, 0, 0);
        for digit in &slice.digits[..=place] {
            point = nth_left(used, (number / digit.weight) as usize);
            number %= digit.weight;
            used |= 1 << point;
        }
        point
    }

    #[inline]
    pub(in crate::table) fn first_points(&self, slice: &Slice, row: u64, pods: usize) -> u64 {
        if !slice.single {
            return self.unrank(slice, row).pods()[..pods].iter().fold(0, |set, pod| set | 1 << pod.point);
        }
        let mut number = row - slice.first_row;
        slice.digits[..pods].iter().fold(0, |used, digit| {
            let place = number / digit.weight;
            number %= digit.weight;
            used | 1 << nth_left(used, place as usize)
        })
    }
}
