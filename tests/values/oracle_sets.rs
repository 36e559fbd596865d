//! Oracle sets: the committed ones hold, new ones are the same for the same seed, and no damage
//! goes unseen.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{builtin_game, program, to};
use pods::oracle::check::{CheckError, check, read_lines, read_manifest};
use pods::oracle::export::{MANIFEST, POSITIONS, Spec, export};
use pods::position::{Game, Setup};
use pods::progress::Silent;
use pods::rules::Preset;

fn spec(game: Game, seed: u64, count: u64, solve: Option<u64>) -> Spec {
    Spec::new(Setup::whole(game)).with_seed(seed).with_count(count).with_solve(solve)
}

#[test]
fn the_committed_sets_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/oracle");
    let mut sets: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    sets.retain(|path| path.is_dir());
    sets.sort();
    let mut rules: Vec<String> = Vec::new();
    for set in &sets {
        let manifest = check(set, None, &Silent).unwrap_or_else(|error| panic!("{error}"));
        assert!(manifest.positions.lines > 100, "{}", set.display());
        rules.push(manifest.rules_name);
    }
    rules.sort();
    let mut presets = Preset::ALL.map(|preset| preset.name().to_owned());
    presets.sort();
    assert_eq!(rules, presets);
}

#[test]
fn the_same_seed_gives_the_same_set_compressed_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let game = builtin_game("ring8", 0, "four", "advanced");
    let made = |name: &str, seed, compressed| {
        let out = folder.path().join(name);
        export(&spec(game.clone(), seed, 3, Some(20_000)), None, to(&out), compressed, &Silent).unwrap()
    };
    let (one, two, zstd, other) = (made("1", 5, false), made("2", 5, false), made("3", 5, true), made("4", 6, false));
    assert_eq!(one, two);
    assert_eq!(one.positions.sha256, zstd.positions.sha256);
    assert_ne!(one.positions.sha256, other.positions.sha256);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("1/positions.jsonl"), read("2/positions.jsonl"));
    assert!(read("3/positions.jsonl.zst").len() * 3 < read("1/positions.jsonl").len());
    for name in ["1", "3", "4"] {
        let checked = check(&folder.path().join(name), None, &Silent).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(checked.kinds, if name == "4" { other.kinds.clone() } else { one.kinds.clone() });
    }
    let drawn = one.kinds.iter().find(|kind| kind.kind == "draw").unwrap();
    assert_eq!(drawn.positions, 3, "the ring has draws under `advanced`");
    // A cut compressed file.
    let path = folder.path().join("3/positions.jsonl.zst");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let error = check(&folder.path().join("3"), None, &Silent).unwrap_err().to_string();
    assert!(error.contains("line ") && error.contains("cut off"), "{error}");
}

#[test]
fn a_set_that_is_not_whole_is_not_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let game = builtin_game("ring8", 0, "four", "advanced");
    let whole = export(&spec(game, 5, 3, None), None, to(&folder.path().join("set")), false, &Silent).unwrap();
    let set = folder.path().join("set");
    let read = || {
        let (_, lines) = read_lines(&set).unwrap();
        lines.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())
    };
    assert_eq!(read().unwrap().len() as u64, whole.positions.lines);
    let path = set.join(POSITIONS);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let half = lines.len() / 2;
    let last = lines[lines.len() - 1];
    let other = last.replacen("\"status\":\"", "\"status\":\"x", 1);
    for (changed, at, words) in [
        (lines[..half].join("\n") + "\n", half + 1, "the file is cut off"),
        (format!("{text}{last}\n"), lines.len() + 1, "lines were added or repeated"),
        (text.replacen(last, &other, 1), lines.len(), "SHA-256"),
    ] {
        fs::write(&path, changed).unwrap();
        let error = read().unwrap_err();
        assert!(error.contains(&format!("line {at}: ")) && error.contains(words), "{error}");
    }
}

#[test]
fn damage_is_refused_with_line_and_cause() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    let game = builtin_game("nook9", 0, "four", "advanced");
    let manifest = export(&spec(game, 1, 2, Some(3000)), None, to(&set), false, &Silent).unwrap();
    let path = set.join(POSITIONS);
    let good = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    assert_eq!(lines.len() as u64, manifest.positions.lines);
    let text = |lines: &[&str]| lines.join("\n") + "\n";
    let refused = |name: &str, content: String| {
        assert_ne!(content, good, "{name}");
        fs::write(&path, content).unwrap();
        match check(&set, None, &Silent) {
            Err(CheckError::Wrong { line, cause, .. }) => (line, cause),
            other => panic!("{name}: {other:?}"),
        }
    };
    let n = lines.len() as u64;
    let expect = |name: &str, content: String, at: u64, words: &str| {
        let (line, cause) = refused(name, content);
        assert_eq!(line, at, "{name}: {cause}");
        assert!(cause.contains(words), "{name}: {cause}");
    };
    expect("last line missing", text(&lines[..lines.len() - 1]), n, "cut off");
    expect("half a line missing", good[..good.len() - 40].to_owned(), n, "cut off");
    let mut swapped = lines.clone();
    swapped.swap(4, 5);
    expect("reordered", text(&swapped), 5, "reordered");
    let mut doubled = lines.clone();
    doubled.insert(4, lines[3]);
    expect("duplicated", text(&doubled), 5, "repeated");
    doubled = [&lines[..], &[lines[3]]].concat();
    expect("added", text(&doubled), n + 1, "manifest ends");
    let changed = |at: usize, from: &str, to: &str| {
        let line = lines[at].replacen(from, to, 1);
        assert_ne!(line, lines[at]);
        let mut all = lines.clone();
        all[at] = &line;
        text(&all)
    };
    expect("status", changed(0, "ongoing", "white_won"), 1, "status: the rules give ongoing");
    expect("an action gone", changed(0, lines[0].split_inclusive("},").nth(1).unwrap(), ""), 1, "actions, entry 2");
    expect("a blank", changed(2, "\":", "\": "), 3, "written");
    let wrong_clause = if lines[0].contains("\"R13\"") { ("\"R13\"", "\"R12\"") } else { ("\"R9\"", "\"R10\"") };
    expect("clause", changed(0, wrong_clause.0, wrong_clause.1), 1, " is illegal by R");
    let solved = lines.iter().position(|line| line.contains("\"value\":\"win\"")).unwrap();
    expect("value", changed(solved, "\"win\"", "\"draw\""), solved as u64 + 1, "value");
    // True in itself, but not what was written.
    let kind = lines[6].rsplit("\"kind\":\"").next().unwrap().split('"').next().unwrap();
    expect("kind", changed(6, &format!("\"kind\":\"{kind}\""), "\"kind\":\"shove\""), 7, "SHA-256");
    // Any byte of the first lines.
    for at in (0..lines[0].len() + lines[1].len()).step_by(29) {
        let mut bytes = good.clone().into_bytes();
        bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
        let (line, cause) = refused(&format!("byte {at}"), String::from_utf8(bytes).unwrap());
        assert!((1..=2).contains(&line), "byte {at}: line {line}: {cause}");
    }
    fs::write(&path, &good).unwrap();
    check(&set, None, &Silent).unwrap();
    // The manifest.
    let path = set.join(MANIFEST);
    let good = fs::read_to_string(&path).unwrap();
    for (from, to) in [
        ("pods-oracle", "pods-oracles"),
        ("\"version\": 1", "\"version\": 2"),
        ("\"positions.jsonl\"", "\"../positions.jsonl\""),
        ("\"captures\": \"every-turn\"", "\"captures\": \"sometimes\""),
        ("\"b3\"", "\"b9\""),
    ] {
        assert!(good.contains(from), "{from}");
        fs::write(&path, good.replacen(from, to, 1)).unwrap();
        let error = check(&set, None, &Silent).unwrap_err();
        assert!(matches!(error, CheckError::Unreadable { .. }), "{from}: {error}");
    }
    let manifest: serde_json::Value = serde_json::from_str(&good).unwrap();
    let count = manifest["count"].as_u64().unwrap();
    let last = manifest["kinds"].as_array().unwrap().len() - 1;
    let none = manifest["kinds"].as_array().unwrap().iter().position(|kind| kind["positions"] == 0).unwrap();
    type Alteration<'a> = (&'a str, &'a dyn Fn(&mut serde_json::Value));
    let altered: &[Alteration<'_>] = &[
        ("count is", &|m| m["count"] = (count + 1).into()),
        ("count is", &|m| m["count"] = (count - 1).into()),
        ("the notes", &|m| m["notes"][0] = "believe me".into()),
        ("the notes", &|m| m["notes"] = serde_json::json!([])),
        ("kinds has", &|m| drop(m["kinds"].as_array_mut().unwrap().remove(none))),
        ("kinds has", &|m| drop(m["kinds"].as_array_mut().unwrap().remove(last))),
        ("kinds has", &|m| m["kinds"][0]["positions"] = 7.into()),
        ("kinds has", &|m| m["kinds"][1]["kind"] = "other".into()),
        ("rules_name", &|m| m["rules_name"] = "standard".into()),
        ("seed is 2, which does not give line 2", &|m| m["seed"] = 2.into()),
        ("seed is", &|m| m["seed"] = u64::MAX.into()),
    ];
    for (words, alter) in altered {
        let mut manifest = manifest.clone();
        alter(&mut manifest);
        fs::write(&path, serde_json::to_string_pretty(&manifest).unwrap()).unwrap();
        let error = check(&set, None, &Silent).unwrap_err();
        assert!(matches!(error, CheckError::Manifest { .. }) && error.to_string().contains(words), "{words}: {error}");
    }
    fs::write(&path, good.replacen("\"captures\": \"every-turn\"", "\"captures\": \"never\"", 1)).unwrap();
    assert!(matches!(check(&set, None, &Silent), Err(CheckError::Wrong { .. })));
    assert!(read_manifest(&folder.path().join("nowhere")).is_err());
}

#[test]
fn the_commands_say_how_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set.zst");
    let pods = |args: &[&str]| {
        let ran = program().args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (ran.status.code().unwrap(), text(ran.stdout), text(ran.stderr))
    };
    let out = set.to_str().unwrap();
    let setup = ["--board", "nook9", "--pods", "duo", "--rules", "advanced-dutch", "--count", "2"];
    let (code, said, err) = pods(&[&["oracle", "export", "--out", out], &setup[..]].concat());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        said.starts_with("opening                   2\n") && said.contains("\nillegal-R14               0\n"),
        "{said}"
    );
    let lines = said.lines().last().unwrap().split_whitespace().last().unwrap();
    assert_eq!(
        pods(&["oracle", "check", out]),
        (0, format!("{out}: {lines} positions, all as the rules say\n"), String::new())
    );
    // The name asks for compression.
    let path = set.join("positions.jsonl.zst");
    let text = zstd::decode_all(&fs::read(&path).unwrap()[..]).unwrap();
    let text = String::from_utf8(text).unwrap().replacen("\"ongoing\"", "\"black_won\"", 1);
    fs::write(&path, zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
    let (code, said, err) = pods(&["oracle", "check", out]);
    assert_eq!((code, said.as_str()), (1, ""));
    assert!(err.contains("positions.jsonl.zst, line 1: status: the rules give"), "{err}");
    let (code, _, err) = pods(&["oracle", "check", folder.path().to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(err.contains("manifest.json"), "{err}");
    // A hand without a bipod cannot open (R9).
    let (code, _, err) = pods(&[&["oracle", "export", "--out", out, "--hands", "t:"], &setup[..]].concat());
    assert_eq!(code, 2);
    assert!(err.contains("R9"), "{err}");
}
