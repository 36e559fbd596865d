//! Methods for games in which play cannot cycle (R14).

use super::answerer::PositionQuery;
use super::check::verified;
use super::plan::PlacementPlan;
use super::play::{best_actions, main_line};
use super::request::SolveError;
use super::settle::Settled;
use crate::solver::{
    Exhaustive, Finding, Knowledge, Method, Outcome, Solution, Stopped, Tracker, Unsolved, Value, Verdict,
};

impl PositionQuery<'_, '_, '_> {
    /// Follows the plan for placement games ([`super::plan`]).
    pub(super) fn placement(&mut self) -> Result<Finding, SolveError> {
        let positions = self.request.limits.positions;
        let engine = self.answerer.engine.clone();
        let plan = PlacementPlan::new(self.answerer, self.position, self.tracker);
        if plan.theorem_first
            && let Ok(solution) = self.answerer.mirror(self.position)
        {
            return Ok(Finding::Solved(solution));
        }
        let look = Tracker::new(plan.first_look, self.tracker.observer());
        let mut search = Exhaustive::new(engine, &[self.position], look.limits());
        let stopped = match search.value(self.position, &look) {
            Ok(value) => return self.solved(search, value),
            Err(stopped) => stopped,
        };
        let short_of_room = stopped.lacks_room() && search.positions() < positions;
        let short_of_time = matches!(stopped, Stopped::TimeUp { .. }) && !self.tracker.is_exhausted();
        if !short_of_room && !short_of_time {
            // The theorem takes neither room nor time.
            return match self.answerer.mirror(self.position) {
                Ok(solution) => Ok(Finding::Solved(solution)),
                Err(_) => self.bounded(search, stopped),
            };
        }
        let Settled { winner, value } =
            self.answerer.settle(&mut search, self.position, self.request.want, &plan, self.tracker)?;
        match (value, winner) {
            (Some(Ok(value)), _) => self.solved(search, value),
            (Some(Err(stopped)), winner) => self.joined(search, winner, stopped),
            (None, Some(found)) => Ok(found),
            (None, None) => self.bounded(search, stopped),
        }
    }

    /// Combines what an unfinished exhaustive search and the search for the winner know.
    fn joined(&mut self, search: Exhaustive, winner: Option<Finding>, stopped: Stopped) -> Result<Finding, SolveError> {
        let mut search = search;
        let known = search.knowledge(self.position);
        match winner {
            Some(Finding::Solved(found)) => {
                let outcome = found.verdict.outcome();
                match known.outcome {
                    Some(other) if other != outcome => Err(self.answerer.disagree(self.position, outcome, other)),
                    _ => Ok(Finding::Solved(Solution {
                        winning: found.winning.or(known.winning),
                        stopped: Some(stopped),
                        ..found
                    })),
                }
            }
            Some(Finding::Unknown(unsolved)) if known.outcome.is_none() => {
                let mut losing = known.losing;
                losing.extend(
                    unsolved.losing.iter().filter(|action| !losing.contains(action)).copied().collect::<Vec<_>>(),
                );
                self.answerer.game().sort_actions(&mut losing);
                let (at_least, at_most) = (known.at_least, known.at_most);
                Ok(Finding::Unknown(Unsolved { losing, at_least, at_most, ..unsolved }))
            }
            _ => self.bounded(search, stopped),
        }
    }

    /// Solves by exhaustive search alone, to the end or to a limit.
    pub(super) fn exhaustive(&mut self) -> Result<Finding, SolveError> {
        let engine = self.answerer.engine.clone();
        let mut search = Exhaustive::new(engine, &[self.position], self.request.limits);
        match search.value(self.position, self.tracker) {
            Ok(value) => self.solved(search, value),
            Err(stopped) => self.bounded(search, stopped),
        }
    }

    /// Returns the whole answer from a search that knows the value.
    fn solved(&mut self, mut search: Exhaustive, value: Value) -> Result<Finding, SolveError> {
        let (position, tracker) = (self.position, &*self.tracker);
        let (engine, reference) = (&self.answerer.engine, &self.answerer.reference);
        let positions = search.positions();
        // The best actions may take more positions than the value has, so the limits of the request
        // apply.
        search.allow(self.request.limits);
        let best = best_actions(engine, position, value, |p, needed| search.has_value(p, needed, tracker));
        let line = main_line(engine, position, value, |p, needed| search.has_value(p, needed, tracker));
        let stopped = best.as_ref().err().or(line.as_ref().err()).copied();
        let derive = || search.verify(reference, &[(position, value)], &[], tracker);
        let (verified, unverified) = verified(self.request.verify, derive)?;
        let (best, line) = (best.ok(), line.ok());
        // The first action of the line keeps the value.
        let first = line.iter().flatten().next().copied();
        let winning = first.filter(|_| best.is_none() && value.outcome() == Outcome::Win);
        let solution = Solution::new(Verdict::Value(value), Method::Exhaustive, positions);
        Ok(Finding::Solved(Solution { best, winning, line, verified, stopped: stopped.or(unverified), ..solution }))
    }

    /// Makes an answer from the next positions that an interrupted exhaustive search has settled.
    fn bounded(&mut self, mut search: Exhaustive, stopped: Stopped) -> Result<Finding, SolveError> {
        let Knowledge { outcome, at_least, at_most, winning, losing } = search.knowledge(self.position);
        let positions = search.positions();
        let Some(outcome) = outcome else {
            let nothing = self.nothing(stopped, Method::Exhaustive);
            return Ok(Finding::Unknown(Unsolved { at_least, at_most, losing, positions, ..nothing }));
        };
        let claim = [(self.position, outcome)];
        let derive = || search.verify(&self.answerer.reference, &[], &claim, &*self.tracker);
        let (verified, _) = verified(self.request.verify, derive)?;
        let solution = Solution::new(Verdict::Outcome(outcome), Method::Exhaustive, positions);
        Ok(Finding::Solved(Solution { winning, verified, stopped: Some(stopped), ..solution }))
    }
}
