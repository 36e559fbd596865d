//! Positions of placement games whose pods may have any legs, and the clauses for them, for all
//! points at once.

use sha2::{Digest as _, Sha256};

use crate::geometry::{Direction, DirectionSet, MAX_POINTS, Point, PointSet};
use crate::material::{BySide, Legs, PodKind, Side};
use crate::position::{Game, Hand, Position};
use crate::rules::EmptyHand;

/// A position of a placement game. A pod on the board has a side and legs and no kind, since a
/// cover has the legs of several kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    /// By point: the legs of the pod there as they lie on the board (R4).
    legs: [Option<Legs>; MAX_POINTS],
    /// By side: where its pods stand.
    held: [PointSet; 2],
    /// The points of the board where no pod stands.
    empty: PointSet,
    hands: BySide<Hand>,
    pub(crate) to_move: Side,
    /// True if the opening clause binds the side to move (R9).
    pub(crate) open: bool,
}

/// Returns `true` if nothing moves and nothing is captured under the rules of a game. Rules that
/// capture only after moves capture nothing where nothing moves.
pub(crate) fn only_places(game: &Game) -> bool {
    !game.rules().can_cycle()
}

impl Situation {
    pub(crate) fn new(game: &Game, position: &Position) -> Situation {
        let hands = BySide::from_fn(|side| *position.hand(side));
        let mut situation = Situation {
            legs: [None; MAX_POINTS],
            held: [PointSet::EMPTY; 2],
            empty: game.board().point_set(),
            hands,
            to_move: position.to_move(),
            open: position.is_open(),
        };
        for (point, pod) in position.pods() {
            situation.stand(pod.side, game.pods().legs(pod.kind).on_board(pod.side), point);
        }
        situation
    }

    /// Creates a situation with these pods, whose legs are given as they lie.
    pub(crate) fn of(
        game: &Game,
        pods: impl Iterator<Item = (Point, Side, Legs)>,
        hands: BySide<Hand>,
        to_move: Side,
        open: bool,
    ) -> Situation {
        let (legs, held, empty) = ([None; MAX_POINTS], [PointSet::EMPTY; 2], game.board().point_set());
        let mut situation = Situation { legs, held, empty, hands, to_move, open };
        pods.for_each(|(point, side, legs)| situation.stand(side, legs, point));
        situation
    }

    fn stand(&mut self, side: Side, legs: Legs, at: Point) {
        self.legs[at.index()] = Some(legs);
        self.held[side.index()].insert(at);
        self.empty.remove(at);
    }

    pub(crate) fn hand(&self, side: Side) -> &Hand {
        &self.hands[side]
    }

    /// Returns the pods on the board, with their legs as they lie.
    pub(crate) fn pods(&self) -> impl Iterator<Item = (Point, Side, Legs)> + '_ {
        let points = (self.held[0] | self.held[1]).into_iter();
        points.filter_map(|point| self.pod(point).map(|(side, legs)| (point, side, legs)))
    }

    /// Returns the pod on a point: its side, and its legs as they lie.
    pub(crate) fn pod(&self, point: Point) -> Option<(Side, Legs)> {
        let side = if self.held[Side::White.index()].contains(point) { Side::White } else { Side::Black };
        self.legs[point.index()].map(|legs| (side, legs))
    }

    /// Returns the points where no pod stands.
    pub(crate) fn empty(&self) -> PointSet {
        self.empty
    }

    /// Returns the end of a long leg (R5) if no pod comes to any point outside `room`, or, if that
    /// is empty, as the pods stand.
    pub(crate) fn ends(&self, game: &Game, room: PointSet) -> PointSet {
        let ends = self.held[0] | self.held[1] | room;
        if game.rules().options().attack_through { PointSet::EMPTY } else { ends }
    }

    /// Returns the points that legs on a point reach (R5, R6), where long ones end at `ends`.
    pub(crate) fn reached(&self, game: &Game, from: Point, legs: Legs, ends: PointSet) -> PointSet {
        let board = game.board();
        let mut reached = PointSet::EMPTY;
        for direction in legs.short().iter() {
            if let Some(next) = board.connected(from, direction) {
                reached.insert(next);
            }
        }
        for direction in legs.long().iter() {
            reached = reached | board.run(from, direction, ends);
        }
        reached
    }

    /// Returns the points that the pods of a side attack (R6), where long legs end at `ends`.
    fn attacked_by(&self, game: &Game, side: Side, ends: PointSet) -> PointSet {
        let pods = self.held[side.index()].into_iter();
        let legs = pods.filter_map(|from| self.legs[from.index()].map(|legs| (from, legs)));
        legs.fold(PointSet::EMPTY, |all, (from, legs)| all | self.reached(game, from, legs, ends))
    }

    /// Returns, by direction, the points that long legs of the pods of the other side attack from
    /// there, where they end at `ends`; `side` is the side whose pods are attacked.
    pub(super) fn struck(&self, game: &Game, side: Side, ends: PointSet) -> [PointSet; 8] {
        let mut struck = [PointSet::EMPTY; 8];
        for from in self.held[side.other().index()] {
            for direction in self.legs[from.index()].into_iter().flat_map(|legs| legs.long().iter()) {
                let seen = &mut struck[direction.index()];
                *seen = *seen | game.board().run(from, direction, ends);
            }
        }
        struck
    }

    /// Returns, by direction, the points from which a long leg of a side would reach an opposing
    /// pod, where it ends at `ends`.
    pub(super) fn strikes(&self, game: &Game, side: Side, ends: PointSet) -> [PointSet; 8] {
        self.around(game, side, ends).far
    }

    /// Returns the pods that legs of a side would meet on each point, where long ones end at `ends`.
    fn around(&self, game: &Game, side: Side, ends: PointSet) -> Around {
        let (board, foes) = (game.board(), self.held[side.other().index()]);
        let mut far = [PointSet::EMPTY; 8];
        for foe in foes {
            for direction in board.lines(foe).iter() {
                // Lines work both ways: what a leg reaches from a point reaches that point by a leg
                // the other way.
                let from = &mut far[direction.opposite().index()];
                *from = *from | board.run(foe, direction, ends);
            }
        }
        Around { near: board.next_to(foes), far }
    }

    /// Returns, by direction, the points that have an empty neighbour there.
    pub(crate) fn liberties(&self, game: &Game) -> [PointSet; 8] {
        game.board().next_to(self.empty)
    }

    /// Returns the placements of a side's kinds in hand on points of `room` (R10 to R13), if long
    /// legs end at `ends`, the opening clause apart. Liberties are [`Situation::liberties`].
    pub(crate) fn pairs_in(
        &self,
        game: &Game,
        side: Side,
        (room, ends): (PointSet, PointSet),
        liberties: &[PointSet; 8],
    ) -> Pairs {
        let mut pairs = Pairs::default();
        let room = room - self.attacked_by(game, side.other(), ends);
        if room.is_empty() {
            return pairs;
        }
        let around = self.around(game, side, ends);
        for (kind, _) in self.hand(side).iter() {
            let legs = game.pods().legs(kind).on_board(side);
            let mut at = room - around.attacks_with(legs);
            if game.rules().options().placement_liberty {
                let in_direction = |all, direction: Direction| all | liberties[direction.index()];
                at = at & (legs.short() | legs.long()).iter().fold(PointSet::EMPTY, in_direction);
            }
            pairs.points[kind.index()] = at;
        }
        pairs
    }

    /// Returns the placements of a side's kinds in hand if it were to move (R10 to R13), the
    /// opening clause apart.
    pub(crate) fn open_pairs(&self, game: &Game, side: Side, liberties: &[PointSet; 8]) -> Pairs {
        self.pairs_in(game, side, (self.empty, self.ends(game, PointSet::EMPTY)), liberties)
    }

    /// Returns the legal placements (R9 to R13), given [`Situation::liberties`].
    pub(super) fn placements(&self, game: &Game, liberties: &[PointSet; 8]) -> Pairs {
        let mut pairs = self.open_pairs(game, self.to_move, liberties);
        if self.open {
            pairs.retain(|kind| game.pods().is_bipod(kind));
        }
        pairs
    }

    /// Returns the situation after a placement.
    pub(crate) fn after(&self, game: &Game, kind: PodKind, at: Point) -> Situation {
        let mut next = self.with(game.pods().legs(kind).on_board(self.to_move), at);
        let in_hand = next.hands[self.to_move].take(kind);
        debug_assert!(in_hand, "placed from hand (R10)");
        next
    }

    /// Returns the cover of all placements of `pairs` on a point ([`super`]); `None` if there are
    /// fewer than two.
    pub(crate) fn cover(&self, game: &Game, pairs: &Pairs, at: Point) -> Option<Situation> {
        Some(self.with(self.cover_legs(game, pairs, at)?, at))
    }

    /// Returns the legs of the pod that covers all placements of `pairs` on a point; `None` if
    /// there are fewer than two.
    pub(crate) fn cover_legs(&self, game: &Game, pairs: &Pairs, at: Point) -> Option<Legs> {
        let legs = pairs.kinds_at(at).map(|kind| game.pods().legs(kind).on_board(self.to_move));
        union(legs.clone()).filter(|_| legs.count() > 1)
    }

    /// Returns the situation after the side to move has placed a pod with these legs that is not
    /// from its hand.
    fn with(&self, legs: Legs, at: Point) -> Situation {
        let mut next = self.clone();
        next.stand(self.to_move, legs, at);
        next.to_move = self.to_move.other();
        next.open = false;
        next
    }

    /// Returns the side that has won by an empty hand (R16).
    pub(crate) fn won_by_hand(&self, game: &Game) -> Option<Side> {
        let wins = game.rules().options().empty_hand == EmptyHand::Wins;
        [self.to_move.other(), self.to_move].into_iter().find(|&side| wins && self.hand(side).is_empty())
    }

    /// Returns the SHA-256 of [`Situation::identity`], cut to 128 bits; `buffer` is overwritten.
    pub(crate) fn key(&self, buffer: &mut Vec<u8>) -> [u8; 16] {
        self.key_after(&[], buffer)
    }

    /// Returns the key with other bytes before the identity.
    pub(crate) fn key_after(&self, salt: &[u8], buffer: &mut Vec<u8>) -> [u8; 16] {
        self.identity(buffer);
        key_of(salt, buffer)
    }

    /// Writes a text that no other situation of the game has.
    pub(crate) fn identity(&self, into: &mut Vec<u8>) {
        into.clear();
        into.push(u8::from(self.to_move == Side::White) << 1 | u8::from(self.open));
        let points = (self.empty | self.held[0] | self.held[1]).len();
        for point in (0..points).map(Point::new) {
            let Some((side, legs)) = self.pod(point) else {
                into.push(0);
                continue;
            };
            let bits = |set: DirectionSet| set.iter().fold(0, |bits, d| bits | 1 << d.index());
            into.extend([1 + side.index() as u8, bits(legs.short()), bits(legs.long())]);
        }
        for hand in self.hands.as_ref().into_array() {
            into.push(0xff);
            into.extend(hand.iter().flat_map(|(kind, count)| [kind.index() as u8, count]));
        }
    }
}

/// Returns the SHA-256 of bytes after a salt, cut to 128 bits.
pub(super) fn key_of(salt: &[u8], bytes: &[u8]) -> [u8; 16] {
    let digest = Sha256::new().chain_update(salt).chain_update(bytes).finalize();
    std::array::from_fn(|i| digest[i])
}

/// Obstacles of legs at each point, by direction.
#[derive(Clone, Copy, Debug)]
struct Around {
    /// The points next to an opposing pod.
    near: [PointSet; 8],
    /// The points from which a long leg would reach one.
    far: [PointSet; 8],
}

impl Around {
    /// Returns the points on which legs would attack an opposing pod (R11).
    fn attacks_with(&self, legs: Legs) -> PointSet {
        let short = legs.short().iter().fold(PointSet::EMPTY, |all, direction| all | self.near[direction.index()]);
        legs.long().iter().fold(short, |all, direction| all | self.far[direction.index()])
    }
}

/// Joins all legs of some pods: a long one where one of them has a long one.
pub(crate) fn union(legs: impl Iterator<Item = Legs>) -> Option<Legs> {
    legs.reduce(Legs::union)
}

/// Kinds of pods with points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs {
    /// The points by the number of the kind.
    points: [PointSet; PodKind::MAX],
}

impl Pairs {
    pub(crate) fn insert(&mut self, kind: PodKind, at: Point) {
        self.points[kind.index()].insert(at);
    }

    fn retain(&mut self, keep: impl Fn(PodKind) -> bool) {
        for (kind, points) in self.points.iter_mut().enumerate().filter(|(_, points)| !points.is_empty()) {
            if !keep(PodKind::new(kind)) {
                *points = PointSet::EMPTY;
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points().is_empty()
    }

    pub(crate) fn contains(&self, kind: PodKind, at: Point) -> bool {
        self.at(kind).contains(at)
    }

    /// Returns the points of a kind.
    pub(crate) fn at(&self, kind: PodKind) -> PointSet {
        self.points[kind.index()]
    }

    /// Returns the points of all kinds.
    pub(crate) fn points(&self) -> PointSet {
        self.points.iter().fold(PointSet::EMPTY, |all, &set| all | set)
    }

    /// Returns the kinds at a point.
    pub(crate) fn kinds_at(&self, at: Point) -> impl Iterator<Item = PodKind> + Clone + '_ {
        let kinds = self.points.iter().enumerate().filter(move |(_, points)| points.contains(at));
        kinds.map(|(kind, _)| PodKind::new(kind))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PodKind, Point)> + '_ {
        let kinds = self.points.iter().enumerate();
        kinds.flat_map(|(kind, points)| points.into_iter().map(move |point| (PodKind::new(kind), point)))
    }
}
