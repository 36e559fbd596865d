//! A position of a placement game as the search keeps it, and where each pod may be placed.

use super::field::{Field, KINDS, bits};
use crate::geometry::{MAX_POINTS, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Game, Position};

/// A placement as numbers: kind and point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Placement {
    pub(super) kind: u8,
    pub(super) point: u8,
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Points held, by side.
    pub(super) held: [u64; 2],
    /// Pods with a short leg in a direction, by side.
    pub(super) short: [[u64; 8]; 2],
    /// Pods with a long leg in a direction, by side.
    pub(super) long: [[u64; 8]; 2],
    /// Pods in hand, by side and kind.
    pub(super) hands: [[u8; KINDS]; 2],
    /// The kinds in hand, a bit a kind, by side.
    pub(super) kinds: [u32; 2],
    /// Pods in hand, by side.
    pub(super) in_hand: [u16; 2],
    pub(super) mover: u8,
    /// Whether the opening clause binds the mover (R9).
    pub(super) open: bool,
}

/// Where each kind in hand of one side may be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    /// By kind; nothing for kinds that are not in hand.
    pub(super) at: [u64; KINDS],
    /// All of them together.
    pub(super) any: u64,
}

impl Pairs {
    pub(super) const NONE: Pairs = Pairs { at: [0; KINDS], any: 0 };
}

/// Pods that may not attack and may not be attacked: the points they hold and their legs by direction.
pub(super) struct Foes<'a> {
    pub(super) held: u64,
    pub(super) short: &'a [u64; 8],
    pub(super) long: &'a [u64; 8],
}

impl Node {
    pub(super) fn new(field: &Field, game: &Game, position: &Position) -> Node {
        let mut node = Node {
            held: [0; 2],
            short: [[0; 8]; 2],
            long: [[0; 8]; 2],
            hands: [[0; KINDS]; 2],
            kinds: [0; 2],
            in_hand: [0; 2],
            mover: position.to_move().index() as u8,
            open: position.is_open(),
        };
        debug_assert!(game.board().len() <= MAX_POINTS && game.pods().kinds().len() <= PodKind::MAX);
        for (point, pod) in position.pods() {
            node.put(field, pod.side.index(), pod.kind.index(), point.index());
        }
        for side in Side::BOTH {
            for (kind, count) in position.hand(side).iter() {
                node.hands[side.index()][kind.index()] = count;
                node.kinds[side.index()] |= 1 << kind.index();
                node.in_hand[side.index()] += u16::from(count);
            }
        }
        node
    }

    #[inline]
    fn put(&mut self, field: &Field, side: usize, kind: usize, point: usize) {
        self.held[side] |= 1 << point;
        let legs = field.legs[side][kind];
        for d in 0..8 {
            self.short[side][d] |= u64::from(legs.short >> d & 1) << point;
            self.long[side][d] |= u64::from(legs.long >> d & 1) << point;
        }
    }

    /// The position after a legal placement.
    #[inline]
    pub(super) fn play(&self, field: &Field, placement: Placement) -> Node {
        let mut next = self.clone();
        let (side, kind) = (self.mover as usize, placement.kind as usize);
        next.put(field, side, kind, placement.point as usize);
        next.hands[side][kind] -= 1;
        next.in_hand[side] -= 1;
        if next.hands[side][kind] == 0 {
            next.kinds[side] &= !(1 << kind);
        }
        next.mover ^= 1;
        next.open = false;
        next
    }

    #[inline]
    pub(super) fn empty(&self, field: &Field) -> u64 {
        field.points & !(self.held[0] | self.held[1])
    }

    /// The pods of a side.
    #[inline]
    pub(super) fn foes(&self, side: usize) -> Foes<'_> {
        Foes { held: self.held[side], short: &self.short[side], long: &self.long[side] }
    }

    /// The kinds that a side may place as things stand: those in hand, less those that the opening clause forbids.
    #[inline]
    pub(super) fn placeable(&self, field: &Field, side: usize) -> u32 {
        if self.open && side == self.mover as usize { self.kinds[side] & field.bipods } else { self.kinds[side] }
    }

    /// Where pods of a side could be placed among `foes` (R10–R13), if long legs ran on through the points of
    /// `through` and the points of `frees` gave liberty.
    #[inline]
    pub(super) fn pairs(
        &self,
        field: &Field,
        side: usize,
        kinds: u32,
        foes: &Foes<'_>,
        through: u64,
        frees: u64,
    ) -> Pairs {
        let mut pairs = Pairs::NONE;
        if kinds == 0 {
            return pairs;
        }
        let mut attacked = 0;
        let (mut near, mut far, mut free) = ([0; 8], [0; 8], [0; 8]);
        for d in 0..8 {
            attacked |= field.lines.step(d, foes.short[d]) | field.lines.run(d, foes.long[d], through);
            // Lines work both ways (R1): who attacks in a direction stands in the opposite one.
            near[d] = field.lines.step_into(d, foes.held);
            far[d] = field.lines.run_into(d, foes.held, through);
            free[d] = field.lines.step_into(d, frees);
        }
        let open = self.empty(field) & !attacked;
        for kind in bits(u64::from(kinds)) {
            let legs = field.legs[side][kind];
            let (mut attacks, mut liberty) = (0, 0);
            for d in bits(u64::from(legs.short)) {
                attacks |= near[d];
                liberty |= free[d];
            }
            for d in bits(u64::from(legs.long)) {
                attacks |= far[d];
                liberty |= free[d];
            }
            let mut at = open & !attacks;
            if field.liberty {
                at &= liberty;
            }
            pairs.at[kind] = at;
            pairs.any |= at;
        }
        pairs
    }

    /// Where a side may place its pods now (R10–R13), the opening clause apart.
    #[inline]
    pub(super) fn legal(&self, field: &Field, side: usize) -> Pairs {
        let empty = self.empty(field);
        let through = if field.through { field.points } else { empty };
        self.pairs(field, side, self.placeable(field, side), &self.foes(1 - side), through, empty)
    }

    /// Who has won by empty hands alone, as the side's number (R30).
    #[inline]
    pub(super) fn won_by_hand(&self, field: &Field) -> Option<usize> {
        if !field.empty_hand_wins {
            return None;
        }
        let mover = self.mover as usize;
        [1 - mover, mover].into_iter().find(|&side| self.in_hand[side] == 0)
    }
}

/// The placements of a set of pairs, kind by kind.
pub(super) fn placements(pairs: &Pairs) -> impl Iterator<Item = Placement> + '_ {
    pairs.at.iter().enumerate().flat_map(|(kind, &at)| {
        PointSet(at).into_iter().map(move |p| Placement { kind: kind as u8, point: p.index() as u8 })
    })
}
