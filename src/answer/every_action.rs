//! Every action of a position: who wins after it.

use std::time::Instant;

use super::after_action::{AfterAction, SomeActions};
use super::answerer::Answerer;
use super::plan::FOR_WINNER;
use super::play::next;
use super::request::{Request, SolveError};
use super::rounds::Rounds;
use crate::position::{Action, Position};
use crate::solver::memory::spawn_if_room;
use crate::solver::search::Search;
use crate::solver::{Method, Observer};

/// Nodes for each action in the first round of a search. Easy actions cost little, and what the
/// search learns from them helps with the others.
const FIRST_ROUND: u64 = 1 << 22;

impl Answerer<'_> {
    /// Finds the winner after each action of a position, or after those asked for, in the order of
    /// their notation.
    ///
    /// A search for the winner goes round by round: every action gets few nodes first, and those
    /// still open get four times as many in the next round. So an action that takes long does not
    /// delay the others, and all use what the search has learned. Replies that refuted another
    /// action are tried first, and if the search was asked for by name, threads search different
    /// actions.
    ///
    /// A finished game has no actions. The limits hold for each action, except those of time and
    /// threads, which hold for all together.
    ///
    /// # Errors
    ///
    /// As [`Answerer::answer`].
    pub fn every_action(
        &mut self,
        asked: &SomeActions,
        position: &Position,
        request: Request<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<AfterAction>, SolveError> {
        self.in_rounds(FIRST_ROUND, asked, position, request, observer)
    }

    /// Answers as [`Answerer::every_action`] does, with another first round.
    fn in_rounds(
        &mut self,
        first: u64,
        asked: &SomeActions,
        position: &Position,
        request: Request<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<AfterAction>, SolveError> {
        let (begun, spent) = (Instant::now(), self.spent);
        // A method that may run for ever has a limit, unless it was asked for by name.
        let limits = if request.method.is_none() { request.limits.or_nodes(FOR_WINNER) } else { request.limits };
        let rounds = matches!(request.method, None | Some(Method::Search)) && Search::fits(self.game());
        if rounds {
            // The table is as large as the last round needs.
            self.searcher(limits)?;
        }
        let wanted = |action: Action| asked.only.as_ref().is_none_or(|only| only.contains(&action));
        let all: Vec<(Action, Position)> =
            next(self.engine(), position).filter(|&(action, _)| wanted(action)).collect();
        let nodes = if rounds { first } else { u64::MAX };
        // Other methods take memory of their own for each position.
        let workers = if request.method == Some(Method::Search) { limits.threads.min(all.len()).max(1) } else { 1 };
        let rounds = Rounds::new(all, nodes, Request { limits, ..request }, begun, observer)
            .with_replies(&asked.replies)
            .with_workers(workers);
        if workers > 1
            && let Some(search) = self.search.or(self.own_search.as_ref())
        {
            let work = || rounds.work(&mut Answerer::new(search.game()).with_search(search));
            std::thread::scope(|scope| {
                for started in 1..workers {
                    if spawn_if_room(scope, work).is_none() {
                        // The system gives no more threads: fewer find the same answers.
                        (started..workers).for_each(|_| rounds.leaves());
                        break;
                    }
                }
                work();
            });
        } else {
            rounds.work(self);
        }
        let found = rounds.found()?;
        self.spent = spent + found.iter().map(|one| one.positions).sum::<u64>();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{builtin_board, builtin_pods};
    use crate::position::Game;
    use crate::rules::{Preset, RuleSet};
    use crate::solver::{Limits, Outcome, Silent};

    /// Returns the actions with their outcomes, without the time that each took.
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
            let at_once = Answerer::new(&game)
                .in_rounds(u64::MAX, &SomeActions::default(), &start, request, &Silent)
                .expect("outcomes");
            assert!(at_once.iter().all(|one| one.outcome().is_some()), "{board}");
            let rounds =
                Answerer::new(&game).in_rounds(1, &SomeActions::default(), &start, request, &Silent).expect("outcomes");
            assert_eq!(known(&rounds), known(&at_once), "{board}");
            for threads in [2, 3, 100] {
                let request = Request::new(Limits::default().with_threads(threads)).by(Method::Search);
                let shared = Answerer::new(&game)
                    .in_rounds(1, &SomeActions::default(), &start, request, &Silent)
                    .expect("outcomes");
                assert_eq!(known(&shared), known(&at_once), "{board}, {threads} threads");
            }
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
        let found =
            Answerer::new(&game).in_rounds(4, &SomeActions::default(), &start, request, &Silent).expect("findings");
        assert_eq!(known(&found).iter().map(|one| one.1).collect::<Vec<_>>(), vec![None; 51]);
        // Rounds of 4, 16 and 30 nodes; each search counts its root beside them.
        assert!(found.iter().all(|one| (50..=50 + 3).contains(&one.positions)), "{found:?}");
    }
}
