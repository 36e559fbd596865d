//! The index: positions of a setup have numbers, without gaps between rows.
//!
//! A **tier** is the pair of sets of pods still in the game; captures only lead to smaller ones.
//! Within a tier a **slice** is what stands on the board; the rest is in hand. Where an empty hand
//! wins (R19, R30) a slice has a pod left in each hand, since the other positions are finished and
//! not stored.
//!
//! Within a slice a **row** is an arrangement of all pods on the board but the last, the one of the
//! highest piece type: a number in mixed radix, a digit a piece type, each digit the combination of
//! the points of the piece type among the points left over by the lower piece types. The last pod
//! has a **cell** of the row for each point; cells of occupied points stay empty, and so do those
//! of positions with blocked pods where no action leads to one ([`Liberties`]). So one word holds
//! all points of the last pod. If the last piece type has several pods, each of them in turn is
//! taken as the last, and a position has as many cells. The opening flag (R32) is not stored: an
//! open position is valued by its restricted actions.

use crate::files::Thousands;
use crate::material::{PodKind, Side};
use crate::position::Setup;
use crate::rules::{Captures, EmptyHand};
use crate::table::index::combinatorics::{binomial, multisets};
use crate::table::index::excluded::Liberties;
use crate::table::index::tier::Digit;
use crate::table::index::{Arrangement, MAX_ON_BOARD, PieceType, Placed, Slice, Tier};

/// The most tiers, and the most slices of all tiers together, that an index has.
const MAX_TIERS: u128 = 1 << 16;
const MAX_SLICES: u128 = 1 << 21;

/// Placeholder for the number of a piece type.
const NO_TYPE: u8 = u8::MAX;

/// Reasons why a setup has no index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// There are too many combinations of pods.
    #[error(
        "the setup is too large for a table: it has {} {} (at most {}) and {} slices (at most {}); take fewer pods or a smaller board",
        Thousands(*tiers), if *tiers == 1 { "tier" } else { "tiers" }, Thousands(MAX_TIERS), Thousands(*slices), Thousands(MAX_SLICES)
    )]
    TooManySlices {
        /// Tiers of the setup.
        tiers: u128,
        /// Slices of all tiers together.
        slices: u128,
    },
    /// More pods may stand on the board than an arrangement holds.
    #[error("{0} pods may stand on the board, a table takes at most {MAX_ON_BOARD}: take fewer pods")]
    TooManyPods(usize),
    /// There are more positions than numbers.
    #[error("a table of this setup has more than 2^60 positions: take fewer pods or a smaller board")]
    TooManyPositions,
    /// A tier has more cells than the machine has addresses.
    #[error("a table of this setup has a tier of {0} rows, which takes a machine of 64 bits")]
    TooManyRows(u64),
}

/// Place of a position in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the tier.
    pub tier: usize,
    /// The row within the tier.
    pub row: u64,
    /// The cell within the row.
    pub cell: u8,
}

/// All positions of a setup by number.
#[derive(Clone, Debug)]
pub struct Index {
    points: usize,
    piece_types: Vec<PieceType>,
    /// The number of each piece type by side and kind; `NO_TYPE` where there is none.
    type_of: [[u8; PodKind::MAX]; 2],
    empty_hand: EmptyHand,
    tiers: Vec<Tier>,
    /// The tier of each mixed-radix number of pods in the game; `u32::MAX` for none.
    tier_of: Vec<u32>,
    tier_weights: Vec<usize>,
    choose: Vec<[u64; MAX_ON_BOARD + 1]>,
    /// `None` if positions with blocked pods are held.
    liberties: Option<Liberties>,
}

impl Index {
    /// Creates the index of all positions that a setup may lead to. Where nothing is ever captured
    /// that is one tier.
    ///
    /// # Errors
    ///
    /// If there are too many tiers, slices or positions; before anything is allocated for them.
    pub fn new(setup: &Setup) -> Result<Index, IndexError> {
        let (game, hands) = (setup.game(), setup.hands());
        let options = game.rules().options();
        let points = game.board().len();
        let mut piece_types: Vec<PieceType> = Side::BOTH
            .into_iter()
            .flat_map(|side| hands[side].iter().map(move |(kind, count)| PieceType { side, kind, count }))
            .collect();
        // Single pods last: then the last pod of most slices is the only one of its piece type, and
        // no cell is needed twice.
        piece_types.sort_by_key(|c| (std::cmp::Reverse(c.count), c.side, c.kind));
        let all: Vec<u8> = piece_types.iter().map(|c| c.count).collect();
        let captures = options.captures != Captures::Never;
        let mut weights = Vec::new();
        let (mut tier_keys, mut slices) = (1_u128, 1_u128);
        for &count in &all {
            weights.push(tier_keys as usize);
            let count = u128::from(count) + 1;
            tier_keys = tier_keys.saturating_mul(count);
            slices = slices.saturating_mul(if captures { count * (count + 1) / 2 } else { count });
        }
        let tiers = if captures { tier_keys } else { 1 };
        if tiers > MAX_TIERS || slices > MAX_SLICES || tier_keys > u128::from(u32::MAX) {
            return Err(IndexError::TooManySlices { tiers, slices });
        }
        let choose = (0..=points).map(|n| std::array::from_fn(|k| binomial(n, k))).collect();
        let mut type_of = [[NO_TYPE; PodKind::MAX]; 2];
        for (number, piece_type) in (0..).zip(&piece_types) {
            type_of[piece_type.side.index()][piece_type.kind.index()] = number;
        }
        let mut index = Index {
            points,
            liberties: Liberties::new(game, &piece_types),
            piece_types,
            type_of,
            empty_hand: options.empty_hand,
            tiers: Vec::new(),
            tier_of: vec![u32::MAX; if captures { tier_keys as usize } else { 0 }],
            tier_weights: weights,
            choose,
        };
        let mut alive_sets: Vec<Vec<u8>> = if captures { multisets(&all) } else { vec![all] };
        alive_sets.retain(|alive| {
            options.empty_hand == EmptyHand::Loses || Side::BOTH.into_iter().all(|side| index.total(alive, side) > 0)
        });
        alive_sets.sort_by_key(|alive| alive.iter().map(|&c| u32::from(c)).sum::<u32>());
        for alive in alive_sets {
            let tier = index.tier(alive)?;
            if captures {
                let key = index.tier_key(&tier.alive);
                index.tier_of[key] = index.tiers.len() as u32;
            }
            index.tiers.push(tier);
        }
        Ok(index)
    }

    /// Returns the piece types of a side, with their parts of the counts of all piece types.
    pub(in crate::table) fn of_side<'a>(&'a self, counts: &'a [u8], side: Side) -> impl Iterator<Item = (u8, u8)> + 'a {
        let piece_types = (0_u8..).zip(&self.piece_types).zip(counts);
        piece_types
            .filter(move |((_, piece_type), _)| piece_type.side == side)
            .map(|((number, _), &count)| (number, count))
    }

    /// Returns the number of pods of a side that the counts of all piece types come to.
    pub(in crate::table) fn total(&self, counts: &[u8], side: Side) -> u32 {
        self.of_side(counts, side).map(|(_, count)| u32::from(count)).sum()
    }

    fn tier_key(&self, alive: &[u8]) -> usize {
        alive.iter().zip(&self.tier_weights).map(|(&n, w)| n as usize * w).sum()
    }

    fn tier(&self, alive: Vec<u8>) -> Result<Tier, IndexError> {
        let mut weights = Vec::new();
        let mut keys = 1_u32;
        for &count in &alive {
            weights.push(keys);
            keys *= u32::from(count) + 1;
        }
        let mut tier =
            Tier { slice_of: vec![u32::MAX; keys as usize], weights, slices: Vec::new(), rows: 0, positions: 0, alive };
        for on_board in multisets(&tier.alive) {
            let pods: usize = on_board.iter().map(|&c| c as usize).sum();
            let hand_left = |side| self.total(&tier.alive, side) > self.total(&on_board, side);
            if pods > self.points || self.empty_hand == EmptyHand::Wins && !Side::BOTH.into_iter().all(hand_left) {
                continue;
            }
            if pods > MAX_ON_BOARD {
                return Err(IndexError::TooManyPods(pods));
            }
            let key: u32 = on_board.iter().zip(&tier.weights).map(|(&n, w)| u32::from(n) * w).sum();
            tier.slice_of[key as usize] = tier.slices.len() as u32;
            let slice = self.slice(on_board, tier.rows)?;
            tier.rows += slice.rows;
            tier.positions += slice.positions;
            tier.slices.push(slice);
        }
        if tier.rows.max(tier.positions) >> 54 > 0 {
            return Err(IndexError::TooManyPositions);
        }
        // So this floor may cast rows and cells of a tier to `usize`, and bytes of words for all of
        // its rows, with 32 bits too.
        if isize::try_from(tier.rows << 6).is_err() {
            return Err(IndexError::TooManyRows(tier.rows));
        }
        Ok(tier)
    }

    fn slice(&self, on_board: Vec<u8>, first_row: u64) -> Result<Slice, IndexError> {
        let last = on_board.iter().rposition(|&c| c > 0).map(|piece_type| piece_type as u8);
        let mut left = self.points;
        let (mut rows, mut positions) = (1_u64, 1_u64);
        let mut digits = Vec::new();
        for (piece_type, &count) in on_board.iter().enumerate().filter(|(_, c)| **c > 0) {
            let fixed = count - u8::from(last == Some(piece_type as u8));
            let ways = |k: u8| self.choose[left][k as usize];
            let product =
                |a: u64, b: u64| a.checked_mul(b).filter(|&p| p >> 60 == 0).ok_or(IndexError::TooManyPositions);
            positions = product(positions, ways(count))?;
            if fixed > 0 {
                rows = product(rows, ways(fixed))?;
                // The number of ways for now, the weight below.
                digits.push(Digit { count: fixed, weight: ways(fixed) });
            }
            left -= count as usize;
        }
        let mut weight = 1;
        for digit in digits.iter_mut().rev() {
            let ways = digit.weight;
            digit.weight = weight;
            weight *= ways;
        }
        let single = digits.iter().all(|digit| digit.count == 1);
        Ok(Slice { on_board, digits, single, last, first_row, rows, positions })
    }

    /// Returns the points of the board, and cells of a row.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points
    }

    pub(in crate::table) fn empty_hand_wins(&self) -> bool {
        self.empty_hand == EmptyHand::Wins
    }

    /// Returns the piece types, in the order of the digits of rows.
    #[must_use]
    pub fn piece_types(&self) -> &[PieceType] {
        &self.piece_types
    }

    #[inline]
    pub(crate) fn piece_type(&self, side: Side, kind: PodKind) -> Option<u8> {
        Some(self.type_of[side.index()][kind.index()]).filter(|&number| number != NO_TYPE)
    }

    /// Returns the tiers: captures lead from a tier to earlier ones only.
    #[must_use]
    pub fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    pub(crate) fn tier_of(&self, alive: &[u8]) -> Option<usize> {
        if alive.iter().zip(&self.piece_types).any(|(&n, c)| n > c.count) {
            return None;
        }
        match self.tier_of.is_empty() {
            true => self.tiers.iter().position(|t| t.alive == alive),
            false => self.tier_by_key(self.tier_key(alive)),
        }
    }

    #[inline]
    pub(in crate::table) fn tier_by_key(&self, key: usize) -> Option<usize> {
        self.tier_of.get(key).filter(|&&n| n != u32::MAX).map(|&n| n as usize)
    }

    /// Returns the key of a tier, and what a pod of a piece type adds to it.
    pub(in crate::table) fn key_of_tier(&self, tier: usize) -> usize {
        self.tier_key(&self.tiers[tier].alive)
    }

    #[inline]
    pub(in crate::table) fn tier_weight(&self, piece_type: u8) -> usize {
        self.tier_weights[piece_type as usize]
    }

    /// Returns the rows of all tiers, for one side to move.
    pub(crate) fn rows(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.rows).sum()
    }

    /// Returns the number of positions with either side to move, blocked ones too, open ones not.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.tiers.iter().map(|t| 2 * t.positions).sum()
    }

    /// Returns the row, within the tier, of pods on the board without the last one of the slice.
    #[inline]
    pub(in crate::table) fn row(&self, slice: &Slice, fixed: &[Placed]) -> u64 {
        let mut row = slice.first_row;
        let mut used = 0_u64;
        let mut next = fixed;
        for digit in &slice.digits {
            if digit.count == 1 {
                let point = next[0].point;
                row += digit.weight * left_below(used, point);
                used |= 1 << point;
                next = &next[1..];
            } else {
                let (these, rest) = next.split_at(digit.count as usize);
                let mut set = these.iter().fold(0_u64, |set, pod| set | 1 << pod.point);
                let (mut number, mut k, taken) = (0, 1, set);
                while set != 0 {
                    let point = set.trailing_zeros() as u8;
                    number += self.choose[left_below(used, point) as usize][k];
                    k += 1;
                    set &= set - 1;
                }
                row += digit.weight * number;
                used |= taken;
                next = rest;
            }
        }
        row
    }

    /// Returns the pods of a row without the last one of the slice: the inverse of its number.
    pub(crate) fn unrank(&self, slice: &Slice, row: u64) -> Arrangement {
        let mut fixed = Arrangement::EMPTY;
        let mut number = row - slice.first_row;
        let mut digits = slice.digits.iter();
        for (piece_type, &count) in slice.on_board.iter().enumerate() {
            let fixed_count = count - u8::from(slice.last == Some(piece_type as u8));
            if fixed_count == 0 {
                continue;
            }
            let Some(digit) = digits.next() else { break };
            let mut combination = number / digit.weight;
            number %= digit.weight;
            let used = fixed.occupied();
            for k in (1..=digit.count as usize).rev() {
                // The highest point of the rest: the largest whose count of smaller combinations
                // fits.
                let mut place = if k == 1 { combination as usize } else { k - 1 };
                if k > 1 {
                    while self.choose[place + 1][k] <= combination {
                        place += 1;
                    }
                }
                combination -= self.choose[place][k];
                fixed.insert(Placed { piece_type: piece_type as u8, point: nth_left(used, place) });
            }
        }
        fixed
    }

    /// Advances `fixed` to the pods of the row after the row of `fixed`, which has this number.
    #[inline]
    pub(in crate::table) fn unrank_next(&self, slice: &Slice, row: u64, fixed: &mut Arrangement) {
        if let (Some(Digit { count: 1, .. }), Some(pod)) = (slice.digits.last(), fixed.pods().last()) {
            // The digit that counts least goes to the next free point, if there is one.
            let all = if self.points == 64 { u64::MAX } else { (1 << self.points) - 1 };
            let above = all & !fixed.occupied() & (u64::MAX << pod.point);
            if above != 0 {
                fixed.carry(fixed.pods().len() - 1, above.trailing_zeros() as u8);
                return;
            }
        }
        *fixed = self.unrank(slice, row);
    }

    /// Returns the place of pods on the board in a tier, whichever of several alike ones is the
    /// last, in use or not; `None` if positions with them are finished.
    #[inline]
    pub(in crate::table) fn place(&self, tier: usize, pods: &Arrangement) -> Option<Place> {
        let of = &self.tiers[tier];
        let key = pods.pods().iter().map(|pod| of.weight(pod.piece_type)).sum();
        let slice = of.slice_by_key(key)?;
        Some(match pods.pods().split_last() {
            Some((last, fixed)) => Place { tier, row: self.row(slice, fixed), cell: last.point },
            None => Place { tier, row: slice.first_row, cell: 0 },
        })
    }

    /// Returns the number of a place's cell among those of its tier.
    #[inline]
    pub(in crate::table) fn cell(&self, place: Place) -> usize {
        place.row as usize * self.points() + place.cell as usize
    }

    #[inline]
    pub(crate) fn cells(&self, slice: &Slice, fixed: &Arrangement) -> u64 {
        let all = if self.points == 64 { u64::MAX } else { (1 << self.points) - 1 };
        let left = all & !fixed.occupied();
        match (slice.last, &self.liberties) {
            (None, _) => 1,
            (Some(_), None) => left,
            (Some(last), Some(liberties)) => liberties.unblocked(fixed, last, left),
        }
    }

    /// Returns one cell for each position of a row: that where the highest pod is the last.
    #[inline]
    pub(crate) fn own_cells(&self, slice: &Slice, fixed: &Arrangement) -> u64 {
        let cells = self.cells(slice, fixed);
        let alike = fixed.pods().iter().filter(|pod| Some(pod.piece_type) == slice.last);
        alike.fold(cells, |cells, pod| cells & (u64::MAX << pod.point))
    }
}

/// Returns the number of points below one that are not used.
#[inline]
pub(in crate::table) fn left_below(used: u64, point: u8) -> u64 {
    u64::from(point) - u64::from((used & ((1 << point) - 1)).count_ones())
}

/// Returns the point with this number among those not used.
pub(in crate::table) fn nth_left(mut used: u64, number: usize) -> u8 {
    let mut point = number as u32;
    while used != 0 && used.trailing_zeros() <= point {
        point += 1;
        used &= used - 1;
    }
    point as u8
}
