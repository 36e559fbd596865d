//! Values of everything that a position leads to, for many questions.

use super::answerer::{Answerer, over};
use super::plan::FOR_DISTANCE;
use super::request::SolveError;
use crate::engine::{Bitboard, Engine};
use crate::position::Position;
use crate::solver::{Exhaustive, Limits, Observer, Outcome, Retrograde, Stopped, Value};
use crate::table::{MemoryPlan, Prober};

/// A source of values for a position and all that it leads to.
pub(crate) struct Values<'a> {
    engine: &'a Bitboard,
    source: Source<'a>,
    observer: &'a dyn Observer,
}

enum Source<'a> {
    /// A table on disk or in memory.
    Table(Box<Prober<'a>>),
    Retrograde(Retrograde),
    Exhaustive(Box<Exhaustive>),
}

impl<'t> Answerer<'t> {
    /// Creates a source of the values of a position and of all that it leads to: a table on disk
    /// that holds it, with distances; exhaustive search where play cannot cycle; else a table in
    /// memory, or retrograde analysis by hash.
    ///
    /// # Errors
    ///
    /// If none of them fits within the limits.
    pub(crate) fn values<'a>(
        &'a mut self,
        root: &Position,
        limits: Limits<'a>,
        observer: &'a dyn Observer,
    ) -> Result<Values<'a>, SolveError>
    where
        't: 'a,
    {
        let on_disk = match &mut self.on_disk {
            Some(tables) => tables.value(root)?.is_some(),
            None => false,
        };
        if !on_disk && self.game().rules().can_cycle() {
            match MemoryPlan::for_position(self.game(), root) {
                Ok(plan) => drop(self.table(plan, limits, observer)?),
                Err(_) => {
                    let table = Retrograde::build(&self.engine, &[root], limits, observer)?;
                    return Ok(Values { engine: &self.engine, source: Source::Retrograde(table), observer });
                }
            }
        }
        let Answerer { engine, tables, in_memory, .. } = self;
        let source = match (tables, &*in_memory) {
            (Some(tables), _) if on_disk => Source::Table(Box::new(tables.of(engine.game())?)),
            (_, Some(table)) if engine.game().rules().can_cycle() => {
                Source::Table(Box::new(Prober::new(engine.game(), [table])?))
            }
            _ => {
                // A search that might not fit stops before it has used up the memory.
                let too_large = Exhaustive::predict(engine, root).bytes > u128::from(limits.memory);
                let attempt = too_large && limits.nodes == u64::MAX;
                let limits = if attempt { limits.with_nodes(FOR_DISTANCE) } else { limits };
                Source::Exhaustive(Box::new(Exhaustive::new(engine.clone(), &[root], limits)))
            }
        };
        Ok(Values { engine, source, observer })
    }
}

impl Values<'_> {
    /// Returns the value of a position that the root leads to.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or a table cannot be read.
    pub(crate) fn value(&mut self, position: &Position) -> Result<Value, SolveError> {
        if let Some(value) = over(position, self.engine.status(position)) {
            return Ok(value);
        }
        match &mut self.source {
            Source::Retrograde(table) => table.value(position).ok_or(SolveError::NoTable),
            Source::Exhaustive(search) => Ok(search.value(position, self.observer)?),
            Source::Table(tables) => tables.value(position)?.ok_or(SolveError::NoTable),
        }
    }

    /// Returns the outcome of a position that the root leads to.
    pub(crate) fn outcome(&mut self, position: &Position) -> Result<Outcome, SolveError> {
        match &mut self.source {
            Source::Exhaustive(search) => Ok(search.outcome(position, self.observer)?),
            _ => self.value(position).map(Value::outcome),
        }
    }

    /// Returns `true` if a position that the root leads to has exactly this value.
    pub(crate) fn has_value(&mut self, position: &Position, value: Value) -> Result<bool, SolveError> {
        match &mut self.source {
            Source::Exhaustive(search) => Ok(search.has_value(position, value, self.observer)?),
            _ => Ok(self.value(position)? == value),
        }
    }

    pub(crate) fn observer(&self) -> &dyn Observer {
        self.observer
    }

    /// Returns an error if the observer wants the work to end.
    ///
    /// # Errors
    ///
    /// The reason.
    pub(crate) fn go_on(&self) -> Result<(), Stopped> {
        self.observer.stop().map_or(Ok(()), Err)
    }
}
