//! The values of a position and of each of its actions, sent as they become known.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Kept;
use super::best::{choice, texts, worth};
use super::watch::Watch;
use crate::answer::{Answerer, Certified, Request, SolveError};
use crate::engine::Engine as _;
use crate::explore::events::Events;
use crate::explore::setting::Course;
use crate::position::{Action, Position};
use crate::solver::{Finding, Limits, Method, Outcome, Solution, Stopped, Verdict};

/// The nodes, or positions of a table, that the first round may spend on each action, and the
/// factor from round to round.
const FIRST: u64 = 2_000;
const MORE: u64 = 16;

/// The most time of the first look at the position itself. It has no limit of nodes, since the
/// search would choose the size of its table by that limit and keep it.
const LOOK: Duration = Duration::from_millis(250);

/// No round may spend more nodes than this. By then another limit ends the job.
const LAST: u64 = 1 << 40;

/// Looking ahead for a guess may take this part of the time that is left: one fourth.
const GUESS: u32 = 4;

/// Returns `true` if nothing more can be found out: a draw has no distance.
fn is_whole(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Value(_) | Verdict::Outcome(Outcome::Draw))
}

/// Findings so far.
struct Known<'a> {
    course: &'a Course,
    to: &'a Events,
    watch: Watch<'a>,
    actions: Vec<Action>,
    next: Vec<Position>,
    worth: Vec<Option<Verdict>>,
    root: Option<Verdict>,
    line: bool,
    /// The time that was asked for, and its end.
    time: Duration,
    end: Instant,
    /// The certificate that the position follows from, where the library has it.
    certificate: Option<&'static Certified>,
}

impl<'a> Known<'a> {
    fn new(answerer: &Answerer<'_>, course: &'a Course, time: Duration, to: &'a Events) -> Known<'a> {
        let end = Instant::now() + time;
        let (engine, position) = (answerer.engine(), course.now());
        let all = engine.sorted_actions(position).into_iter();
        let (actions, next): (Vec<Action>, Vec<Position>) =
            all.filter_map(|action| Some((action, engine.transition(position, action)?.next))).unzip();
        let worth = vec![None; actions.len()];
        Known {
            course,
            to,
            watch: Watch::new(to),
            actions,
            next,
            worth,
            root: None,
            line: false,
            time,
            end,
            certificate: None,
        }
    }

    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    fn is_over(&self) -> bool {
        self.to.is_gone() || self.left().is_zero()
    }

    /// Notes the verdict of an action, and sends it if it is new.
    fn is_worth(&mut self, number: usize, verdict: Verdict, method: Method) {
        if self.worth[number].is_some_and(is_whole) || self.worth[number] == Some(verdict) {
            return;
        }
        self.worth[number] = Some(verdict);
        let action = self.actions[number].display(self.course.game()).to_string();
        self.to.send("action", &json!({ "action": action, "worth": worth(verdict, method) }));
        self.conclude(method);
    }

    /// Settles an action as [`Known::is_worth`] does, by the action instead of its number.
    fn is_worth_by_name(&mut self, action: Action, verdict: Verdict, method: Method) {
        if let Some(number) = self.actions.iter().position(|&other| other == action) {
            self.is_worth(number, verdict, method);
        }
    }

    /// Derives what the verdicts of the actions say about the position.
    fn conclude(&mut self, method: Method) {
        let outcomes = self.worth.iter().flatten().map(|verdict| verdict.outcome());
        let Some(best) = outcomes.max() else { return };
        let values = || {
            self.worth.iter().map(|verdict| match verdict {
                Some(Verdict::Value(value)) => Some(*value),
                _ => None,
            })
        };
        if let Some(value) = values().collect::<Option<Vec<_>>>().and_then(|values| values.into_iter().max()) {
            self.root_is(Verdict::Value(value), method);
        } else if best == Outcome::Win || self.worth.iter().all(Option::is_some) {
            self.root_is(Verdict::Outcome(best), method);
        }
    }

    fn root_is(&mut self, verdict: Verdict, method: Method) {
        if self.root.is_none_or(|known| !is_whole(known) && known != verdict) {
            self.root = Some(verdict);
            let mut root = worth(verdict, method);
            if let Some(certificate) = self.certificate.filter(|_| method == Method::Library) {
                root["certificate"] = certificate.to_string().into();
            }
            self.to.send("root", &root);
        }
    }

    fn line_is(&mut self, line: &[Action], is_proven: bool) {
        if !line.is_empty() {
            self.line = true;
            self.to.send("line", &json!({ "actions": texts(self.course.game(), line), "proven": is_proven }));
        }
    }

    /// Asks for the position itself, within limits.
    fn ask_root(&mut self, answerer: &mut Answerer<'_>, limits: Limits<'_>) -> Result<(), SolveError> {
        let request = Request::new(limits).unverified();
        self.certificate = answerer.proven(self.course.now()).map(|proven| proven.certificate);
        match answerer.answer(self.course.now(), request, &self.watch)? {
            Finding::Solved(Solution { verdict, best, winning, line, method, .. }) => {
                self.root_is(verdict, method);
                for action in best.into_iter().flatten() {
                    self.is_worth_by_name(action, verdict, method);
                }
                if let Some(action) = winning {
                    self.is_worth_by_name(action, Verdict::Outcome(Outcome::Win), method);
                }
                if !self.line {
                    self.line_is(&line.unwrap_or_default(), true);
                }
                if verdict.outcome() == Outcome::Loss {
                    for number in 0..self.actions.len() {
                        if self.worth[number].is_none() {
                            self.is_worth(number, Verdict::Outcome(Outcome::Loss), method);
                        }
                    }
                }
            }
            Finding::Unknown(unsolved) => {
                for action in unsolved.losing {
                    self.is_worth_by_name(action, Verdict::Outcome(Outcome::Loss), unsolved.method);
                }
            }
        }
        Ok(())
    }

    /// Evaluates every action whose value is not fully known, within limits. Returns the reason why
    /// the first of those still unknown is.
    fn ask_actions(
        &mut self,
        answerer: &mut Answerer<'_>,
        nodes: u64,
        memory: u64,
    ) -> Result<Option<String>, SolveError> {
        let mut why = None;
        for number in 0..self.actions.len() {
            if self.worth[number].is_some_and(is_whole) || self.is_over() {
                continue;
            }
            let open = self.worth.iter().filter(|verdict| !verdict.is_some_and(is_whole)).count() as u32;
            let slice = (self.left() / open.max(1)).max(Duration::from_millis(20)).min(self.left());
            let limits = self.limits(nodes, memory, slice);
            let request = Request::new(limits).unverified();
            match answerer.answer(&self.next[number], request, &self.watch)? {
                Finding::Solved(solution) => self.is_worth(number, solution.verdict.before(), solution.method),
                Finding::Unknown(unsolved) => why = why.or_else(|| Some(unsolved.stopped.to_string())),
            }
        }
        Ok(why)
    }

    fn limits(&self, nodes: u64, memory: u64, time: Duration) -> Limits<'a> {
        let limits = Limits::default().with_memory(memory).with_nodes(nodes);
        limits.with_time(self.time).with_share_of_time(time).with_interrupt(self.to.gone())
    }

    fn is_all_known(&self) -> bool {
        self.worth.iter().all(|verdict| verdict.is_some_and(is_whole))
    }
}

/// Looks for the values of a position and its actions, until the time is up or all are known.
pub(super) fn values(kept: &mut Kept<'_>, course: &Course, time: Duration, to: &Events) -> Result<(), SolveError> {
    let memory = kept.memory;
    let answerer = kept.of(course.game())?;
    let mut known = Known::new(answerer, course, time, to);
    to.send(
        "position",
        &json!({ "position": course.now().display(course.game()).to_string(), "actions": known.actions.len() }),
    );
    let limits = known.limits(u64::MAX, memory, LOOK.min(time / 8));
    known.ask_root(answerer, limits)?;
    let (mut nodes, mut guessed, mut why) = (FIRST, false, None);
    while nodes <= LAST && !known.is_over() {
        if !known.root.is_some_and(is_whole) {
            let limits = known.limits(nodes, memory, known.left() / 2);
            known.ask_root(answerer, limits)?;
        }
        why = known.ask_actions(answerer, nodes, memory)?.or(why);
        if known.is_all_known() {
            break;
        }
        if !guessed && nodes > FIRST && !known.line {
            guessed = true;
            let limits = known.limits(u64::MAX, memory, known.left() / GUESS);
            if let Some(found) = answerer.best(course.now(), limits, &known.watch)?.choice {
                to.send("guess", &choice(course.game(), &found));
            }
        }
        nodes *= MORE;
    }
    if !known.is_all_known() {
        let why =
            why.filter(|_| !known.left().is_zero()).unwrap_or_else(|| Stopped::TimeUp { limit: time }.to_string());
        let unknown = known.worth.iter().filter(|verdict| verdict.is_none()).count();
        to.send("unknown", &json!({ "actions": unknown, "why": why }));
    }
    Ok(())
}
