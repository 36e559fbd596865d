//! The exact means for positions that alpha-beta does not look to the end of.

use crate::answer::request::SolveError;
use crate::position::{Action, Position};
use crate::solver::{Limits, Method, Tracker, Verdict};

/// What was found out about a position.
#[derive(Debug)]
pub(in crate::answer) enum Found {
    /// Its value and how it was found. The action keeps the value; a lost position has none here, since all lose.
    Value { verdict: Verdict, method: Method, action: Option<Action>, line: Vec<Action> },
    /// Only that these actions lose.
    Losing(Vec<Action>),
}

/// Something that proves values of unfinished positions. What it uses is charged to the tracker.
pub(in crate::answer) trait Prover {
    /// Who wins, or which actions lose, within these limits.
    fn try_value(&mut self, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Found;

    /// The value from a table of all that the position leads to, if it can be had within these limits; also for draws.
    fn by_table(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Option<Found>, SolveError>;
}
