//! The transposition table: entries of two words, shared by threads.
//!
//! A key is 128 bits of a mixed hash. The low word says where an entry may lie, the high word is kept with what is stored.
//! What is stored holds the lowest 34 bits of the low word too, so that an entry has a place in a table of any size. Two
//! different positions are confused only if all 98 bits agree: at most probes × entries / 2^98 for the whole search, 3 in
//! 10^11 for ten billion probes of a billion entries, were the hash random. Those who want no such doubt verify with the
//! exhaustive search, whose keys are exact.
//!
//! A table begins small and doubles as it fills, up to the memory that it was given, so that short searches pay for nothing large. It
//! has parts that grow one at a time, each with a lock of its own: next to a node's work a lock that nobody else holds costs
//! little, and two threads seldom want the same part. Where the system gives no more memory, a part stays as it is, and the
//! table says so ([`Table::refused`]): a smaller table makes a search slower, not wrong.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key::Key;
use super::node::Placement;
use super::pages::Pages;
use crate::solver::how_far::Fill;

/// Entries that a key may lie in: one cache line.
const BUCKET: usize = 4;

/// Where the lowest bits of a key's low word begin in what is stored.
const LOW: u32 = 30;

/// What the table says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Whether the mover wins.
    pub(super) win: bool,
    /// The winning placement, if there is one and it is known.
    pub(super) best: Option<Placement>,
}

/// An entry outside the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The high word of its key.
    pub(super) high: u64,
    /// What is stored: never 0.
    pub(super) stored: u64,
}

impl Entry {
    /// The most that [`Entry::work`] can be.
    pub(super) const MOST_WORK: usize = 0x3f;

    /// Whether both are of the same position.
    #[inline]
    fn same(self, other: Entry) -> bool {
        self.high == other.high && self.stored >> LOW == other.stored >> LOW
    }

    /// How many nodes it took to find, as the logarithm to base 2, rounded down.
    #[inline]
    pub(super) fn work(self) -> usize {
        (self.stored >> 24) as usize & Entry::MOST_WORK
    }
}

/// An entry as it lies in memory: the high word of its key, and what is stored; 0 for nothing.
type Slot = [u64; 2];

/// Bytes of a bucket.
const BUCKET_BYTES: u64 = (BUCKET * size_of::<Slot>()) as u64;

/// From this memory on the table has [`PARTS`] parts.
const DIVIDED: u64 = 1 << 22;
const PARTS: u64 = 256;

/// The bytes with which a part begins, if it may have as many.
const BEGIN: u64 = 1 << 12;

/// The bits of a low word that places are told from.
const PLACE: u32 = 64 - LOW;

/// The table.
pub(super) struct Table {
    parts: Vec<Mutex<Part>>,
    memory: u64,
    /// Whether the system has refused to give memory.
    refused: AtomicBool,
}

/// One part of a table.
struct Part {
    pages: Pages,
    buckets: u64,
    /// The most buckets that it may have.
    most: u64,
    filled: u64,
    /// How many parts the table has.
    parts: u64,
}

impl Table {
    /// A table of at most so many bytes, at least one bucket.
    pub(super) fn new(memory: u64) -> Table {
        Table::beginning_with(BEGIN, memory)
    }

    /// As [`Table::new`], with parts that begin with so many bytes.
    pub(super) fn beginning_with(begin: u64, memory: u64) -> Table {
        // While a part grows, it has its old bytes, half as many, beside the new ones.
        let (parts, shares) = if memory < DIVIDED { (1, 1) } else { (PARTS, PARTS + 1) };
        let most = (memory / shares / BUCKET_BYTES).clamp(1, 1 << (PLACE - PARTS.ilog2()));
        let begin = if parts == 1 { most } else { most.min(begin / BUCKET_BYTES).max(1) };
        let part = || Mutex::new(Part::new(begin, most, parts));
        Table { parts: (0..parts).map(|_| part()).collect(), memory, refused: AtomicBool::new(false) }
    }

    /// The bytes that it was given.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// How full it is.
    pub(super) fn fill(&self) -> Fill {
        let refused = self.refused.load(Ordering::Relaxed);
        let mut fill = Fill { entries: 0, bytes: 0, most: 0, refused };
        for part in &self.parts {
            let part = locked(part);
            fill.entries += part.filled;
            fill.bytes += part.buckets * BUCKET_BYTES;
            fill.most += part.most * BUCKET_BYTES;
        }
        fill
    }

    /// The part of a low word, and where in it, as a fraction of 2^[`PLACE`].
    #[inline]
    fn part(&self, low: u64) -> (MutexGuard<'_, Part>, u64) {
        let place = (low & ((1 << PLACE) - 1)) * self.parts.len() as u64;
        (locked(&self.parts[(place >> PLACE) as usize]), place & ((1 << PLACE) - 1))
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Known> {
        let (part, place) = self.part(key.low);
        let low = key.low << LOW;
        // Nothing stored is 0.
        let same = |slot: &&Slot| slot[0] == key.high && slot[1] >> LOW << LOW == low && slot[1] != 0;
        part.bucket(place).iter().find(same).map(|&[_, stored]| {
            let (kind, point) = (stored >> 8 & 0x1f, stored >> 16 & 0x3f);
            let best = (stored & 4 != 0).then_some(Placement { kind: kind as u8, point: point as u8 });
            Known { win: stored & 2 != 0, best }
        })
    }

    /// Stores what is known; the entry of the bucket that took the fewest nodes to find makes room.
    #[inline]
    pub(super) fn put(&self, key: Key, known: Known, nodes: u64) {
        let work = u64::from(nodes.max(1).ilog2()) << 24;
        let best = known.best.map_or(0, |p| 4 | u64::from(p.kind) << 8 | u64::from(p.point) << 16);
        let stored = 1 | u64::from(known.win) << 1 | best | work | key.low << LOW;
        let (mut part, place) = self.part(key.low);
        // Three quarters full is as far as a part goes before it grows.
        if 4 * part.filled >= 3 * part.buckets * BUCKET as u64 {
            part.grow(&self.refused);
        }
        part.put(place, Entry { high: key.high, stored });
    }

    /// Calls `visit` with every entry.
    pub(super) fn for_each(&self, mut visit: impl FnMut(Entry)) {
        for part in &self.parts {
            let part = locked(part);
            let used = part.pages.pairs().iter().filter(|slot| slot[1] != 0);
            used.for_each(|&[high, stored]| visit(Entry { high, stored }));
        }
    }

    /// Puts an entry of this or another table where it belongs; the cheapest makes room if its bucket is full and the table
    /// cannot grow.
    pub(super) fn restore(&self, entry: Entry) {
        let (mut part, place) = self.part(entry.stored >> LOW);
        while !part.has_room(place, entry) && part.grow(&self.refused) {}
        if part.has_room(place, entry) || part.least(place) < entry.work() {
            part.put(place, entry);
        }
    }
}

/// Whoever panicked with a lock has left whole entries.
fn locked(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Part {
    fn new(begin: u64, most: u64, parts: u64) -> Part {
        let given = |buckets| Some((buckets, Pages::new(buckets as usize * BUCKET)?));
        // So little is always given, or else nothing goes on at all.
        let least = || (1, Pages::Heap(vec![[0; 2]; BUCKET]));
        let (buckets, pages) = given(begin).unwrap_or_else(least);
        Part { pages, buckets, most, filled: 0, parts }
    }

    /// The first slot of the bucket of a place.
    #[inline]
    fn first(&self, place: u64) -> usize {
        ((u128::from(place) * u128::from(self.buckets)) >> PLACE) as usize * BUCKET
    }

    #[inline]
    fn bucket(&self, place: u64) -> &[Slot] {
        let first = self.first(place);
        &self.pages.pairs()[first..first + BUCKET]
    }

    /// Whether the bucket of a place has room for an entry, or knows it.
    fn has_room(&self, place: u64, entry: Entry) -> bool {
        self.bucket(place).iter().any(|&[high, stored]| stored == 0 || Entry { high, stored }.same(entry))
    }

    /// The least work of the entries of a full bucket.
    fn least(&self, place: u64) -> usize {
        let works = self.bucket(place).iter().map(|&[high, stored]| Entry { high, stored }.work());
        works.min().unwrap_or(0)
    }

    #[inline]
    fn put(&mut self, place: u64, entry: Entry) {
        let first = self.first(place);
        let bucket = &mut self.pages.pairs_mut()[first..first + BUCKET];
        let mut victim = (usize::MAX, 0);
        for (i, &[high, stored]) in bucket.iter().enumerate() {
            let here = Entry { high, stored };
            if stored != 0 && here.same(entry) {
                victim = (0, i);
                break;
            }
            let worth = if stored == 0 { 0 } else { 1 + here.work() };
            if worth < victim.0 {
                victim = (worth, i);
            }
        }
        let slot = &mut bucket[victim.1];
        self.filled += u64::from(slot[1] == 0);
        *slot = [entry.high, entry.stored];
    }

    /// Doubles the buckets, or takes all that it may have; `false` if there are no more to be had.
    #[cold]
    fn grow(&mut self, refused: &AtomicBool) -> bool {
        let buckets = self.most.min(2 * self.buckets);
        if buckets == self.buckets {
            return false;
        }
        let Some(pages) = Pages::new(buckets as usize * BUCKET) else {
            // Asked once and no more.
            self.most = self.buckets;
            refused.store(true, Ordering::Relaxed);
            return false;
        };
        let old = std::mem::replace(&mut self.pages, pages);
        (self.buckets, self.filled) = (buckets, 0);
        for &[high, stored] in old.pairs().iter().filter(|slot| slot[1] != 0) {
            let place = ((stored >> LOW) * self.parts) & ((1 << PLACE) - 1);
            self.put(place, Entry { high, stored });
        }
        true
    }
}
