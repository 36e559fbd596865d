//! Situations as sets of points, and what the clauses and the first lemmas say of them.

use super::field::{Field, LegBits, bits};
use crate::geometry::by_direction;
use crate::material::{PodKind, Side};
use crate::position::{Game, Position};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::certificate) struct PairSets {
    /// By kind.
    pub(in crate::certificate) at: [u64; PodKind::MAX],
    pub(in crate::certificate) any: u64,
    /// The kinds that have points, a bit a kind.
    pub(in crate::certificate) kinds: u32,
}

impl PairSets {
    #[inline]
    pub(in crate::certificate) fn set(&mut self, kind: usize, at: u64) {
        if at != 0 {
            self.at[kind] = at;
            self.any |= at;
            self.kinds |= 1 << kind;
        }
    }

    /// Returns the kinds on a point, a bit a kind.
    #[inline]
    pub(in crate::certificate) fn kinds_at(&self, point: usize) -> u32 {
        bits(u64::from(self.kinds)).filter(|&k| self.at[k] >> point & 1 == 1).fold(0, |set, k| set | 1 << k)
    }
}

/// A situation (`pods rules lemmas`): pods on the board have legs and no kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::certificate) struct Scene {
    /// By side: where its pods stand.
    pub(in crate::certificate) held: [u64; 2],
    /// By side and direction: the pods with a leg there, and those with a long one.
    pub(in crate::certificate) legs: [[u64; 8]; 2],
    pub(in crate::certificate) long: [[u64; 8]; 2],
    /// By side and kind.
    pub(in crate::certificate) hands: [[u8; PodKind::MAX]; 2],
    /// By side: the kinds in hand, a bit a kind.
    pub(in crate::certificate) kinds: [u32; 2],
    pub(in crate::certificate) mover: usize,
    /// True if the opening clause binds the side to move (R9).
    pub(in crate::certificate) open: bool,
}

impl Scene {
    pub(in crate::certificate) fn new(game: &Game, position: &Position) -> Scene {
        let mut scene = Scene {
            held: [0; 2],
            legs: [[0; 8]; 2],
            long: [[0; 8]; 2],
            hands: [[0; PodKind::MAX]; 2],
            kinds: [0; 2],
            mover: position.to_move().index(),
            open: position.is_open(),
        };
        for (side, owner) in Side::BOTH.into_iter().enumerate() {
            for (kind, count) in position.hand(owner).iter() {
                scene.hands[side][kind.index()] = count;
                scene.kinds[side] |= 1 << kind.index();
            }
        }
        for (point, pod) in position.pods() {
            let legs = LegBits::of(game.pods().legs(pod.kind).on_board(pod.side));
            scene.stand(pod.side.index(), legs, point.index());
        }
        scene
    }

    fn stand(&mut self, side: usize, legs: LegBits, point: usize) {
        self.held[side] |= 1 << point;
        for d in bits(u64::from(legs.all)) {
            self.legs[side][d] |= 1 << point;
        }
        for d in bits(u64::from(legs.long)) {
            self.long[side][d] |= 1 << point;
        }
    }

    pub(in crate::certificate) fn legs_on(&self, side: usize, point: usize) -> LegBits {
        let of = |sets: &[u64; 8]| (0..8).fold(0, |legs, d| legs | ((sets[d] >> point & 1) as u8) << d);
        LegBits { all: of(&self.legs[side]), long: of(&self.long[side]) }
    }

    /// Returns the pods on the board: side, point, and legs.
    #[cfg(feature = "tables")]
    pub(in crate::certificate) fn pods(&self) -> impl Iterator<Item = (usize, usize, LegBits)> + '_ {
        let of_side = |side: usize| bits(self.held[side]).map(move |point| (side, point, self.legs_on(side, point)));
        of_side(0).chain(of_side(1))
    }

    pub(in crate::certificate) fn empty(&self, field: &Field) -> u64 {
        field.points & !(self.held[0] | self.held[1])
    }

    pub(in crate::certificate) fn level(&self) -> usize {
        (self.held[0] | self.held[1]).count_ones() as usize
    }

    pub(in crate::certificate) fn in_hand(&self, side: usize) -> u32 {
        self.hands[side].iter().map(|&count| u32::from(count)).sum()
    }

    /// Returns the winner by an empty hand, if there is one (R16, R30).
    pub(in crate::certificate) fn won_by_hand(&self, field: &Field) -> Option<usize> {
        [1 - self.mover, self.mover].into_iter().find(|&side| field.hand_wins && self.kinds[side] == 0)
    }

    pub(in crate::certificate) fn after(&self, field: &Field, kind: usize, point: usize) -> Scene {
        let side = self.mover;
        let mut next = self.with(field.legs[side][kind], point);
        next.hands[side][kind] -= 1;
        if next.hands[side][kind] == 0 {
            next.kinds[side] &= !(1 << kind);
        }
        next
    }

    pub(in crate::certificate) fn cover(&self, field: &Field, kinds: u32, point: usize) -> Scene {
        let legs = bits(u64::from(kinds)).map(|kind| field.legs[self.mover][kind]);
        self.with(legs.fold(LegBits::default(), LegBits::with), point)
    }

    fn with(&self, legs: LegBits, point: usize) -> Scene {
        let mut next = self.clone();
        next.stand(self.mover, legs, point);
        next.mover = 1 - self.mover;
        next.open = false;
        next
    }

    /// Returns `true` if the lemma of the mirror shows that the side to move loses.
    pub(in crate::certificate) fn is_mirrored(&self, field: &Field) -> bool {
        let Some(images) = &field.images else { return false };
        let turned = |legs: LegBits| LegBits { all: legs.all.rotate_left(4), long: legs.long.rotate_left(4) };
        self.hands[0] == self.hands[1]
            && self.held[0].count_ones() == self.held[1].count_ones()
            && bits(self.held[0]).all(|point| {
                let image = usize::from(images[point]);
                self.held[1] >> image & 1 == 1 && self.legs_on(1, image) == turned(self.legs_on(0, point))
            })
    }
}

/// Facts about a situation that the clauses give for any placement.
#[derive(Clone, Debug)]
pub(in crate::certificate) struct Surroundings {
    pub(in crate::certificate) empty: u64,
    /// By direction: the points with an empty neighbour there.
    pub(in crate::certificate) liberties: [u64; 8],
    /// By side and direction: the points whose neighbour there is held by the other side.
    pub(in crate::certificate) near: [[u64; 8]; 2],
}

impl Surroundings {
    pub(in crate::certificate) fn new(field: &Field, scene: &Scene) -> Surroundings {
        let empty = scene.empty(field);
        let into = |set: u64| by_direction(|d| field.lines.step_into(d, set));
        Surroundings { empty, liberties: into(empty), near: [into(scene.held[1]), into(scene.held[0])] }
    }

    /// Returns, by direction, the points from which a long leg of the side leads to a pod of the
    /// other side, going on over the points of `over`.
    pub(in crate::certificate) fn far(&self, field: &Field, side: usize, over: u64) -> [u64; 8] {
        by_direction(|d| {
            let near = self.near[side][d];
            let on = near & over;
            if on == 0 { near } else { near | field.lines.run_into(d, on, over) }
        })
    }

    /// Returns the points that legs of a side lead to, long ones going on over the points of
    /// `over`.
    fn attacked(field: &Field, scene: &Scene, side: usize, over: u64) -> u64 {
        (0..8).fold(0, |all, d| {
            let next = field.lines.step(d, scene.legs[side][d]);
            let mut front = field.lines.step(d, scene.long[side][d]) & over;
            let mut all = all | next;
            while front != 0 {
                front = field.lines.step(d, front);
                all |= front;
                front &= over;
            }
            all
        })
    }

    /// Sets `pairs`, which has pairs of no other kinds, to those of a side on points of `room` that
    /// are not dead, long legs going on over the points of `over`.
    fn fill(&self, field: &Field, scene: &Scene, side: usize, (room, over): (u64, u64), pairs: &mut PairSets) {
        let room = room & !Surroundings::attacked(field, scene, 1 - side, over);
        let far = if room == 0 { [0; 8] } else { self.far(field, side, over) };
        (pairs.any, pairs.kinds) = (0, 0);
        for kind in bits(u64::from(scene.kinds[side])) {
            let legs = field.legs[side][kind];
            let (mut bad, mut free) = (0, 0);
            for d in bits(u64::from(legs.all)) {
                bad |= self.near[side][d];
                free |= self.liberties[d];
            }
            for d in bits(u64::from(legs.long)) {
                bad |= far[d];
            }
            let at = room & !bad & if field.liberty { free } else { u64::MAX };
            pairs.at[kind] = at;
            pairs.any |= at;
            pairs.kinds |= u32::from(at != 0) << kind;
        }
    }

    pub(in crate::certificate) fn legal(&self, field: &Field, scene: &Scene, side: usize) -> PairSets {
        let mut pairs = PairSets::default();
        self.fill(field, scene, side, (self.empty, field.open_to(self.empty)), &mut pairs);
        pairs
    }

    /// Returns the choices of the side to move (R9 to R13).
    pub(in crate::certificate) fn choices(&self, field: &Field, scene: &Scene) -> PairSets {
        let mut choices = self.legal(field, scene, scene.mover);
        if scene.open {
            let all = std::mem::take(&mut choices);
            bits(u64::from(all.kinds & field.bipods)).for_each(|kind| choices.set(kind, all.at[kind]));
        }
        choices
    }
}

/// The living pairs of both sides, and the room.
#[derive(Clone, Debug)]
pub(in crate::certificate) struct Living {
    pub(in crate::certificate) pairs: [PairSets; 2],
    pub(in crate::certificate) room: u64,
}

impl Living {
    pub(in crate::certificate) fn new(field: &Field, scene: &Scene, around: &Surroundings) -> Living {
        let mut living = Living { pairs: [PairSets::default(); 2], room: around.empty };
        loop {
            let room = living.room;
            let over = field.open_to(around.empty & !room);
            let [white, black] = &mut living.pairs;
            around.fill(field, scene, 0, (room, over), white);
            around.fill(field, scene, 1, (room, over), black);
            living.room = white.any | black.any;
            if living.room == room {
                return living;
            }
        }
    }
}
