//! Verification: every value again from the values of the next positions, by engines that know nothing of the sweeps.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::codes::{Codes, value_of};
use super::direct::{Direct, Found};
use super::error::TableError;
use super::index::{Index, Place};
use super::reader::Table;
use super::sweep::for_each_row;
use crate::engine::reference::Reference;
use crate::engine::{Bitboard, Engine, Status};
use crate::material::Side;
use crate::position::Position;
use crate::solver::{Discrepancy, Value};

const ROWS: u64 = 1 << 9;

/// Which positions are verified, and by which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Each how many-th position the fast engine derives again; 1 for all, 0 for none.
    pub fast_every: u64,
    /// Each how many-th position the reference engine derives again; 1 for all, 0 for none.
    pub reference_every: u64,
}

/// What was verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Positions derived again by the fast engine.
    pub fast: u64,
    /// Positions derived again by the reference engine.
    pub reference: u64,
}

/// Why a verification failed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A value does not follow from the next positions.
    #[error(transparent)]
    Discrepancy(#[from] Discrepancy),
}

impl Table {
    /// Checks every byte, then derives values again. Distances fall along every chain of reasons, so wins and losses
    /// that all pass are proven; and draws that all pass have no winning action and a drawing one, for ever.
    ///
    /// # Errors
    ///
    /// If a file is damaged, or a position's value does not follow from those of its next positions.
    pub fn verify(&self, what: Verification, observe: &(dyn Fn(u64, u64) + Sync)) -> Result<Verified, VerifyError> {
        for file in self.files() {
            file.check_bytes()?;
        }
        let tiers = (0..self.index().tiers().len()).map(|t| self.codes(t)).collect::<Result<Vec<_>, _>>()?;
        let engine = Bitboard::new(self.game().clone());
        Ok(verify_codes(&engine, self.index(), &tiers, what, observe)?)
    }
}

/// Derives values in memory again.
///
/// # Errors
///
/// A position whose value does not follow.
pub fn verify_codes(
    engine: &Bitboard,
    index: &Index,
    tiers: &[[Codes; 2]],
    what: Verification,
    observe: &(dyn Fn(u64, u64) + Sync),
) -> Result<Verified, Discrepancy> {
    let judge = Judge { direct: Direct::new(index, engine), reference: Reference::new(engine.game().clone()), tiers };
    let done = AtomicU64::new(0);
    let (fast, reference) = (AtomicU64::new(0), AtomicU64::new(0));
    let total = index.positions();
    for (number, tier) in index.tiers().iter().enumerate() {
        (0..tier.rows().div_ceil(ROWS)).into_par_iter().try_for_each(|chunk| {
            let first = chunk * ROWS;
            let mut result = Ok(());
            let (mut seen, mut by_fast, mut by_reference) = (0, 0, 0);
            for_each_row(index, tier, first, ROWS.min(tier.rows() - first) as usize, |row, slice, fixed| {
                let mut cells = index.own_cells(slice, fixed);
                while cells != 0 && result.is_ok() {
                    let cell = cells.trailing_zeros() as u8;
                    cells &= cells - 1;
                    let place = Place { tier: number, row, cell };
                    for side in Side::BOTH {
                        // Numbers of positions that are spread evenly, whatever the layout of rows.
                        let number = (row * 64 + u64::from(cell)) * 2 + side.index() as u64;
                        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
                        let due = |every: u64| every > 0 && mixed.is_multiple_of(every);
                        if !due(what.fast_every) && !due(what.reference_every) {
                            continue;
                        }
                        let Some(position) = index.position(place, side) else { continue };
                        if due(what.fast_every) && result.is_ok() {
                            result = judge.by_fast(place, &position);
                            by_fast += 1;
                        }
                        if due(what.reference_every) && result.is_ok() {
                            result = judge.by_reference(place, &position);
                            by_reference += 1;
                        }
                    }
                    seen += 2;
                }
            });
            fast.fetch_add(by_fast, Ordering::Relaxed);
            reference.fetch_add(by_reference, Ordering::Relaxed);
            observe(done.fetch_add(seen, Ordering::Relaxed) + seen, total);
            result
        })?;
    }
    Ok(Verified { fast: fast.into_inner(), reference: reference.into_inner() })
}

struct Judge<'a> {
    direct: Direct<'a>,
    reference: Reference,
    tiers: &'a [[Codes; 2]],
}

impl Judge<'_> {
    fn stored(&self, place: Place, to_move: Side) -> Value {
        let cell = place.row as usize * self.direct.index.points() + place.cell as usize;
        value_of(self.tiers[place.tier][to_move.index()].get(cell))
    }

    fn compare(&self, place: Place, position: &Position, derived: Value) -> Result<(), Discrepancy> {
        let stored = self.stored(place, position.to_move());
        if stored == derived {
            return Ok(());
        }
        let cause = format!("the table says {stored}, its next positions say {derived}");
        Err(Discrepancy { position: position.text(self.reference.game()), cause })
    }

    fn by_fast(&self, place: Place, position: &Position) -> Result<(), Discrepancy> {
        let state = self.direct.engine.state(position);
        let stored = self.stored(place, position.to_move());
        let mut best: Option<Value> = None;
        self.direct.engine.for_each_action(&state, |action| {
            // Nothing is better than to win at once; what is stored so needs no more than one such action.
            if best == Some(Value::Win(1)) && stored == Value::Win(1) {
                return;
            }
            let next = match self.direct.find(&self.direct.engine.play(&state, action)) {
                Some(Found::Lost) => Value::Loss(0),
                Some(Found::At(next)) => self.stored(next, position.to_move().other()),
                None => unreachable!("actions stay within the setup"),
            };
            best = best.max(Some(next.before()));
        });
        self.compare(place, position, best.unwrap_or(Value::Loss(0)))
    }

    fn by_reference(&self, place: Place, position: &Position) -> Result<(), Discrepancy> {
        let value = |position: &Position| match self.reference.status(position) {
            Status::Won(side) if side == position.to_move() => Value::Win(0),
            Status::Won(_) => Value::Loss(0),
            Status::Ongoing => match self.direct.index.find(position) {
                Some(place) => self.stored(place, position.to_move()),
                None => unreachable!("actions stay within the setup"),
            },
        };
        let derived = match self.reference.status(position) {
            Status::Ongoing => {
                let actions = self.reference.actions(position).into_iter();
                let next = actions.filter_map(|action| self.reference.apply(position, action)).map(|t| value(&t.next));
                Value::of_children(next).unwrap_or(Value::Loss(0))
            }
            Status::Won(side) if side == position.to_move() => Value::Win(0),
            Status::Won(_) => Value::Loss(0),
        };
        self.compare(place, position, derived)
    }
}
