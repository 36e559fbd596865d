//! Results of actions: captures, and the keys of the next positions.
//!
//! Where the index has no place for a result, the flag of the slice is raised and the check fails.

use std::cell::Cell;

use crate::material::Side;
use crate::rules::{Captures, EmptyHand};
use crate::table::index::{Arrangement, Place, Placed, Slice};
use crate::table::verify::rows::Check;
use crate::table::verify::rows::keys::{Key, fill};

/// Pods on the board after an action and its captures, and what the captures changed.
struct Left<'a> {
    pods: &'a [Placed],
    tier: usize,
    hand: u32,
}

/// An action that has been made, for every point of one further pod: all before the captures.
pub(super) struct PlayedAction<'a> {
    pub(super) mover: Side,
    pub(super) tier: usize,
    /// Pods left in the mover's hand.
    pub(super) hand: u32,
    /// The pods on the board but the further one.
    pub(super) fixed: &'a Arrangement,
    /// The piece type of the further pod: none of `fixed` is of a higher one.
    pub(super) piece_type: u8,
    /// Points where the further pod is blocked (R7).
    pub(super) stuck: u64,
    /// True if blocked pods are captured after this action (R18).
    pub(super) captures: bool,
    /// Raised if what comes out has no place in the index.
    pub(super) missing: &'a Cell<bool>,
}

impl<K: Key> Check<'_, K> {
    /// Writes the keys of the positions after an action, for the points `want` of the further pod.
    /// The points that are returned are not written: there the mover has won (R19).
    pub(super) fn settle<const N: usize>(&self, made: &PlayedAction<'_>, want: u64, out: &mut [K; N]) -> u64 {
        let occupied = made.fixed.occupied();
        let (mut gone, mut lone) = (0, 0);
        if made.captures {
            for pod in made.fixed.pods() {
                let liberties = self.tables.views[pod.piece_type as usize].near[pod.point as usize] & !occupied;
                if liberties == 0 {
                    gone |= 1 << pod.point;
                } else if liberties & (liberties - 1) == 0 {
                    // The further pod on this point takes the last liberty.
                    lone |= liberties;
                }
            }
        }
        if self.pods_escape && made.captures {
            // Who is blocked may stay: that is looked at one by one.
            lone |= if gone == 0 { made.stuck } else { want };
            gone = 0;
        }
        let lone = lone & want;
        let stuck = if made.captures { made.stuck & want & !lone } else { 0 };
        let plain = want & !lone & !stuck;
        let rest;
        let left = if gone == 0 {
            Left { pods: made.fixed.pods(), tier: made.tier, hand: made.hand }
        } else {
            rest = without_those(made.fixed, gone);
            self.left(made, made.fixed, &rest, gone)
        };
        let mut won = 0;
        if plain != 0 {
            if self.has_won(left.hand) {
                won |= plain;
            } else {
                match self.row_of(&left, made.piece_type) {
                    Some((tier, row)) => {
                        let held = self.keys[tier].row(made.mover.other(), row, out);
                        if plain & !held != 0 {
                            made.missing.set(true);
                        }
                    }
                    None => made.missing.set(true),
                }
            }
        }
        if stuck != 0 {
            // The further pod goes too, and it no longer matters where it stood.
            let further = Placed { piece_type: made.piece_type, point: 0 };
            let (tier, hand) = self.without(further, made.mover, left.tier, left.hand);
            if self.has_won(hand) {
                won |= stuck;
            } else {
                fill(out, stuck, self.key_of(made, &Left { tier, hand, ..left }));
            }
        }
        let mut cells = lone;
        while cells != 0 {
            let point = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            let mut pods = *made.fixed;
            pods.insert(Placed { piece_type: made.piece_type, point });
            let blocked = self.blocked(&pods);
            let rest = without_those(&pods, blocked);
            let left = self.left(made, &pods, &rest, blocked);
            if self.has_won(left.hand) {
                won |= 1 << point;
            } else {
                out[point as usize] = self.key_of(made, &left);
            }
        }
        won
    }

    /// Returns the pods without a liberty (R7), except those that may leave by a push where that
    /// saves them (R27).
    fn blocked(&self, pods: &Arrangement) -> u64 {
        let held = pods.occupied();
        let blocked = pods.pods().iter().filter(|pod| {
            self.tables.views[pod.piece_type as usize].near[pod.point as usize] & !held == 0
                && !(self.pods_escape && self.may_push(pod.piece_type, pod.point, held))
        });
        blocked.fold(0, |set, pod| set | 1 << pod.point)
    }

    /// Returns the pods that are left, the tier and the hand after a capture on some points (R18).
    #[inline]
    fn left<'r>(&self, made: &PlayedAction<'_>, pods: &Arrangement, rest: &'r Arrangement, gone: u64) -> Left<'r> {
        let captured = pods.pods().iter().filter(|pod| gone >> pod.point & 1 == 1);
        let (tier, hand) =
            captured.fold((made.tier, made.hand), |(tier, hand), pod| self.without(*pod, made.mover, tier, hand));
        Left { pods: rest.pods(), tier, hand }
    }

    /// Returns the key of the tier and the pods in the mover's hand after a pod is captured.
    #[inline]
    fn without(&self, pod: Placed, mover: Side, tier: usize, hand: u32) -> (usize, u32) {
        if self.index.piece_types()[pod.piece_type as usize].side == mover {
            (tier, hand + 1)
        } else {
            (tier - self.index.tier_weight(pod.piece_type), hand)
        }
    }

    #[inline]
    fn has_won(&self, hand: u32) -> bool {
        hand == 0 && self.options.empty_hand == EmptyHand::Wins
    }

    /// Returns the tier with a key: where nothing is captured there is only one.
    #[inline]
    fn tier(&self, key: usize) -> Option<usize> {
        let only = || (self.options.captures == Captures::Never && self.index.tiers().len() == 1).then_some(0);
        self.index.tier_by_key(key).or_else(only)
    }

    /// Returns the tier and the number of the row with a further pod of a piece type; `None` if the
    /// index has no such row.
    #[inline]
    fn row_of(&self, left: &Left<'_>, piece_type: u8) -> Option<(usize, u64)> {
        let number = self.tier(left.tier)?;
        let tier = &self.index.tiers()[number];
        let key = left.pods.iter().fold(tier.weight(piece_type), |key, pod| key + tier.weight(pod.piece_type));
        let slice = tier.slice_by_key(key)?;
        Some((number, self.row_number(slice, left.pods)))
    }

    /// Returns the place of a single position; `None` if the index has no such row.
    fn place_of(&self, left: &Left<'_>) -> Option<Place> {
        let Some((last, pods)) = left.pods.split_last() else {
            // The empty board has a row with one cell in use.
            let number = self.tier(left.tier)?;
            let slice = self.index.tiers()[number].slice_by_key(0)?;
            return Some(Place { tier: number, row: slice.first_row(), cell: 0 });
        };
        let (tier, row) = self.row_of(&Left { pods, ..*left }, last.piece_type)?;
        Some(Place { tier, row, cell: last.point })
    }

    /// Returns the key of a single position that comes out.
    fn key_of(&self, made: &PlayedAction<'_>, left: &Left<'_>) -> K {
        let stored = |place: Place| self.keys[place.tier].get(made.mover.other(), place.row, place.cell);
        self.place_of(left).and_then(stored).unwrap_or_else(|| {
            made.missing.set(true);
            K::NONE
        })
    }

    /// Returns the number of a row, without a look at the combinations of alike pods where there
    /// are none.
    #[inline]
    pub(super) fn row_number(&self, slice: &Slice, fixed: &[Placed]) -> u64 {
        if !slice.is_single() {
            return self.index.row(slice, fixed);
        }
        let mut row = slice.first_row();
        for (place, pod) in fixed.iter().enumerate() {
            let below = fixed[..place].iter().filter(|lower| lower.point < pod.point).count();
            row += slice.digit_weight(place) * (u64::from(pod.point) - below as u64);
        }
        row
    }
}

#[inline]
fn without_those(pods: &Arrangement, gone: u64) -> Arrangement {
    // Not a fold: to hand the pods on from step to step took a third of the whole time.
    let mut rest = Arrangement::EMPTY;
    for pod in pods.pods() {
        if gone >> pod.point & 1 == 0 {
            rest.insert(*pod);
        }
    }
    rest
}
