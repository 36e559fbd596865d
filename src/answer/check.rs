//! Derives the values of a table in memory again.

use super::request::SolveError;
use crate::files::named;
use crate::solver::{Derived, Discrepancy, Observer, Stopped};
use crate::table::{Table, Verification, VerifyError};

named! {
    /// Check of values.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Checked {
        /// The starts, and a sample of a table in memory, derived with the reference engine from
        /// the values of the next positions. [`Table::verifier`] checks the rest of a table on
        /// disk.
        Step = "reference-step",
        /// Every value of the table derived again from those of the next positions by a second
        /// evaluator, row by row; the starts and a sample spread over all positions with the
        /// reference engine.
        Rows = "rows",
        /// Everything that the values rest on derived again with the reference engine, position by
        /// position.
        Reference = "reference",
        /// The conditions of a theorem hold.
        Theorem = "theorem",
    }
}

/// A table with at most this many positions is derived again with the reference engine alone.
const FEW_POSITIONS: u64 = 2_000_000;

/// Number of positions of a larger table that the reference engine derives again, spread over all
/// of it.
const SAMPLE: u64 = 20_000;

/// Verifies a table in memory: a small one with the reference engine alone; a larger one by rows,
/// if there is memory for that, with a sample by the reference engine. Returns the number of
/// positions that the reference engine looked at, or the limit that ended it.
///
/// # Errors
///
/// A value that does not follow.
pub(super) fn check(
    table: &Table,
    room: u64,
    observer: &dyn Observer,
) -> Result<Result<(Checked, u64), Stopped>, SolveError> {
    match derive(table, room, observer) {
        Ok(checked) => Ok(Ok(checked)),
        Err(VerifyError::Stopped(stopped)) => Ok(Err(stopped)),
        Err(VerifyError::Table(error)) => Err(error.into()),
        Err(VerifyError::Discrepancy(found)) => Err(found.into()),
    }
}

/// Verifies a solver's answer, if that is asked for. Returns the number of positions looked at, and
/// the limit that ended it.
pub(super) fn verified(
    asked: bool,
    derive: impl FnOnce() -> Derived,
) -> Result<(Option<u64>, Option<Stopped>), Discrepancy> {
    if !asked {
        return Ok((None, None));
    }
    Ok(derive()?.map_or_else(|stopped| (None, Some(stopped)), |looked_at| (Some(looked_at), None)))
}

fn derive(table: &Table, room: u64, observer: &dyn Observer) -> Result<(Checked, u64), VerifyError> {
    let positions = table.index().positions();
    let few = positions <= FEW_POSITIONS;
    let by_reference = Verification::by_reference(positions, if few { FEW_POSITIONS } else { SAMPLE });
    let rows = !few && table.bytes_of_verification() <= room;
    if rows {
        table.verifier(room, observer)?.rows(observer)?;
    }
    let looked_at = table.verify(by_reference, observer)?.reference;
    let checked = match (few, rows) {
        (true, _) => Checked::Reference,
        (_, true) => Checked::Rows,
        _ => Checked::Step,
    };
    Ok((checked, looked_at))
}
