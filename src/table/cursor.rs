//! What a reader of a table keeps from one question to the next.

use std::io;

use zstd::bulk::Decompressor;

use super::blocks::unpack;
use super::header::Content;

/// The block that was unpacked last from each of the two files of one table, and what unpacks.
pub(super) struct Cursor {
    decompressor: Decompressor<'static>,
    /// The block as it is in the file.
    packed: Vec<u8>,
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
    pub(super) fn new() -> io::Result<Cursor> {
        Ok(Cursor {
            decompressor: Decompressor::new()?,
            packed: Vec::new(),
            last: [(); 2].map(|()| (usize::MAX, Vec::new())),
        })
    }

    /// The bytes of a block, `len` of them. Unless it is the one that was asked for last, `fetch` reads it; `None` in place
    /// of it if what it reads is damaged.
    pub(super) fn read<E>(
        &mut self,
        content: Content,
        number: usize,
        len: usize,
        fetch: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<Option<&[u8]>, E> {
        let (last, plain) = &mut self.last[usize::from(content == Content::Plies)];
        if *last != number {
            *last = usize::MAX;
            fetch(&mut self.packed)?;
            if unpack(&mut self.decompressor, &self.packed, plain, len).is_none() {
                return Ok(None);
            }
            *last = number;
        }
        Ok(Some(plain))
    }
}
