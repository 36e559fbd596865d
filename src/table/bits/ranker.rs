//! Numbers of rows by small changes.

use super::Slice;
use crate::table::arrangement::{Arrangement, MAX_ON_BOARD, Placed};
use crate::table::index::left_below;

/// Numbers of rows around an arrangement of pods that are single in their classes.
pub(super) struct Ranker {
    pub(super) pods: Arrangement,
    /// The digit of each pod.
    digits: [u8; MAX_ON_BOARD],
}

/// Some of the pods of a [`Ranker`].
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) pods: &'a [Placed],
    digits: &'a [u8],
    pub(super) occupied: u64,
}

impl Ranker {
    pub(super) fn new(pods: Arrangement) -> Ranker {
        let mut ranker = Ranker { pods, digits: [0; MAX_ON_BOARD] };
        let mut used = 0;
        for (i, pod) in pods.pods().iter().enumerate() {
            ranker.digits[i] = left_below(used, pod.point) as u8;
            used |= 1 << pod.point;
        }
        ranker
    }

    /// All pods.
    #[inline]
    pub(super) fn all(&self) -> View<'_> {
        self.first(self.pods.pods().len())
    }

    /// The first so many pods: their digits do not depend on the others.
    #[inline]
    pub(super) fn first(&self, pods: usize) -> View<'_> {
        let occupied = match pods == self.pods.pods().len() {
            true => self.pods.occupied(),
            false => self.pods.pods()[..pods].iter().fold(0, |used, pod| used | 1 << pod.point),
        };
        View { pods: &self.pods.pods()[..pods], digits: &self.digits[..pods], occupied }
    }
}

impl View<'_> {
    /// The points of the pods before one.
    #[inline]
    fn before(&self, place: usize) -> u64 {
        self.pods[..place].iter().fold(0, |used, pod| used | 1 << pod.point)
    }

    /// The number of the row of these pods in a slice.
    pub(super) fn row(&self, slice: &Slice) -> u64 {
        let digits = self.digits.iter().enumerate();
        slice.first_row() + digits.map(|(i, &digit)| slice.digit_weight(i) * u64::from(digit)).sum::<u64>()
    }

    /// What the digits add to the number of a row of `slice`, which has a pod of this class more, as long as its point
    /// is above theirs.
    pub(super) fn base(&self, slice: &Slice, class: u8) -> u64 {
        let mut base = slice.first_row();
        for (i, pod) in self.pods.iter().enumerate() {
            base += slice.digit_weight(i + usize::from(pod.class > class)) * u64::from(self.digits[i]);
        }
        base
    }

    /// The number of the row with a pod more.
    #[inline]
    pub(super) fn after_placement(&self, slice: &Slice, base: u64, class: u8, at: u8) -> u64 {
        let pods = self.pods;
        let mut place = pods.len();
        let mut row = base;
        while place > 0 && pods[place - 1].class > class {
            place -= 1;
            row -= slice.digit_weight(place + 1) * u64::from(at < pods[place].point);
        }
        let used = if place == pods.len() { self.occupied } else { self.before(place) };
        row + slice.digit_weight(place) * left_below(used, at)
    }

    /// The number of the row, of the same slice, after a move.
    #[inline]
    pub(super) fn after_move(&self, slice: &Slice, row: u64, moved: usize, to: u8) -> u64 {
        let pods = self.pods;
        let from = pods[moved].point;
        let weight = slice.digit_weight(moved);
        let mut row = row + weight * left_below(self.before(moved), to) - weight * u64::from(self.digits[moved]);
        for (i, pod) in pods.iter().enumerate().skip(moved + 1) {
            let weight = slice.digit_weight(i);
            row = row + weight * u64::from(from < pod.point) - weight * u64::from(to < pod.point);
        }
        row
    }
}
