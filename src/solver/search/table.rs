//! The transposition table: entries of two words, shared by threads.
//!
//! A key is 128 bits of a mixed hash. The low word says where an entry may lie. The entry keeps the
//! highest 38 bits of the high word, and the lowest 34 bits of the low word, which give it a place
//! in a table of any size. Two different positions are confused only if all 72 bits agree: if the
//! hash were random, the probability over a whole search would be at most probes × entries / 2^72.
//! The exhaustive search has exact keys, and a certificate holds whatever the table says: both can
//! verify a value beyond that doubt.
//!
//! How it grows, and what it does where memory is short, is in [`super::buckets`].

use super::buckets::{Buckets, LOW, MAX_WORK, OWN, PARTS, work, work_bits};
use super::key::Key;
use super::node::Placement;
use super::used::USED_BITS;
use crate::progress::Fill;

/// Entries of a bucket.
const BUCKET: usize = 4;

/// Entry of the table for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// True if the mover wins.
    pub(super) win: bool,
    /// The winning placement, if there is one and it is known.
    pub(super) best: Option<Placement>,
    /// The points and pods that the winner uses, in [`USED_BITS`] bits (`used.rs`).
    pub(super) used: u64,
}

/// An entry outside the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The highest bits of the key's high word, and below them the lowest bits of what the winner
    /// uses.
    pub(super) high: u64,
    /// Stored value: never 0.
    pub(super) stored: u64,
}

impl Entry {
    /// The most that [`Entry::work`] can be.
    pub(super) const MAX_WORK: usize = MAX_WORK;

    /// Returns the logarithm to base 2 of the nodes that the entry took, rounded down.
    #[inline]
    pub(super) fn work(self) -> usize {
        work(self.stored)
    }
}

/// Words of an entry in memory: those of [`Entry`]; the second one is 0 in an empty slot.
const WORDS: usize = 2;
type Slot = [u64; WORDS];

/// The bits of what the winner uses that the first word of an entry has, and where the second word
/// has the others.
const USED_LOW: u32 = 26;
const USED_HIGH: u32 = 14;
const _: () = assert!(USED_BITS - USED_LOW + USED_HIGH <= OWN, "the other bits are the key's and the work's");

/// Returns `true` if two entries are of the same position.
#[inline]
fn same(a: &Slot, b: &Slot) -> bool {
    a[0] >> USED_LOW == b[0] >> USED_LOW && a[1] >> LOW == b[1] >> LOW
}

/// Memory from which on the table has [`PARTS`] parts.
const DIVIDED: u64 = 1 << 22;

/// The bytes with which a part begins, if it may have as many.
const BEGIN: u64 = 1 << 12;

pub(super) struct Table {
    buckets: Buckets<WORDS, BUCKET>,
    memory: u64,
}

impl Table {
    /// Creates a table of at most `memory` bytes, and at least one bucket.
    pub(super) fn new(memory: u64) -> Table {
        Table::beginning_with(BEGIN, memory)
    }

    /// Creates a table like [`Table::new`], with parts that begin with `begin` bytes.
    pub(super) fn beginning_with(begin: u64, memory: u64) -> Table {
        // While a part grows, it has its old bytes, half as many, beside the new ones.
        let (parts, shares) = if memory < DIVIDED { (1, 1) } else { (PARTS, PARTS + 1) };
        let most = memory / shares / Buckets::<WORDS, BUCKET>::BYTES;
        let begin = if parts == 1 { most } else { begin / Buckets::<WORDS, BUCKET>::BYTES };
        Table { buckets: Buckets::new(parts, begin, most), memory }
    }

    /// Returns the most bytes that the table may take, as given.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    pub(super) fn fill(&self) -> Fill {
        self.buckets.fill()
    }

    /// Looks a position up.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Known> {
        self.find(key).map(|(known, _)| known)
    }

    /// Looks a position up, with the nodes that it took to find, rounded down to a power of two.
    #[inline]
    pub(super) fn find(&self, key: Key) -> Option<(Known, u64)> {
        let (part, place) = self.buckets.part(key.low);
        let wanted = [key.high, key.low << LOW];
        // Nothing stored is 0.
        let found = part.bucket(place).iter().find(|slot| same(slot, &wanted) && slot[1] != 0);
        found.map(|&[high, stored]| {
            let (kind, point) = (stored >> 3 & 0x1f, stored >> 8 & 0x3f);
            let best = (stored & 4 != 0).then_some(Placement { kind: kind as u8, point: point as u8 });
            let used_high = stored >> USED_HIGH & ((1 << (USED_BITS - USED_LOW)) - 1);
            let used = high & ((1 << USED_LOW) - 1) | used_high << USED_LOW;
            (Known { win: stored & 2 != 0, best, used }, 1 << work(stored))
        })
    }

    /// Stores what is known of a position, as [`Buckets::put`] does.
    #[inline]
    pub(super) fn put(&self, key: Key, known: Known, nodes: u64) {
        debug_assert!(known.used >> USED_BITS == 0);
        let best = known.best.map_or(0, |p| 4 | u64::from(p.kind) << 3 | u64::from(p.point) << 8);
        let used = known.used >> USED_LOW << USED_HIGH;
        let stored = 1 | u64::from(known.win) << 1 | best | used | work_bits(nodes) | key.low << LOW;
        let slot = [key.high >> USED_LOW << USED_LOW | known.used & ((1 << USED_LOW) - 1), stored];
        self.buckets.put(key.low, slot, |there| same(there, &slot));
    }

    /// Calls `visit` with every entry.
    pub(super) fn for_each(&self, mut visit: impl FnMut(Entry)) {
        self.buckets.for_each(|&[high, stored]| visit(Entry { high, stored }));
    }

    /// Stores an entry of this or another table. If its bucket is full and its part cannot grow,
    /// the entry of the fewest nodes is lost, be it the new one.
    pub(super) fn restore(&self, entry: Entry) {
        let slot = [entry.high, entry.stored];
        self.buckets.restore(entry.stored >> LOW, slot, |there| same(there, &slot));
    }
}
