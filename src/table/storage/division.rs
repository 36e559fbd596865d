//! Division of the blocks of a file written in order: made by this process alone, or by several,
//! each some batches.

use crate::table::error::TableError;

/// The blocks of a batch, compressed, in the order in which they are written.
pub(in crate::table) type Blocks = Vec<Vec<u8>>;

/// Division of batches of blocks among processes. Each goes through the same batches in the same
/// order.
pub(in crate::table) trait Division {
    /// Returns the number of processes that make blocks.
    fn makers(&self) -> usize;

    /// Takes the next batch, of about this much work in any measure; `make` is called if this
    /// process makes it. Returns the blocks if this process writes them, whichever process made
    /// them.
    ///
    /// # Errors
    ///
    /// That of `make`; or if another process that makes or writes blocks is lost.
    fn batch(
        &mut self,
        work: u64,
        make: &mut dyn FnMut() -> Result<Blocks, TableError>,
    ) -> Result<Option<Blocks>, TableError>;
}

/// The division in which this process makes all, and writes all.
pub(in crate::table) struct Undivided;

impl Division for Undivided {
    fn makers(&self) -> usize {
        1
    }

    fn batch(
        &mut self,
        _: u64,
        make: &mut dyn FnMut() -> Result<Blocks, TableError>,
    ) -> Result<Option<Blocks>, TableError> {
        make().map(Some)
    }
}

/// Returns the number of batches of at most `most` pieces into which to cut `pieces`, so that all
/// makers get as many of about the same size.
pub(super) fn batches(pieces: usize, most: usize, makers: usize) -> usize {
    pieces.div_ceil(most).next_multiple_of(makers).clamp(1, pieces.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_maker_has_as_many_batches() {
        for (pieces, most, makers, wanted) in [
            (100, 10, 1, 10),
            (101, 10, 1, 11),
            (101, 10, 2, 12),
            (5, 10, 2, 2),
            (5, 10, 8, 5),
            (1, 10, 4, 1),
            (0, 10, 3, 1),
        ] {
            assert_eq!(batches(pieces, most, makers), wanted, "{pieces} by {most} for {makers}");
        }
    }
}
