//! Answers for both starts and the first actions of a setup (R34). What they share is computed
//! once.

use super::answerer::{Answerer, over};
use super::check::{Checked, check};
use super::driver::{Driver, outcome};
use super::plan::{FOR_DISTANCE, FOR_WINNER, ladder};
use super::play::next;
use super::request::{SolveError, Want};
use crate::engine::{Engine, Status};
use crate::position::Position;
use crate::solver::{Finding, Limits, Method, Observer, Outcome, Solution, Stopped, Tracker, Verdict};
use crate::table::{MemoryPlan, Prober};

/// Answer for one start.
#[derive(Clone, Debug)]
pub struct StartAnswer {
    /// The verdict, or the reason why there is none.
    pub known: Result<Verdict, Stopped>,
    /// The method that was used.
    pub method: Method,
}

#[derive(Clone, Debug)]
pub(crate) struct SetupAnswer {
    /// With White and with Black to start, as the player who starts sees it.
    pub starts: [StartAnswer; 2],
    /// For each of White's first actions the outcome for White; `None` if it is not known.
    pub openings: Vec<Option<Outcome>>,
    /// Number of positions that the values rest on: those in the solver's table or those searched;
    /// 1 if a theorem gives them.
    pub positions: u64,
    /// Check of the values; `None` if not all of them were checked.
    pub checked: Option<Checked>,
    /// The limit that ended the check.
    pub unchecked: Option<Stopped>,
}

impl Answerer<'_> {
    /// Answers a question about a setup: the starts with White and with Black to move, and White's
    /// first actions.
    ///
    /// The limits of nodes and time hold for each start; the first actions use what White's start
    /// has left.
    ///
    /// # Errors
    ///
    /// If a table cannot be read, or two derivations of a value differ.
    pub(crate) fn setup(
        &mut self,
        starts: &[Position; 2],
        want: Want,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let openings: Vec<Position> = next(&self.engine, &starts[0]).map(|(_, position)| position).collect();
        // Both starts together have twice the time.
        let both = limits.time.map_or(limits, |time| limits.with_share_of_time(2 * time));
        let whole = Tracker::new(both.with_nodes(u64::MAX), observer);
        let mut driver = Driver::new(self, starts, limits, observer);
        (driver.want, driver.verify, driver.with_line) = (want, false, false);
        let (mut found, mut spent, mut rest) = (Vec::new(), 0, limits);
        for start in starts {
            driver.renew(limits);
            found.push(driver.start(start)?);
            spent += driver.tracker.nodes();
            if found.len() == 1 {
                rest = driver.tracker.part(1);
            }
        }
        driver.renew(rest.or_nodes(FOR_WINNER));
        let is_limited = limits.time.is_some() || limits.nodes < u64::MAX;
        let (outcomes, derivable) = driver.openings(&openings, &found[0], is_limited)?;
        spent += driver.tracker.nodes();
        let mut starts_known = [&found[0], &found[1]].map(|found| match found {
            Finding::Solved(solution) => StartAnswer { known: Ok(solution.verdict), method: solution.method },
            Finding::Unknown(unsolved) => {
                StartAnswer { known: Err(unsolved.refused.unwrap_or(unsolved.stopped)), method: unsolved.method }
            }
        });
        let first = &mut starts_known[0].known;
        *first = first.or_else(|stopped| from_openings(&outcomes).ok_or(stopped));
        let (checked, unchecked) = driver.check_setup(&starts_known, (&openings, &outcomes), derivable, &whole)?;
        let of_table = found.iter().find_map(|found| match found {
            Finding::Solved(solution) => Some(solution),
            Finding::Unknown(_) => None,
        });
        let positions = match of_table {
            Some(Solution { method: Method::Table | Method::Sweeps | Method::Retrograde, positions, .. }) => *positions,
            _ => spent.max(1),
        };
        self.spent += spent;
        Ok(SetupAnswer { starts: starts_known, openings: outcomes, positions, checked, unchecked })
    }
}

impl Driver<'_, '_, '_> {
    fn start(&mut self, start: &Position) -> Result<Finding, SolveError> {
        if let Some(found) = self.answerer.known(start, None, true)? {
            return Ok(found);
        }
        let steps = ladder(self.answerer, start, true, &self.tracker);
        self.drive(start, &steps)
    }

    /// Evaluates White's first actions with what is left of the budget. Returns `true` if all values
    /// are those of the exhaustive search.
    fn openings(
        &mut self,
        openings: &[Position],
        start: &Finding,
        is_limited: bool,
    ) -> Result<(Vec<Option<Outcome>>, bool), SolveError> {
        let (mut outcomes, mut derivable) = (Vec::new(), true);
        let lost = outcome(start) == Some(Outcome::Loss);
        for (number, position) in openings.iter().enumerate() {
            let known = if lost { Some(Outcome::Win) } else { self.at_sight(position)? };
            let is_asked = self.want == Want::Value || outcome(start).is_none();
            let known = match known {
                None if is_asked && !self.answerer.game().rules().can_cycle() => {
                    // Where nothing is limited, a hard action may take all that is left.
                    let parts = if is_limited { (openings.len() - number) as u32 } else { 1 };
                    let (known, by_search) = self.opening(position, parts)?;
                    derivable &= !by_search;
                    known
                }
                known => known,
            };
            outcomes.push(known.map(Outcome::reversed));
        }
        Ok((outcomes, derivable))
    }

    /// Returns the outcome of a position, if a table or the library has it or the game is over.
    fn at_sight(&mut self, position: &Position) -> Result<Option<Outcome>, SolveError> {
        if let Some(value) = over(position, self.answerer.engine.status(position)) {
            return Ok(Some(value.outcome()));
        }
        if let Some(tables) = &mut self.answerer.on_disk
            && let Some(value) = tables.value(position)?
        {
            return Ok(Some(value.outcome()));
        }
        let in_memory = match &self.answerer.in_memory {
            Some(table) => Prober::new(self.answerer.game(), [table])?.value(position)?,
            None => None,
        };
        let by_hash = || self.by_hash.as_ref().and_then(|table| table.value(position));
        let outcome = in_memory.or_else(by_hash).map(|value| value.outcome());
        Ok(outcome.or_else(|| self.answerer.proven(position).map(|proven| proven.outcome)))
    }

    /// Finds the outcome after a first action with an equal share of what is left: by exhaustive
    /// search with half of it, then by the search for the winner. Returns `true` if the latter found
    /// it.
    fn opening(&mut self, position: &Position, parts: u32) -> Result<(Option<Outcome>, bool), SolveError> {
        if self.stopped().is_some() {
            return Ok((None, false));
        }
        let mut share = Tracker::new(self.tracker.part(parts), self.tracker.observer());
        let mut found = None;
        if let Some(search) = &mut self.exhaustive {
            let half = Tracker::new(share.part(2), share.observer());
            let (before, most) = (search.positions(), half.limits().nodes.min(FOR_DISTANCE));
            search.allow(half.limits().with_nodes(before.saturating_add(most)));
            found = search.outcome(position, &half).ok();
            share.charge(search.positions() - before);
        }
        let by_search = found.is_none();
        if by_search {
            found = match self.answerer.mirror(position) {
                Ok(solution) => Some(solution.verdict.outcome()),
                Err(_) => outcome(&self.answerer.search(position, share.part(1), &mut share)?),
            };
        }
        self.tracker.charge(share.nodes());
        Ok((found, by_search && found.is_some()))
    }

    /// Derives the values of a setup again. Returns the check, or the limit that ended it.
    fn check_setup(
        &self,
        starts: &[StartAnswer; 2],
        (openings, outcomes): (&[Position], &[Option<Outcome>]),
        derivable: bool,
        observer: &dyn Observer,
    ) -> Result<(Option<Checked>, Option<Stopped>), SolveError> {
        let all = |method| starts.iter().all(|start| start.method == method);
        // A limit of nodes that ended a start leaves what is known to be checked.
        let checked = |result: Result<Checked, Stopped>| (result.as_ref().ok().copied(), result.err());
        if let (true, Some(table)) = (all(Method::Sweeps), &self.answerer.in_memory) {
            let taken = MemoryPlan::for_position(self.answerer.game(), &self.roots[0])?.bytes();
            let room = self.tracker.limits().memory.saturating_sub(taken);
            return Ok(checked(check(table, room, observer)?.map(|(checked, _)| checked)));
        }
        if let (true, Some(table)) = (all(Method::Retrograde), &self.by_hash) {
            return Ok(checked(table.verify(&self.answerer.reference, observer)?.map(|_| Checked::Reference)));
        }
        if all(Method::Table) {
            return Ok((Some(Checked::Step), None));
        }
        if all(Method::Mirror) {
            return Ok((Some(Checked::Theorem), None));
        }
        // Where White's start is lost, so are all first actions.
        let lost = matches!(starts[0].known, Ok(verdict) if verdict.outcome() == Outcome::Loss);
        let Some(search) = self.exhaustive.as_ref().filter(|_| all(Method::Exhaustive) && (lost || derivable)) else {
            return Ok((None, None));
        };
        let mut values = Vec::new();
        for (start, answer) in self.roots.iter().zip(starts) {
            if let Ok(Verdict::Value(value)) = answer.known {
                values.push((start, value));
            }
        }
        let ongoing = |position: &&Position| self.answerer.engine.status(position) == Status::Ongoing;
        let known = openings.iter().zip(outcomes).filter(|(position, _)| !lost && ongoing(position));
        let known: Vec<(&Position, Outcome)> =
            known.filter_map(|(position, outcome)| Some((position, (*outcome)?.reversed()))).collect();
        Ok(checked(search.verify(&self.answerer.reference, &values, &known, observer)?.map(|_| Checked::Reference)))
    }
}

/// Returns the start's outcome, if the first actions tell it.
fn from_openings(openings: &[Option<Outcome>]) -> Option<Verdict> {
    let best = openings.iter().flatten().max().copied()?;
    let all = openings.iter().all(Option::is_some);
    (all || best == Outcome::Win).then_some(Verdict::Outcome(best))
}
