//! Large arrays of words that are read at random.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// From this size on an array has pages of its own.
const LARGE_BYTES: usize = 8 << 20;

/// Words in memory. Large arrays ask the system for large pages, which makes random reads cheaper; where it has none they
/// work all the same.
pub(super) enum Words {
    /// On the heap.
    Small(Vec<u64>),
    /// In pages of their own.
    Large(MmapMut),
}

impl Words {
    /// A copy.
    pub(super) fn copy_of(words: &[u64]) -> Words {
        match Words::pages(size_of_val(words)) {
            Some(pages) => {
                let mut copy = Words::Large(pages);
                copy.copy_from_slice(words);
                copy
            }
            None => Words::Small(words.to_vec()),
        }
    }

    fn pages(bytes: usize) -> Option<MmapMut> {
        let pages = (bytes >= LARGE_BYTES).then(|| MmapMut::map_anon(bytes).ok()).flatten()?;
        #[cfg(target_os = "linux")]
        if let Err(error) = pages.advise(memmap2::Advice::HugePage) {
            // A kernel without large pages: only speed is lost.
            debug_assert_ne!(error.kind(), std::io::ErrorKind::OutOfMemory);
        }
        Some(pages)
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match self {
            Words::Small(words) => words,
            Words::Large(pages) => bytemuck::cast_slice(pages),
        }
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            Words::Small(words) => words,
            Words::Large(pages) => bytemuck::cast_slice_mut(pages),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_arrays_keep_their_words() {
        for words in [0, 1, 1000, LARGE_BYTES / 8, LARGE_BYTES / 8 + 77] {
            let original: Vec<u64> = (0..words as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut copy = Words::copy_of(&original);
            assert_eq!(&*copy, &*original);
            if let Some(last) = copy.last_mut() {
                *last = !*last;
                assert_ne!(&*copy, &*original);
            }
        }
    }
}
