//! The conformance protocol: engines that pass, engines with planted errors, programs that
//! misbehave.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use crate::common::{cannot_run, program};
use pods::engine::{Bitboard, Engine, Reference};
use pods::oracle::conform::misreading::{Misreader, Misreading, Wrong};
use pods::oracle::conform::{Class, Finding, History, Origin, Plan, Probe, Subject, Topic, Verdict, requests, run};
use pods::oracle::peer::{Answers, FaultKind, PeerError, Said};
use pods::oracle::protocol::{Answer, Ask};
use pods::oracle::{Session, serve};
use pods::position::Game;
use pods::rules::{Clause, OPTION_NAMES, Preset, option_values};

/// A conversation in this process.
struct Talk<'a>(Session<'a>);

impl Answers for Talk<'_> {
    fn ask(&mut self, ask: &Ask, _: Option<&AtomicBool>) -> Result<Answer, PeerError> {
        Ok(self.0.answer(ask).unwrap_or_else(|message| Answer::Error { message }))
    }

    fn capabilities(&self) -> &[String] {
        static LARGE: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| vec!["large-counts".to_owned()]);
        &LARGE
    }
}

type Make<'a> = &'a dyn Fn(&Game) -> Box<dyn Engine>;

/// Returns the findings about engines in this process.
fn examine(make: Make<'_>, plan: &Plan) -> Verdict {
    let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> { Ok(Box::new(Talk(Session::new("talk", make)))) };
    run(&mut start, plan, &|_| {}).unwrap().1
}

fn finding(verdict: Verdict) -> Finding {
    match verdict {
        Verdict::Differs(finding) => *finding,
        Verdict::Agrees(tally) | Verdict::Ended(tally) => panic!("not found: {tally:?}"),
    }
}

fn plan(constructed: u64, positions: u64) -> Plan {
    Plan { seed: 3, constructed, positions, presets: Preset::ALL.to_vec(), only_presets: false }
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
        // By random games alone, and by construction.
        for plan in [plan(0, 20_000), plan(5, 0)] {
            let found = finding(examine(&make, &plan));
            assert!(found.diagnosis.clauses.contains(&clause), "{option}={value}: {:?}", found.diagnosis);
            assert_eq!(matches!(found.origin, Origin::Constructed(_)), plan.positions == 0);
            let position = &found.shrunken.difference.position;
            let hands = pods::material::Side::BOTH.map(|side| position.hand(side).len());
            let size = position.pods().count() + hands[0] + hands[1];
            let text = position.display(&found.shrunken.difference.game).to_string();
            assert!(size <= most_pods, "{option}={value}: {size} in {text}");
        }
    }
}

/// Subjects that the protocol cannot ask about: impossible positions, values, openings.
const NOT_ASKED: [Clause; 3] = [Clause::R29, Clause::R33, Clause::R34];

#[test]
fn every_clause_and_every_option_decides_two_hundred_questions() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    let plan = Plan { seed: 1, ..plan(200, 0) };
    let Verdict::Agrees(tally) = examine(&make, &plan) else { panic!("the fast engine differs") };
    for &clause in Clause::ALL {
        let asked = tally.decided.contains_key(&Subject::Clause(clause));
        assert_ne!(asked, NOT_ASKED.contains(&clause), "{clause}");
    }
    for name in OPTION_NAMES {
        for value in option_values(name).unwrap() {
            assert!(tally.decided.contains_key(&Subject::Option(name, value)), "{name}={value}");
        }
    }
    for (subject, decided) in &tally.decided {
        let least = if *subject == Subject::Topic(Topic::LargeCounts) { 20 } else { 200 };
        assert!(decided.questions >= least, "{subject}: {decided:?}");
        // Only where a cut line is the way out of a stuck position does `LinesStay` show: that is rare.
        let least = |misreading| if misreading == Misreading::Of(Wrong::LinesStay) { 8 } else { 20 };
        assert!(decided.misreadings.iter().all(|(&of, &count)| count >= least(of)), "{subject}: {decided:?}");
    }
    for topic in Topic::ALL {
        assert!(tally.topic(topic) > 0, "{topic:?}");
    }
    for most in 1..=7 {
        let chain = &tally.decided[&Subject::Clause(Clause::R22)].misreadings[&Misreading::ChainAtMost(most)];
        assert!(*chain >= 20, "chains of more than {most}: {chain}");
    }
}

#[test]
fn a_preset_alone_has_questions_for_all_that_it_uses() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    for preset in Preset::ALL {
        let plan = Plan { presets: vec![preset], only_presets: true, ..plan(20, 0) };
        let Verdict::Agrees(tally) = examine(&make, &plan) else { panic!("the fast engine differs") };
        assert_eq!(tally.short_of(20), [], "{}", preset.name());
        let asks = |clause| tally.decided.contains_key(&Subject::Clause(clause));
        let (moves, pushes) = (preset.options().moves, preset.options().shoves);
        assert_eq!([Clause::R14, Clause::R15].map(asks), [!moves; 2], "{}", preset.name());
        assert_eq!([Clause::R17, Clause::R18, Clause::R20].map(asks), [moves; 3], "{}", preset.name());
        assert_eq!([Clause::R22, Clause::R24, Clause::R28].map(asks), [pushes; 3], "{}", preset.name());
        assert_eq!(tally.rule_sets.iter().map(String::as_str).collect::<Vec<_>>(), [preset.name()]);
    }
}

#[test]
fn without_a_misreading_the_misreader_reads_the_rules_as_they_are() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Misreader::new(game.clone(), None)) };
    if let Verdict::Differs(found) = examine(&make, &plan(20, 3000)) {
        panic!("{:?} {:?}", found.diagnosis, requests(&found));
    }
}

#[test]
fn every_misreading_is_found_and_its_clause_named() {
    for misreading in Misreading::all() {
        let make = |game: &Game| -> Box<dyn Engine> { Box::new(Misreader::new(game.clone(), Some(misreading))) };
        let found = finding(examine(&make, &plan(1, 0)));
        if found.history.is_none() {
            assert!(found.diagnosis.clauses.contains(&misreading.clause()), "{misreading}: {:?}", found.diagnosis);
        }
        let counts_plies = matches!(misreading, Misreading::LongGame(_) | Misreading::Of(Wrong::Repetition));
        assert_eq!(found.history.is_some(), counts_plies, "{misreading}: {:?}", found.diagnosis);
    }
}

#[test]
fn a_refusal_is_a_difference() {
    struct Refuses(u64);
    impl Answers for Refuses {
        fn ask(&mut self, _: &Ask, _: Option<&AtomicBool>) -> Result<Answer, PeerError> {
            self.0 += 1;
            Ok(if self.0 == 1 { Answer::Ok } else { Answer::error("no idea") })
        }
    }
    let mut start = || -> Result<Box<dyn Answers>, PeerError> { Ok(Box::new(Refuses(0))) };
    let found = finding(run(&mut start, &plan(0, 10), &|_| {}).unwrap().1);
    assert_eq!(found.diagnosis.class, Class::Refusal);
    assert!(found.diagnosis.why.contains("\"no idea\""), "{}", found.diagnosis.why);
}

/// Fails at boards of more points than these: with an error, or by ending.
struct Small<'a> {
    talk: Talk<'a>,
    most: usize,
    ends: bool,
}

impl Answers for Small<'_> {
    fn ask(&mut self, ask: &Ask, interrupt: Option<&AtomicBool>) -> Result<Answer, PeerError> {
        match ask {
            Ask::Game(game) if game.board.points.len() > self.most && self.ends => Err(PeerError::Died {
                status: "exit status: 3".to_owned(),
                request: "the game".to_owned(),
                said: Said::default(),
            }),
            Ask::Game(game) if game.board.points.len() > self.most => Ok(Answer::error("too many points")),
            ask => self.talk.ask(ask, interrupt),
        }
    }
}

#[test]
fn a_game_that_is_refused_or_that_ends_the_program_is_shrunk() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    for (ends, class) in [(false, Class::GameRefused), (true, Class::Fault(FaultKind::Died))] {
        let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> {
            Ok(Box::new(Small { talk: Talk(Session::new("small", &make)), most: 11, ends }))
        };
        let found = finding(run(&mut start, &plan(20, 0), &|_| {}).unwrap().1);
        assert_eq!((found.diagnosis.class, found.history.is_none()), (class, true));
        let difference = &found.shrunken.difference;
        assert_eq!((difference.probe, difference.game.board().len()), (Probe::Game, 12));
        assert_eq!(difference.position.pods().count(), 0);
        let requests = requests(&found);
        assert!(matches!(&requests[..], [request] if matches!(request.ask, Ask::Game(_))), "{requests:?}");
    }
}

#[test]
fn what_a_program_keeps_between_requests_is_told_from_its_rules() {
    /// Remembers the legal actions of positions by their text, whatever the game.
    struct Remembers<'a>(Talk<'a>, HashMap<String, Answer>);
    impl Answers for Remembers<'_> {
        fn ask(&mut self, ask: &Ask, interrupt: Option<&AtomicBool>) -> Result<Answer, PeerError> {
            let Ask::Moves { position } = ask else { return self.0.ask(ask, interrupt) };
            if let Some(known) = self.1.get(position) {
                return Ok(known.clone());
            }
            let answer = self.0.ask(ask, interrupt)?;
            self.1.insert(position.clone(), answer.clone());
            Ok(answer)
        }
    }
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> {
        Ok(Box::new(Remembers(Talk(Session::new("remembers", &make)), HashMap::new())))
    };
    let found = finding(run(&mut start, &plan(200, 0), &|_| {}).unwrap().1);
    assert_eq!((found.diagnosis.class, &found.diagnosis.clauses[..]), (Class::Kept, &[][..]));
    let Some(History { requests: Some(asks) }) = &found.history else { panic!("{:?}", found.history) };
    // One game, the same position of another one, and the question again.
    assert!(matches!(&asks[..], [Ask::Game(_), Ask::Moves { .. }, Ask::Game(_), Ask::Moves { .. }]), "{asks:?}");
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
            r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"test","capabilities":["large-counts","best"]}"#,
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
        (
            r#"{"id":6,"type":"best","position":"2/2 w b b open","milliseconds":200}"#,
            r#"{"id":6,"type":"best","action":"b@a1"}"#,
        ),
        (r#"{"id":6,"type":"best","position":"2/B1 b - b -"}"#, r#"{"id":6,"type":"best","action":null}"#),
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
    program().args(["conform", "--engine", engine]).args(more).output().unwrap()
}

fn code_and_text(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn a_line_that_is_not_utf_8_is_answered_and_the_conversation_goes_on() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Reference::new(game.clone())) };
    let input = b"{\"id\":1,\"type\":\"hello\xff\"}\n\r\n{\"id\":2,\"type\":\"quit\"}\n";
    let mut out = Vec::new();
    serve(&mut Session::new("test", &make), &mut &input[..], &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("{\"id\":null,\"type\":\"error\"") && lines[0].contains("not UTF-8"), "{out}");
    assert_eq!(lines[1..], ["{\"id\":2,\"type\":\"ok\"}"]);
}

/// Returns our own fast engine as a command.
fn fast() -> String {
    format!("'{}' engine --engine fast", env!("CARGO_BIN_EXE_pods"))
}

#[test]
fn the_fast_engine_passes_over_pipes() {
    let (code, text) = code_and_text(&conform(&fast(), &["--positions", "400", "--seed", "11", "--constructed", "20"]));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("agrees with the rules") && text.contains("  R18 "), "{text}");
    assert!(text.contains("kick-gaps=last-step") && text.contains("perft beyond 2^32"), "{text}");
}

#[test]
fn what_was_not_asked_is_not_said_to_agree() {
    let (code, text) = code_and_text(&conform(&fast(), &["--positions", "0", "--constructed", "1"]));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("no random game was asked about") && !text.contains("agrees"), "{text}");
    let (code, text) = code_and_text(&conform(&fast(), &["--positions", "0", "--constructed", "0"]));
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("nothing would be asked"), "{text}");
}

#[test]
fn the_rule_sets_of_chosen_presets_are_named() {
    let more = ["--presets", "standard", "--positions", "300", "--constructed", "0"];
    let (code, text) = code_and_text(&conform(&fast(), &more));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("rules      standard, standard+opening=any\n"), "{text}");
}

/// Runs an engine that starts a sleeper so, and waits until nobody holds the sleeper's output open.
#[cfg(unix)]
fn sleeper_ends(start: &str) {
    use std::io::Read as _;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let engine = format!("sh -c \"{start} sleep 3000 > '{}' & exec {}\"", pipe.display(), fast());
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::fs::File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
        text
    });
    let (code, text) = code_and_text(&conform(&engine, &["--positions", "10", "--constructed", "0"]));
    assert_eq!(code, 0, "{text}");
    assert_eq!(reader.join().unwrap(), "");
}

#[cfg(unix)]
#[test]
fn what_a_program_has_started_ends_with_it() {
    sleeper_ends("");
}

#[cfg(target_os = "linux")]
#[test]
fn what_has_left_the_process_group_of_a_program_ends_with_it() {
    sleeper_ends("setsid");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_run_and_the_program_at_once() {
    if !python() {
        cannot_run("python3", "the program that hangs is in Python");
        return;
    }
    let hello = r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"slow"}"#;
    let ok = r#"{"id":1,"type":"ok"}"#;
    let folder = tempfile::tempdir().unwrap();
    let (script, asked) = (folder.path().join("slow.py"), folder.path().join("asked"));
    // It hangs at the first question, at the hello, or while a difference is looked into.
    for (hangs, note) in
        [("2", "not all questions were asked"), ("0", "the run was ended early"), ("3", "not looked into")]
    {
        let code = format!(
            "import os, sys, time\nfor i, line in enumerate(sys.stdin):\n    if i == {hangs} or os.path.exists({asked:?}):\n        \
             open({asked:?}, 'w').write(str(os.getpid()))\n        time.sleep(600)\n    \
             if i == 2:\n        open({asked:?}, 'w').write('')\n    print(['{hello}', '{ok}', '{{}}'][i], flush=True)\n"
        );
        std::fs::write(&script, code).unwrap();
        let _ = std::fs::remove_file(&asked);
        let engine = format!("python3 '{}'", script.display());
        let child = program()
            .args(["conform", "--engine", &engine, "--timeout", "600"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let engine_id = loop {
            match std::fs::read_to_string(&asked) {
                Ok(id) if !id.is_empty() => break id,
                _ => std::thread::yield_now(),
            }
        };
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        let (code, text) = code_and_text(&child.wait_with_output().unwrap());
        // Well before it would answer.
        assert!(code == 130 && text.contains(note), "{hangs}: {code}: {text}");
        let state = std::fs::read_to_string(format!("/proc/{engine_id}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z"), "{hangs}: the program goes on: {state}");
    }
}

#[test]
fn traps_of_the_rules_are_named_right_at_first_place() {
    if !python() {
        cannot_run("python3", "the traps are planted in a Python program");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/mutate_conform.py");
    let mut command = Command::new("python3");
    command.arg("-B").arg(script).args(["--traps", "--only", "1,3,6,21", "--pods", env!("CARGO_BIN_EXE_pods")]);
    let (code, text) = code_and_text(&command.output().unwrap());
    assert!(code == 0 && text.contains("4 of 4 named rightly"), "{text}");
}

#[cfg(unix)]
#[test]
fn what_a_program_writes_does_not_steer_the_terminal() {
    let hello = r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"\u001b[31mred"}"#;
    let engine = format!("sh -c 'read line; printf \"%s\\n\" \"$0\"; printf \"\\033[2Jwiped\" >&2; exit 3' '{hello}'");
    let (code, text) = code_and_text(&conform(&engine, &["--positions", "10"]));
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("\\u001b[31mred") && text.contains("\\u001b[2Jwiped") && !text.contains('\u{1b}'), "{text}");
    // The request that it died of, to send again.
    assert!(text.contains("{\"id\":1,\"type\":\"game\""), "{text}");
}

/// Returns `true` if there is Python on the search path. In a CI run there must be.
fn python() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder: PathBuf| folder.join("python3").is_file());
    assert!(found || std::env::var_os("CI").is_none(), "there is no python3 on the search path of a CI run");
    found
}

fn script(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name);
    format!("python3 '{}'", path.display())
}

#[test]
fn the_python_engine_passes_on_all_presets() {
    if !python() {
        cannot_run("python3", "the example engine is a Python program");
        return;
    }
    let engine = script("conform_engine.py");
    for preset in Preset::ALL {
        let name = preset.name();
        let more = ["--positions", "150", "--constructed", "5", "--seed", "21", "--timeout", "60", "--presets", name];
        let (code, text) = code_and_text(&conform(&engine, &more));
        assert_eq!(code, 0, "{}: {text}", preset.name());
    }
    let more = ["--positions", "500", "--constructed", "20", "--seed", "22", "--timeout", "60"];
    let (code, text) = code_and_text(&conform(&engine, &more));
    assert_eq!(code, 0, "{text}");
}

#[test]
fn the_python_engine_passes_its_own_tests() {
    if !python() {
        cannot_run("python3", "the example engine is a Python program");
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
    let mut child =
        program().arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
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
    if !python() {
        cannot_run("python3", "the programs that misbehave are in Python");
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
    if !python() {
        cannot_run("python3", "the example engine is a Python program");
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
