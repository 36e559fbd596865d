//! Targets of the actions from the rows of a slice: tier, slice, and the computation of the row's
//! number there.
//!
//! The target depends on which pods are captured and which kind is placed, not on where they stand.
//! So it is computed once for all rows of a slice that a thread takes together.

use std::cell::OnceCell;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::geometry::MAX_POINTS;
use crate::rules::{Captures, EmptyHand};
use crate::table::eval::row::Bits;
use crate::table::index::{MAX_ON_BOARD, Slice, left_below};
use crate::table::retro::Known;

/// The pods that an action leaves on the board, by where they come from: the places of the fixed
/// pods, and these.
pub(super) const PLACED: u8 = MAX_ON_BOARD as u8;
pub(super) const LAST: u8 = PLACED + 1;
/// No pod: point 0 stands for an empty board.
const NOBODY: u8 = PLACED + 2;

pub(super) type Points = [u8; MAX_ON_BOARD + 4];

/// Fixed pods up to which all targets are kept.
const MAX_KEPT: usize = 8;

/// Effect of an action on the pods, wherever they stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// The fixed pods that come off the board, by place.
    pub(super) removed: u32,
    /// True if the last one does.
    pub(super) last_off: bool,
    /// The piece type of which a pod more stays there, by its place in the hand.
    pub(super) placed: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    /// All cells are what the pass looks for, or none: an emptied hand.
    All(bool),
    Row(Route),
    /// To this tier; the row is to be found through the index, since alike pods share digits.
    Tier(usize),
}

/// Cell of the row that an action leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// The same as before: the last pod is the last there too.
    Same,
    /// The point of the pod with this place, or of the placed one; the last pod is off the board.
    Of(u8),
    /// The point of the placed pod; the last pod is a digit of the row.
    Column,
}

/// Computation of a row's number.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) tier: usize,
    first_row: u64,
    /// The pod whose point says in which strip the row is, and what that adds.
    strip: Option<(u8, Arc<[u64; MAX_POINTS]>)>,
    /// The pods that are digits and what each counts.
    digits: Vec<(u8, u64)>,
    /// The place of the digit that varies with the point of a placement: that of the placed pod, or
    /// of the last one if the placed one is the last there.
    varies: usize,
    pub(super) cell: Cell,
}

impl Route {
    /// Returns the row with all digits 0.
    #[inline]
    fn first(&self, points: &Points) -> u64 {
        match &self.strip {
            None => self.first_row,
            Some((pod, offsets)) => self.first_row + offsets[points[*pod as usize] as usize % MAX_POINTS],
        }
    }

    #[inline]
    pub(super) fn row(&self, points: &Points) -> u64 {
        let (mut row, mut used) = (self.first(points), 0_u64);
        for &(pod, weight) in &self.digits {
            let point = points[pod as usize];
            row += weight * left_below(used, point);
            used |= 1 << point;
        }
        row
    }

    /// Calls `visit` with each point that the other digits leave to the pod that varies, and the
    /// number of the row with the pod there.
    ///
    /// # Panics
    ///
    /// If no digit varies, which is an error of this program.
    #[inline(always)]
    pub(super) fn rows(&self, points: &Points, board: usize, mut visit: impl FnMut(usize, u64)) {
        let (before, rest) = self.digits.split_at(self.varies);
        let Some((&(_, weight), behind)) = rest.split_first() else { unreachable!("one digit varies") };
        let (mut row, mut before_it) = (self.first(points), 0_u64);
        for &(pod, of) in before {
            let point = points[pod as usize];
            row += of * left_below(before_it, point);
            before_it |= 1 << point;
        }
        let mut held = before_it;
        for &(pod, of) in behind {
            let point = points[pod as usize];
            // One less as long as the pod stands below.
            row = row.wrapping_add(of * left_below(held, point)).wrapping_sub(of);
            held |= 1 << point;
        }
        let mut at = 0;
        loop {
            let end = if held == 0 { board } else { held.trailing_zeros() as usize };
            for at in at..end {
                visit(at, row.wrapping_add(weight * at as u64));
            }
            if held == 0 {
                return;
            }
            // Beyond a point that is held, points count one less, or the digit of its pod one more.
            let step = match before_it >> end & 1 == 1 {
                true => weight.wrapping_neg(),
                false => behind.iter().find(|d| usize::from(points[d.0 as usize]) == end).map_or(0, |d| d.1),
            };
            row = row.wrapping_add(step);
            at = end + 1;
            held &= held - 1;
        }
    }
}

pub(super) struct Routes<'a> {
    bits: &'a Bits<'a>,
    known: &'a Known<'a>,
    mover: usize,
    /// Pods in the mover's hand.
    pub(super) hand: u32,
    pub(super) last: u8,
    /// The piece types of the fixed pods by place.
    fixed: Vec<u8>,
    /// The mover's piece types in hand.
    pub(super) in_hand: Vec<u8>,
    kept: Vec<OnceCell<Box<Target>>>,
}

impl<'a> Routes<'a> {
    pub(super) fn new(bits: &'a Bits<'a>, known: &'a Known<'a>, slice: &Slice, last: u8, mover: usize) -> Routes<'a> {
        let tier = &bits.index.tiers()[known.tier];
        let (mut fixed, mut in_hand, mut hand) = (Vec::new(), Vec::new(), 0);
        for (piece_type, of) in bits.tables.piece_types.iter().enumerate() {
            let on_board = slice.on_board()[piece_type];
            let piece_type = piece_type as u8;
            fixed.extend(std::iter::repeat_n(piece_type, usize::from(on_board - u8::from(piece_type == last))));
            let left = tier.alive()[piece_type as usize] - on_board;
            if of.side == mover && left > 0 {
                in_hand.push(piece_type);
                hand += u32::from(left);
            }
        }
        let mut routes = Routes { bits, known, mover, hand, last, fixed, in_hand, kept: Vec::new() };
        let sets = match bits.options.captures {
            Captures::Never => 1,
            _ if routes.fixed.len() <= MAX_KEPT => 2 << routes.fixed.len(),
            _ => 0,
        };
        routes.kept.resize_with(sets * (routes.in_hand.len() + 1), OnceCell::new);
        routes
    }

    /// Finds the target of an action that has this outcome. `None` above [`MAX_KEPT`] fixed pods:
    /// call [`find`](Self::find).
    #[inline]
    pub(super) fn target(&self, outcome: Outcome) -> Option<&Target> {
        let set = outcome.removed as usize | usize::from(outcome.last_off) << self.fixed.len();
        let place = set * (self.in_hand.len() + 1) + outcome.placed.map_or(0, |slot| slot + 1);
        let kept = self.kept.get(place)?;
        Some(kept.get_or_init(|| Box::new(self.find(outcome))))
    }

    /// Returns the same, found out.
    #[cold]
    pub(super) fn find(&self, Outcome { removed, last_off, placed }: Outcome) -> Target {
        let (index, tables) = (self.bits.index, &self.bits.tables);
        let (mut hand, mut lost) = (self.hand - u32::from(placed.is_some()), 0);
        let mut take = |piece_type: u8| match tables.piece_types[piece_type as usize].side == self.mover {
            true => hand += 1,
            false => lost += index.tier_weight(piece_type),
        };
        let mut pods: SmallVec<[(u8, u8); 8]> = SmallVec::new();
        for (place, &piece_type) in self.fixed.iter().enumerate() {
            match removed >> place & 1 == 1 {
                true => take(piece_type),
                false => pods.push((piece_type, place as u8)),
            }
        }
        match last_off {
            true => take(self.last),
            false => pods.push((self.last, LAST)),
        }
        if hand == 0 && self.bits.options.empty_hand == EmptyHand::Wins {
            return Target::All(self.known.won_by_mover());
        }
        if self.known.pass.is_initial() {
            // Nothing is known of next positions.
            return Target::All(false);
        }
        if let Some(slot) = placed {
            let piece_type = self.in_hand[slot];
            // Of alike pods each is taken as the last in turn, so ours may stay it.
            let at = pods
                .iter()
                .position(|&(c, pod)| c > piece_type || c == piece_type && pod == LAST)
                .unwrap_or(pods.len());
            pods.insert(at, (piece_type, PLACED));
        }
        let number = match lost {
            0 => Some(self.known.tier),
            _ => index.tier_by_key(index.key_of_tier(self.known.tier) - lost),
        };
        let Some(number) = number else { unreachable!("the opponent still holds pods") };
        let tier = &index.tiers()[number];
        let key = pods.iter().map(|&(piece_type, _)| tier.weight(piece_type)).sum();
        let Some(slice) = tier.slice_by_key(key) else { unreachable!("both players still hold pods") };
        if !slice.is_single() {
            return Target::Tier(number);
        }
        let highest = pods.pop().map_or(NOBODY, |(_, pod)| pod);
        let mut digits: Vec<_> = pods.iter().enumerate().map(|(i, &(_, pod))| (pod, slice.digit_weight(i))).collect();
        let (mut first_row, mut strip) = (slice.first_row(), None);
        if let Some(layout) = self.known.layout {
            let spot = layout.spot(index, number, slice);
            first_row = spot.first;
            if let Some((split, offsets)) = &spot.split {
                // Within a strip the digit of its pod is left out.
                digits[..split.place].iter_mut().for_each(|digit| digit.1 /= split.ways);
                digits[split.place].1 = 0;
                strip = Some((digits[split.place].0, Arc::clone(offsets)));
            }
        }
        let varies = digits.iter().position(|d| d.0 >= PLACED).unwrap_or(digits.len());
        let cell = match highest {
            LAST => Cell::Same,
            PLACED if !last_off => Cell::Column,
            pod => Cell::Of(pod),
        };
        Target::Row(Route { tier: number, first_row, strip, digits, varies, cell })
    }
}
