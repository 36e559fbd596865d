//! Every action of a position: who wins after it.

use std::time::Instant;

use super::answerer::Answerer;
use super::play::next;
use super::request::{Request, SolveError};
use super::settle::FOR_WINNER;
use crate::position::{Action, Position};
use crate::solver::search::{HowFar, Search};
use crate::solver::{Finding, Limits, Method, Observer, Outcome, Phase, Stopped, Verdict};

/// Nodes for each action in the first round of a search. What takes less costs least, and what it teaches the search serves
/// the actions that take more.
const FIRST_ROUND: u64 = 1 << 22;

/// How many times the nodes of the round before an action gets in the next one.
const GROWTH: u64 = 4;

/// An action, and what is known of the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AfterAction {
    /// The action.
    pub action: Action,
    /// The position after it.
    pub next: Position,
    /// What is known of that position, for its side to move.
    pub finding: Finding,
    /// Positions, or nodes of a search, that this took, in all rounds.
    pub positions: u64,
}

impl AfterAction {
    /// What is known of the action, for the side that takes it; `None` if the winner is not.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        match &self.finding {
            Finding::Solved(solution) => Some(solution.verdict.before()),
            Finding::Unknown(_) => None,
        }
    }

    /// The outcome for the side that takes the action; `None` if it is not known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.verdict().map(Verdict::outcome)
    }
}

impl Answerer<'_> {
    /// Who wins after each action of a position, the actions in the order of their notation; none in a finished game. Where
    /// the search for the outcome answers, it goes round by round: every action gets few nodes first, and those that this leaves
    /// open get four times as many in the next round. So an action that takes long does not keep the others waiting, and all
    /// use what the search has learned from those before.
    ///
    /// The limits hold for each action, but for that of time, which holds for all together.
    ///
    /// # Errors
    ///
    /// As [`Answerer::answer`].
    pub fn every_action(
        &mut self,
        position: &Position,
        request: Request<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<AfterAction>, SolveError> {
        self.in_rounds(FIRST_ROUND, &|_| true, position, request, observer)
    }

    /// As [`Answerer::every_action`], for some of the actions only. Those that are not legal are left out.
    ///
    /// # Errors
    ///
    /// As [`Answerer::answer`].
    pub fn some_actions(
        &mut self,
        actions: &[Action],
        position: &Position,
        request: Request<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<AfterAction>, SolveError> {
        self.in_rounds(FIRST_ROUND, &|action| actions.contains(&action), position, request, observer)
    }

    /// As [`Answerer::every_action`], with another first round, and for the actions of `asked`.
    fn in_rounds(
        &mut self,
        first: u64,
        asked: &dyn Fn(Action) -> bool,
        position: &Position,
        request: Request<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<AfterAction>, SolveError> {
        let begun = Instant::now();
        // A method that may run for ever has a limit, unless it was asked for by name.
        let limits = if request.method.is_none() { request.limits.or_nodes(FOR_WINNER) } else { request.limits };
        let rounds = matches!(request.method, None | Some(Method::Search)) && Search::fits(self.game());
        if rounds {
            // Its table is as large as the last round needs.
            self.searcher(limits)?;
        }
        let all: Vec<(Action, Position)> = next(self.engine(), position).filter(|&(action, _)| asked(action)).collect();
        // The first round makes one for each action, in their order.
        let mut found: Vec<AfterAction> = Vec::new();
        let mut nodes = if rounds { first } else { u64::MAX };
        let mut left: Vec<usize> = (0..all.len()).collect();
        while !left.is_empty() {
            let mut open = Vec::new();
            for number in left {
                let (action, next) = &all[number];
                let lost = found.iter().filter(|one| one.outcome() == Some(Outcome::Loss)).count();
                let observer = OfAll { inner: observer, lost, actions: all.len() };
                let before = self.search.map_or(0, Search::nodes);
                let asked = Request { limits: of_round(limits, nodes, begun), ..request };
                let finding = self.answer(next, asked, &observer)?;
                // A search that the caller keeps counts the nodes of all its questions.
                let positions = finding.positions() - if finding.method() == Method::Search { before } else { 0 };
                if rounds && nodes < limits.nodes && ended_by_nodes(&finding) {
                    open.push(number);
                }
                match found.get_mut(number) {
                    Some(one) => {
                        one.positions += positions;
                        one.finding = finding;
                    }
                    None => found.push(AfterAction { action: *action, next: next.clone(), finding, positions }),
                }
            }
            left = open;
            nodes = nodes.saturating_mul(GROWTH);
        }
        Ok(found)
    }
}

/// The limits of one action in a round of so many nodes.
fn of_round(limits: Limits<'_>, nodes: u64, begun: Instant) -> Limits<'_> {
    let time = limits.time.map(|time| time.saturating_sub(begun.elapsed()));
    Limits { nodes: limits.nodes.min(nodes), time, ..limits }
}

/// Whether more nodes may help.
fn ended_by_nodes(finding: &Finding) -> bool {
    matches!(finding, Finding::Unknown(unsolved) if matches!(unsolved.stopped, Stopped::NodesReached { .. }))
}

/// Tells how far the whole job is, and not the search after one action.
struct OfAll<'a> {
    inner: &'a dyn Observer,
    lost: usize,
    actions: usize,
}

impl Observer for OfAll<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.inner.progress(phase, done, total);
    }

    fn search(&self, far: &HowFar) {
        self.inner.search(&HowFar { losing: self.lost, actions: self.actions, ..*far });
    }

    fn stop(&self) -> Option<Stopped> {
        self.inner.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{builtin_board, builtin_pods};
    use crate::position::Game;
    use crate::rules::{Preset, RuleSet};
    use crate::solver::Silent;

    /// What is known of each action, without how long it took.
    fn known(found: &[AfterAction]) -> Vec<(Action, Option<Outcome>)> {
        found.iter().map(|one| (one.action, one.outcome())).collect()
    }

    #[test]
    fn rounds_end_where_one_long_search_does() {
        for (board, pods, rules) in [
            ("cave16", "mini5", "standard"),
            ("nook9", "four", "standard+opening=any"),
            ("lair16", "four", "basic-author"),
        ] {
            let rules: RuleSet = rules.parse().expect("rules");
            let game = Game::new(builtin_board(board).expect("board"), builtin_pods(pods).expect("pods"), rules);
            let start = game.whole_start().expect("start");
            let request = Request::default().by(Method::Search);
            let at_once =
                Answerer::new(&game).in_rounds(u64::MAX, &|_| true, &start, request, &Silent).expect("outcomes");
            assert!(at_once.iter().all(|one| one.outcome().is_some()), "{board}");
            let rounds = Answerer::new(&game).in_rounds(1, &|_| true, &start, request, &Silent).expect("outcomes");
            assert_eq!(known(&rounds), known(&at_once), "{board}");
        }
    }

    #[test]
    fn a_limit_of_nodes_holds_for_each_action_and_leaves_it_open() {
        let game = Game::new(
            builtin_board("cave36").expect("board"),
            builtin_pods("pods14").expect("pods"),
            Preset::Standard.into(),
        );
        let start = game.whole_start().expect("start");
        let request = Request::new(Limits::default().with_nodes(50)).by(Method::Search);
        let found = Answerer::new(&game).in_rounds(4, &|_| true, &start, request, &Silent).expect("findings");
        assert_eq!(known(&found).iter().map(|one| one.1).collect::<Vec<_>>(), vec![None; 51]);
        // Rounds of 4, 16 and 50 nodes; a search may go on for a few more.
        assert!(found.iter().all(|one| (4 + 16 + 50..4 + 16 + 50 + 20).contains(&one.positions)), "{found:?}");
    }
}
