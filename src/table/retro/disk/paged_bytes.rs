//! Bytes in memory that several threads read and write, in pages with a lock each.

use std::io;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};

use crate::table::retro::disk::plane_store::PlaneBytes;

/// Bytes of a page.
const PAGE: usize = 1 << 17;

/// Bytes in memory, read and written like those of a file.
pub(super) struct PagedBytes {
    pages: Vec<RwLock<Vec<u8>>>,
}

impl PagedBytes {
    pub(super) fn zeros(bytes: usize) -> PagedBytes {
        let page = |first: usize| RwLock::new(vec![0; PAGE.min(bytes - first)]);
        PagedBytes { pages: (0..bytes).step_by(PAGE).map(page).collect() }
    }

    /// Returns the pages that have some bytes: where in the page they are, and where among those
    /// asked for.
    fn pieces(&self, at: u64, len: usize) -> impl Iterator<Item = (&RwLock<Vec<u8>>, Range<usize>, Range<usize>)> {
        let (first, end) = (at as usize, at as usize + len);
        (first / PAGE..end.div_ceil(PAGE)).map(move |page| {
            let these = first.max(page * PAGE)..end.min((page + 1) * PAGE);
            let within = these.start - page * PAGE..these.end - page * PAGE;
            (&self.pages[page], within, these.start - first..these.end - first)
        })
    }
}

impl PlaneBytes for PagedBytes {
    /// Reads the bytes that begin at `at`.
    ///
    /// # Panics
    ///
    /// If there are not as many.
    fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        for (page, within, these) in self.pieces(at, bytes.len()) {
            bytes[these].copy_from_slice(&page.read().unwrap_or_else(PoisonError::into_inner)[within]);
        }
        Ok(())
    }

    /// Writes bytes from `at` on.
    ///
    /// # Panics
    ///
    /// If there is no room for them.
    fn write(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        for (page, within, these) in self.pieces(at, bytes.len()) {
            page.write().unwrap_or_else(PoisonError::into_inner)[within].copy_from_slice(&bytes[these]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_they_were_written_across_pages() {
        let len = 3 * PAGE + 77;
        let (pages, mut plain) = (PagedBytes::zeros(len), vec![0; len]);
        let mut random = 7_u64;
        for _ in 0..200 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let at = (random >> 33) as usize % len;
            let count = ((random >> 13) as usize % (2 * PAGE)).min(len - at);
            let bytes: Vec<u8> = (0..count).map(|i| (random >> (i % 50)) as u8).collect();
            pages.write(&bytes, at as u64).unwrap();
            plain[at..at + count].copy_from_slice(&bytes);
        }
        for (at, count) in [(0, len), (PAGE - 1, 2), (PAGE, PAGE), (2 * PAGE + 5, PAGE + 72), (len, 0)] {
            let mut bytes = vec![1; count];
            pages.read(&mut bytes, at as u64).unwrap();
            assert!(bytes == plain[at..at + count], "{count} bytes at {at}");
        }
    }
}
