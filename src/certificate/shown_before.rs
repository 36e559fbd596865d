//! Situations shown so far by the sections of a proof, for those after them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{PoisonError, RwLock};

/// Bytes of a shown situation: a slot of a hash table with its control byte, seven eighths of which
/// are used at most.
pub(super) const SLOT: u64 = 20;

/// Keys of situations. They are hashes already.
pub(super) type Shown = HashSet<ShownKey, BuildHasherDefault<FirstBytes>>;

/// Hasher that takes the first eight bytes of a key.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FirstBytes(u64);

impl Hasher for FirstBytes {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some((first, _)) = bytes.split_first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    // The length of a key is no part of it.
    fn write_usize(&mut self, _: usize) {}
}

/// Returns `true` if one more situation would make a table of these take more than `memory` bytes:
/// a full one grows to twice its size.
pub(super) fn is_full(table: &Shown, memory: u64) -> bool {
    let room = table.capacity();
    table.len() == room && 2 * SLOT * room as u64 > memory
}

/// Number of tables: each grows by itself, and while it does has its old slots beside the new ones.
const PARTS: usize = 256;

/// Key by which a situation is recognized: 128 bits of a hash with secret numbers.
pub(super) type ShownKey = [u8; 16];

/// The situations that some walks have shown to be won, or left to a section of its own; several
/// threads may look.
#[derive(Debug)]
pub(super) struct ShownBefore {
    parts: Vec<RwLock<Shown>>,
    /// The most bytes that a part may take.
    memory: u64,
}

impl ShownBefore {
    /// Creates an empty store, of at most `memory` bytes ever.
    pub(super) fn within(memory: u64) -> ShownBefore {
        let parts = (0..PARTS).map(|_| RwLock::default()).collect();
        ShownBefore { parts, memory: memory / PARTS as u64 }
    }

    /// Creates an empty store for the maker of a proof: a fourth of its limit of memory, beside the
    /// tables of the search.
    pub(super) fn beside_search(memory: u64) -> ShownBefore {
        ShownBefore::within(memory / 4)
    }

    /// Returns the most bytes that they may take.
    pub(super) fn memory(&self) -> u64 {
        self.memory * PARTS as u64
    }

    pub(super) fn has(&self, key: &ShownKey) -> bool {
        self.part(key).read().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    /// Adds situations; `false` if some do not fit, which are left out.
    pub(super) fn add(&self, keys: &Shown) -> bool {
        let mut all = true;
        for key in keys {
            let mut part = self.part(key).write().unwrap_or_else(PoisonError::into_inner);
            // The first ones take the least that a table can have.
            let fits_none = part.is_empty() && 8 * SLOT > self.memory;
            if fits_none || is_full(&part, self.memory) {
                all &= part.contains(key);
            } else {
                part.insert(*key);
            }
        }
        all
    }

    fn part(&self, key: &ShownKey) -> &RwLock<Shown> {
        &self.parts[usize::from(key[0])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out() {
        let keys: Shown = (0..100_000_u128).map(|n| ((n << 64) | (n * n)).to_le_bytes()).collect();
        let all = ShownBefore::within(1 << 30);
        assert!(all.add(&keys) && keys.iter().all(|key| all.has(key)) && !all.has(&[255; 16]));
        let few = ShownBefore::within(1 << 19);
        assert!(!few.add(&keys));
        let kept = keys.iter().filter(|key| few.has(key)).count();
        assert!((1_000..50_000).contains(&kept), "{kept}");
        let known = keys.iter().copied().filter(|key| few.has(key)).collect();
        assert!(few.add(&known), "what is there needs no room");
    }
}
