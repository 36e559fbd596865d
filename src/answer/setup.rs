//! Answers for both starts and the first actions of a setup (R34). What they share is computed
//! once.

use super::answerer::{Answerer, over};
use super::check::{Checked, check};
use super::plan::{CyclingPlan, CyclingStep, FOR_WINNER, PlacementPlan};
use super::request::{Request, SolveError, Want};
use super::settle::Settled;
use crate::engine::{Engine, Status};
use crate::position::Position;
use crate::solver::search::Search;
use crate::solver::{Exhaustive, Finding, Limits, Method, Observer, Outcome, Retrograde, Stopped, Tracker, Verdict};
use crate::table::Prober;

/// Answer for one start.
#[derive(Clone, Debug)]
pub struct StartAnswer {
    /// The verdict, or the reason why there is none.
    pub known: Result<Verdict, Stopped>,
    /// The method that was used.
    pub method: Method,
}

/// Answer for a setup.
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

/// A question about a setup.
struct SetupQuery<'j> {
    starts: &'j [Position; 2],
    /// The positions after each of White's first actions.
    next: Vec<Position>,
    want: Want,
    limits: Limits<'j>,
    observer: &'j dyn Observer,
}

impl<'j> SetupQuery<'j> {
    fn tracker(&self) -> Tracker<'j> {
        Tracker::new(self.limits, self.observer)
    }

    /// Returns an answer that knows nothing of either start.
    fn unknown(&self, stopped: Stopped, method: Method) -> SetupAnswer {
        let start = StartAnswer { known: Err(stopped), method };
        let openings = vec![None; self.next.len()];
        SetupAnswer { starts: [start.clone(), start], openings, positions: 0, checked: None, unchecked: None }
    }
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
        let asked = SetupQuery { starts, next: self.next(&starts[0]), want, limits: limits.of_all_work(), observer };
        if let Some(answer) = self.look_up_setup(&asked)? {
            return Ok(answer);
        }
        if self.game().rules().can_cycle() {
            return self.cycling_setup(&asked);
        }
        let tracker = asked.tracker();
        let plan = PlacementPlan::new(self, &starts[0], &tracker);
        if plan.theorem_first
            && let Some(answer) = self.mirrored_setup(&asked)
        {
            return Ok(answer);
        }
        self.placement_setup(&asked, &plan)
    }

    /// Returns the positions after each first action.
    fn next(&self, start: &Position) -> Vec<Position> {
        let state = self.engine.state(start);
        let actions = self.engine.sorted_actions(start).into_iter();
        actions.map(|action| self.engine.position(&self.engine.play_state(&state, action))).collect()
    }

    fn look_up_setup(&mut self, asked: &SetupQuery<'_>) -> Result<Option<SetupAnswer>, SolveError> {
        let statuses = asked.starts.each_ref().map(|start| self.engine.status(start));
        let Some(tables) = &mut self.on_disk else { return Ok(None) };
        from_tables(tables, asked, statuses, Method::Table, Ok(Checked::Step))
    }

    /// Solves by the mirror theorem: the player who starts loses, whatever the first action.
    fn mirrored_setup(&self, asked: &SetupQuery<'_>) -> Option<SetupAnswer> {
        let known = Ok(Verdict::Outcome(Outcome::Loss));
        asked.starts.iter().all(|start| self.mirror(start).is_ok()).then(|| SetupAnswer {
            starts: [known, known].map(|known| StartAnswer { known, method: Method::Mirror }),
            openings: vec![Some(Outcome::Loss); asked.next.len()],
            positions: 1,
            checked: Some(Checked::Theorem),
            unchecked: None,
        })
    }

    /// Solves both starts from one table in memory; by hash where the setup has no index; else
    /// each start by itself.
    fn cycling_setup(&mut self, asked: &SetupQuery<'_>) -> Result<SetupAnswer, SolveError> {
        let (limits, tracker) = (asked.limits, asked.tracker());
        let statuses = asked.starts.each_ref().map(|start| self.engine.status(start));
        // A table of both starts serves for the first actions too, so it is made whatever it takes.
        for step in CyclingPlan::new(self, &asked.starts[0], &tracker).steps {
            match step {
                CyclingStep::Sweeps { table: plan, .. } => {
                    let room = limits.memory.saturating_sub(plan.bytes());
                    let reference = self.reference.clone();
                    match self.table(*plan, limits, &tracker) {
                        Ok(table) => {
                            let checked = check(table, room, &tracker)?.map(|(checked, _)| checked);
                            let mut tables = Prober::new(reference.game(), [table])?;
                            if let Some(answer) = from_tables(&mut tables, asked, statuses, Method::Sweeps, checked)? {
                                return Ok(answer);
                            }
                        }
                        Err(Stopped::Interrupted) => return Ok(asked.unknown(Stopped::Interrupted, Method::Sweeps)),
                        Err(_) => {}
                    }
                }
                CyclingStep::ByHash(_) => match self.setup_by_hash(asked, &tracker)? {
                    Ok(answer) => return Ok(answer),
                    Err(Stopped::Interrupted) => return Ok(asked.unknown(Stopped::Interrupted, Method::Retrograde)),
                    Err(_) => {}
                },
                // Each start has these by itself.
                CyclingStep::FewByHash(_) | CyclingStep::LookAhead { .. } => {}
            }
        }
        self.each_start(asked)
    }

    /// Solves both starts by retrograde analysis by hash.
    fn setup_by_hash(
        &self,
        asked: &SetupQuery<'_>,
        tracker: &Tracker<'_>,
    ) -> Result<Result<SetupAnswer, Stopped>, SolveError> {
        let roots = [&asked.starts[0], &asked.starts[1]];
        let table = match Retrograde::build(&self.engine, &roots, asked.limits, tracker) {
            Ok(table) => table,
            Err(stopped) => return Ok(Err(stopped)),
        };
        let unchecked = table.verify(&self.reference, tracker)?.err();
        let value = |position: &Position| table.value(position).ok_or(SolveError::NoTable);
        let start = |start: &Position| -> Result<StartAnswer, SolveError> {
            Ok(StartAnswer { known: Ok(Verdict::Value(value(start)?)), method: Method::Retrograde })
        };
        let openings = asked.next.iter().map(|p| Ok(Some(value(p)?.outcome().reversed())));
        Ok(Ok(SetupAnswer {
            starts: [start(roots[0])?, start(roots[1])?],
            openings: openings.collect::<Result<_, SolveError>>()?,
            positions: table.positions(),
            checked: unchecked.is_none().then_some(Checked::Reference),
            unchecked,
        }))
    }

    /// Solves each start by itself, where no table fits.
    fn each_start(&mut self, asked: &SetupQuery<'_>) -> Result<SetupAnswer, SolveError> {
        let mut positions = 0;
        let mut answers = Vec::new();
        for start in asked.starts {
            answers.push(match self.answer(start, Request::new(asked.limits), asked.observer)? {
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
        let openings = vec![lost.then_some(Outcome::Loss); asked.next.len()];
        let [white, black] = [answers[0].clone(), answers[1].clone()];
        Ok(SetupAnswer { starts: [white, black], openings, positions, checked: None, unchecked: None })
    }

    /// Solves the starts of a game that cannot cycle: by exhaustive search where few positions
    /// suffice; else by [`Answerer::settle`] for each start, and the first actions with the rest of
    /// the limits.
    fn placement_setup(&mut self, asked: &SetupQuery<'_>, plan: &PlacementPlan<'_>) -> Result<SetupAnswer, SolveError> {
        let (starts, engine) = (asked.starts, self.engine.clone());
        let tracker = asked.tracker();
        let look = Tracker::new(plan.first_look, tracker.observer());
        let mut search = Exhaustive::new(engine, &[&starts[0], &starts[1]], look.limits());
        let mut values = || -> Result<_, Stopped> {
            let values = [search.value(&starts[0], &look)?, search.value(&starts[1], &look)?];
            let next = asked.next.iter().map(|p| Ok(Some(search.outcome(p, &look)?.reversed())));
            Ok((values, next.collect::<Result<Vec<Option<Outcome>>, Stopped>>()?))
        };
        match values() {
            Ok((values, openings)) => {
                let known = values.map(|value| Ok(Verdict::Value(value)));
                self.exhaustive_answer(&search, asked, known, openings, &tracker)
            }
            Err(Stopped::Interrupted) => Ok(asked.unknown(Stopped::Interrupted, Method::Exhaustive)),
            Err(_) => self.settled_setup(search, asked, plan),
        }
    }

    /// Finds winners, distances as far as the limits go, and first actions.
    fn settled_setup(
        &mut self,
        mut search: Exhaustive,
        asked: &SetupQuery<'_>,
        plan: &PlacementPlan<'_>,
    ) -> Result<SetupAnswer, SolveError> {
        let mut nodes = 0;
        let mut known: [Result<Verdict, Stopped>; 2] = [Err(Stopped::Interrupted); 2];
        let mut methods = [Method::Search; 2];
        let mut openings = vec![None; asked.next.len()];
        let (mut want, mut derivable) = (asked.want, true);
        for (i, start) in asked.starts.iter().enumerate() {
            let mut tracker = asked.tracker();
            let Settled { winner, value } = self.settle(&mut search, start, want, plan, &mut tracker)?;
            nodes += tracker.nodes();
            let full = matches!(value, Some(Err(stopped)) if stopped.lacks_room());
            if full {
                // The table is full: the other start has no room for its distance either.
                want = Want::Winner;
            }
            (known[i], methods[i]) = match (value, winner) {
                (Some(Ok(value)), _) => (Ok(Verdict::Value(value)), Method::Exhaustive),
                (_, Some(Finding::Solved(found))) => (Ok(found.verdict), found.method),
                (Some(Err(_)), Some(Finding::Unknown(unsolved))) if full => (Err(unsolved.stopped), unsolved.method),
                (Some(Err(stopped)), _) => (Err(stopped), Method::Search),
                (None, _) => (known[i], methods[i]),
            };
            if i == 0 {
                derivable = self.openings(&mut search, &known[0], asked, &mut openings, &mut tracker)?;
                known[0] = known[0].or_else(|stopped| from_openings(&openings).ok_or(stopped));
            }
        }
        // Where White's start is lost, so are all first actions. Only the results of exhaustive
        // search can be derived again.
        let implied = matches!(known[0], Ok(verdict) if verdict.outcome() == Outcome::Loss);
        if methods == [Method::Exhaustive; 2] && (implied || derivable) {
            let claimed = if implied { vec![None; openings.len()] } else { openings.clone() };
            let answer = self.exhaustive_answer(&search, asked, known, claimed, &asked.tracker())?;
            return Ok(SetupAnswer { openings, ..answer });
        }
        let [white, black] = [0, 1].map(|i: usize| StartAnswer { known: known[i], method: methods[i] });
        let positions = nodes + search.positions();
        Ok(SetupAnswer { starts: [white, black], openings, positions, checked: None, unchecked: None })
    }

    /// Evaluates White's first actions with what is left of the limits: by exhaustive search as
    /// long as there is memory, then by the search for the winner. Returns `true` if none of the
    /// values comes from the mirror theorem or that search.
    fn openings(
        &mut self,
        search: &mut Exhaustive,
        start: &Result<Verdict, Stopped>,
        asked: &SetupQuery<'_>,
        openings: &mut [Option<Outcome>],
        tracker: &mut Tracker<'_>,
    ) -> Result<bool, SolveError> {
        if matches!(start, Ok(verdict) if verdict.outcome() == Outcome::Loss) {
            openings.fill(Some(Outcome::Loss));
            return Ok(true);
        }
        if asked.want == Want::Winner && start.is_ok() {
            // What is known without a search is told all the same.
            for (position, opening) in asked.next.iter().zip(openings) {
                *opening = self.proven(position).map(|proven| proven.outcome.reversed());
            }
            return Ok(true);
        }
        let mut derivable = true;
        let mut left = asked.limits.or_nodes(FOR_WINNER).nodes;
        for (position, opening) in asked.next.iter().zip(openings) {
            if let Some(value) = over(position, self.engine.status(position)) {
                *opening = Some(value.outcome().reversed());
                continue;
            }
            if tracker.is_exhausted() || left == 0 {
                return Ok(derivable);
            }
            if let Ok(outcome) = search.outcome(position, tracker) {
                *opening = Some(outcome.reversed());
                continue;
            }
            if !Search::fits(self.game()) {
                continue;
            }
            let before = tracker.nodes();
            let limits = tracker.part(1);
            let limits = limits.with_nodes(limits.nodes.min(left));
            if let Some(Finding::Solved(solution)) = self.winner(position, limits, tracker)? {
                *opening = Some(solution.verdict.outcome().reversed());
                derivable = false;
            }
            left = left.saturating_sub(tracker.nodes() - before);
        }
        Ok(derivable)
    }

    /// Returns the verified answer of an exhaustive search that knows all values.
    fn exhaustive_answer(
        &self,
        search: &Exhaustive,
        asked: &SetupQuery<'_>,
        known: [Result<Verdict, Stopped>; 2],
        openings: Vec<Option<Outcome>>,
        observer: &dyn Observer,
    ) -> Result<SetupAnswer, SolveError> {
        let mut values = Vec::new();
        for (start, known) in asked.starts.iter().zip(&known) {
            if let Ok(Verdict::Value(value)) = known {
                values.push((start, *value));
            }
        }
        let outcomes = asked.next.iter().zip(&openings).filter_map(|(position, opening)| {
            let ongoing = self.engine.status(position) == Status::Ongoing;
            Some((position, opening.filter(|_| ongoing)?.reversed()))
        });
        let outcomes: Vec<(&Position, Outcome)> = outcomes.collect();
        let unchecked = search.verify(&self.reference, &values, &outcomes, observer)?.err();
        Ok(SetupAnswer {
            starts: known.map(|known| StartAnswer { known, method: Method::Exhaustive }),
            openings,
            positions: search.positions(),
            checked: unchecked.is_none().then_some(Checked::Reference),
            unchecked,
        })
    }
}

/// Returns the answer from tables, if they hold the starts and the positions after the first
/// actions.
fn from_tables(
    tables: &mut Prober<'_>,
    asked: &SetupQuery<'_>,
    statuses: [Status; 2],
    method: Method,
    checked: Result<Checked, Stopped>,
) -> Result<Option<SetupAnswer>, SolveError> {
    let (mut answers, mut positions) = (Vec::new(), 0);
    for (start, status) in asked.starts.iter().zip(statuses) {
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
    for position in &asked.next {
        let Some(value) = tables.value(position)? else { return Ok(None) };
        openings.push(Some(value.outcome().reversed()));
    }
    let [white, black] = [answers[0].clone(), answers[1].clone()];
    let (checked, unchecked) = (checked.ok(), checked.err());
    let answer = SetupAnswer { starts: [white, black], openings, positions, checked, unchecked };
    Ok(Some(answer).filter(|_| positions > 0))
}

/// Returns the start's outcome, if the first actions tell it.
fn from_openings(openings: &[Option<Outcome>]) -> Option<Verdict> {
    let best = openings.iter().flatten().max().copied()?;
    let all = openings.iter().all(Option::is_some);
    (all || best == Outcome::Win).then_some(Verdict::Outcome(best))
}
