//! The driver of a plan: runs the steps within one budget, and keeps what they have found.
//!
//! The limits, an interrupt and progress are handled here for all methods. A step gets what is left
//! of the budget, or a share of it, and what it has used is taken off. When the budget is used up,
//! or nothing is open any more, the findings of all steps together are the answer.

use super::answerer::Answerer;
use super::plan::{Finds, Step, Used, refusal};
use super::request::{SolveError, Want};
use crate::engine::Engine as _;
use crate::position::Position;
use crate::solver::{
    Discrepancy, Exhaustive, Extent, Finding, Limits, Method, Observer, Outcome, Retrograde, Solution, Stopped,
    Tracker, Unsolved, Verdict,
};
use crate::table::MemoryPlan;

/// A question on its way to an answer.
pub(super) struct Driver<'d, 't, 'l> {
    pub(super) answerer: &'d mut Answerer<'t>,
    /// The positions that tables and searches are made for: they differ at most in the side to move
    /// and the opening.
    pub(super) roots: &'d [Position],
    /// The budget, and what is used of it.
    pub(super) tracker: Tracker<'l>,
    /// Extent that is asked for.
    pub(super) want: Want,
    /// True if best actions and a line are asked for.
    pub(super) with_line: bool,
    /// True if values are derived again with the reference engine.
    pub(super) verify: bool,
    /// Exhaustive search, once it was begun.
    pub(super) exhaustive: Option<Exhaustive>,
    /// All that the roots lead to, once it was solved by hash.
    pub(super) by_hash: Option<Retrograde>,
}

impl<'d, 't, 'l> Driver<'d, 't, 'l> {
    /// Begins with a whole budget.
    pub(super) fn new(
        answerer: &'d mut Answerer<'t>,
        roots: &'d [Position],
        limits: Limits<'l>,
        observer: &'l dyn Observer,
    ) -> Driver<'d, 't, 'l> {
        Driver {
            answerer,
            roots,
            tracker: Tracker::new(limits, observer),
            want: Want::Value,
            with_line: true,
            verify: true,
            exhaustive: None,
            by_hash: None,
        }
    }

    /// Goes on with another budget.
    pub(super) fn renew(&mut self, limits: Limits<'l>) {
        self.tracker = Tracker::new(limits, self.tracker.observer());
    }

    /// Returns the method that comes first under the rules.
    pub(super) fn first_method(&self) -> Method {
        if self.answerer.game().rules().can_cycle() { Method::Retrograde } else { Method::Exhaustive }
    }

    pub(super) fn only(&self, method: Method, position: &Position) -> Result<Step, SolveError> {
        let (answerer, cycles) = (&self.answerer, self.answerer.game().rules().can_cycle());
        let method = match method {
            Method::Library => return Err(SolveError::NotInLibrary),
            Method::Table => return Err(SolveError::NoTable),
            Method::Exhaustive if cycles => return Err(SolveError::CanCycle),
            Method::Search if cycles => return Err(SolveError::NotPlacement),
            Method::Rules => self.first_method(),
            method => method,
        };
        if method == Method::Mirror {
            answerer.mirror(position)?;
        }
        let step = Step::alone(method, &self.tracker);
        if method != Method::Sweeps {
            return Ok(step);
        }
        // The seconds of a table are a guess.
        let refused = refusal(&MemoryPlan::for_position(answerer.game(), position)?, &self.tracker);
        let refused = refused.filter(|stopped| !matches!(stopped, Stopped::TimeUp { .. }));
        Ok(Step { used: refused.map_or(Used::Yes, Used::Refused), ..step })
    }

    /// Runs the steps that are not ruled out, for a position that is one of the roots or follows
    /// from them, until what is wanted is known.
    pub(super) fn drive(&mut self, position: &Position, steps: &[Step]) -> Result<Finding, SolveError> {
        let (mut known, mut refused, mut skipped): (Option<Finding>, Option<Stopped>, Option<Stopped>) =
            (None, None, None);
        for step in steps {
            match step.used {
                Used::Refused(stopped) => refused = Some(stopped),
                Used::Yes | Used::IfOpen if self.is_open(step, known.as_ref()) => {
                    // The theorem takes neither room nor time.
                    let stopped = Some(step).filter(|step| step.method != Method::Mirror).and_then(|_| self.stopped());
                    let found = match stopped {
                        Some(stopped) if known.is_some() => {
                            skipped = Some(stopped);
                            continue;
                        }
                        Some(stopped) => Finding::Unknown(self.nothing(position, stopped, step.method)),
                        None => self.take(step, position, known.as_ref().and_then(outcome))?,
                    };
                    known = Some(self.with(position, known, found)?);
                }
                Used::Yes | Used::IfOpen | Used::Unfit(_) => {}
            }
        }
        let nothing =
            || Finding::Unknown(self.nothing(position, refused.unwrap_or(Stopped::Interrupted), steps[0].method));
        let mut known = known.unwrap_or_else(nothing);
        if let Finding::Unknown(unsolved) = &mut known {
            unsolved.stopped = self.named(unsolved.stopped);
            // The limit that kept all positions from being solved is told too.
            unsolved.refused =
                refused.or(unsolved.refused).map(|refused| self.named(refused)).filter(|one| *one != unsolved.stopped);
        }
        if let Finding::Solved(solution) = &mut known {
            // A step that was left out would have found the distance.
            let left_out = skipped.filter(|_| solution.verdict.plies().is_none());
            solution.stopped = solution.stopped.or(left_out).map(|stopped| self.named(stopped));
        }
        Ok(known)
    }

    /// Returns `true` if a step looks for something that is not known.
    fn is_open(&self, step: &Step, known: Option<&Finding>) -> bool {
        let extent = known.map_or(Extent::Unknown, Finding::extent);
        match step.finds {
            Finds::Distance => self.want == Want::Value && extent < Extent::Value,
            _ => extent < Extent::Winner,
        }
    }

    /// Returns the limit that is reached, if one is.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        let nodes = self.tracker.limits().nodes;
        let spent = (self.tracker.nodes() >= nodes).then_some(Stopped::NodesReached { nodes });
        self.tracker.stop().or(spent)
    }

    /// Returns a budget for a step: its part of the time, and of the nodes what it may take of those
    /// that are left.
    pub(super) fn part(&self, step: &Step) -> Tracker<'l> {
        let (left, most) = (self.tracker.part(1), step.limit.unwrap_or(u64::MAX));
        let left = left.with_nodes(left.nodes.min(most));
        let time = self.tracker.part(step.parts).time;
        let limits = time.map_or(left, |time| left.with_share_of_time(time));
        Tracker::new(limits, self.tracker.observer())
    }

    /// Joins what was known with what a step has found.
    fn with(&self, position: &Position, known: Option<Finding>, found: Finding) -> Result<Finding, SolveError> {
        let Some(known) = known else { return Ok(found) };
        if let (Some(one), Some(other)) = (outcome(&known), outcome(&found))
            && one != other
        {
            let [first, second] = [(known.method(), one), (found.method(), other)]
                .map(|(method, outcome)| format!("{method} says {}", outcome.name()));
            let cause = format!("{first}, {second}");
            return Err(Discrepancy { position: position.display(self.answerer.game()).to_string(), cause }.into());
        }
        Ok(match (known, found) {
            (Finding::Solved(known), Finding::Solved(found)) if matches!(found.verdict, Verdict::Value(_)) => {
                Finding::Solved(added(found, Finding::Solved(known)))
            }
            (Finding::Solved(known), found) => Finding::Solved(added(known, found)),
            (_, found @ Finding::Solved(_)) => found,
            // That a table was not finished is told beside what else ended.
            (Finding::Unknown(known), Finding::Unknown(found)) => {
                let table = |one: &Unsolved| matches!(one.method, Method::Sweeps | Method::Retrograde);
                let refused = [&known, &found].into_iter().rev().find(|one| table(one)).map(|one| one.stopped);
                let again = found.method == Method::Exhaustive || table(&found);
                let (main, other) = if again { (known, found) } else { (found, known) };
                let mut losing = main.losing;
                losing.extend(other.losing.into_iter().filter(|action| !losing.contains(action)).collect::<Vec<_>>());
                self.answerer.game().sort_actions(&mut losing);
                Finding::Unknown(Unsolved {
                    losing,
                    at_least: main.at_least.max(other.at_least),
                    at_most: main.at_most.into_iter().chain(other.at_most).min(),
                    refused: refused.or(other.refused).or(main.refused),
                    ..main
                })
            }
        })
    }

    /// Names the limit that was asked for, where a step was ended by its share of that.
    fn named(&self, stopped: Stopped) -> Stopped {
        stopped.of_all(self.tracker.limits().nodes)
    }

    pub(super) fn nothing(&self, position: &Position, stopped: Stopped, method: Method) -> Unsolved {
        self.answerer.nothing(position, stopped, method)
    }
}

pub(super) fn outcome(finding: &Finding) -> Option<Outcome> {
    match finding {
        Finding::Solved(solution) => Some(solution.verdict.outcome()),
        Finding::Unknown(_) => None,
    }
}

/// Adds to what is known what a finding that says less has beside it.
fn added(known: Solution, less: Finding) -> Solution {
    let (winning, stopped) = match less {
        Finding::Solved(less) => (less.winning, less.stopped),
        Finding::Unknown(less) => (None, Some(less.stopped)),
    };
    let whole = known.best.is_some() || known.verdict.plies().is_some();
    let winning = known.winning.or(winning).filter(|_| known.best.is_none());
    Solution { winning, stopped: known.stopped.or(stopped.filter(|_| !whole)), ..known }
}

impl Answerer<'_> {
    pub(super) fn nothing(&self, position: &Position, stopped: Stopped, method: Method) -> Unsolved {
        let positions = match stopped {
            Stopped::LimitReached { positions } => positions,
            _ => 0,
        };
        let actions = self.engine.sorted_actions(position).len();
        Unsolved { actions, positions, ..Unsolved::nothing(stopped, method) }
    }
}
