//! What a reader of tables keeps from one question to the next.

use std::io;

use zstd::bulk::Decompressor;

use super::blocks::unpack;
use super::header::Content;

/// The block that was unpacked last from each of two files, and what unpacks. Each thread has its own, and one table.
pub struct Cursor {
    decompressor: Decompressor<'static>,
    /// The number of the block and its bytes: outcomes, plies.
    last: [(usize, Vec<u8>); 2],
}

impl std::fmt::Debug for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cursor at {} and {}", self.last[0].0, self.last[1].0)
    }
}

impl Cursor {
    /// A cursor that has read nothing.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn new() -> io::Result<Cursor> {
        Ok(Cursor { decompressor: Decompressor::new()?, last: [(); 2].map(|()| (usize::MAX, Vec::new())) })
    }

    /// The bytes of a block, unpacked if need be; `None` if they are damaged.
    pub(super) fn read(&mut self, content: Content, number: usize, packed: &[u8], len: usize) -> Option<&[u8]> {
        let (last, plain) = &mut self.last[usize::from(content == Content::Plies)];
        if *last != number {
            *last = usize::MAX;
            unpack(&mut self.decompressor, packed, plain, len)?;
            *last = number;
        }
        Some(plain)
    }
}
