//! Buffers and codecs that threads sweeping strips reuse.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use crate::table::retro::disk::logged::Buffers;
use crate::table::storage::{BlockReader, Codec, PageBuffer};

/// Buffers of a thread that sweeps chunks.
pub(in crate::table) struct Tools {
    pub(super) codec: Codec,
    pub(super) buffers: Buffers,
    pub(super) blocks: BlockReader,
    /// Words, and where they are to be put.
    pub(super) places: Vec<(u64, u64)>,
    pub(super) written: Vec<u64>,
    pub(super) other: Vec<u64>,
    pub(super) found: Vec<u64>,
    pub(super) bytes: Vec<u8>,
}

impl Default for Tools {
    fn default() -> Tools {
        Tools {
            // Fast, since what is packed is read once or twice.
            codec: Codec::fast(),
            buffers: Default::default(),
            blocks: Default::default(),
            places: Vec::new(),
            written: Vec::new(),
            other: Vec::new(),
            found: Vec::new(),
            bytes: Vec::new(),
        }
    }
}

/// Tools that are free at the moment: making them anew for each chunk would often take longer than
/// the chunk.
#[derive(Default)]
pub(super) struct ToolPool(Mutex<Vec<Tools>>);

impl ToolPool {
    pub(super) fn take(&self) -> Lent<'_> {
        let tools = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        Lent { pool: self, tools }
    }
}

/// Tools that go back when they are dropped.
pub(super) struct Lent<'a> {
    pool: &'a ToolPool,
    tools: Tools,
}

impl Deref for Lent<'_> {
    type Target = Tools;

    fn deref(&self) -> &Tools {
        &self.tools
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Tools {
        &mut self.tools
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let tools = std::mem::take(&mut self.tools);
        self.pool.0.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
    }
}

/// Arrays of words that were used before: their pages need not be asked of the system again.
#[derive(Default)]
pub(super) struct SpareWords {
    most: usize,
    kept: Mutex<Vec<Vec<u64>>>,
}

impl SpareWords {
    /// Keeps so many bytes at most.
    pub(super) fn up_to(bytes: u64) -> SpareWords {
        SpareWords { most: usize::try_from(bytes / 8).unwrap_or(usize::MAX), kept: Mutex::default() }
    }

    /// Returns an array of this many words, in the smallest one that is long enough. Anything may
    /// be in them.
    pub(super) fn take(&self, words: usize) -> PageBuffer {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = (0..kept.len()).filter(|&i| kept[i].capacity() >= words).min_by_key(|&i| kept[i].capacity());
        let mut array = fitting.map(|i| kept.swap_remove(i)).unwrap_or_default();
        drop(kept);
        array.resize(words, 0);
        // Whoever reads what was not filled gets a wrong table in tests.
        if cfg!(debug_assertions) {
            array.fill(u64::MAX);
        }
        PageBuffer::Small(array)
    }

    /// Keeps an array for later, and drops smaller ones where there would be too many.
    pub(super) fn give(&self, words: PageBuffer) {
        let PageBuffer::Small(array) = words else { return };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(array);
        kept.sort_unstable_by_key(|array| std::cmp::Reverse(array.capacity()));
        let mut left = self.most;
        kept.retain(|array| {
            let fits = array.capacity() > 0 && array.capacity() <= left;
            left -= if fits { array.capacity() } else { 0 };
            fits
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spare_words_are_kept_and_no_more_than_was_said() {
        let spare = SpareWords::up_to(8 * 1000);
        for round in 0..3 {
            let arrays: Vec<PageBuffer> = [100, 700, 250].into_iter().map(|words| spare.take(words)).collect();
            assert!(arrays.iter().map(|array| array.len()).eq([100, 700, 250]), "round {round}");
            arrays.into_iter().for_each(|array| spare.give(array));
            let kept: usize = spare.kept.lock().unwrap().iter().map(Vec::capacity).sum();
            assert!((950..=1000).contains(&kept), "{kept}");
        }
        assert_eq!(SpareWords::default().take(5).len(), 5);
    }
}
