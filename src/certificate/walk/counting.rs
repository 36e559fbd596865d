//! The lemma of counting: how long a plan must be, and with what it may go on.

use super::field::{Field, bits};
use super::scene::{Living, PairSets, Scene, Surroundings};
use crate::geometry::by_direction;
use crate::material::PodKind;

/// Number of pairs that are tried where simple ways find no plan.
const PATIENCE: u32 = 256;

pub(in crate::certificate) type Pair = (usize, usize);

/// A plan of the winner that is made pair by pair.
#[derive(Clone, Debug)]
pub(in crate::certificate) struct Plan<'a> {
    field: &'a Field,
    side: usize,
    legal: PairSets,
    safe: PairSets,
    /// The points to which the loser may come.
    theirs: u64,
    empty: u64,
    hand: [u8; PodKind::MAX],
    /// The points of the pairs so far.
    used: u64,
    /// True if the next pair is the first one, and the winner is to move.
    pub(in crate::certificate) is_free: bool,
    pub(in crate::certificate) missing: usize,
}

impl<'a> Plan<'a> {
    /// Creates a plan without pairs. The opening clause does not bind, and an empty hand loses.
    pub(in crate::certificate) fn new(
        field: &'a Field,
        scene: &Scene,
        around: &Surroundings,
        living: &Living,
        winner: usize,
    ) -> Plan<'a> {
        let legal = around.legal(field, scene, winner);
        let theirs = &living.pairs[1 - winner];
        let is_free = scene.mover == winner;
        Plan {
            field,
            side: winner,
            safe: safe(field, around.empty, &legal, theirs, winner),
            legal,
            theirs: theirs.any,
            empty: around.empty,
            hand: scene.hands[winner],
            used: 0,
            is_free,
            missing: most(theirs, &scene.hands[1 - winner]) + usize::from(is_free),
        }
    }

    /// Returns `false` if too few pairs are left to fill the plan: a quick look that forgets which
    /// pairs exclude each other.
    pub(in crate::certificate) fn may_suffice(&self) -> bool {
        let pods: usize = self.hand.iter().map(|&count| usize::from(count)).sum();
        let safe = (self.safe.any.count_ones() as usize).min(pods);
        let free = usize::from(self.is_free && self.legal.any != 0);
        safe + free >= self.missing
    }

    /// Returns the points on which the plan may go on with a kind.
    pub(in crate::certificate) fn points(&self, kind: usize) -> u64 {
        if self.hand[kind] == 0 {
            return 0;
        }
        if self.is_free {
            return self.legal.at[kind] & !self.used;
        }
        let at = self.safe.at[kind] & !self.used;
        if !self.field.liberty || at == 0 {
            return at;
        }
        let free = self.empty & !self.theirs & !self.used;
        let legs = bits(u64::from(self.field.legs[self.side][kind].all));
        at & legs.fold(0, |set, d| set | self.field.lines.step_into(d, free))
    }

    /// Returns the pairs that it may go on with, by kinds, and for each kind by points.
    pub(in crate::certificate) fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        (0..self.field.kinds).flat_map(|kind| bits(self.points(kind)).map(move |point| (kind, point)))
    }

    pub(in crate::certificate) fn go_on(&mut self, (kind, point): Pair) {
        self.hand[kind] -= 1;
        self.used |= 1 << point;
        self.is_free = false;
        self.missing -= 1;
    }

    /// Finds the pairs that are missing, if it can.
    ///
    /// Some plans of many pairs are not found.
    pub(in crate::certificate) fn find(&self) -> Option<Vec<Pair>> {
        if !self.may_suffice() {
            return None;
        }
        if self.missing == 0 {
            return Some(Vec::new());
        }
        let short = |plan: &Plan<'_>| plan.greedy().or_else(|| plan.in_order());
        let found = if self.is_free {
            self.pairs().find_map(|first| {
                let mut plan = self.clone();
                plan.go_on(first);
                short(&plan).map(|rest| [vec![first], rest].concat())
            })
        } else {
            short(self)
        };
        found.or_else(|| {
            let mut pairs = self.try_all(&mut { PATIENCE })?;
            pairs.reverse();
            Some(pairs)
        })
    }

    /// Tries pair after pair while there is patience; returns the last one first.
    fn try_all(&self, patience: &mut u32) -> Option<Vec<Pair>> {
        if self.missing == 0 {
            return Some(Vec::new());
        }
        self.pairs().find_map(|pair| {
            *patience = patience.checked_sub(1)?;
            let mut plan = self.clone();
            plan.go_on(pair);
            let mut rest = plan.try_all(patience)?;
            rest.push(pair);
            Some(rest)
        })
    }

    /// Takes the first pair each time; `None` if that does not lead to the end.
    fn greedy(&self) -> Option<Vec<Pair>> {
        let mut plan = self.clone();
        let mut pairs = Vec::with_capacity(plan.missing);
        while plan.missing > 0 {
            let next = plan.pairs().next()?;
            pairs.push(next);
            plan.go_on(next);
        }
        Some(pairs)
    }

    /// Finds a largest matching of safe pairs, in an order that is found from its end: a pair that
    /// can come last leaves its point to those before it; where none can, one is given up.
    fn in_order(&self) -> Option<Vec<Pair>> {
        let mut safe = PairSets::default();
        bits(u64::from(self.safe.kinds)).for_each(|kind| safe.set(kind, self.safe.at[kind] & !self.used));
        let mut matching = Matching::new(&safe, &self.hand);
        let mut free = self.empty & !self.theirs & !self.used & !matching.points;
        let mut order = Vec::new();
        while matching.points != 0 {
            let legs = |point: usize| bits(u64::from(self.field.legs[self.side][matching.kind_on(point)].all));
            let has_liberty = |&point: &usize| {
                !self.field.liberty || legs(point).any(|d| self.field.lines.step(d, 1 << point) & free != 0)
            };
            let last = bits(matching.points).find(has_liberty);
            let point = last.unwrap_or(matching.points.trailing_zeros() as usize);
            if last.is_some() {
                order.push((matching.kind_on(point), point));
            }
            matching.points &= !(1 << point);
            free |= 1 << point;
        }
        order.truncate(self.missing);
        order.reverse();
        (order.len() == self.missing).then_some(order)
    }
}

fn safe(field: &Field, empty: u64, legal: &PairSets, theirs: &PairSets, winner: usize) -> PairSets {
    let mut safe = PairSets::default();
    let candidates = legal.any & !theirs.any;
    if candidates == 0 {
        return safe;
    }
    let (mut legs, mut long) = ([0; 8], [0; 8]);
    for kind in bits(u64::from(theirs.kinds)) {
        let has = field.legs[1 - winner][kind];
        bits(u64::from(has.all)).for_each(|d| legs[d] |= theirs.at[kind]);
        bits(u64::from(has.long)).for_each(|d| long[d] |= theirs.at[kind]);
    }
    let over = field.open_to(empty);
    let lines = &field.lines;
    let attacked = (0..8).fold(0, |set, d| set | lines.step(d, legs[d]) | lines.run(d, long[d], over));
    let candidates = candidates & !attacked;
    if candidates == 0 {
        return safe;
    }
    let near = by_direction(|d| lines.step_into(d, theirs.any));
    let far = by_direction(|d| lines.run_into(d, theirs.any, over));
    for kind in bits(u64::from(legal.kinds)) {
        let has = field.legs[winner][kind];
        let bad = bits(u64::from(has.all)).fold(0, |set, d| set | near[d]);
        let bad = bits(u64::from(has.long)).fold(bad, |set, d| set | far[d]);
        safe.set(kind, legal.at[kind] & candidates & !bad);
    }
    safe
}

/// Returns the size of a largest matching between the pods of a hand and the points of their pairs.
pub(in crate::certificate) fn most(pairs: &PairSets, hand: &[u8; PodKind::MAX]) -> usize {
    match pairs.any.count_ones() {
        0 => 0,
        1 => 1,
        _ => Matching::new(pairs, hand).points.count_ones() as usize,
    }
}

/// A largest matching, found by augmenting paths.
struct Matching {
    points: u64,
    /// By point of `points`.
    kinds: [u8; 64],
}

impl Matching {
    fn new(pairs: &PairSets, hand: &[u8; PodKind::MAX]) -> Matching {
        let mut matching = Matching { points: 0, kinds: [0; 64] };
        for kind in bits(u64::from(pairs.kinds)) {
            for _ in 0..hand[kind] {
                // Where one pod of a kind finds no point, another one of it does not either.
                if !matching.augment(pairs, kind, &mut 0) {
                    break;
                }
            }
        }
        matching
    }

    fn kind_on(&self, point: usize) -> usize {
        usize::from(self.kinds[point])
    }

    /// Finds a point for one more pod, moving others to other points if need be.
    fn augment(&mut self, pairs: &PairSets, kind: usize, seen: &mut u64) -> bool {
        let free = pairs.at[kind] & !self.points;
        if free != 0 {
            self.points |= free & free.wrapping_neg();
            self.kinds[free.trailing_zeros() as usize] = kind as u8;
            return true;
        }
        loop {
            let next = pairs.at[kind] & !*seen;
            if next == 0 {
                return false;
            }
            let point = next.trailing_zeros() as usize;
            *seen |= 1 << point;
            if self.augment(pairs, self.kind_on(point), seen) {
                self.kinds[point] = kind as u8;
                return true;
            }
        }
    }
}
