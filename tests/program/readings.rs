//! The commands about readings, explanations of whole positions and certificates, as their users
//! see them.

use crate::run::{answer, run};

const NOOK: [&str; 4] = ["--board", "nook9", "--pods", "duo"];

fn nook(args: &[&str]) -> String {
    answer(&[args, &NOOK].concat(), "")
}

#[test]
fn a_position_is_explained_pod_by_pod_and_point_by_point() {
    let text = nook(&["explain", "1B1/2t/3 w t b -", "--rules", "advanced"]);
    let expected = "\
position: 1B1/2t/3 w t b -
White is to move
White wins in 1 ply by t@a1 t@a2 t@b1 (sweeps)

t (n E sw): may go to 6 of 9 points
 3  yes  R10  yes
 2  yes  R11  R10
 1  yes  yes  yes
    a    b    c

b on b3 (s W on the board)
  may: b3-a3
  may not: R17 b3-b1 b3-b2

R10  To place is to put a pod from the hand on an empty point.
R11  A pod may not be placed where it would, standing there, attack a pod of the
     opponent.
R17  In the Advanced game a turn is a placement (R10 to R13) or a move of one of
     the player's own pods on the board: by a short leg to the connected
     neighbour, by a long leg any distance along the straight connected line,
     over empty points to an empty point.
more: pods rules R10 R11 R17
";
    assert_eq!(text, expected);
    let reasons = nook(&["explain", "1B1/2t/3 w t b -", "--rules", "advanced", "--reasons"]);
    assert!(reasons.contains("\n  t@b2 is illegal by R11: its leg E would attack Black's pod t on c2\n"), "{reasons}");
    let standard = nook(&["explain", "start"]);
    assert!(standard.contains("t (n E sw): may go to 0 of 9 points: R9, the opening places a bipod\n\n"), "{standard}");
    assert!(standard.contains("no pod on the board moves (R14)"), "{standard}");
    let over = nook(&["explain", "3/B1b/T2 w - t -", "--rules", "basic-author"]);
    assert!(over.contains("White has won: White's hand is empty (R16)"), "{over}");
}

#[test]
fn what_an_action_is_worth_is_said_as_far_as_the_limits_tell() {
    let json = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
    let position = "1B1/2t/3 w t b -";
    for rules in ["standard", "advanced"] {
        // As the solver has it, for every legal action.
        let actions = json(nook(&["moves", position, "--rules", rules, "--format", "json"]));
        let mut worth = std::collections::BTreeSet::new();
        for action in actions["actions"].as_array().unwrap() {
            let action = action["action"].as_str().unwrap();
            let explained = json(nook(&["explain", position, action, "--rules", rules, "--format", "json"]));
            let next = explained["next"].as_str().unwrap();
            let solved = json(nook(&["solve", next, "--rules", rules, "--format", "json"]));
            let said = match (solved["value"].as_str().unwrap(), solved["plies"].as_u64()) {
                (_, Some(0)) => {
                    assert_eq!(explained.get("worth"), None, "{action}");
                    continue;
                }
                ("win", Some(plies)) => format!("{action} loses in {} plies ", plies + 1),
                ("loss", Some(plies)) => format!("{action} wins in {} plies ", plies + 1),
                other => panic!("{other:?}"),
            };
            let sentence = explained["explanation"].as_array().unwrap().last().unwrap().as_str().unwrap();
            assert!(sentence.starts_with(&said), "{sentence}, not {said}");
            assert_eq!(explained["worth"]["value"], if said.contains("wins") { "win" } else { "loss" });
            worth.insert(explained["worth"].to_string());
        }
        assert!(!worth.is_empty(), "{rules}");
    }
    let unknown = nook(&["explain", "start", "b@a2", "--rules", "advanced", "--max-nodes", "5"]);
    assert!(unknown.contains("\nb@a2: winner not known, stopped at the limit of 5 "), "{unknown}");
    for (args, wins) in [(&["--no-values"][..], false), (&[], true)] {
        let text = nook(&[&["explain", position], args].concat());
        assert_eq!(text.contains("White wins in 1 ply by ") || text.contains("White loses in "), wins, "{text}");
    }
    // A stream is quick unless it is told otherwise.
    let stream = [&["explain", "-"], &NOOK[..]].concat();
    assert!(!answer(&stream, "start b@b2\n").contains(" loses in "));
    assert!(
        answer(&[&stream[..], &["--max-nodes", "10000"]].concat(), "start b@b2\n").contains("; b@b2 loses in 4 plies ")
    );
}

#[test]
fn the_table_of_a_position_is_complete_in_every_format() {
    let args = ["explain", "1B1/2t/3 w t b -", "--rules", "advanced", "--format"];
    let json: serde_json::Value = serde_json::from_str(&nook(&[&args[..], &["json"]].concat())).unwrap();
    let placements = json["placements"].as_array().unwrap();
    assert_eq!(placements.len(), 9);
    assert_eq!(
        placements[4],
        serde_json::json!({
            "pod": "t", "point": "b2", "action": "t@b2", "legal": false, "clause": "R11",
            "explanation": "t@b2 is illegal by R11: its leg E would attack Black's pod t on c2",
        })
    );
    let moves = json["moves"].as_array().unwrap();
    // South: two points and a kick of the nearer one by one; west: one point.
    let texts: Vec<&str> = moves.iter().map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(texts, ["b3-a3", "b3-b1", "b3-b2", "b3>a3", "b3>b1", "b3>b2", "b3>b2+1"]);
    assert!(moves.iter().all(|row| row["legal"] == (row["action"] == "b3-a3")));
    let csv = nook(&[&args[..], &["csv"]].concat());
    assert_eq!(csv.lines().count(), 1 + 9 + 7, "{csv}");
    let begin = "pod,from,point,action,legal,clause,explanation,sentence\nt,,a1,t@a1,yes,,t@a1 is legal (R10),\n";
    assert!(csv.starts_with(begin), "{csv}");
    let sentence = "\"A pod may not be placed where it would, standing there, attack a pod of the opponent.\"\n";
    assert!(csv.contains(&format!("Black's pod t on c2,{sentence}")), "{csv}");
    let cited: Vec<&str> = json["clauses"].as_array().unwrap().iter().map(|c| c["clause"].as_str().unwrap()).collect();
    assert_eq!(cited, ["R10", "R11", "R17", "R22"]);
    let stream = answer(
        &[&["explain", "-", "--rules", "advanced"], &NOOK[..]].concat(),
        "1B1/2t/3 w t b -\nstart b@a2\nstart\n",
    );
    let lines: Vec<&str> = stream.lines().collect();
    assert!(lines[0].starts_with("ongoing: legal t@a1 t@b1 t@c1 t@a2 t@a3 t@c3 b3-a3; R10 t@c2 t@b3; R11 t@b2; R17 "));
    assert!(lines.len() == 3 && lines[1].starts_with("b@a2 is legal") && lines[2].starts_with("ongoing: legal b@"));
}

#[test]
fn captures_are_explained_leg_by_leg() {
    let json = nook(&["explain", "1B1/2t/3 w t b -", "t@a3", "--rules", "advanced", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["blocked"][1],
        serde_json::json!({
            "point": "b3", "side": "White", "pod": "b", "captured": true,
            "legs": [
                {"leg": "s", "block": "no-line", "point": "b2"},
                {"leg": "W", "block": "occupied", "point": "a3", "pod": "White's t"},
            ],
        })
    );
    let author = nook(&["explain", "1B1/2t/3 w t b -", "t@a3", "--rules", "advanced-author+placement-liberty=off"]);
    assert!(author.contains("White's pod t on a3; it stays (R18: captures=after-moves)\n"), "{author}");
}

/// Lines in a name must not look like lines of the answer.
#[test]
fn names_in_certificates_make_no_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (board, proof) = (file("board.toml"), file("proof.jsonl"));
    let forged = "nook9, orientation 0: the built-in one\\nrules     advanced";
    let made = answer(&["new", "board", "3x2"], "");
    let named: String = made
        .lines()
        .map(|line| if line.starts_with("name = ") { format!("name = \"{forged}\"\n") } else { format!("{line}\n") })
        .collect();
    std::fs::write(&board, named).unwrap();
    answer(&["prove", "--board", &board, "--pods", "duo", "--rules", "basic-author", "--out", &proof], "");
    let checked = answer(&["check-proof", &proof], "");
    let starts: Vec<&str> = checked.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(starts, ["proven", "position", "board", "pods", "rules", "lines", "trailer", "file"], "{checked}");
    assert!(checked.contains("\\u000arules     advanced, orientation 0: not a built-in one\n"), "{checked}");
}

#[test]
fn certificates_are_written_checked_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof.jsonl");
    let file = path.to_str().unwrap();
    let setup = ["--board", "ring8", "--pods", "trio", "--hands", "bt", "--rules", "advanced"];
    let proven = answer(&[&["prove", "--exact", "--out", file], &setup[..]].concat(), "");
    assert!(proven.contains("checked with the reference engine"), "{proven}");
    let text = std::fs::read_to_string(&path).unwrap();
    let checked = answer(&["check-proof", file], "");
    assert!(
        checked.starts_with("proven    ") && checked.contains("ring8, orientation 0: the built-in one"),
        "{checked}"
    );
    assert_eq!(answer(&["check-proof", "-"], &text), checked);
    answer(&[&["check-proof", file, "--about", "start"], &setup[..]].concat(), "");
    for (change, words) in [
        (["--orientation", "90"], "it is about orientation 0, not 90: add --orientation 0"),
        (["--pods", "duo"], "about other pods"),
        (["--rules", "advanced-dutch"], "about the rules advanced, not advanced-dutch"),
        (["--hands", "bd:"], "about the position "),
    ] {
        let mut args: Vec<&str> = vec!["check-proof", file, "--about", "start"];
        for pair in setup.chunks(2).filter(|pair| pair[0] != change[0]) {
            args.extend(pair);
        }
        args.extend(change);
        let ran = run(&args, "");
        assert!((ran.code, ran.out.as_str()) == (1, "") && ran.err.contains(words), "{args:?}: {}", ran.err);
    }
    let other = ["check-proof", file, "--about", "start", "--board", "ring8", "--pods", "trio", "--orientation", "90"];
    let ran = run(&other, "");
    let words =
        "it is about orientation 0, not 90 and under advanced, not standard: add --orientation 0 --rules advanced";
    assert!(ran.code == 1 && ran.err.contains(words), "{}", ran.err);
    let cut: String = text.lines().take(5).map(|line| format!("{line}\n")).collect();
    let ran = run(&["check-proof", "-"], &cut);
    assert!(ran.code == 1 && ran.err.starts_with("pods: error: -: line "), "{}", ran.err);
    let ran = run(&["check-proof", "-", "--memory", "1KiB"], &text);
    assert!(ran.code == 2 && ran.err.contains("more than the 1.0 KiB") && ran.err.contains("--memory"), "{}", ran.err);
    let ran = run(&["check-proof", "-"], "hello\n");
    assert!(ran.code == 2 && ran.err.contains("no header of a certificate"), "{}", ran.err);
    let ran = run(&["check-proof", "/no/such/file"], "");
    assert!(ran.code == 2 && ran.err.starts_with("pods: error: /no/such/file: "), "{}", ran.err);
    let ran = run(&["prove", "--out", "/dev/null/x"], "");
    assert_eq!(ran.code, 2);
    let limits = ["prove", "--out", file, "--force", "--rules", "advanced", "--memory", "1MiB"];
    let ran = run(&limits, "");
    assert!(
        ran.code == 0 && ran.out.contains("claim     unknown: stopped at the limit of 1.0 MiB of memory"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "a proof that fails leaves the file alone");
}

#[test]
fn two_readings_are_compared() {
    let setup = ["--board", "ring8", "--pods", "trio", "--hands", "bt", "--orientation", "90"];
    let text = answer(&[&["report", "readings", "advanced", "advanced-dutch", "--ascii"], &setup[..]].concat(), "");
    for words in [
        "A  advanced\nB  advanced-dutch\n",
        "positions reached: ",
        " where R13 (a placed pod needs a liberty) forbids under one what the other allows\n",
        "smallest position with different legal actions: ring8 at 90°, trio: both bt\n3/3/3 b b bt -\n",
        "is illegal by R13: it would have no liberty:",
        "reached by A only; the game goes on under both",
        "at stake: R13 (a placed pod needs a liberty)",
        "no position has different captures",
        "the game, with White to start / with Black to start",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json =
        answer(&[&["report", "readings", "standard", "basic-author", "--format", "json"], &setup[..]].concat(), "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["rules"], &json["b"]), (&"standard".into(), &"basic-author".into()));
    assert_eq!(json["smallest"]["status"]["clauses"], serde_json::json!(["R16"]));
    assert!(json["a_game"]["white_first"].is_string() && json["differing"]["captures"] == 0);
    let ran = run(&["report", "readings", "advanced", "advance"], "");
    assert!(ran.code == 2 && ran.err.contains("B: \"advance\" is no rule set"), "{}", ran.err);
}

/// Counts that a limit cuts short are lower bounds or absent, and the limit named is the one asked
/// for.
#[test]
fn numbers_at_a_limit_are_bounds() {
    let two = ["report", "readings", "standard", "standard+placement-liberty=off", "--format", "json"];
    let setup = ["--board", "ring8", "--pods", "trio", "--hands", "bt", "--orientation", "0"];
    let compared = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(run(&[&two[..], &setup, more].concat(), "").out.trim_end()).unwrap()
    };
    let whole = compared(&[]);
    let number = |row: &serde_json::Value, key: &str| row[key].as_u64();
    // Liberty only forbids, so no position is reached by A alone.
    assert!(whole["stopped"].is_null() && number(&whole, "reached_by_a_only") == Some(0), "{whole}");
    for limit in ["20", "100", "500"] {
        let cut = compared(&["--max-nodes", limit]);
        let stopped = cut["stopped"].as_str().unwrap();
        assert!(stopped.contains(&format!("the limit of {limit} positions")), "{cut}");
        for key in ["reached_by_both", "reached_by_a_only", "reached_by_b_only"] {
            assert!(number(&cut, key) <= number(&whole, key), "{key}: {cut} {whole}");
        }
        for key in ["differing", "by_clause"] {
            for (name, n) in cut[key].as_object().unwrap() {
                assert!(n.as_u64() <= whole[key][name].as_u64(), "{key} {name}: {cut} {whole}");
            }
        }
    }
}

/// Sections are counted alike in text, JSON and CSV.
#[test]
fn sections_are_counted_alike_in_every_format() {
    for name in ["sections-0.proof", "sections-1.proof", "nook9-0.proof"] {
        let path = format!("{}/tests/corpus/certificates/{name}", env!("CARGO_MANIFEST_DIR"));
        let said = |format: &str| answer(&["check-proof", &path, "--format", format], "");
        let json: serde_json::Value = serde_json::from_str(&said("json")).unwrap();
        let (text, csv) = (said("text"), said("csv"));
        let sections = json["sections"].as_u64().unwrap();
        let in_text = text.split(" sections").next().unwrap().rsplit(' ').next().unwrap().parse();
        assert_eq!(sections > 1, in_text.is_ok(), "{text}");
        assert!(in_text.is_err() || in_text == Ok(sections), "{text}");
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        let at = rows.headers().unwrap().iter().position(|column| column == "sections").unwrap();
        assert_eq!(rows.records().next().unwrap().unwrap()[at], sections.to_string(), "{csv}");
    }
}

#[test]
fn the_table_of_readings_has_its_columns_and_certificates_are_cited() {
    let setup = ["--board", "ring8", "--pods", "duo", "--hands", "bt", "--orientation", "0"];
    let csv = answer(&[&["report", "readings", "--format", "csv"], &setup[..]].concat(), "");
    assert_eq!(csv.lines().count(), 1 + 27, "{csv}");
    assert!(csv.lines().next().unwrap().ends_with("outcome_changed,plies_changed,openings_changed"));
    assert!(csv.contains("standard,opening,R9,bipod,any,"), "{csv}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let args = ["report", "--certificates", path, "--out", path, "--format", "json"];
    let json = answer(&[&args[..], &setup].concat(), "");
    let row: serde_json::Value = serde_json::from_str(&json).unwrap();
    let name = "ring8-0-duo-bt-standard-white-first.jsonl";
    assert_eq!(row["white_first_certificate"], name);
    let manifest = std::fs::read_to_string(folder.path().join("balance.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["certificates"][0]["file"], name);
    answer(&["check-proof", folder.path().join(name).to_str().unwrap()], "");
    let table = answer(&[&["report", "readings", "--format", "text"], &setup[..]].concat(), "");
    assert!(table.contains("R16 empty-hand=wins"), "{table}");
}

/// The digests and lines of the certificates in `results/solved` stand in tables there.
#[test]
fn a_kept_certificate_is_that_of_its_row() {
    let solved = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/solved");
    let mut rows = csv::Reader::from_path(solved.join("random.csv")).unwrap();
    let header = rows.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let cell = |row: usize, name: &str| rows[row][header.iter().position(|column| column == name).unwrap()].to_owned();
    let smallest = (0..rows.len()).min_by_key(|&row| cell(row, "bytes").parse::<u64>().unwrap()).unwrap();
    let path = solved.join(cell(smallest, "kept"));
    let json = answer(&["check-proof", path.to_str().unwrap(), "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    for name in ["trailer_sha256", "file_sha256"] {
        assert_eq!(json[name], cell(smallest, name), "{name}");
    }
    assert_eq!(json["lines"].to_string(), cell(smallest, "lines"));
}

#[test]
fn packed_certificates_are_checked_as_they_are() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let path = corpus.join("packed/late.proof.xz");
    let (file, plain) = (path.to_str().unwrap(), corpus.join("certificates/late.proof"));
    let said = answer(&["check-proof", file, "--format", "json"], "");
    assert_eq!(said, answer(&["check-proof", plain.to_str().unwrap(), "--format", "json"], ""));
    let ran = run(&["check-proof", file, "--memory", "16MiB"], "");
    let words = ["line 1: it cannot be unpacked within the limit of memory", "raise --memory"];
    assert!(ran.code == 2 && words.iter().all(|words| ran.err.contains(words)), "{}", ran.err);
    let packed = std::fs::read(&path).unwrap();
    let ran = run(&["check-proof", "-"], &packed[..packed.len() / 2]);
    assert!(ran.code != 0 && ran.err.contains("cannot be read"), "{}", ran.err);
}

#[test]
fn zstd_unpacks_to_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof.jsonl");
    let file = path.to_str().unwrap();
    answer(&["prove", "--board", "nook9", "--pods", "duo", "--rules", "basic-author", "--out", file], "");
    let text = std::fs::read(&path).unwrap();
    let checked = answer(&["check-proof", file], "");
    assert!(checked.contains(&format!("file      sha256 {} of the whole, unpacked\n", pods::files::sha256_hex(&text))));
    let ran = run(&["check-proof", "-"], zstd::encode_all(&text[..], 3).unwrap());
    assert_eq!((ran.code, ran.out), (0, checked), "{}", ran.err);
}
