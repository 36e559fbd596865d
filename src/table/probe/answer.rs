//! Answers of tables.

use crate::solver::{Outcome, Value};

/// Answer of a table, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The winner.
    pub outcome: Outcome,
    /// The same with the distance; `None` if the table has outcomes only.
    pub value: Option<Value>,
}

impl Answer {
    pub(in crate::table) fn exact(value: Value) -> Answer {
        Answer { outcome: value.outcome(), value: Some(value) }
    }

    /// Returns the answer one ply before, if its mover plays to the position of this one.
    pub(crate) fn before(self) -> Answer {
        Answer { outcome: self.outcome.reversed(), value: self.value.map(Value::before) }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Some(value) => value.fmt(f),
            None => f.write_str(self.outcome.name()),
        }
    }
}
