//! What the sections of a proof have shown so far, for those after them.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

/// What a situation shown takes: a slot of a hash table with its control byte, seven eighths of which are used at most.
pub(super) const SLOT: u64 = 20;

/// How many tables there are: each grows by itself, and while it does has its old slots beside the new ones.
const PARTS: usize = 256;

/// By what a situation is known again: 128 bits of a hash with a salt.
pub(super) type ShownKey = [u8; 16];

/// The situations that some walks have shown to be won, or left to a section of its own; several threads may look.
#[derive(Debug)]
pub(super) struct ShownBefore {
    /// The salt of the keys.
    pub(super) salt: ShownKey,
    parts: Vec<RwLock<HashSet<ShownKey>>>,
    /// The most bytes that a part may take.
    memory: u64,
}

impl ShownBefore {
    /// Nothing so far, and at most `memory` bytes of it ever.
    pub(super) fn within(salt: ShownKey, memory: u64) -> ShownBefore {
        let parts = (0..PARTS).map(|_| RwLock::default()).collect();
        ShownBefore { salt, parts, memory: memory / PARTS as u64 }
    }

    /// The most bytes that they may take.
    pub(super) fn memory(&self) -> u64 {
        self.memory * PARTS as u64
    }

    /// Whether a situation is among them.
    pub(super) fn has(&self, key: &ShownKey) -> bool {
        self.part(key).read().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    /// Adds situations; `false` if some do not fit, which are left out.
    pub(super) fn add(&self, keys: &HashSet<ShownKey>) -> bool {
        let mut all = true;
        for key in keys {
            let mut part = self.part(key).write().unwrap_or_else(PoisonError::into_inner);
            // A full table grows to twice its size.
            let room = part.capacity();
            if part.len() == room && 2 * SLOT * room.max(4) as u64 > self.memory {
                all &= part.contains(key);
            } else {
                part.insert(*key);
            }
        }
        all
    }

    fn part(&self, key: &ShownKey) -> &RwLock<HashSet<ShownKey>> {
        &self.parts[usize::from(key[0])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out() {
        let keys: HashSet<ShownKey> = (0..100_000_u128).map(|n| ((n << 64) | (n * n)).to_le_bytes()).collect();
        let all = ShownBefore::within([0; 16], 1 << 30);
        assert!(all.add(&keys) && keys.iter().all(|key| all.has(key)) && !all.has(&[255; 16]));
        let few = ShownBefore::within([0; 16], 1 << 19);
        assert!(!few.add(&keys));
        let kept = keys.iter().filter(|key| few.has(key)).count();
        assert!((1_000..50_000).contains(&kept), "{kept}");
        let known = keys.iter().copied().filter(|key| few.has(key)).collect();
        assert!(few.add(&known), "what is there needs no room");
    }
}
