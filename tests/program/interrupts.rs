//! Ctrl-C and SIGTERM: what was found is said, and the exit status says that it is not all.

#![cfg(target_os = "linux")]

use crate::common::{program, wait_a_moment};
use crate::run::commands_of;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the program with no signal ignored: whoever runs the tests by `nohup` has SIGHUP
/// ignored, and the program leaves it so.
fn listener() -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal", env!("CARGO_BIN_EXE_pods")]);
    command
}

/// Starts a command that would go on for minutes or hours, and sends a signal once it listens:
/// before that a signal ends the program, which then says nothing, and is started again. So is one
/// whose engine has not yet said its name, and one that is not yet where it finds what is wanted.
fn interrupted(args: &[&str], signal: &str, wanted: &str) -> (Option<i32>, String, String) {
    let mut said = None;
    for patience in 0..24 {
        let mut command = listener();
        let child =
            command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        await_handlers(&child);
        (0..1_u64 << patience).for_each(|_| std::thread::yield_now());
        send(signal, &child);
        let ran = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (code, out, err) = (ran.status.code(), text(ran.stdout), text(ran.stderr));
        let early = ["", "pods: stopped early: the run was ended early\n"].contains(&&*err);
        if code != Some(130) || (!early && out.contains(wanted)) {
            return (code, out, err);
        }
        said = Some((out, err));
    }
    panic!("{args:?} never said {wanted:?} but {said:?}");
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until a process has handlers of SIGHUP, SIGINT and SIGTERM.
fn await_handlers(child: &Child) {
    let all = 1 | 1 << (2 - 1) | 1 << (15 - 1);
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(300) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.expect("a process that runs has one").trim(), 16).unwrap();
        if caught & all == all {
            return;
        }
        wait_a_moment();
    }
    panic!("no handlers of signals");
}

#[test]
fn what_was_found_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set").to_str().unwrap().to_owned();
    let [proof, table] = ["proof", "table"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let engine = format!("'{}' engine", env!("CARGO_BIN_EXE_pods"));
    let mut signals = ["-INT", "-TERM", "-HUP"].into_iter().cycle();
    for (args, found, said) in [
        (&["perft", "start", "--depth", "9", "--divide"][..], "", " actions counted, with "),
        (
            &["perft", "start", "--depth", "9", "--divide", "--format", "json"],
            "\"nodes\":null",
            " actions counted, with ",
        ),
        (&["crosscheck", "--cases", "1000000000"], "the engines agree so far\n", " of 1000000000 cases"),
        (
            &[
                "report",
                "play",
                "--rules",
                "advanced",
                "--count",
                "90000",
                "--format",
                "csv",
                "--strength",
                "1000000000000",
            ],
            "",
            " played",
        ),
        (
            &["report", "--board", "cave36", "--pods", "pods14", "--threads", "1", "--format", "csv", "--time", "9999"],
            "board,",
            "; who is favoured by play: pods report play --board cave36 --pods pods14 --rules \
             standard --format text\n",
        ),
        (
            &["report", "readings", "--board", "cave36", "--pods", "pods14", "--format", "csv"],
            "board,",
            " readings have a row\n",
        ),
        (
            &["conform", "--engine", &engine, "--positions", "1000000000"],
            "agrees with the rules so far\n",
            "not all questions were asked\n",
        ),
        (
            &["match", "best --max-nodes 1000000000000", "random", "--rules", "advanced"],
            "games     0 from 0",
            " of 20 pairs of games\n",
        ),
        (&["match", "random", "random", "--pairs", "1000000"], "", " of 1000000 openings were drawn\n"),
        (
            &["solve", "start", "--method", "search"],
            "value     unknown: interrupted\n",
            "the answer has what was known by then\n",
        ),
        (&["best", "start", "--time", "9999"], "action    ", "the answer has what was known by then\n"),
        (&["prove", "start", "--method", "search", "--out", &proof], "", "there is no answer yet\n"),
        (
            &["table", "build", &table, "--board", "cave25", "--pods", "four", "--rules", "very-advanced", "--plain"],
            "",
            "the same command",
        ),
        (
            &["report", "readings", "advanced", "advanced-dutch", "--board", "cave36", "--pods", "pods14"],
            "the game, with White",
            " of 4 setups are compared\n",
        ),
        (&["oracle", "export", "--out", &set, "--count", "100000"], "", "positions were drawn; there is no new file\n"),
    ] {
        let (code, out, err) = interrupted(args, signals.next().unwrap(), found);
        assert_eq!(code, Some(130), "{args:?} {err} {out}");
        assert!(err.starts_with("pods: stopped early: ") && err.contains(said), "{args:?} {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
    assert!(!folder.path().join("set/positions.jsonl").exists());
}

/// Returns the commands that `pods help` names, with those below them.
fn commands(above: &[String]) -> Vec<Vec<String>> {
    let ran = program().args(above).arg("--help").output().unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    let below = commands_of(&text).into_iter().flat_map(|name| commands(&[above, &[name]].concat()));
    let below: Vec<Vec<String>> = below.collect();
    if below.is_empty() { vec![above.to_vec()] } else { below }
}

/// Starts a command whose output nobody reads yet, so that it cannot end before the signal.
fn blocked(args: &[String]) -> (Child, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    while (&theirs).write(&[b' '; 512]).is_ok() {}
    while (&theirs).write(b" ").is_ok() {}
    theirs.set_nonblocking(false).unwrap();
    let mut command = listener();
    let (out, err) = (theirs.try_clone().unwrap(), theirs);
    let ends = [out, err].map(|end| Stdio::from(OwnedFd::from(end)));
    let [out, err] = ends;
    (command.args(args).stdin(Stdio::piped()).stdout(out).stderr(err).spawn().unwrap(), ours)
}

#[test]
fn a_signal_ends_every_command_with_130_from_its_first_instruction_on() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let small = ["--board", "ring8", "--pods", "duo", "--rules", "advanced"];
    let ran = program().args(["table", "build", &name("small")]).args(small).output();
    assert_eq!(ran.unwrap().status.code(), Some(0));
    let (file, small) = (name("file"), name("small"));
    let mut walked = 0;
    for words in commands(&[]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let rest: &[&str] = match words[..] {
            ["check"] => &["cave36", "pods14"],
            ["new"] => &["board", "3x3"],
            ["moves" | "explain" | "solve" | "search" | "best"] => &["start"],
            ["match"] => &["random", "random"],
            ["replay"] => &["/dev/stdin"],
            ["prove"] => &["start", "--out", &file],
            ["check-proof"] => &["-"],
            ["perft"] => &["start", "--depth", "9"],
            ["conform"] => &["--engine", "cat"],
            ["completions"] => &["bash"],
            ["man"] => &[&file],
            ["explore"] => &["--port", "0"],
            ["oracle", "export"] => &["--out", &file],
            ["oracle", "check"] => &["/dev/null"],
            ["table", "build"] => &[&file],
            ["table", "probe"] => &[&small, "start"],
            ["table", "verify" | "stats" | "export"] => &[&small],
            _ => &[],
        };
        let args: Vec<String> = words.iter().chain(rest).map(|&word| word.to_owned()).collect();
        for signal in ["-INT", "-HUP"] {
            let (mut child, ours) = blocked(&args);
            await_handlers(&child);
            send(signal, &child);
            let mut said = Vec::new();
            (&ours).read_to_end(&mut said).unwrap();
            let code = child.wait().unwrap().code();
            let said = String::from_utf8_lossy(&said);
            assert_eq!(code, Some(130), "{args:?} {signal}: {}", said.trim_start());
            walked += 1;
        }
    }
    assert!(walked > 60, "{walked}");
}

#[test]
fn a_second_signal_at_once_is_the_same_request() {
    // As `timeout` sends them: to the process, then to its group.
    let (code, out, err) = interrupted(&["solve", "start", "--method", "search"], "-TERM", "");
    assert_eq!(code, Some(130), "{err}");
    assert!(out.contains("value     unknown"), "{out}");
    let mut told = 0;
    for _ in 0..5 {
        let mut command = listener();
        command.args(["solve", "start", "--method", "search"]).stdin(Stdio::null());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(2));
        let twice = ["-c", "kill -TERM $0; kill -TERM $0; kill -HUP $0", &child.id().to_string()];
        assert!(Command::new("sh").args(twice).status().unwrap().success());
        let ran = child.wait_with_output().unwrap();
        assert_eq!(ran.status.code(), Some(130));
        told += usize::from(String::from_utf8_lossy(&ran.stdout).contains("value     unknown"));
    }
    assert_eq!(told, 5, "answers");
}

#[test]
fn a_small_stack_and_a_closed_output_are_no_accidents() {
    let shell = |script: &str| {
        let ran = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_pods")]).output().unwrap();
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    for stack in [100, 300, 1_000] {
        let (code, err) = shell(&format!("ulimit -s {stack}; exec \"$0\" --version"));
        assert_eq!(code, Some(0), "{stack}: {err}");
    }
    for command in ["--version", "help solve", "list", "moves start", "solve start --max-nodes 10", "rules R9"] {
        let (code, err) = shell(&format!("exec \"$0\" {command} >&-"));
        assert_eq!(code, Some(2), "{command}: {err}");
        assert!(err.contains("standard output cannot be written: it is closed"), "{command}: {err}");
    }
}
