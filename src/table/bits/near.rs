//! What an action changes around a row: which pods stay free, and the number of the row that the action leads to.
//!
//! Everything here is a short cut, prepared once a row. Where it does not apply, the cells are left to the general
//! evaluation.

use super::terrain::Terrain;
use super::{Search, Slice};
use crate::rules::EmptyHand;
use crate::table::arrangement::{Arrangement, MAX_ON_BOARD, Placed};
use crate::table::index::{Tier, left_below};
use crate::table::sweep::Known;

/// Numbers of rows around an arrangement of pods that are single in their classes.
pub(super) struct Ranker {
    pods: Arrangement,
    /// The digit of each pod, and the points of the pods before it.
    digits: [u8; MAX_ON_BOARD],
    before: [u64; MAX_ON_BOARD],
}

impl Ranker {
    pub(super) fn new(pods: Arrangement) -> Ranker {
        let mut ranker = Ranker { pods, digits: [0; MAX_ON_BOARD], before: [0; MAX_ON_BOARD] };
        let mut used = 0;
        for (i, pod) in pods.pods().iter().enumerate() {
            ranker.digits[i] = left_below(used, pod.point) as u8;
            ranker.before[i] = used;
            used |= 1 << pod.point;
        }
        ranker
    }

    /// The number of the row of these pods in a slice.
    fn row(&self, slice: &Slice) -> u64 {
        let digits = self.digits.iter().enumerate().take(self.pods.pods().len());
        slice.first_row() + digits.map(|(i, &digit)| slice.digit_weight(i) * u64::from(digit)).sum::<u64>()
    }

    /// What the digits add to the number of a row of `slice`, which has a pod of this class more, as long as its point
    /// is above theirs.
    fn base(&self, slice: &Slice, class: u8) -> u64 {
        let mut base = slice.first_row();
        for (i, pod) in self.pods.pods().iter().enumerate() {
            base += slice.digit_weight(i + usize::from(pod.class > class)) * u64::from(self.digits[i]);
        }
        base
    }

    /// The number of the row with a pod more.
    #[inline]
    fn after_placement(&self, slice: &Slice, base: u64, class: u8, at: u8) -> u64 {
        let pods = self.pods.pods();
        let mut place = pods.len();
        let mut row = base;
        while place > 0 && pods[place - 1].class > class {
            place -= 1;
            row -= slice.digit_weight(place + 1) * u64::from(at < pods[place].point);
        }
        let used = if place == pods.len() { self.pods.occupied() } else { self.before[place] };
        row + slice.digit_weight(place) * left_below(used, at)
    }

    /// The number of the row, of the same slice, after a move.
    #[inline]
    fn after_move(&self, slice: &Slice, row: u64, moved: usize, to: u8) -> u64 {
        let pods = self.pods.pods();
        let from = pods[moved].point;
        let weight = slice.digit_weight(moved);
        let mut row = row + weight * left_below(self.before[moved], to) - weight * u64::from(self.digits[moved]);
        for (i, pod) in pods.iter().enumerate().skip(moved + 1) {
            let weight = slice.digit_weight(i);
            row = row + weight * u64::from(from < pod.point) - weight * u64::from(to < pod.point);
        }
        row
    }
}

/// Where an action leads if it takes off the pods that were blocked before it, and no others.
pub(super) enum Target<'a> {
    /// The mover's hand is empty, and that is what the quest needs.
    Won,
    /// To nothing that the quest needs.
    Lost,
    /// To a row of this slice of a tier: the number that the digits of the kept pods add up to.
    Row(usize, &'a Slice, u64),
    /// To be found out one by one.
    Other,
}

/// The same if the last pod comes off too: another pod is the last one then.
pub(super) struct Lone<'a> {
    target: Target<'a>,
    /// The pods kept, without the one that is the last now.
    rest: Ranker,
    /// The point of that one; `None` if it is the pod that acts.
    last: Option<u8>,
}

/// A row, prepared.
pub(super) struct Near {
    empty: u64,
    /// Placing or moving a pod to one of these points takes the last liberty but one of a fixed pod, or the last.
    tight: u64,
    /// The last pod on one of these points takes the last liberty of a fixed pod.
    only: u64,
    /// Moving away from one of these points gives a liberty to a fixed pod that had one or none.
    loosened: u64,
    /// Where the last pod has a liberty, and where only one.
    free: u64,
    once: u64,
    /// The fixed pods that are not blocked, and their places by those of the fixed pods.
    kept: Ranker,
    kept_place: [u8; MAX_ON_BOARD],
    /// The tier when the blocked ones are off, and the pods in the mover's hand.
    tier: usize,
    hand: u32,
    /// Whether there are short cuts at all.
    single: bool,
}

impl Near {
    pub(super) fn new(search: &Search<'_>, slice: &Slice, captures: bool) -> Near {
        let (terrain, index, fixed) = (&search.bits.terrain, search.bits.index, &search.fixed);
        let empty = terrain.all & !fixed.occupied();
        let (free, once) = terrain.free(search.last, empty);
        let (mut tight, mut only, mut loosened) = (0, 0, 0);
        let (mut kept, mut kept_place) = (*fixed, [0; MAX_ON_BOARD]);
        let (mut hand, mut lost) = (search.hand, 0);
        let mut place = 0;
        for (i, pod) in fixed.pods().iter().enumerate() {
            let of = &terrain.classes[pod.class as usize];
            let liberties = of.liberties[pod.point as usize];
            let open = liberties & empty;
            kept_place[i] = place as u8;
            place += 1;
            match open.count_ones() {
                0 if captures => {
                    place -= 1;
                    kept.remove(place);
                    loosened |= liberties;
                    if of.side == search.mover {
                        hand += 1;
                    } else {
                        lost += index.tier_weight(pod.class);
                    }
                }
                0 | 1 => {
                    tight |= open;
                    only |= open;
                    loosened |= liberties;
                }
                2 => tight |= open,
                _ => (),
            }
        }
        let number = search.known.tier;
        let tier = if lost == 0 { Some(number) } else { index.tier_by_key(index.key_of_tier(number) - lost) };
        let single = slice.is_single() && tier.is_some();
        let tier = tier.unwrap_or(number);
        let kept = Ranker::new(if single { kept } else { Arrangement::EMPTY });
        Near { empty, tight, only, loosened, free, once, kept, kept_place, tier, hand, single }
    }

    /// Where a placement of a class leads in the cells that [`Near::cells_of_placement`] gives.
    pub(super) fn placement<'a>(&self, search: &Search<'a>, class: u8) -> Target<'a> {
        self.target(search, self.hand - 1, self.tier, Some(search.last), Some(class), &self.kept)
    }

    /// Where a placed pod that is blocked at once, or the move of a pod, leads.
    pub(super) fn same_pods<'a>(&self, search: &Search<'a>) -> Target<'a> {
        self.target(search, self.hand, self.tier, Some(search.last), None, &self.kept)
    }

    /// Where it leads when the last pod comes off too. `moved` is the place of a pod that moves, among the fixed ones.
    pub(super) fn lone<'a>(&self, search: &Search<'a>, placed: Option<u8>, moved: Option<usize>) -> Lone<'a> {
        let (index, own) = (search.bits.index, search.is_own(search.last));
        let hand = self.hand + u32::from(own) - u32::from(placed.is_some());
        let tier = if own {
            Some(self.tier)
        } else {
            index.tier_by_key(index.key_of_tier(self.tier) - index.tier_weight(search.last))
        };
        let mut rest = self.kept.pods;
        let mut last = None;
        if let Some(highest) = rest.pods().last().filter(|highest| placed.is_none_or(|class| class <= highest.class)) {
            let place = rest.pods().len() - 1;
            let moves = moved.is_some_and(|moved| self.kept_place[moved] as usize == place);
            last = (!moves).then_some(highest.point);
            rest.remove(place);
        }
        let rest = Ranker::new(rest);
        let top = self.kept.pods.pods().last().map(|p| p.class);
        let last_class = top.max(placed);
        // The pod that acts is a digit unless it is the last one now.
        let digit = placed.filter(|_| last.is_some());
        let target = match tier {
            Some(tier) if self.single => self.lone_target(search, hand, tier, last_class, placed, digit, &rest),
            _ => Target::Other,
        };
        Lone { target, rest, last }
    }

    #[allow(clippy::too_many_arguments)]
    fn lone_target<'a>(
        &self,
        search: &Search<'a>,
        hand: u32,
        tier: usize,
        last: Option<u8>,
        placed: Option<u8>,
        digit: Option<u8>,
        rest: &Ranker,
    ) -> Target<'a> {
        let Some(target) = early(search, hand) else {
            let of = &search.bits.index.tiers()[tier];
            let key = key(of, &self.kept.pods) + placed.map_or(0, |class| of.weight(class));
            return row_target(of, key, tier, last, digit, rest);
        };
        target
    }

    fn target<'a>(
        &self,
        search: &Search<'a>,
        hand: u32,
        tier: usize,
        last: Option<u8>,
        placed: Option<u8>,
        pods: &Ranker,
    ) -> Target<'a> {
        if !self.single {
            return Target::Other;
        }
        let Some(target) = early(search, hand) else {
            let of = &search.bits.index.tiers()[tier];
            let more = last.into_iter().chain(placed).map(|class| of.weight(class)).sum::<u32>();
            return row_target(of, key(of, &pods.pods) + more, tier, last, placed, pods);
        };
        target
    }

    /// The cells in which a placement takes off no pods but those blocked before, and among them those in which the last
    /// pod comes off too; and whether the placed pod does.
    #[inline]
    pub(super) fn cells_of_placement(
        &self,
        terrain: &Terrain,
        last: u8,
        class: u8,
        at: u8,
        cells: u64,
    ) -> (u64, u64, bool) {
        if self.tight >> at & 1 == 1 {
            return (0, 0, false);
        }
        let open = terrain.classes[class as usize].liberties[at as usize] & self.empty;
        let only = self.only | if open.is_power_of_two() { open } else { 0 };
        let free = self.free & !(self.once & terrain.classes[last as usize].liberty_of[at as usize]);
        let cells = cells & !only;
        (cells, cells & !free, open == 0)
    }

    /// The same for a move of a fixed pod.
    #[inline]
    pub(super) fn cells_of_move(&self, terrain: &Terrain, last: u8, pod: Placed, to: u8, cells: u64) -> (u64, u64) {
        let open = terrain.classes[pod.class as usize].liberties[to as usize] & (self.empty | 1 << pod.point);
        if (self.tight >> to | self.loosened >> pod.point) & 1 == 1 || open == 0 {
            return (0, 0);
        }
        let only = self.only | if open.is_power_of_two() { open } else { 0 };
        let liberty_of = &terrain.classes[last as usize].liberty_of;
        let free = self.free & !(self.once & liberty_of[to as usize]) | liberty_of[pod.point as usize];
        let cells = cells & !only;
        (cells, cells & !free)
    }

    /// What the quest finds in cells after a placement; `None` if there is no short cut.
    #[inline]
    pub(super) fn read_placement(
        &self,
        known: &Known<'_>,
        target: &Target<'_>,
        class: u8,
        at: u8,
        cells: u64,
    ) -> Option<u64> {
        Some(match *target {
            Target::Won => cells,
            Target::Lost => 0,
            Target::Row(tier, slice, base) => {
                known.row(tier, self.kept.after_placement(slice, base, class, at), cells)
            }
            Target::Other => return None,
        })
    }

    /// The same after a move of the fixed pod with this place.
    #[inline]
    pub(super) fn read_move(
        &self,
        known: &Known<'_>,
        target: &Target<'_>,
        moved: usize,
        to: u8,
        cells: u64,
    ) -> Option<u64> {
        Some(match *target {
            Target::Won => cells,
            Target::Lost => 0,
            Target::Row(tier, slice, row) => {
                let moved = self.kept_place[moved] as usize;
                known.row(tier, self.kept.after_move(slice, row, moved, to), cells)
            }
            Target::Other => return None,
        })
    }
}

impl Lone<'_> {
    /// What the quest finds if the kept pods stay as they are.
    #[inline]
    pub(super) fn after_nothing(&self, known: &Known<'_>) -> Option<bool> {
        Some(match (&self.target, self.last) {
            (Target::Won, _) => true,
            (Target::Lost, _) => false,
            (&Target::Row(tier, _, row), Some(last)) => known.row(tier, row, 1 << last) != 0,
            _ => return None,
        })
    }

    /// What the quest finds after a placement, with or without the placed pod.
    #[inline]
    pub(super) fn after_placement(&self, known: &Known<'_>, class: u8, at: u8) -> Option<bool> {
        Some(match (&self.target, self.last) {
            (Target::Won, _) => true,
            (Target::Lost, _) => false,
            (Target::Other, _) => return None,
            (&Target::Row(tier, slice, base), Some(last)) => {
                known.row(tier, self.rest.after_placement(slice, base, class, at), 1 << last) != 0
            }
            (&Target::Row(tier, _, row), None) => known.row(tier, row, 1 << at) != 0,
        })
    }

    /// What the quest finds after a move of the fixed pod with this place.
    #[inline]
    pub(super) fn after_move(&self, known: &Known<'_>, near: &Near, moved: usize, to: u8) -> Option<bool> {
        Some(match (&self.target, self.last) {
            (Target::Won, _) => true,
            (Target::Lost, _) => false,
            (Target::Other, _) => return None,
            (&Target::Row(tier, slice, row), Some(last)) => {
                let moved = near.kept_place[moved] as usize;
                known.row(tier, self.rest.after_move(slice, row, moved, to), 1 << last) != 0
            }
            (&Target::Row(tier, _, row), None) => known.row(tier, row, 1 << to) != 0,
        })
    }
}

/// What needs no look at rows.
fn early<'a>(search: &Search<'_>, hand: u32) -> Option<Target<'a>> {
    if hand == 0 && search.bits.options.empty_hand == EmptyHand::Wins {
        Some(if search.known.won_by_mover() { Target::Won } else { Target::Lost })
    } else {
        search.known.blank.then_some(Target::Lost)
    }
}

fn key(tier: &Tier, pods: &Arrangement) -> u32 {
    pods.pods().iter().map(|pod| tier.weight(pod.class)).sum()
}

fn row_target<'a>(
    tier: &'a Tier,
    key: u32,
    number: usize,
    last: Option<u8>,
    placed: Option<u8>,
    pods: &Ranker,
) -> Target<'a> {
    match tier.slice_by_key(key) {
        Some(slice) if last.is_some() && slice.last() == last && slice.is_single() => {
            Target::Row(number, slice, placed.map_or_else(|| pods.row(slice), |class| pods.base(slice, class)))
        }
        _ => Target::Other,
    }
}
