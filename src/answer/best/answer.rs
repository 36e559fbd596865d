//! The answer: an action, and what is proven or guessed about the position.

use std::fmt;

use super::evaluate::{MAX_GUESS, Score, is_proven};
use crate::engine::Status;
use crate::position::Action;
use crate::solver::{Finding, Method, Plies, Value, Verdict};

/// A heuristic score: an opinion about a position whose value is not known. It cannot be turned
/// into a [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    score: Score,
    depth: Plies,
}

impl Guess {
    /// Returns the guess of a score from looking `depth` plies ahead; `None` if the score stands
    /// for a proven value.
    pub(super) fn new(score: Score, depth: Plies) -> Option<Guess> {
        (!is_proven(score)).then_some(Guess { score, depth })
    }

    /// The largest score there is, for either side.
    pub const MAX: i16 = MAX_GUESS;

    /// Returns the score for the side to move, from −[`Guess::MAX`] to [`Guess::MAX`]: above 0 if
    /// its position looks better than the opponent's.
    ///
    /// Where pods move it is 1000 times the logarithm of the odds that the weights of the evaluation
    /// give, and else in quarters of a pair of pod and point.
    #[must_use]
    pub const fn score(self) -> i16 {
        self.score
    }

    /// Returns the number of plies that the search looked ahead, from 1; for the tree search this is
    /// the length of its expected line.
    #[must_use]
    pub const fn depth(self) -> Plies {
        self.depth
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.depth == 1 { "y" } else { "ies" };
        write!(f, "{:+}, looking {} pl{s} ahead", self.score, self.depth)
    }
}

/// The judgement of a position: proven or guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The position has this value.
    Proven(Verdict, Method),
    /// Its value is not known.
    Guessed(Guess),
}

impl Judgement {
    /// Returns the proven part of the answer, if there is one.
    #[must_use]
    pub const fn proven(&self) -> Option<Verdict> {
        match self {
            Judgement::Proven(verdict, _) => Some(*verdict),
            Judgement::Guessed(_) => None,
        }
    }

    pub(super) fn of(score: Score, depth: Plies) -> Judgement {
        match Guess::new(score, depth) {
            Some(guess) => Judgement::Guessed(guess),
            None => Judgement::Proven(Verdict::Value(Value::from_score(score)), Method::AlphaBeta),
        }
    }
}

/// An action to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action. It loses only if all do, as far as is known.
    pub action: Action,
    /// The position's value, or a guess of it, for the side to move. A proven value is kept by the
    /// action.
    pub judgement: Judgement,
    /// Expected play, beginning with the action: best play to the end where value and distance are
    /// proven, else as far as the search looked ahead.
    pub line: Vec<Action>,
    /// Other actions that are proven to lose, in the order in which that was found; there may be
    /// more.
    pub losing: Vec<Action>,
}

impl Best {
    /// Returns the answer that a finding gives; `None` if it names no action and the game goes on.
    pub(in crate::answer) fn of(finding: &Finding) -> Option<Best> {
        let Finding::Solved(solution) = finding else { return None };
        if solution.status != Status::Ongoing {
            return Some(Best { status: solution.status, choice: None, nodes: 1 });
        }
        let best = solution.best.iter().flatten().next().copied();
        let action = best.or(solution.winning)?;
        let line = solution.line.clone().filter(|line| !line.is_empty()).unwrap_or_else(|| vec![action]);
        let judgement = Judgement::Proven(solution.verdict, solution.method);
        let choice = Choice { action, judgement, line, losing: Vec::new() };
        Some(Best { status: solution.status, choice: Some(choice), nodes: 1 })
    }
}

/// The answer to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Status of the game: it goes on, or who has won.
    pub status: Status,
    /// An action to play; `None` if the game is over.
    pub choice: Option<Choice>,
    /// Positions visited, by all methods together.
    pub nodes: u64,
}
