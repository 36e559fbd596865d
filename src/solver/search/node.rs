//! A position of a placement game as the search keeps it, and where each pod may be placed.

use super::field::{Field, KINDS, LegBits, Unions, bits};
use super::key::Key;
use crate::geometry::{MAX_POINTS, PointSet, by_direction};
use crate::material::{PodKind, Side};
use crate::position::{Game, Position};

/// A placement as numbers: kind and point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Placement {
    pub(super) kind: u8,
    pub(super) point: u8,
}

/// A position.
///
/// Every placement updates the sets of points that pods touch, reach and are seen from
/// ([`Node::put`]).
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Points held, by side.
    pub(super) held: [u64; 2],
    /// By side: the connected neighbours that legs of its pods point to, short and long ones.
    pub(super) touched: [u64; 2],
    /// By side and direction: the points whose connected neighbour in that direction is a pod of
    /// the side.
    pub(super) near: [[u64; 8]; 2],
    /// By side and direction: the points from which a long leg in that direction would reach a pod
    /// of the side (R5).
    pub(super) far: [[u64; 8]; 2],
    /// By side and direction: the points that long legs of the side in that direction reach (R5).
    pub(super) beams: [[u64; 8]; 2],
    /// Kinds by point and side, as a sum of hashes.
    pub(super) past: Key,
    /// Pods in hand, by side and kind.
    pub(super) hands: [[u8; KINDS]; 2],
    /// The kinds in hand, a bit a kind, by side.
    pub(super) kinds: [u32; 2],
    /// Pods in hand, by side.
    pub(super) in_hand: [u16; 2],
    pub(super) mover: u8,
    /// True if the opening clause binds the mover (R9).
    pub(super) open: bool,
    /// Points held by ghosts, all of one side (`ghosts.rs`).
    pub(super) ghosts: u64,
    /// The passes that the side of the ghosts still has.
    pub(super) passes: u8,
}

/// Points and kinds that a win uses (`used.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) points: u64,
    pub(super) kinds: u32,
}

impl Used {
    pub(super) const NONE: Used = Used { points: 0, kinds: 0 };
    pub(super) const ALL: Used = Used { points: u64::MAX, kinds: u32::MAX };

    #[inline]
    pub(super) fn join(&mut self, other: Used) {
        self.points |= other.points;
        self.kinds |= other.kinds;
    }

    #[inline]
    pub(super) fn add(&mut self, placement: Placement) {
        self.points |= 1 << placement.point;
        self.kinds |= 1 << placement.kind;
    }
}

/// The virtual pods of a position that stands for several replies (`cover.rs`, `ghosts.rs`).
#[derive(Clone, Copy, Debug)]
pub(super) enum Virtual {
    /// One with these legs on a point.
    Pod(LegBits, usize),
    /// Ghosts on these points.
    Ghosts(u64),
}

/// Points where each kind in hand of one side may be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    /// By kind; nothing for kinds that are not in hand.
    pub(super) at: [u64; KINDS],
    /// Bit set of kinds with at least one point.
    pub(super) kinds: u32,
    /// All points together.
    pub(super) any: u64,
}

impl Pairs {
    pub(super) const NONE: Pairs = Pairs { at: [0; KINDS], kinds: 0, any: 0 };

    #[inline]
    pub(super) fn set(&mut self, kind: usize, at: u64) {
        self.at[kind] = at;
        self.any |= at;
        self.kinds |= u32::from(at != 0) << kind;
    }

    /// Leaves out all kinds but some.
    #[inline]
    pub(super) fn keep(&mut self, kinds: u32) {
        if self.kinds & !kinds != 0 {
            let all = *self;
            *self = Pairs::NONE;
            bits(u64::from(all.kinds & kinds)).for_each(|kind| self.set(kind, all.at[kind]));
        }
    }

    /// Returns by direction those of some points where a side's pods of some kinds have a short leg,
    /// and those where they have a long one.
    #[inline]
    pub(super) fn by_leg(&self, field: &Field, side: usize, kinds: u32, points: u64) -> [[u64; 8]; 2] {
        let (mut short, mut long) = ([0; 8], [0; 8]);
        for kind in bits(u64::from(self.kinds & kinds)) {
            let (legs, at) = (field.legs[side][kind], self.at[kind] & points);
            bits(u64::from(legs.short)).for_each(|d| short[d] |= at);
            bits(u64::from(legs.long)).for_each(|d| long[d] |= at);
        }
        [short, long]
    }

    /// Leaves out the points of `beams`, and those from which long legs reach a pod (`far`).
    #[inline]
    pub(super) fn narrow(&mut self, field: &Field, side: usize, beams: u64, far: &[u64; 8]) {
        let far = Unions::new(far);
        let kinds = std::mem::take(&mut self.kinds);
        self.any = 0;
        for kind in bits(u64::from(kinds)) {
            self.set(kind, self.at[kind] & !(beams | far.of(field.legs[side][kind].long)));
        }
    }
}

impl Node {
    pub(super) fn new(field: &Field, game: &Game, position: &Position) -> Node {
        debug_assert!(game.board().len() <= MAX_POINTS && game.pods().kinds().len() <= PodKind::MAX);
        let mut hands = [[0; KINDS]; 2];
        for side in Side::BOTH {
            position.hand(side).iter().for_each(|(kind, count)| hands[side.index()][kind.index()] = count);
        }
        let mut node = Node::bare(&hands, position.to_move().index(), position.is_open());
        for (point, pod) in position.pods() {
            node.put(field, pod.side.index(), pod.kind.index(), point.index());
        }
        node
    }

    /// Returns a position with nothing on the board; `hands` by side and kind.
    pub(super) fn bare(hands: &[[u8; KINDS]; 2], mover: usize, open: bool) -> Node {
        Node {
            held: [0; 2],
            touched: [0; 2],
            near: [[0; 8]; 2],
            far: [[0; 8]; 2],
            beams: [[0; 8]; 2],
            past: Key::START,
            hands: *hands,
            kinds: hands.map(|hand| (0..KINDS).filter(|&kind| hand[kind] > 0).fold(0, |set, kind| set | 1 << kind)),
            in_hand: hands.map(|hand| hand.into_iter().map(u16::from).sum()),
            mover: mover as u8,
            open,
            ghosts: 0,
            passes: 0,
        }
    }

    /// Puts a pod on an empty point.
    ///
    /// Runs of lines past the point now stop there, unless legs attack through: beams over it lose
    /// the points behind, and points that looked over it at an opposing pod now look at the new
    /// one.
    #[inline]
    fn put(&mut self, field: &Field, side: usize, kind: usize, point: usize) {
        self.stand(field, side, field.legs[side][kind], point);
        self.past.mix(0, (side << 16 | kind << 8 | point) as u64 + 1);
    }

    /// Puts a pod with any legs on an empty point, and adds the legs to `past`.
    pub(super) fn stand_as(&mut self, field: &Field, side: usize, legs: LegBits, point: usize) {
        self.stand(field, side, legs, point);
        // A tag that no other word of `past` has.
        self.past.mix(6 << 8 | (side << 16 | point << 17) as u64, u64::from(legs.short) << 8 | u64::from(legs.long));
    }

    /// Puts a pod with any legs on an empty point, and leaves `past` as it is.
    #[inline]
    fn stand(&mut self, field: &Field, side: usize, legs: LegBits, point: usize) {
        let stops = if field.through { 0 } else { self.held[0] | self.held[1] };
        let LegBits { short, long } = legs;
        for d in 0..8 {
            let (next, sight) = (field.near[d][point], field.sight(d, point, stops));
            // Lines work both ways (R1): a point in direction d sees this one in the opposite
            // direction, d ^ 4.
            self.near[side][d ^ 4] |= next;
            if !field.through {
                self.far[1 - side][d ^ 4] &= !sight;
                for beams in &mut self.beams {
                    let passed = (beams[d] >> point & 1).wrapping_neg();
                    beams[d] &= !(sight & passed);
                }
            }
            self.far[side][d ^ 4] |= sight;
            if long >> d & 1 != 0 {
                self.beams[side][d] |= sight;
                if sight & self.ghosts & self.held[side] != 0 && !field.through {
                    self.shine_on(field, side, d, sight, stops);
                }
            }
            self.touched[side] |= next & u64::from((short | long) >> d & 1).wrapping_neg();
        }
        self.held[side] |= 1 << point;
    }

    /// Returns the position after a legal placement.
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

    /// Returns the kinds that a side may place as things stand: those in hand, less those that the
    /// opening clause forbids.
    #[inline]
    pub(super) fn placeable(&self, field: &Field, side: usize) -> u32 {
        if self.open && side == self.mover as usize { self.kinds[side] & field.bipods } else { self.kinds[side] }
    }

    /// Returns by direction the points whose connected neighbour there is empty.
    #[inline]
    pub(super) fn free(&self, field: &Field) -> [u64; 8] {
        by_direction(|d| field.joined[d] & !self.near[0][d] & !self.near[1][d])
    }

    /// Returns by side the placements of its pods in hand (R10–R13), the opening clause apart, if
    /// no leg reached farther than the next point.
    #[inline]
    pub(super) fn close(&self, field: &Field) -> [Pairs; 2] {
        let mut close = [Pairs::NONE; 2];
        let (empty, free) = (self.empty(field), self.free(field));
        let liberties = Unions::new(&free);
        for (side, pairs) in close.iter_mut().enumerate() {
            let (open, attacks) = (empty & !self.touched[1 - side], Unions::new(&self.near[1 - side]));
            let on_ghosts =
                (self.has_ghosts(side) && field.liberty).then(|| Unions::new(&self.with_ghosts_next(field, &free)));
            let liberties = on_ghosts.as_ref().unwrap_or(&liberties);
            for kind in bits(u64::from(self.kinds[side])) {
                let LegBits { short, long } = field.legs[side][kind];
                let at = open & !attacks.of(short | long);
                pairs.set(kind, if field.liberty { at & liberties.of(short | long) } else { at });
            }
        }
        close
    }

    /// Takes from pairs of a side those that a long leg of either side rules out at its full reach.
    #[inline]
    pub(super) fn part(&self, field: &Field, side: usize, pairs: &mut Pairs) {
        let beams = self.beams[1 - side].iter().fold(0, |all, beam| all | beam);
        pairs.narrow(field, side, beams, &self.far[1 - side]);
    }

    /// Returns the legal placements of a side (R10–R13), the opening clause apart for the side that
    /// is not to move.
    #[inline]
    pub(super) fn legal(&self, field: &Field, side: usize) -> Pairs {
        let mut pairs = self.close(field)[side];
        pairs.keep(self.placeable(field, side));
        self.part(field, side, &mut pairs);
        pairs
    }

    /// Returns the side, as a number, that has won by empty hands alone (R30).
    #[inline]
    pub(super) fn won_by_hand(&self, field: &Field) -> Option<usize> {
        if !field.empty_hand_wins {
            return None;
        }
        let mover = self.mover as usize;
        [1 - mover, mover].into_iter().find(|&side| self.in_hand[side] == 0)
    }
}

/// Returns the placements of a set of pairs, kind by kind.
pub(super) fn placements(pairs: &Pairs) -> impl Iterator<Item = Placement> + '_ {
    pairs.at.iter().enumerate().flat_map(|(kind, &at)| {
        PointSet(at).into_iter().map(move |p| Placement { kind: kind as u8, point: p.index() as u8 })
    })
}
