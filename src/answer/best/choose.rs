//! The order in which the methods are used, and how their results make an answer.

use super::answer::{Best, Choice, Judgement};
use super::deepen::{DEEPEST, Deepening, Ranked};
use super::guess_method;
use super::prove::{by_table, try_value};
use super::tree::{Grown, TreeSearch};
use crate::answer::Answerer;
use crate::answer::request::SolveError;
use crate::engine::bitboard::{Bitboard, State};
use crate::engine::{Engine as _, Status};
use crate::position::{Action, Position};
use crate::solver::{Finding, Limits, Method, Observer, Outcome, Plies, Solution, Tracker, Verdict};

impl Answerer<'_> {
    /// Chooses an action to play within limits: from a table that holds the position, else by
    /// looking ahead and proving ([`super`]).
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
        let known = self.known(position, None, false)?;
        if let Some(best) = known.as_ref().and_then(Best::of) {
            return Ok(best);
        }
        let engine = self.engine.clone();
        let by_tree = guess_method(engine.game().rules()) == Method::Tree;
        let mut best = choose(&engine, position, past, by_tree, limits, Some(self), observer)?;
        self.spent += best.nodes;
        if let (Some(Finding::Solved(Solution { verdict, method, .. })), Some(choice)) = (known, &mut best.choice)
            && verdict.outcome() == Outcome::Loss
            && choice.judgement.proven().is_none()
        {
            // Every action keeps what is lost.
            choice.judgement = Judgement::Proven(verdict, method);
        }
        Ok(best)
    }
}

/// Chooses an action to play in an unfinished position, within limits of nodes, time, memory and
/// threads.
///
/// A position in `past` counts as a draw: guesses avoid it when ahead and seek it when behind,
/// while proofs ignore it. A tree makes the guesses if `by_tree`, else the deepening search. Without
/// an answerer, only forced wins are proven.
///
/// With one thread, and if the limits have no time, the same question has the same answer in every
/// run. The search looks one ply ahead whatever the limits.
pub(in crate::answer) fn choose(
    engine: &Bitboard,
    position: &Position,
    past: &[Position],
    by_tree: bool,
    limits: Limits<'_>,
    answerer: Option<&mut Answerer<'_>>,
    observer: &dyn Observer,
) -> Result<Best, SolveError> {
    let deepening = Deepening::new(engine, limits.memory / 8);
    let (root, memory) = (engine.state(position), limits.memory / 8);
    let past = past.iter().map(|position| engine.state(position).hash()).collect();
    let mut chooser = Chooser { engine, position, root, past, deepening, by_tree, memory, answerer };
    // Half of the memory is for the prover, and two eighths are taken already.
    let mut tracker = Tracker::new(limits.with_share_of_memory(limits.memory / 2), observer);
    let choice = chooser.choose(&mut tracker)?;
    Ok(Best { status: Status::Ongoing, choice: Some(choice), nodes: tracker.nodes() })
}

impl Deepening<'_> {
    /// Looks one ply ahead, without limits, so that there is always an answer.
    fn first_look(&mut self, root: &State, barred: &[Action], observer: &dyn Observer) -> ((Vec<Ranked>, Plies), u64) {
        let mut look = Tracker::new(Limits::default(), observer);
        let ranked = self.rank(root, 1, &[], barred, &mut look).unwrap_or_default();
        ((ranked, 1), look.nodes())
    }
}

struct Chooser<'a, 't> {
    engine: &'a Bitboard,
    position: &'a Position,
    root: State,
    deepening: Deepening<'a>,
    /// The hashes of the positions that the game has been in.
    past: Vec<u64>,
    by_tree: bool,
    /// An eighth of the memory, in bytes.
    memory: u64,
    /// Search and tables, to prove values; without them only forced wins are looked for.
    answerer: Option<&'a mut Answerer<'t>>,
}

/// A ranking, and how many plies ahead it looks.
type Looked = (Vec<Ranked>, Plies);

impl Chooser<'_, '_> {
    fn choose(&mut self, tracker: &mut Tracker<'_>) -> Result<Choice, SolveError> {
        let from = self.first_look(&[], tracker);
        if let Some(choice) = self.decided(&from, &[], tracker) {
            return Ok(choice);
        }
        if let Some(plies) = tracker.limits().plies {
            return Ok(self.ahead(from, plies, tracker));
        }
        // First a small part of the budget for short wins and losses.
        let of = self.beside_tree(if self.by_tree { 16 } else { 8 });
        let mut looked = self.deepen(from, &[], tracker, of);
        if let Some(choice) = self.decided(&looked, &[], tracker) {
            return Ok(choice);
        }
        // Then a proof.
        let mut losing = Vec::new();
        match self.value(tracker)? {
            Finding::Solved(found) => return self.proven(found, &looked, losing, tracker),
            Finding::Unknown(unsolved) => bar(&mut losing, unsolved.losing),
        }
        looked = self.without(looked, &losing, tracker);
        loop {
            if let Some(choice) = self.decided(&looked, &losing, tracker) {
                return Ok(choice);
            }
            // Most of the rest is for the guess, the last part for a test whether the best action
            // loses.
            let mut guess = None;
            if self.by_tree {
                let grown = self.grow(&losing, tracker);
                if let Some(Grown { action, found, line, losing: more }) = grown {
                    bar(&mut losing, more);
                    match found {
                        Ok(outcome) => {
                            let found = Solution::new(Verdict::Outcome(outcome), Method::Tree, 0);
                            let found = Solution { winning: Some(action), line: Some(line), ..found };
                            return self.proven(found, &looked, losing, tracker);
                        }
                        Err(score) => {
                            let judgement = Judgement::of(score, line.len() as Plies);
                            guess = Some(Choice { action, judgement, line, losing: Vec::new() });
                        }
                    }
                }
            }
            if guess.is_none() {
                looked = self.deepen(looked, &losing, tracker, 2);
                if let Some(choice) = self.decided(&looked, &losing, tracker) {
                    return Ok(choice);
                }
            }
            let guess = guess.unwrap_or_else(|| {
                let (Ranked { action, score }, depth) = (looked.0[0], looked.1);
                let line = self.shown(action, depth, tracker);
                Choice { action, judgement: Judgement::of(score, depth), line, losing: Vec::new() }
            });
            let next = self.engine.position(&self.engine.play_state(&self.root, guess.action));
            match self.try_value(&next, 2, tracker)? {
                Finding::Solved(Solution { verdict, .. }) if verdict.outcome() == Outcome::Win => {
                    bar(&mut losing, vec![guess.action]);
                    looked = self.without(looked, &losing, tracker);
                }
                Finding::Solved(Solution { verdict, method, .. }) if verdict.outcome() == Outcome::Loss => {
                    let found = Solution::new(Verdict::Outcome(Outcome::Win), method, 0);
                    let found = Solution { winning: Some(guess.action), ..found };
                    return self.proven(found, &looked, losing, tracker);
                }
                _ => return Ok(Choice { losing, ..guess }),
            }
        }
    }

    /// Returns `true` if the tree gets nearly the whole budget: where the game can cycle, since there
    /// the tree itself proves wins and losses and the other proofs seldom end.
    fn proves_by_tree(&self) -> bool {
        self.by_tree && self.engine.game().rules().can_cycle()
    }

    /// Returns the divisor of the budget for what runs beside the player: a large one beside a tree
    /// that proves, else `divisor`.
    fn beside_tree(&self, divisor: u32) -> u32 {
        if self.proves_by_tree() { 64 } else { divisor }
    }

    /// Returns the answer by looking `plies` ahead, and by nothing else.
    fn ahead(&mut self, from: Looked, plies: Plies, tracker: &mut Tracker<'_>) -> Choice {
        let limits = tracker.part(1);
        let mut part = Tracker::new(limits, tracker.observer());
        let looked = self.deepening.deepen(&self.root, from, &[], plies, &mut part);
        tracker.charge(part.nodes());
        if let Some(choice) = self.decided(&looked, &[], tracker) {
            return choice;
        }
        let (Ranked { action, score }, depth) = (looked.0[0], looked.1);
        let line = self.shown(action, depth, tracker);
        Choice { action, judgement: Judgement::of(score, depth), line, losing: Vec::new() }
    }

    /// Grows a tree with most of the remaining budget; `None` if all actions are known to lose.
    fn grow(&mut self, losing: &[Action], tracker: &mut Tracker<'_>) -> Option<Grown> {
        // The quarter of the memory that neither the prover nor the deepening search has.
        let (all, part) = if self.proves_by_tree() { (32, 31) } else { (4, 3) };
        let limits = share(tracker.part(1), part, all).with_share_of_memory(2 * self.memory);
        let search = TreeSearch::new(self.engine, self.past.clone());
        let (grown, nodes) = search.grow(&self.root, losing, limits, tracker.observer());
        tracker.charge(nodes);
        grown
    }

    fn first_look(&mut self, losing: &[Action], tracker: &mut Tracker<'_>) -> Looked {
        let (looked, nodes) = self.deepening.first_look(&self.root, losing, tracker.observer());
        tracker.charge(nodes);
        looked
    }

    fn deepen(&mut self, from: Looked, losing: &[Action], tracker: &mut Tracker<'_>, of: u32) -> Looked {
        let mut part = Tracker::new(tracker.part(of), tracker.observer());
        let looked = self.deepening.deepen(&self.root, from, losing, DEEPEST, &mut part);
        tracker.charge(part.nodes());
        looked
    }

    /// Returns the ranking without the actions that are now known to lose. If the best action is
    /// among them, the others are ranked again, since their scores are only bounds: to the same
    /// depth if the budget allows, else one ply deep.
    fn without(&mut self, looked: Looked, losing: &[Action], tracker: &mut Tracker<'_>) -> Looked {
        if looked.0.first().is_none_or(|top| !losing.contains(&top.action)) {
            let (mut ranked, depth) = looked;
            ranked.retain(|ranked| !losing.contains(&ranked.action));
            return (ranked, depth);
        }
        let mut part = Tracker::new(tracker.part(2), tracker.observer());
        let again = self.deepening.rank(&self.root, looked.1, &[], losing, &mut part);
        tracker.charge(part.nodes());
        match again {
            Ok(ranked) => (ranked, looked.1),
            Err(_) => self.first_look(losing, tracker),
        }
    }

    /// Returns the answer if the ranking proves something, or if every action is known to lose.
    fn decided(&mut self, looked: &Looked, losing: &[Action], tracker: &mut Tracker<'_>) -> Option<Choice> {
        let (ranked, depth) = looked;
        let Some(top) = ranked.first() else {
            // All were shown to lose, one after the other, without distances.
            let action = *losing.last()?;
            let judgement = Judgement::Proven(Verdict::Outcome(Outcome::Loss), Method::AlphaBeta);
            return Some(Choice { action, judgement, line: vec![action], losing: except(losing, action) });
        };
        let Judgement::Proven(verdict, method) = Judgement::of(top.score, *depth) else { return None };
        // Actions dropped earlier lose too, and perhaps later.
        let lost_anyhow = verdict.outcome() == Outcome::Loss && !losing.is_empty();
        let verdict = if lost_anyhow { Verdict::Outcome(Outcome::Loss) } else { verdict };
        let line = self.shown(top.action, verdict.plies().unwrap_or(*depth), tracker);
        let mut losing = losing.to_vec();
        if verdict.outcome() == Outcome::Loss {
            bar(&mut losing, ranked.iter().map(|ranked| ranked.action).collect());
        }
        let losing = except(&losing, top.action);
        Some(Choice { action: top.action, judgement: Judgement::Proven(verdict, method), line, losing })
    }

    /// Tries the proof methods, with a share of what is left.
    fn value(&mut self, tracker: &mut Tracker<'_>) -> Result<Finding, SolveError> {
        if self.engine.game().rules().can_cycle()
            && let Some(answerer) = self.answerer.as_deref_mut()
            && let Some(found) = by_table(answerer, self.position, tracker.part(4), tracker)?
        {
            return Ok(Finding::Solved(found));
        }
        // Where nothing moves, the search for the winner often ends; a forced win is found soon or
        // not at all.
        let of = self.beside_tree(if self.engine.game().rules().can_cycle() { 8 } else { 2 });
        self.try_value(self.position, of, tracker)
    }

    /// Returns the prover's answer within a share of what is left.
    fn try_value(&mut self, position: &Position, of: u32, tracker: &mut Tracker<'_>) -> Result<Finding, SolveError> {
        try_value(self.answerer.as_deref_mut(), self.engine, position, tracker.part(of), tracker)
    }

    /// Returns the answer that a proof gives.
    fn proven(
        &mut self,
        found: Solution,
        looked: &Looked,
        mut losing: Vec<Action>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Choice, SolveError> {
        let best = found.best.iter().flatten().next().copied();
        // Of actions that all lose, takes the one that looked best.
        let action = best.or(found.winning).unwrap_or(looked.0[0].action);
        let line = match found.line {
            Some(line) if !line.is_empty() => line,
            // A draw has no line.
            _ if best.is_some() => vec![action],
            _ => self.line_by_proofs(action, tracker)?,
        };
        if found.verdict.outcome() == Outcome::Loss {
            losing = self.engine.sorted_actions(self.position);
        }
        let judgement = Judgement::Proven(found.verdict, found.method);
        Ok(Choice { action, judgement, line, losing: except(&losing, action) })
    }

    /// Returns the line that looking ahead shows.
    fn shown(&mut self, action: Action, depth: Plies, tracker: &mut Tracker<'_>) -> Vec<Action> {
        let mut part = Tracker::new(tracker.part(1), tracker.observer());
        let line = self.deepening.line(&self.root, action, depth, &mut part);
        tracker.charge(part.nodes());
        line
    }

    /// Returns a line of play for a value that was proven without a distance: the winner's actions
    /// keep the value, the loser's look best one ply ahead. The line ends with the game or with the
    /// budget.
    fn line_by_proofs(&mut self, action: Action, tracker: &mut Tracker<'_>) -> Result<Vec<Action>, SolveError> {
        let mut line = vec![action];
        let mut here = self.engine.play_state(&self.root, action);
        while self.engine.state_status(&here) == Status::Ongoing && !tracker.is_exhausted() {
            let position = self.engine.position(&here);
            let Finding::Solved(found) = self.try_value(&position, 2, tracker)? else { break };
            let (ranked, nodes) = self.deepening.first_look(&here, &[], tracker.observer());
            tracker.charge(nodes);
            let action = found.winning.filter(|_| found.verdict.outcome() == Outcome::Win);
            let Some(action) = action.or(ranked.0.first().map(|ranked| ranked.action)) else { break };
            line.push(action);
            here = self.engine.play_state(&here, action);
        }
        Ok(line)
    }
}

/// Returns `part` of `all` equal parts of these limits.
fn share(limits: Limits<'_>, part: u32, all: u32) -> Limits<'_> {
    let nodes = match limits.nodes {
        u64::MAX => u64::MAX,
        nodes => nodes / u64::from(all) * u64::from(part),
    };
    let limits = limits.with_nodes(nodes);
    limits.time.map_or(limits, |time| limits.with_share_of_time(time / all * part))
}

/// Adds actions that lose, each once.
fn bar(losing: &mut Vec<Action>, more: Vec<Action>) {
    for action in more {
        if !losing.contains(&action) {
            losing.push(action);
        }
    }
}

fn except(actions: &[Action], action: Action) -> Vec<Action> {
    actions.iter().copied().filter(|other| *other != action).collect()
}
