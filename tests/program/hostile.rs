//! Engines that do harm, wrong requests, and what a failing engine is told with `--keep-going`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use crate::common::cannot_run;
use crate::run::{answer, run};
use pods::engine::{Engine, Reference};
use pods::matches::replay;
use pods::oracle::conform::{Failures, Plan, Subject, survey};
use pods::oracle::peer::{Answers, PeerError};
use pods::oracle::protocol::{Answer, Query};
use pods::oracle::{Session, serve};
use pods::position::Game;
use pods::rules::{Clause, Preset, RuleSet};

fn python() -> bool {
    let there = std::process::Command::new("python3").arg("--version").output().is_ok();
    if !there {
        cannot_run("python3", "the engines are Python programs");
    }
    there
}

/// An engine that says hello, takes the game, and does this with `best`; `r` is the request, `say`
/// answers it.
const ENGINE: &str = r#"
import sys, json, time, os
out = sys.stdout.buffer
def raw(data): out.write(data); out.flush()
def say(**fields): raw(json.dumps({"id": r["id"], **fields}).encode() + b"\n")
for line in sys.stdin:
    r = json.loads(line)
    if r["type"] == "hello":
        say(type="hello", protocol="pods-conformance", version=1, name="x", capabilities=["best"])
    elif r["type"] == "game":
        GAME
    elif r["type"] == "best":
        BEST
    else:
        say(type="ok")
"#;

const TAKE: &str = "say(type='ok')";

#[test]
fn engines_that_do_harm_lose_their_games_and_the_match_goes_on() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let nothing = "say(type='best', action=None)";
    let engines = [
        // Silent, slow, dying.
        (TAKE, "time.sleep(60)", "has not answered within 10 s"),
        (TAKE, "[(raw(b'{'), time.sleep(0.05)) for _ in range(1000)]", "has not answered within 10 s"),
        (TAKE, "os.close(1); time.sleep(60)", "ended instead of answering"),
        (TAKE, "sys.exit(3)", "ended instead of answering (exit status: 3)"),
        (TAKE, "os.kill(os.getpid(), 11)", "ended instead of answering (signal: 11"),
        (TAKE, "os.close(0); time.sleep(60)", "has not answered within 10 s"),
        // What it leaves behind holds its output open.
        (TAKE, "os.system('sleep 60 & true'); sys.exit(0)", "ended instead of answering (exit status: 0)"),
        (TAKE, "os.fork() or time.sleep(60); os._exit(4)", "ended instead of answering (exit status: 4)"),
        // Floods.
        (TAKE, "[raw(b'x' * 1000000) for _ in range(1000)]", "a line is longer than"),
        (TAKE, "[raw(b'x' * 1000 + b'\\n') for _ in range(100000)]", "no response of the protocol"),
        (TAKE, "[raw(b'\\n' * 1000) for _ in range(20000)]; time.sleep(60)", "has not answered within 10 s"),
        (TAKE, "raw(b'y' * (17 << 20) + b'\\n'); time.sleep(60)", "a line is longer than"),
        (TAKE, "sys.stderr.write('oh ' * 10000000); say(type='best', action=None)", "answers best with"),
        (TAKE, "say(type='best', action='b' * 9000000)", "bytes …bbb"),
        (TAKE, "say(type='error', message='e' * 9000000)", "bytes …eee"),
        (TAKE, "say(type='best' + 't' * 9000000)", "bytes …"),
        // Nonsense.
        (TAKE, "raw(bytes(range(11, 256)) + b'\\n')", "not UTF-8"),
        (TAKE, "raw(b'\\0' * 100 + b'\\n')", "no response of the protocol"),
        (TAKE, "raw(b'[' * 100000 + b'\\n')", "no response of the protocol"),
        (TAKE, "r['id'] += 1; say(type='best', action=None)", "id is 3 instead of 2"),
        (TAKE, "r['id'] = None; say(type='best', action=None)", "id is null instead of 2"),
        (TAKE, "r['id'] = -1; say(type='best', action=None)", "no response of the protocol"),
        (TAKE, "say(type='ok')", "answers best with {\"type\":\"ok\"}"),
        (TAKE, "say(type='best', action=7)", "no response of the protocol"),
        (TAKE, nothing, "answers best with"),
        // Actions that cannot be.
        (TAKE, "say(type='best', action='b@a1'); say(type='best', action='b@a1')", "one response for each request"),
        (TAKE, "say(type='best', action='resign')", "plays what cannot be read"),
        (TAKE, "say(type='best', action='\\x1b[2J')", "plays what cannot be read"),
        (TAKE, "say(type='best', action='')", "plays what cannot be read"),
        (TAKE, "say(type='best', action='z@z99')", "plays what cannot be read"),
        (TAKE, "say(type='best', action='c3-c3')", " is illegal in "),
        // In the game request.
        ("sys.exit(1)", nothing, "ended instead of answering"),
        ("time.sleep(60)", nothing, "has not answered within 10 s"),
        ("say(type='error', message='no')", nothing, "answers game with"),
    ];
    let play = |number: usize, (game, best, words): (&str, &str, &str)| {
        let script = folder.path().join(format!("{number}.py"));
        fs::write(&script, ENGINE.replace("GAME", game).replace("BEST", best)).unwrap();
        let games = folder.path().join(format!("{number}.jsonl"));
        let timeout = if words.contains(" within ") { "10" } else { "60" };
        let player = format!("program --max-nodes 9 python3 -B '{}'", script.display());
        let board = ["--board", "nook9", "--pods", "four", "--rules", "advanced", "--orientation", "0"];
        let shape = ["--pairs", "1", "--opening-plies", "2", "--timeout", timeout, "--out", games.to_str().unwrap()];
        let ran = run(&[&["match", &player, "random"], &board[..], &shape].concat(), "");
        assert_eq!(ran.code, 1, "{game}; {best}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("faults    the first lost 2 games by them, the second 0"), "{best}: {}", ran.out);
        assert!(ran.err.contains("lost a game: ") && ran.err.contains(words), "{best}: {}", ran.err);
        assert!(ran.err.len() < 20_000, "{best}: {} bytes", ran.err.len());
        // What it did is kept, and the games are whole.
        let text = fs::read(&games).unwrap();
        let mut faults = 0;
        let mut visit = |game: pods::matches::Replayed| {
            assert_eq!(game.fault, None, "{best}");
            faults += u32::from(game.said.end == "fault");
            ControlFlow::Continue(())
        };
        replay(&mut &text[..], &mut visit).unwrap();
        assert_eq!(faults, 2, "{best}");
        // The same command finds both games there.
        let again = run(&[&["match", &player, "random"], &board[..], &shape].concat(), "");
        assert_eq!(again.code, 1, "{}", again.err);
        assert!(again.err.contains("1 of 1 pairs are there") && fs::read(&games).unwrap() == text, "{}", again.err);
    };
    // Those that wait for a time limit wait side by side.
    let (silent, others): (Vec<_>, Vec<_>) =
        engines.into_iter().enumerate().partition(|(_, (_, _, words))| words.contains(" within "));
    std::thread::scope(|scope| {
        let play = &play;
        for (number, engine) in silent {
            scope.spawn(move || play(number, engine));
        }
        others.into_iter().for_each(|(number, engine)| play(number, engine));
    });
}

fn talk(lines: &[&str]) -> Vec<String> {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Reference::new(game.clone())) };
    let mut out = Vec::new();
    serve(&mut Session::new("test", &make), &mut lines.join("\n").as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

static GAME: LazyLock<String> = LazyLock::new(|| {
    let rules: BTreeMap<_, _> = RuleSet::from(Preset::Standard).values().collect();
    let rules = serde_json::to_string(&rules).unwrap();
    format!(
        r#"{{"id":1,"type":"game","board":{{"points":["a1","b1","a2"],"lines":[["a1","b1"],["a1","a2"]],"columns":2,"rows":2}},"pods":[{{"id":"b","legs":"w E","count":1}}],"rules":{rules},"white_hand":"b","black_hand":"b"}}"#
    )
});

#[test]
fn no_game_is_left_after_a_wrong_one_whatever_is_wrong_with_it() {
    let moves = r#"{"id":2,"type":"moves","position":"2/2 w b b open"}"#;
    assert!(talk(&[&GAME, moves])[1].contains("\"actions\""));
    for (from, to) in [
        ("\"count\":1", "\"count\":65"),
        ("\"count\":1", "\"count\":300"),
        ("\"count\":1", "\"count\":\"1\""),
        ("\"id\":\"b\"", "\"id\":\"bb\""),
        ("\"columns\":2", "\"columns\":-2"),
        ("\"columns\":2,", ""),
        ("\"white_hand\":\"b\"", "\"white_hand\":null"),
        ("\"id\":1,", "\"id\":\"1\","),
        ("\"id\":1,", ""),
        ("[\"a1\",\"a2\"]", "[\"a1\",\"a2\"],[\"a2\",\"a1\"]"),
        ("[\"a1\",\"a2\"]", "[\"a1\",\"a2\"],[\"a1\",\"b1\"]"),
    ] {
        assert!(GAME.contains(from));
        let said = talk(&[&GAME, &GAME.replacen(from, to, 1), moves]);
        assert!(said[1].contains("\"type\":\"error\""), "{to}: {said:?}");
        assert!(said[2].contains("there is no game yet"), "{to}: {said:?}");
    }
    // What is no request for a game leaves it alone.
    for other in ["nonsense", "{}", r#"{"id":1,"type":"moves","position":"x"}"#, r#"{"id":1,"type":"games"}"#] {
        assert!(talk(&[&GAME, other, moves])[2].contains("\"actions\""), "{other}");
    }
}

#[test]
fn a_line_given_twice_and_a_budget_of_nothing_are_refused() {
    let twice = GAME.replacen("[\"a1\",\"a2\"]", "[\"a1\",\"a2\"],[\"a2\",\"a1\"]", 1);
    assert!(talk(&[&twice])[0].contains("the line from a2 to a1 is given twice (R1)"));
    for name in ["nodes", "milliseconds", "depth"] {
        let best =
            |number: u32| format!("{{\"id\":2,\"type\":\"best\",\"position\":\"2/2 w b b open\",\"{name}\":{number}}}");
        let said = talk(&[&GAME, &best(0), &best(1)]);
        assert!(said[1].contains(&format!("{name} is 0, and must be a whole number above 0")), "{said:?}");
        assert!(said[2].contains("\"action\":\"b@"), "{said:?}");
    }
}

#[test]
fn what_a_request_repeats_is_cut() {
    let long = "x".repeat(100_000);
    for request in [
        format!("{{\"id\":1,\"type\":\"{long}\"}}"),
        format!("{{\"id\":1,\"type\":\"moves\",\"position\":\"3/3/3 {long} b b -\"}}"),
        format!("{{\"id\":1,\"type\":\"apply\",\"position\":\"2/2 w b b open\",\"action\":\"{long}\"}}"),
        GAME.replacen("w E", &long, 1),
        GAME.replacen("bipod", &long, 1),
        GAME.replacen("\"a2\"]", &format!("\"{long}\"]"), 1),
    ] {
        let said = talk(&[&GAME, &request]);
        assert!(said[1].contains("\"type\":\"error\"") && said[1].len() < 1000, "{} bytes", said[1].len());
    }
}

#[test]
fn a_byte_order_mark_is_skipped_by_every_reader() {
    let bom = "\u{feff}";
    assert!(talk(&[&format!("{bom}{}", *GAME)])[0].ends_with("\"type\":\"ok\"}"));
    let folder = tempfile::tempdir().unwrap();
    let marked = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("{bom}{text}")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let board = marked("board.toml", &fs::read_to_string("boards/nook9.toml").unwrap());
    let pods = marked("pods.toml", &fs::read_to_string("boards/four.pods.toml").unwrap());
    let setup = ["--board", board.as_str(), "--pods", pods.as_str()];
    let plain = ["--board", "nook9", "--pods", "four"];
    let ask = |setup: &[&str], input: &str| answer(&[&["moves", "-", "--format", "json"], setup].concat(), input);
    let position = "3/1B1/2q w dt bt -\n";
    assert_eq!(ask(&setup, &format!("{bom}{position}")), ask(&plain, position));
    let games = fs::read_to_string("tests/corpus/readers/games.txt").unwrap();
    assert_eq!(
        answer(&["replay", &marked("games", &games)], ""),
        answer(&["replay", "tests/corpus/readers/games.txt"], "")
    );
    // Oracle sets and certificates.
    let set = folder.path().join("set");
    let set = set.to_str().unwrap();
    answer(&[&["oracle", "export", "--out", set, "--count", "20"], &plain[..]].concat(), "");
    let checked = answer(&["oracle", "check", set], "");
    for name in ["manifest.json", "positions.jsonl"] {
        let text = fs::read_to_string(format!("{set}/{name}")).unwrap();
        marked(&format!("set/{name}"), &text);
    }
    assert_eq!(answer(&["oracle", "check", set], ""), checked);
    let proof = folder.path().join("proof");
    let proof = proof.to_str().unwrap();
    answer(&[&["prove", "start", "--hands", "bdt", "--out", proof], &plain[..]].concat(), "");
    let marked = marked("marked", &fs::read_to_string(proof).unwrap());
    let without_name = |path: &str| answer(&["check-proof", path], "").replace(path, "");
    assert_eq!(without_name(&marked), without_name(proof));
}

/// A conversation in this process, with an engine that reads an option so.
struct Talk<'a>(Session<'a>);

impl Answers for Talk<'_> {
    fn ask(&mut self, ask: &Query, _: Option<&AtomicBool>) -> Result<Answer, PeerError> {
        Ok(self.0.answer(ask).unwrap_or_else(|message| Answer::Error { message }))
    }
}

fn failures(reading: Option<(&str, &str)>, constructed: u64, positions: u64) -> Failures {
    let make = |game: &Game| -> Box<dyn Engine> {
        let rules = reading.map_or(*game.rules(), |(option, value)| game.rules().with(option, value).unwrap());
        Box::new(Reference::new(Game::new(game.board().clone(), game.pods().clone(), rules)))
    };
    let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> { Ok(Box::new(Talk(Session::new("talk", &make)))) };
    let plan = Plan { seed: 3, constructed, positions, presets: Preset::ALL.to_vec(), only_presets: false };
    let survey = survey(&mut start, &plan, &|_| {}, None).unwrap();
    assert!(!survey.ended && survey.tally.random_positions >= positions);
    survey.failures
}

#[test]
fn all_failures_are_summed_up_by_clause_and_option() {
    let none = failures(None, 3, 200);
    assert_eq!((none.all(), none.by.len(), none.of_form.is_some()), (0, 0, false));
    for (option, value, other, clauses) in [
        ("placement-liberty", "on", "off", &[Clause::R13][..]),
        ("attack-through", "off", "on", &[Clause::R5, Clause::R11, Clause::R12]),
        ("shove-after-run", "on", "off", &[Clause::R23]),
    ] {
        for (constructed, positions) in [(5, 0), (0, 3000)] {
            let found = failures(Some((option, value)), constructed, positions);
            assert!(found.wrong > 1 && found.unanswered == 0, "{option}={value}: {found:?}");
            let of = |subject: Subject| found.by.get(&subject).map_or(0, |failed| failed.own + failed.pointing);
            assert!(
                clauses.iter().any(|&clause| of(Subject::Clause(clause)) > 0),
                "{option}={value}: {:?}",
                found.by.keys()
            );
            // Questions about the other value of the option fail, those about its own do not.
            assert_eq!(of(Subject::Option(option, other)) > 0, constructed > 0, "{option}={value}");
            assert_eq!(of(Subject::Option(option, value)), 0, "{option}={value}");
            let counted: u64 = found.by.values().map(|failed| failed.own + failed.pointing).sum();
            assert!(counted + found.of_form.as_ref().map_or(0, |form| form.own) >= found.all());
        }
    }
}

#[test]
fn a_failing_engine_is_told_all_that_fails() {
    if !python() {
        return;
    }
    let engine = fs::read_to_string("scripts/conform_engine.py").unwrap();
    let mutant = engine.replace("if point in attacked_by_foe:", "if False:");
    assert_ne!(engine, mutant);
    let script = tempfile::NamedTempFile::new().unwrap();
    fs::write(script.path(), mutant).unwrap();
    let engine = format!("python3 -B '{}'", script.path().display());
    let command = |format: &'static str| {
        let shape = ["--keep-going", "--positions", "150", "--constructed", "1", "--timeout", "60", "--format", format];
        run(&[&["conform", "--engine", &engine], &shape[..]].concat(), "")
    };
    let ran = command("csv");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{}", ran.out);
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    let rows: Vec<std::collections::HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let r12 = rows.iter().find(|row| row["subject"] == "R12").unwrap();
    let number = |row: &std::collections::HashMap<String, String>, of: &str| row[of].parse::<u64>().unwrap_or(0);
    assert!(r12["about"] == "clause" && number(r12, "failed") + number(r12, "pointing") > 3, "{r12:?}");
    let json = command("json");
    assert_eq!((json.code, json.out.lines().count()), (1, rows.len()));
    let text = command("text");
    assert!(
        text.code == 1 && text.out.contains(" are answered otherwise than by the rules, 0 not at all"),
        "{}",
        text.out
    );
    let line =
        format!("clause  R12  {}: {} questions made for it, {} failed", r12["title"], r12["asked"], r12["failed"]);
    assert!(text.out.contains(&line), "{line}\n{}", text.out);
    // No more can fail than were asked, and what other answers point to is told apart.
    for row in rows.iter().filter(|row| row["about"] != "form") {
        assert!(number(row, "failed") <= number(row, "asked"), "{row:?}");
        assert!(number(row, "failed") + number(row, "pointing") > 0, "{row:?}");
    }
    assert!(number(r12, "pointing") > 0, "{r12:?}");
    let refused = run(&["conform", "--engine", &engine, "--format", "csv"], "");
    assert!(refused.code == 2 && refused.err.contains("--keep-going"), "{}", refused.err);
    let good = format!("'{}' engine --engine fast", env!("CARGO_BIN_EXE_pods"));
    let shape = ["--keep-going", "--positions", "50", "--constructed", "1", "--format", "json"];
    assert_eq!(answer(&[&["conform", "--engine", &good], &shape[..]].concat(), ""), "");
}
