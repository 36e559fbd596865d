//! Large arrays of words and bytes that are read at random.

use std::ops::{Deref, DerefMut};
use std::{fmt, io};

use memmap2::{MmapMut, MmapOptions};

use crate::solver::memory::ask_for_large_pages;

/// Size from which on an array has pages of its own.
const LARGE_BYTES: usize = 8 << 20;

/// An array of 64-bit words. A large one asks the system for large pages, which makes random reads
/// cheaper; without them it works all the same.
pub(in crate::table) enum PageBuffer {
    Small(Vec<u64>),
    Large(MmapMut),
}

impl PageBuffer {
    pub(in crate::table) fn copy_of(words: &[u64]) -> PageBuffer {
        match PageBuffer::pages(size_of_val(words)) {
            Some(pages) => {
                let mut copy = PageBuffer::Large(pages);
                copy.copy_from_slice(words);
                copy
            }
            None => PageBuffer::Small(words.to_vec()),
        }
    }

    /// Creates `words` zeros, in pages that take memory only where a word is written.
    pub(in crate::table) fn sparse(words: usize) -> io::Result<PageBuffer> {
        if words == 0 {
            return Ok(PageBuffer::Small(Vec::new()));
        }
        MmapOptions::new().len(size_of::<u64>() * words).no_reserve_swap().map_anon().map(PageBuffer::Large)
    }

    pub(in crate::table) fn zeros(words: usize) -> PageBuffer {
        PageBuffer::pages(size_of::<u64>() * words).map_or_else(|| PageBuffer::Small(vec![0; words]), PageBuffer::Large)
    }

    fn pages(bytes: usize) -> Option<MmapMut> {
        let pages = (bytes >= LARGE_BYTES).then(|| MmapMut::map_anon(bytes).ok()).flatten()?;
        ask_for_large_pages(&pages);
        Some(pages)
    }
}

impl Deref for PageBuffer {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match self {
            PageBuffer::Small(words) => words,
            PageBuffer::Large(pages) => bytemuck::cast_slice(pages),
        }
    }
}

impl DerefMut for PageBuffer {
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            PageBuffer::Small(words) => words,
            PageBuffer::Large(pages) => bytemuck::cast_slice_mut(pages),
        }
    }
}

/// Bytes in memory.
pub(super) enum Bytes {
    Heap(Vec<u8>),
    Pages(MmapMut),
}

impl Bytes {
    /// Creates `bytes` zeros. Large arrays have pages of their own, which the system has back when
    /// they are dropped.
    pub(in crate::table) fn zeros(bytes: usize) -> Bytes {
        PageBuffer::pages(bytes).map_or_else(|| vec![0; bytes].into(), Bytes::Pages)
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes::Heap(bytes)
    }
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::Heap(Vec::new())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Heap(bytes) => bytes,
            Bytes::Pages(pages) => pages,
        }
    }
}

impl DerefMut for Bytes {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Bytes::Heap(bytes) => bytes,
            Bytes::Pages(pages) => pages,
        }
    }
}

impl Clone for Bytes {
    fn clone(&self) -> Bytes {
        self.to_vec().into()
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        **self == **other
    }
}

impl Eq for Bytes {}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_arrays_keep_their_words() {
        for words in [0, 1, 1000, LARGE_BYTES / 8, LARGE_BYTES / 8 + 77] {
            let original: Vec<u64> = (0..words as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut copy = PageBuffer::copy_of(&original);
            assert_eq!(&*copy, &*original);
            if let Some(last) = copy.last_mut() {
                *last = !*last;
                assert_ne!(&*copy, &*original);
            }
        }
    }

    #[test]
    fn an_array_has_pages_of_its_own_from_the_size_on_that_is_large() {
        for (bytes, own) in [(LARGE_BYTES - 8, false), (LARGE_BYTES, true), (LARGE_BYTES + 8, true)] {
            assert_eq!(matches!(PageBuffer::zeros(bytes / 8), PageBuffer::Large(_)), own, "{bytes} bytes");
            assert_eq!(matches!(Bytes::zeros(bytes), Bytes::Pages(_)), own, "{bytes} bytes");
        }
    }

    #[test]
    fn sparse_arrays_are_zeros_until_they_are_written() {
        // Far more than there is memory: what is not written takes none.
        let mut words = PageBuffer::sparse(1 << 38).unwrap();
        words[1 << 37] = 7;
        assert_eq!((words[1 << 36], words[1 << 37], words.len()), (0, 7, 1 << 38));
        assert!(PageBuffer::sparse(0).unwrap().is_empty());
    }
}
