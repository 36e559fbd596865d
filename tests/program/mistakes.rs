//! Sixty typing mistakes: each answer names the way out, in one line.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::program;

/// Mistaken command lines, each with the words of the line that names the way out; empty where it
/// is understood.
const MISTAKES: [(&str, &str); 67] = [
    ("moves start --json", "`--format json`"),
    ("moves start --board nook9 --json=yes", "`--format json`"),
    ("show --svg", "`--format svg`"),
    ("rules R18 --json", "`--format json`"),
    ("prove start --output x", "`--out FILE`"),
    ("prove start -o x", "`--out FILE`"),
    ("solve start --jobs 4", "`--threads N`"),
    ("solve start -j 4", "`--threads N`"),
    ("solve start --timeout 3", "`--time SECONDS`"),
    ("solve start --nodes 5", "`--max-nodes N`"),
    ("solve start --depth 5", "`--max-plies N`"),
    ("solve start --ram 5GiB", "`--memory SIZE`"),
    ("solve start --rotate 90", "`--orientation DEGREES`"),
    ("solve start --preset advanced", "`--rules NAME`"),
    ("solve start --verbose", "`pods help solve`"),
    ("best start --seed 1", "`pods help best`"),
    ("solve start --max-positions 5", "`--max-positions` is now `--max-nodes`"),
    ("solve start --white-hand b", "`--white-hand` is now `--hands WHITE:BLACK`"),
    ("best start --black-hand b", "`--black-hand` is now `--hands WHITE:BLACK`"),
    ("solve start --checkpoint x", "`pods solve --checkpoint` is now `pods search --checkpoint`"),
    ("solve start --every-action --only b@a1", "`pods solve --only` is now `pods search --every-action --only`"),
    ("best start --player tree", "`pods best --player` is gone"),
    ("report --readings --rules x", "`pods report --readings` is now `pods report readings`"),
    ("compare-rules standard advanced", "`pods compare-rules` is now `pods report readings A B`"),
    ("explain start T@C2 --board nook9 --pods four", ""),
    ("match 'best --nodes 5' random", "`--nodes` is now `--max-nodes`"),
    ("list boards", "`pods list`"),
    ("list options", "`pods list`"),
    ("boards", "`pods list`"),
    ("version", "`pods --version`"),
    ("-v", "`--version`"),
    ("--verison", "'--version'"),
    ("play start", "`pods explore --open`"),
    ("analyse start", "`pods solve`"),
    ("serve", "`pods explore`"),
    ("build x", "`pods table build`"),
    ("slove start", "'solve'"),
    ("table bulid x", "'build'"),
    ("help slove", "'solve'"),
    ("nonsense", "`pods help`"),
    ("moves start --rules advanced captures=never", "`--rules advanced+captures=never`"),
    ("moves start --rules advanced +captures=never", "`--rules advanced+captures=never`"),
    ("moves start --rules advance", "did you mean advanced?"),
    ("moves start --rules Advanced", "did you mean advanced?"),
    ("moves start --rules advanced+capture=never", "did you mean captures?"),
    ("moves start --rules advanced+captures=no", "one of every-turn, after-moves, never"),
    ("moves start --board Cave36", "did you mean cave36?"),
    ("moves start --board four", "four is a set of pods"),
    ("moves start --pods nook9", "nook9 is a board"),
    ("moves start --board nook9 --pods four --hands BDT", ""),
    ("moves start --hands bdt bdt", "`--hands bdt:bdt`"),
    ("moves start --hands b,d,t", "ids are letters a to z"),
    ("explain start B@C2", ""),
    ("explain start 'b@c2 '", ""),
    ("explain start 'b c2'", "write b@c3 to place"),
    ("moves strat", "did you mean `start`?"),
    ("moves START", ""),
    ("moves 6/6/6/6/6/6 w bdt bdt open", "put it in quotes"),
    ("moves ' 3/1B1/2q  w dt\u{a0}bt -' --board nook9 --pods four", ""),
    ("moves '3/1B1/2q w dt bt –' --board nook9 --pods four", ""),
    ("moves '“3/1B1/2q w dt bt −”' --board nook9 --pods four", ""),
    ("moves '3/1B1/2q w dt bt' --board nook9 --pods four", "a position has five fields"),
    ("solve start --board nook9 --pods four --hands bdt --memory 1g", ""),
    ("solve start --memory lots", "KiB, MiB, GiB or TiB"),
    ("solve start --max-nodes 1e6", "as in 1000000"),
    ("perft start 3", "`--depth 3`"),
    ("conform ./engine", "--engine './engine'"),
];

#[test]
fn each_answer_names_the_way_out_in_one_line() {
    for (typed, words) in MISTAKES {
        let arguments = shell_words(typed);
        let ran = program().args(&arguments).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        if words.is_empty() {
            assert!(ran.status.success() && said.is_empty(), "{typed}: {said}");
            continue;
        }
        assert_eq!(ran.status.code(), Some(2), "{typed}: {said}");
        assert!(said.lines().any(|line| line.contains(words)), "{typed}: {said}");
        assert!(said.lines().filter(|line| !line.trim().is_empty()).count() <= 5, "{typed}: {said}");
    }
}

/// Splits a line at blanks outside of plain quotes.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

/// No more of what the caller typed comes back than tells what it was.
#[test]
fn nothing_of_the_caller_is_echoed_beyond_200_characters() {
    let long = "b".repeat(50_000);
    let digits = format!("b{}", "9".repeat(50_000));
    let words = "be ".repeat(20_000);
    for arguments in [
        ["moves", "start", "--hands", &digits],
        ["moves", "start", "--board", &long],
        ["moves", "start", "--pods", &long],
        ["moves", "start", "--rules", &long],
        ["moves", "start", "--rules", &words],
        ["moves", "start", "--board", &words],
        ["moves", &long, "--board", "nook9"],
        ["moves", &words, "--board", "nook9"],
        ["explain", "start", &long, "--reasons"],
        ["explain", "start", &words, "--ascii"],
        ["solve", "start", "--max-nodes", &digits],
        ["solve", "start", &format!("--{long}"), "x"],
        ["rules", &long, "--format", "text"],
        ["table", "probe", &long, "start"],
        ["match", &long, "random", "--ascii"],
        ["check", &long, "--format", "json"],
        ["check", &words, "--board", "nook9"],
    ] {
        let ran = program().args(arguments).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{said:.300}");
        for piece in [&long[..201], &digits[1..202], &words[..201]] {
            assert!(!said.contains(piece), "{} {}: {} bytes", arguments[0], arguments[2], said.len());
        }
        assert!(said.len() < 4_000, "{} bytes", said.len());
    }
}

/// Arguments and paths may be any bytes.
#[cfg(unix)]
#[test]
fn arguments_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join(OsStr::from_bytes(b"board-\xff.toml"));
    let board = program().args(["new", "board", "3x3"]).output().unwrap().stdout;
    std::fs::write(&name, board).unwrap();
    let (out, table) =
        (folder.path().join(OsStr::from_bytes(b"out-\xff")), folder.path().join(OsStr::from_bytes(b"t-\xff")));
    let with = |arguments: &[&str], path: &Path| {
        let mut program = program();
        program.args(arguments).arg(path);
        program
    };
    let good = |program: &mut Command| {
        let ran = program.output().unwrap();
        assert!(ran.status.success(), "{program:?}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    good(&mut with(&["moves", "start", "--pods", "four", "--board"], &name));
    good(&mut with(&["check"], &name));
    good(&mut with(&["check", "--pods", "four", "--board"], &name));
    good(with(&["report", "--winners", "--pods", "four", "--hands", "bt", "--board"], &name).arg("--out").arg(&out));
    good(with(&["table", "build"], &table).args(["--pods", "duo", "--rules", "advanced", "--board"]).arg(&name));
    good(&mut with(&["table", "stats"], &table));
    let odd = OsStr::from_bytes(b"\xff\xfe");
    for before in [&["moves"][..], &["moves", "start", "--rules"], &["nothing"], &[], &["solve", "start"]] {
        let ran = program().args(before).arg(odd).stdin(Stdio::null()).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{before:?} {}", String::from_utf8_lossy(&ran.stderr));
    }
}
