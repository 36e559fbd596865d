//! Sources of a table's values: one file, two, or memory.

use std::io;

use crate::material::Side;
use crate::solver::Outcome;
use crate::table::error::TableError;
use crate::table::index::{Index, Place, TierSide};
use crate::table::probe::Answer;
use crate::table::storage::blocks::codes_of;
use crate::table::storage::cursor::Cursor;
use crate::table::storage::{BlockRows, Codes, Content, TableFile, value_of};

/// Returns the outcome of a code of a file of outcomes.
fn outcome_of(code: u16) -> Outcome {
    match code {
        0 => Outcome::Draw,
        1 => Outcome::Loss,
        _ => Outcome::Win,
    }
}

/// The values of all places of an index.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one for each table")]
pub(in crate::table) enum Source {
    /// A file of outcomes alone.
    Outcomes(TableFile),
    /// A file of distances alone, which tell the outcomes too.
    Plies(TableFile),
    /// Both files.
    Both {
        /// Outcomes, for questions that need no more.
        outcomes: TableFile,
        /// Distances.
        plies: TableFile,
    },
    /// In memory.
    Memory {
        /// The codes of each tier with White and with Black to move.
        tiers: Vec<[Codes; 2]>,
        /// Division into blocks for reading.
        block_rows: BlockRows,
    },
}

impl Source {
    /// Returns `true` if the distances are known.
    pub(in crate::table) fn has_plies(&self) -> bool {
        !matches!(self, Source::Outcomes(_))
    }

    /// Returns the file of outcomes and that of distances.
    pub(in crate::table) fn files(&self) -> [Option<&TableFile>; 2] {
        match self {
            Source::Outcomes(outcomes) => [Some(outcomes), None],
            Source::Plies(plies) => [None, Some(plies)],
            Source::Both { outcomes, plies } => [Some(outcomes), Some(plies)],
            Source::Memory { .. } => [None, None],
        }
    }

    /// Returns all that is known of a place.
    pub(in crate::table) fn answer(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        place: Place,
        to_move: Side,
    ) -> Result<Answer, TableError> {
        let code = match self {
            Source::Outcomes(file) | Source::Plies(file) | Source::Both { plies: file, .. } => {
                file.code(index, cursor, place, to_move)?
            }
            Source::Memory { tiers, .. } => tiers[place.tier][to_move.index()].get(index.cell(place)),
        };
        Ok(self.meaning(code))
    }

    /// Converts a code of [`Source::answer`] to an answer.
    fn meaning(&self, code: u16) -> Answer {
        match self {
            Source::Outcomes(_) => Answer { outcome: outcome_of(code), value: None },
            _ => Answer::exact(value_of(code)),
        }
    }

    /// Calls `visit` with what is known of each of some places of one block of the files, and with
    /// `None` for a place that is not held. Places come in rising order.
    pub(in crate::table) fn answers(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        places: impl Iterator<Item = Place> + Clone,
        to_move: Side,
        mut visit: impl FnMut(Option<Answer>),
    ) -> Result<(), TableError> {
        match self {
            Source::Outcomes(file) | Source::Plies(file) | Source::Both { plies: file, .. } => {
                let visit = |code: Option<u16>| visit(code.map(|code| self.meaning(code)));
                file.codes_at(index, cursor, places, to_move, visit)
            }
            Source::Memory { .. } => {
                for place in places {
                    let is_held = index.is_held(place);
                    visit(is_held.then(|| self.answer(index, cursor, place, to_move)).transpose()?);
                }
                Ok(())
            }
        }
    }

    /// Returns the outcome of a place, from the smaller file if there is one.
    pub(in crate::table) fn outcome(
        &self,
        index: &Index,
        cursor: &mut Cursor,
        place: Place,
        to_move: Side,
    ) -> Result<Outcome, TableError> {
        match self {
            Source::Outcomes(file) | Source::Both { outcomes: file, .. } => {
                Ok(outcome_of(file.code(index, cursor, place, to_move)?))
            }
            Source::Plies(_) | Source::Memory { .. } => Ok(self.answer(index, cursor, place, to_move)?.outcome),
        }
    }

    /// Returns the division of rows into the blocks that [`Source::codes`] reads.
    pub(in crate::table) fn block_rows(&self) -> &BlockRows {
        match self {
            Source::Outcomes(file) | Source::Plies(file) | Source::Both { plies: file, .. } => {
                &file.header().block_rows
            }
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
            Source::Plies(plies) | Source::Both { plies, .. } => plies.codes(index, cursor, tier_side, block, held),
            Source::Memory { tiers, block_rows } => Ok(codes_of(index, block_rows, tiers, tier_side, block)),
            Source::Outcomes(outcomes) => {
                let path = outcomes.path().with_extension(Content::Plies.extension());
                let cause = "this needs the file of distances, and only that of outcomes was built";
                Err(TableError::Io { path, cause: io::Error::new(io::ErrorKind::NotFound, cause) })
            }
        }
    }
}
