//! One budget for each question: whoever asks, however. It ends within its limits, says what is
//! known, says nothing false, and a larger limit never knows less.
//!
//! `PODS_SEED=N` takes other cases; a failure names its seed and its case.

use std::collections::BTreeMap;
#[cfg(target_os = "linux")]
use std::{
    io::{Read as _, Write as _},
    process::Child,
};

use pods::answer::best::Judgement;
use pods::answer::{Answerer, LookUp, News, Request, SolveError, SomeActions, Want, solve};
use pods::certificate::{ProofError, ProofMethod, prove};
use pods::engine::{Engine as _, Reference};
use pods::material::Side;
use pods::position::{Game, Hand, Position, Setup};
use pods::report::{NamedSetup, balance};
use pods::rules::Preset;
use pods::solver::{Extent, Finding, Limits, Method, Silent, Solution, Verdict, positions_at_most};
use serde_json::{Value as Json, json};

use crate::common::{Random, builtin_game};
use crate::explore::{Served, setting};
use crate::run::{run, spawn};

/// Count beyond a limit of nodes: each search counts its root beside its nodes, and a question has
/// a few searches.
const SLACK: u64 = 8;

/// Returns the count beyond a limit of nodes where play may cycle, or for a move to play: looking one
/// ply ahead has no limit, so that there is always an action to name, and shows a line of one ply.
fn one_ply(game: &Game, root: &Position) -> u64 {
    2 * Reference::new(game.clone()).sorted_actions(root).len() as u64 + SLACK
}

fn seed() -> u64 {
    std::env::var("PODS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(2_611)
}

/// A small position under a preset.
struct Case {
    place: String,
    game: Game,
    root: Position,
    truth: Verdict,
}

/// Returns a random position of a small game, and its value.
fn case(preset: Preset, random: &mut Random) -> Case {
    loop {
        let (board, pods) = random.pick(&[("nook9", "duo"), ("nook9", "trio"), ("nook9", "four"), ("ring8", "trio")]);
        let game = builtin_game(board, 0, pods, preset.name());
        let (engine, hand) = (Reference::new(game.clone()), Hand::whole(game.pods()));
        let mut root = game.start(hand, hand, random.pick(&Side::BOTH)).unwrap();
        let plies = random.below(5);
        for _ in 0..plies {
            let actions = engine.sorted_actions(&root);
            if actions.is_empty() {
                break;
            }
            root = engine.transition(&root, random.pick(&actions)).unwrap().next;
        }
        if positions_at_most(&game, &[&root]) > 40_000 {
            continue;
        }
        let truth = solve(&game, &root, Request::default().unverified(), &Silent).unwrap().verdict;
        let place = format!("PODS_SEED={}, {board}, {pods}, {preset:?}, {}", seed(), root.display(&game));
        return Case { place, game, root, truth };
    }
}

/// Returns two limits of nodes, the larger one last.
fn limits(random: &mut Random) -> [u64; 2] {
    let scale = 1 + random.below(12);
    let less = 1 + random.below(1 << scale) as u64;
    [less, less + random.below(4 * less as usize) as u64]
}

/// Checks that a finding is true.
fn check(place: &str, finding: &Finding, truth: Verdict) {
    match (finding, truth) {
        (Finding::Solved(Solution { verdict, .. }), _) => {
            assert_eq!(verdict.outcome(), truth.outcome(), "{place}");
            assert!(verdict.plies().is_none() || verdict.plies() == truth.plies(), "{place}: {verdict}, not {truth}");
        }
        (Finding::Unknown(unsolved), Verdict::Value(value)) => {
            assert!(unsolved.at_least.is_none_or(|bound| bound <= value), "{place}: {unsolved:?}");
            assert!(unsolved.at_most.is_none_or(|bound| bound >= value), "{place}: {unsolved:?}");
        }
        (Finding::Unknown(_), _) => {}
    }
}

#[test]
fn nodes_are_counted_once_and_more_of_them_never_know_less() {
    let mut random = Random(seed());
    let mut seen = [0; 4];
    for number in 0..24 * Preset::ALL.len() {
        let Case { place, game, root, truth } = case(Preset::ALL[number % Preset::ALL.len()], &mut random);
        let pair = limits(&mut random);
        let place = format!("{place}, {pair:?}");
        let within = |nodes: u64| Limits::default().with_nodes(nodes);
        let methods = [Method::Exhaustive, Method::Search, Method::Retrograde, Method::Sweeps, Method::Forced];
        for method in methods.map(Some).into_iter().chain([None]) {
            for want in [Want::Value, Want::Winner] {
                let mut before = Extent::Unknown;
                for nodes in pair {
                    let place = format!("{place}, {method:?}, {want:?}, {nodes}");
                    let request = Request::new(within(nodes)).wanting(want);
                    let request = method.map_or(request, |method| request.by(method));
                    let mut answerer = Answerer::new(&game);
                    let finding = match answerer.answer(&root, request, &Silent) {
                        Err(SolveError::CanCycle | SolveError::NotPlacement | SolveError::Index(_)) => break,
                        found => found.unwrap_or_else(|error| panic!("{place}: {error}")),
                    };
                    check(&place, &finding, truth);
                    let more = if game.rules().can_cycle() { one_ply(&game, &root) } else { SLACK };
                    assert!(answerer.spent() <= nodes + more, "{place}: {} counted", answerer.spent());
                    assert!(finding.extent() >= before, "{place}: {finding:?}");
                    before = finding.extent();
                    seen[before as usize] += 1;
                }
            }
        }
        // After each action: the limit is for each.
        let mut before = 0;
        for nodes in pair {
            let each =
                Answerer::new(&game).every_action(&SomeActions::default(), &root, Request::new(within(nodes)), &Silent);
            let each = each.unwrap_or_else(|error| panic!("{place}: {error}"));
            for one in &each {
                let more = if game.rules().can_cycle() { one_ply(&game, &one.next) } else { SLACK };
                assert!(one.positions <= nodes + more, "{place}, {nodes}: {one:?}");
            }
            let known = each.iter().filter(|one| one.outcome().is_some()).count();
            let best = each.iter().filter_map(|one| one.outcome()).max();
            assert!(known < each.len() || each.is_empty() || best == Some(truth.outcome()), "{place}: {each:?}");
            assert!(best.is_none_or(|best| best <= truth.outcome()), "{place}: {each:?}");
            assert!(known >= before, "{place}, {nodes}: {known} of {before}");
            before = known;
        }
        // Told as they become known: the limit is for the position and all actions together.
        let mut before = false;
        for nodes in pair {
            let (mut answerer, mut root_is, mut actions) = (Answerer::new(&game), None, BTreeMap::new());
            let tell = &mut |news| match news {
                News::Root(verdict, _) => root_is = Some(verdict),
                News::Action(action, verdict, _) => drop(actions.insert(action, verdict)),
                _ => {}
            };
            let open = answerer.unfold(&root, within(nodes), &Silent, tell).unwrap();
            let place = format!("{place}, {nodes}: {root_is:?}, {actions:?}");
            assert!(answerer.spent() <= nodes + one_ply(&game, &root), "{place}: {} counted", answerer.spent());
            assert!(open.is_some() || root_is.is_some_and(|verdict| verdict.outcome() == truth.outcome()), "{place}");
            if let Some(verdict) = root_is {
                assert_eq!(verdict.outcome(), truth.outcome(), "{place}");
                assert!(verdict.plies().is_none() || verdict.plies() == truth.plies(), "{place}");
            }
            for (action, verdict) in actions {
                let next = Reference::new(game.clone()).transition(&root, action).unwrap().next;
                let truth = solve(&game, &next, Request::default().unverified(), &Silent).unwrap().verdict;
                assert_eq!(verdict.outcome(), truth.outcome().reversed(), "{place}");
                assert!(verdict.plies().is_none_or(|plies| truth.plies() == Some(plies - 1)), "{place}");
            }
            assert!(root_is.is_some() || !before, "{place}");
            before = root_is.is_some();
        }
        // A move to play: one look at each action is free.
        for nodes in pair {
            let best = Answerer::new(&game).best(&root, within(nodes), &Silent).unwrap();
            assert!(best.nodes <= nodes + one_ply(&game, &root), "{place}, {nodes}: {best:?}");
            if let Some(Judgement::Proven(verdict, _)) = best.choice.map(|choice| choice.judgement) {
                assert_eq!(verdict.outcome(), truth.outcome(), "{place}, {nodes}");
                assert!(verdict.plies().is_none() || verdict.plies() == truth.plies(), "{place}, {nodes}");
            }
        }
        // A certificate is made, or not yet.
        let mut before = false;
        for nodes in pair {
            let made = prove(&mut Answerer::new(&game), &root, ProofMethod::fitting(false), within(nodes), &Silent);
            let made = match made {
                Ok(proof) => {
                    assert_eq!(proof.checked.claim.value.name(), truth.outcome().name(), "{place}, {nodes}");
                    true
                }
                Err(ProofError::Solve(SolveError::Stopped(_))) => false,
                Err(error) => panic!("{place}, {nodes}: {error}"),
            };
            assert!(made || !before, "{place}, {nodes}");
            before = made;
        }
    }
    assert!(seen.into_iter().enumerate().all(|(extent, n)| n > 20 || extent == Extent::Bounds as usize), "{seen:?}");
}

#[test]
fn a_report_has_the_nodes_of_two_starts() {
    let mut random = Random(seed() + 1);
    for number in 0..4 * Preset::ALL.len() {
        let preset = Preset::ALL[number % Preset::ALL.len()];
        let (board, pods) = (random.pick(&["nook9", "ring8", "den12"]), "duo");
        let game = builtin_game(board, random.pick(&[0, 90, 180, 270]), pods, preset.name());
        let hand = Hand::whole(game.pods());
        let setup = NamedSetup::from(Setup::new(game, [hand, hand]));
        let row = |limits| balance(&setup, LookUp::default(), Want::Value, limits, &Silent).unwrap();
        let truth = row(Limits::default());
        let starts = Side::BOTH.map(|side| setup.setup().start(side).unwrap());
        let pair = limits(&mut random);
        let mut before = [false; 2];
        for nodes in pair {
            let place = format!("PODS_SEED={}, {board}, {pods}, {preset:?}, {nodes} of {pair:?}", seed());
            let found = row(Limits::default().with_nodes(nodes));
            let more = starts.iter().map(|start| one_ply(setup.game(), start)).sum::<u64>();
            assert!(found.positions <= 2 * nodes + more, "{place}: {found:?}");
            for ((start, all), before) in found.starts.iter().zip(&truth.starts).zip(&mut before) {
                let (known, all) = (start.known, all.known.unwrap());
                assert!(known.is_err() || known.unwrap().outcome() == all.outcome(), "{place}: {known:?}, not {all}");
                assert!(known.is_ok() || !*before, "{place}: {found:?}");
                *before = known.is_ok();
            }
            for ((_, opening), (_, all)) in found.first_actions.iter().zip(&truth.first_actions) {
                assert!(opening.is_none() || opening == all, "{place}: {opening:?}, not {all:?}");
            }
        }
    }
}

/// Returns the seconds that a process has worked, also one that has ended and was not waited for.
/// Unlike the time that goes by, they do not depend on what else the machine does.
#[cfg(target_os = "linux")]
fn seconds_of_work(process: &Child) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    // Behind the name: the state, and as the 12th and 13th the hundredths of a second of user and
    // system.
    let fields: Vec<&str> = stat[stat.rfind(')').unwrap() + 2..].split(' ').collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<f64>().unwrap() / 100.0).sum()
}

/// Runs a command that asks so many questions, each with a limit of time: it must work at most a
/// second longer for each. Returns its rows.
#[cfg(target_os = "linux")]
fn in_time(args: &[&str], input: &str, questions: f64, time: f64) -> Vec<Json> {
    let mut child = spawn(args);
    let (mut out, mut err) = (String::new(), String::new());
    // What stops before it has read everything says why.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let worked = seconds_of_work(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}: {err}");
    assert!(worked <= questions * (time + 1.0), "{args:?} worked {worked} seconds for a limit of {time}");
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{args:?}: {e}: {out}"))).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_time_ends_every_question() {
    let (mut random, folder) = (Random(seed() + 2), tempfile::tempdir().unwrap());
    let proof = folder.path().join("proof").display().to_string();
    let served = Served::new(&[]);
    let mut unknown = 0;
    for preset in Preset::ALL {
        let time = random.pick(&[0.01, 0.04, 0.1]);
        // Too large to be solved in that time.
        let text = builtin_game("cave36", 90, "pods14", preset.name());
        let text = text.whole_start().unwrap().display(&text).to_string();
        let seconds = time.to_string();
        let of = ["--rules", preset.name(), "--orientation", "90", "--time", &seconds, "--format", "json"];
        let of = [&of[..], &["--threads", "1"]].concat();
        let method = random.pick(match preset {
            Preset::Standard | Preset::BasicAuthor => &["exhaustive", "search"][..],
            _ => &["retrograde", "forced"],
        });
        let file = [&proof[..], preset.name()].concat();
        let asks: [(&[&str], &str, f64); 7] = [
            (&["solve", "start"], "", 1.0),
            (&["solve", "start", "--method", method], "", 1.0),
            (&["solve", "start", "--every-action"], "", 1.0),
            (&["solve", "-"], "start\nstart\n", 2.0),
            (&["best", "start"], "", 1.0),
            (&["report", "--no-library", "--board", "cave36", "--pods", "pods14"], "", 2.0),
            (&["prove", "--out", &file, &text], "", 1.0),
        ];
        for (ask, input, questions) in asks {
            let library: &[&str] = if matches!(ask[0], "solve" | "best") { &["--no-library"] } else { &[] };
            let rows = in_time(&[ask, &of, library].concat(), input, questions, time);
            assert!(!rows.is_empty(), "{ask:?}");
            for row in rows {
                let value = |column: &str| row[column].as_str().unwrap_or("unknown").to_owned();
                let said = [value("value"), value("white_first")];
                // What is not known has a reason.
                if ask[0] != "best" && said.iter().all(|said| said == "unknown") {
                    assert!(row["stopped"].is_string(), "{ask:?}: {row}");
                    unknown += 1;
                }
            }
        }
        let before = seconds_of_work(&served.child);
        let setting = setting("cave36", "pods14", preset.name(), "start", &[]);
        let events = served.events(&json!({ "values": { "setting": setting, "seconds": time.max(0.05) } }));
        assert_eq!(events.last().unwrap().0, "done", "{events:?}");
        let told = |name: &str| events.iter().filter(|event| event.0 == name).count();
        assert!(told("unknown") > 0 || told("action") == 51, "{preset:?}: {events:?}");
        let worked = seconds_of_work(&served.child) - before;
        // The job has one thread, and guesses by looking one ply ahead whatever the time.
        assert!(worked <= time.max(0.05) + 1.0, "{preset:?}: {worked} seconds");
    }
    assert!(unknown > 4 * Preset::ALL.len(), "{unknown}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_answers_within_any_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (name, tables) = (folder.path().join("small").display().to_string(), folder.path().display().to_string());
    let setup = ["--board", "nook9", "--pods", "duo", "--rules", "advanced"];
    let ran = run(&[&["table", "build", &name][..], &setup].concat(), "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ask = ["solve", "start", "--tables", &tables, "--format", "json"];
    for limit in [["--max-nodes", "1"], ["--time", "0"], ["--memory", "1"]] {
        let row = &in_time(&[&ask[..], &setup, &limit].concat(), "", 1.0, 0.0)[0];
        assert_eq!((&row["method"], row["plies"].is_u64()), (&json!("table"), true), "{limit:?}: {row}");
    }
}
