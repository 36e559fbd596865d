//! Methods for games in which play may return to an earlier position (R21).

use super::answerer::{Answerer, PositionQuery};
use super::best::{Best, Found, Judgement, Prover, choose, guess_method};
use super::check::{check, verified};
use super::plan::{BYTES_A_POSITION, CyclingPlan, CyclingStep, FOR_LOOKING_AHEAD, refusal};
use super::play::{best_actions, main_line};
use super::request::SolveError;
use crate::engine::{Bitboard, Engine};
use crate::position::Position;
use crate::solver::forced::{Forced, forced_win};
use crate::solver::search::Search;
use crate::solver::{
    Finding, Limits, Method, Observer, Outcome, Plies, Retrograde, Solution, Stopped, Tracker, Unsolved, Value,
    Verdict, positions_at_most,
};
use crate::table::{MemoryPlan, Prober, Table};

/// Plies within which forced wins are looked for.
const FORCED: Plies = 99;

/// Positions that retrograde analysis by hash lists in a second.
const POSITIONS_A_SECOND: f64 = 1e5;

/// Ratio of the upper bound of the number of positions to the limit from which on only one in
/// [`SMALL_PART`] of the limit is used. The bound is usually far too high, but seldom by that much.
const TOO_HIGH: u128 = 10_000;
const SMALL_PART: u64 = 16;

/// Nodes of a search in a second, to convert the seconds of a table into nodes.
const NODES_A_SECOND: f64 = 1e6;

impl PositionQuery<'_, '_, '_> {
    /// Follows the plan for games with moves ([`super::plan`]).
    pub(super) fn cycling(&mut self) -> Result<Finding, SolveError> {
        let CyclingPlan { steps, mut refused } = CyclingPlan::new(self.answerer, self.position, self.tracker);
        let last = steps.len() - 1;
        for (i, step) in steps.into_iter().enumerate() {
            let looks_ahead = matches!(step, CyclingStep::LookAhead { .. });
            let found = match step {
                CyclingStep::Sweeps { table, parts } => self.sweeps_by(*table, parts)?,
                CyclingStep::FewByHash(limits) => match self.few(limits)? {
                    Some(found) => return Ok(found),
                    None => continue,
                },
                CyclingStep::ByHash(_) => self.retrograde()?,
                CyclingStep::LookAhead { part, nodes } => self.look_ahead(self.tracker.part(part), nodes)?,
            };
            match found {
                Finding::Unknown(unsolved) if i == last => {
                    // The limit that kept all positions from being solved is told too.
                    let refused = refused.filter(|refused| *refused != unsolved.stopped).or(unsolved.refused);
                    return Ok(Finding::Unknown(Unsolved { refused, ..unsolved }));
                }
                // What a table that is begun and not finished leaves open may be seen by looking
                // ahead.
                Finding::Unknown(unsolved) => refused = if looks_ahead { refused } else { Some(unsolved.stopped) },
                solved => return Ok(solved),
            }
        }
        unreachable!("the last step returns")
    }

    /// Tries retrograde analysis by hash with few positions, which costs little.
    fn few(&mut self, limits: Limits<'_>) -> Result<Option<Finding>, SolveError> {
        // Where they are more than few, there must be time for what else may answer.
        let part = Tracker::new(self.tracker.part(4), self.tracker.observer());
        match Retrograde::build(&self.answerer.engine, &[self.position], limits, &part) {
            Ok(table) => self.answer_by_hash(&table).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Returns a table in memory, or the reason why there is none.
    pub(super) fn sweeps(&mut self) -> Result<Finding, SolveError> {
        let plan = self.answerer.planned(self.position)?;
        match refusal(&plan, self.tracker) {
            Some(Stopped::TimeUp { .. }) | None => self.sweeps_by(plan, 1),
            Some(stopped) => Err(stopped.into()),
        }
    }

    /// Solves as [`PositionQuery::sweeps`], in one part of so many of the time that is left.
    fn sweeps_by(&mut self, plan: MemoryPlan, parts: u32) -> Result<Finding, SolveError> {
        let (limits, verify) = (self.tracker.part(parts), self.request.verify);
        // A table that has answered before was checked then.
        let checked = self.answerer.has_table(&plan);
        if let Err(stopped) = self.answerer.table(plan, limits, self.tracker) {
            return Ok(Finding::Unknown(self.nothing(stopped, Method::Sweeps)));
        }
        let Some(mut solution) = self.answerer.memory_says(self.position, verify)? else { return self.retrograde() };
        if let Some(table) = self.answerer.in_memory.as_ref().filter(|_| verify && !checked) {
            match check(table, limits.memory, self.tracker)? {
                Ok((_, looked_at)) => solution.verified = Some(looked_at + 1),
                Err(stopped) => (solution.verified, solution.stopped) = (None, Some(stopped)),
            }
        }
        Ok(Finding::Solved(solution))
    }

    /// Solves by retrograde analysis by hash.
    pub(super) fn retrograde(&mut self) -> Result<Finding, SolveError> {
        let engine = &self.answerer.engine;
        let table = match Retrograde::build(engine, &[self.position], self.request.limits, self.tracker) {
            Ok(table) => table,
            Err(stopped) => return Ok(Finding::Unknown(self.nothing(stopped, Method::Retrograde))),
        };
        self.answer_by_hash(&table)
    }

    fn answer_by_hash(&self, table: &Retrograde) -> Result<Finding, SolveError> {
        let (position, tracker, engine) = (self.position, &*self.tracker, &self.answerer.engine);
        let Some(value) = table.value(position) else { unreachable!("the table is made for the position") };
        let derive = || table.verify(&self.answerer.reference, tracker);
        let (verified, stopped) = verified(self.request.verify, derive)?;
        let has_value = |p: &Position, wanted: Value| Ok(table.value(p) == Some(wanted));
        let solution = Solution::new(Verdict::Value(value), Method::Retrograde, table.positions());
        Ok(Finding::Solved(Solution {
            best: Some(best_actions(engine, position, value, has_value)?),
            line: Some(main_line(engine, position, value, has_value)?),
            verified,
            stopped,
            ..solution
        }))
    }

    /// Looks ahead by alpha-beta search and for forced wins, deepened ply by ply.
    pub(super) fn looking_ahead(&mut self) -> Result<Finding, SolveError> {
        self.look_ahead(self.tracker.part(1), FOR_LOOKING_AHEAD)
    }

    /// Looks ahead as [`PositionQuery::looking_ahead`], with at most `nodes` nodes if the limits have
    /// neither nodes nor time.
    fn look_ahead(&mut self, limits: Limits<'_>, nodes: u64) -> Result<Finding, SolveError> {
        if let Some(stopped) = self.tracker.stop() {
            return Ok(Finding::Unknown(self.nothing(stopped, Method::Forced)));
        }
        let limits = limits.or_nodes(nodes);
        let engine = self.answerer.engine.clone();
        let mut ahead = Ahead { engine: &engine };
        let found = choose(&engine, self.position, &[], false, limits, &mut ahead, self.tracker)?;
        self.tracker.charge(found.nodes);
        let Some(choice) = found.choice else { unreachable!("the game goes on") };
        let Judgement::Proven(verdict, method) = choice.judgement else {
            let stopped = match limits.asked_time() {
                _ if self.tracker.stop() == Some(Stopped::Interrupted) => Stopped::Interrupted,
                Some(limit) if found.nodes < limits.nodes => Stopped::TimeUp { limit },
                _ => Stopped::NodesReached { nodes: limits.nodes },
            };
            let mut losing = choice.losing;
            self.answerer.game().sort_actions(&mut losing);
            let positions = found.nodes;
            return Ok(Finding::Unknown(Unsolved { losing, positions, ..self.nothing(stopped, Method::Forced) }));
        };
        let solution = Solution::new(verdict, method, found.nodes);
        Ok(Finding::Solved(Solution {
            winning: (verdict.outcome() == Outcome::Win).then_some(choice.action),
            line: verdict.plies().filter(|plies| usize::from(*plies) == choice.line.len()).map(|_| choice.line),
            ..solution
        }))
    }
}

impl Answerer<'_> {
    /// Returns the plan of a table in memory of all that a position leads to.
    fn planned(&self, position: &Position) -> Result<MemoryPlan, SolveError> {
        Ok(MemoryPlan::for_position(self.game(), position)?)
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
    fn memory_says(&self, position: &Position, verify: bool) -> Result<Option<Solution>, SolveError> {
        let Some(table) = &self.in_memory else { return Ok(None) };
        let solution = Prober::new(self.game(), [table])?.solve(position, verify)?;
        Ok(solution.map(|solution| Solution { method: Method::Sweeps, ..solution }))
    }

    /// Chooses an action to play within limits: from a table that holds the position, else by
    /// looking ahead and proving ([`super::best`]).
    ///
    /// # Errors
    ///
    /// If a table cannot be read, or two derivations of a value differ.
    pub fn best(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<Best, SolveError> {
        self.best_after(&[], position, limits, observer)
    }

    /// Chooses an action in a game that has been in the positions of `past`, in any order. Guesses
    /// count a repeated position as a draw, so a player that is ahead avoids it; proofs do not
    /// change.
    pub(crate) fn best_after(
        &mut self,
        past: &[Position],
        position: &Position,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<Best, SolveError> {
        let status = self.engine.status(position);
        if super::answerer::over(position, status).is_some() {
            return Ok(Best { status, choice: None, nodes: 1 });
        }
        if let Some(tables) = &mut self.on_disk
            && let Some(solution) = tables.solve(position, false)?
            && let Some(best) = Best::of(&solution)
        {
            return Ok(best);
        }
        let proven = self.proven(position).map(|proven| proven.solution());
        if let Some(best) = proven.as_ref().and_then(Best::of) {
            return Ok(best);
        }
        let engine = self.engine.clone();
        let by_tree = guess_method(engine.game().rules()) == Method::Tree;
        let mut best = choose(&engine, position, past, by_tree, limits, self, observer)?;
        if let (Some(Solution { verdict, method, .. }), Some(choice)) = (proven, &mut best.choice)
            && verdict.outcome() == Outcome::Loss
            && choice.judgement.proven().is_none()
        {
            // Every action keeps what is lost.
            choice.judgement = Judgement::Proven(verdict, method);
        }
        Ok(best)
    }
}

impl Prover for Answerer<'_> {
    fn try_value(&mut self, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Found {
        if !Search::fits(self.game()) {
            return forced(&self.engine, position, limits, tracker);
        }
        let Ok(search) = self.searcher(limits) else { return Found::Losing(Vec::new()) };
        let answer = search.solve(position, limits, tracker.observer());
        tracker.charge(answer.nodes);
        match answer.outcome {
            Ok(outcome) => Found::Value {
                verdict: Verdict::Outcome(outcome),
                method: Method::Search,
                action: answer.winning,
                line: Vec::new(),
            },
            Err(_) => Found::Losing(answer.losing),
        }
    }

    fn by_table(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Option<Found>, SolveError> {
        let plan = self.planned(position).ok().filter(|plan| {
            let in_time = limits.time.is_none_or(|time| plan.seconds() <= time.as_secs_f64());
            in_time && nodes(plan) <= limits.nodes && plan.bytes() <= limits.memory
        });
        let Some(plan) = plan else { return Ok(by_hash(&self.engine, position, limits, tracker)) };
        tracker.charge(nodes(&plan));
        let within = Tracker::new(limits.with_nodes(u64::MAX), tracker.observer());
        if self.table(plan, within.limits(), &within).is_err() {
            return Ok(None);
        }
        let Some(solution) = self.memory_says(position, false)? else { return Ok(None) };
        let action = solution.best.iter().flatten().next().copied();
        let mut line = solution.line.unwrap_or_default();
        if line.is_empty() {
            line.extend(action);
        }
        Ok(Some(Found::Value { verdict: solution.verdict, method: Method::Sweeps, action, line }))
    }
}

/// Returns the nodes that a search would visit in the seconds of a table.
fn nodes(plan: &MemoryPlan) -> u64 {
    (plan.seconds() * NODES_A_SECOND) as u64
}

/// Returns the value by retrograde analysis by hash, if the position leads to few enough positions.
fn by_hash(engine: &Bitboard, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Option<Found> {
    let by_time = limits.time.map_or(u64::MAX, |time| (time.as_secs_f64() * POSITIONS_A_SECOND) as u64);
    let positions = limits.nodes.min(by_time).min(limits.memory / BYTES_A_POSITION);
    // If there are probably far too many, the listing stops early.
    let hopeless = positions_at_most(engine.game(), &[position]) > u128::from(positions) * TOO_HIGH;
    let positions = if hopeless { positions / SMALL_PART } else { positions };
    let within = Tracker::new(limits.with_nodes(u64::MAX), tracker.observer());
    let limits = limits.with_memory(u64::MAX).with_positions(positions);
    let table = match Retrograde::build(engine, &[position], limits, &within) {
        Ok(table) => table,
        Err(stopped) => {
            if let Stopped::LimitReached { positions } = stopped {
                tracker.charge(positions);
            }
            return None;
        }
    };
    tracker.charge(table.positions());
    let value = table.value(position)?;
    let has_value = |p: &Position, wanted: Value| Ok(table.value(p) == Some(wanted));
    let best = best_actions(engine, position, value, has_value).ok()?;
    let action = best.first().copied();
    let mut line = main_line(engine, position, value, has_value).ok()?;
    if line.is_empty() {
        line.extend(action);
    }
    Some(Found::Value { verdict: Verdict::Value(value), method: Method::Retrograde, action, line })
}

/// Prover by forced wins alone, without tables.
struct Ahead<'a> {
    engine: &'a Bitboard,
}

impl Prover for Ahead<'_> {
    fn try_value(&mut self, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Found {
        forced(self.engine, position, limits, tracker)
    }

    fn by_table(&mut self, _: &Position, _: Limits<'_>, _: &mut Tracker<'_>) -> Result<Option<Found>, SolveError> {
        Ok(None)
    }
}

fn forced(engine: &Bitboard, position: &Position, limits: Limits<'_>, tracker: &mut Tracker<'_>) -> Found {
    let answer = forced_win(engine, position, FORCED, limits, tracker.observer());
    tracker.charge(answer.nodes);
    match answer.at_least() {
        Forced::Win { plies, line, .. } => Found::Value {
            verdict: Verdict::Value(Value::Win(plies)),
            method: Method::Forced,
            action: line.first().copied(),
            line,
        },
        Forced::NotWithin(_) | Forced::Unknown { .. } => Found::Losing(Vec::new()),
    }
}
