//! The methods, each as a step of a plan ([`super::driver`]).

use super::answerer::Answerer;
use super::check::{check, verified};
use super::driver::Driver;
use super::plan::{FOR_DISTANCE, Finds, Step};
use super::play::{best_actions, main_line};
use super::request::SolveError;
use crate::engine::Bitboard;
use crate::position::Position;
use crate::solver::forced::{Forced, forced_win};
use crate::solver::{
    Exhaustive, Finding, Knowledge, Limits, Method, Observer, Outcome, Plies, Retrograde, Solution, Stopped, Tracker,
    Unknown, Unsolved, Value, Verdict, mover_loses_by_mirror,
};
use crate::table::{MemoryPlan, Prober, Table};

/// Plies within which forced wins are looked for.
const FORCED: Plies = 99;

impl Driver<'_, '_, '_> {
    /// Takes a step within what is left of the budget; `outcome` is the outcome, where it is known.
    pub(super) fn take(
        &mut self,
        step: &Step,
        position: &Position,
        outcome: Option<Outcome>,
    ) -> Result<Finding, SolveError> {
        match step.method {
            Method::Mirror => Ok(Finding::Solved(self.answerer.mirror(position)?)),
            Method::Search => {
                let mut part = self.part(step);
                let mut found = self.answerer.search(position, part.limits(), &mut part)?;
                self.tracker.charge(part.nodes());
                if let Finding::Unknown(unsolved) = &mut found {
                    self.answerer.game().sort_actions(&mut unsolved.losing);
                }
                Ok(found)
            }
            Method::Exhaustive => self.search_all(step, position, outcome),
            Method::Retrograde => self.solve_by_hash(step, position),
            Method::Sweeps => self.sweep(step, position),
            _ => self.look_ahead(step, position),
        }
    }

    /// Searches a game that cannot cycle to the end. What an earlier step has found is kept.
    fn search_all(
        &mut self,
        step: &Step,
        position: &Position,
        outcome: Option<Outcome>,
    ) -> Result<Finding, SolveError> {
        let part = self.part(step);
        let mut search = match self.exhaustive.take() {
            Some(search) => search,
            None => {
                Exhaustive::new(self.answerer.engine.clone(), &self.roots.iter().collect::<Vec<_>>(), part.limits())
            }
        };
        let before = search.positions();
        let mut limits = part.limits();
        if step.finds == Finds::Distance && outcome.is_some() && self.tracker.limits().nodes == u64::MAX {
            limits.nodes = limits.nodes.min(FOR_DISTANCE);
        }
        search.allow(limits.with_nodes(limits.nodes.saturating_add(before)));
        let value = match outcome {
            Some(outcome) => search.value_given(position, outcome, &part),
            None => search.value(position, &part),
        };
        self.tracker.charge(search.positions() - before);
        let found = match value {
            Ok(value) => self.with_best_play(&mut search, position, value),
            Err(stopped) => self.bounded(&mut search, position, stopped),
        };
        self.exhaustive = Some(search);
        found
    }

    /// Returns the whole answer from a search that knows the value.
    fn with_best_play(
        &mut self,
        search: &mut Exhaustive,
        position: &Position,
        value: Value,
    ) -> Result<Finding, SolveError> {
        let positions = search.positions();
        let solution = Solution::new(Verdict::Value(value), Method::Exhaustive, positions);
        if !self.with_line {
            return Ok(Finding::Solved(solution));
        }
        // The best actions may take more positions than the value has.
        let (engine, left) = (&self.answerer.engine, self.tracker.part(1));
        search.allow(left.with_nodes(left.nodes.saturating_add(positions)));
        let tracker = &self.tracker;
        let best = best_actions(engine, position, value, |p, needed| search.has_value(p, needed, tracker));
        let line = main_line(engine, position, value, |p, needed| search.has_value(p, needed, tracker));
        let stopped = best.as_ref().err().or(line.as_ref().err()).copied();
        let derive = || search.verify(&self.answerer.reference, &[(position, value)], &[], tracker);
        let (verified, unverified) = verified(self.verify, derive)?;
        self.tracker.charge(search.positions() - positions);
        let (best, line) = (best.ok(), line.ok());
        // The first action of the line keeps the value.
        let first = line.iter().flatten().next().copied();
        let winning = first.filter(|_| best.is_none() && value.outcome() == Outcome::Win);
        Ok(Finding::Solved(Solution { best, winning, line, verified, stopped: stopped.or(unverified), ..solution }))
    }

    /// Makes an answer from the next positions that an interrupted exhaustive search has settled.
    fn bounded(
        &mut self,
        search: &mut Exhaustive,
        position: &Position,
        stopped: Stopped,
    ) -> Result<Finding, SolveError> {
        let Knowledge { outcome, at_least, at_most, winning, losing } = search.knowledge(position);
        let positions = search.positions();
        let Some(outcome) = outcome else {
            let nothing = self.nothing(position, stopped, Method::Exhaustive);
            return Ok(Finding::Unknown(Unsolved { at_least, at_most, losing, positions, ..nothing }));
        };
        let derive = || search.verify(&self.answerer.reference, &[], &[(position, outcome)], &self.tracker);
        let (verified, _) = verified(self.verify, derive)?;
        let solution = Solution::new(Verdict::Outcome(outcome), Method::Exhaustive, positions);
        Ok(Finding::Solved(Solution { winning, verified, stopped: Some(stopped), ..solution }))
    }

    /// Solves all that the roots lead to by retrograde analysis by hash.
    fn solve_by_hash(&mut self, step: &Step, position: &Position) -> Result<Finding, SolveError> {
        if self.by_hash.is_none() {
            let part = self.part(step);
            let roots: Vec<&Position> = self.roots.iter().collect();
            // A first look is at so few positions that it needs no look at memory.
            let limits = if step.predicted.is_none() && step.limit.is_some() {
                part.limits().with_memory(u64::MAX)
            } else {
                part.limits()
            };
            match Retrograde::build(&self.answerer.engine, &roots, limits, &part) {
                Ok(table) => {
                    self.tracker.charge(table.positions());
                    self.by_hash = Some(table);
                }
                Err(stopped) => {
                    if let Stopped::LimitReached { positions } = stopped {
                        self.tracker.charge(positions);
                    }
                    return Ok(Finding::Unknown(self.nothing(position, stopped, Method::Retrograde)));
                }
            }
        }
        let Some(table) = &self.by_hash else { unreachable!("it was just made") };
        let mut solution = of_table(&self.answerer.engine, table, position, self.with_line)?;
        let derive = || table.verify(&self.answerer.reference, &self.tracker);
        (solution.verified, solution.stopped) = verified(self.verify, derive)?;
        Ok(Finding::Solved(solution))
    }

    /// Solves a table in memory of all positions with the same pods in the game.
    fn sweep(&mut self, step: &Step, position: &Position) -> Result<Finding, SolveError> {
        let plan = MemoryPlan::for_position(self.answerer.game(), position)?;
        let part = self.part(step);
        // A table that has answered before was checked then.
        let is_new = !self.answerer.has_table(&plan);
        if is_new && plan.positions() <= part.limits().nodes && plan.bytes() <= part.limits().memory {
            self.tracker.charge(plan.positions());
        }
        if let Err(stopped) = self.answerer.table(plan, part.limits(), &part) {
            return Ok(Finding::Unknown(self.nothing(position, stopped, Method::Sweeps)));
        }
        let Some(mut solution) = self.answerer.memory_says(position, self.verify)? else {
            return self.solve_by_hash(step, position);
        };
        if let Some(table) = self.answerer.in_memory.as_ref().filter(|_| self.verify && is_new) {
            match check(table, part.limits().memory, &self.tracker)? {
                Ok((_, looked_at)) => solution.verified = Some(looked_at + 1),
                Err(stopped) => (solution.verified, solution.stopped) = (None, Some(stopped)),
            }
        }
        Ok(Finding::Solved(solution))
    }
}

impl Answerer<'_> {
    /// Returns the answer of the mirror theorem, if it applies.
    pub(super) fn mirror(&self, position: &Position) -> Result<Solution, SolveError> {
        mover_loses_by_mirror(self.game(), position)?;
        Ok(Solution::new(Verdict::Outcome(Outcome::Loss), Method::Mirror, 1))
    }

    /// Returns the search for the winner alone. Actions that lose are in the order in which that was
    /// found.
    pub(super) fn search(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Finding, SolveError> {
        let search = self.searcher(limits)?;
        let answer = search.solve(position, limits, tracker.observer());
        let nodes = answer.nodes;
        tracker.charge(nodes);
        let cause = match answer.outcome {
            Ok(outcome) => {
                let solution = Solution::new(Verdict::Outcome(outcome), Method::Search, nodes);
                return Ok(Finding::Solved(Solution { winning: answer.winning, ..solution }));
            }
            Err(cause) => cause,
        };
        let stopped = match cause {
            Unknown::Nodes => Stopped::NodesReached { nodes: limits.nodes },
            cause => tracker.reason(cause),
        };
        let nothing = self.nothing(position, stopped, Method::Search);
        Ok(Finding::Unknown(Unsolved { losing: answer.losing, positions: nodes, ..nothing }))
    }

    /// Returns `true` if the table in memory is the one planned.
    fn has_table(&self, plan: &MemoryPlan) -> bool {
        self.in_memory.as_ref().is_some_and(|table| table.setup() == plan.setup())
    }

    /// Solves a table in memory, unless the last one is the same.
    pub(super) fn table(
        &mut self,
        plan: MemoryPlan,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<&Table, Stopped> {
        if !self.has_table(&plan) {
            // Frees the old table first.
            self.in_memory = None;
            self.in_memory = Some(plan.solve(limits, observer)?);
        }
        match &self.in_memory {
            Some(table) => Ok(table),
            None => unreachable!("it was just solved"),
        }
    }

    /// Looks a position up in the table in memory; `None` if the table lacks it.
    pub(super) fn memory_says(&self, position: &Position, verify: bool) -> Result<Option<Solution>, SolveError> {
        let Some(table) = &self.in_memory else { return Ok(None) };
        let solution = Prober::new(self.game(), [table])?.solve(position, verify)?;
        Ok(solution.map(|solution| Solution { method: Method::Sweeps, ..solution }))
    }
}

/// Returns the solution of a position from a table by hash that was made for it.
pub(super) fn of_table(
    engine: &Bitboard,
    table: &Retrograde,
    position: &Position,
    with_line: bool,
) -> Result<Solution, SolveError> {
    let value = table.value(position).ok_or(SolveError::NoTable)?;
    let solution = Solution::new(Verdict::Value(value), Method::Retrograde, table.positions());
    if !with_line {
        return Ok(solution);
    }
    let has_value = |p: &Position, wanted: Value| Ok(table.value(p) == Some(wanted));
    let best = Some(best_actions(engine, position, value, has_value)?);
    Ok(Solution { best, line: Some(main_line(engine, position, value, has_value)?), ..solution })
}

/// Looks for a win that can be forced.
pub(super) fn forced(engine: &Bitboard, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Finding {
    let answer = forced_win(engine, position, FORCED, limits, tracker.observer());
    let nodes = answer.nodes;
    tracker.charge(nodes);
    match answer.at_least() {
        Forced::Win { plies, line, .. } => Finding::Solved(Solution {
            winning: line.first().copied(),
            line: Some(line),
            ..Solution::new(Verdict::Value(Value::Win(plies)), Method::Forced, nodes)
        }),
        Forced::NotWithin(_) | Forced::Unknown { .. } => {
            Finding::Unknown(Unsolved::nothing(Stopped::NodesReached { nodes: limits.nodes }, Method::Forced))
        }
    }
}
