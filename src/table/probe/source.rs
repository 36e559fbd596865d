//! Sources of a table's values: a file, or memory.

use crate::material::Side;
use crate::solver::Value;
use crate::table::error::TableError;
use crate::table::index::{Index, Place, TierSide};
use crate::table::storage::{BlockRows, Codes, Cursor, TableFile, codes_of, value_of};

/// The values of all places of an index.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one for each table")]
pub(in crate::table) enum Source {
    File(TableFile),
    Memory {
        /// The codes of each tier with White and with Black to move.
        tiers: Vec<[Codes; 2]>,
        /// Division into blocks for reading.
        block_rows: BlockRows,
    },
}

impl Source {
    pub(super) fn value(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        place: Place,
        to_move: Side,
    ) -> Result<Value, TableError> {
        Ok(value_of(match self {
            Source::File(file) => file.code(index, cursor, place, to_move)?,
            Source::Memory { tiers, .. } => tiers[place.tier][to_move.index()].get(index.cell(place)),
        }))
    }

    /// Calls `visit` with the value of each of some places of one block of the file, and with
    /// `None` for a place that is not held. Places come in rising order.
    pub(super) fn values(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        places: impl Iterator<Item = Place> + Clone,
        to_move: Side,
        mut visit: impl FnMut(Option<Value>),
    ) -> Result<(), TableError> {
        match self {
            Source::File(file) => file.codes_at(index, cursor, places, to_move, |code| visit(code.map(value_of))),
            Source::Memory { .. } => {
                for place in places {
                    let is_held = index.is_held(place);
                    visit(is_held.then(|| self.value(index, cursor, place, to_move)).transpose()?);
                }
                Ok(())
            }
        }
    }

    /// Returns the division of rows into the blocks that [`Source::codes`] reads.
    pub(in crate::table) fn block_rows(&self) -> &BlockRows {
        match self {
            Source::File(file) => &file.header().block_rows,
            Source::Memory { block_rows, .. } => block_rows,
        }
    }

    /// Returns the codes of the positions of a block, of which there must be `held`, by row and
    /// cell.
    pub(in crate::table) fn codes(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        tier_side: TierSide,
        block: usize,
        held: usize,
    ) -> Result<Codes, TableError> {
        match self {
            Source::File(file) => file.codes(index, cursor, tier_side, block, held),
            Source::Memory { tiers, block_rows } => Ok(codes_of(index, block_rows, tiers, tier_side, block)),
        }
    }
}
