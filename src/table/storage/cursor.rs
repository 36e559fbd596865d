//! State that a reader of a table keeps from one question to the next.

use std::io;

use crate::table::storage::codec::Codec;

/// Some blocks that were unpacked from the file of one table, and what unpacks.
pub(in crate::table) struct Cursor {
    codec: Codec,
    /// A block as it is in the file.
    packed: Vec<u8>,
    /// A block is kept in the slot of the remainder of its number.
    slots: Vec<Slot>,
}

#[derive(Clone)]
struct Slot {
    /// The number of the block; [`Slot::EMPTY`] for none.
    number: usize,
    plain: Vec<u8>,
}

impl Slot {
    const EMPTY: usize = usize::MAX;
}

impl std::fmt::Debug for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cursor with {} blocks", self.slots.iter().filter(|slot| slot.number != Slot::EMPTY).count())
    }
}

impl Cursor {
    /// Creates a cursor that has read nothing and keeps at most `blocks` blocks, at least 1.
    pub(in crate::table) fn new(blocks: usize) -> Cursor {
        let slots = vec![Slot { number: Slot::EMPTY, plain: Vec::new() }; blocks.max(1)];
        Cursor { codec: Codec::default(), packed: Vec::new(), slots }
    }

    /// Returns the same with all that it needs to unpack a block.
    pub(in crate::table) fn prepared(blocks: usize) -> io::Result<Cursor> {
        Ok(Cursor { codec: Codec::for_unpacking()?, ..Cursor::new(blocks) })
    }

    /// Forgets all blocks, so that those of another table may be read.
    pub(in crate::table) fn forget(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.number = Slot::EMPTY);
    }

    /// Returns the bytes of a block, at most `most` of them; `None` if it is damaged. Unless the
    /// block is kept, `fetch` gets it as it is in the file: it returns the bytes, or puts them into
    /// the buffer and returns `None`.
    pub(super) fn read<'f, E>(
        &mut self,
        number: usize,
        most: usize,
        fetch: impl FnOnce(&mut Vec<u8>) -> Result<Option<&'f [u8]>, E>,
        failed: impl FnOnce(io::Error) -> E,
    ) -> Result<Option<&[u8]>, E> {
        let slot = number % self.slots.len();
        let Slot { number: kept, plain } = &mut self.slots[slot];
        if *kept != number {
            *kept = Slot::EMPTY;
            let packed = fetch(&mut self.packed)?.unwrap_or(&self.packed);
            if !self.codec.unpack_at_most(packed, plain, most).map_err(failed)? {
                return Ok(None);
            }
            *kept = number;
        }
        Ok(Some(plain))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn a_block_is_fetched_again_only_when_another_has_taken_its_slot() {
        let packed = |number: usize| zstd::bulk::compress(&[number as u8; 100], 1).unwrap();
        let blocks: Vec<Vec<u8>> = (0..9).map(packed).collect();
        let mut cursor = Cursor::new(4);
        let mut read = |number: usize, in_memory: bool| {
            let mut fetched = false;
            let fetch = |buffer: &mut Vec<u8>| -> Result<Option<&[u8]>, Infallible> {
                fetched = true;
                buffer.clone_from(&blocks[number]);
                Ok(in_memory.then_some(&blocks[number][..]))
            };
            let Ok(plain) = cursor.read(number, 100, fetch, |e| panic!("{e}"));
            assert_eq!(plain, Some(&[number as u8; 100][..]));
            fetched
        };
        for in_memory in [false, true] {
            let fetched = [0, 1, 3, 0, 1, 4, 0, 4, 8, 1, 3].map(|number| read(number, in_memory));
            // In the second round 1 and 3 are still there from the first.
            let first = !in_memory;
            let expected = [true, first, first, false, false, true, true, true, true, false, false];
            assert_eq!(fetched, expected, "in memory: {in_memory}");
        }
    }

    #[test]
    fn a_damaged_block_is_none_and_is_not_kept() {
        let mut cursor = Cursor::prepared(4).unwrap();
        let good = zstd::bulk::compress(&[7; 100], 1).unwrap();
        let mut read = |bytes: &[u8], len| {
            let fetch = |_: &mut Vec<u8>| -> Result<Option<&[u8]>, Infallible> { Ok(Some(bytes)) };
            let Ok(plain) = cursor.read(2, len, fetch, |e| panic!("{e}"));
            plain.map(<[u8]>::to_vec)
        };
        assert_eq!(read(&good[..good.len() - 1], 100), None);
        assert_eq!(read(&good, 99), None);
        assert_eq!(read(&good, 100), Some(vec![7; 100]));
        // It is kept now, so nothing else is looked at.
        assert_eq!(read(&[], 100), Some(vec![7; 100]));
    }
}
