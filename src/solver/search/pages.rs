//! Memory for a large table: pages of its own, large ones where the system has them.

use memmap2::MmapMut;

use crate::solver::memory::ask_for_large_pages;

/// Size from which on memory is mapped instead of taken from the heap: that of the system's
/// large pages.
const LARGE: usize = 2 << 20;

/// Pairs of words, all 0 at first.
pub(super) enum Pages {
    /// On the heap.
    Heap(Vec<[u64; 2]>),
    /// In mapped pages, which go back to the system when dropped.
    Own(MmapMut),
}

impl Pages {
    /// Allocates room for `pairs` pairs; `None` if the system does not give it.
    pub(super) fn new(pairs: usize) -> Option<Pages> {
        let bytes = pairs.checked_mul(size_of::<[u64; 2]>())?;
        if bytes < LARGE {
            let mut heap = Vec::new();
            heap.try_reserve_exact(pairs).ok()?;
            heap.resize(pairs, [0; 2]);
            return Some(Pages::Heap(heap));
        }
        let pages = MmapMut::map_anon(bytes).ok()?;
        ask_for_large_pages(&pages);
        Some(Pages::Own(pages))
    }

    #[inline]
    pub(super) fn pairs(&self) -> &[[u64; 2]] {
        match self {
            Pages::Heap(pairs) => pairs,
            Pages::Own(pages) => bytemuck::cast_slice(pages),
        }
    }

    #[inline]
    pub(super) fn pairs_mut(&mut self) -> &mut [[u64; 2]] {
        match self {
            Pages::Heap(pairs) => pairs,
            Pages::Own(pages) => bytemuck::cast_slice_mut(pages),
        }
    }
}
