//! Values of a position and of each of its actions, told as they become known.

use std::time::Duration;

use super::answerer::Answerer;
use super::best::Choice;
use super::play::next;
use super::request::{Request, SolveError};
use crate::position::{Action, Position};
use crate::solver::{Finding, Limits, Method, Observer, Outcome, Solution, Stopped, Tracker, Verdict};

/// Nodes that the first round may spend on each action, and the factor from round to round.
const FIRST: u64 = 2_000;
const MORE: u64 = 16;

/// The most nodes of a round. By then another limit has ended the work.
const LAST: u64 = 1 << 40;

/// The most time of the first look at the position itself. With a limit of time it has none of
/// nodes, since the search would choose the size of its table by that limit and keep it.
const LOOK: Duration = Duration::from_millis(250);

/// The least time for an action, where there is as much.
const MOMENT: Duration = Duration::from_millis(20);

/// Looking ahead for a guess may take this part of what is left: one fourth.
const GUESS: u32 = 4;

/// Something that became known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum News {
    /// The value of the position, or more of it.
    Root(Verdict, Method),
    /// The value of an action for its player, or more of it.
    Action(Action, Verdict, Method),
    /// Best play from the position on.
    Line(Vec<Action>),
    /// An action to play, while no line is known.
    Guess(Choice),
}

/// Returns `true` if nothing more can be found out: a draw has no distance.
fn is_whole(verdict: Option<Verdict>) -> bool {
    matches!(verdict, Some(Verdict::Value(_) | Verdict::Outcome(Outcome::Draw)))
}

/// A position whose values become known.
struct Unfolding<'u, 't, 'l> {
    answerer: &'u mut Answerer<'t>,
    position: &'u Position,
    /// Actions, the positions after them, and what is known.
    actions: Vec<(Action, Position, Option<Verdict>)>,
    root: Option<Verdict>,
    has_line: bool,
    /// The budget of all questions together.
    tracker: Tracker<'l>,
    tell: &'u mut dyn FnMut(News),
}

impl Answerer<'_> {
    /// Looks for the values of a position and of its actions, and tells each as it becomes known,
    /// until the limits, which hold for all together, are reached or everything is known.
    ///
    /// Rounds of growing numbers of nodes ask for the position and then for each action, with an
    /// equal share of the time that is left. Returns a limit that left something open.
    ///
    /// # Errors
    ///
    /// As [`Answerer::answer`].
    pub fn unfold(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        observer: &dyn Observer,
        tell: &mut dyn FnMut(News),
    ) -> Result<Option<Stopped>, SolveError> {
        let actions = next(self.engine(), position).map(|(action, next)| (action, next, None)).collect();
        let tracker = Tracker::new(limits, observer);
        let mut all = Unfolding { answerer: self, position, actions, root: None, has_line: false, tracker, tell };
        let look = all.tracker.part(8);
        all.ask_root(look.time.map_or(look, |time| look.with_share_of_time(time.min(LOOK))))?;
        let (mut nodes, mut guessed, mut stopped) = (FIRST, false, None);
        while nodes <= LAST && !all.is_all_known() && !all.is_over() {
            if !is_whole(all.root) {
                all.ask_root(all.at_most(nodes, 2))?;
            }
            stopped = all.ask_actions(nodes)?.or(stopped);
            if !guessed && nodes > FIRST && !all.has_line && !all.is_all_known() && !all.is_over() {
                guessed = true;
                all.guess()?;
            }
            nodes *= MORE;
        }
        let reached = Stopped::NodesReached { nodes: limits.nodes };
        let ended = all.tracker.stop().unwrap_or_else(|| stopped.unwrap_or(reached));
        Ok((!all.is_all_known()).then_some(ended))
    }
}

impl<'l> Unfolding<'_, '_, 'l> {
    fn is_over(&self) -> bool {
        self.tracker.is_exhausted() || self.tracker.stop().is_some()
    }

    fn is_all_known(&self) -> bool {
        self.actions.iter().all(|(.., known)| is_whole(*known))
    }

    /// Returns one part in so many of what is left, with at most so many nodes.
    fn at_most(&self, nodes: u64, of: u32) -> Limits<'l> {
        let part = self.tracker.part(of);
        part.with_nodes(part.nodes.min(nodes))
    }

    fn ask(&mut self, number: Option<usize>, limits: Limits<'_>) -> Result<Finding, SolveError> {
        let (before, request) = (self.answerer.spent, Request::new(limits).unverified());
        let position = number.map_or(self.position, |number| &self.actions[number].1);
        let found = self.answerer.alone(position, request, &self.tracker);
        self.tracker.charge(self.answerer.spent - before);
        found
    }

    /// Asks for the position itself.
    fn ask_root(&mut self, limits: Limits<'_>) -> Result<(), SolveError> {
        match self.ask(None, limits)? {
            Finding::Solved(Solution { verdict, best, winning, line, method, .. }) => {
                self.root_is(verdict, method);
                let winning = winning.map(|action| (action, Verdict::Outcome(Outcome::Win)));
                let best = best.into_iter().flatten().map(|action| (action, verdict));
                best.chain(winning).for_each(|(action, verdict)| self.is_worth(action, verdict, method));
                if let Some(line) = line.filter(|line| !self.has_line && !line.is_empty()) {
                    self.has_line = true;
                    (self.tell)(News::Line(line));
                }
                if verdict.outcome() == Outcome::Loss {
                    let open = self.actions.iter().filter(|(.., known)| known.is_none());
                    let open: Vec<Action> = open.map(|(action, ..)| *action).collect();
                    open.into_iter().for_each(|one| self.is_worth(one, Verdict::Outcome(Outcome::Loss), method));
                }
            }
            Finding::Unknown(unsolved) => {
                let losing = unsolved.losing.into_iter();
                losing.for_each(|one| self.is_worth(one, Verdict::Outcome(Outcome::Loss), unsolved.method));
            }
        }
        Ok(())
    }

    /// Asks for each action whose value is not fully known. Returns the limit that left the first of
    /// them open.
    fn ask_actions(&mut self, nodes: u64) -> Result<Option<Stopped>, SolveError> {
        let mut stopped = None;
        for number in 0..self.actions.len() {
            if is_whole(self.actions[number].2) || self.is_over() {
                continue;
            }
            let open = self.actions.iter().filter(|(.., known)| !is_whole(*known)).count() as u32;
            let (share, left) = (self.tracker.part(open.max(1)).time, self.at_most(nodes, 1));
            let time = left.time.zip(share).map(|(left, share)| share.max(MOMENT).min(left));
            match self.ask(Some(number), time.map_or(left, |time| left.with_share_of_time(time)))? {
                Finding::Solved(solution) => {
                    self.is_worth(self.actions[number].0, solution.verdict.before(), solution.method);
                }
                Finding::Unknown(unsolved) => stopped = stopped.or(Some(unsolved.stopped)),
            }
        }
        Ok(stopped)
    }

    fn guess(&mut self) -> Result<(), SolveError> {
        let best = self.answerer.best(self.position, self.tracker.part(GUESS), &self.tracker)?;
        self.tracker.charge(best.nodes);
        best.choice.into_iter().for_each(|choice| (self.tell)(News::Guess(choice)));
        Ok(())
    }

    /// Notes the verdict of an action, and tells it if it is new.
    fn is_worth(&mut self, action: Action, verdict: Verdict, method: Method) {
        let Some((.., known)) = self.actions.iter_mut().find(|(other, ..)| *other == action) else { return };
        if !is_whole(*known) && *known != Some(verdict) {
            *known = Some(verdict);
            (self.tell)(News::Action(action, verdict, method));
            self.conclude(method);
        }
    }

    /// Derives the value of the position from the verdicts of the actions.
    fn conclude(&mut self, method: Method) {
        let known = || self.actions.iter().map(|(.., known)| *known);
        let values = known().map(|verdict| match verdict {
            Some(Verdict::Value(value)) => Some(value),
            _ => None,
        });
        let best = known().flatten().map(Verdict::outcome).max();
        if let Some(value) = values.collect::<Option<Vec<_>>>().and_then(|values| values.into_iter().max()) {
            self.root_is(Verdict::Value(value), method);
        } else if let Some(best) = best.filter(|best| *best == Outcome::Win || known().all(|one| one.is_some())) {
            self.root_is(Verdict::Outcome(best), method);
        }
    }

    fn root_is(&mut self, verdict: Verdict, method: Method) {
        if !is_whole(self.root) && self.root != Some(verdict) {
            self.root = Some(verdict);
            (self.tell)(News::Root(verdict, method));
        }
    }
}
