//! The data dictionary: it names the columns that every command writes, and that the results have.

use std::collections::BTreeMap;
use std::path::Path;

use crate::run::{answer, run};

/// Returns columns by command, as `pods rules columns` lists them.
fn dictionary() -> BTreeMap<String, Vec<String>> {
    let record = |line: &str| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(record["kind"], "columns");
        let columns = record["columns"].as_array().unwrap();
        for column in columns {
            let meaning = column["meaning"].as_str().unwrap();
            assert!(meaning.len() > 5 && meaning.ends_with('.') && !meaning.contains('['), "{column}");
            assert!(!column["type"].as_str().unwrap().is_empty(), "{column}");
        }
        let names = columns.iter().map(|column| column["column"].as_str().unwrap().to_owned());
        (record["name"].as_str().unwrap().to_owned(), names.collect())
    };
    answer(&["rules", "columns", "--format", "json"], "").lines().map(record).collect()
}

#[test]
fn every_command_writes_the_columns_of_the_dictionary() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (table, games, play) = (path("small"), path("g.jsonl"), path("play"));
    let (proof, set, built) = (path("proof"), path("set"), path("built"));
    let small = ["--board", "nook9", "--pods", "duo"];
    let hands = ["--board", "nook9", "--pods", "duo", "--hands", "bt"];
    let csv = ["--format", "csv"];
    let engine = format!("{} engine", env!("CARGO_BIN_EXE_pods"));
    answer(&[&["table", "build", &table, "--rules", "advanced"], &small[..]].concat(), "");
    answer(&[&["oracle", "export", "--out", &set, "--count", "1"], &small[..]].concat(), "");
    answer(
        &[&["match", "random", "random", "--opening-plies", "1", "--pairs", "1", "--out", &games], &hands[..]].concat(),
        "",
    );
    let played = ["report", "play", "--strength", "1:1", "--opening-plies", "1"];
    let measures = ["report", "measures", "--orientation", "0", "--strength", "1:1"];
    let commands: &[(&str, &[&str], &[&str], bool)] = &[
        ("pods best", &["best", "start", "--max-nodes", "10"], &small, true),
        ("pods check", &["check"], &small, true),
        ("pods check --captions", &["check", "--captions"], &small, true),
        (
            "pods conform --keep-going",
            &["conform", "--keep-going", "--positions", "1", "--constructed", "0", "--engine", &engine],
            &[],
            true,
        ),
        ("pods crosscheck", &["crosscheck", "--cases", "1"], &[], true),
        ("pods explain", &["explain", "start"], &small, true),
        ("pods match", &["match", "random", "random", "--opening-plies", "1", "--pairs", "1"], &hands, true),
        ("pods moves", &["moves", "start"], &small, true),
        ("pods oracle check", &["oracle", "check", &set], &[], true),
        ("pods perft", &["perft", "start", "--depth", "1"], &small, true),
        ("pods perft --divide", &["perft", "start", "--depth", "1", "--divide"], &small, true),
        ("pods replay", &["replay", &games], &[], true),
        ("pods report", &["report"], &hands, true),
        ("pods report readings", &["report", "readings", "--orientation", "0"], &hands, true),
        ("pods report measures", &measures, &hands, true),
        ("pods report play", &played, &hands, true),
        ("pods solve", &["solve", "start"], &small, true),
        ("pods solve --every-action", &["solve", "start", "--every-action"], &small, true),
        ("pods solve --explain-method", &["solve", "start", "--explain-method"], &small, true),
        ("pods solve --max-plies", &["solve", "start", "--max-plies", "1"], &small, true),
        ("pods table build", &["table", "build", &built, "--rules", "advanced"], &small, true),
        ("pods table export", &["table", "export", &table], &[], false),
        ("pods table plan", &["table", "plan"], &small, true),
        ("pods table plan --processes", &["table", "plan", "--processes", "2"], &small, true),
        ("pods table probe", &["table", "probe", &table, "start"], &[], true),
        ("pods table stats", &["table", "stats", &table], &[], true),
        ("pods table verify", &["table", "verify", &table], &[], true),
    ];
    let mut dictionary = dictionary();
    for (name, command, setup, has_format) in commands {
        let Some(columns) = dictionary.remove(*name) else { panic!("{name} is not in the dictionary") };
        let args = [*command, *setup, if *has_format { &csv[..] } else { &[][..] }].concat();
        let ran = run(&args, "");
        let header = ran.out.lines().next().unwrap_or_default();
        assert_eq!(header, columns.join(","), "{name}: {}", ran.err);
        let fields = ran.out.lines().nth(1).map(csv_fields);
        assert!(fields.is_none_or(|fields| fields == columns.len()), "{name}: {}", ran.out);
    }
    // These have no CSV.
    let prove = ["prove", "start", "--exact", "--out", &proof];
    let check_proof = ["check-proof", &proof];
    for (name, command, setup) in [("pods prove", &prove[..], &small[..]), ("pods check-proof", &check_proof, &[])] {
        let json = answer(&[command, setup, &["--format", "json"]].concat(), "");
        assert!(has_fields(&json, &dictionary.remove(name).unwrap()), "{name}: {json}");
    }
    // Objects of JSON, and those in them.
    let json = |command: &[&str], setup: &[&str]| -> serde_json::Value {
        let text = answer(&[command, setup, &["--format", "json"]].concat(), "");
        serde_json::from_str(text.lines().next().unwrap()).unwrap()
    };
    let list = json(&["list"], &[]);
    let compared =
        json(&["report", "readings", "standard", "standard+placement-liberty=off", "--orientation", "0"], &hands);
    let position = json(&["explain", "start"], &small);
    let legal = json(&["explain", "1B1/2t/3 w t b -", "t@a3", "--rules", "advanced"], &small);
    let illegal = json(&["explain", "start", "t@a2"], &small);
    let leaves = json(&["explain", "T2/1b1/3 w b t -", "b@b3", "--rules", "advanced"], &small);
    let example = &compared["smallest"]["actions"];
    for (name, objects) in [
        ("pods list", vec![&list]),
        ("pods list, each of boards", vec![&list["boards"][0]]),
        ("pods list, each of pods", vec![&list["pods"][0]]),
        ("pods list, each of rules", vec![&list["rules"][0]]),
        ("pods list, each of options", vec![&list["options"][0]]),
        ("pods report readings A B", vec![&compared]),
        ("pods report readings A B, each of smallest", vec![example]),
        ("pods report readings A B, each of smallest.actions", vec![&example["actions"][0]]),
        (
            "pods report readings A B, a and b of smallest.actions",
            vec![&example["actions"][0]["a"], &example["actions"][0]["b"]],
        ),
        ("pods explain in JSON", vec![&position]),
        ("pods explain, an action", vec![&legal, &illegal]),
        ("pods explain, each of clauses", vec![&illegal["clauses"][0]]),
        ("pods explain, each of blocked", vec![&leaves["blocked"][0]]),
        ("pods explain, each of blocked.legs", leaves["blocked"][0]["legs"].as_array().unwrap().iter().collect()),
        ("pods explain, worth", vec![&position["worth"], &legal["worth"]]),
    ] {
        let mut columns: Vec<String> = dictionary.remove(name).unwrap_or_else(|| panic!("{name} is not documented"));
        let fields = objects.iter().flat_map(|object| object.as_object().unwrap_or_else(|| panic!("{name}")).keys());
        let mut fields: Vec<&String> = fields.collect();
        fields.sort();
        fields.dedup();
        columns.sort();
        // What a limit leaves out has a field of its own, which is not met here.
        columns.retain(|column| !(name == "pods explain, worth" && column == "stopped"));
        assert_eq!(fields, columns.iter().collect::<Vec<_>>(), "{name}");
    }
    answer(&[&measures[..], &hands, &["--out", &play]].concat(), "");
    let kept = std::fs::read_to_string(Path::new(&play).join("estimates.csv")).unwrap();
    let beside = "pods report measures, the file estimates.csv";
    assert_eq!(kept.lines().next().unwrap(), dictionary.remove(beside).unwrap().join(","));
    assert!(dictionary.is_empty(), "no command of this test writes {:?}", dictionary.keys());
}

fn csv_fields(line: &str) -> usize {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    reader.records().next().unwrap().unwrap().len()
}

/// Checks that the object has these fields and no others, in their order.
fn has_fields(json: &str, columns: &[String]) -> bool {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).unwrap();
    let places: Vec<_> = columns.iter().map(|column| json.find(&format!("\"{column}\":"))).collect();
    object.len() == columns.len() && places.is_sorted() && !places.contains(&None)
}

#[test]
fn json_has_the_same_fields_in_the_same_order() {
    let dictionary = dictionary();
    let small = ["--board", "nook9", "--pods", "duo"];
    let hands = ["--board", "nook9", "--pods", "duo", "--hands", "bt"];
    for (name, command, setup) in [
        ("pods report", &["report"][..], &hands[..]),
        ("pods report readings", &["report", "readings", "--orientation", "0"], &hands),
        ("pods best", &["best", "start", "--max-nodes", "10"], &small),
        ("pods match", &["match", "random", "random", "--opening-plies", "1", "--pairs", "1"], &hands),
        ("pods solve --every-action", &["solve", "start", "--every-action"], &small),
    ] {
        let json = answer(&[command, setup, &["--format", "json"]].concat(), "");
        assert!(has_fields(json.lines().next().unwrap(), &dictionary[name]), "{name}: {json}");
    }
}

/// Names that stand for two kinds of things, since each is the plain word for both.
const TWO_KINDS: [&str; 12] = [
    "actions",     // how many were compared, or those that differ
    "b",           // the rules B, or what they say of an action
    "difference",  // of two engines, or of two shares
    "explanation", // a sentence in a table, or a list of them in JSON
    "legs",        // of a set by their number, or of a blocked pod
    "options",     // of a rule set with their values, or all that there are
    "pods",        // the set's name, and in a row about a set how many it has
    "removed",     // letters in a table, or a list of them in JSON
    "returned",    // the same
    "rules",       // a rule set, or in the list all presets
    "value",       // of a position, or of a measure
    "white",       // White's pods, or the player who has White
];

#[test]
fn a_name_stands_for_one_kind_of_thing() {
    let mut kinds: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for line in answer(&["rules", "columns", "--format", "json"], "").lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        for column in record["columns"].as_array().unwrap() {
            let text = |key: &str| column[key].as_str().unwrap().to_owned();
            let kind = text("type").trim_end_matches(" or empty").to_owned();
            kinds.entry(text("column")).or_default().entry(kind).or_default().push(record["name"].to_string());
        }
    }
    assert!(kinds.len() > 200, "{}", kinds.len());
    for (name, kinds) in kinds {
        assert_eq!(kinds.len() > 1, TWO_KINDS.contains(&&*name), "{name}: {kinds:?}");
    }
}

#[test]
fn columns_mean_the_same_everywhere() {
    let setup = ["board", "orientation", "pods", "white_hand", "black_hand", "rules"];
    for (command, columns) in dictionary() {
        let has = |name: &str| columns.iter().any(|column| column == name);
        // A row about a position need not name the hands at the start.
        if has("board") && !has("position") {
            assert_eq!(columns[..6], setup, "{command}");
        }
        // A value comes with the method that found it; tables, certificates and measurements have
        // one.
        let one_method = ["table export", "table probe", "prove", "check-proof"];
        if has("value") && !one_method.iter().any(|of| command == format!("pods {of}")) {
            assert!(has("method"), "{command}");
        }
    }
}

#[test]
fn the_results_have_the_columns_of_the_dictionary() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let dictionary = dictionary();
    let mut checked = 0;
    let mut check = |path: &Path, command: &str| {
        let text = std::fs::read_to_string(path).unwrap();
        let header = text.lines().next().unwrap().trim_end();
        assert_eq!(header, dictionary[command].join(","), "{}", path.display());
        checked += 1;
    };
    for (file, command) in [
        ("balance/balance.csv", "pods report"),
        ("readings/readings.csv", "pods report readings"),
        ("full-advanced/played.csv", "pods report play"),
        ("measures/measures.csv", "pods report measures"),
        ("measures/estimates.csv", "pods report measures, the file estimates.csv"),
        ("measures/crowded/measures.csv", "pods report measures"),
        ("measures/full/measures.csv", "pods report measures"),
        ("player/by-time.csv", "pods match"),
        ("player/by-nodes.csv", "pods match"),
    ] {
        check(&results.join(file), command);
    }
    for folder in std::fs::read_dir(results.join("tables")).unwrap().map(|entry| entry.unwrap().path()) {
        let files = std::fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "csv")) {
            if std::fs::read_to_string(&file).unwrap().starts_with("white,black,to_move,") {
                check(&file, "pods table stats");
            }
        }
    }
    assert!(checked > 100, "{checked}");
}
