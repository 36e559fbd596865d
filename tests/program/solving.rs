//! The commands that solve, report and compare, as a user runs them.

use std::path::Path;

use crate::run::pods;
use pods::files::Record as _;

/// Returns the standard output of a run that must end well and complain of nothing.
fn answer(arguments: &[&str]) -> String {
    let ran = pods(arguments);
    let errors = String::from_utf8(ran.stderr).unwrap();
    assert_eq!((ran.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// Returns the message of a run that must be refused without any answer.
fn refusal(arguments: &[&str]) -> String {
    let ran = pods(arguments);
    assert_eq!((ran.status.code(), ran.stdout.len()), (Some(2), 0), "{arguments:?}");
    String::from_utf8(ran.stderr).unwrap()
}

const NOOK: [&str; 6] = ["--board", "nook9", "--pods", "four", "--hands", "bdt"];

#[test]
fn solve_answers_people_and_programs() {
    let text = answer(&[&["solve", "start"], &NOOK[..]].concat());
    assert_eq!(
        text,
        "position  3/3/3 w bdt bdt open\n\
         status    ongoing\n\
         value     win in 5 plies for White\n\
         best      d@a1 d@a2\n\
         line      d@a1 b@b2 b@a3 d@b1 t@c3\n\
         method    exhaustive, 153 positions; verified by the reference engine, which went through 307\n"
    );
    let json = answer(&[&["solve", "start", "--format", "json"], &NOOK[..]].concat());
    assert_eq!(
        json,
        "{\"position\":\"3/3/3 w bdt bdt open\",\"status\":\"ongoing\",\"value\":\"win\",\"plies\":5,\
         \"best\":[\"d@a1\",\"d@a2\"],\"positions\":153,\"method\":\"exhaustive\",\"known\":\"value\",\
         \"line\":[\"d@a1\",\"b@b2\",\"b@a3\",\"d@b1\",\"t@c3\"],\"positions_verified\":307}\n"
    );
    let csv = answer(&[&["solve", "start", "--format", "csv"], &NOOK[..]].concat());
    assert_eq!(
        csv,
        "position,status,value,plies,best,positions,method,known,line,positions_verified,wins_by,losing,at_least,at_most,stopped,certificate\n\
         3/3/3 w bdt bdt open,ongoing,win,5,d@a1 d@a2,153,exhaustive,value,d@a1 b@b2 b@a3 d@b1 t@c3,307,,,,,,\n"
    );
    for method in ["exhaustive", "retrograde"] {
        let json = answer(&[&["solve", "start", "--format", "json", "--method", method], &NOOK[..]].concat());
        assert!(json.contains("\"value\":\"win\",\"plies\":5,\"best\":[\"d@a1\",\"d@a2\"]"), "{json}");
    }
}

#[test]
fn a_position_of_the_full_game_is_proven_by_the_choices_of_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, kept) = (path("c.jsonl"), path("kept"));
    let position = "c1k3/3KT1/1B3V/1f2G1/2p1C1/1o1g2 w dfhjopqy bdhjqtvy -";
    let prove = ["prove", position, "--out", &file];
    let made = answer(&[&prove[..], &["--method", "search"]].concat());
    assert!(
        made.contains("claim     loss for White\n") && made.contains(", the choices of a search; checked"),
        "{made}"
    );
    let checked = answer(&["check-proof", &file, "--about", position]);
    assert!(
        checked.starts_with("proven    loss for White\n") && checked.contains("alone or covered together"),
        "{checked}"
    );
    // The same from a search that keeps what it finds, which the next run goes on from.
    for note in ["", "resuming from"] {
        let ran = pods(&[&prove[..], &["--method", "search", "--checkpoint", &kept]].concat());
        assert_eq!(ran.status.code(), Some(0));
        assert!(String::from_utf8(ran.stderr).unwrap().contains(note));
        assert!(answer(&["check-proof", &file]).contains("loss for White"));
    }
    assert!(std::fs::read(&kept).is_ok_and(|kept| !kept.is_empty()));
    // A strategy has too many positions here: the search is the way that is left.
    let made = answer(&[&prove[..], &["--max-nodes", "100000", "--memory", "1MiB"]].concat());
    assert!(made.contains("the choices of a search"), "{made}");
    let few = answer(&[&prove[..], &["--method", "strategy", "--max-nodes", "1000"]].concat());
    assert!(few.contains("claim     unknown: stopped at the limit of 1,000 positions"), "{few}");
    let exact = refusal(&[&prove[..], &["--method", "search", "--exact"]].concat());
    assert!(exact.contains("leave --exact out"), "{exact}");
    let other = ["prove", position, "--out", &path("other"), "--rules", "advanced"];
    let moves = refusal(&[&other[..], &["--method", "search"]].concat());
    assert!(moves.contains("rules without moves and captures"), "{moves}");
    let few = answer(&[&prove[..], &["--method", "search", "--max-nodes", "20"]].concat());
    assert!(few.contains("claim     unknown: stopped at the limit of 20 nodes"), "{few}");
    // What was proven before is still there.
    assert!(answer(&["check-proof", &file]).starts_with("proven    loss for White\n"));
    // One byte changed is found, with its line.
    let mut changed = std::fs::read(&file).unwrap();
    let header = changed.iter().position(|&byte| byte == b'\n').unwrap();
    let middle = header + (changed.len() - header) / 2;
    changed[middle] ^= 1;
    std::fs::write(&file, changed).unwrap();
    let ran = pods(&["check-proof", &file]);
    let error = String::from_utf8(ran.stderr).unwrap();
    assert_eq!((ran.status.code(), ran.stdout.len()), (Some(1), 0), "{error}");
    assert!(error.contains(": section "), "{error}");
}

#[test]
fn solve_says_unknown_or_refuses_and_never_guesses() {
    let unknown = pods(&[&["solve", "start", "--format", "json", "--max-nodes", "5"], &NOOK[..]].concat());
    assert_eq!(unknown.status.code(), Some(0));
    let json = String::from_utf8(unknown.stdout).unwrap();
    assert!(json.contains("\"value\":\"unknown\",\"plies\":null,\"best\":[]"), "{json}");
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("limit of 5 nodes"));
    // No table fits the whole game: what is left is looking ahead, and the answer names both
    // limits.
    let text = answer(&["solve", "start", "--rules", "advanced", "--max-nodes", "1000"]);
    assert!(
        text.contains("value     unknown: stopped at the limit of 1,000 nodes") && text.contains("no memory suffices"),
        "{text}"
    );
    // One way that was asked for by name ends where its memory does.
    let named = ["solve", "start", "--rules", "advanced", "--memory", "1MiB", "--method", "retrograde"];
    let text = answer(&[&named, &NOOK[..]].concat());
    assert!(text.contains("value     unknown: stopped at the limit of 1.0 MiB of memory; raise --memory"), "{text}");
    // Without a name there is another way.
    let text = answer(&[&named[..6], &NOOK[..]].concat());
    assert!(text.contains("value     win in 5 plies for White"), "{text}");
    let row =
        answer(&["report", "--rules", "advanced", "--pods", "pods14", "--orientation", "0", "--max-nodes", "1000"]);
    assert!(row.lines().nth(1).unwrap().contains(",advanced,,,,,,,,,,"), "{row}");
    for (arguments, words) in [
        (vec!["solve", "start", "--method", "mirror"], "a half turn leaves as it is"),
        (vec!["solve", "start", "--rules", "advanced", "--method", "exhaustive"], "retrograde"),
        (vec!["solve", "start", "--memory", "much"], "no unit of memory"),
        (vec!["solve", "start", "--memory", "8 apples"], "no unit of memory"),
        (vec!["solve", "3/3/3 w bdt bdt open"], "R29"),
        (vec!["solve", "start", "--hands", "ft:"], "R9"),
        (vec!["report", "--board", "nowhere"], "neither a file nor a built-in board"),
        (vec!["report", "--rules", "standart"], "presets are"),
        (vec!["report", "--hands", "zz"], "has no pod z"),
        (vec!["report", "--orientation", "45"], "one of 0, 90, 180, 270"),
        (vec!["report", "--commit", "abc"], "--out"),
        (vec!["crosscheck", "--threads", "0"], "at least 1"),
    ] {
        let message = refusal(&arguments);
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

#[test]
fn the_report_of_a_setup_is_csv_with_a_row_per_orientation() {
    let report = ["report", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--rules", "standard"];
    let csv = answer(&report);
    assert_eq!(
        csv,
        "board,orientation,pods,white_hand,black_hand,rules,white_first,white_first_plies,black_first,black_first_plies,\
         outcome_class,winning_openings,drawing_openings,losing_openings,random_play_score,positions,method,verified,\
         white_first_certificate,black_first_certificate,unknown_openings,tempo,stopped\n\
         nook9,0,four,bdt,bdt,standard,win,5,loss,6,white,2,0,11,0.455068,510,exhaustive,reference,,,0,no,\n\
         nook9,90,four,bdt,bdt,standard,win,5,win,5,first,1,0,13,0.503104,630,exhaustive,reference,,,0,no,\n\
         nook9,180,four,bdt,bdt,standard,loss,6,win,5,black,0,0,14,0.485085,372,exhaustive,reference,,,0,no,\n\
         nook9,270,four,bdt,bdt,standard,win,5,win,5,first,1,0,11,0.487234,521,exhaustive,reference,,,0,no,\n"
    );
    let drawn = ["report", "--board", "ring8", "--pods", "trio", "--rules", "advanced", "--orientation", "90"];
    let csv = answer(&drawn);
    let row = csv.lines().nth(1).unwrap();
    // Random play may be endless here: the cell stays empty.
    assert_eq!(row, "ring8,90,trio,bdt,bdt,advanced,win,7,win,5,first,3,4,9,,82418,sweeps,reference,,,0,parity,");
    assert_eq!(csv.lines().count(), 2);
    let text = answer(&[&drawn[..], &["--format", "text"]].concat());
    assert!(text.contains("nothing here is about the printed board"), "{text}");
    let mirror = ["report", "--board", "mirror36", "--pods", "pods14", "--orientation", "0"];
    let row = answer(&mirror).lines().nth(1).unwrap().to_owned();
    // The theorem gives no distance: the cells stay empty.
    assert_eq!(
        row,
        "mirror36,0,pods14,bcdfghjkopqtvy,bcdfghjkopqtvy,standard,loss,,loss,,second,0,0,44,,1,mirror,theorem,,,0,parity,"
    );
}

#[test]
fn a_report_is_saved_with_a_manifest_that_fits_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new").join("folder");
    let report = ["report", "--board", "nook9", "--pods", "duo", "--rules", "very-advanced", "--commit", "c0ffee"];
    let csv = answer(&[&report[..], &["--out", out.to_str().unwrap()]].concat());
    assert_eq!(std::fs::read_to_string(out.join("balance.csv")).unwrap(), csv);
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("balance.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["sha256"], pods::files::sha256_hex(csv.as_bytes()));
    assert_eq!(manifest["rows"], 4);
    assert_eq!(manifest["commit"], "c0ffee");
    assert_eq!(manifest["rules"], serde_json::json!(["very-advanced"]));
    assert_eq!(manifest["inputs"][0]["name"], "nook9");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2, "no temporary file is left");
    // A folder that cannot be made.
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "").unwrap();
    let ran = pods(&[&report[..], &["--out", blocked.to_str().unwrap()]].concat());
    assert_eq!(ran.status.code(), Some(2));
}

#[test]
fn turning_the_board_by_180_degrees_swaps_the_colours_of_a_report() {
    let report = ["report", "--board", "den12", "--pods", "trio", "--rules", "standard", "--rules", "advanced"];
    let csv = answer(&report);
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    for block in rows.chunks(4) {
        for (here, there) in [(0, 2), (1, 3), (2, 0), (3, 1)] {
            assert_eq!(block[here][6..8], block[there][8..10], "{block:?}");
        }
    }
}

#[test]
fn the_committed_report_has_the_hash_of_its_manifest_and_the_setups_of_the_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/balance");
    let csv = std::fs::read(folder.join("balance.csv")).unwrap();
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("balance.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["sha256"], pods::files::sha256_hex(&csv));
    let rows: Vec<Vec<String>> = csv::Reader::from_reader(&csv[..])
        .into_records()
        .map(|record| record.unwrap().iter().take(6).map(str::to_owned).collect())
        .collect();
    let suite: Vec<Vec<String>> = pods::report::suite().into_iter().map(|setup| setup.record().cells()).collect();
    assert_eq!(rows, suite, "make it anew with scripts/results.sh balance");
    let page = std::fs::read(folder.join("balance.html")).unwrap();
    assert_eq!(
        manifest["page"],
        serde_json::json!({ "file": "balance.html", "sha256": pods::files::sha256_hex(&page) })
    );
    assert!(page.len() < 500_000, "{} bytes", page.len());
}

#[test]
fn the_cross_check_is_the_same_on_any_number_of_threads() {
    let one = answer(&["crosscheck", "--cases", "600", "--seed", "5", "--threads", "1"]);
    let two = answer(&["crosscheck", "--cases", "600", "--seed", "5", "--threads", "2"]);
    assert_eq!(one, two);
    assert!(one.starts_with("the engines agree\nseed       5\ncases      600\n"), "{one}");
}

#[test]
fn solve_searches_placement_games_and_forced_wins() {
    let found = answer(&[&["solve", "start", "--method", "search", "--format", "json"], &NOOK[..]].concat());
    assert!(found.contains("\"value\":\"win\",\"plies\":null,\"best\":[]") && found.contains("\"method\":\"search\""));
    let refused = refusal(&["solve", "start", "--method", "search", "--rules", "advanced"]);
    assert!(refused.contains("R14"), "{refused}");
    let forced = answer(&[&["solve", "start", "--max-plies", "5"], &NOOK[..]].concat());
    assert!(
        forced.contains("answer    win in 5 for White\nline      d@a1 ") && forced.contains("\nafter     "),
        "{forced}"
    );
    let none = answer(&[&["solve", "start", "--max-plies", "4"], &NOOK[..]].concat());
    assert!(none.contains("answer    no forced win within 4 plies\n"), "{none}");
    let limited = ["solve", "start", "--max-plies", "4", "--max-nodes", "1", "--format", "json"];
    let limited = answer(&[&limited[..], &NOOK[..]].concat());
    assert!(limited.contains("\"value\":\"unknown\"") && limited.contains("\"not_within\":"), "{limited}");
    assert!(!limited.contains("\"not_within\":4"), "{limited}");
}

/// Returns action, value, plies and next position of each row of `solve --every-action --format
/// csv`.
fn rows(csv: &str) -> Vec<(String, String, Option<u16>, String)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        (row[0].to_owned(), row[1].to_owned(), row[2].parse().ok(), row[7].to_owned())
    });
    rows.collect()
}

#[test]
fn every_action_has_the_value_of_the_position_after_it() {
    let text = answer(&["solve", "start", "--every-action", "--board", "nook9", "--pods", "four", "--hands", ":bdt"]);
    let best = answer(&["solve", "start", "--board", "nook9", "--pods", "four", "--hands", ":bdt"]);
    let value = |text: &str| text.lines().find_map(|line| Some(line.strip_prefix("value     ")?.to_owned())).unwrap();
    assert_eq!(value(&text).split(' ').next(), value(&best).split(' ').next(), "{text}{best}");
    for rules in ["standard", "advanced", "very-advanced"] {
        let setup = ["--board", "nook9", "--pods", "duo", "--rules", rules];
        let found = rows(&answer(&[&["solve", "start", "--every-action", "--format", "csv"], &setup[..]].concat()));
        let moves = answer(&[&["moves", "start", "--format", "csv"], &setup[..]].concat());
        let listed: Vec<&str> = moves.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
        assert_eq!(found.iter().map(|row| row.0.as_str()).collect::<Vec<_>>(), listed, "{rules}");
        for (action, value, plies, next) in found {
            let json: serde_json::Value =
                serde_json::from_str(&answer(&[&["solve", &next, "--format", "json"], &setup[..]].concat())).unwrap();
            let expected = match json["value"].as_str() {
                Some("win") => "loss",
                Some("loss") => "win",
                other => other.unwrap(),
            };
            let distance = json["plies"].as_u64().map(|plies| plies as u16 + 1);
            assert_eq!((value.as_str(), plies), (expected, distance), "{rules} {action} {next}");
        }
    }
}

#[test]
fn every_action_goes_on_from_a_checkpoint_and_says_what_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("start.search");
    let file = file.to_str().unwrap();
    let small = ["--board", "cave16", "--pods", "mini5", "--every-action", "--threads", "1", "--format", "csv"];
    let first = pods(&[&["search", "start", "--checkpoint", file], &small[..]].concat());
    let again = pods(&[&["search", "start", "--checkpoint", file], &small[..]].concat());
    let alone = answer(&[&["search", "start"], &small[..]].concat());
    let [first, again] = [first, again].map(|ran| {
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    });
    assert_eq!(rows(&first), rows(&again));
    assert_eq!(rows(&first), rows(&alone));
    let sum = |csv: &str| {
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        reader.records().map(|row| row.unwrap()[4].parse::<u64>().unwrap()).sum::<u64>()
    };
    assert!(sum(&again) < sum(&first), "{first}{again}");
    let open = answer(&["solve", "start", "--method", "search", "--every-action", "--max-nodes", "100"]);
    assert!(open.contains("value     unknown for White: 0 actions win, 0 draw, 0 lose, 51 unknown"), "{open}");
    assert!(open.contains("unknown   51 of 51: stopped at the limit of 100 nodes"), "{open}");
    assert!(refusal(&["solve", "-", "--every-action"]).contains("--every-action is for one position"));
}

#[test]
fn some_actions_have_the_values_that_they_have_among_all() {
    let setup = ["--board", "nook9", "--pods", "four", "--hands", ":bdt"];
    let ask = |more: &[&str]| answer(&[&["search", "start", "--every-action"], more, &setup[..]].concat());
    let all = rows(&ask(&["--format", "csv"]));
    let asked: Vec<_> = all.iter().step_by(3).collect();
    assert!(asked.len() > 1 && asked.len() < all.len());
    let names: Vec<&str> = asked.iter().map(|row| row.0.as_str()).rev().collect();
    let some = rows(&ask(&["--format", "csv", "--only", &names.join(",")]));
    assert_eq!(some.iter().collect::<Vec<_>>(), asked);
    // That some lose says nothing of the position.
    let losing: Vec<&str> = all.iter().filter(|row| row.1 == "loss").map(|row| row.0.as_str()).collect();
    let text = ask(&["--only", losing[0]]);
    let left = all.len() - 1;
    let value = format!("value     unknown for White: 0 actions win, 0 draw, 1 lose, 0 unknown, {left} not asked for");
    assert!(text.contains(&value), "{text}");
    let refused = |only: &str| refusal(&["search", "start", "--every-action", "--board", "nook9", "--only", only]);
    assert!(refused("b@z9").contains("--only: "), "{}", refused("b@z9"));
    assert!(refused("q@b2").contains("R9"), "{}", refused("q@b2"));
}

#[test]
fn a_search_begins_with_what_other_checkpoints_hold() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, all] = ["one", "two", "all"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let search = |more: &[&str]| {
        let ran = pods(&[&["search", "start", "--threads", "1", "--memory", "32MiB"], more].concat());
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stderr).unwrap()
    };
    search(&["--max-nodes", "20000", "--checkpoint", &one]);
    search(&["--max-nodes", "20000", "--every-action", "--only", "b@c4", "--checkpoint", &two]);
    let before = [&one, &two].map(|file| std::fs::read(file).unwrap());
    let known = |notes: &str| {
        let words = notes.lines().map(|line| line.split(" positions are known").next().unwrap());
        words.map(|line| line.rsplit(' ').next().unwrap().replace(',', "").parse().unwrap()).collect::<Vec<u64>>()
    };
    let from = ["--max-nodes", "1", "--checkpoint-from", &one, "--checkpoint-from", &two, "--checkpoint", &all];
    let notes = search(&from);
    let [first, both] = known(&notes)[..] else { panic!("{notes}") };
    assert!(first > 1_000 && both > first + 1_000, "{notes}");
    // Their nodes are not counted, so not twice by a second run either.
    let again = search(&from);
    assert!(again.contains("all: ") && known(&again)[2] >= both, "{again}");
    let nodes = again.lines().last().unwrap().split("known after ").nth(1).unwrap();
    assert!(["1 nodes", "2 nodes", "3 nodes"].contains(&nodes), "{again}");
    assert_eq!([&one, &two].map(|file| std::fs::read(file).unwrap()), before);
    for (wrong, words) in [(&all, "all"), (&folder.path().join("none").to_str().unwrap().to_owned(), "none: ")] {
        let error = refusal(&["search", "start", "--checkpoint", &all, "--checkpoint-from", wrong]);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn replies_that_refuted_actions_elsewhere_are_tried_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("replies.csv");
    let file = file.to_str().unwrap();
    let ask = |more: &[&str]| {
        let setup = ["--board", "cave16", "--pods", "mini5", "--every-action", "--threads", "1", "--format", "csv"];
        answer(&[&["search", "start"], &setup[..], more].concat())
    };
    let plain = ask(&[]);
    std::fs::write(file, &plain).unwrap();
    let told = ask(&["--replies", file]);
    assert_eq!(rows(&told), rows(&plain));
    let replies = |csv: &str| {
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        reader.records().map(|row| row.unwrap()[3].is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(replies(&told), replies(&plain));
    assert_ne!(told, plain, "as many nodes as without");
    // Replies that are illegal there, or lose, change no value.
    let bad: Vec<String> = rows(&plain).iter().map(|row| format!("{},o@a1\n{0},q@d4\n", row.0)).collect();
    std::fs::write(file, format!("action,reply\n{}", bad.concat())).unwrap();
    assert_eq!(rows(&ask(&["--replies", file])), rows(&plain));
    let refused = |text: &str| {
        std::fs::write(file, text).unwrap();
        refusal(&["search", "start", "--every-action", "--replies", file])
    };
    for (text, words) in [
        ("action,value\nb@b3,loss\n", "columns action and reply"),
        ("action,reply\nb@b3,q@a4\nb@z9,q@a4\n", "line 3: "),
        ("action,reply\nb@b3\n", "line 2: this row has 1 column, and the first line 2"),
    ] {
        let error = refused(text);
        assert!(error.contains(words) && error.contains(file), "{error}");
    }
    let missing = refusal(&["search", "start", "--every-action", "--replies", "no/such/file"]);
    assert!(missing.contains("no/such/file"), "{missing}");
}

#[test]
fn a_report_says_which_starts_have_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let [tables, proofs] = ["tables", "proofs"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    std::fs::create_dir(&tables).unwrap();
    let setup = ["--board", "ring8", "--pods", "duo", "--rules", "advanced"];
    let built = pods(&[&["table", "build", &format!("{tables}/small")], &setup[..]].concat());
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let asked = ["report", "--orientation", "0", "--tables", &tables, "--certificates", &proofs, "--format", "csv"];
    let ran = pods(&[&asked[..], &setup[..]].concat());
    let errors = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{errors}");
    for side in ["White", "Black"] {
        assert!(
            errors.contains(&format!("no certificate for {side} to start: its table was not checked in full")),
            "{errors}"
        );
    }
}

#[test]
fn a_forced_win_is_proven_where_a_table_would_be_too_large() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("win.jsonl").to_str().unwrap().to_owned();
    let setup = ["--board", "lair16", "--pods", "four", "--rules", "advanced", "--memory", "100MiB"];
    let prove = [&["prove", "start", "--out", &file][..], &setup].concat();
    let exact = answer(&[&prove[..], &["--exact"]].concat());
    assert!(exact.contains("claim     unknown: ") && !std::fs::exists(&file).unwrap(), "{exact}");
    let text = answer(&prove);
    assert!(text.contains("claim     win for White\n") && text.contains("the winner's strategy"), "{text}");
    assert!(answer(&["check-proof", &file]).contains("win for White"));
}
