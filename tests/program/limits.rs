//! Answers of `solve` on a limit: true, and never more than is known.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::run::pods;
use hashbrown::HashMap;
use pods::answer::{Answerer, Request, SolveError, solve};
use pods::engine::{Bitboard, Engine, Reference, crosscheck};
use pods::position::Position;
use pods::solver::{
    Finding, Limits, Method, Observer, Outcome, Phase, Retrograde, Silent, Solution, Stopped, Tracker, Unsolved, Value,
    Verdict, plain_exhaustive, positions_at_most, random_play_score,
};

const SEED: u64 = 71;

#[test]
fn whatever_the_limit_what_is_said_is_true() {
    let (mut unknown, mut bounded, mut outcomes, mut valued, mut losers) = (0, 0, 0, 0, 0);
    for number in 0..3_000 {
        let case = crosscheck::case(SEED, number);
        let game = case.game();
        let root = case.position(&game);
        if game.rules().can_cycle() || positions_at_most(&game, &[&root]) > 5_000 {
            continue;
        }
        let reference = Reference::new(game.clone());
        let mut values: HashMap<Position, Value> = HashMap::new();
        let value = plain_exhaustive(&reference, &root, &mut values);
        let after = |action| reference.transition(&root, action).unwrap().next;
        let full = solve(&game, &root, Request::default(), &Silent).unwrap();
        for (method, limit) in [Method::Exhaustive, Method::Search]
            .into_iter()
            .flat_map(|m| [1, 2, 5, 13, 34, 89, 233].map(|limit| (m, limit)))
        {
            let limits = Limits::default().with_nodes(limit).with_memory(1 << 20);
            let request = Request::new(limits).by(method);
            let finding = match Answerer::new(&game).answer(&root, request, &Silent) {
                Err(SolveError::NotPlacement) if method == Method::Search => continue,
                finding => finding.unwrap_or_else(|e| panic!("case {number}, {method}, {limit}: {e}")),
            };
            match finding {
                Finding::Solved(solution) => {
                    assert_eq!(solution.verdict.outcome(), value.outcome(), "case {number}, {method}, {limit}");
                    if let Some(action) = solution.winning {
                        assert_eq!(values[&after(action)].outcome(), Outcome::Loss, "case {number}, {limit}");
                    }
                    if let Verdict::Value(said) = solution.verdict {
                        assert_eq!(said, value, "case {number}, {method}, {limit}");
                        assert!(solution.best.as_ref().is_none_or(|best| Some(best) == full.best.as_ref()));
                        assert!(solution.line.as_ref().is_none_or(|line| Some(line) == full.line.as_ref()));
                        let all = solution.best.is_some() && solution.line.is_some();
                        assert_eq!(all, solution.stopped.is_none(), "case {number}, {method}, {limit}");
                        valued += usize::from(!all);
                    } else if method == Method::Exhaustive {
                        assert!(solution.stopped.is_some() && solution.verified.is_some(), "case {number}, {limit}");
                        outcomes += 1;
                    }
                }
                Finding::Unknown(Unsolved { stopped, at_least, at_most, losing, actions, .. }) => {
                    // The limit that was asked for is named, in the unit of the method.
                    let wanted = match method {
                        Method::Search => Stopped::NodesReached { nodes: limit },
                        _ => Stopped::LimitReached { positions: limit },
                    };
                    assert!(stopped == wanted, "case {number}, {method}, {limit}: {stopped}");
                    assert!(at_least.is_none_or(|bound| bound <= value), "case {number}, {limit}: {at_least:?}");
                    assert!(at_most.is_none_or(|bound| bound >= value), "case {number}, {limit}: {at_most:?}");
                    assert_eq!(actions, reference.sorted_actions(&root).len());
                    assert!(losing.iter().all(|&action| values[&after(action)].outcome() == Outcome::Win));
                    unknown += 1;
                    bounded += usize::from(at_least.is_some() || at_most.is_some());
                    losers += losing.len();
                }
            }
        }
    }
    let seen = [unknown, bounded, outcomes, valued, losers];
    assert!(seen.iter().all(|&n| n > 30), "{seen:?}");
}

#[test]
fn a_limit_of_nodes_ends_every_action_and_every_method() {
    let position = "6/6/2B3/6/6/6 b cdfghjkopqtvy bcdfghjkopqtvy -";
    let (text, _) = out(&["solve", position, "--every-action", "--max-nodes", "200"]);
    assert!(text.contains("unknown   351 of 351: stopped at the limit of 200 nodes; raise --max-nodes"), "{text}");
    for method in ["exhaustive", "retrograde", "sweeps", "search", "forced"] {
        let rules = if method == "exhaustive" || method == "search" { "standard" } else { "advanced" };
        let ask = ["solve", "start", "--method", method, "--max-nodes", "5", "--rules", rules];
        let (text, _) = out(&[&ask[..], &["--board", "lair16", "--pods", "four"]].concat());
        assert!(text.contains("value     unknown: stopped at the limit of 5 "), "{method}: {text}");
    }
}

#[test]
fn time_and_interrupts_end_every_method() {
    let stop = AtomicBool::new(true);
    for (method, board, pods, rules) in [
        (Method::Exhaustive, "cave36", "pods14", "standard"),
        (Method::Search, "cave36", "pods14", "standard"),
        (Method::Retrograde, "lair16", "mini7", "advanced"),
    ] {
        let board = pods::material::builtin_board(board).unwrap();
        let pods = pods::material::builtin_pods(pods).unwrap();
        let game = pods::position::Game::new(board, pods, rules.parse().unwrap());
        let hand = pods::position::Hand::whole(game.pods());
        let start = game.start(hand, hand, pods::material::Side::White).unwrap();
        let limits = Limits::default().with_memory(u64::MAX);
        let limit = Duration::from_millis(30);
        let (timed, interrupted) = (limits.with_time(limit), limits.with_interrupt(&stop));
        for (limits, wanted) in [(timed, Stopped::TimeUp { limit }), (interrupted, Stopped::Interrupted)] {
            match Answerer::new(&game).answer(&start, Request::new(limits).by(method), &Silent) {
                Ok(Finding::Unknown(Unsolved { stopped, .. })) => assert_eq!(stopped, wanted, "{method}"),
                Ok(Finding::Solved(Solution { stopped: Some(stopped), .. })) => assert_eq!(stopped, wanted, "{method}"),
                other => panic!("{method}: {other:?}"),
            }
        }
    }
}

#[test]
fn time_and_interrupts_end_the_scores_of_random_play_and_values_that_spread() {
    let (stop, soon) = (AtomicBool::new(true), Duration::ZERO);
    for (limits, wanted) in [
        (Limits::default().with_time(soon), Stopped::TimeUp { limit: soon }),
        (Limits::default().with_interrupt(&stop), Stopped::Interrupted),
    ] {
        let game = crate::common::builtin_game("nook9", 0, "four", "standard");
        let (start, engine) = (game.whole_start().unwrap(), Bitboard::new(game));
        let tracker = Tracker::new(limits, &Silent);
        assert_eq!(random_play_score(&engine, &start, limits, &tracker), Err(wanted));
        assert!(random_play_score(&engine, &start, limits, &Silent).is_ok());
    }
    // Positions are listed before values spread: this ends the job in between.
    struct Listed(AtomicBool);
    impl Observer for Listed {
        fn progress(&self, phase: Phase, done: u64, _: Option<u64>) {
            self.0.fetch_or(phase == Phase::Propagate && done > 0, Ordering::Relaxed);
        }
        fn stop(&self) -> Option<Stopped> {
            self.0.load(Ordering::Relaxed).then_some(Stopped::Interrupted)
        }
    }
    let game = crate::common::builtin_game("ring8", 0, "trio", "advanced");
    let (start, engine) = (game.whole_start().unwrap(), Bitboard::new(game));
    let build = |observer: &dyn Observer| Retrograde::build(&engine, &[&start], Limits::default(), observer).err();
    assert_eq!(build(&Listed(false.into())), Some(Stopped::Interrupted));
    assert_eq!(build(&Silent), None);
}

const NOOK: [&str; 6] = ["--board", "nook9", "--pods", "four", "--hands", "bdt"];

fn out(arguments: &[&str]) -> (String, String) {
    let ran = pods(arguments);
    assert_eq!(ran.status.code(), Some(0), "{arguments:?}");
    (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap())
}

#[test]
fn a_value_is_given_even_if_the_best_actions_are_not_known() {
    // The value takes 153 positions, the best actions take more.
    let (text, _) = out(&[&["solve", "start", "--max-nodes", "153"], &NOOK[..]].concat());
    assert!(text.contains("value     win in 5 plies for White\n"), "{text}");
    assert!(text.contains("unknown   best") && text.contains("the limit of 153 positions"), "{text}");
    assert!(!text.contains("best      "), "{text}");
    let (json, errors) = out(&[&["solve", "start", "--max-nodes", "153", "--format", "json"], &NOOK[..]].concat());
    assert!(json.contains("\"value\":\"win\",\"plies\":5,\"best\":[]") && json.contains("\"stopped\":"), "{json}");
    assert!(errors.contains("the limit of 153 positions"), "{errors}");
}

#[test]
fn a_search_counts_nodes_and_tells_what_it_knows() {
    let hard = ["solve", "start", "--method", "search", "--memory", "16MiB"];
    let (text, _) = out(&[&hard[..], &["--max-nodes", "2000"]].concat());
    assert!(text.contains("value     unknown: stopped at the limit of 2,000 nodes; raise --max-nodes"), "{text}");
    let few =
        ["report", "--board", "cave36", "--pods", "pods14", "--orientation", "0", "--no-library", "--format", "text"];
    let (few, _) = out(&[&few[..], &["--max-nodes", "10"]].concat());
    assert!(few.contains("stopped at the limit of 10 nodes; raise --max-nodes"), "{few}");
    assert!(text.contains(" actions so far") && text.contains("method    search, 200"), "{text}");
    let (json, _) = out(&[&hard[..], &["--time", "0.05", "--threads", "2", "--format", "json"]].concat());
    assert!(json.contains("\"value\":\"unknown\"") && json.contains("stopped after 0.05 seconds"), "{json}");
    for (arguments, words) in [
        (["--threads", "0"], "at least 1"),
        (["--time", "soon"], "write a number of seconds"),
        (["--time", "-1"], "--time"),
    ] {
        let refused = pods(&[&hard[..], &arguments].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8(refused.stderr).unwrap().contains(words), "{arguments:?}");
    }
}
