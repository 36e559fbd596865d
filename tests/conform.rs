//! The conformance protocol: engines that pass, engines with planted errors, programs that misbehave.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pods::engine::{Engine, Reference};
use pods::oracle::conform::{Answers, Class, PeerError, Plan, Verdict, run};
use pods::oracle::protocol::{Answer, Ask};
use pods::oracle::{Session, serve};
use pods::position::Game;
use pods::rules::{Clause, Preset};

/// An engine in this process, with a planted misreading: an option that always has one value.
struct Liar<'a>(Session<'a>);

impl Answers for Liar<'_> {
    fn ask(&mut self, ask: &Ask) -> Result<Answer, PeerError> {
        Ok(self.0.answer(ask).unwrap_or_else(|message| Answer::Error { message }))
    }
}

fn plan(positions: u64) -> Plan {
    Plan { seed: 3, positions, presets: Preset::ALL.to_vec(), only_presets: false }
}

#[test]
fn a_misread_option_is_found_and_its_clause_named() {
    for (option, value, clause, most_pods) in [
        ("placement-liberty", "on", Clause::R13, 2),
        ("placement-liberty", "off", Clause::R13, 2),
        ("attack-through", "off", Clause::R5, 4),
        ("attack-through", "on", Clause::R5, 4),
        ("captures", "every-turn", Clause::R18, 3),
        ("captures", "never", Clause::R18, 4),
        ("empty-hand", "wins", Clause::R16, 3),
        ("shove-after-run", "on", Clause::R23, 4),
        ("kick-gaps", "every-step", Clause::R24, 4),
        ("shove-liberty", "off", Clause::R27, 5),
    ] {
        let make = |game: &Game| -> Box<dyn Engine> {
            let rules = game.rules().with(option, value).unwrap();
            Box::new(Reference::new(Game::new(game.board().clone(), game.pods().clone(), rules)))
        };
        let verdict = run(&mut Liar(Session::new("liar", &make)), &plan(20_000), &|_| {}).unwrap();
        let Verdict::Differs { shrunken, stake, .. } = verdict else { panic!("{option}={value} is not found") };
        assert!(stake.clauses.contains(&clause), "{option}={value}: {stake:?}");
        let position = &shrunken.difference.position;
        let hands = pods::material::Side::BOTH.map(|side| position.hand(side).len());
        let size = position.pods().count() + hands[0] + hands[1];
        assert!(size <= most_pods, "{option}={value}: {size} in {}", position.text(&shrunken.difference.game));
    }
}

#[test]
fn a_refusal_is_a_difference() {
    struct Refuses(u64);
    impl Answers for Refuses {
        fn ask(&mut self, _: &Ask) -> Result<Answer, PeerError> {
            self.0 += 1;
            Ok(if self.0 == 1 { Answer::Ok } else { Answer::error("no idea") })
        }
    }
    let Verdict::Differs { stake, .. } = run(&mut Refuses(0), &plan(10), &|_| {}).unwrap() else { panic!() };
    assert_eq!(stake.class, Class::Refusal);
}

#[test]
fn a_conversation_is_answered_line_by_line() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Reference::new(game.clone())) };
    let rules = r#"{"moves":"off","shoves":"off","placement-liberty":"on","captures":"never","empty-hand":"loses","opening":"bipod","attack-through":"off","shove-after-run":"on","kick-gaps":"every-step","shove-liberty":"off"}"#;
    let game = format!(
        r#"{{"id":1,"type":"game","board":{{"points":["a1","b1","a2"],"lines":[["a1","b1"],["a1","a2"]],"columns":2,"rows":2}},"pods":[{{"id":"b","legs":"w E"}}],"rules":{rules},"white_hand":"b","black_hand":"b"}}"#
    );
    let talk = [
        (
            r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1}"#,
            r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"test"}"#,
        ),
        (
            r#"{"id":5,"type":"moves","position":"2/2 w b b open"}"#,
            r#"{"id":5,"type":"error","message":"there is no game yet: send a game first"}"#,
        ),
        (&game, r#"{"id":1,"type":"ok"}"#),
        (
            r#"{"id":2,"type":"moves","position":"2/2 w b b open"}"#,
            r#"{"id":2,"type":"moves","status":"ongoing","actions":["b@a1","b@b1"]}"#,
        ),
        (
            r#"{"id":3,"type":"apply","position":"2/2 w b b open","action":"b@a1"}"#,
            r#"{"id":3,"type":"applied","position":"2/B1 b - b -","status":"white_won","returned":[],"removed":[]}"#,
        ),
        (
            r#"{"id":4,"type":"apply","position":"2/2 w b b open","action":"b@a2","more":1}"#,
            r#"{"id":4,"type":"illegal","clause":"R13"}"#,
        ),
        (r#"{"id":5,"type":"status","position":"2/B1 b - b -"}"#, r#"{"id":5,"type":"status","status":"white_won"}"#),
        (r#"{"id":6,"type":"perft","position":"2/2 w b b open","depth":2}"#, r#"{"id":6,"type":"perft","count":0}"#),
        ("nonsense", "\"id\":null,\"type\":\"error\""),
        (r#"{"id":7,"type":"dance"}"#, "{\"id\":7,\"type\":\"error\""),
        (r#"{"id":8,"type":"hello","protocol":"pods-conformance","version":2}"#, "{\"id\":8,\"type\":\"error\""),
        (r#"{"id":9,"type":"quit"}"#, r#"{"id":9,"type":"ok"}"#),
    ];
    let input: String = talk.iter().map(|(ask, _)| format!("{ask}\n\n")).collect();
    let mut out = Vec::new();
    serve(&mut Session::new("test", &make), &mut input.as_bytes(), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out.lines().count(), talk.len(), "{out}");
    for ((ask, wanted), got) in talk.iter().zip(out.lines()) {
        assert!(if wanted.ends_with('}') { got == *wanted } else { got.contains(wanted) }, "{ask}\n{got}\n{wanted}");
    }
}

fn conform(engine: &str, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pods")).args(["conform", "--engine", engine]).args(more).output().unwrap()
}

fn code_and_text(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn the_fast_engine_passes_over_pipes() {
    let engine = format!("'{}' engine --engine fast", env!("CARGO_BIN_EXE_pods"));
    let (code, text) = code_and_text(&conform(&engine, &["--positions", "400", "--seed", "11"]));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("agrees with the rules") && text.contains("  R18 "), "{text}");
}

/// The program of that name on the search path.
fn found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder: PathBuf| folder.join(program).is_file())
}

fn script(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name);
    format!("python3 '{}'", path.display())
}

#[test]
fn the_python_engine_passes_on_all_presets() {
    if !found("python3") {
        eprintln!("skipped: there is no python3 on the search path, so the example engine cannot be run");
        return;
    }
    let engine = script("conform_engine.py");
    for preset in Preset::ALL {
        let more = ["--positions", "150", "--seed", "21", "--timeout", "60", "--presets", preset.name()];
        let (code, text) = code_and_text(&conform(&engine, &more));
        assert_eq!(code, 0, "{}: {text}", preset.name());
    }
    let (code, text) = code_and_text(&conform(&engine, &["--positions", "500", "--seed", "22", "--timeout", "60"]));
    assert_eq!(code, 0, "{text}");
}

#[test]
fn the_python_engine_passes_its_own_tests() {
    if !found("python3") {
        eprintln!("skipped: there is no python3 on the search path, so the example engine cannot be run");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/test_conform_engine.py");
    let (code, text) = code_and_text(&Command::new("python3").arg("-B").arg(script).output().unwrap());
    assert_eq!(code, 0, "{text}");
}

#[test]
fn an_endless_line_to_our_engine_is_refused() {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_pods"))
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let block = vec![b'{'; 1 << 20];
    // Ends when the program has had enough.
    while input.write_all(&block).is_ok() {}
    drop(input);
    let (code, text) = code_and_text(&child.wait_with_output().unwrap());
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("standard input: a line is longer than"), "{text}");
}

#[test]
fn programs_that_misbehave_are_told_so() {
    if !found("python3") {
        eprintln!("skipped: there is no python3 on the search path to misbehave in");
        return;
    }
    let hello = r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"x"}"#;
    let python = |code: &str| format!("python3 -c \"{}\"", code.replace('"', "\\\""));
    let after_hello = |code: &str| python(&format!("import sys,time\ninput()\nprint('{hello}',flush=True)\n{code}"));
    for (engine, words) in [
        (python("import sys;sys.exit('out of luck')"), "out of luck"),
        (python("import sys;sys.exit(3)"), "exit status: 3"),
        (python("import time;time.sleep(60)"), "has not answered within 0.5 s"),
        (after_hello("time.sleep(60)"), "has not answered within 0.5 s"),
        (after_hello("input();sys.exit(1)"), "ended instead of answering"),
        (after_hello("input()\nprint('hello',flush=True)\ntime.sleep(60)"), "no response of the protocol"),
        (after_hello("print('{\"id\":7,\"type\":\"ok\"}',flush=True)\ntime.sleep(60)"), "id is 7 instead of 1"),
        (after_hello("while True: sys.stdout.write('x'*1000000)"), "a line is longer than"),
        (after_hello("while True: print('{}')"), "no response of the protocol"),
        (
            python("input()\nprint('{\"id\":0,\"type\":\"error\",\"message\":\"version\"}',flush=True)"),
            "does not speak",
        ),
        ("/no/such/program".to_owned(), "cannot be started"),
        ("'open quote".to_owned(), "cannot be read"),
        (String::new(), "it is empty"),
    ] {
        let timeout = if words.contains("0.5 s") { "0.5" } else { "30" };
        let (code, text) = code_and_text(&conform(&engine, &["--timeout", timeout, "--positions", "10"]));
        assert_eq!(code, 2, "{engine}: {text}");
        assert!(text.contains(words), "{engine}: {text}");
    }
}

#[test]
fn a_wrong_program_is_shown_its_smallest_position() {
    if !found("python3") {
        eprintln!("skipped: there is no python3 on the search path, so the example engine cannot be run");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/conform_engine.py");
    let engine = std::fs::read_to_string(source).unwrap();
    let mutant = engine.replace("if point in attacked_by_foe:", "if False:");
    assert_ne!(engine, mutant);
    let path = folder.path().join("mutant.py");
    std::fs::write(&path, mutant).unwrap();
    let (code, text) = code_and_text(&conform(&format!("python3 '{}'", path.display()), &["--timeout", "60"]));
    assert_eq!(code, 1, "{text}");
    for words in [
        "clause    R12",
        "says      R12: A pod may not be placed on a point",
        "smallest  2 pods in play, 3 points",
        "The rules answer:",
        "The program answers:",
        "○",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
