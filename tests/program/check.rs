//! `pods check` and `pods new`: what they say of files, good and bad, and of the captions of the
//! rules texts.

use crate::run::{answer, run};
use pods::material::{Legs, PodSet, PodSpec, builtin_board, builtin_pods, find_board, find_pods};
use pods::position::Game;
use pods::report::captions::captions;
use pods::rules::{Preset, RuleSet};
use tempfile::TempDir;

fn file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const BOARD: &str = "name = 'x'\nsource = 'me'\npoints = '''\no-o o\n|/\no-o\n'''\n";
const PODS: &str = "name = 'y'\nsource = 'me'\n[[pod]]\nid = 'a'\nname = 'one'\nlegs = 'n'\n[[pod]]\nid = 'b'\nlegs = 'SE w'\ncount = 2\n";

#[test]
fn a_board_is_described_so_that_it_can_be_compared_with_the_table() {
    assert_eq!(
        answer(&["check", "-"], BOARD),
        "\
-: board x
  source      me
  points      5 in 3 columns and 2 rows
  lines       4: 2 -  1 |  0 \\  1 /
  symmetries  identity, mirror /
  real game   5 points instead of 36
  warning     no line leads to c2
  warning     the lines leave the board in 2 separate parts
  lines at each point
    2  2 2 0
    1  3 1
       a b c
"
        .replace("identity, mirror /", &symmetries_of_x())
    );
    let json = answer(&["check", "--board", "nook9", "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let nook = builtin_board("nook9").unwrap();
    for point in nook.points() {
        let name = nook.coord(point).to_string();
        assert_eq!(json["lines_by_point"][&name].as_array().unwrap().len(), nook.lines(point).len(), "{name}");
    }
    let strokes: u64 = ["-", "|", "\\", "/"].iter().map(|stroke| json["strokes"][stroke].as_u64().unwrap()).sum();
    assert_eq!((strokes, json["lines"].as_u64()), (nook.line_count() as u64, Some(strokes)));
}

fn symmetries_of_x() -> String {
    let board = pods::material::board_from_toml("x", BOARD).unwrap();
    let names = pods::material::symmetries(&board).into_iter().map(|s| s.symmetry.to_string());
    names.collect::<Vec<_>>().join(", ")
}

#[test]
fn one_wrong_stroke_or_leg_changes_what_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let turned = BOARD.replace("|/", "|\\\n").replace("\n\n", "\n");
    assert_ne!(turned, BOARD);
    let said = |text: &str| answer(&["check", &file(&folder, "a.toml", text)], "");
    assert_ne!(said(BOARD), said(&turned));
    let long = PODS.replace("SE w", "se w");
    assert_ne!(said(PODS), said(&long));
}

#[test]
fn names_with_line_feeds_make_no_lines_of_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = |text: &str| {
        let named = |line: &str| line.starts_with("name = ").then(|| "name = \"a\\n  points      99\"".to_owned());
        let lines = text.lines().map(|line| named(line).unwrap_or_else(|| line.to_owned()));
        lines.map(|line| line + "\n").collect::<String>()
    };
    for text in [BOARD, PODS] {
        let said = answer(&["check", &file(&folder, "a.toml", &hostile(text))], "");
        assert!(said.contains("a\\u000a  points      99") && !said.contains("\n  points      99"), "{said}");
    }
}

#[test]
fn pods_are_described_leg_by_leg() {
    let text = answer(&["check", "-"], PODS);
    assert!(text.contains("legs        1 with 1 leg, 2 with 2 legs\n"), "{text}");
    assert!(text.ends_with(
        "  legs of each pod, as its owner sees it
    a  one  short n  long -
    b       short w  long SE  (2 of it)
    in all 3 short and 2 long legs
"
    ));
    let csv = |file: &str| answer(&["check", file, "--format", "csv"], "");
    let cell = |text: &str, name: &str| {
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let column = rows.headers().unwrap().iter().position(|column| column == name).unwrap();
        rows.records().next().unwrap().unwrap()[column].to_owned()
    };
    let set = csv("pods14");
    assert!(cell(&set, "legs_by_pod").starts_with("b:w+E c:s+w+NE+E d:sw+NE"), "{set}");
    assert_eq!((cell(&set, "pods"), cell(&set, "legs")), ("14".to_owned(), "2:2 3:3 4:6 6:2 8:1".to_owned()));
    let board = csv("ring8");
    assert!(cell(&board, "lines_by_point").starts_with("a1:n+e a2:"), "{board}");
    assert_eq!(cell(&csv("snort"), "legs_by_pod"), "o64:n+e+s+w");
}

#[test]
fn sets_that_cannot_open_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let row = file(&folder, "row.toml", "name = 'row'\nsource = 'me'\npoints = 'o-o-o'\n");
    let text = "name = 'y'\nsource = 'me'\n[[pod]]\nid = 'b'\nlegs = 'n s'\n[[pod]]\nid = 'd'\nlegs = 'ne sw n'\n";
    let set = file(&folder, "pods.toml", text);
    let said = answer(&["check", &row, &set], "");
    assert!(said.contains(&format!("\n{row} with {set}: setup\n  opening       0° b on 0 points\n")), "{said}");
    assert!(said.contains("  opening      90° b on 3 points\n"), "{said}");
    assert!(said.contains("White cannot open at 0°, 180° where placements need a liberty"), "{said}");
    assert!(said.contains("d has no liberty on any point at 0°, 180°"), "{said}");
    let none = file(&folder, "none.toml", "name = 'n'\nsource = 'me'\n[[pod]]\nid = 'q'\nlegs = 'n s e'\n");
    let said = answer(&["check", "--board", &row, "--pods", &none], "");
    assert!(said.contains("nobody can open (R9): there is no bipod; play it with opening=any"), "{said}");
    // The engines agree with what is said.
    let game = Game::new(find_board(&row).unwrap(), find_pods(&set).unwrap(), Preset::Standard.into());
    let whole = pods::position::Hand::whole(game.pods());
    let start = game.start(whole, whole, pods::material::Side::White).unwrap();
    assert!(pods::engine::Engine::sorted_actions(&pods::engine::Reference::new(game), &start).is_empty());
}

#[test]
fn all_files_are_checked_and_every_fault_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let stray = file(&folder, "stray.toml", "name = 'x'\nsource = 'me'\npoints = '''\no-O\n|/|\no o-\n'''\n");
    let no_toml = file(&folder, "no.toml", "name = x\n");
    let neither = file(&folder, "neither.toml", "name = 'x'\n");
    let board = file(&folder, "board.toml", BOARD);
    let missing = format!("{board}.not");
    let ran = run(&["check", &stray, &no_toml, &neither, &missing, "nock9", &board], "");
    assert_eq!((ran.code, ran.out), (2, answer(&["check", &board], "")));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(
        lines[..7],
        [
            &format!(
                "pods: error: {stray}:4:3: found a capital letter O where a point 'o' or a blank (a hole) belongs: write 'o'"
            )[..],
            "  4 | o-O",
            "    |   ^",
            &format!(
                "{stray}:6:4: the line '-' leads into a hole: both its ends must be points 'o', and there is none in row 3, column 5 of the picture"
            ),
            "  6 | o o-",
            "    |    ^",
            lines[6],
        ]
    );
    assert!(lines[6].starts_with(&format!("pods: error: {no_toml}:1:8: ")), "{}", lines[6]);
    let rest = lines[7..].join("\n");
    for words in ["neither a board file", "neither a file nor a built-in board or pod set", "did you mean nook9?"] {
        assert!(rest.contains(words), "{rest}");
    }
    let pods_as_board = run(&["show", "--board", "pods14"], "");
    assert!(pods_as_board.err.contains("(pods14 is a set of pods)"), "{}", pods_as_board.err);
    let near = run(&["show", "--board", "cave37"], "");
    assert!(near.err.contains("; did you mean cave36?"), "{}", near.err);
    let crossed = run(&["check", "--board", "pods14"], "");
    assert_eq!(
        (crossed.code, crossed.err.as_str()),
        (2, "pods: error: --board: pods14: these are pods, not a board\n")
    );
}

#[test]
fn nothing_of_a_file_acts_on_the_terminal() {
    let text = BOARD.replace("'me'", "\"\\u001b[2J\\u007f\\u009b\"").replace("'x'", "\"a\\u0007\"");
    let ran = run(&["check", "-"], &text);
    assert!(ran.out.starts_with("-: board a\\u0007\n  source      \\u001b[2J\\u007f\\u009b\n"), "{}", ran.out);
    let wrong = run(&["check", "-"], "name = 'x'\n\"b\\u001b[1mold\" = 1\npoints = 'o\x7fo'\n");
    assert!(wrong.code == 2 && !wrong.err.contains(['\u{1b}', '\u{7f}']), "{}", wrong.err);
    let argument = run(&["check", "\u{1b}[2J"], "");
    assert!(argument.code == 2 && argument.err.contains("\\u001b[2J"), "{}", argument.err);
}

#[test]
fn standard_input_is_read_once_and_not_without_end() {
    let ran = run(&["check", "-", "-"], BOARD);
    assert!(ran.code == 2 && ran.err.contains("`-` is given twice"), "{}", ran.err);
    let long = format!("name = '{}'\n", "x".repeat(2 << 20));
    let ran = run(&["check", "-"], &long);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.len() < 1_000, "{}", ran.err.len());
}

#[test]
fn names_have_at_most_a_thousand_characters() {
    let name = "ñ".repeat(1_000);
    for (about, text, line) in [("board", BOARD, 1), ("pods", PODS, 1), ("a pod", PODS, 5)] {
        let named = |name: &str| {
            let of_line = |(number, old)| if number == line { format!("name = '{name}'") } else { str::to_owned(old) };
            (1..).zip(text.lines()).map(of_line).collect::<Vec<_>>().join("\n")
        };
        let ran = run(&["check", "-"], named(&name));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{about}");
        let ran = run(&["check", "-"], named(&format!("{name}x")));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{about}");
        let says = format!("standard input:{line}:8: `name` has more than 1000 characters");
        assert!(ran.err.contains(&says), "{about}: {}", ran.err);
    }
}

#[test]
fn templates_pass_the_check() {
    for (size, points, lines) in
        [("6x6", 36, 110), ("1x1", 1, 0), ("26x2", 52, 126), ("8x8", 64, 210), ("2x26", 52, 126)]
    {
        let text = answer(&["new", "board", size], "");
        let said = answer(&["check", "-", "--format", "json"], &text);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((said["points"].as_u64(), said["lines"].as_u64()), (Some(points), Some(lines)), "{size}");
        let bare = answer(&["new", "board", size, "--lines", "none"], "");
        let said = answer(&["check", "-", "--format", "json"], &bare);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((said["points"].as_u64(), said["lines"].as_u64()), (Some(points), Some(0)), "{size}");
    }
    let text = answer(&["new", "pods"], "");
    let said = answer(&["check", "-"], &text);
    assert!(said.contains("as many pods with each number of legs") && said.matches("warning").count() == 1, "{said}");
    assert!(said.contains("my-pods"), "{said}");
    // Random ones: each passes, has the lines of the real make-up, and is told by its seed.
    let mut seen = std::collections::BTreeSet::new();
    for seed in ["0", "1", "2", "18446744073709551615"] {
        let board = answer(&["new", "board", "--random", "--seed", seed], "");
        assert_eq!(board, answer(&["new", "board", "6x6", "--random", "--seed", seed], ""));
        let said: serde_json::Value =
            serde_json::from_str(&answer(&["check", "-", "--format", "json"], &board)).unwrap();
        assert_eq!((said["points"].as_u64(), said["lines"].as_u64()), (Some(36), Some(64)), "{board}");
        assert_eq!(said["warnings"].as_array().map(Vec::len), Some(0), "{said}");
        let read = pods::material::board_from_toml("random", &board).unwrap();
        assert!(read.points().all(|p| read.lines(p).len() >= 2), "{board}");
        let pods = answer(&["new", "pods", "--random", "--seed", seed], "");
        assert_eq!(pods, answer(&["new", "pods", "--random", "--seed", seed], ""));
        let said = answer(&["check", "-"], &pods);
        assert!(said.contains("as many pods with each number of legs") && !said.contains("warning"), "{said}");
        let read = pods::material::pods_from_toml("random", &pods).unwrap();
        let legs: std::collections::BTreeSet<String> = read.kinds().map(|kind| read.legs(kind).to_string()).collect();
        assert_eq!(legs.len(), 14, "{pods}");
        seen.extend([board, pods]);
    }
    assert_eq!(seen.len(), 8);
    // Board and pods of a seed agree with the rules texts together.
    for seed in ["1", "2"] {
        let files = ["board", "pods"].map(|what| {
            let mut file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
            let text = answer(&["new", what, "--random", "--captions", "--seed", seed], "");
            assert!(
                text.contains(&format!("--random --captions --seed {seed}")) && seen.insert(text.clone()),
                "{text}"
            );
            std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
            file
        });
        let [board, pods] = files.each_ref().map(|file| file.path().to_str().unwrap());
        assert!(answer(&["check", "--captions", board, pods], "").contains("14 of 14 captions hold"));
    }
    let ran = run(&["new", "board", "5x5", "--random", "--captions"], "");
    assert!(ran.code == 2 && ran.err.contains("36 points"), "{}", ran.err);
    assert_eq!(run(&["new", "pods", "--captions"], "").code, 2);
    for size in ["1x1", "1x9", "2x2", "26x2", "8x8", "4x5"] {
        let board = answer(&["new", "board", size, "--random"], "");
        assert!(!answer(&["check", "-"], &board).contains("no line leads to") || size == "1x1", "{board}");
    }
    for args in [&["new", "board", "6x6", "--seed", "1"][..], &["new", "pods", "--seed", "1"], &["new", "board"]] {
        assert_eq!(run(args, "").code, 2, "{args:?}");
    }
    for size in ["6", "6x", "0x5", "9x8", "27x1", "-1x2", "6x6x6", "axb"] {
        let ran = run(&["new", "board", size], "");
        assert!(ran.code == 2 && ran.out.is_empty(), "{size}: {}", ran.out);
    }
}

#[test]
fn the_captions_hold_for_the_reconstruction_and_not_for_others() {
    let good = run(&["check", "--captions", "cave36", "pods14"], "");
    assert_eq!((good.code, good.err.as_str()), (0, ""), "{}", good.out);
    assert!(good.out.ends_with("14 of 14 captions hold for cave36 with pods14\n") && !good.out.contains("FAILS"));
    let other = run(&["check", "--captions", "--board", "mirror36", "--pods", "trio", "--format", "csv"], "");
    assert_eq!((other.code, other.err.as_str()), (1, ""));
    let mut rows = csv::Reader::from_reader(other.out.as_bytes());
    for row in rows.records().map(Result::unwrap) {
        assert!(["yes", "no"].contains(&&row[3]) && !row[4].is_empty(), "{row:?}");
    }
    for args in [&["cave36"][..], &["pods14"], &["cave36", "cave25", "pods14"], &["cave36", "pods14", "trio"]] {
        let ran = run(&[&["check", "--captions"], args].concat(), "");
        assert!(ran.code == 2 && ran.err.contains("one board and one set of pods"), "{args:?} {}", ran.err);
    }
}

/// Removes what each caption needs: without it that caption fails, and says so.
#[test]
fn each_caption_fails_where_its_ground_is_taken_away() {
    let (board, set) = (builtin_board("cave36").unwrap(), builtin_pods("pods14").unwrap());
    let without = |refused: &dyn Fn(Legs) -> bool| {
        let specs: Vec<PodSpec> =
            set.kinds().map(|kind| set.spec(kind).clone()).filter(|spec| !refused(spec.legs)).collect();
        PodSet::new("part", "test", specs).unwrap()
    };
    let legs = |text: &str| text.parse::<Legs>().unwrap();
    let cases: [(&str, PodSet, &str); 5] = [
        ("bipod-left-and-right", without(&|l| l == legs("E w")), "no bipod has a left and a right leg"),
        ("tripod-all-blocked", without(&|l| l.count() == 3), "no tripod has legs"),
        (
            "quadripod-controls-five",
            without(&|l| l == legs("n e se W")),
            "no quadripod has three short legs and one long",
        ),
        ("hexapod-captures", without(&|l| l.count() == 6), "no hexapod has both short and long legs"),
        ("quadripod-would-attack", without(&|l| l.count() == 4), "no"),
    ];
    for (name, part, why) in cases {
        let asked = captions(&board, &part);
        let caption = asked.iter().find(|caption| caption.name == name).unwrap();
        let found = caption.found.as_ref().unwrap_err();
        assert!(found.contains(why), "{name}: {found}");
        assert!(captions(&board, &set).iter().all(|caption| caption.found.is_ok()));
    }
    // A full grid: every neighbour is joined, so nothing can be about missing lines.
    let full = answer(&["new", "board", "6x6"], "");
    let full = pods::material::board_from_toml("full", &full).unwrap();
    let asked = captions(&full, &set);
    let failed: Vec<&str> = asked.iter().filter(|c| c.found.is_err()).map(|c| c.name).collect();
    assert_eq!(
        failed,
        [
            "lines",
            "turn",
            "bipod-left-and-right",
            "tripod-all-blocked",
            "black-attacks-three",
            "quadripod-would-attack"
        ]
    );
}

/// A position that shows a caption is one of the game, and the fast engine agrees with what is said
/// of it.
#[test]
fn what_shows_a_caption_can_be_replayed() {
    let (board, set) = (builtin_board("cave36").unwrap(), builtin_pods("pods14").unwrap());
    let mut replayed = 0;
    for caption in captions(&board, &set) {
        let witness = caption.found.unwrap();
        let Some(shown) = witness.shown else { continue };
        let rules: RuleSet = shown.rules.parse().unwrap();
        let game = Game::new(board.turned(shown.orientation), set.clone(), rules);
        let position = game.parse_position(&shown.position).unwrap();
        let engine = pods::engine::Bitboard::new(game.clone());
        let legal: Vec<String> = pods::engine::Engine::sorted_actions(&engine, &position)
            .iter()
            .map(|&action| action.display(&game).to_string())
            .collect();
        for part in witness.what.split([',', ':']).map(str::trim) {
            let Some((action, rest)) = part.split_once(' ').filter(|(action, _)| action.contains('@')) else {
                continue;
            };
            match rest {
                rest if rest.starts_with("is legal") => assert!(legal.iter().any(|l| l == action), "{}", witness.what),
                rest if rest.starts_with("is illegal") => {
                    assert!(legal.iter().all(|l| l != action), "{}", witness.what)
                }
                _ => panic!("{}", witness.what),
            }
            replayed += 1;
        }
    }
    assert!(replayed >= 5, "{replayed}");
}

#[test]
fn what_is_left_of_a_template_is_said() {
    let made = answer(&["new", "pods"], "");
    let said = |text: &str| {
        let text = answer(&["check", "-"], text);
        let warnings = text.lines().filter_map(|line| line.strip_prefix("  warning     "));
        warnings.map(str::to_owned).collect::<Vec<_>>()
    };
    let left = |ids: &str, pods: &str| {
        format!("{pods} with the made-up legs of `pods new pods`, to be replaced by those of yours: {ids}")
    };
    assert_eq!(said(&made), [left("a b c d e f g h j k m n p q", "14 pods")]);
    let one = made.replace("\"w E\"", "\"w e\"");
    assert_eq!(said(&one), [left("b c d e f g h j k m n p q", "13 pods")]);
    // A pod of another name with the same legs is another pod.
    let last = made.replace("id = \"q\"", "id = \"z\"");
    assert_eq!(said(&last), [left("a b c d e f g h j k m n p", "13 pods")]);
    let full = "every line is drawn, as `pods new board` writes it: delete those that your board does not have";
    let board = answer(&["new", "board", "3x2"], "");
    assert_eq!(said(&board), [full]);
    // Of a line of points nothing can be left out.
    assert_eq!(said(&answer(&["new", "board", "3x1"], "")).len(), 0);
    let deleted = board.replacen('-', " ", board.split("points").next().unwrap().matches('-').count() + 1);
    assert_eq!(said(&deleted).len(), 0, "{deleted}");
    for (name, _) in pods::material::BUILTIN_BOARDS.iter().chain(pods::material::BUILTIN_PODS) {
        let text = answer(&["check", name], "");
        assert!(!text.contains("`pods new"), "{text}");
    }
}
