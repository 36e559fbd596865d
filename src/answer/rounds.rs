//! Scheduling of questions about actions: the next action, its nodes, and the reply tried first.
//!
//! A reply that refutes one action mostly refutes others, above all those on the same point. So the
//! position after an action and such a reply is searched first: if the reply wins there, the action
//! is decided too.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::after_action::AfterAction;
use super::answerer::Answerer;
use super::request::{Request, SolveError};
use crate::engine::Engine as _;
use crate::geometry::Point;
use crate::position::{Action, Position};
use crate::solver::search::HowFar;
use crate::solver::{Finding, Limits, Method, Observer, Outcome, Phase, Solution, Stopped, Unsolved};

/// Factor of an action's nodes from one round to the next.
const GROWTH: u64 = 4;

/// Number of replies that refuted other actions and are tried before the search chooses.
const TRIED_FIRST: usize = 2;

/// Shares of the nodes left in a round: a reply that refuted an action on the same point gets half;
/// one that refuted an action on another point mostly fails, and gets an eighth.
const LIKELY: u64 = 2;
const UNLIKELY: u64 = 8;

/// The actions of a position, and what is known of them; threads share it.
pub(super) struct Rounds<'a> {
    /// The actions to be asked about, each with the position after it.
    all: Vec<(Action, Position)>,
    request: Request<'a>,
    begun: Instant,
    observer: &'a dyn Observer,
    /// Positions or nodes so far, as far as they were reported.
    done: AtomicU64,
    state: Mutex<State>,
}

struct State {
    /// Questions waiting, in this order.
    waiting: VecDeque<ActionQuery>,
    /// Number of threads that are at work.
    workers: usize,
    /// By the number of the action.
    found: Vec<Option<AfterAction>>,
    /// Actions and what refuted each, the latest last: those of another position before those of
    /// this one.
    replies: Vec<(Action, Action)>,
    failed: Option<SolveError>,
}

/// An action by its number, and the nodes of this round.
#[derive(Clone, Copy)]
struct ActionQuery {
    number: usize,
    nodes: u64,
}

impl<'a> Rounds<'a> {
    /// Returns the first round, with so many nodes for each action; `u64::MAX` for the only one,
    /// with the limits of the request.
    pub(super) fn new(
        all: Vec<(Action, Position)>,
        nodes: u64,
        request: Request<'a>,
        begun: Instant,
        observer: &'a dyn Observer,
    ) -> Rounds<'a> {
        let state = State {
            waiting: (0..all.len())
                .map(|number| ActionQuery { number, nodes: nodes.min(request.limits.nodes) })
                .collect(),
            workers: 1,
            found: vec![None; all.len()],
            replies: Vec::new(),
            failed: None,
        };
        let (done, state) = (AtomicU64::new(0), Mutex::new(state));
        Rounds { all, request, begun, observer, done, state }
    }

    /// Returns the same rounds, where these replies refuted these actions in another position.
    pub(super) fn with_replies(self, replies: &[(Action, Action)]) -> Rounds<'a> {
        self.state().replies.splice(..0, replies.iter().rev().copied());
        self
    }

    /// Sets the number of threads; without this there is one. The rounds count all threads from the
    /// beginning, so that none takes the place of one that has not begun.
    pub(super) fn with_workers(self, workers: usize) -> Rounds<'a> {
        self.state().workers = workers;
        self
    }

    /// Counts a thread no more.
    pub(super) fn leaves(&self) {
        self.state().workers -= 1;
    }

    /// Asks until nothing is left to ask. As many threads as there are workers may do so, each with
    /// an answerer of its own.
    pub(super) fn work(&self, answerer: &mut Answerer<'_>) {
        while let Some((question, threads)) = self.next() {
            match self.ask(answerer, question, threads) {
                Ok((finding, positions)) => self.tell(question, finding, positions),
                Err(error) => self.state().failed = Some(error),
            }
        }
        self.leaves();
    }

    /// Returns the answers, in the order of the actions.
    pub(super) fn found(self) -> Result<Vec<AfterAction>, SolveError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.failed {
            Some(error) => Err(error),
            None => Ok(state.found.into_iter().flatten().collect()),
        }
    }

    /// Locks the rounds. Nothing is left half done while the lock is held, so a thread that
    /// panicked does no harm to the others.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next question, and how many threads may search it: threads without a question of
    /// their own help.
    fn next(&self) -> Option<(ActionQuery, usize)> {
        let mut state = self.state();
        if state.failed.is_some() {
            return None;
        }
        let question = state.waiting.pop_front()?;
        // Those that ask already share by the number of then, which was no smaller: all together
        // have no more threads than there are.
        Some((question, (self.request.limits.threads / state.workers.max(1)).max(1)))
    }

    /// Answers a question within its nodes, and counts the positions or nodes that this took.
    fn ask(
        &self,
        answerer: &mut Answerer<'_>,
        question: ActionQuery,
        threads: usize,
    ) -> Result<(Finding, u64), SolveError> {
        let (action, next) = &self.all[question.number];
        let before = answerer.spent;
        let mut left = question.nodes;
        let state = answerer.engine.state(next);
        for (reply, part) in self.tried_first(*action, &answerer.engine.sorted_actions(next)) {
            let after = answerer.engine.position(&answerer.engine.play_state(&state, reply));
            let observer = OfAll { rounds: self, before: AtomicU64::new(0) };
            let search = answerer.searcher(self.limits(left, threads))?;
            let answer = search.solve(&after, self.limits(left / part, threads), &observer);
            answerer.spent += answer.nodes;
            left -= answer.nodes.min(left);
            if answer.outcome == Ok(Outcome::Loss) {
                // The table knows it now, and the search looks there first.
                break;
            }
        }
        let observer = OfAll { rounds: self, before: AtomicU64::new(0) };
        let request = Request { limits: self.limits(left, threads), ..self.request };
        let mut finding = answerer.alone(next, request, &observer)?;
        if ended_by_nodes(&finding)
            && let Finding::Unknown(Unsolved { stopped, .. }) = &mut finding
        {
            *stopped = Stopped::NodesReached { nodes: self.request.limits.nodes };
        }
        Ok((finding, answerer.spent - before))
    }

    /// Returns the `legal` replies that refuted this action elsewhere, or else other actions: those
    /// on the same point first, then the latest. Each comes with its share of the nodes left.
    fn tried_first(&self, action: Action, legal: &[Action]) -> Vec<(Action, u64)> {
        let mut tried: Vec<(Action, u64)> = Vec::new();
        // Other methods may answer sooner than a search would.
        if self.request.method != Some(Method::Search) {
            return tried;
        }
        let state = self.state();
        let like = |other: Action| match () {
            () if other == action => 0,
            () if point(other) == point(action) => 1,
            () => 2,
        };
        for alike in 0..=2 {
            let part = if alike < 2 { LIKELY } else { UNLIKELY };
            for &(_, reply) in state.replies.iter().rev().filter(|(other, _)| like(*other) == alike) {
                let new = tried.len() < TRIED_FIRST && tried.iter().all(|(other, _)| *other != reply);
                if new && legal.contains(&reply) {
                    tried.push((reply, part));
                }
            }
        }
        tried
    }

    /// Returns the limits of a question within so many nodes.
    fn limits(&self, nodes: u64, threads: usize) -> Limits<'a> {
        let limits = self.request.limits.with_nodes(nodes).with_threads(threads);
        limits.time.map_or(limits, |time| limits.with_share_of_time(time.saturating_sub(self.begun.elapsed())))
    }

    /// Keeps what was found out. What more nodes may decide is asked again in the next round.
    fn tell(&self, question: ActionQuery, finding: Finding, positions: u64) {
        let ActionQuery { number, nodes } = question;
        let mut state = self.state();
        let before = state.found[number].as_ref().map_or(0, |one| one.positions);
        let left = self.request.limits.nodes.saturating_sub(before + positions);
        if left > 0 && ended_by_nodes(&finding) {
            state.waiting.push_back(ActionQuery { number, nodes: nodes.saturating_mul(GROWTH).min(left) });
        }
        let (action, next) = &self.all[number];
        if let Finding::Solved(Solution { winning: Some(reply), .. }) = &finding {
            state.replies.push((*action, *reply));
        }
        state.found[number] =
            Some(AfterAction { action: *action, next: next.clone(), finding, positions: before + positions });
    }
}

/// Returns `true` if more nodes may help.
fn ended_by_nodes(finding: &Finding) -> bool {
    let by_nodes = |stopped| matches!(stopped, Stopped::NodesReached { .. } | Stopped::LimitReached { .. });
    matches!(finding, Finding::Unknown(unsolved) if by_nodes(unsolved.stopped))
}

/// Returns the point that a placement fills; `None` for other actions.
fn point(action: Action) -> Option<Point> {
    match action {
        Action::Place { at, .. } => Some(at),
        _ => None,
    }
}

/// Observer of the progress of the whole job, not of the search after one action.
struct OfAll<'r, 'a> {
    rounds: &'r Rounds<'a>,
    /// Nodes that this search has reported before.
    before: AtomicU64,
}

impl Observer for OfAll<'_, '_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        let more = done.saturating_sub(self.before.swap(done, Ordering::Relaxed));
        let all = self.rounds.done.fetch_add(more, Ordering::Relaxed) + more;
        // Where there is a total, it is that of a phase of this action.
        self.rounds.observer.progress(phase, if total.is_some() { done } else { all }, total);
    }

    fn search(&self, far: &HowFar) {
        let lost = |one: &&AfterAction| one.outcome() == Some(Outcome::Loss);
        let (losing, actions) =
            (self.rounds.state().found.iter().flatten().filter(lost).count(), self.rounds.all.len());
        self.rounds.observer.search(&HowFar { losing, actions, ..*far });
    }

    fn stop(&self) -> Option<Stopped> {
        self.rounds.observer.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::play::next;
    use crate::engine::Bitboard;
    use crate::material::{builtin_board, builtin_pods};
    use crate::position::Game;
    use crate::rules::Preset;
    use crate::solver::Silent;

    fn game(board: &str, pods: &str) -> Game {
        let (board, pods) = (builtin_board(board).expect("board"), builtin_pods(pods).expect("pods"));
        Game::new(board, pods, Preset::Standard.into())
    }

    /// Creates rounds for all actions of the whole start, or for one.
    fn rounds<'a>(game: &Game, only: Option<&str>, nodes: u64, limits: Limits<'a>) -> Rounds<'a> {
        let (start, only) =
            (game.whole_start().expect("start"), only.map(|text| game.parse_action(text).expect("an action")));
        let engine = Bitboard::new(game.clone());
        let all = next(&engine, &start).filter(|one| only.is_none_or(|only| only == one.0)).collect();
        Rounds::new(all, nodes, Request::new(limits).by(Method::Search), Instant::now(), &Silent)
    }

    fn found(rounds: Rounds<'_>, game: &Game) -> Vec<AfterAction> {
        rounds.work(&mut Answerer::new(game));
        rounds.found().expect("answers")
    }

    #[test]
    fn what_refuted_an_action_on_the_same_point_is_tried_first_then_the_latest() {
        let game = game("cave16", "mini5");
        let action = |text: &str| game.parse_action(text).expect("an action");
        let legal = ["d@c3", "q@c1", "t@d1", "d@d2", "o@c3", "o@a1"].map(action);
        let tried = |rounds: &Rounds<'_>, text| {
            let tried = rounds.tried_first(action(text), &legal);
            tried.into_iter().map(|(one, part)| format!("{} {part}", one.display(&game))).collect::<Vec<_>>()
        };
        let rounds = rounds(&game, None, 1, Limits::default());
        assert!(tried(&rounds, "b@a1").is_empty());
        let known = [("b@a1", "d@c3"), ("d@b2", "q@c1"), ("b@b2", "t@d1"), ("q@d4", "t@d1"), ("q@d3", "d@d2")];
        rounds.state().replies.extend(known.map(|(lost, reply)| (action(lost), action(reply))));
        assert_eq!(tried(&rounds, "o@a1"), ["d@c3 2", "d@d2 8"]);
        assert_eq!(tried(&rounds, "o@b2"), ["t@d1 2", "q@c1 2"]);
        assert_eq!(tried(&rounds, "o@c4"), ["d@d2 8", "t@d1 8"]);
        // The action itself before others on its point; what was found here before what another
        // position had; nothing illegal.
        assert_eq!(tried(&rounds, "d@b2"), ["q@c1 2", "t@d1 2"]);
        let others = [("o@b2", "o@c3"), ("o@b2", "b@b2"), ("q@c4", "o@a1")];
        let rounds = rounds.with_replies(&others.map(|(lost, reply)| (action(lost), action(reply))));
        assert_eq!(tried(&rounds, "o@b2"), ["o@c3 2", "t@d1 2"]);
        assert_eq!(tried(&rounds, "o@c4"), ["o@a1 2", "d@d2 8"]);
    }

    #[test]
    fn wrong_replies_change_no_outcome() {
        let game = game("cave16", "mini5");
        let without = found(rounds(&game, None, 16, Limits::default()), &game);
        let engine = Bitboard::new(game.clone());
        let wrong: Vec<_> = without
            .iter()
            .flat_map(|one| engine.sorted_actions(&one.next).into_iter().map(|r| (one.action, r)))
            .collect();
        for part in [1, 2, 3].map(|step| wrong.iter().copied().step_by(step).collect::<Vec<_>>()) {
            let with = found(rounds(&game, None, 16, Limits::default()).with_replies(&part), &game);
            let outcomes = |found: &[AfterAction]| found.iter().map(AfterAction::outcome).collect::<Vec<_>>();
            assert_eq!(outcomes(&with), outcomes(&without));
            let sum = |found: &[AfterAction]| found.iter().map(|one| one.positions).sum::<u64>();
            assert_ne!(sum(&with), sum(&without), "nothing was tried first");
        }
    }

    #[test]
    fn a_reply_that_fails_leaves_nodes_for_the_search_and_the_limit_is_the_one_that_was_set() {
        let game = game("cave36", "pods14");
        let wrong = [("b@c3", "o@a1")]
            .map(|(lost, reply)| (game.parse_action(lost).expect("b"), game.parse_action(reply).expect("o")));
        for threads in [1, 2, 4] {
            let limits = Limits::default().with_nodes(2_000).with_threads(threads);
            let found = found(rounds(&game, Some("b@c3"), 1_000, limits).with_replies(&wrong), &game);
            let Finding::Unknown(unsolved) = &found[0].finding else { panic!("{:?}", found[0].finding) };
            assert_eq!(unsolved.stopped, Stopped::NodesReached { nodes: 2_000 });
            // Two rounds of 1,000 nodes; of each, half is for the reply.
            let [least, most] = [2_000 - 10 * threads as u64, 2_000 + 10 * threads as u64];
            assert!((least..most).contains(&found[0].positions), "{threads}: {}", found[0].positions);
        }
    }

    #[test]
    fn all_together_use_no_more_threads_than_there_are() {
        let game = game("cave16", "mini5");
        for (threads, workers) in [(1, 1), (2, 2), (3, 2), (8, 5), (2, 1)] {
            let rounds = rounds(&game, None, 1, Limits::default().with_threads(threads)).with_workers(workers);
            let at_once: usize = (0..workers).map(|_| rounds.next().expect("a question").1).sum();
            assert!((workers..=threads).contains(&at_once), "{at_once} of {threads} by {workers}");
            (1..workers).for_each(|_| rounds.leaves());
            assert_eq!(rounds.next().expect("a question").1, threads);
        }
    }
}
