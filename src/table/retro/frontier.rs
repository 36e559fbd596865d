//! The frontier: what the last sweep decided, projected on the pods of the player who is to move
//! there.
//!
//! A sweep can decide a position only if an action leads from it to something that the last sweep
//! decided. Without shoves an action leaves the opponent's pods where they are, or captures some of
//! them (R18) and leads to an earlier tier. So each successor has the opponent's pods on the same
//! points, or a part of them. A sweep writes the arrangements of those pods for which it decided
//! something into the [`Frontier`]; the next sweep skips every position none of whose successors
//! can have one of these arrangements ([`FrontierFilter`]). After the first sweeps little is
//! decided in each, and a few reads skip most rows.
//!
//! A shove or a kick may push the opponent's pods. So under rules with these every arrangement from
//! which a push can lead to one of the frontier is added to it before it is read
//! ([`Frontier::spread`]).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::material::Side;
use crate::solver::Plies;
use crate::table::index::{Arrangement, Index, Slice, key, tier_after};
use crate::table::retro::children::{ChildTiers, needed};
use crate::table::retro::displaced::{Displacement, PushTables};
use crate::table::retro::pass::Pass;
use hashbrown::HashMap;
use rayon::prelude::*;
use smallvec::SmallVec;

/// The most words of all sets of a player in a tier.
const MAX_WORDS: usize = 1 << 19;

/// The frontier is used if at least 8 times as many cells are undecided as the last sweep decided:
/// else nearly all rows pass.
const SPARSE: u64 = 8;

/// Rows of an earlier tier that a thread takes at a time.
const ROWS_PER_TASK: usize = 1 << 12;

/// A tier, and the key of what a player has on the board in it.
type GroupOfTier = (usize, usize);

/// A bit for each arrangement of certain pods of one player: set if something was decided there.
/// The points of the pod of the highest piece type are the bits of a word, those of the others the
/// number of the word.
struct ArrangementSet {
    pods: u32,
    /// `None` if they would be too large or pods are alike: then all arrangements count as set.
    words: Option<Vec<AtomicU64>>,
    /// True if any arrangement is set.
    any: AtomicBool,
}

/// The arrangements of the pods of the player to move for which a sweep decided something, in a
/// tier and in those that it leads to. Conservative: false positives are possible, false negatives
/// are not.
pub(super) struct Frontier<'a> {
    index: &'a Index,
    number: usize,
    sets: [HashMap<GroupOfTier, ArrangementSet>; 2],
}

impl<'a> Frontier<'a> {
    pub(super) fn nothing(index: &'a Index, number: usize) -> Frontier<'a> {
        let mut frontier = Frontier { index, number, sets: Default::default() };
        let mut left = [MAX_WORDS; 2];
        let tier_sides = needed(index, number).into_iter().map(|tier_side| (tier_side.tier, tier_side.to_move));
        for (tier, side) in tier_sides.chain(Side::BOTH.map(|side| (number, side))) {
            for slice in index.tiers()[tier].slices() {
                let on_board = slice.on_board();
                let left = &mut left[side.index()];
                frontier.sets[side.index()].entry((tier, key(index, on_board, side))).or_insert_with(|| {
                    let pods = index.total(on_board, side);
                    let words = index.points().checked_pow(pods.saturating_sub(1)).filter(|words| words <= left);
                    let words = words.filter(|_| index.of_side(on_board, side).all(|(_, count)| count <= 1));
                    *left -= words.unwrap_or(0);
                    let words = words.map(|words| (0..words).map(|_| AtomicU64::new(0)).collect());
                    ArrangementSet { pods, words, any: AtomicBool::new(false) }
                });
            }
        }
        frontier
    }

    pub(super) fn clear(&mut self) {
        for set in self.sets.iter_mut().flat_map(HashMap::values_mut) {
            if std::mem::take(set.any.get_mut()) {
                set.words.iter_mut().flatten().for_each(|word| *word.get_mut() = 0);
            }
        }
    }

    /// Adds the arrangements from which a push of the opponent leads to one that is set.
    pub(super) fn spread(&mut self, pushes: &PushTables) {
        let points = self.index.points();
        let sets: Vec<_> = self.sets.iter_mut().flat_map(HashMap::values_mut).filter(|set| set.pods > 0).collect();
        sets.into_par_iter().for_each(|set| {
            if let (true, Some(words)) = (*set.any.get_mut(), &mut set.words) {
                let mut plain: Vec<u64> = words.iter_mut().map(|word| *word.get_mut()).collect();
                pushes.spread(&mut plain, points, set.pods);
                words.iter_mut().zip(plain).for_each(|(word, spread)| *word.get_mut() = spread);
            }
        });
    }

    /// Makes a writer of the decided cells of a slice of the tier, with this player to move.
    pub(super) fn writer(&self, slice: &Slice, mover: Side) -> FrontierWriter<'_> {
        self.writer_of(self.number, slice, mover)
    }

    fn writer_of(&self, tier: usize, slice: &Slice, mover: Side) -> FrontierWriter<'_> {
        let side_pods = SidePods::new(self.index, slice, mover);
        let on_board = key(self.index, slice.on_board(), mover);
        let Some(set) = self.sets[mover.index()].get(&(tier, on_board)) else {
            unreachable!("there is a set for each slice")
        };
        FrontierWriter { index: self.index, set, side_pods }
    }

    pub(super) fn add_earlier(&self, earlier: &ChildTiers, code: u16) {
        for tier_side in needed(self.index, self.number) {
            let codes = earlier.get(tier_side.tier, tier_side.to_move.index());
            let points = self.index.points();
            for slice in self.index.tiers()[tier_side.tier].slices() {
                let writer = self.writer_of(tier_side.tier, slice, tier_side.to_move);
                (0..slice.rows()).step_by(ROWS_PER_TASK).collect::<Vec<_>>().into_par_iter().for_each(|first| {
                    for row in
                        slice.first_row() + first..slice.first_row() + slice.rows().min(first + ROWS_PER_TASK as u64)
                    {
                        let cells = codes.equal(row as usize * points, points, code);
                        if cells != 0 {
                            writer.note(&self.index.unrank(slice, row), cells);
                        }
                    }
                });
            }
        }
    }

    /// Returns the filter for rows of a slice of the tier with this player to move.
    pub(super) fn filter_for(&self, slice: &Slice, mover: Side) -> FrontierFilter<'_> {
        let next = mover.other();
        let side_pods = SidePods::new(self.index, slice, next);
        let on_board = key(self.index, slice.on_board(), next);
        let mut parts = Vec::new();
        for captured in 0_u32..1 << side_pods.pods() {
            let (kept, lost) = side_pods.without(captured);
            let lost: usize = lost.iter().map(|&piece_type| self.index.tier_weight(piece_type)).sum();
            let Some(tier) = tier_after(self.index, self.number, lost) else { continue };
            let Some(set) = self.sets[next.index()].get(&(tier, on_board - lost)) else { continue };
            if !set.any.load(Ordering::Relaxed) {
                continue;
            }
            match &set.words {
                Some(words) => parts.push((&words[..], kept)),
                None => return FrontierFilter { index: self.index, parts: None },
            }
        }
        FrontierFilter { index: self.index, parts: Some(parts) }
    }
}

/// The frontier that a sweep reads and the one that it writes.
#[derive(Clone, Copy, Default)]
pub(in crate::table) struct Frontiers<'a> {
    /// Cells decided by the last sweep; `None` if no row is to be skipped.
    pub(super) last: Option<&'a Frontier<'a>>,
    /// Cells decided by this sweep; `None` if the next one reads no frontier.
    pub(super) now: Option<&'a Frontier<'a>>,
}

/// The frontiers of a tier from sweep to sweep, and when they are used.
pub(super) struct FrontierTracker<'a> {
    last: Frontier<'a>,
    now: Frontier<'a>,
    /// The distance of the sweep that is under way, and the cells found by it.
    distance: Option<Plies>,
    found: u64,
    /// Cells not yet decided.
    undecided: u64,
    /// For each distance how many cells of the earlier tiers have it.
    earlier: Vec<u64>,
    frontiers: (bool, bool),
    /// Targets of pushed pods; `None` where there are no shoves.
    pushes: Option<&'a PushTables>,
}

impl<'a> FrontierTracker<'a> {
    /// Creates a tracker before the first sweep of a tier with `cells` cells in use. `earlier[d]`
    /// is how many cells of the tiers that it leads to have the distance `d`. `None` if it is not
    /// said where actions leave the opponent's pods.
    pub(in crate::table) fn new(
        index: &'a Index,
        number: usize,
        cells: u64,
        earlier: Vec<u64>,
        displacement: Displacement<'a>,
    ) -> Option<FrontierTracker<'a>> {
        let pushes = match displacement {
            Displacement::None => None,
            Displacement::Pushed(pushes) => Some(pushes),
            Displacement::Unknown => return None,
        };
        let frontier = || Frontier::nothing(index, number);
        let (last, now) = (frontier(), frontier());
        let frontiers = (false, false);
        Some(FrontierTracker { last, now, distance: None, found: 0, undecided: cells, earlier, frontiers, pushes })
    }

    /// Notes that a sweep for a distance begins, or goes on with the other player to move. Must be
    /// called for every sweep that finds something.
    pub(super) fn turn(&mut self, pass: Pass, earlier: &ChildTiers) {
        let distance = pass.distance();
        if pass == Pass::EmptiedHands {
            // They come before anything else. What is decided in one ply is so much that it is not
            // noted.
            self.frontiers = (false, false);
            return;
        }
        if self.distance == Some(distance) {
            return;
        }
        std::mem::swap(&mut self.last, &mut self.now);
        self.now.clear();
        let mut dirty = std::mem::take(&mut self.found);
        if distance == 0 || self.distance != Some(distance - 1) {
            self.last.clear();
            dirty = 0;
        }
        self.distance = Some(distance);
        let more = if distance == 0 { 0 } else { self.earlier.get(usize::from(distance) - 1).copied().unwrap_or(0) };
        let filter = distance != 0 && distance != 2 && (dirty + more) * SPARSE < self.undecided;
        if filter && more > 0 {
            self.last.add_earlier(earlier, distance);
        }
        if let (true, Some(pushes)) = (filter, self.pushes) {
            self.last.spread(pushes);
        }
        self.frontiers = (filter, distance != 1);
    }

    pub(in crate::table) fn frontiers(&self) -> Frontiers<'_> {
        Frontiers { last: self.frontiers.0.then_some(&self.last), now: self.frontiers.1.then_some(&self.now) }
    }

    pub(in crate::table) fn count(&mut self, found: u64) {
        self.found += found;
        self.undecided -= found;
    }
}

/// Places of a player's pods in the rows of a slice.
#[derive(Clone)]
struct SidePods {
    places: SmallVec<[u8; 8]>,
    /// Their piece types, and that of the last one if it is the player's.
    piece_types: SmallVec<[u8; 8]>,
}

impl SidePods {
    fn new(index: &Index, slice: &Slice, side: Side) -> SidePods {
        let mut side_pods = SidePods { places: SmallVec::new(), piece_types: SmallVec::new() };
        let mut place = 0;
        for (piece_type, &count) in slice.on_board().iter().enumerate() {
            let piece_type = piece_type as u8;
            let own = index.piece_types()[piece_type as usize].side == side;
            for i in 0..count {
                let last = slice.last() == Some(piece_type) && i + 1 == count;
                if own {
                    side_pods.piece_types.push(piece_type);
                    if !last {
                        side_pods.places.push(place);
                    }
                }
                place += u8::from(!last);
            }
        }
        side_pods
    }

    fn pods(&self) -> usize {
        self.piece_types.len()
    }

    fn has_last(&self) -> bool {
        self.piece_types.len() > self.places.len()
    }

    /// Returns the pods without those of a set, and the piece types of these.
    fn without(&self, captured: u32) -> (SidePods, SmallVec<[u8; 8]>) {
        let stays = |i: usize| captured >> i & 1 == 0;
        let places = self.places.iter().enumerate().filter(|(i, _)| stays(*i)).map(|(_, &place)| place).collect();
        let (kept, lost): (Vec<_>, Vec<_>) = self.piece_types.iter().enumerate().partition(|(i, _)| stays(*i));
        let piece_types = |list: Vec<(usize, &u8)>| list.into_iter().map(|(_, &piece_type)| piece_type).collect();
        (SidePods { places, piece_types: piece_types(kept) }, piece_types(lost))
    }

    /// Returns the word of a row, and the point of the pod whose points are bits; `None` if that is
    /// the last one.
    #[inline]
    fn word(&self, points: usize, fixed: &Arrangement) -> (usize, Option<u8>) {
        let at = |&place: &u8| fixed.pods()[place as usize].point;
        let number = |places: &[u8]| places.iter().fold(0, |number, place| number * points + usize::from(at(place)));
        match self.places.split_last() {
            _ if self.has_last() => (number(&self.places), None),
            Some((highest, others)) => (number(others), Some(at(highest))),
            // Nobody on the board.
            None => (0, Some(0)),
        }
    }
}

/// Writer that adds decided cells of the rows of a slice to a frontier.
pub(super) struct FrontierWriter<'a> {
    index: &'a Index,
    set: &'a ArrangementSet,
    side_pods: SidePods,
}

impl FrontierWriter<'_> {
    /// Adds some cells of the row with these fixed pods.
    #[inline]
    pub(super) fn note(&self, fixed: &Arrangement, cells: u64) {
        if !self.set.any.load(Ordering::Relaxed) {
            self.set.any.store(true, Ordering::Relaxed);
        }
        let Some(words) = &self.set.words else { return };
        let (word, bit) = self.side_pods.word(self.index.points(), fixed);
        let bits = bit.map_or(cells, |bit| 1 << bit);
        // Mostly the bits are set already: then no thread writes.
        if words[word].load(Ordering::Relaxed) & bits != bits {
            words[word].fetch_or(bits, Ordering::Relaxed);
        }
    }
}

/// Filter of the cells of a row: those that may have a successor in the frontier.
pub(super) struct FrontierFilter<'a> {
    index: &'a Index,
    /// The words of the frontier for each part of the opponent's pods that may stay; `None` if no
    /// cell can be skipped.
    parts: Option<Vec<(&'a [AtomicU64], SidePods)>>,
}

impl FrontierFilter<'_> {
    /// Returns the cells that may have a successor in the frontier. Conservative: false positives
    /// possible, false negatives not.
    #[inline]
    pub(super) fn cells(&self, fixed: &Arrangement) -> u64 {
        let Some(parts) = &self.parts else { return u64::MAX };
        parts.iter().fold(0, |cells, (words, side_pods)| {
            let (word, bit) = side_pods.word(self.index.points(), fixed);
            let word = words[word].load(Ordering::Relaxed);
            cells | bit.map_or(word, |bit| (word >> bit & 1).wrapping_neg())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::index::{each_step, slice_of};
    use crate::table::storage::Codes;
    use crate::table::testing::with_hands;

    /// Tests for every action of every position, a frontier of its result alone: written, or read
    /// from the codes of an earlier tier.
    fn every_next_position_passes(board: &str, pods: &str, preset: Preset) {
        let (game, index) = with_hands(board, pods, ["bdt", "bd"], preset);
        let (mut inside, mut outside, mut closed, mut displaced) = (0, 0, 0, 0);
        for number in 0..index.tiers().len() {
            let mut frontier = Frontier::nothing(&index, number);
            let pushes = game.rules().options().shoves.then(|| PushTables::new(&game));
            each_step(&game, &index, number, |step| {
                let mover = step.position.to_move();
                let (_, slice) = slice_of(&index, step.from);
                let fixed = index.unrank(slice, step.from.row);
                let (cell, to) = (step.from.cell, step.to);
                frontier.clear();
                assert_eq!(frontier.filter_for(slice, mover).cells(&fixed), 0, "an empty frontier lets nothing pass");
                if to.tier == number {
                    let (_, slice) = slice_of(&index, to);
                    frontier.writer(slice, mover.other()).note(&index.unrank(slice, to.row), 1 << to.cell);
                    inside += 1;
                } else {
                    outside += 1;
                    if outside % 7 != 0 {
                        return;
                    }
                    let mut earlier = ChildTiers::default();
                    for (tier, of) in index.tiers()[..number].iter().enumerate() {
                        let mut codes = [0; 2].map(|_| Codes::draws(of.rows() as usize * index.points()));
                        if tier == to.tier {
                            let row = to.row as usize * index.points();
                            let codes = &mut codes[mover.other().index()];
                            let part = codes.parts_mut(codes.len()).next();
                            part.unwrap().set(row, index.points(), 1 << to.cell, 5);
                        }
                        earlier.push(codes);
                    }
                    frontier.add_earlier(&earlier, 4);
                    assert_eq!(frontier.filter_for(slice, mover).cells(&fixed), 0, "another code");
                    frontier.add_earlier(&earlier, 5);
                }
                let unspread = frontier.filter_for(slice, mover).cells(&fixed);
                if let Some(pushes) = &pushes {
                    frontier.spread(pushes);
                }
                let cells = frontier.filter_for(slice, mover).cells(&fixed);
                assert_eq!(unspread & !cells, 0);
                displaced += u64::from(unspread >> cell & 1 == 0);
                assert_eq!(cells >> cell & 1, 1, "{} to {}", step.position.display(&game), step.next.display(&game));
                closed += u64::from(index.cells(slice, &fixed) & !cells != 0);
            });
        }
        assert!(inside > 100 && closed > 100, "{inside} {closed}");
        assert_eq!(displaced > 50, game.rules().options().shoves, "{displaced}");
        assert!(outside > 100 || game.rules().options().captures == crate::rules::Captures::Never, "{outside}");
    }

    #[test]
    fn filters_let_pass_what_has_a_successor_in_the_frontier() {
        Preset::ALL.into_iter().for_each(|preset| every_next_position_passes("ring8", "trio", preset));
        every_next_position_passes("nook9", "trio", Preset::VeryAdvanced);
    }
}
