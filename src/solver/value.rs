//! Values of positions (R33).

use crate::files::named;
use std::cmp::Ordering;
use std::fmt;

/// A number of plies, that is of single actions.
pub type Plies = u16;

named! {
    /// The outcome for the side to move.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
    pub enum Outcome {
        /// The opponent wins.
        Loss = "loss",
        /// Neither side can force a win (R21).
        Draw = "draw",
        /// The side to move wins.
        Win = "win",
    }
}

impl Outcome {
    /// Returns the outcome as the opponent sees it.
    #[must_use]
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

/// The value of a position for the side to move, with the distance to the end: the winner plays for
/// the shortest game, the loser for the longest one (R33). There is no value for "unknown":
/// functions that may not know return `None` or an error.
///
/// Values sort by preference: a late loss before an early one, an early win before a late one.
///
/// ```
/// use pods::solver::Value;
/// assert!(Value::Loss(2) < Value::Loss(4) && Value::Loss(4) < Value::Draw);
/// assert!(Value::Draw < Value::Win(9) && Value::Win(9) < Value::Win(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Value {
    /// Lost in this many plies; 0 if the game is over.
    Loss(Plies),
    /// Drawn by endless play (R21).
    Draw,
    /// Won in this many plies; 0 if the game is over.
    Win(Plies),
}

impl Value {
    /// Returns the value without its distance.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Value::Loss(_) => Outcome::Loss,
            Value::Draw => Outcome::Draw,
            Value::Win(_) => Outcome::Win,
        }
    }

    /// Returns the plies to the end; a draw has none.
    #[must_use]
    pub const fn plies(self) -> Option<Plies> {
        match self {
            Value::Loss(plies) | Value::Win(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// Returns the value of a position whose mover goes to a position of this value. The largest
    /// number of plies stays as it is: no solver gives it, but a forged table may.
    #[must_use]
    pub const fn before(self) -> Value {
        match self {
            Value::Loss(plies) => Value::Win(plies.saturating_add(1)),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies.saturating_add(1)),
        }
    }

    /// Returns the value of a position of an unfinished game with these values of its next
    /// positions; `None` without any.
    pub(crate) fn of_children(children: impl IntoIterator<Item = Value>) -> Option<Value> {
        children.into_iter().map(Value::before).max()
    }

    /// Returns an integer that sorts as values do: 0 for a draw, positive for a win.
    pub(crate) const fn score(self) -> i16 {
        match self {
            Value::Loss(plies) => plies as i16 - BEST_SCORE,
            Value::Draw => 0,
            Value::Win(plies) => BEST_SCORE - plies as i16,
        }
    }

    pub(crate) const fn from_score(score: i16) -> Value {
        match score {
            0 => Value::Draw,
            1.. => Value::Win((BEST_SCORE - score) as Plies),
            _ => Value::Loss((BEST_SCORE + score) as Plies),
        }
    }
}

/// The score of a win in 0 plies.
pub(crate) const BEST_SCORE: i16 = 30_000;

/// Returns the score of a position whose mover goes to one of this score.
pub(crate) const fn score_before(score: i16) -> i16 {
    -(score - score.signum())
}

/// Returns the inverse of [`score_before`].
pub(crate) const fn score_after(score: i16) -> i16 {
    -(score + score.signum())
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let rank = |value: &Value| match *value {
            Value::Loss(plies) => (0, i32::from(plies)),
            Value::Draw => (1, 0),
            Value::Win(plies) => (2, -i32::from(plies)),
        };
        rank(self).cmp(&rank(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome().name()),
            None => f.write_str(self.outcome().name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_sort_and_step_as_values_do() {
        let all: Vec<Value> =
            (0..40).flat_map(|n| [Value::Loss(n), Value::Win(n)]).chain(std::iter::once(Value::Draw)).collect();
        for &a in &all {
            assert_eq!(Value::from_score(a.score()), a);
            assert_eq!(score_before(a.score()), a.before().score());
            assert_eq!(score_after(score_before(a.score())), a.score());
            for &b in &all {
                assert_eq!(a.cmp(&b), a.score().cmp(&b.score()));
                assert_eq!(a.before().cmp(&b.before()), b.cmp(&a));
            }
        }
    }
}
