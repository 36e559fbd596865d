//! Which positions a sweep can find something about: those from which an action may lead to what the last one decided.
//!
//! An action leaves the opponent's pods where they stand, or captures some of them (R18) and leads to an earlier tier. So
//! where the opponent's pods stand in a position, all of them or a part, they stand in its next ones. A sweep notes for
//! which such arrangements it decided something, and the next one asks only about positions that have one of them.
//! After the first sweeps little is decided in each, and most rows are passed over by a few reads. With shoves and kicks
//! the opponent's pods move, and there is no gate.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hashbrown::HashMap;
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::material::Side;
use crate::solver::Plies;
use crate::table::index::reach::{key, tier_after};
use crate::table::index::{Arrangement, Index, Slice};
use crate::table::retro::children::{Earlier, needed};

/// The most words of all tables of a tier, in each of four sets of tables.
const MOST_WORDS: usize = 1 << 19;

/// The gate is used when so many times more cells are undecided than the last sweep decided: else nearly all pass it.
const SPARSE: u64 = 8;

/// Rows of an earlier tier that a thread takes at a time.
const ROWS: usize = 1 << 12;

/// A tier, and the key of what a player has on the board in it.
type Key = (usize, usize);

/// For the pods of one player on some points, whether something was decided: a bit for each point of the pod of the
/// highest class, a word for each choice of points of the others.
struct Table {
    /// `None` where it would be too large, or pods are alike: all may have been decided then.
    words: Option<Vec<AtomicU64>>,
    /// Whether anything was decided.
    any: AtomicBool,
}

/// What was decided for arrangements of the pods of the player to move, in a tier and in those that it leads to.
pub(in crate::table) struct Heard<'a> {
    index: &'a Index,
    number: usize,
    tables: [HashMap<Key, Table>; 2],
}

impl<'a> Heard<'a> {
    /// Nothing, in a tier.
    pub(in crate::table) fn nothing(index: &'a Index, number: usize) -> Heard<'a> {
        let mut heard = Heard { index, number, tables: Default::default() };
        let mut left = [MOST_WORDS; 2];
        let halves = needed(index, number).into_iter().map(|half| (half.tier, half.to_move));
        for (tier, side) in halves.chain(Side::BOTH.map(|side| (number, side))) {
            for slice in index.tiers()[tier].slices() {
                let on_board = slice.on_board();
                let left = &mut left[side.index()];
                heard.tables[side.index()].entry((tier, key(index, on_board, side))).or_insert_with(|| {
                    let pods = index.total(on_board, side);
                    let words = index.points().checked_pow(pods.saturating_sub(1)).filter(|words| words <= left);
                    let words = words.filter(|_| index.of_side(on_board, side).all(|(_, count)| count <= 1));
                    *left -= words.unwrap_or(0);
                    let words = words.map(|words| (0..words).map(|_| AtomicU64::new(0)).collect());
                    Table { words, any: AtomicBool::new(false) }
                });
            }
        }
        heard
    }

    /// Forgets all.
    pub(in crate::table) fn clear(&mut self) {
        for table in self.tables.iter_mut().flat_map(HashMap::values_mut) {
            if std::mem::take(table.any.get_mut()) {
                table.words.iter_mut().flatten().for_each(|word| *word.get_mut() = 0);
            }
        }
    }

    /// Notes what rows of a slice of the tier are decided to be with its player to move.
    pub(in crate::table) fn ears(&self, slice: &Slice, mover: Side) -> Ears<'_> {
        self.ears_of(self.number, slice, mover)
    }

    fn ears_of(&self, tier: usize, slice: &Slice, mover: Side) -> Ears<'_> {
        let stand = Stand::new(self.index, slice, mover);
        let on_board = key(self.index, slice.on_board(), mover);
        let Some(table) = self.tables[mover.index()].get(&(tier, on_board)) else {
            unreachable!("there is a table for each slice")
        };
        Ears { index: self.index, table, stand }
    }

    /// Notes all positions of the earlier tiers that have a code.
    pub(in crate::table) fn hear_earlier(&self, earlier: &Earlier, code: u16) {
        for half in needed(self.index, self.number) {
            let codes = earlier.get(half.tier, half.to_move.index());
            let points = self.index.points();
            for slice in self.index.tiers()[half.tier].slices() {
                let ears = self.ears_of(half.tier, slice, half.to_move);
                (0..slice.rows()).step_by(ROWS).collect::<Vec<_>>().into_par_iter().for_each(|first| {
                    for row in slice.first_row() + first..slice.first_row() + slice.rows().min(first + ROWS as u64) {
                        let cells = codes.equal(row as usize * points, points, code);
                        if cells != 0 {
                            ears.note(&self.index.unrank(slice, row), cells);
                        }
                    }
                });
            }
        }
    }

    /// The gate for rows of a slice of the tier with this player to move.
    pub(in crate::table) fn gate(&self, slice: &Slice, mover: Side) -> Gate<'_> {
        let next = mover.other();
        let stand = Stand::new(self.index, slice, next);
        let on_board = key(self.index, slice.on_board(), next);
        let mut ways = Vec::new();
        for captured in 0_u32..1 << stand.pods() {
            let (kept, lost) = stand.without(captured);
            let lost: usize = lost.iter().map(|&class| self.index.tier_weight(class)).sum();
            let Some(tier) = tier_after(self.index, self.number, lost) else { continue };
            let Some(table) = self.tables[next.index()].get(&(tier, on_board - lost)) else { continue };
            if !table.any.load(Ordering::Relaxed) {
                continue;
            }
            match &table.words {
                Some(words) => ways.push((&words[..], kept)),
                None => return Gate { index: self.index, ways: None },
            }
        }
        Gate { index: self.index, ways: Some(ways) }
    }
}

/// What a sweep goes by to pass over rows, and notes for the next one.
#[derive(Clone, Copy, Default)]
pub(in crate::table) struct Hearing<'a> {
    /// What the last sweep decided; `None` if all is to be asked about.
    pub(in crate::table) last: Option<&'a Heard<'a>>,
    /// Where to note what this one does.
    pub(in crate::table) now: Option<&'a Heard<'a>>,
}

/// What the sweeps of a tier tell each other.
pub(in crate::table) struct Echo<'a> {
    last: Heard<'a>,
    now: Heard<'a>,
    /// The distance of the sweep that is under way, and the cells found by it.
    distance: Option<Plies>,
    found: u64,
    /// Cells not yet decided.
    undecided: u64,
    /// For each distance how many cells of the earlier tiers have it.
    earlier: Vec<u64>,
    hearing: (bool, bool),
}

impl<'a> Echo<'a> {
    /// Before the first sweep of a tier of so many cells; `earlier` says for each distance how many cells of the tiers
    /// that it leads to have it.
    pub(in crate::table) fn new(index: &'a Index, number: usize, cells: u64, earlier: Vec<u64>) -> Echo<'a> {
        let heard = || Heard::nothing(index, number);
        let (last, now) = (heard(), heard());
        Echo { last, now, distance: None, found: 0, undecided: cells, earlier, hearing: (false, false) }
    }

    /// A sweep for a distance begins, or goes on with the other player to move. All sweeps must be told of, but those
    /// that find nothing.
    pub(in crate::table) fn turn(&mut self, distance: Plies, blank: bool, earlier: &Earlier) {
        if blank && distance == 1 {
            // Emptied hands come before anything else. What is decided in one ply is so much that it is not noted.
            self.hearing = (false, false);
            return;
        }
        if self.distance == Some(distance) {
            return;
        }
        std::mem::swap(&mut self.last, &mut self.now);
        self.now.clear();
        let mut news = std::mem::take(&mut self.found);
        if distance == 0 || self.distance != Some(distance - 1) {
            self.last.clear();
            news = 0;
        }
        self.distance = Some(distance);
        let more = if distance == 0 { 0 } else { self.earlier.get(usize::from(distance) - 1).copied().unwrap_or(0) };
        let gate = distance != 0 && distance != 2 && (news + more) * SPARSE < self.undecided;
        if gate && more > 0 {
            self.last.hear_earlier(earlier, distance);
        }
        self.hearing = (gate, distance != 1);
    }

    /// What the sweep that is under way goes by.
    pub(in crate::table) fn hearing(&self) -> Hearing<'_> {
        Hearing { last: self.hearing.0.then_some(&self.last), now: self.hearing.1.then_some(&self.now) }
    }

    /// Counts what a sweep found.
    pub(in crate::table) fn count(&mut self, found: u64) {
        self.found += found;
        self.undecided -= found;
    }
}

/// Where the pods of a player are found in the rows of a slice.
#[derive(Clone)]
struct Stand {
    /// The places of the fixed ones.
    places: SmallVec<[u8; 8]>,
    /// Their classes, and that of the last one if it is the player's.
    classes: SmallVec<[u8; 8]>,
}

impl Stand {
    fn new(index: &Index, slice: &Slice, side: Side) -> Stand {
        let mut stand = Stand { places: SmallVec::new(), classes: SmallVec::new() };
        let mut place = 0;
        for (class, &count) in slice.on_board().iter().enumerate() {
            let class = class as u8;
            let own = index.classes()[class as usize].side == side;
            for i in 0..count {
                let last = slice.last() == Some(class) && i + 1 == count;
                if own {
                    stand.classes.push(class);
                    if !last {
                        stand.places.push(place);
                    }
                }
                place += u8::from(!last);
            }
        }
        stand
    }

    fn pods(&self) -> usize {
        self.classes.len()
    }

    /// Whether the last pod is the player's.
    fn has_last(&self) -> bool {
        self.classes.len() > self.places.len()
    }

    /// The pods without those of a set, and the classes of these.
    fn without(&self, captured: u32) -> (Stand, SmallVec<[u8; 8]>) {
        let stays = |i: usize| captured >> i & 1 == 0;
        let places = self.places.iter().enumerate().filter(|(i, _)| stays(*i)).map(|(_, &place)| place).collect();
        let (kept, lost): (Vec<_>, Vec<_>) = self.classes.iter().enumerate().partition(|(i, _)| stays(*i));
        let classes = |list: Vec<(usize, &u8)>| list.into_iter().map(|(_, &class)| class).collect();
        (Stand { places, classes: classes(kept) }, classes(lost))
    }

    /// The word of a row, and the point of the pod whose points are bits; `None` if that is the last one.
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

/// Notes what is decided in the rows of a slice.
pub(in crate::table) struct Ears<'a> {
    index: &'a Index,
    table: &'a Table,
    stand: Stand,
}

impl Ears<'_> {
    /// These cells of the row of these pods were decided.
    #[inline]
    pub(in crate::table) fn note(&self, fixed: &Arrangement, cells: u64) {
        if !self.table.any.load(Ordering::Relaxed) {
            self.table.any.store(true, Ordering::Relaxed);
        }
        let Some(words) = &self.table.words else { return };
        let (word, bit) = self.stand.word(self.index.points(), fixed);
        let bits = bit.map_or(cells, |bit| 1 << bit);
        // Mostly it is known already, and threads do not get in each other's way.
        if words[word].load(Ordering::Relaxed) & bits != bits {
            words[word].fetch_or(bits, Ordering::Relaxed);
        }
    }
}

/// Says in which cells of a row something may be found.
pub(in crate::table) struct Gate<'a> {
    index: &'a Index,
    /// What was heard of parts of the opponent's pods; `None` if all is possible.
    ways: Option<Vec<(&'a [AtomicU64], Stand)>>,
}

impl Gate<'_> {
    /// The cells that may have a next position of which something was decided.
    #[inline]
    pub(in crate::table) fn cells(&self, fixed: &Arrangement) -> u64 {
        let Some(ways) = &self.ways else { return u64::MAX };
        ways.iter().fold(0, |cells, (words, stand)| {
            let (word, bit) = stand.word(self.index.points(), fixed);
            let word = words[word].load(Ordering::Relaxed);
            cells | bit.map_or(word, |bit| (word >> bit & 1).wrapping_neg())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{builtin_board, builtin_pods};
    use crate::position::{Game, Hand};
    use crate::rules::Preset;
    use crate::table::index::reach::tests::{each_step, slice_of};
    use crate::table::storage::Codes;

    /// Of every position, each next one alone is heard of: in its tier by ears, in an earlier one by codes.
    fn every_next_position_passes(board: &str, pods: &str, preset: Preset) {
        let pods = builtin_pods(pods).unwrap();
        let hands = ["bdt", "bd"].map(|ids| Hand::parse(ids, &pods).unwrap());
        let game = Game::new(builtin_board(board).unwrap(), pods, preset.into());
        let index = Index::new(&game, &hands).unwrap();
        let (mut inside, mut outside, mut closed) = (0, 0, 0);
        for number in 0..index.tiers().len() {
            let mut heard = Heard::nothing(&index, number);
            each_step(&game, &index, number, |step| {
                let mover = step.position.to_move();
                let (_, slice) = slice_of(&index, step.from);
                let fixed = index.unrank(slice, step.from.row);
                let (cell, to) = (step.from.cell, step.to);
                heard.clear();
                assert_eq!(heard.gate(slice, mover).cells(&fixed), 0, "nothing was heard");
                if to.tier == number {
                    let (_, slice) = slice_of(&index, to);
                    heard.ears(slice, mover.other()).note(&index.unrank(slice, to.row), 1 << to.cell);
                    inside += 1;
                } else {
                    outside += 1;
                    if outside % 7 != 0 {
                        return;
                    }
                    let mut earlier = Earlier::default();
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
                    heard.hear_earlier(&earlier, 4);
                    assert_eq!(heard.gate(slice, mover).cells(&fixed), 0, "another code");
                    heard.hear_earlier(&earlier, 5);
                }
                let cells = heard.gate(slice, mover).cells(&fixed);
                assert_eq!(cells >> cell & 1, 1, "{} to {}", step.position.text(&game), step.next.text(&game));
                closed += u64::from(index.cells(slice, &fixed) & !cells != 0);
            });
        }
        assert!(inside > 100 && closed > 100, "{inside} {closed}");
        assert!(outside > 100 || game.rules().options().captures == crate::rules::Captures::Never, "{outside}");
    }

    #[test]
    fn gates_let_pass_what_has_a_next_position_that_was_decided() {
        let presets = Preset::ALL.into_iter().filter(|&preset| preset != Preset::VeryAdvanced);
        presets.for_each(|preset| every_next_position_passes("ring8", "trio", preset));
    }
}
