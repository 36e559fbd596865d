//! Verifies a table as a whole: the bytes, all rows, and positions one by one.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::engine::{Bitboard, Engine};
use crate::material::Side;
use crate::position::Game;
use crate::solver::{Discrepancy, Observer, Phase};
use crate::table::index::{Index, Place};
use crate::table::probe::Table;
use crate::table::storage::{BlockRows, Codes, Cursor, TableFile, value_of};
use crate::table::verify::error::VerifyError;
use crate::table::verify::judge::Judge;
use crate::table::verify::rows::{
    Ended, Fault, ROWS_PER_TASK, Stored, Unpacked, Wrong, check_rows, for_each_row, for_each_slice, in_memory,
};

/// Options of verification: the positions checked one by one, and the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The fast engine derives one position in `fast_every` again: 1 for all, 0 for none.
    pub fast_every: u64,
    /// The reference engine derives one position in `reference_every` again: 1 for all, 0 for none.
    pub reference_every: u64,
}

impl Verification {
    /// Returns all of `positions` positions by the reference engine, or about `most` of them,
    /// evenly spread, if that is less.
    #[must_use]
    pub fn by_reference(positions: u64, most: u64) -> Verification {
        Verification { fast_every: 0, reference_every: if most == 0 { 0 } else { positions.div_ceil(most).max(1) } }
    }
}

/// Counts of the positions verified one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Positions derived again by the fast engine.
    pub fast: u64,
    /// Positions derived again by the reference engine.
    pub reference: u64,
}

/// A table with all values in memory, to be verified.
///
/// If every value follows from those of the next positions, all are right. A win or a loss rests on
/// positions that are closer to the end, so no two rest on each other. A draw has no action that
/// wins and one that leads to a draw, and so has the position there.
#[derive(Debug)]
pub struct Verifier<'a> {
    table: &'a Table,
    engine: Bitboard,
    unpacked: Unpacked,
}

impl Verifier<'_> {
    /// Derives all values again, a row at a time, and returns the number of positions. The
    /// evaluator shares with the sweeps how positions are numbered (tier, row and cell) and what
    /// codes mean, and with the engines the board and the pods. It derives itself which positions
    /// exist; the index must hold just these. The observer is told how many rows are done.
    ///
    /// # Errors
    ///
    /// A position whose value does not follow; or if the observer stops it.
    pub fn rows(&self, observer: &dyn Observer) -> Result<u64, VerifyError> {
        rows(&self.engine, self.table.index(), &self.unpacked, observer)
    }

    /// Derives values again position by position, and for all rows which positions exist. By the
    /// fast engine, which also solves tables position by position, or by the reference engine,
    /// which solves none. The observer is told how many rows are done.
    ///
    /// # Errors
    ///
    /// A position whose value does not follow; or if the observer stops it.
    pub fn positions(&self, what: Verification, observer: &dyn Observer) -> Result<Verified, VerifyError> {
        positions(&self.engine, self.table.index(), &self.unpacked, what, observer)
    }
}

impl Table {
    /// Checks every byte and unpacks all values into memory. The observer is told how many rows are
    /// unpacked.
    ///
    /// # Errors
    ///
    /// If the file is damaged, more memory is needed than allowed, or the observer stops it.
    pub fn verifier(&self, memory: u64, observer: &dyn Observer) -> Result<Verifier<'_>, VerifyError> {
        self.file().map_or(Ok(()), TableFile::check_bytes)?;
        let wide = self.file().is_some_and(|file| !file.header().wide_tiers.is_empty());
        let (index, source) = (self.index(), self.source());
        let codes = |cursor: &mut Cursor, tier_side, block: usize, held: usize| {
            source.codes(index, cursor, tier_side, block, held)
        };
        let unpacked = Unpacked::new(index, source.block_rows(), wide, memory, codes, observer)?;
        Ok(Verifier { table: self, engine: Bitboard::new(self.game().clone()), unpacked })
    }

    /// Returns the most bytes that [`Verifier::rows`] takes beside the table; less where
    /// positions are left out, and more if a distance needs two bytes.
    pub(crate) fn bytes_of_verification(&self) -> u64 {
        bytes_of_verification(self.index())
    }

    /// Checks every byte, then derives values again, position by position.
    ///
    /// # Errors
    ///
    /// If a file is damaged, a position's value does not follow from those of its next positions,
    /// or the observer stops it.
    pub fn verify(&self, what: Verification, observer: &dyn Observer) -> Result<Verified, VerifyError> {
        match self.codes_in_memory() {
            Some(tiers) => verify_codes(&Bitboard::new(self.game().clone()), self.index(), tiers, what, observer),
            None => self.verifier(u64::MAX, observer)?.positions(what, observer),
        }
    }
}

/// Derives values in memory again, position by position.
///
/// # Errors
///
/// A position whose value does not follow; or if the observer stops it.
pub fn verify_codes(
    engine: &Bitboard,
    index: &Index,
    tiers: &[[Codes; 2]],
    what: Verification,
    observer: &dyn Observer,
) -> Result<Verified, VerifyError> {
    positions(engine, index, &tiers, what, observer)
}

/// Derives all values in memory again, a row at a time, as [`Verifier::rows`] does.
///
/// # Errors
///
/// A position whose value does not follow; or if the observer stops it.
pub fn verify_rows(
    engine: &Bitboard,
    index: &Index,
    tiers: &[[Codes; 2]],
    observer: &dyn Observer,
) -> Result<u64, VerifyError> {
    let wide = tiers.iter().flatten().any(|codes| !codes.high().is_empty());
    let block_rows = BlockRows::by_cells(index);
    let codes = in_memory(index, &block_rows, tiers);
    let unpacked = Unpacked::new(index, &block_rows, wide, u64::MAX, codes, observer)?;
    rows(engine, index, &unpacked, observer)
}

/// Returns the most bytes that deriving all rows of a table takes beside it.
pub(in crate::table) fn bytes_of_verification(index: &Index) -> u64 {
    Unpacked::most_bytes(index)
}

fn rows(engine: &Bitboard, index: &Index, unpacked: &Unpacked, observer: &dyn Observer) -> Result<u64, VerifyError> {
    match check_rows(engine.game(), index, unpacked, observer) {
        Ok(positions) => Ok(positions),
        Err(Ended::Stopped(stopped)) => Err(stopped.into()),
        Err(Ended::Wrong(Wrong { place, to_move, fault: Fault::Held { by_index } })) => {
            Err(other_existence(engine.game(), index, place, to_move, by_index).into())
        }
        Err(Ended::Wrong(Wrong { place, to_move, fault: Fault::NoPlace })) => {
            let cause = "an action from this row leads to a position for which the index has no place".to_owned();
            Err(Discrepancy { position: text(engine.game(), index, place, to_move), cause }.into())
        }
        Err(Ended::Wrong(Wrong { place, to_move, fault: Fault::Code { stored, derived } })) => {
            let (stored, derived) = (value_of(stored), value_of(derived));
            let judge = Judge::new(engine, index, unpacked);
            let by_engine = index.position(place, to_move).map(|position| judge.by_fast(place, &position));
            let engine_agrees = if matches!(by_engine, Some(Ok(()))) {
                "; the fast engine agrees with the table, so the evaluator of rows may be at fault"
            } else {
                ""
            };
            let cause = format!("the table says {stored}, its next positions say {derived}{engine_agrees}");
            Err(Discrepancy { position: text(engine.game(), index, place, to_move), cause }.into())
        }
    }
}

/// Returns the error that the index and the verifier differ in which positions there are.
fn other_existence(game: &Game, index: &Index, place: Place, to_move: Side, by_index: bool) -> Discrepancy {
    let cause = match by_index {
        true => "the index holds this position, and by the board and the legs no table has to: a pod is blocked",
        false => "the index leaves this position out, and by the board and the legs no pod is blocked",
    };
    Discrepancy { position: text(game, index, place, to_move), cause: cause.to_owned() }
}

fn text(game: &Game, index: &Index, place: Place, to_move: Side) -> String {
    index.position(place, to_move).map_or_else(|| format!("{place:?}"), |position| position.display(game).to_string())
}

fn positions(
    engine: &Bitboard,
    index: &Index,
    stored: &impl Stored,
    what: Verification,
    observer: &dyn Observer,
) -> Result<Verified, VerifyError> {
    let judge = Judge::new(engine, index, stored);
    let (fast, reference) = (AtomicU64::new(0), AtomicU64::new(0));
    if what.fast_every == 0 && what.reference_every == 0 {
        return Ok(Verified::default());
    }
    let (done, total) = (AtomicU64::new(0), index.rows());
    for (number, tier) in index.tiers().iter().enumerate() {
        (0..tier.rows().div_ceil(ROWS_PER_TASK)).into_par_iter().try_for_each(|chunk| {
            observer.stop().map_or(Ok(()), Err)?;
            let mut result = Ok(());
            let (mut by_fast, mut by_reference) = (0, 0);
            let rows = ROWS_PER_TASK.min(tier.rows() - chunk * ROWS_PER_TASK);
            for_each_slice(tier, chunk * ROWS_PER_TASK, rows, |slice, first, rows| {
                for_each_row(index, slice, first, rows, |row, fixed| {
                    let (existing, mut cells) = judge.tables.existing(slice, fixed);
                    let differ = existing ^ index.cells(slice, fixed);
                    if differ != 0 && result.is_ok() {
                        let place = Place { tier: number, row, cell: differ.trailing_zeros() as u8 };
                        let by_index = existing >> place.cell & 1 == 0;
                        result = Err(other_existence(engine.game(), index, place, Side::White, by_index));
                    }
                    while cells != 0 && result.is_ok() {
                        let cell = cells.trailing_zeros() as u8;
                        cells &= cells - 1;
                        let place = Place { tier: number, row, cell };
                        for side in Side::BOTH {
                            // Numbers of positions that are spread evenly, whatever the layout of
                            // rows.
                            let number = (row * 64 + u64::from(cell)) * 2 + side.index() as u64;
                            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
                            let due = |every: u64| every > 0 && mixed.is_multiple_of(every);
                            if !due(what.fast_every) && !due(what.reference_every) {
                                continue;
                            }
                            let Some(position) = index.position(place, side) else {
                                result = Err(other_existence(engine.game(), index, place, side, false));
                                break;
                            };
                            if due(what.fast_every) && result.is_ok() {
                                result = judge.by_fast(place, &position);
                                by_fast += 1;
                            }
                            if due(what.reference_every) && result.is_ok() {
                                result = judge.by_reference(place, &position);
                                by_reference += 1;
                            }
                        }
                    }
                });
            });
            fast.fetch_add(by_fast, Ordering::Relaxed);
            reference.fetch_add(by_reference, Ordering::Relaxed);
            observer.progress(Phase::Verify, done.fetch_add(rows, Ordering::Relaxed) + rows, Some(total));
            result.map_err(VerifyError::from)
        })?;
    }
    Ok(Verified { fast: fast.into_inner(), reference: reference.into_inner() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Inputs, Output, Overwrite};
    use crate::position::{Hand, Setup};
    use crate::rules::Preset;
    use crate::table::solve::{Solved, Sweeps};
    use crate::table::stats::held;
    use crate::table::storage::{
        BuildFolder, Header, NewFile, Parts, SetupText, TierBlocks, Undivided, like_table, table_path, write_table,
    };
    use crate::table::testing::whole;

    /// Writes a table with these codes in its file, opens and verifies it.
    fn verified(solved: &Solved, game: &Game, hands: &[Hand; 2], codes: &[[Codes; 2]]) -> Result<(), VerifyError> {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("t");
        let setup = SetupText::new(&Setup::new(game.clone(), hands));
        let header = Header { setup, block_rows: BlockRows::new(&solved.index), wide_tiers: Vec::new() };
        let build_folder = BuildFolder::open(&folder.path().join("parts"), &header.setup, false).unwrap();
        let mut parts = Parts::open(build_folder, &header.setup).unwrap();
        let tiers =
            || codes.iter().enumerate().map(|(t, codes)| TierBlocks::new(&solved.index, t, codes, None).unwrap());
        parts.add(0, codes.len(), |writer| tiers().try_for_each(|tier| tier.write(writer))).unwrap();
        let overwrite = Overwrite { force: false, inputs: &Inputs::default(), judge: &like_table };
        let output = Output::new(&table_path(&name), overwrite).unwrap();
        write_table(&NewFile { output, header }, &solved.index, &parts, &mut Undivided, &mut |_, _| ()).unwrap();
        let table = Table::open(&name)?;
        let verifier = table.verifier(1 << 30, &crate::solver::Silent)?;
        assert_eq!(verifier.rows(&crate::solver::Silent)?, held(&solved.index));
        Ok(())
    }

    #[test]
    fn a_wrong_value_with_right_checksums_is_found() {
        let (game, index) = whole("ring8", "duo", Preset::Advanced);
        let hands = [Hand::whole(game.pods()); 2];
        let solved = Solved::solve(&Bitboard::new(game.clone()), index, Sweeps::Direct, |_, _| ());
        let right = &solved.tiers[..];
        verified(&solved, &game, &hands, right).unwrap();
        let tier = right.len() - 1;
        let points = game.board().len();
        // A row and a cell that cannot be taken for each other.
        let decided = |cell: &usize| right[tier][1].get(*cell) > 0 && cell / points != cell % points;
        let cell = (0..right[tier][1].len()).find(decided).expect("a decided position");
        let code = right[tier][1].get(cell);
        for wrong in [0, code + 1, code + 2] {
            let mut low = right[tier][1].low().to_vec();
            low[cell] = wrong as u8;
            let mut codes = right.to_vec();
            codes[tier][1] = Codes::from_bytes(low, Vec::new());
            let found = match verified(&solved, &game, &hands, &codes) {
                Err(VerifyError::Discrepancy(found)) => found.to_string(),
                other => panic!("{wrong}: {other:?}"),
            };
            assert!(found.contains("its next positions say") && !found.contains("agrees"), "{found}");
        }
    }
}
