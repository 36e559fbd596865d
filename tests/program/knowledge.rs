//! Whatever the limits are: they end in no error, what is said is true, and a larger limit never
//! knows less.

use std::time::{Duration, Instant};

use pods::answer::{Answerer, Request, SolveError, Want};
use pods::engine::{Engine as _, Reference, crosscheck};
use pods::solver::{
    Extent, Finding, Limits, Method, Outcome, Silent, Verdict, plain_exhaustive, plain_retrograde, positions_at_most,
};
use serde_json::Value as Json;

use crate::run::run;

const SEED: u64 = 4_410;

/// Returns limits of one kind each, the smallest first.
fn ladders() -> [Vec<Limits<'static>>; 2] {
    // Nodes are always limited: looking ahead in a drawn game ends with nothing else.
    let all = Limits::default().with_nodes(2_000);
    [
        [0, 1, 30, 2_000].map(|nodes| all.with_nodes(nodes)).to_vec(),
        [0, 1 << 12, 1 << 20, 1 << 33].map(|memory| all.with_memory(memory)).to_vec(),
    ]
}

#[test]
fn no_limit_costs_an_answer_and_none_makes_it_wrong() {
    let mut known = [0; 4];
    for number in 0..400 {
        let case = crosscheck::case(SEED, number);
        let game = case.game();
        let root = case.position(&game);
        if positions_at_most(&game, &[&root]) > 3_000 {
            continue;
        }
        let (reference, cycles) = (Reference::new(game.clone()), game.rules().can_cycle());
        let value = if cycles {
            plain_retrograde(&reference, &[&root])[&root]
        } else {
            plain_exhaustive(&reference, &root, &mut hashbrown::HashMap::new())
        };
        let mut check = |limits: Limits<'_>, method: Option<Method>, want: Want| {
            let place = || format!("seed {SEED}, case {number}, {method:?}, {want:?}, {limits:?}");
            let request = Request::new(limits).wanting(want);
            let request = method.map_or(request, |method| request.by(method));
            let finding = match Answerer::new(&game).answer(&root, request, &Silent) {
                Err(SolveError::NotPlacement | SolveError::Index(_)) if method.is_some() => return None,
                found => found.unwrap_or_else(|error| panic!("{}: {error}", place())),
            };
            match &finding {
                Finding::Solved(solution) => {
                    assert_eq!(solution.verdict.outcome(), value.outcome(), "{}", place());
                    if let Verdict::Value(said) = solution.verdict {
                        assert_eq!(said, value, "{}", place());
                    }
                    for action in solution.best.iter().flatten().chain(&solution.winning) {
                        assert!(reference.transition(&root, *action).is_some(), "{}", place());
                    }
                }
                Finding::Unknown(unsolved) => {
                    assert!(unsolved.at_least.is_none_or(|bound| bound <= value), "{}", place());
                    assert!(unsolved.at_most.is_none_or(|bound| bound >= value), "{}", place());
                    assert!(value.outcome() != Outcome::Loss || unsolved.losing.len() <= unsolved.actions);
                }
            }
            known[finding.extent() as usize] += 1;
            Some(finding.extent())
        };
        let methods = if cycles {
            [None, Some(Method::Retrograde), Some(Method::Sweeps), Some(Method::Forced)]
        } else {
            [None, Some(Method::Exhaustive), Some(Method::Search), Some(Method::Rules)]
        };
        for method in methods {
            let wants: &[Want] = if method.is_none() { &[Want::Value, Want::Winner] } else { &[Want::Value] };
            for &want in wants {
                for ladder in ladders() {
                    let mut before = Extent::Unknown;
                    for limits in ladder {
                        let Some(extent) = check(limits, method, want) else { continue };
                        assert!(extent >= before, "case {number}, {method:?}, {want:?}, {limits:?}: {extent:?}");
                        before = extent;
                    }
                }
                // How far a time goes depends on the machine, which may be busy with something
                // else: what a shorter time knew once, a longer one knows in one of the tries of
                // some seconds.
                let mut before = Extent::Unknown;
                for time in [0, 200, 5_000].map(Duration::from_micros) {
                    let until = Instant::now() + Duration::from_secs(20);
                    let again =
                        || (Instant::now() < until).then(|| check(Limits::default().with_time(time), method, want));
                    let mut tries = std::iter::from_fn(again);
                    let found = tries.by_ref().find(|extent| extent.is_none_or(|extent| extent >= before));
                    let Some(found) = found else { panic!("case {number}, {method:?}, {want:?}, {time:?}: less") };
                    before = found.unwrap_or(before);
                }
                if (method, want) == (None, Want::Value) {
                    let all = check(Limits::default().with_time(Duration::from_secs(3_600)), method, want);
                    assert_eq!(all, Some(Extent::Value), "case {number}");
                }
            }
        }
    }
    let [unknown, _, winner, value] = known;
    assert!(unknown > 100 && winner > 100 && value > 1_000, "{known:?}");
}

/// Small setups, and what is true of their starts.
const SETUPS: [(&str, &str, &str, &str); 3] = [
    ("nook9", "four", "bdt", "standard"),
    ("nook9", "four", "bdt", "advanced"),
    ("ring8", "trio", "btd", "very-advanced"),
];

#[test]
fn no_limit_ends_a_command() {
    let json = |args: &[&str]| -> Vec<Json> {
        let ran = run(args, "");
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for (board, pods, hands, rules) in SETUPS {
        let one = ["--board", board, "--pods", pods, "--hands", hands, "--rules", rules];
        let all = ["--board", board, "--pods", pods, "--hands", hands, "--rules", rules];
        let asks: [(&[&str], &[&str], &[&str]); 5] = [
            (&["solve", "start"], &one, &["value", "plies"]),
            (&["solve", "start", "--winner"], &one, &["value", "plies"]),
            (&["solve", "start", "--every-action"], &one, &["value", "plies"]),
            (&["report"], &all, &["white_first", "white_first_plies", "black_first", "black_first_plies"]),
            (&["best", "start"], &one, &["value", "plies"]),
        ];
        for (ask, setup, columns) in asks {
            let asked = [ask, setup, &["--format", "json"]].concat();
            let without = json(&asked);
            let said = |row: &Json, column: &str| row[column].clone();
            let empty = |cell: &Json| cell.is_null() || cell == "" || cell == "unknown";
            for limit in [
                ["--time", "0"],
                ["--time", "0.002"],
                ["--time", "0.05"],
                ["--max-nodes", "1"],
                ["--max-nodes", "300"],
                ["--memory", "1"],
                ["--memory", "64KiB"],
            ] {
                // Where no table is made, looking ahead needs a limit of its own.
                let nodes: &[&str] = if limit[0] == "--memory" { &["--max-nodes", "2000"] } else { &[] };
                let limited = json(&[&asked[..], &limit, nodes].concat());
                assert_eq!(limited.len(), without.len(), "{ask:?} {limit:?}");
                for (row, truth) in limited.iter().zip(&without) {
                    for &column in columns {
                        let (cell, truth) = (said(row, column), said(truth, column));
                        let fits = empty(&cell) || empty(&truth) || cell == truth;
                        assert!(fits, "{ask:?} {limit:?}, {column}: {cell}, not {truth}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_verification_that_is_ended_leaves_the_value() {
    struct Until(std::sync::atomic::AtomicBool);
    impl pods::solver::Observer for Until {
        fn progress(&self, phase: pods::solver::Phase, _: u64, _: Option<u64>) {
            // Ends the job as soon as it verifies.
            self.0.fetch_or(phase == pods::solver::Phase::Verify, std::sync::atomic::Ordering::Relaxed);
        }
        fn stop(&self) -> Option<pods::solver::Stopped> {
            let limit = Duration::from_secs(1);
            self.0.load(std::sync::atomic::Ordering::Relaxed).then_some(pods::solver::Stopped::TimeUp { limit })
        }
    }
    for (board, pods, rules, method) in [
        ("nook9", "four", "standard", Method::Exhaustive),
        ("ring8", "trio", "advanced", Method::Retrograde),
        ("ring8", "four", "advanced", Method::Sweeps),
    ] {
        let game = crate::common::builtin_game(board, 0, pods, rules);
        let start = game.whole_start().unwrap();
        let ended = Answerer::new(&game).answer(&start, Request::default().by(method), &Until(false.into())).unwrap();
        let whole = Answerer::new(&game).answer(&start, Request::default().by(method), &Silent).unwrap();
        let (Finding::Solved(ended), Finding::Solved(whole)) = (ended, whole) else {
            panic!("{method} knows the value")
        };
        assert_eq!((ended.verdict, &ended.best, &ended.line), (whole.verdict, &whole.best, &whole.line), "{method}");
        assert!(ended.verified.is_none() && ended.stopped.is_some(), "{method}");
        assert!(whole.verified.is_some() && whole.stopped.is_none(), "{method}");
    }
}

#[test]
fn looking_ahead_answers_where_a_table_is_not_finished_in_its_time() {
    struct Once(std::sync::atomic::AtomicBool, std::sync::atomic::AtomicU32);
    use std::sync::atomic::Ordering::Relaxed;
    impl pods::solver::Observer for Once {
        fn progress(&self, phase: pods::solver::Phase, _: u64, _: Option<u64>) {
            self.0.fetch_or(phase == pods::solver::Phase::Propagate, Relaxed);
        }
        /// Ends the first job that spreads values.
        fn stop(&self) -> Option<pods::solver::Stopped> {
            let ends = self.0.load(Relaxed) && self.1.fetch_add(1, Relaxed) == 0;
            ends.then_some(pods::solver::Stopped::TimeUp { limit: Duration::from_secs(1) })
        }
    }
    let game = crate::common::builtin_game("nook9", 0, "four", "advanced");
    let start = game.parse_position("3/3/3 w bdt bdt open").unwrap();
    let whole = Answerer::new(&game).answer(&start, Request::default(), &Silent).unwrap();
    let once = Once(false.into(), 0.into());
    let found = Answerer::new(&game).answer(&start, Request::default(), &once).unwrap();
    assert!(whole.method() == Method::Sweeps && once.1.load(Relaxed) > 0);
    assert!(matches!(found.method(), Method::Forced | Method::AlphaBeta), "{found:?}");
    let (Finding::Solved(found), Finding::Solved(whole)) = (found, whole) else { panic!("both know the value") };
    assert_eq!(found.verdict, whole.verdict);
}
