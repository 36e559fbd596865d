//! The interface to the methods that prove values where alpha-beta search does not see the end.

use crate::answer::request::SolveError;
use crate::position::{Action, Position};
use crate::solver::{Limits, Method, Tracker, Verdict};

/// The result for a position.
#[derive(Debug)]
pub(in crate::answer) enum Found {
    /// The value and its method. The action keeps the value; a lost position without a distance has
    /// no action.
    Value { verdict: Verdict, method: Method, action: Option<Action>, line: Vec<Action> },
    /// Only that these actions lose.
    Losing(Vec<Action>),
}

/// Prover of values of unfinished positions. It charges the nodes that it uses to the tracker.
pub(in crate::answer) trait Prover {
    /// Looks for the winner, or for losing actions, within these limits.
    fn try_value(&mut self, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Found;

    /// Returns the value from a table of all that the position leads to, if the table fits within
    /// these limits; it proves draws too.
    fn by_table(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Option<Found>, SolveError>;
}
