//! The program as its users see it: answers, messages, exit codes, streams.

use crate::common::program;
use std::io::{BufRead as _, BufReader, Write as _};

use crate::run::{answer, commands_of, run, spawn};
use pods::rules::{OPTION_NAMES, option_values};

const NOOK: [&str; 4] = ["--board", "nook9", "--pods", "duo"];

/// Runs a command on nook9 with the pods of duo.
#[track_caller]
fn nook(args: &[&str]) -> String {
    answer(&[args, &NOOK].concat(), "")
}

#[test]
fn a_setup_is_drawn_with_its_sources() {
    let expected = "\
board nook9, orientation 90
  made for this project as a small test board; no printed model

3  ○───○───○
   │ ╳   ╲ │
2  ○───○   ○
   │   │ ╱ │
1  ○   ○───○

   a   b   c

pods duo
  made for this project as a small test set; no printed model

                  ↑
⇐ B               T ⇒
  ↓             ↙
bipod s-W       tripod n-E-sw

→ short leg   ⇒ long leg
";
    assert_eq!(nook(&["show", "--orientation", "90"]), expected);
    assert!(answer(&["show"], "").contains("NOT the printed board"));
    assert!(answer(&["show", "--pods-only"], "").contains("NOT the legs of the printed pods"));
    assert!(!nook(&["show", "--no-pods"]).contains("duo"));
    assert!(answer(&["show", "start", "--ascii"], "").is_ascii());
}

#[test]
fn a_position_is_drawn_with_attacks_and_legs() {
    let expected = "\
board nook9, orientation 0
  made for this project as a small test board; no printed model
pods duo
  made for this project as a small test set; no printed model
rules advanced

Black's hand: b

3  ^---B---.
   | /   \\ |
2  .   !---t
   | X |
1  .---.---.

   a   b   c

White's hand: t   to move

. empty   ^ attacked by White   ! by Black   # by both
B White's pod   b Black's pod   B! b^ attacked pods

White's pods, as they lie on the board

          |
* B       T *
  |     /

Black's pods, as they lie on the board

  |         /
  b *   * t
          |

- | / \\ short leg   * long leg
";
    let args = ["show", "1B1/2t/3 w t b -", "--ascii", "--rules", "advanced"];
    assert_eq!(nook(&args), expected);
    let bare = nook(&[&args[..], &["--no-attacks", "--no-pods"]].concat());
    assert!(bare.contains(".---B---.") && !bare.contains("legs") && !bare.contains('!'), "{bare}");
    let two = answer(&[&["show", "-", "--no-pods"], &NOOK[..]].concat(), "start\nstart\n");
    assert_eq!(two.matches("3  ○───○───○\n").count(), 2, "{two}");
}

#[test]
fn moves_are_listed_in_three_formats() {
    let advanced = ["1B1/2t/3 w t b -", "--rules", "advanced"];
    let moves = |format| nook(&[&["moves"], &advanced[..], &["--format", format]].concat());
    let text = "\
ongoing, White to move, 7 actions
b3-a3
t@a1   White wins
t@a2   White wins
t@a3   b t back to hand
t@b1   White wins
t@c1   t back to hand
t@c3   t back to hand
";
    assert_eq!(moves("text"), text);
    let csv = "\
action,position,returned,removed
b3-a3,B2/2t/3 b t b -,,
t@a1,1B1/2t/T2 b - b -,,
t@a2,1B1/T1t/3 b - b -,,
t@a3,3/2t/3 b bt b -,bt,
t@b1,1B1/2t/1T1 b - b -,,
t@c1,1B1/2t/3 b t b -,t,
t@c3,1B1/2t/3 b t b -,t,
";
    assert_eq!(moves("csv"), csv);
    let json = r#"{"position":"1B1/2t/3 w t b -","status":"ongoing","actions":[{"action":"b3-a3","position":"B2/2t/3 b t b -","returned":[],"removed":[]},"#;
    assert!(moves("json").starts_with(json), "{}", moves("json"));
    assert!(moves("json").contains(r#""returned":["b","t"],"removed":[]}"#));
    let over = r#"{"position":"3/B1b/T2 w - t -","status":"white_won","actions":[]}"#;
    let args = ["moves", "3/B1b/T2 w - t -", "--rules", "basic-author"];
    assert_eq!(nook(&[&args[..], &["--format", "json"]].concat()), format!("{over}\n"));
    assert_eq!(nook(&args), "white_won\n");
}

#[test]
fn legal_and_illegal_actions_are_explained() {
    let explain = |position, action, rules| nook(&["explain", position, action, "--rules", rules]);
    let taken = "\
t@a3 is legal: White places t on a3 (R10)
blocked, so taken off: White's b t, back to hand (R18)
White's t on a3 has no liberty: n meets no point, E meets White's pod b on b3, sw meets no point; back to hand (R7, R18)
White's b on b3 has no liberty: s has no line to b2, W meets White's pod t on a3; back to hand (R7, R18)
position: 3/2t/3 b bt b -
Black is to move
t@a3 loses in 2 plies (sweeps)

R10  To place is to put a pod from the hand on an empty point.
R18  After an action that the option `captures` names, all blocked pods on the
     board are taken off at the same time, whoever owns them and including the
     pod that acted; the mover's own return to the mover's hand, the opponent's
     leave the game for good.
R7   A liberty of a pod is an empty, connected, directly adjacent point in the
     direction of one of its legs, long or short; a pod that has none is
     blocked.
more: pods rules R10 R18 R7
";
    assert_eq!(explain("1B1/2t/3 w t b -", "t@a3", "advanced"), taken);
    let won = "\
t@a1 is legal: White places t on a1 (R10)
position: 1B1/2t/T2 b - b -
White wins: White's hand is empty (R19)

R10  To place is to put a pod from the hand on an empty point.
R19  In the Advanced game a player whose hand is empty at the end of the
     player's own turn, when captures are done, has won.
more: pods rules R10 R19
";
    assert_eq!(explain("1B1/2t/3 w t b -", "t@a1", "advanced"), won);
    assert!(
        explain("B2/3/3 w t t -", "t@c2", "basic-author").contains("White wins: White's hand is empty (R16)\n\nR10")
    );
    assert!(
        explain("B2/3/3 w t - -", "t@c2", "standard").contains("Black has nothing left to place (R15, R16)\n\nR10")
    );
    let illegal = "b@a1 is illegal by R13: it would have no liberty: s meets no point, W meets no point\n";
    let sentence = "\
\nR13  Where `placement-liberty` is on, a pod may not be placed on a point where
     it would be blocked.
more: pods rules R13
";
    assert_eq!(explain("start", "b@a1", "standard"), format!("{illegal}{sentence}"));
    let json = nook(&["explain", "start", "t@a2", "--format", "json"]);
    assert_eq!(
        json,
        r#"{"position":"3/3/3 w bt bt open","action":"t@a2","legal":false,"clause":"R9","explanation":["t@a2 is illegal by R9: the first action must place a bipod, a pod with exactly two legs"],"clauses":[{"clause":"R9","sentence":"White's first action of the game has to be the placement of a bipod, a pod with exactly two legs."}]}"#
            .to_owned()
            + "\n"
    );
    let args = [&["explain", "-"], &NOOK[..]].concat();
    assert_eq!(
        answer(&args, "start b@a2\nstart b@a1\n"),
        format!("b@a2 is legal: White places b on a2 (R10); position: 3/B2/3 b t bt -; Black is to move\n{illegal}")
    );
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(nook(&["perft", "start", "--depth", "0"]), "1\n");
    assert_eq!(nook(&["perft", "start", "--depth", "1"]), "8\n");
    // Counts are remembered, as `pods engine` does, and beyond 2^64 that is said.
    let lane = ["perft", "start", "--board", "lane8", "--pods", "duo", "--rules", "advanced", "--depth"];
    assert_eq!(answer(&[&lane[..], &["20"]].concat(), ""), "488500742938612\n");
    assert_eq!(answer(&[&lane[..], &["200"]].concat(), ""), "2^64 or more\n");
    let divided = answer(&[&lane[..], &["200", "--divide", "--format", "json"]].concat(), "");
    assert!(divided.contains("\"nodes\":\"2^64 or more\",\"divide\":[{"), "{divided}");
    assert_eq!(nook(&["perft", "1B1/2t/T2 b - b -", "--depth", "1", "--rules", "advanced"]), "0\n");
    let divided = "b@a2 11\nb@a3 10\nb@b1 10\nb@b2 10\nb@b3 10\nb@c1 11\nb@c2 11\nb@c3 9\ntotal 82\n";
    let args = ["perft", "start", "--depth", "2"];
    assert_eq!(nook(&[&args[..], &["--divide"]].concat()), divided);
    assert_eq!(
        nook(&[&args[..], &["--format", "json"]].concat()),
        "{\"position\":\"3/3/3 w bt bt open\",\"depth\":2,\"nodes\":82}\n"
    );
    assert_eq!(nook(&[&args[..], &["--format", "csv"]].concat()), "position,depth,nodes\n3/3/3 w bt bt open,2,82\n");
    assert!(nook(&[&args[..], &["--divide", "--format", "csv"]].concat()).starts_with("action,nodes\nb@a2,11\n"));
}

#[test]
fn the_list_names_what_is_built_in() {
    let (text, json) = (answer(&["list"], ""), answer(&["list", "--format", "json"], ""));
    let options = OPTION_NAMES.iter().flat_map(|name| std::iter::once(name).chain(option_values(name).unwrap()));
    for name in ["cave36", "pods14", "nook9", "very-advanced"].iter().chain(options) {
        assert!(text.contains(name) && json.contains(name), "{name}");
    }
    let list: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(list["rules"][2]["options"]["placement-liberty"], "off");
}

#[test]
fn wrong_input_ends_with_2_and_one_clear_message() {
    let empty = "6/6/6/6/6/6 w b b open";
    for (args, words) in [
        (
            &["moves", "start", "--board", "nope"][..],
            "--board: nope: neither a file nor a built-in board; built in are:",
        ),
        (&["moves", "start", "--pods", "nope"], "--pods: nope: neither a file nor a built-in pod set"),
        (&["moves", "start", "--rules", "standart"], "presets are standard, basic-author"),
        (&["moves", "start", "--rules", "standard+opening=x"], "opening cannot be \"x\": it is one of bipod, any"),
        (&["moves", "start", "--orientation", "45"], "[possible values: 0, 90, 180, 270]"),
        (&["moves", "start", "--hands", "zt:"], "--hands: the pod set pods14 has no pod z"),
        (&["moves", "start", "--hands", ":x"], "--hands: the pod set pods14 has no pod x"),
        (&["moves", "start", "--hands", ":b2"], "Black is given 2 of pod 'b'"),
        (&["moves", "start", "--hands", "t:"], "White must open with a bipod (R9)"),
        (&["moves", "6/6/6/6/6/6 w b b opn"], "position text, column 19: the last field is open or -"),
        (
            &["moves", "6/6/6/6/6 w b b -"],
            "the position has 5 rows of 6 places, the board cave36 has 6 of 6: name the board and pods that it belongs to (R29)",
        ),
        (&["moves", "6/6/6/6/6/5 w b b -"], "row 1 has 5 columns, the board 6 (R29)"),
        (&["moves", "6/6/6", "w", "b", "b", "-"], "put it in quotes"),
        (&["solve", "start", "--max-nodes", "1e6"], "'--max-nodes <N>': write a whole number, as in 1000000\n"),
        (&["solve", "start", "--time", "abc"], "write a number of seconds, as in 60 or 0.5"),
        (&["explore", "--port", "70000"], "it must be from 0 to 65535\n"),
        (&["crosscheck", "--cases", "0"], "it must be at least 1\n"),
        (&["help", "slove"], "a similar subcommand exists: 'solve'"),
        (&["match", "random", "program ./x", "--pairs", "1"], "as in 'program --time 0.2 ./my-engine'"),
        (&["check-proof", "nothing.proof"], "nothing.proof: cannot be read: No such file"),
        (&["moves", "-", "--format", "csv"], "with - use --format json"),
        (&["moves", "start", "--engine", "quick"], "[possible values: "),
        (&["explain", "start", "b@a1", "--format", "csv"], "use text or json"),
        (&["explain", "start", "b@a1", "--reasons"], "cannot be used with"),
        (&["explain", "-", "b@a1"], "the actions stand on standard input"),
        (&["explain", empty, "b@@a1"], "\"b@@a1\" is no action: write b@c3 to place"),
        (&["explain", empty, "b@g1"], "g1 is no point of the board (R1)"),
        (&["explain", empty, "x@a1"], "has no pod x (R3)"),
        (&["perft", "start"], "--depth <N>"),
        (&["perft", "start", "--depth", "-1"], "'-1'"),
        (&["perft", "start", "--depth", "0", "--divide"], "--depth 0"),
        (&["perft", "-", "--depth", "1", "--divide"], "--format json"),
        (&["show", "start", "--pods-only"], "cannot be used with"),
        (&["moves", "help"], "For help, type: pods help moves\n"),
        (&["table", "build", "t/"], "it names a folder: put the name of the table behind it, as in t/small"),
        (&["table", "build", "t", "--threads", "1000000"], "at least 1 and at most 256"),
        (&["check-proof", "/dev/null", "--threads", "257"], "at least 1 and at most 256"),
        (&["solve", "start", "--threads", "0"], "at least 1 and at most 256"),
        (&["solve", "start", "--memory", "1PiB"], "KiB, MiB, GiB or TiB"),
        (&["check"], "<FILE>..."),
        (&["completions", "cobol"], "[possible values: bash"),
        (&["frobnicate"], "unrecognized subcommand"),
    ] {
        let ran = run(args, b"");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.starts_with("pods: error: ") && ran.err.contains(words), "{args:?}: {}", ran.err);
    }
    let none = run(&[], b"");
    assert!(none.code == 2 && none.out.is_empty() && none.err.contains("Usage: pods <COMMAND>"));
}

#[test]
fn hands_come_in_any_order_on_the_command_line_but_not_in_positions() {
    let whole = [&["--board", "nook9", "--pods", "four"][..]].concat();
    let start = |hand| answer(&[&["moves", "start", "--hands", hand][..], &whole].concat(), "");
    assert_eq!(start("tdb"), start("bdt"));
    // A hand that begins with a hyphen is no option.
    let some = answer(&["show", "start", "--hands", "-:b", "--rules", "standard+opening=any"], "");
    assert!(some.contains("Black's hand: b\n") && some.contains("White's hand: empty"), "{some}");
    let ran = run(&[&["moves", "3/3/3 w tb bdt -"][..], &whole].concat(), b"");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("column 10: pod b is out of order"), "{}", ran.err);
}

#[test]
fn a_bad_line_ends_a_stream_after_the_answers_before_it() {
    let args = [&["moves", "-"], &NOOK[..]].concat();
    let good = "ongoing b@a2 b@a3 b@b1 b@b2 b@b3 b@c1 b@c2 b@c3\nongoing t@a1 t@a2 t@b1\n";
    assert_eq!(answer(&args, "start\r\n1B1/2t/3 w t b -"), good);
    for (bad, words) in
        [(&b"4/3/3 w b b -"[..], "row 3 has 4 columns"), (b"", "five fields"), (b"\xff", "invalid utf-8")]
    {
        let input = [b"start\n1B1/2t/3 w t b -\n", bad, b"\nstart\n"].concat();
        let ran = run(&args, &input);
        assert_eq!((ran.code, ran.out.as_str()), (2, good));
        assert!(ran.err.starts_with("pods: error: standard input, line 3: ") && ran.err.contains(words), "{}", ran.err);
    }
    let perft = [&["perft", "-", "--depth", "2", "--divide", "--format", "json"], &NOOK[..]].concat();
    assert_eq!(answer(&perft, "start\nstart\n").lines().count(), 2);
    assert_eq!(answer(&args, ""), "");
}

#[test]
fn each_line_is_answered_before_the_next_one_is_asked() {
    let mut child = spawn(&[&["perft", "-", "--depth", "1"], &NOOK[..]].concat());
    let (mut questions, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        writeln!(questions, "start").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line, "8\n");
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let mut child = spawn(&[&["moves", "-", "--format", "json"], &NOOK[..]].concat());
    drop(child.stdout.take());
    let mut questions = child.stdin.take().unwrap();
    // Ends as soon as the program has gone.
    while writeln!(questions, "start").is_ok() {}
    let ran = child.wait_with_output().unwrap();
    assert_eq!((ran.status.code(), ran.stderr), (Some(0), Vec::new()));
}

/// Notes and progress that nobody reads are no error either, and the answer is whole.
#[test]
fn a_reader_of_notes_who_leaves_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (kept, made, table) = (path("kept"), path("made"), path("table"));
    let limit = ["--max-nodes", "20", "--no-library"];
    answer(&["search", "start", "--max-nodes", "20", "--checkpoint", &kept], "");
    answer(&[&["table", "build", &table, "--rules", "advanced"], &NOOK[..]].concat(), "");
    for command in [
        &[&["solve", "start", "--format", "json"], &limit[..]].concat()[..],
        &["prove", "start", "--method", "search", "--max-nodes", "20", "--format", "json", "--out", &made],
        &["search", "start", "--max-nodes", "20", "--checkpoint", &kept],
        &["table", "export", &table],
    ] {
        let with_stderr = |stderr: std::process::Stdio| {
            let ran = program().args(command).stderr(stderr).output().unwrap();
            (ran.status.code(), String::from_utf8(ran.stdout).unwrap(), ran.stderr)
        };
        let (code, whole, note) = with_stderr(std::process::Stdio::piped());
        assert!(code == Some(0) && note.starts_with(b"pods: note: "), "{command:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let (code, out, _) = with_stderr(writer.into());
        assert_eq!((code, out.lines().count()), (Some(0), whole.lines().count()), "{command:?}");
    }
}

#[test]
fn every_command_helps_with_an_example_and_every_shell_is_served() {
    let help = answer(&["--help"], "");
    let commands = commands_of(&help);
    assert!(commands.iter().any(|name| name == "moves") && commands.len() >= 7, "{commands:?}");
    for command in commands {
        let text = answer(&[command.as_str(), "--help"], "");
        assert!(text.contains("Example") && text.contains(&format!("  pods {command}")), "{command}");
    }
    assert_eq!(answer(&["help", "table", "build"], ""), answer(&["table", "build", "--help"], ""));
    let folder = tempfile::tempdir().unwrap();
    answer(&["man", folder.path().to_str().unwrap()], "");
    for (page, words) in
        [("pods", "pods\\-solve(1)"), ("pods-solve", "max\\-nodes"), ("pods-table-build", "NAME.building")]
    {
        let text = std::fs::read_to_string(folder.path().join(format!("{page}.1"))).unwrap();
        assert!(text.contains(&format!(".TH {page} 1")) && text.contains(words), "{text}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(answer(&["completions", shell], "").contains("orientation"), "{shell}");
    }
    // Where files are completed if no name fits.
    let bash = answer(&["completions", "bash"], "");
    assert!(bash.contains("-W \"cave16 ") && bash.contains("-W \"duo ") && bash.contains("-o default"), "{bash}");
    assert_eq!(answer(&["--version"], ""), format!("pods {}\n", env!("CARGO_PKG_VERSION")));
}

/// Collects every command with its subcommands, as it is typed, from the help texts themselves.
fn all_commands(prefix: &[String], all: &mut Vec<Vec<String>>) {
    let help: Vec<String> = prefix.iter().cloned().chain(["--help".to_owned()]).collect();
    let help = answer(&help.iter().map(String::as_str).collect::<Vec<_>>(), "");
    all.push(prefix.to_vec());
    for name in commands_of(&help) {
        all_commands(&[prefix, &[name]].concat(), all);
    }
}

/// Returns `true` if the second line begins with a word that would have fitted into the first,
/// though both are of one paragraph.
fn ends_early(lines: [&str; 2], width: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let [line, next] = lines;
    let is_text = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with(['-', '[', '<']);
    // What is indented by two are options and examples; what is longer than the width could not be
    // broken.
    let is_part = indent(line) == indent(next) && indent(line) != 2 && is_text(line) && is_text(next);
    let word = next.split_whitespace().next().map_or(0, |word| word.chars().count());
    is_part && line.chars().count() + 1 + word <= width
}

#[test]
fn no_line_of_a_help_text_ends_early() {
    assert!(ends_early(["One sentence", "that goes on."], 40) && ends_early(["          One", "          two"], 40));
    assert!(!ends_early(["One sentence", "that goes on."], 16) && !ends_early(["  pods a", "  pods b"], 40));
    let mut commands = Vec::new();
    all_commands(&[], &mut commands);
    assert!(commands.len() > 30, "{commands:?}");
    let mut long = [0; 3];
    for command in commands {
        for (i, width) in [60, 100, 140].into_iter().enumerate() {
            let program = program()
                .args(&command)
                .arg("--help")
                .env("COLUMNS", width.to_string())
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let help = String::from_utf8(program.stdout).unwrap();
            let lines: Vec<&str> = help.lines().collect();
            for pair in lines.windows(2) {
                assert!(!ends_early([pair[0], pair[1]], width), "{command:?} at {width}: {pair:?}");
            }
            long[i] += lines.iter().filter(|line| line.chars().count() > width - 10).count();
        }
    }
    // Each width was used.
    assert!(long.iter().all(|&lines| lines > 20), "{long:?}");
}
