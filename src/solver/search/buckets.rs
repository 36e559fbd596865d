//! Memory for the tables of a search: buckets of entries, in parts that grow, shared by threads.
//!
//! The first word of an entry has bits of the high word of its key. The second word is never 0 and
//! holds, from the lowest bit on: 24 bits of the table's own; 6 bits for the entry's *work*, the
//! logarithm to base 2 of the nodes that it took; and the lowest 34 bits of the key's low word,
//! which give the entry a place in a table of any size.
//!
//! A table begins small and doubles as it fills, up to the memory that it was given, so short
//! searches allocate little. It has parts that grow one at a time, each with a lock of its own:
//! next to a node's work a lock that nobody else holds costs little, and two threads seldom want
//! the same part. Where the system gives no more memory, a part stays as it is, and the table says
//! so: a smaller table makes a search slower, not wrong.
//!
//! Half of a full bucket keeps the entries of the most work, and the other half those that came
//! last. A long search fills its table with large entries, most of which it never meets again; the
//! small ones of the part that it searches now would find no place among them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::pages::Pages;
use crate::progress::Fill;

/// Number of the lowest bits of the second word, which are a table's own.
pub(super) const OWN: u32 = 24;

/// Shift of the lowest bits of a key's low word in the second word.
pub(super) const LOW: u32 = OWN + MAX_WORK.count_ones();

/// Number of bits of a low word that say where an entry lies.
const PLACE: u32 = 64 - LOW;

/// The most parts.
pub(super) const PARTS: u64 = 256;

/// The most that [`work`] can be.
pub(super) const MAX_WORK: usize = 0x3f;

/// Returns the work of an entry that took `nodes` nodes, as bits of its second word.
#[inline]
pub(super) fn work_bits(nodes: u64) -> u64 {
    u64::from(nodes.max(1).ilog2()) << OWN
}

/// Returns the work of an entry with this second word: the logarithm to base 2 of its nodes,
/// rounded down.
#[inline]
pub(super) fn work(stored: u64) -> usize {
    (stored >> OWN) as usize & MAX_WORK
}

/// Buckets of `B` entries of `W` words; the words of a bucket are even in number.
pub(super) struct Buckets<const W: usize, const B: usize> {
    parts: Vec<Mutex<Part<W, B>>>,
    /// True once the system has refused to give memory.
    refused: AtomicBool,
}

pub(super) struct Part<const W: usize, const B: usize> {
    pages: Pages,
    buckets: u64,
    /// The most buckets that the part may have.
    most: u64,
    filled: u64,
    parts: u64,
}

impl<const W: usize, const B: usize> Buckets<W, B> {
    pub(super) const BYTES: u64 = (B * size_of::<[u64; W]>()) as u64;

    /// Creates a table of `parts` parts, a power of two up to [`PARTS`]. Each begins with `begin`
    /// buckets and has at most `most`.
    pub(super) fn new(parts: u64, begin: u64, most: u64) -> Buckets<W, B> {
        let most = most.clamp(1, 1 << (PLACE - PARTS.ilog2()));
        let part = || Mutex::new(Part::new(begin.clamp(1, most), most, parts));
        Buckets { parts: (0..parts).map(|_| part()).collect(), refused: AtomicBool::new(false) }
    }

    pub(super) fn fill(&self) -> Fill {
        let refused = self.refused.load(Ordering::Relaxed);
        let mut fill = Fill { entries: 0, bytes: 0, most: 0, refused };
        for part in &self.parts {
            let part = locked(part);
            fill.entries += part.filled;
            fill.bytes += part.buckets * Self::BYTES;
            fill.most += part.most * Self::BYTES;
        }
        fill
    }

    /// Returns the part that a low word belongs to, and the place in it, from 0 to below 2^34.
    #[inline]
    pub(super) fn part(&self, low: u64) -> (MutexGuard<'_, Part<W, B>>, u64) {
        let place = (low & ((1 << PLACE) - 1)) * self.parts.len() as u64;
        (locked(&self.parts[(place >> PLACE) as usize]), place & ((1 << PLACE) - 1))
    }

    /// Stores an entry. It replaces the one that is the `same`, else takes a free slot of its
    /// bucket, else one of its second half: its own, or that of an entry of less work in the first
    /// half, which it replaces there.
    #[inline]
    pub(super) fn put(&self, low: u64, words: [u64; W], same: impl Fn(&[u64; W]) -> bool) {
        let (mut part, place) = self.part(low);
        // A part grows when it is three quarters full.
        if 4 * part.filled >= 3 * part.buckets * B as u64 {
            part.grow(&self.refused);
        }
        part.put(place, words, same);
    }

    /// Stores an entry like [`Buckets::put`], but a full bucket makes its part grow, as far as it
    /// may; if that does not help, the entry of the least work is lost, be it the new one.
    pub(super) fn restore(&self, low: u64, words: [u64; W], same: impl Fn(&[u64; W]) -> bool) {
        let (mut part, place) = self.part(low);
        loop {
            if part.put_where_room(place, words, &same) {
                return;
            }
            if !part.grow(&self.refused) {
                break;
            }
        }
        let least = part.bucket_mut(place).iter_mut().min_by_key(|there| work(there[1]));
        if let Some(least) = least.filter(|least| work(least[1]) < work(words[1])) {
            *least = words;
        }
    }

    /// Calls `visit` with every entry.
    pub(super) fn for_each(&self, mut visit: impl FnMut(&[u64; W])) {
        for part in &self.parts {
            let part = locked(part);
            entries(&part.pages).iter().filter(|words| words[1] != 0).for_each(&mut visit);
        }
    }
}

/// Locks a part. A thread that panicked with the lock has left whole entries.
fn locked<const W: usize, const B: usize>(part: &Mutex<Part<W, B>>) -> MutexGuard<'_, Part<W, B>> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

#[inline]
fn entries<const W: usize>(pages: &Pages) -> &[[u64; W]] {
    pages.pairs().as_flattened().as_chunks().0
}

impl<const W: usize, const B: usize> Part<W, B> {
    /// Maps pages for so many buckets; `None` if the system does not give them, or has no addresses
    /// for them.
    fn pages(buckets: u64) -> Option<Pages> {
        Pages::new(usize::try_from(buckets).ok()?.checked_mul(B * W / 2)?)
    }

    fn new(begin: u64, most: u64, parts: u64) -> Part<W, B> {
        let given = |buckets| Some((buckets, Self::pages(buckets)?));
        // One bucket is taken without asking whether the system has it to spare.
        let least = || (1, Pages::Heap(vec![[0; 2]; B * W / 2]));
        let (buckets, pages) = given(begin).unwrap_or_else(least);
        Part { pages, buckets, most, filled: 0, parts }
    }

    /// Returns the first entry of the bucket of a place.
    #[inline]
    fn first(&self, place: u64) -> usize {
        ((u128::from(place) * u128::from(self.buckets)) >> PLACE) as usize * B
    }

    #[inline]
    pub(super) fn bucket(&self, place: u64) -> &[[u64; W]] {
        let first = self.first(place);
        &entries(&self.pages)[first..first + B]
    }

    #[inline]
    fn bucket_mut(&mut self, place: u64) -> &mut [[u64; W]] {
        let first = self.first(place);
        let all: &mut [[u64; W]] = self.pages.pairs_mut().as_flattened_mut().as_chunks_mut().0;
        &mut all[first..first + B]
    }

    /// Stores an entry in the slot of the `same` one or in a free one; `false` if there is neither.
    #[inline]
    fn put_where_room(&mut self, place: u64, words: [u64; W], same: impl Fn(&[u64; W]) -> bool) -> bool {
        let slot = self.bucket_mut(place).iter_mut().find(|there| there[1] == 0 || same(there));
        let Some(slot) = slot else { return false };
        let more = u64::from(slot[1] == 0);
        *slot = words;
        self.filled += more;
        true
    }

    #[inline]
    fn put(&mut self, place: u64, words: [u64; W], same: impl Fn(&[u64; W]) -> bool) {
        if self.put_where_room(place, words, same) {
            return;
        }
        let (kept, recent) = self.bucket_mut(place).split_at_mut(B / 2);
        let mut leaves = words;
        let least = kept.iter_mut().min_by_key(|there| work(there[1]));
        if let Some(least) = least.filter(|least| work(least[1]) <= work(words[1])) {
            std::mem::swap(least, &mut leaves);
        }
        recent.rotate_right(1);
        recent[0] = leaves;
    }

    /// Doubles the buckets, up to the limit; `false` if the part is at its limit or the system
    /// refuses.
    #[cold]
    fn grow(&mut self, refused: &AtomicBool) -> bool {
        let buckets = self.most.min(2 * self.buckets);
        if buckets == self.buckets {
            return false;
        }
        let Some(pages) = Self::pages(buckets) else {
            // The system is not asked again.
            self.most = self.buckets;
            refused.store(true, Ordering::Relaxed);
            return false;
        };
        let old = std::mem::replace(&mut self.pages, pages);
        (self.buckets, self.filled) = (buckets, 0);
        for &words in entries::<W>(&old).iter().filter(|words| words[1] != 0) {
            let place = ((words[1] >> LOW) * self.parts) & ((1 << PLACE) - 1);
            self.put(place, words, |_| false);
        }
        true
    }
}
