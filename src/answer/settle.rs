//! Steps for games that cannot cycle (R14), used for a position and for the starts of a setup:
//! after a first look at few positions the winner, by theorem or search, then the distance.

use super::answerer::Answerer;
use super::plan::{FOR_WINNER, PlacementPlan};
use super::request::{SolveError, Want};
use crate::engine::Engine as _;
use crate::position::Position;
use crate::solver::search::Search;
use crate::solver::{
    Discrepancy, Exhaustive, Finding, Limits, Method, Outcome, Solution, Stopped, Tracker, Unknown, Unsolved, Value,
    Verdict, mover_loses_by_mirror,
};

/// The results for a position after the first look.
pub(super) struct Settled {
    /// Finds the winner by the mirror theorem or the search; `None` if neither fits, or the first
    /// look has found the value.
    pub(super) winner: Option<Finding>,
    /// By exhaustive search; `None` if the winner was all that was wanted, and is known.
    pub(super) value: Option<Result<Value, Stopped>>,
}

impl Answerer<'_> {
    /// Takes the steps after a first look: finds the winner by theorem or search, then the value by
    /// the same exhaustive search, which continues as far as the limits go.
    pub(super) fn settle(
        &mut self,
        search: &mut Exhaustive,
        position: &Position,
        want: Want,
        plan: &PlacementPlan<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Settled, SolveError> {
        if let Some(value) = search.found(position) {
            return Ok(Settled { winner: None, value: Some(Ok(value)) });
        }
        let limits = tracker.limits();
        let winner = self.winner(position, tracker.part(1).or_nodes(FOR_WINNER), tracker)?;
        let outcome = match &winner {
            Some(Finding::Solved(found)) => Some(found.verdict.outcome()),
            Some(Finding::Unknown(_)) | None => None,
        };
        if want == Want::Winner && outcome.is_some() {
            return Ok(Settled { winner, value: None });
        }
        search.allow(plan.second_look(outcome.is_some(), limits));
        let value = match outcome {
            Some(outcome) => search.value_given(position, outcome, tracker),
            None => search.value(position, tracker),
        };
        if let (Ok(value), Some(outcome)) = (value, outcome)
            && value.outcome() != outcome
        {
            return Err(self.disagree(position, outcome, value.outcome()));
        }
        Ok(Settled { winner, value: Some(value) })
    }

    /// Finds the winner by the library, the mirror theorem or the search; `None` if none fits.
    pub(super) fn winner(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Option<Finding>, SolveError> {
        if let Some(proven) = self.proven(position) {
            return Ok(Some(Finding::Solved(proven.solution())));
        }
        if let Ok(solution) = self.mirror(position) {
            return Ok(Some(Finding::Solved(solution)));
        }
        if !Search::fits(self.game()) {
            return Ok(None);
        }
        self.search(position, limits, tracker).map(Some)
    }

    /// Returns the answer of the mirror theorem, if it applies.
    pub(super) fn mirror(&self, position: &Position) -> Result<Solution, SolveError> {
        mover_loses_by_mirror(self.game(), position)?;
        Ok(Solution::new(Verdict::Outcome(Outcome::Loss), Method::Mirror, 1))
    }

    /// Returns the search for the winner alone. A limit of positions is one of nodes too.
    pub(super) fn search(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Finding, SolveError> {
        let by_positions = limits.positions < limits.nodes;
        let limits = limits.with_nodes(limits.nodes.min(limits.positions));
        let search = self.searcher(limits)?;
        let answer = search.solve(position, limits, tracker.observer());
        let nodes = answer.nodes;
        tracker.charge(answer.nodes);
        let cause = match answer.outcome {
            Ok(outcome) => {
                let solution = Solution::new(Verdict::Outcome(outcome), Method::Search, nodes);
                return Ok(Finding::Solved(Solution { winning: answer.winning, ..solution }));
            }
            Err(cause) => cause,
        };
        let stopped = match cause {
            Unknown::Nodes if by_positions => Stopped::LimitReached { positions: limits.positions },
            Unknown::Nodes => Stopped::NodesReached { nodes: limits.nodes },
            cause => tracker.reason(cause),
        };
        let mut losing = answer.losing;
        self.game().sort_actions(&mut losing);
        Ok(Finding::Unknown(Unsolved { losing, positions: nodes, ..self.nothing(position, stopped, Method::Search) }))
    }

    /// Returns an answer that knows nothing.
    pub(super) fn nothing(&self, position: &Position, stopped: Stopped, method: Method) -> Unsolved {
        let positions = match stopped {
            Stopped::LimitReached { positions } => positions,
            _ => 0,
        };
        let actions = self.engine.sorted_actions(position).len();
        Unsolved { actions, positions, ..Unsolved::nothing(stopped, method) }
    }

    pub(super) fn disagree(&self, position: &Position, search: Outcome, other: Outcome) -> SolveError {
        let cause = format!("the search for the winner says {}, exhaustive search {}", search.name(), other.name());
        Discrepancy { position: position.display(self.game()).to_string(), cause }.into()
    }
}
