//! The board and the pods of a placement game, as tables of sets of points for the search.
//!
//! The search plays by its own tables, not by an engine's, so that tests can compare it with the
//! engines.

use crate::geometry::{Direction, MAX_POINTS, PointSet};
use crate::material::{Lines, PodKind, Side};
use crate::position::Game;
use crate::rules::EmptyHand;

/// The number of kinds that ids can tell apart.
pub(super) const KINDS: usize = PodKind::MAX;

/// The legs of one kind of pod of one side as they lie on the board, a bit a direction (R4).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegBits {
    pub(crate) short: u8,
    pub(crate) long: u8,
}

impl LegBits {
    /// Returns the legs of both, a long one where either is long.
    #[inline]
    pub(super) fn with(self, other: LegBits) -> LegBits {
        let long = self.long | other.long;
        LegBits { short: (self.short | other.short) & !long, long }
    }

    /// Returns the points that the leg in a direction reaches: `far` if it is long, `next` if it is
    /// short, none without one.
    #[inline]
    pub(super) fn reached(self, d: usize, next: u64, far: u64) -> u64 {
        if self.long >> d & 1 == 1 {
            far
        } else if self.short >> d & 1 == 1 {
            next
        } else {
            0
        }
    }
}

#[inline]
pub(super) fn bits(set: u64) -> impl Iterator<Item = usize> {
    PointSet(set).into_iter().map(crate::geometry::Point::index)
}

/// The union of any of eight sets, one for each direction, in two look-ups.
pub(super) struct Unions([[u64; 16]; 2]);

impl Unions {
    #[inline]
    pub(super) fn new(sets: &[u64; 8]) -> Unions {
        let mut halves = [[0; 16]; 2];
        for (half, sets) in halves.iter_mut().zip(sets.as_chunks::<4>().0) {
            for (i, set) in sets.iter().enumerate() {
                for of in 0..1 << i {
                    half[of | 1 << i] = half[of] | set;
                }
            }
        }
        Unions(halves)
    }

    /// Returns the union of the sets of some directions, a bit a direction.
    #[inline]
    pub(super) fn of(&self, directions: u8) -> u64 {
        self.0[0][usize::from(directions & 15)] | self.0[1][usize::from(directions >> 4)]
    }
}

fn has_wide_registers() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Returns ones in the 16 bits of each direction of a set of four.
fn lanes(four: u8) -> u64 {
    (0..4).fold(0, |lanes, d| lanes | ((u64::from(four) >> d & 1) * 0xffff) << (16 * d))
}

/// Board, pods and rules of a placement game.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Every point of the board.
    pub(super) points: u64,
    pub(super) lines: Lines,
    /// By direction and point: the connected neighbour, as a set of one point or none.
    pub(super) near: [[u64; MAX_POINTS]; 8],
    /// By direction: the points with a connected neighbour there.
    pub(super) joined: [u64; 8],
    /// By direction and point: all points of the straight run of lines, without the point itself.
    ray: [[u64; MAX_POINTS]; 8],
    /// By side and kind.
    pub(super) legs: [[LegBits; KINDS]; 2],
    /// By side and kind: its short legs and its long ones, as ones in the 16 bits of a direction,
    /// those of the first four directions and of their opposites.
    pub(super) lanes: [[[[u64; 2]; 2]; KINDS]; 2],
    /// By set of directions: a byte a direction, 1 if it is in the set.
    pub(super) eights: [u64; 256],
    /// The kinds with exactly two legs, a bit a kind (R9).
    pub(super) bipods: u32,
    pub(super) liberty: bool,
    pub(super) through: bool,
    pub(super) empty_hand_wins: bool,
    /// True if the processor has the instructions of `wide.rs`.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    pub(super) wide: bool,
}

impl Field {
    pub(super) fn new(game: &Game) -> Field {
        let (board, pods, options) = (game.board(), game.pods(), game.rules().options());
        let mut field = Field {
            points: board.point_set().0,
            lines: Lines::new(board),
            near: [[0; MAX_POINTS]; 8],
            joined: [0; 8],
            ray: [[0; MAX_POINTS]; 8],
            legs: [[LegBits::default(); KINDS]; 2],
            lanes: [[[[0; 2]; 2]; KINDS]; 2],
            eights: std::array::from_fn(|set| (0..8).fold(0, |eight, d| eight | (set as u64 >> d & 1) << (8 * d))),
            bipods: pods.kinds().filter(|&k| pods.is_bipod(k)).fold(0, |set, k| set | 1 << k.index()),
            liberty: options.placement_liberty,
            through: options.attack_through,
            empty_hand_wins: options.empty_hand == EmptyHand::Wins,
            wide: has_wide_registers(),
        };
        for direction in Direction::ALL {
            let d = direction.index();
            for from in board.points() {
                let Some(to) = board.connected(from, direction) else { continue };
                field.near[d][from.index()] = PointSet::from(to).0;
                field.joined[d] |= PointSet::from(from).0;
                let mut at = Some(to);
                while let Some(p) = at {
                    field.ray[d][from.index()] |= PointSet::from(p).0;
                    at = board.connected(p, direction);
                }
            }
        }
        for side in Side::BOTH {
            for kind in pods.kinds() {
                let legs = pods.legs(kind).on_board(side);
                let set = |set: crate::geometry::DirectionSet| set.iter().fold(0, |bits, d| bits | 1 << d.index());
                let legs = LegBits { short: set(legs.short()), long: set(legs.long()) };
                field.legs[side.index()][kind.index()] = legs;
                field.lanes[side.index()][kind.index()] =
                    [legs.short, legs.long].map(|legs| [lanes(legs & 15), lanes(legs >> 4)]);
            }
        }
        field
    }

    /// Returns the points that a long leg on one point reaches in a direction when the points of
    /// `stops` stop it (R5).
    #[inline]
    pub(super) fn sight(&self, direction: usize, point: usize, stops: u64) -> u64 {
        let ray = self.ray[direction][point];
        let stop = ray & stops;
        if stop == 0 {
            return ray;
        }
        // Points are numbered row by row, eastward: north-west, north, north-east and east lead to
        // higher numbers.
        if matches!(direction, 0 | 1 | 2 | 7) {
            ray & (stop ^ (stop - 1))
        } else {
            ray & (u64::MAX << (63 - stop.leading_zeros()))
        }
    }
}
