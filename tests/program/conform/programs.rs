//! `pods conform` as a command: programs that pass, programs that misbehave, and our own engine as a
//! program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{cannot_run, program, wait_a_moment};
use pods::rules::Preset;

fn conform(engine: &str, more: &[&str]) -> Output {
    program().args(["conform", "--engine", engine]).args(more).output().unwrap()
}

fn code_and_text(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
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
    let hello =
        r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"slow","capabilities":["best"]}"#;
    let ok = r#"{"id":1,"type":"ok"}"#;
    let folder = tempfile::tempdir().unwrap();
    let (script, asked) = (folder.path().join("slow.py"), folder.path().join("asked"));
    // It hangs at the first question, at the hello, while a difference is looked into, in a game.
    for (hangs, is_match, note) in [
        ("2", false, "not all questions were asked"),
        ("0", false, "the run was ended early"),
        ("3", false, "not looked into"),
        ("2", true, "the result is of 0 of 20 pairs"),
    ] {
        let code = format!(
            "import os, sys, time\nfor i, line in enumerate(sys.stdin):\n    if i == {hangs} or os.path.exists({asked:?}):\n        \
             open({asked:?}, 'w').write(str(os.getpid()))\n        time.sleep(600)\n    \
             if i == 2:\n        open({asked:?}, 'w').write('')\n    print(['{hello}', '{ok}', '{{}}'][i], flush=True)\n"
        );
        std::fs::write(&script, code).unwrap();
        let _ = std::fs::remove_file(&asked);
        let engine = format!("python3 '{}'", script.display());
        let player = format!("program --max-nodes 9 {engine}");
        let what = if is_match { ["match", "random", &player] } else { ["conform", "--engine", &engine] };
        let child = program()
            .args(what)
            .args(["--timeout", "600"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let engine_id = loop {
            match std::fs::read_to_string(&asked) {
                Ok(id) if !id.is_empty() => break id,
                _ => wait_a_moment(),
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
        let more = ["--positions", "70", "--constructed", "5", "--seed", "21", "--timeout", "60", "--presets", name];
        let (code, text) = code_and_text(&conform(&engine, &more));
        assert_eq!(code, 0, "{}: {text}", preset.name());
    }
    let more = ["--positions", "250", "--constructed", "10", "--seed", "22", "--timeout", "60"];
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
