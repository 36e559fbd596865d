//! Bit-parallel sweeps: one word holds all points of the last pod of a slice, and an action is tried for all of them at
//! once.
//!
//! For a row the fixed pods are known. Each action of theirs, and each placement, is legal for a set of points of the
//! last pod: where it does not stand in the way, where it cuts every line of attack between the placed pod and a fixed
//! opposing one (trap 9), where it neither attacks nor is attacked. The next positions of that set are, but for
//! captures, the same cells of another row. Captures split the set: points where the last pod takes the last liberty of
//! fixed pods are looked up one by one; all points where the last pod itself is blocked lead to one position without it.
//! Moves of the last pod are fills along its legs. Rows of an empty board, and rules with shoves, are left to the plain
//! evaluator.

mod filter;
mod near;
mod ranker;
mod terrain;

use super::arrangement::{Arrangement, Placed};
use super::direct::Direct;
use super::index::Index;
use super::sweep::{Evaluator, Known, Quest};
use super::tier::{Slice, Tier};
use crate::geometry::PointSet;
use crate::material::Side;
use crate::position::Game;
use crate::rules::{Captures, EmptyHand, Options};
use filter::Filter;
use near::{Lone, Near, Target, Ways};
use smallvec::SmallVec;
use terrain::Terrain;

/// Evaluates the cells of a row together.
pub(super) struct Bits<'a> {
    index: &'a Index,
    direct: &'a Direct<'a>,
    options: Options,
    terrain: Terrain,
}

impl<'a> Bits<'a> {
    /// The evaluator; `None` for rules that it does not know.
    pub(super) fn new(game: &Game, index: &'a Index, direct: &'a Direct<'a>) -> Option<Bits<'a>> {
        let options = *game.rules().options();
        let known = !(options.moves && options.shoves);
        known.then(|| Bits { index, direct, options, terrain: Terrain::new(game, index) })
    }
}

impl Evaluator for Bits<'_> {
    fn found(&self, known: &Known<'_>, slice: &Slice, row: u64, fixed: &Arrangement, mover: Side, want: u64) -> u64 {
        let Some(last) = slice.last() else { return self.direct.found(known, slice, row, fixed, mover, want) };
        let tier = &self.index.tiers()[known.tier];
        let mut hand = 0;
        let in_hand = |class: usize| tier.alive()[class] - slice.on_board()[class];
        for (class, of) in self.terrain.classes.iter().enumerate() {
            if of.side == mover.index() {
                hand += u32::from(in_hand(class));
            }
        }
        let mut search =
            Search { bits: self, known, tier, fixed: *fixed, last, mover: mover.index(), hand, want, found: 0 };
        if known.blank && known.quest == Quest::Losses {
            return search.without_action(tier, slice);
        }
        // While nothing is known of next positions, the only wins are those of an emptied hand.
        let pointless = known.blank && known.quest == Quest::Wins;
        if pointless && hand != 1 {
            return 0;
        }
        let near = Near::new(&search, slice, self.options.captures == Captures::EveryTurn);
        if pointless && self.options.captures == Captures::EveryTurn {
            search.want &= near.may_empty_the_hand(&search);
            if search.want == 0 {
                return 0;
            }
        }
        let captures = self.options.captures == Captures::EveryTurn;
        let filter = (!known.blank).then(|| Filter::new(&search, &near, captures));
        let more = (0..self.terrain.classes.len()).all(|class| {
            let of = &self.terrain.classes[class];
            of.side != mover.index() || in_hand(class) == 0 || search.placements(class as u8, &near, filter.as_ref())
        });
        if more && self.options.moves && !pointless {
            let of_moves = self.options.captures == Captures::AfterMoves;
            let for_moves = of_moves.then(|| Near::new(&search, slice, true));
            if search.moves_of_fixed(for_moves.as_ref().unwrap_or(&near)) {
                search.moves_of_last();
            }
        }
        if known.quest == Quest::Wins { search.found } else { search.want }
    }
}

/// The evaluation of one row. Methods that try actions say whether any cell is left to be asked about.
struct Search<'a> {
    bits: &'a Bits<'a>,
    known: &'a Known<'a>,
    tier: &'a Tier,
    /// The pods on the board but the last.
    fixed: Arrangement,
    /// The class of the last pod.
    last: u8,
    mover: usize,
    /// Pods in the mover's hand.
    hand: u32,
    /// Cells to be asked about: not found yet to be wins, or not yet to be no losses.
    want: u64,
    /// Cells found to be wins.
    found: u64,
}

impl<'a> Search<'a> {
    /// An action is legal in the cells `legal` of those wanted, and leads to what the quest needs in the cells `good`.
    #[inline]
    fn tell(&mut self, legal: u64, good: u64) -> bool {
        match self.known.quest {
            Quest::Wins => {
                self.found |= good;
                self.want &= !good;
            }
            Quest::Losses => self.want &= !legal | good,
        }
        self.want != 0
    }

    /// The cells wanted in which no action is legal (R15, R20).
    #[inline(never)]
    fn without_action(mut self, tier: &Tier, slice: &Slice) -> u64 {
        let (terrain, options, fixed) = (&self.bits.terrain, &self.bits.options, &self.fixed);
        let empty = terrain.all & !fixed.occupied();
        if options.moves {
            // A pod with an empty point beside it can move there.
            for pod in fixed.pods() {
                let of = &terrain.classes[pod.class as usize];
                match of.liberties[pod.point as usize] & empty {
                    open if of.side != self.mover || open == 0 => (),
                    open if open.is_power_of_two() => self.want &= open,
                    _ => return 0,
                }
            }
            if terrain.classes[self.last as usize].side == self.mover {
                self.want &= !terrain.free(self.last, empty).0;
            }
        }
        for (class, of) in terrain.classes.iter().enumerate() {
            if of.side != self.mover || tier.alive()[class] == slice.on_board()[class] {
                continue;
            }
            let clear = self.clear(class as u8);
            for (at, clear) in by_trouble(empty, clear) {
                if self.want == 0 {
                    return 0;
                }
                let legal = self.may_place(class as u8, at, clear, self.want & !(1 << at));
                self.want &= !self.with_liberty(class as u8, at, legal);
            }
        }
        self.want
    }

    /// The cells of `cells` in which a placed pod has the liberty that it may need (R13).
    #[inline]
    fn with_liberty(&self, class: u8, at: u8, cells: u64) -> u64 {
        let (terrain, options) = (&self.bits.terrain, &self.bits.options);
        if !options.placement_liberty {
            return cells;
        }
        match terrain.classes[class as usize].liberties[at as usize] & terrain.all & !self.fixed.occupied() {
            0 => 0,
            open if open.is_power_of_two() => cells & !open,
            _ => cells,
        }
    }

    /// Placements of a class that is in hand (R10–R13).
    #[inline(never)]
    fn placements(&mut self, class: u8, near: &Near, filter: Option<&Filter<'a>>) -> bool {
        let asked = filter.map(|filter| filter.placements(self, class));
        let (terrain, options) = (&self.bits.terrain, &self.bits.options);
        let occupied = self.fixed.occupied();
        let captures = options.captures == Captures::EveryTurn;
        let mut ways: SmallVec<[Ways<'_>; 4]> = near.variants.iter().map(|_| Ways::default()).collect();
        let clear = self.clear(class);
        for (at, clear) in by_trouble(terrain.all & !occupied, clear) {
            let asked = asked.as_ref().map_or(u64::MAX, |asked| asked[at as usize]);
            let legal = match self.want & asked & !(1 << at) {
                0 => continue,
                cells => self.may_place(class, at, clear, cells),
            };
            let legal = self.with_liberty(class, at, legal);
            if legal == 0 {
                continue;
            }
            let (cells, back, off) =
                if captures { near.cells_of_placement(terrain, self.last, class, at, legal) } else { (legal, 0, 0) };
            let (mut rest, mut good) = (legal & !cells, 0);
            for (variant, ways) in near.variants.iter().zip(&mut ways) {
                let these = cells & variant.cells;
                if these != 0 {
                    let (found, unknown) = ways.placement(self, variant, class, at, these, back & these, off & these);
                    good |= found;
                    rest |= unknown;
                }
            }
            if rest != 0 {
                let mut after = self.fixed;
                after.insert(Placed { class, point: at });
                good |= self.resolved(&after, captures, self.hand - 1, rest);
            }
            if !self.tell(legal, good) {
                return false;
            }
        }
        true
    }

    fn is_own(&self, class: u8) -> bool {
        self.bits.terrain.classes[class as usize].side == self.mover
    }

    /// The points where a pod of a class and no fixed one can be in a line of attack, whatever stands between.
    fn clear(&self, class: u8) -> u64 {
        let terrain = &self.bits.terrain;
        let pods = self.fixed.pods().iter();
        !pods.fold(0, |trouble, pod| trouble | terrain.conflicts(pod.class, pod.point, class))
    }

    /// The cells of `cells` in which no line of attack joins a pod placed on a point and an opposing one (R11, R12);
    /// `clear` if no fixed one can.
    #[inline]
    fn may_place(&self, class: u8, at: u8, clear: bool, mut cells: u64) -> u64 {
        let (terrain, through) = (&self.bits.terrain, self.bits.options.attack_through);
        let occupied = self.fixed.occupied();
        for pod in if clear { &[] } else { self.fixed.pods() } {
            if terrain.conflicts(class, at, pod.class) >> pod.point & 1 == 1 {
                let between = terrain.between(at, pod.point);
                if through {
                    return 0;
                }
                if between & occupied == 0 {
                    // Only the last pod can still cut the line.
                    cells &= between;
                    if cells == 0 {
                        return 0;
                    }
                }
            }
        }
        let mut zone = terrain.conflicts(class, at, self.last) & cells;
        if zone != 0 && !through {
            let mut in_line = terrain.star[at as usize] & occupied;
            while in_line != 0 {
                zone &= !terrain.beyond(at, in_line.trailing_zeros() as u8);
                in_line &= in_line - 1;
            }
        }
        cells & !zone
    }

    /// Moves of the mover's fixed pods (R17).
    #[inline(never)]
    fn moves_of_fixed(&mut self, near: &Near) -> bool {
        let captures = self.bits.options.captures != Captures::Never;
        let fixed = self.fixed;
        let targets: SmallVec<[Target<'a>; 4]> = near.variants.iter().map(|v| v.same_pods(self)).collect();
        let mut lones: SmallVec<[Option<Lone<'_>>; 4]> = SmallVec::new();
        for (i, pod) in fixed.pods().iter().enumerate() {
            let of = &self.bits.terrain.classes[pod.class as usize];
            if of.side != self.mover {
                continue;
            }
            lones.clear();
            lones.resize_with(near.variants.len(), || None);
            for run in &of.runs[pod.point as usize] {
                let mut way = 0_u64;
                for &to in run {
                    way |= 1 << to;
                    let legal = self.want & !way;
                    if fixed.occupied() >> to & 1 == 1 || legal == 0 {
                        break;
                    }
                    let (cells, off) = if captures {
                        near.cells_of_move(&self.bits.terrain, self.last, *pod, to, legal)
                    } else {
                        (legal, 0)
                    };
                    let (mut rest, mut good) = (legal & !cells, 0);
                    for ((variant, target), lone) in near.variants.iter().zip(&targets).zip(&mut lones) {
                        let these = cells & variant.cells;
                        if these & !off != 0 {
                            match variant.read_move(self.known, target, i, to, these & !off) {
                                Some(found) => good |= found,
                                None => rest |= these & !off,
                            }
                        }
                        if these & off != 0 {
                            let lone = lone.get_or_insert_with(|| variant.lone(self, None, Some(i)));
                            match lone.after_move(self.known, variant, i, to) {
                                Some(true) => good |= these & off,
                                Some(false) => (),
                                None => rest |= these & off,
                            }
                        }
                    }
                    if rest != 0 {
                        let mut after = fixed;
                        after.carry(i, to);
                        good |= self.resolved(&after, captures, self.hand, rest);
                    }
                    if !self.tell(legal, good) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Moves of the last pod, if it is the mover's (R17).
    #[inline(never)]
    fn moves_of_last(&mut self) -> bool {
        let terrain = &self.bits.terrain;
        if terrain.classes[self.last as usize].side != self.mover {
            return true;
        }
        let empty = terrain.all & !self.fixed.occupied();
        let after = self.resolved(&self.fixed, self.bits.options.captures != Captures::Never, self.hand, empty);
        match self.known.quest {
            Quest::Wins => {
                let good = terrain.moves_into(self.last, after, empty) & self.want;
                self.tell(good, good)
            }
            Quest::Losses => {
                let bad = terrain.moves_into(self.last, empty & !after, empty) & self.want;
                self.tell(bad, 0)
            }
        }
    }

    /// The cells of `cells` that are as the quest needs after an action that leaves the fixed pods so, the mover with so
    /// many pods in hand, and captures to come or not (R18).
    #[inline]
    fn resolved(&self, after: &Arrangement, captures: bool, hand: u32, cells: u64) -> u64 {
        if self.known.blank && (hand > 0 || self.known.quest == Quest::Losses) {
            return 0;
        }
        if !captures {
            return self.without(after, 0, false, hand, cells);
        }
        let terrain = &self.bits.terrain;
        let empty = terrain.all & !after.occupied();
        // Fixed pods blocked wherever the last one stands, and the only liberties of others.
        let (mut blocked, mut only) = (0_u32, 0_u64);
        for (i, pod) in after.pods().iter().enumerate() {
            let open = terrain.classes[pod.class as usize].liberties[pod.point as usize] & empty;
            if open == 0 {
                blocked |= 1 << i;
            } else if open.is_power_of_two() {
                only |= open;
            }
        }
        let (last_free, _) = terrain.free(self.last, empty);
        let mut good = self.without(after, blocked, false, hand, cells & !only & last_free);
        let last_blocked = cells & !only & !last_free;
        if last_blocked != 0 {
            good |= self.without(after, blocked, true, hand, last_blocked);
        }
        let mut single = cells & only;
        while single != 0 {
            let cell = single & single.wrapping_neg();
            single &= single - 1;
            let mut all_blocked = blocked;
            for (i, pod) in after.pods().iter().enumerate() {
                let open = terrain.classes[pod.class as usize].liberties[pod.point as usize] & empty;
                all_blocked |= u32::from(open == cell) << i;
            }
            good |= self.without(after, all_blocked, last_free & cell == 0, hand, cell);
        }
        good
    }

    /// The same once it is known which pods come off the board: those of `blocked` by their place in `after`, and the
    /// last one or not.
    #[inline]
    fn without(&self, after: &Arrangement, blocked: u32, last_blocked: bool, hand: u32, cells: u64) -> u64 {
        if cells == 0 {
            return 0;
        }
        if blocked == 0 && !last_blocked {
            if hand == 0 && self.bits.options.empty_hand == EmptyHand::Wins {
                return if self.known.won_by_mover() { cells } else { 0 };
            }
            return self.word(self.known.tier, self.tier, after, cells);
        }
        self.removed(after, blocked, last_blocked, hand, cells)
    }

    /// Captures in earnest.
    #[cold]
    fn removed(&self, after: &Arrangement, mut blocked: u32, last_blocked: bool, mut hand: u32, cells: u64) -> u64 {
        let index = self.bits.index;
        let mut left = *after;
        let mut lost = 0;
        let mut take = |class: u8| {
            if self.bits.terrain.classes[class as usize].side == self.mover {
                hand += 1;
            } else {
                lost += index.tier_weight(class);
            }
        };
        while blocked != 0 {
            let i = 31 - blocked.leading_zeros();
            blocked ^= 1 << i;
            take(left.remove(i as usize).class);
        }
        if last_blocked {
            take(self.last);
        }
        if hand == 0 && self.bits.options.empty_hand == EmptyHand::Wins {
            return if self.known.won_by_mover() { cells } else { 0 };
        }
        if self.known.blank {
            return 0;
        }
        let number = if lost == 0 {
            self.known.tier
        } else {
            let key = index.key_of_tier(self.known.tier) - lost;
            index.tier_by_key(key).expect("the opponent still holds pods")
        };
        if last_blocked {
            let place = index.place(number, &left).expect("both players hold pods");
            return if self.known.at(place) { cells } else { 0 };
        }
        self.word(number, &index.tiers()[number], &left, cells)
    }

    /// The cells that are as the quest needs, of positions with the fixed pods of a tier.
    #[inline]
    fn word(&self, number: usize, tier: &Tier, fixed: &Arrangement, cells: u64) -> u64 {
        let key = fixed.pods().iter().map(|pod| tier.weight(pod.class)).sum::<u32>() + tier.weight(self.last);
        let slice = tier.slice_by_key(key).expect("both players hold pods");
        if slice.last() != Some(self.last) {
            return self.column(number, slice, fixed, cells);
        }
        let row = self.bits.index.row(slice, fixed.pods());
        self.known.row(number, row, cells)
    }

    /// The same where a pod of a higher class has been placed: that one is the last now, and ours is one of its row.
    fn column(&self, number: usize, slice: &Slice, fixed: &Arrangement, cells: u64) -> u64 {
        let index = self.bits.index;
        let mut others = *fixed;
        let highest = others.remove(fixed.pods().len() - 1);
        let alone = slice.on_board()[self.last as usize] == 1;
        let (mut good, mut left) = (0, cells);
        // Alone in its class, our pod is the digit that counts least: rows follow each other as its points do.
        let mut base = None;
        while left != 0 {
            let cell = left.trailing_zeros() as u8;
            left &= left - 1;
            let below = u64::from(cell) - u64::from((others.occupied() & ((1 << cell) - 1)).count_ones());
            let row = match base {
                Some(base) => base + below,
                None => {
                    let mut row = others;
                    row.insert(Placed { class: self.last, point: cell });
                    let row = index.row(slice, row.pods());
                    base = alone.then(|| row - below);
                    row
                }
            };
            let place = super::Place { tier: number, row, cell: highest.point };
            good |= u64::from(self.known.at(place)) << cell;
        }
        good
    }
}

/// The points of a set, those of `clear` first, and whether they are.
fn by_trouble(points: u64, clear: u64) -> impl Iterator<Item = (u8, bool)> {
    let of = |set, clear| PointSet(set).into_iter().map(move |at| (at.index() as u8, clear));
    of(points & clear, true).chain(of(points & !clear, false))
}
