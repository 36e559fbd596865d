//! `pods report measures`: rows, files, and what is refused.

use std::fs;
use std::path::Path;

use pods::files::Record as _;
use pods::files::sha256_hex;
use pods::report::measures::{EstimateRow, Measure, MeasureRow};

use crate::run::{answer, run};

const SETUP: [&str; 10] =
    ["report", "measures", "--board", "ring8", "--pods", "duo", "--rules", "advanced", "--orientation", "90"];
const SAMPLE: [&str; 6] = ["--strength", "30", "--count", "4", "--max-plies", "20"];

fn measured(more: &[&str]) -> String {
    answer(&[&SETUP[..], &SAMPLE, more].concat(), "")
}

#[test]
fn the_same_figures_come_as_rows_as_objects_and_as_text() {
    let csv = measured(&["--format", "csv"]);
    assert_eq!(csv.lines().next().unwrap(), MeasureRow::header().join(","));
    let json = measured(&["--format", "json", "--threads", "1"]);
    assert_eq!(json.lines().count(), csv.lines().count() - 1);
    let rows = csv::Reader::from_reader(csv.as_bytes()).into_records();
    let mut plays = Vec::new();
    for (row, object) in rows.map(Result::unwrap).zip(json.lines()) {
        let object: serde_json::Value = serde_json::from_str(object).unwrap();
        for (name, cell) in MeasureRow::header().into_iter().zip(&row) {
            let cell_of_object = match &object[name] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                number => number.to_string(),
            };
            let same = match (cell.parse::<f64>(), cell_of_object.parse::<f64>()) {
                (Ok(cell), Ok(of_object)) => cell == of_object,
                _ => cell == cell_of_object,
            };
            assert!(same, "{name} of {object}");
        }
        let play = format!("{} {}", &row[6], &row[13]);
        if !plays.contains(&play) {
            plays.push(play);
        }
    }
    assert_eq!(plays, ["optimal exact", "random exact", "strong-30 sampled", "strong-30 estimated"]);
    let text = measured(&["--format", "text"]);
    assert!(text.starts_with("ring8 at 90°, duo: both bt; advanced\n"), "{text}");
    let heads = text.lines().nth(1).unwrap().split_whitespace();
    assert_eq!(heads.collect::<Vec<_>>(), ["optimal", "random", "strong-30*", "strong-30?"]);
    assert!(text.contains("\n  AdvantageP1 ") && text.contains("drawn after 20 plies"), "{text}");
}

#[test]
fn files_name_each_other_and_are_made_again_alike() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("measures");
    let save = || measured(&["--format", "csv", "--out", out.to_str().unwrap(), "--commit", "abc"]);
    let csv = save();
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("measures.csv"), csv);
    let (beside, manifest) = (read("estimates.csv"), read("measures.manifest.json"));
    assert_eq!(beside.lines().next().unwrap(), EstimateRow::header().join(","));
    let said: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!((&said["sha256"], &said["seed"]), (&sha256_hex(csv.as_bytes()).into(), &0.into()));
    assert_eq!(said["estimates"]["sha256"], sha256_hex(beside.as_bytes()));
    assert_eq!((&said["horizon"], &said["methods"][2]), (&20.into(), &"estimated".into()));
    save();
    assert_eq!((read("estimates.csv"), read("measures.manifest.json")), (beside, manifest));
    fs::write(out.join("estimates.csv"), "mine").unwrap();
    let refused = run(&[&SETUP[..], &SAMPLE, &["--out", out.to_str().unwrap()]].concat(), "");
    assert!(refused.code == 2 && refused.err.contains("estimates.csv"), "{}", refused.err);
}

#[test]
fn pictures_stand_in_the_manifest_and_are_made_again_alike() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("measures");
    let save = || measured(&["--pictures", "--format", "text", "--out", out.to_str().unwrap()]);
    save();
    let said = || -> serde_json::Value {
        serde_json::from_slice(&fs::read(out.join("measures.manifest.json")).unwrap()).unwrap()
    };
    let manifest = said();
    let names = ["01-ring8-90-advanced-plies.svg", "01-ring8-90-advanced-points.svg"];
    for (name, cited) in names.iter().zip(manifest["pictures"].as_array().unwrap()) {
        let picture = fs::read(out.join(name)).unwrap();
        assert_eq!((&cited["file"], &cited["sha256"]), (&(*name).into(), &sha256_hex(&picture).into()));
        roxmltree::Document::parse(std::str::from_utf8(&picture).unwrap()).unwrap();
    }
    save();
    assert_eq!(said(), manifest);
    fs::write(out.join(names[1]), "mine").unwrap();
    let again = [&SETUP[..], &SAMPLE, &["--pictures", "--out", out.to_str().unwrap()]].concat();
    let refused = run(&again, "");
    assert!(refused.code == 2 && refused.err.contains(names[1]), "{}", refused.err);
}

#[test]
fn what_has_no_part_in_measures_is_refused() {
    for (more, words) in [
        (&["--format", "html"][..], "measures have no page"),
        (&["--pictures"], "--out"),
        (&["--strength", "30", "--strength", "30:2"], "given twice"),
    ] {
        let ran = run(&[&["report", "measures", "--board", "ring8", "--pods", "duo"], more].concat(), "");
        assert!(ran.code == 2 && ran.err.contains(words), "{more:?}: {}", ran.err);
    }
}

/// A name of a file has at most 255 bytes on most systems, and that of a board may be longer.
#[test]
fn pictures_of_boards_with_long_names_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (board, out) = (folder.path().join("board.toml"), folder.path().join("out"));
    let text = answer(&["new", "board", "3x3"], "").replacen("name = \"", &format!("name = \"{}", "a".repeat(300)), 1);
    fs::write(&board, text).unwrap();
    let setup = ["report", "measures", "--pictures", "--pods", "duo", "--orientation", "0", "--strength", "5:2"];
    let files = ["--board", board.to_str().unwrap(), "--out", out.to_str().unwrap()];
    answer(&[&setup[..], &files].concat(), "");
    let pictures = fs::read_dir(&out)
        .unwrap()
        .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "svg"));
    assert_eq!(pictures.count(), 2);
}

/// Reads a file of results.
fn result(folder: &str, name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(folder).join(name)).unwrap()
}

#[test]
fn committed_measures_have_the_hash_of_their_manifest_and_all_measures() {
    for folder in ["measures", "measures/crowded"] {
        let csv = result(folder, "measures.csv");
        let manifest: serde_json::Value = serde_json::from_slice(&result(folder, "measures.manifest.json")).unwrap();
        assert_eq!(manifest["sha256"], sha256_hex(&csv), "{folder}");
        assert_eq!(manifest["estimates"]["sha256"], sha256_hex(&result(folder, "estimates.csv")), "{folder}");
        let mut names = Vec::new();
        for row in csv::Reader::from_reader(&csv[..]).into_records().map(Result::unwrap) {
            if !names.contains(&row[7].to_owned()) {
                names.push(row[7].to_owned());
            }
        }
        assert!(Measure::ALL.iter().all(|measure| names.contains(&measure.name().to_owned())), "{folder}: {names:?}");
    }
}

#[test]
fn committed_measures_of_full_size_name_players_and_intervals() {
    let csv = result("measures/full", "measures.csv");
    let manifest: serde_json::Value =
        serde_json::from_slice(&result("measures/full", "measures.manifest.json")).unwrap();
    assert_eq!(manifest["sha256"], sha256_hex(&csv));
    for picture in manifest["pictures"].as_array().unwrap() {
        let file = result("measures/full", picture["file"].as_str().unwrap());
        assert_eq!(picture["sha256"], sha256_hex(&file), "{picture}");
    }
    let (mut setups, mut trace) = (std::collections::BTreeSet::new(), 0);
    for row in csv::Reader::from_reader(&csv[..]).into_records().map(Result::unwrap) {
        setups.insert((row[5].to_owned(), row[1].to_owned()));
        assert!(row[6] == *"random" || row[6].starts_with("strong-"), "{row:?}");
        assert!(!row[14].is_empty() && row[13] != *"exact", "{row:?}");
        // Shares of games have an interval whatever they are.
        if ["AdvantageP1", "Drawishness", "SkillTrace", "SkillTraceDrawn"].contains(&&row[7]) {
            let [value, low, high] = [10, 11, 12].map(|cell| row[cell].parse::<f64>().unwrap());
            assert!(low <= value && value <= high && low < high, "{row:?}");
        }
        trace += usize::from(row[7] == *"SkillTrace");
    }
    assert_eq!((setups.len(), trace), (24, 24 * manifest["doublings"].as_u64().unwrap() as usize));
}
