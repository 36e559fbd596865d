//! Positions of placement games whose pods may have any legs, and the clauses for them, in plain code.

use sha2::{Digest as _, Sha256};

use crate::geometry::Point;
use crate::geometry::{Direction, DirectionSet, PointSet};
use crate::material::{Leg, Legs, PodKind, Reach, Side};
use crate::position::{Game, Hand, Position};
use crate::rules::EmptyHand;

/// A position of a placement game. A pod on the board has a side and legs and no kind, since a cover has the legs of
/// several kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    /// By point: who stands there, and the legs as they lie on the board (R4).
    pods: Vec<Option<(Side, Legs)>>,
    hands: [Hand; 2],
    pub(crate) to_move: Side,
    /// Whether the opening clause binds the side to move (R9).
    pub(crate) open: bool,
}

/// Whether nothing moves and nothing is captured under the rules of a game. Rules that capture only after moves capture
/// nothing where nothing moves.
pub(crate) fn only_places(game: &Game) -> bool {
    !game.rules().can_cycle()
}

impl Situation {
    pub(crate) fn new(game: &Game, position: &Position) -> Situation {
        let mut pods = vec![None; game.board().len()];
        for (point, pod) in position.pods() {
            pods[point.index()] = Some((pod.side, game.pods().legs(pod.kind).on_board(pod.side)));
        }
        let hands = Side::BOTH.map(|side| *position.hand(side));
        Situation { pods, hands, to_move: position.to_move(), open: position.is_open() }
    }

    pub(crate) fn hand(&self, side: Side) -> &Hand {
        &self.hands[side.index()]
    }

    /// The pods on the board, with their legs as they lie.
    pub(crate) fn pods(&self) -> impl Iterator<Item = (Point, Side, Legs)> + '_ {
        let pod = |(i, pod): (usize, &Option<(Side, Legs)>)| pod.map(|(side, legs)| (Point::new(i), side, legs));
        self.pods.iter().enumerate().filter_map(pod)
    }

    /// Who stands on a point, with the legs as they lie.
    pub(crate) fn pod(&self, point: Point) -> Option<(Side, Legs)> {
        self.pods[point.index()]
    }

    pub(crate) fn is_empty(&self, point: Point) -> bool {
        self.pods[point.index()].is_none()
    }

    pub(crate) fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.pods.len()).map(Point::new).filter(|&point| self.is_empty(point))
    }

    /// Calls `visit` with each point that a leg on a point reaches, nearest first (R5), until it says `false`.
    pub(crate) fn along(&self, game: &Game, from: Point, leg: Leg, mut visit: impl FnMut(Point) -> bool) {
        let mut at = from;
        while let Some(next) = game.board().connected(at, leg.direction) {
            let on = visit(next) && (self.is_empty(next) || game.rules().options().attack_through);
            if leg.reach == Reach::Short || !on {
                return;
            }
            at = next;
        }
    }

    /// The points that legs on a point reach (R5, R6).
    pub(crate) fn reached(&self, game: &Game, from: Point, legs: Legs) -> PointSet {
        let mut reached = PointSet::EMPTY;
        for leg in legs.iter() {
            self.along(game, from, leg, |point| {
                reached.insert(point);
                true
            });
        }
        reached
    }

    /// The points that the pods of a side attack (R6).
    pub(crate) fn attacked_by(&self, game: &Game, side: Side) -> PointSet {
        let theirs = self.pods().filter(|&(_, owner, _)| owner == side);
        theirs.fold(PointSet::EMPTY, |all, (point, _, legs)| PointSet(all.0 | self.reached(game, point, legs).0))
    }

    /// The points that a side holds.
    pub(crate) fn held_by(&self, side: Side) -> PointSet {
        self.pods().filter(|&(_, owner, _)| owner == side).map(|(point, ..)| point).collect()
    }

    /// What legs on an empty point would meet. A long leg that reached a point goes on if `goes_on` says so.
    pub(crate) fn around(&self, game: &Game, at: Point, foes: PointSet, goes_on: impl Fn(Point) -> bool) -> Around {
        let mut around = Around::default();
        for direction in Direction::ALL {
            let next = game.board().connected(at, direction);
            if next.is_some_and(|next| foes.contains(next)) {
                around.near.insert(direction);
            }
            if next.is_some_and(|next| self.is_empty(next)) {
                around.liberties.insert(direction);
            }
            self.along(game, at, Leg { direction, reach: Reach::Long }, |point| {
                if foes.contains(point) {
                    around.far.insert(direction);
                }
                goes_on(point)
            });
        }
        around
    }

    /// The kinds in a hand, with the legs as they would lie.
    pub(crate) fn legs_in_hand(&self, game: &Game, side: Side) -> Vec<(PodKind, Legs)> {
        self.hand(side).iter().map(|(kind, _)| (kind, game.pods().legs(kind).on_board(side))).collect()
    }

    /// Where a side could place the kinds in its hand if it were to move (R10 to R13), the opening clause apart.
    pub(crate) fn open_pairs(&self, game: &Game, side: Side) -> Pairs {
        let attacked = self.attacked_by(game, side.other());
        let foes = self.held_by(side.other());
        let mut pairs = Pairs::default();
        let hand = self.legs_in_hand(game, side);
        for at in self.empty_points().filter(|&at| !attacked.contains(at)) {
            let around = self.around(game, at, foes, |_| true);
            for &(kind, legs) in &hand {
                if !around.attacks_with(legs)
                    && (!game.rules().options().placement_liberty || around.has_liberty_with(legs))
                {
                    pairs.insert(kind, at);
                }
            }
        }
        pairs
    }

    /// The legal placements (R9 to R13).
    pub(crate) fn placements(&self, game: &Game) -> Pairs {
        let mut pairs = self.open_pairs(game, self.to_move);
        if self.open {
            pairs.retain(|kind| game.pods().is_bipod(kind));
        }
        pairs
    }

    /// The situation after a placement.
    pub(crate) fn after(&self, game: &Game, kind: PodKind, at: Point) -> Situation {
        let mut next = self.with(game.pods().legs(kind).on_board(self.to_move), at);
        let in_hand = next.hands[self.to_move.index()].take(kind);
        debug_assert!(in_hand, "placed from hand (R10)");
        next
    }

    /// The cover of all placements of `pairs` on a point ([`super`]); `None` if there are fewer than two.
    pub(crate) fn cover(&self, game: &Game, pairs: &Pairs, at: Point) -> Option<Situation> {
        let legs = pairs.kinds_at(at).map(|kind| game.pods().legs(kind).on_board(self.to_move));
        Some(self.with(union(legs.clone()).filter(|_| legs.count() > 1)?, at))
    }

    /// The situation after the side to move has placed a pod with these legs that is not from its hand.
    fn with(&self, legs: Legs, at: Point) -> Situation {
        let mut next = self.clone();
        next.pods[at.index()] = Some((self.to_move, legs));
        next.to_move = self.to_move.other();
        next.open = false;
        next
    }

    /// Who has won by an empty hand (R16).
    pub(crate) fn won_by_hand(&self, game: &Game) -> Option<Side> {
        let wins = game.rules().options().empty_hand == EmptyHand::Wins;
        [self.to_move.other(), self.to_move].into_iter().find(|&side| wins && self.hand(side).is_empty())
    }

    /// SHA-256 of [`Situation::identity`], to 128 bits; `buffer` is overwritten.
    pub(crate) fn key(&self, buffer: &mut Vec<u8>) -> [u8; 16] {
        self.key_after(&[], buffer)
    }

    /// The same of other bytes before the identity.
    pub(crate) fn key_after(&self, salt: &[u8], buffer: &mut Vec<u8>) -> [u8; 16] {
        self.identity(buffer);
        let digest = Sha256::new().chain_update(salt).chain_update(&*buffer).finalize();
        std::array::from_fn(|i| digest[i])
    }

    /// A text that no other situation of the game has.
    pub(crate) fn identity(&self, into: &mut Vec<u8>) {
        into.clear();
        into.push(u8::from(self.to_move == Side::White) << 1 | u8::from(self.open));
        for pod in &self.pods {
            let Some((side, legs)) = pod else {
                into.push(0);
                continue;
            };
            let bits = |set: DirectionSet| set.iter().fold(0, |bits, d| bits | 1 << d.index());
            into.extend([1 + side.index() as u8, bits(legs.short()), bits(legs.long())]);
        }
        for hand in &self.hands {
            into.push(0xff);
            into.extend(hand.iter().flat_map(|(kind, count)| [kind.index() as u8, count]));
        }
    }
}

/// What legs on an empty point would meet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around {
    /// Where an opposing pod is next.
    near: DirectionSet,
    /// Where a long leg would reach one.
    far: DirectionSet,
    /// Where the next point is empty.
    liberties: DirectionSet,
}

impl Around {
    /// Whether legs would attack an opposing pod (R11).
    pub(crate) fn attacks_with(self, legs: Legs) -> bool {
        self.near.intersects(legs.short()) || self.far.intersects(legs.long())
    }

    /// Whether legs would have a liberty (R7).
    pub(crate) fn has_liberty_with(self, legs: Legs) -> bool {
        self.liberties.intersects(legs.short()) || self.liberties.intersects(legs.long())
    }
}

/// All legs of some pods together: a long one where one of them has a long one.
pub(crate) fn union(legs: impl Iterator<Item = Legs> + Clone) -> Option<Legs> {
    let leg = |direction| {
        let long = legs.clone().any(|legs| legs.long().contains(direction));
        let short = legs.clone().any(|legs| legs.short().contains(direction));
        let reach = if long { Reach::Long } else { Reach::Short };
        (long || short).then_some(Leg { direction, reach })
    };
    Legs::new(Direction::ALL.into_iter().filter_map(leg))
}

/// Kinds of pods with points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// The points by the number of the kind, up to the last kind that has any.
    points: Vec<PointSet>,
}

impl Pairs {
    pub(crate) fn insert(&mut self, kind: PodKind, at: Point) {
        if self.points.len() <= kind.index() {
            self.points.resize(kind.index() + 1, PointSet::EMPTY);
        }
        self.points[kind.index()].insert(at);
    }

    fn retain(&mut self, keep: impl Fn(PodKind) -> bool) {
        for (kind, points) in self.points.iter_mut().enumerate() {
            if !keep(PodKind::new(kind)) {
                *points = PointSet::EMPTY;
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points.iter().all(|points| points.is_empty())
    }

    pub(crate) fn contains(&self, kind: PodKind, at: Point) -> bool {
        self.at(kind).contains(at)
    }

    /// The points of a kind.
    pub(crate) fn at(&self, kind: PodKind) -> PointSet {
        self.points.get(kind.index()).copied().unwrap_or(PointSet::EMPTY)
    }

    /// The points of all kinds.
    pub(crate) fn points(&self) -> PointSet {
        self.points.iter().fold(PointSet::EMPTY, |all, set| PointSet(all.0 | set.0))
    }

    /// The kinds at a point.
    pub(crate) fn kinds_at(&self, at: Point) -> impl Iterator<Item = PodKind> + Clone + '_ {
        let kinds = self.points.iter().enumerate().filter(move |(_, points)| points.contains(at));
        kinds.map(|(kind, _)| PodKind::new(kind))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PodKind, Point)> + '_ {
        let kinds = self.points.iter().enumerate();
        kinds.flat_map(|(kind, points)| points.into_iter().map(move |point| (PodKind::new(kind), point)))
    }
}
