//! Ctrl-C and SIGTERM: what was found is said, and the exit status says that it is not all.

#![cfg(target_os = "linux")]

use std::process::{Child, Command, Stdio};

/// Starts a command that would go on for hours, and sends a signal as soon as it listens.
fn interrupted(args: &[&str], signal: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pods"));
    let child = command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !listens(&child) {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let ran = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (ran.status.code(), text(ran.stdout), text(ran.stderr))
}

/// Whether a process has handlers of SIGINT and SIGTERM.
fn listens(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = u64::from_str_radix(caught.expect("a process that runs has one").trim(), 16).unwrap();
    let both = 1 << (2 - 1) | 1 << (15 - 1);
    caught & both == both
}

#[test]
fn what_was_found_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set").to_str().unwrap().to_owned();
    let engine = format!("'{}' engine", env!("CARGO_BIN_EXE_pods"));
    let mut signals = ["-INT", "-TERM"].into_iter().cycle();
    for (args, found, said) in [
        (&["perft", "start", "--depth", "9", "--divide"][..], "", " actions counted, with "),
        (
            &["perft", "start", "--depth", "9", "--divide", "--format", "json"],
            "\"nodes\":null",
            " actions counted, with ",
        ),
        (&["crosscheck", "--cases", "1000000000"], "the engines agree so far\n", " of 1000000000 cases"),
        (
            &["frontier", "--ply", "8", "--count", "1000000", "--max-nodes", "1000000000"],
            "board,",
            " of 1000000 positions",
        ),
        (
            &["frontier", "--hands", "12", "--max-plies", "31", "--rules", "advanced", "--count", "1000"],
            "board,",
            " of 1000 positions",
        ),
        (
            &["report", "--full", "--count", "1000000", "--opening-nodes", "0", "--format", "csv"],
            "board,",
            "positions, solved in order\n",
        ),
        (
            &[
                "report",
                "--full",
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
            &["report", "--board", "cave36", "--pods", "pods14", "--threads", "1", "--format", "csv"],
            "board,",
            " of 4 setups have a row\n",
        ),
        (
            &["report", "--board", "cave36", "--pods", "pods14", "--readings", "--format", "csv"],
            "board,",
            " readings have a row\n",
        ),
        (
            &["conform", "--engine", &engine, "--positions", "1000000000"],
            "agrees with the rules so far\n",
            "not all questions were asked\n",
        ),
        (
            &["match", "best --nodes 1000000000000", "random", "--rules", "advanced"],
            "games     0 from 0",
            " of 20 pairs of games\n",
        ),
        (&["oracle", "export", "--out", &set, "--count", "100000"], "", "positions were drawn; there is no new file\n"),
    ] {
        let (code, out, err) = interrupted(args, signals.next().unwrap());
        assert_eq!(code, Some(130), "{args:?} {err}");
        assert!(out.contains(found), "{args:?} {out}");
        assert!(err.starts_with("pods: stopped early: ") && err.contains(said), "{args:?} {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
    assert!(!folder.path().join("set/positions.jsonl").exists());
}
