//! The transposition table: a fixed number of entries of two words, shared by threads without locks.
//!
//! A key is 128 bits of a mixed hash. The low word says where an entry may lie, the high word and what is stored are kept
//! as `high ^ stored` and `stored`, so that an entry torn by two threads at once does not match any key (Hyatt's and Mann's
//! lockless hashing). Two different positions are confused only if 64 bits of the high word and the place agree: at most
//! 4 × probes / 2^64 for the whole search, 2 in 10^9 for ten billion probes, were the hash random. Those who want no such
//! doubt verify with the exhaustive search, whose keys are exact.
//!
//! What is stored holds the lowest bits of the low word too, so that an entry has a place in a table of any size.

use std::sync::atomic::{AtomicU64, Ordering};

use super::node::Placement;

/// Entries that a key may lie in: one cache line.
const BUCKET: usize = 4;

/// Where the lowest bits of a key's low word begin in what is stored.
const LOW: u32 = 30;

/// 128 bits that stand for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl Key {
    pub(crate) const START: Key = Key { low: 0x243f_6a88_85a3_08d3, high: 0x1319_8a2e_0370_7344 };

    /// Mixes a word into the key.
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        // Folded 128-bit multiplication, as in wyhash and foldhash; two lanes with different constants.
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        self.low = fold(self.low ^ word, 0x9e37_79b9_7f4a_7c15).wrapping_add(0xa409_3822_299f_31d0);
        self.high = fold(self.high ^ word, 0xc2b2_ae3d_27d4_eb4f).wrapping_add(0x082e_fa98_ec4e_6c89);
    }

    /// Adds a word that is not 0 with a tag.
    #[inline]
    pub(super) fn mix_some(&mut self, tag: u64, word: u64) {
        if word != 0 {
            self.mix(tag, word);
        }
    }

    /// Adds another key with a tag, so many times.
    #[inline]
    pub(super) fn join(&mut self, tag: u64, item: Key, times: u64) {
        let (mut low, mut high) = (Key { low: 0, high: 0 }, Key { low: 0, high: 0 });
        low.mix(tag, item.low);
        high.mix(tag, item.high);
        self.low = self.low.wrapping_add(low.low.wrapping_mul(times));
        self.high = self.high.wrapping_add(high.high.wrapping_mul(times));
    }

    /// Adds a word with a tag to the key: the order of such additions does not matter.
    #[inline]
    pub(super) fn mix(&mut self, tag: u64, word: u64) {
        let salt = tag.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let (a, b) = (word ^ salt, word.rotate_left(32) ^ salt.rotate_left(17));
        self.low = self.low.wrapping_add(fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xc2b2_ae3d_27d4_eb4f));
        self.high = self.high.wrapping_add(fold(a ^ 0x4528_21e6_38d0_1377, b ^ 0xbe54_66cf_34e9_0c6c));
    }
}

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

    /// How many nodes it took to find, as the logarithm to base 2, rounded down.
    #[inline]
    pub(super) fn work(self) -> usize {
        (self.stored >> 24) as usize & Entry::MOST_WORK
    }
}

/// The table.
pub(super) struct Table {
    entries: Vec<[AtomicU64; 2]>,
    mask: usize,
}

impl Table {
    /// The largest table of a power of two of entries that fits into the memory, at least one bucket.
    pub(super) fn new(memory: u64) -> Table {
        // No more than what is stored tells places apart.
        let most = (memory / 16).clamp(BUCKET as u64, 1 << (64 - LOW));
        let mut entries = 1_usize << most.ilog2();
        // The system hands out zeroed memory page by page, when it is first used: a large table costs nothing at once. It
        // refuses what it can never have.
        loop {
            match bytemuck::try_zeroed_vec(entries) {
                Ok(zeroed) => return Table { entries: zeroed, mask: entries - 1 },
                Err(()) => entries /= 2,
            }
        }
    }

    #[inline]
    fn bucket(&self, low: u64) -> &[[AtomicU64; 2]] {
        let first = low as usize & self.mask & !(BUCKET - 1);
        &self.entries[first..first + BUCKET]
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Known> {
        for [check, stored] in self.bucket(key.low) {
            let stored = stored.load(Ordering::Relaxed);
            if stored != 0 && check.load(Ordering::Relaxed) ^ stored == key.high {
                let (kind, point) = (stored >> 8 & 0x1f, stored >> 16 & 0x3f);
                let best = (stored & 4 != 0).then_some(Placement { kind: kind as u8, point: point as u8 });
                return Some(Known { win: stored & 2 != 0, best });
            }
        }
        None
    }

    /// Stores what is known; the entry of the bucket that took the fewest nodes to find makes room.
    #[inline]
    pub(super) fn put(&self, key: Key, known: Known, nodes: u64) {
        let work = u64::from(nodes.max(1).ilog2()) << 24;
        let best = known.best.map_or(0, |p| 4 | u64::from(p.kind) << 8 | u64::from(p.point) << 16);
        let new = 1 | u64::from(known.win) << 1 | best | work | key.low << LOW;
        let mut victim = (u64::MAX, 0);
        for (i, [check, stored]) in self.bucket(key.low).iter().enumerate() {
            let stored = stored.load(Ordering::Relaxed);
            let same = stored != 0 && check.load(Ordering::Relaxed) ^ stored == key.high;
            let worth = if stored == 0 || same { 0 } else { 1 + Entry { high: 0, stored }.work() as u64 };
            if worth < victim.0 {
                victim = (worth, i);
            }
        }
        let [check, stored] = &self.bucket(key.low)[victim.1];
        check.store(key.high ^ new, Ordering::Relaxed);
        stored.store(new, Ordering::Relaxed);
    }

    /// All entries. One that is being written by another thread may come torn: it matches no key, as in the table.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.entries.iter().filter_map(|[check, stored]| {
            let stored = stored.load(Ordering::Relaxed);
            (stored != 0).then(|| Entry { high: check.load(Ordering::Relaxed) ^ stored, stored })
        })
    }

    /// Puts an entry of this or another table where it belongs; `false` if its bucket is full.
    pub(super) fn restore(&self, entry: Entry) -> bool {
        let Entry { high, stored: new } = entry;
        for [check, stored] in self.bucket(new >> LOW) {
            let old = stored.load(Ordering::Relaxed);
            if old == 0 || old >> LOW == new >> LOW && check.load(Ordering::Relaxed) ^ old == high {
                check.store(high ^ new, Ordering::Relaxed);
                stored.store(new, Ordering::Relaxed);
                return true;
            }
        }
        false
    }
}
