//! What an action changes around a row: which pods stay free, and the number of the row that the action leads to.
//!
//! Everything here is a short cut, prepared once a row. Where it does not apply, the cells are left to the general
//! evaluation.

use super::ranker::{Ranker, View};
use super::terrain::Terrain;
use super::{Search, Slice};
use smallvec::SmallVec;

use crate::rules::EmptyHand;
use crate::table::arrangement::{Arrangement, MAX_ON_BOARD, Placed};
use crate::table::sweep::Known;
use crate::table::tier::Tier;

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
    pub(super) target: Target<'a>,
    /// The pods kept, without the one that is the last now.
    pub(super) rest: View<'a>,
    /// The point of that one; `None` if it is the pod that acts.
    pub(super) last: Option<u8>,
}

/// A row, prepared.
pub(super) struct Near {
    pub(super) empty: u64,
    /// The only liberties of fixed pods that have one.
    pub(super) only: u64,
    /// The liberties of fixed pods that have two.
    pairs: [u64; MAX_ON_BOARD],
    pair_count: usize,
    /// Moving away from one of these points gives a liberty to a fixed pod that had one or none.
    loosened: u64,
    /// Where the last pod has a liberty, and where only one.
    pub(super) free: u64,
    pub(super) once: u64,
    /// What comes off the board before anything acts, by where the last pod stands; for the cells wanted.
    pub(super) variants: SmallVec<[Variant; 4]>,
}

/// The fixed pods that stay when some are blocked.
pub(super) struct Variant {
    /// The cells in which it is these that are blocked.
    pub(super) cells: u64,
    /// The fixed pods that stay, and their places by those of all fixed pods.
    pub(super) kept: Ranker,
    kept_place: [u8; MAX_ON_BOARD],
    /// The tier when the others are off, and the pods in the mover's hand.
    pub(super) tier: usize,
    hand: u32,
    /// Whether there are short cuts at all.
    pub(super) single: bool,
}

impl Near {
    pub(super) fn new(search: &Search<'_>, slice: &Slice, captures: bool) -> Near {
        let (terrain, fixed) = (&search.bits.terrain, &search.fixed);
        let empty = terrain.all & !fixed.occupied();
        let (free, once) = terrain.free(search.last, empty);
        let mut near = Near {
            empty,
            only: 0,
            pairs: [0; MAX_ON_BOARD],
            pair_count: 0,
            loosened: 0,
            free,
            once,
            variants: SmallVec::new(),
        };
        let mut blocked = 0_u32;
        let mut opens = [0_u64; MAX_ON_BOARD];
        if captures {
            for (i, pod) in fixed.pods().iter().enumerate() {
                let liberties = terrain.classes[pod.class as usize].liberties[pod.point as usize];
                opens[i] = liberties & empty;
                match opens[i].count_ones() {
                    0 => {
                        blocked |= 1 << i;
                        near.loosened |= liberties;
                    }
                    1 => {
                        near.only |= opens[i];
                        near.loosened |= liberties;
                    }
                    2 => {
                        near.pairs[near.pair_count] = opens[i];
                        near.pair_count += 1;
                    }
                    _ => (),
                }
            }
        }
        if search.want & !near.only != 0 {
            near.variants.push(Variant::new(search, slice, terrain.all & !near.only, blocked));
        }
        let mut only = near.only & search.want;
        while only != 0 {
            let cell = only & only.wrapping_neg();
            only &= only - 1;
            let taken = (0..fixed.pods().len()).filter(|&i| opens[i] == cell).fold(blocked, |set, i| set | 1 << i);
            near.variants.push(Variant::new(search, slice, cell, taken));
        }
        near
    }

    /// The cells in which the mover, with one pod in hand, may win by placing it: no own pod is blocked already.
    pub(super) fn may_empty_the_hand(&self, search: &Search<'_>) -> u64 {
        let cells = self.variants.iter().filter(|v| v.hand == 1).fold(0, |cells, v| cells | v.cells);
        if search.is_own(search.last) { cells & self.free } else { cells }
    }

    /// The liberties of fixed pods that have two.
    pub(super) fn pairs(&self) -> &[u64] {
        &self.pairs[..self.pair_count]
    }

    /// The points that become only liberties of fixed pods when a point is taken.
    #[inline]
    fn made_only(&self, taken: u8) -> u64 {
        self.pairs().iter().fold(0, |made, pair| made | if pair >> taken & 1 == 1 { pair & !(1 << taken) } else { 0 })
    }

    /// The cells in which a placement takes off no fixed pods but those blocked before; those in which the placed pod
    /// comes straight back; and those in which the last pod comes off.
    #[inline]
    pub(super) fn cells_of_placement(
        &self,
        terrain: &Terrain,
        last: u8,
        class: u8,
        at: u8,
        cells: u64,
    ) -> (u64, u64, u64) {
        if self.only >> at & 1 == 1 {
            return (0, 0, 0);
        }
        let open = terrain.classes[class as usize].liberties[at as usize] & self.empty;
        let back = match open {
            0 => u64::MAX,
            open if open.is_power_of_two() => open,
            _ => 0,
        };
        let free = self.free & !(self.once & terrain.classes[last as usize].liberty_of[at as usize]);
        let cells = cells & !self.made_only(at);
        (cells, cells & back, cells & !free)
    }

    /// The cells in which a move of a fixed pod takes off no fixed pods but those blocked before, and those in which the
    /// last pod comes off.
    #[inline]
    pub(super) fn cells_of_move(&self, terrain: &Terrain, last: u8, pod: Placed, to: u8, cells: u64) -> (u64, u64) {
        let open = terrain.classes[pod.class as usize].liberties[to as usize] & (self.empty | 1 << pod.point);
        if (self.only >> to | self.loosened >> pod.point) & 1 == 1 || open == 0 {
            return (0, 0);
        }
        let own = if open.is_power_of_two() { open } else { 0 };
        let liberty_of = &terrain.classes[last as usize].liberty_of;
        let free = self.free & !(self.once & liberty_of[to as usize]) | liberty_of[pod.point as usize];
        let cells = cells & !own & !self.made_only(to);
        (cells, cells & !free)
    }
}

impl Variant {
    fn new(search: &Search<'_>, slice: &Slice, cells: u64, blocked: u32) -> Variant {
        let (index, fixed, number) = (search.bits.index, &search.fixed, search.known.tier);
        if blocked == 0 {
            let kept_place = std::array::from_fn(|i| i as u8);
            let single = slice.is_single();
            let kept = Ranker::new(if single { *fixed } else { Arrangement::EMPTY });
            return Variant { cells, kept, kept_place, tier: number, hand: search.hand, single };
        }
        let (mut kept, mut kept_place) = (Arrangement::EMPTY, [0; MAX_ON_BOARD]);
        let (mut hand, mut lost) = (search.hand, 0);
        for (i, pod) in fixed.pods().iter().enumerate() {
            kept_place[i] = kept.pods().len() as u8;
            if blocked >> i & 1 == 0 {
                kept.insert(*pod);
            } else if search.is_own(pod.class) {
                hand += 1;
            } else {
                lost += index.tier_weight(pod.class);
            }
        }
        let tier = if lost == 0 { Some(number) } else { index.tier_by_key(index.key_of_tier(number) - lost) };
        let single = slice.is_single() && tier.is_some();
        let kept = Ranker::new(if single { kept } else { Arrangement::EMPTY });
        Variant { cells, kept, kept_place, tier: tier.unwrap_or(number), hand, single }
    }

    /// Where a placement of a class leads.
    pub(super) fn placement<'a>(&self, search: &Search<'a>, class: u8) -> Target<'a> {
        self.target(search, self.hand - 1, self.tier, Some(search.last), Some(class), &self.kept.all())
    }

    /// Where a placed pod that is blocked at once, or the move of a pod, leads.
    pub(super) fn same_pods<'a>(&self, search: &Search<'a>) -> Target<'a> {
        self.target(search, self.hand, self.tier, Some(search.last), None, &self.kept.all())
    }

    /// Where it leads when the last pod comes off too. `moved` is the place of a pod that moves, among the fixed ones.
    pub(super) fn lone<'a>(&'a self, search: &Search<'a>, placed: Option<u8>, moved: Option<usize>) -> Lone<'a> {
        let (index, own) = (search.bits.index, search.is_own(search.last));
        let hand = self.hand + u32::from(own) - u32::from(placed.is_some());
        let tier = if own {
            Some(self.tier)
        } else {
            index.tier_by_key(index.key_of_tier(self.tier) - index.tier_weight(search.last))
        };
        let mut rest = self.kept.all();
        let mut last = None;
        if let Some((highest, others)) =
            rest.pods.split_last().filter(|(h, _)| placed.is_none_or(|class| class <= h.class))
        {
            let moves = moved.is_some_and(|moved| self.kept_place[moved] as usize == others.len());
            last = (!moves).then_some(highest.point);
            rest = self.kept.first(others.len());
        }
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
        rest: &View<'_>,
    ) -> Target<'a> {
        let Some(target) = early(search, hand) else {
            let of = &search.bits.index.tiers()[tier];
            let key = key(of, self.kept.all().pods) + placed.map_or(0, |class| of.weight(class));
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
        pods: &View<'_>,
    ) -> Target<'a> {
        if !self.single {
            return Target::Other;
        }
        let Some(target) = early(search, hand) else {
            let of = &search.bits.index.tiers()[tier];
            let more = last.into_iter().chain(placed).map(|class| of.weight(class)).sum::<u32>();
            return row_target(of, key(of, pods.pods) + more, tier, last, placed, pods);
        };
        target
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
                known.row(tier, self.kept.all().after_placement(slice, base, class, at), cells)
            }
            Target::Other => return None,
        })
    }

    /// The same if the kept pods stay as they are.
    #[inline]
    fn read_same(known: &Known<'_>, target: &Target<'_>, cells: u64) -> Option<u64> {
        Some(match *target {
            Target::Won => cells,
            Target::Lost => 0,
            Target::Row(tier, _, row) => known.row(tier, row, cells),
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
                known.row(tier, self.kept.all().after_move(slice, row, moved, to), cells)
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
    pub(super) fn after_move(&self, known: &Known<'_>, variant: &Variant, moved: usize, to: u8) -> Option<bool> {
        Some(match (&self.target, self.last) {
            (Target::Won, _) => true,
            (Target::Lost, _) => false,
            (Target::Other, _) => return None,
            (&Target::Row(tier, slice, row), Some(last)) => {
                let moved = variant.kept_place[moved] as usize;
                known.row(tier, self.rest.after_move(slice, row, moved, to), 1 << last) != 0
            }
            (&Target::Row(tier, _, row), None) => known.row(tier, row, 1 << to) != 0,
        })
    }
}

/// Where the placements of a class lead in a variant, found out when it is needed first.
#[derive(Default)]
pub(super) struct Ways<'a> {
    placed: Option<Target<'a>>,
    back: Option<Target<'a>>,
    placed_lone: Option<Lone<'a>>,
    back_lone: Option<Lone<'a>>,
}

impl<'a> Ways<'a> {
    /// The cells that the quest finds after a placement, and those that have to be found out otherwise: in the cells
    /// `back` the placed pod comes back, in the cells `off` the last pod comes off.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn placement(
        &mut self,
        search: &Search<'a>,
        variant: &'a Variant,
        class: u8,
        at: u8,
        cells: u64,
        back: u64,
        off: u64,
    ) -> (u64, u64) {
        let known = search.known;
        let (mut good, mut unknown) = (0, 0);
        let mut tell = |cells: u64, found: Option<u64>| match found {
            Some(found) => good |= found,
            None => unknown |= cells,
        };
        let of_all = |cells: u64, found: Option<bool>| found.map(|found| if found { cells } else { 0 });
        let these = cells & !back & !off;
        if these != 0 {
            let target = self.placed.get_or_insert_with(|| variant.placement(search, class));
            tell(these, variant.read_placement(known, target, class, at, these));
        }
        let these = back & !off;
        if these != 0 {
            let target = self.back.get_or_insert_with(|| variant.same_pods(search));
            tell(these, Variant::read_same(known, target, these));
        }
        let these = off & !back;
        if these != 0 {
            let lone = self.placed_lone.get_or_insert_with(|| variant.lone(search, Some(class), None));
            tell(these, of_all(these, lone.after_placement(known, class, at)));
        }
        let these = off & back;
        if these != 0 {
            let lone = self.back_lone.get_or_insert_with(|| variant.lone(search, None, None));
            tell(these, of_all(these, lone.after_nothing(known)));
        }
        (good, unknown)
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

fn key(tier: &Tier, pods: &[Placed]) -> u32 {
    pods.iter().map(|pod| tier.weight(pod.class)).sum()
}

fn row_target<'a>(
    tier: &'a Tier,
    key: u32,
    number: usize,
    last: Option<u8>,
    placed: Option<u8>,
    pods: &View<'_>,
) -> Target<'a> {
    match tier.slice_by_key(key) {
        Some(slice) if last.is_some() && slice.last() == last && slice.is_single() => {
            Target::Row(number, slice, placed.map_or_else(|| pods.row(slice), |class| pods.base(slice, class)))
        }
        _ => Target::Other,
    }
}
