//! The transposition table: entries of three words, shared by threads.
//!
//! A key is 128 bits of a mixed hash. The low word says where an entry may lie. The entry keeps the
//! high word, and the lowest 34 bits of the low word, which give it a place in a table of any size.
//! Two different positions are confused only if all 98 bits agree: if the hash were random, the
//! probability over a whole search would be at most probes × entries / 2^98. The exhaustive search
//! has exact keys, and can verify a value beyond that doubt.
//!
//! How it grows, and what it does where memory is short, is in [`super::buckets`].

use super::buckets::{Buckets, LOW, MAX_WORK, PARTS, work, work_bits};
use super::key::Key;
use super::node::Placement;
use super::used::ALL_USED;
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
    /// The points and pods that the winner uses (`used.rs`).
    pub(super) used: u64,
}

/// An entry outside the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The high word of the entry's key.
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

/// Words of an entry in memory: the high word of its key; what is stored, which is 0 in an empty
/// slot; and what the winner uses.
const WORDS: usize = 3;
type Slot = [u64; WORDS];

/// Returns `true` if two entries are of the same position.
#[inline]
fn same(a: &Slot, b: &Slot) -> bool {
    a[0] == b[0] && a[1] >> LOW == b[1] >> LOW
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
        let low = key.low << LOW;
        // Nothing stored is 0.
        let same = |slot: &&Slot| slot[0] == key.high && slot[1] >> LOW << LOW == low && slot[1] != 0;
        part.bucket(place).iter().find(same).map(|&[_, stored, used]| {
            let (kind, point) = (stored >> 8 & 0x1f, stored >> 16 & 0x3f);
            let best = (stored & 4 != 0).then_some(Placement { kind: kind as u8, point: point as u8 });
            (Known { win: stored & 2 != 0, best, used }, 1 << work(stored))
        })
    }

    /// Stores what is known of a position. It replaces the entry of the same position, else takes a
    /// free slot of its bucket, else replaces the entry that took the fewest nodes.
    #[inline]
    pub(super) fn put(&self, key: Key, known: Known, nodes: u64) {
        let best = known.best.map_or(0, |p| 4 | u64::from(p.kind) << 8 | u64::from(p.point) << 16);
        let stored = 1 | u64::from(known.win) << 1 | best | work_bits(nodes) | key.low << LOW;
        let slot = [key.high, stored, known.used];
        self.buckets.put(key.low, slot, |there| same(there, &slot));
    }

    /// Calls `visit` with every entry.
    pub(super) fn for_each(&self, mut visit: impl FnMut(Entry)) {
        self.buckets.for_each(|&[high, stored, _]| visit(Entry { high, stored }));
    }

    /// Stores an entry of this or another table. If its bucket is full and its part cannot grow,
    /// the entry of the fewest nodes is lost, be it the new one.
    pub(super) fn restore(&self, entry: Entry) {
        // What the winner uses is not saved.
        let slot = [entry.high, entry.stored, ALL_USED];
        self.buckets.restore(entry.stored >> LOW, slot, |there| same(there, &slot));
    }
}
