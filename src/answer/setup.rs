//! Both starts and the first actions of a setup (R34), with what they share found out once.

use super::answerer::{Answerer, over};
use super::check::{Checked, check};
use super::placement::{FIRST_LOOK, FOR_DISTANCE, FOR_WINNER};
use super::request::{SolveError, Want};
use crate::engine::{Engine, Status};
use crate::position::Position;
use crate::solver::search::Search;
use crate::solver::{
    Discrepancy, Exhaustive, Finding, Limits, Method, Observer, Outcome, Retrograde, Solution, Stopped, Tracker,
    Unknown, Unsolved, Value, Verdict, mover_loses_by_mirror,
};
use crate::table::{Lookup, MemoryPlan};

/// What is known of one start.
#[derive(Clone, Debug)]
pub struct StartAnswer {
    /// What is known, or why nothing is.
    pub known: Result<Verdict, Stopped>,
    /// How.
    pub method: Method,
}

/// What is known of a setup.
#[derive(Clone, Debug)]
pub struct SetupAnswer {
    /// With White and with Black to start, as the player who starts sees it.
    pub starts: [StartAnswer; 2],
    /// White's first actions by what they give White; `None` for those that are not known.
    pub openings: Vec<Option<Outcome>>,
    /// How many positions the values rest on: those in the table of the solver or searched; 1 where a theorem settles them.
    pub positions: u64,
    /// How the values were checked; `None` if not all of them were.
    pub checked: Option<Checked>,
}

impl Answerer<'_> {
    /// What can be found out about a setup: with White and with Black to start, and about White's first actions. Nodes and
    /// time are those of each start; what White's start leaves of them is for the first actions.
    ///
    /// # Errors
    ///
    /// If a table cannot be read, or two derivations of a value differ.
    pub fn setup(
        &mut self,
        starts: &[Position; 2],
        want: Want,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let next = self.next(&starts[0]);
        if let Some(answer) = self.look_up_setup(starts, &next)? {
            return Ok(answer);
        }
        if self.game().rules().can_cycle() {
            return self.cycling_setup(starts, &next, limits, observer);
        }
        let fits = Exhaustive::predict(&self.engine, &starts[0]).bytes <= u128::from(limits.memory);
        if !fits && let Some(answer) = self.mirrored_setup(starts, next.len()) {
            return Ok(answer);
        }
        self.placement_setup(starts, &next, want, limits, observer)
    }

    /// The positions after each first action.
    fn next(&self, start: &Position) -> Vec<Position> {
        let state = self.engine.state(start);
        let actions = self.engine.actions(start).into_iter();
        actions.map(|action| self.engine.position(&self.engine.play(&state, action))).collect()
    }

    fn look_up_setup(&mut self, starts: &[Position; 2], next: &[Position]) -> Result<Option<SetupAnswer>, SolveError> {
        let statuses = starts.each_ref().map(|start| self.engine.status(start));
        let Some(tables) = &mut self.on_disk else { return Ok(None) };
        from_tables(tables, starts, statuses, next, Method::Table, Checked::Step)
    }

    /// By the mirror theorem: who starts loses, whatever the first action.
    fn mirrored_setup(&self, starts: &[Position; 2], openings: usize) -> Option<SetupAnswer> {
        let known = Ok(Verdict::Outcome(Outcome::Loss));
        starts.iter().all(|start| mover_loses_by_mirror(self.game(), start).is_ok()).then(|| SetupAnswer {
            starts: [known, known].map(|known| StartAnswer { known, method: Method::Mirror }),
            openings: vec![Some(Outcome::Loss); openings],
            positions: 1,
            checked: Some(Checked::Theorem),
        })
    }

    /// From one table in memory; by hash where there is no index; else each start for itself.
    fn cycling_setup(
        &mut self,
        starts: &[Position; 2],
        next: &[Position],
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let tracker = Tracker::new(limits, observer);
        let statuses = starts.each_ref().map(|start| self.engine.status(start));
        match MemoryPlan::for_position(self.game(), &starts[0]) {
            Ok(plan) if plan.bytes() <= limits.memory && plan.positions() <= limits.positions => {
                let room = limits.memory.saturating_sub(plan.bytes());
                let reference = self.reference.clone();
                match self.table(plan, limits, &tracker) {
                    Ok(table) => {
                        let (checked, _) = check(table, room, &tracker)?;
                        let mut tables = Lookup::new(reference.game(), [table])?;
                        let answer = from_tables(&mut tables, starts, statuses, next, Method::Sweeps, checked)?;
                        if let Some(answer) = answer {
                            return Ok(answer);
                        }
                    }
                    Err(stopped) => return Ok(unknown(stopped, Method::Sweeps, next.len())),
                }
            }
            Ok(_) => {}
            Err(_) => match Retrograde::build(&self.engine, &[&starts[0], &starts[1]], limits, &tracker) {
                Ok(table) => {
                    table.verify(&self.reference, &tracker)?;
                    let value = |position: &Position| table.value(position).ok_or(SolveError::NoTable);
                    let start = |start: &Position| -> Result<StartAnswer, SolveError> {
                        Ok(StartAnswer { known: Ok(Verdict::Value(value(start)?)), method: Method::Retrograde })
                    };
                    let openings = next.iter().map(|p| Ok(Some(value(p)?.outcome().reversed())));
                    return Ok(SetupAnswer {
                        starts: [start(&starts[0])?, start(&starts[1])?],
                        openings: openings.collect::<Result<_, SolveError>>()?,
                        positions: table.positions(),
                        checked: Some(Checked::Reference),
                    });
                }
                Err(Stopped::WouldNotFit { .. }) => {}
                Err(stopped) => return Ok(unknown(stopped, Method::Retrograde, next.len())),
            },
        }
        self.each_start(starts, next.len(), limits, observer)
    }

    /// Each start for itself, by what is left when no table fits.
    fn each_start(
        &mut self,
        starts: &[Position; 2],
        openings: usize,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let mut positions = 0;
        let mut answers = Vec::new();
        for start in starts {
            let request = super::Request::new(limits);
            answers.push(match self.answer(start, request, observer)? {
                Finding::Solved(solution) => {
                    positions += solution.positions;
                    StartAnswer { known: Ok(solution.verdict), method: solution.method }
                }
                Finding::Unknown(unsolved) => {
                    positions += unsolved.positions;
                    StartAnswer { known: Err(unsolved.refused.unwrap_or(unsolved.stopped)), method: unsolved.method }
                }
            });
        }
        let lost = matches!(answers[0].known, Ok(verdict) if verdict.outcome() == Outcome::Loss);
        let openings = vec![lost.then_some(Outcome::Loss); openings];
        let [white, black] = [answers[0].clone(), answers[1].clone()];
        Ok(SetupAnswer { starts: [white, black], openings, positions, checked: None })
    }

    /// A game that cannot cycle: exhaustively where few positions suffice; else the winners by the search, the distances as far
    /// as the limits go, and the first actions with what is left.
    fn placement_setup(
        &mut self,
        starts: &[Position; 2],
        next: &[Position],
        want: Want,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let engine = self.engine.clone();
        let tracker = Tracker::new(limits, observer);
        let few = limits.with_positions(limits.positions.min(FIRST_LOOK));
        let mut search = Exhaustive::new(engine, &[&starts[0], &starts[1]], few);
        let outcomes = |search: &mut Exhaustive, tracker: &Tracker<'_>| -> Result<Vec<Option<Outcome>>, Stopped> {
            next.iter().map(|p| Ok(Some(search.outcome(p, tracker)?.reversed()))).collect()
        };
        let values = |search: &mut Exhaustive, tracker: &Tracker<'_>| -> Result<[Value; 2], Stopped> {
            Ok([search.value(&starts[0], tracker)?, search.value(&starts[1], tracker)?])
        };
        let all = values(&mut search, &tracker).and_then(|v| Ok((v, outcomes(&mut search, &tracker)?)));
        let (values, openings) = match all {
            Ok((values, openings)) => (values.map(|value| Ok(Verdict::Value(value))), openings),
            Err(stopped) if !matches!(stopped, Stopped::LimitReached { .. }) => {
                return Ok(unknown(stopped, Method::Exhaustive, next.len()));
            }
            Err(_) => return self.searched_setup(search, starts, next, want, limits, observer),
        };
        self.exhaustive_answer(&search, starts, next, values, openings, &tracker)
    }

    /// Winners by the search, distances as far as the limits go.
    fn searched_setup(
        &mut self,
        mut search: Exhaustive,
        starts: &[Position; 2],
        next: &[Position],
        want: Want,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let fits = Search::fits(self.game());
        let unlimited = limits.nodes == u64::MAX && limits.time.is_none();
        let mut nodes = 0;
        let mut known: [Result<Verdict, Stopped>; 2] = [Err(Stopped::Interrupted); 2];
        let mut methods = [Method::Search; 2];
        let mut openings = vec![None; next.len()];
        let most = if limits.positions == u64::MAX { FOR_DISTANCE } else { limits.positions };
        search.allow(limits.with_positions(most));
        let mut distances = want == Want::Value;
        for (i, start) in starts.iter().enumerate() {
            let mut tracker = Tracker::new(limits, observer);
            let within = if unlimited { tracker.part(1).with_nodes(FOR_WINNER) } else { tracker.part(1) };
            let found = if fits { Some(self.winner(start, within, &mut tracker)?) } else { None };
            nodes += tracker.nodes();
            let outcome = match found {
                Some(Finding::Solved(ref solution)) => Some(solution.verdict.outcome()),
                _ => None,
            };
            known[i] = match &found {
                Some(Finding::Solved(solution)) => Ok(solution.verdict),
                Some(Finding::Unknown(unsolved)) => Err(unsolved.stopped),
                None => Err(Stopped::LimitReached { positions: search.positions() }),
            };
            if distances || outcome.is_none() {
                let value = match outcome {
                    Some(outcome) => search.value_given(start, outcome, &tracker),
                    None => search.value(start, &tracker),
                };
                match (value, outcome) {
                    (Ok(value), Some(outcome)) if value.outcome() != outcome => {
                        let cause = "the search for the winner and exhaustive search differ".to_owned();
                        return Err(Discrepancy { position: start.text(self.game()), cause }.into());
                    }
                    (Ok(value), _) => (known[i], methods[i]) = (Ok(Verdict::Value(value)), Method::Exhaustive),
                    // The table is full: the other start has no room either.
                    (Err(Stopped::LimitReached { .. }), _) => distances = false,
                    (Err(stopped), None) => known[i] = Err(stopped),
                    (Err(_), Some(_)) => {}
                }
            }
            if i == 0 {
                self.openings(&mut search, &known[0], want, next, &mut openings, &mut tracker)?;
                known[0] = known[0].or_else(|stopped| from_openings(&openings).ok_or(stopped));
            }
        }
        // Where White's start is lost, so are all first actions; others are the search's, which nothing derives again.
        let implied = matches!(known[0], Ok(verdict) if verdict.outcome() == Outcome::Loss);
        if methods == [Method::Exhaustive; 2] && (implied || !fits) {
            let tracker = Tracker::new(limits, observer);
            let claimed = if implied { &[] } else { next };
            return self.exhaustive_answer(&search, starts, claimed, known, openings, &tracker);
        }
        let [white, black] = [0, 1].map(|i: usize| StartAnswer { known: known[i], method: methods[i] });
        let positions = nodes + search.positions();
        Ok(SetupAnswer { starts: [white, black], openings, positions, checked: None })
    }

    /// White's first actions, with what is left of the limits.
    fn openings(
        &mut self,
        search: &mut Exhaustive,
        start: &Result<Verdict, Stopped>,
        want: Want,
        next: &[Position],
        openings: &mut [Option<Outcome>],
        tracker: &mut Tracker<'_>,
    ) -> Result<(), SolveError> {
        if matches!(start, Ok(verdict) if verdict.outcome() == Outcome::Loss) {
            openings.fill(Some(Outcome::Loss));
            return Ok(());
        }
        if want == Want::Winner && start.is_ok() {
            return Ok(());
        }
        let unlimited = tracker.limits().nodes == u64::MAX && tracker.limits().time.is_none();
        let mut left = if unlimited { FOR_WINNER } else { u64::MAX };
        for (position, opening) in next.iter().zip(openings) {
            if let Some(value) = over(position, self.engine.status(position)) {
                *opening = Some(value.outcome().reversed());
                continue;
            }
            if tracker.is_exhausted() || left == 0 {
                return Ok(());
            }
            if !Search::fits(self.game()) {
                *opening = search.outcome(position, tracker).ok().map(Outcome::reversed);
                continue;
            }
            let before = tracker.nodes();
            let limits = tracker.part(1);
            let limits = if unlimited { limits.with_nodes(left) } else { limits };
            if let Finding::Solved(solution) = self.winner(position, limits, tracker)? {
                *opening = Some(solution.verdict.outcome().reversed());
            }
            left = left.saturating_sub(tracker.nodes() - before);
        }
        Ok(())
    }

    /// Who wins, by the mirror theorem or the search.
    fn winner(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Finding, SolveError> {
        if mover_loses_by_mirror(self.game(), position).is_ok() {
            return Ok(Finding::Solved(Solution::new(Verdict::Outcome(Outcome::Loss), Method::Mirror, 1)));
        }
        let answer = self.searcher(limits)?.solve(position, limits, tracker.observer());
        tracker.charge(answer.nodes);
        Ok(match answer.outcome {
            Ok(outcome) => Finding::Solved(Solution::new(Verdict::Outcome(outcome), Method::Search, answer.nodes)),
            Err(cause) => {
                let stopped = match cause {
                    Unknown::Nodes => Stopped::NodesReached { nodes: limits.nodes },
                    cause => tracker.reason(cause),
                };
                Finding::Unknown(Unsolved::nothing(stopped, Method::Search))
            }
        })
    }

    /// The answer of an exhaustive search that knows all of it, verified.
    fn exhaustive_answer(
        &self,
        search: &Exhaustive,
        starts: &[Position; 2],
        next: &[Position],
        known: [Result<Verdict, Stopped>; 2],
        openings: Vec<Option<Outcome>>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let mut values = Vec::new();
        for (start, known) in starts.iter().zip(&known) {
            if let Ok(Verdict::Value(value)) = known {
                values.push((start, *value));
            }
        }
        let outcomes = next.iter().zip(&openings).filter_map(|(position, opening)| {
            let ongoing = self.engine.status(position) == Status::Ongoing;
            Some((position, opening.filter(|_| ongoing)?.reversed()))
        });
        let outcomes: Vec<(&Position, Outcome)> = outcomes.collect();
        search.verify(&self.reference, &values, &outcomes, observer)?;
        Ok(SetupAnswer {
            starts: known.map(|known| StartAnswer { known, method: Method::Exhaustive }),
            openings,
            positions: search.positions(),
            checked: Some(Checked::Reference),
        })
    }
}

/// The values from tables, if one holds the starts and all that they lead to.
fn from_tables(
    tables: &mut Lookup<'_>,
    starts: &[Position; 2],
    statuses: [Status; 2],
    next: &[Position],
    method: Method,
    checked: Checked,
) -> Result<Option<SetupAnswer>, SolveError> {
    let (mut answers, mut positions) = (Vec::new(), 0);
    for (start, status) in starts.iter().zip(statuses) {
        let verdict = match (tables.solve(start, true)?, over(start, status)) {
            (Some(solution), _) => {
                positions = solution.positions;
                solution.verdict
            }
            (None, Some(value)) => Verdict::Value(value),
            (None, None) => return Ok(None),
        };
        answers.push(StartAnswer { known: Ok(verdict), method });
    }
    let mut openings = Vec::new();
    for position in next {
        let Some(answer) = tables.answer(position)? else { return Ok(None) };
        openings.push(Some(answer.outcome.reversed()));
    }
    let [white, black] = [answers[0].clone(), answers[1].clone()];
    let answer = SetupAnswer { starts: [white, black], openings, positions, checked: Some(checked) };
    Ok(Some(answer).filter(|_| positions > 0))
}

/// What first actions say of the start.
fn from_openings(openings: &[Option<Outcome>]) -> Option<Verdict> {
    let best = openings.iter().flatten().max().copied()?;
    let all = openings.iter().all(Option::is_some);
    (all || best == Outcome::Win).then_some(Verdict::Outcome(best))
}

/// Nothing is known of either start.
fn unknown(stopped: Stopped, method: Method, openings: usize) -> SetupAnswer {
    let start = StartAnswer { known: Err(stopped), method };
    SetupAnswer { starts: [start.clone(), start], openings: vec![None; openings], positions: 0, checked: None }
}
