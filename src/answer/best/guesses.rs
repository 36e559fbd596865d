//! The table of the selective search: of bounded size, shared by all depths and by the threads of a
//! search. It holds guesses.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::allocation::try_zeroed_vec;

use super::evaluate::Score;
use crate::geometry::Point;
use crate::material::PodKind;
use crate::position::Action;
use crate::solver::memory::{LEFT, attempt, is_left};

/// Kind of a score: exact, or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// The result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredGuess {
    pub(super) score: Score,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Option<Action>,
}

/// Entries of a place: together a cache line.
const WAYS: usize = 4;

/// Two words: what is known, and its exclusive or with the hash. Threads write and read without
/// locks (Hyatt and Mann, 2002): two words written by different threads do not give the hash, so
/// such an entry is not found.
type Slot = [AtomicU64; 2];

/// The fewest places. A table of this size is allocated without asking whether the system has
/// memory to spare.
const FEWEST: usize = 1 << 6;

pub(super) struct Guesses {
    entries: Vec<Slot>,
    places: usize,
}

impl Guesses {
    /// Creates a table of at most `memory` bytes, and at least [`FEWEST`] places; a smaller one
    /// where the system gives less memory. A search of `nodes` nodes gets no more places than it
    /// can fill.
    pub(super) fn new(memory: u64, nodes: u64) -> Guesses {
        let enough = nodes.saturating_mul(2) / WAYS as u64;
        let places = (memory / (WAYS * size_of::<Slot>()) as u64).min(enough).clamp(FEWEST as u64, 1 << 24) as usize;
        // The largest power of two that fits.
        let mut places = 1 << places.ilog2();
        while places > FEWEST {
            if let Ok(entries) = attempt(|| try_zeroed_vec(places * WAYS))
                && is_left(LEFT)
            {
                return Guesses { entries, places };
            }
            places /= 2;
        }
        Guesses { entries: bytemuck::zeroed_vec(places * WAYS), places }
    }

    fn place(&self, hash: u64) -> &[Slot] {
        let at = (hash as usize & (self.places - 1)) * WAYS;
        &self.entries[at..at + WAYS]
    }

    pub(super) fn find(&self, hash: u64) -> Option<StoredGuess> {
        let known = |slot: &Slot| {
            let word = slot[1].load(Ordering::Relaxed);
            (word != 0 && slot[0].load(Ordering::Relaxed) ^ word == hash).then_some(word)
        };
        self.place(hash).iter().find_map(known).map(unpack)
    }

    /// Stores a result. It replaces the entry of the same position, else a free entry of its place,
    /// else the shallowest one.
    pub(super) fn keep(&self, hash: u64, found: StoredGuess) {
        let place = self.place(hash);
        let words: [[u64; 2]; WAYS] =
            std::array::from_fn(|way| [0, 1].map(|word| place[way][word].load(Ordering::Relaxed)));
        let same = words.iter().position(|word| word[1] != 0 && word[0] ^ word[1] == hash);
        let depth = |word: u64| if word == 0 { -1 } else { i16::from(unpack(word).depth) };
        let at = same.or_else(|| (0..WAYS).min_by_key(|&way| depth(words[way][1]))).unwrap_or(0);
        // Without a best action of its own it keeps that of the old entry.
        let best = found.best.or_else(|| same.and_then(|at| unpack(words[at][1]).best));
        let word = pack(StoredGuess { best, ..found });
        place[at][0].store(hash ^ word, Ordering::Relaxed);
        place[at][1].store(word, Ordering::Relaxed);
    }
}

fn pack(found: StoredGuess) -> u64 {
    let bound = match found.bound {
        Bound::Exact => 1,
        Bound::AtLeast => 2,
        Bound::AtMost => 3,
    };
    let word = |tag: u64, a: u8, b: u8, c: u8| tag << 24 | u64::from(a) << 16 | u64::from(b) << 8 | u64::from(c);
    let action = match found.best {
        None => 0,
        Some(Action::Place { kind, at }) => word(1, kind.index() as u8, at.index() as u8, 0),
        Some(Action::Move { from, to }) => word(2, from.index() as u8, to.index() as u8, 0),
        Some(Action::Shove { from, to }) => word(3, from.index() as u8, to.index() as u8, 0),
        Some(Action::Kick { from, to, distance }) => word(4, from.index() as u8, to.index() as u8, distance),
    };
    action << 32 | u64::from(found.score as u16) << 16 | u64::from(found.depth) << 8 | bound
}

fn unpack(word: u64) -> StoredGuess {
    let byte = |shift: u32| (word >> shift) as u8;
    let point = |shift| Point::new(usize::from(byte(shift)));
    let (from, to) = (point(48), point(40));
    let best = match byte(56) {
        1 => Some(Action::Place { kind: PodKind::new(usize::from(byte(48))), at: to }),
        2 => Some(Action::Move { from, to }),
        3 => Some(Action::Shove { from, to }),
        4 => Some(Action::Kick { from, to, distance: byte(32) }),
        _ => None,
    };
    let bound = match byte(0) {
        1 => Bound::Exact,
        2 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    StoredGuess { score: (word >> 16) as u16 as Score, depth: byte(8), bound, best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_and_the_shallowest_gives_way() {
        let point = Point::new;
        let actions = [
            None,
            Some(Action::Place { kind: PodKind::new(25), at: point(63) }),
            Some(Action::Move { from: point(0), to: point(62) }),
            Some(Action::Shove { from: point(5), to: point(6) }),
            Some(Action::Kick { from: point(5), to: point(6), distance: 200 }),
        ];
        for (number, best) in actions.into_iter().enumerate() {
            for score in [-10_000, -1, 0, 7, 10_000] {
                for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
                    let found = StoredGuess { score, depth: number as u8 * 50, bound, best };
                    assert_eq!(unpack(pack(found)), found);
                }
            }
        }
        let table = Guesses::new(0, u64::MAX);
        let places = table.places as u64;
        let found = |depth| StoredGuess { score: 3, depth, bound: Bound::Exact, best: actions[1] };
        for way in 0..WAYS as u64 {
            table.keep(7 + way * places, found(10 + way as u8));
        }
        table.keep(7 + 100 * places, found(1));
        assert_eq!(table.find(7), None);
        assert_eq!(table.find(7 + 100 * places), Some(found(1)));
        assert_eq!(table.find(7 + places), Some(found(11)));
        // The same position keeps its action where the new finding has none.
        table.keep(7 + places, StoredGuess { best: None, ..found(2) });
        assert_eq!(table.find(7 + places), Some(found(2)));
    }
}
