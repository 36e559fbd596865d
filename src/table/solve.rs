//! A setup solved in memory, tier by tier, and values of positions from it.

use crate::engine::{Bitboard, Engine};
use crate::material::Side;
use crate::progress::Swept;
use crate::solver::Value;
use crate::table::eval::{Bits, Direct};
use crate::table::index::{Index, Place};
use crate::table::retro::{ChildTiers, Evaluator, ToTheEnd, Watch, solve_tier};
use crate::table::storage::{Codes, value_of};

/// Sweeps that solve a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sweeps {
    /// Position by position: slow, and for every rule.
    Direct,
    /// All points of the last pod at once.
    BitParallel,
}

/// The values of all positions of a setup, in memory.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The numbers of the positions.
    pub index: Index,
    /// For each tier the codes with White and with Black to move, a row after the other, a cell a
    /// point.
    pub tiers: Vec<[Codes; 2]>,
}

impl Solved {
    /// Solves every tier. `observe` is told after each sweep: the tier and what was found.
    #[must_use]
    pub fn solve(engine: &Bitboard, index: Index, sweeps: Sweeps, mut observe: impl FnMut(usize, Swept)) -> Solved {
        let Ok(tiers) = solve_tiers(engine, &index, sweeps, &ToTheEnd, &mut observe);
        Solved { index, tiers }
    }

    /// Returns the value of a stored position.
    #[must_use]
    pub fn at(&self, place: Place, to_move: Side) -> Value {
        value_of(self.tiers[place.tier][to_move.index()].get(self.index.cell(place)))
    }
}

/// Returns the codes of all tiers; or why the watch ends it. `observe` is told as in
/// [`Solved::solve`].
pub(in crate::table) fn solve_tiers<W: Watch>(
    engine: &Bitboard,
    index: &Index,
    sweeps: Sweeps,
    watch: &W,
    observe: &mut dyn FnMut(usize, Swept),
) -> Result<Vec<[Codes; 2]>, W::Error> {
    let mut earlier = ChildTiers::default();
    with_evaluator(engine, index, sweeps, |evaluator| {
        (0..index.tiers().len()).try_for_each(|number| {
            let solved = solve_tier(index, number, &earlier, evaluator, watch, &mut |s| observe(number, s))?;
            earlier.push(solved.codes);
            Ok(())
        })
    })?;
    let Some(tiers) = earlier.into_all() else { unreachable!("nothing was dropped") };
    Ok(tiers)
}

/// Calls a function with the evaluator of some sweeps.
pub(in crate::table) fn with_evaluator<T>(
    engine: &Bitboard,
    index: &Index,
    sweeps: Sweeps,
    run: impl FnOnce(&dyn Evaluator) -> T,
) -> T {
    let direct = Direct::new(index, engine);
    match sweeps {
        Sweeps::Direct => run(&direct),
        Sweeps::BitParallel => run(&Bits::new(engine.game(), index, &direct)),
    }
}
