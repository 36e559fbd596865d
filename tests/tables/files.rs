//! Table files: what is read back and what is refused.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::{build_options, index_of_all, program};
use pods::engine::Bitboard;
use pods::material::{PodSet, Side, builtin_board, builtin_pods};
use pods::position::{Game, Hand, Position, Setup};
use pods::rules::{Captures, Preset, RuleSet};
use pods::solver::{Limits, Retrograde, Silent};
use pods::table::{
    BuildOptions, Index, Place, Solved, Sweeps, Table, TableError, Verification, VerifyError, build, held, table_path,
    verify_codes,
};

use tempfile::tempdir;

fn game(board: &str, pods: &str, rules: RuleSet) -> (Game, [Hand; 2]) {
    let pods: PodSet = builtin_pods(pods).unwrap();
    let hand = Hand::whole(&pods);
    (Game::new(builtin_board(board).unwrap(), pods, rules), [hand, hand])
}

fn options() -> BuildOptions {
    BuildOptions { checkpoint: Duration::ZERO, ..build_options() }
}

fn made(name: &Path, game: &Game, hands: &[Hand; 2]) -> Table {
    build(&Setup::new(game.clone(), hands), name, options(), &Silent).unwrap();
    Table::open(name).unwrap()
}

/// Returns every consistent position with pods of these hands in the game, blocked ones too, but
/// for those finished by an empty hand.
fn every_position(game: &Game, hands: &[Hand; 2]) -> Vec<Position> {
    let index = index_of_all(game, hands);
    let mut all = Vec::new();
    for (tier, of) in index.tiers().iter().enumerate() {
        for (row, cell) in (0..of.rows()).flat_map(|row| (0..index.points() as u8).map(move |cell| (row, cell))) {
            let place = Place { tier, row, cell };
            all.extend(Side::BOTH.into_iter().filter_map(|side| index.position(place, side)));
        }
    }
    all
}

#[test]
fn a_table_answers_for_every_position_as_the_retrograde_solver_does_under_every_preset() {
    let folder = tempdir().unwrap();
    for preset in Preset::ALL {
        let (game, hands) = game("ring8", "duo", preset.into());
        let table = made(&folder.path().join(preset.name()), &game, &hands);
        let fast = Bitboard::new(game.clone());
        let mut reader = table.reader().unwrap();
        let (mut compared, mut not_held) = (0, 0);
        let mut all = every_position(&game, &hands);
        assert_eq!(all.len() as u64, table.index().positions(), "{preset:?}");
        all.extend(Side::BOTH.map(|first| game.start(hands[0], hands[1], first).unwrap()));
        let roots: Vec<&Position> = all.iter().collect();
        let solved = Retrograde::build(&fast, &roots, Limits::default(), &Silent).unwrap();
        solved.for_each(|position, value| {
            assert_eq!(reader.value(&position).unwrap(), value, "{preset:?} {}", position.display(&game));
            compared += 1;
            not_held += usize::from(table.index().find(&position).is_none());
        });
        assert!(compared >= all.len(), "{preset:?}: {compared}");
        let captures = game.rules().options().captures == Captures::EveryTurn;
        assert!(!captures || not_held > 500, "{preset:?}: {not_held} of {compared}");
        let every = Verification { fast_every: 1, reference_every: 1 };
        let verified = table.verify(every, &Silent).unwrap();
        assert_eq!((verified.fast, verified.reference), (held(table.index()), held(table.index())));
    }
}

#[test]
fn a_probe_values_every_action() {
    let folder = tempdir().unwrap();
    let (game, hands) = game("nook9", "duo", Preset::Advanced.into());
    let table = made(&folder.path().join("t"), &game, &hands);
    let mut reader = table.reader().unwrap();
    let start = game.start(hands[0], hands[1], Side::White).unwrap();
    let probe = reader.probe(&start).unwrap();
    let values = probe.actions.iter().map(|(_, value)| *value);
    assert_eq!(Some(probe.value), values.max());
    // Only bipods may open (R9).
    assert!(probe.actions.iter().all(|(a, _)| a.display(&game).to_string().starts_with(|c| "bd".contains(c))));
}

#[test]
fn any_flipped_byte_is_found() {
    let folder = tempdir().unwrap();
    let (game, hands) = game("ring8", "duo", Preset::Advanced.into());
    let name = folder.path().join("t");
    made(&name, &game, &hands);
    {
        let path = table_path(&name);
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&path, &bad).unwrap();
            let found = match Table::open(&name) {
                Err(error) => error,
                Ok(table) => match table.verify(Verification { fast_every: 0, reference_every: 0 }, &Silent) {
                    Err(VerifyError::Table(error)) => error,
                    other => panic!("byte {at} of {path:?}: {other:?}"),
                },
            };
            assert!(found.to_string().contains(path.to_str().unwrap()), "{found}");
        }
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(Table::open(&name).is_err());
        fs::write(&path, &bytes).unwrap();
    }
    Table::open(&name).unwrap();
}

#[test]
fn tables_of_another_setup_version_or_size_are_refused_by_cause() {
    let folder = tempdir().unwrap();
    let (one, hands) = game("ring8", "duo", Preset::Advanced.into());
    let name = folder.path().join("t");
    made(&name, &one, &hands);
    Table::open(&name).and_then(|table| table.of(&Setup::new(one.clone(), hands))).unwrap();
    let refused = |game: &Game, hands: &[Hand; 2]| {
        Table::open(&name).and_then(|table| table.of(&Setup::new(game.clone(), hands))).unwrap_err().to_string()
    };
    let (other, _) = game("nook9", "duo", Preset::Advanced.into());
    assert!(refused(&other, &hands).contains("its board is ring8"), "{}", refused(&other, &hands));
    let (other, _) = game("ring8", "duo", Preset::AdvancedDutch.into());
    assert!(refused(&other, &hands).contains("its rules are advanced, not advanced-dutch"));
    assert!(refused(&one, &[hands[0], Hand::parse("b", one.pods()).unwrap()]).contains("its hands are"));
    let missing = Table::open(&folder.path().join("none")).unwrap_err().to_string();
    assert!(missing.contains("none.pods-table"), "{missing}");
    let path = table_path(&name);
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 1;
    fs::write(&path, &bytes).unwrap();
    let old = Table::open(&name).unwrap_err().to_string();
    assert!(old.contains("version 1") && old.contains("release 0.3.0 reads it"), "{old}");
    // The two files of those releases.
    for ending in ["pods-plies", "pods-outcomes"] {
        let other = folder.path().join(format!("old-{ending}"));
        fs::copy(&path, other.with_extension(ending)).unwrap();
        let old = Table::open(&other).unwrap_err().to_string();
        assert!(old.contains(ending) && old.contains("release 0.3.0 reads it"), "{old}");
    }
    let small = BuildOptions { memory: 1 << 20, ..options() };
    let error = build(&Setup::new(one.clone(), hands), &folder.path().join("u"), small, &Silent).unwrap_err();
    assert!(matches!(error, TableError::Memory { .. }), "{error}");
    assert!(!folder.path().join("u.building").exists());
}

#[test]
fn a_changed_value_fails_the_verification() {
    let (game, hands) = game("nook9", "duo", Preset::Advanced.into());
    let engine = Bitboard::new(game.clone());
    let solved =
        Solved::solve(&engine, Index::new(&Setup::new(game.clone(), hands)).unwrap(), Sweeps::BitParallel, |_, _| ());
    let every = Verification { fast_every: 1, reference_every: 1 };
    verify_codes(&engine, &solved.index, &solved.tiers, every, &Silent).unwrap();
    let tier = solved.tiers.len() - 1;
    let used: Vec<usize> = (0..solved.tiers[tier][0].len()).filter(|&c| solved.tiers[tier][0].get(c) > 0).collect();
    for &cell in used.iter().step_by(used.len() / 20 + 1) {
        for code in [0, 1, 2, 3, 4] {
            let mut bad = solved.tiers.clone();
            let mut low = bad[tier][0].low().to_vec();
            if low[cell] == code {
                continue;
            }
            low[cell] = code;
            bad[tier][0] = pods::table::Codes::from_bytes(low, Vec::new());
            for what in
                [Verification { fast_every: 1, reference_every: 0 }, Verification { fast_every: 0, reference_every: 1 }]
            {
                assert!(verify_codes(&engine, &solved.index, &bad, what, &Silent).is_err(), "{cell} {code}");
            }
        }
    }
}

/// Runs `pods table` and returns its standard output.
fn pods_table(args: &[&str]) -> String {
    let ran = program().arg("table").args(args).output().unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn the_commands_of_tables_answer() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t").to_str().unwrap().to_owned();
    let setup = ["--board", "ring8", "--pods", "duo", "--rules", "advanced"];
    let plan = pods_table(&[&["plan", "--tiers", "--format", "csv"], &setup[..]].concat());
    let counted: u64 = plan.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().parse::<u64>().unwrap()).sum();
    let built = pods_table(&[&["build", &name], &setup[..]].concat());
    assert!(built.contains("9 tiers") && built.contains("a position held"), "{built}");
    let again = pods_table(&[&["build", &name], &setup[..]].concat());
    assert!(again.contains("is there already"), "{again}");
    assert!(pods_table(&["verify", &name, "--reference-every", "1"]).contains("every byte and the values of"));
    assert!(pods_table(&["probe", &name, "start"]).starts_with("win in 3 for White\n"));
    let whole = pods_table(&[&["plan", "--format", "csv"], &setup[..]].concat());
    assert_eq!(whole.lines().nth(1).unwrap().split(',').nth(3).unwrap().parse(), Ok(counted));
    let summary = pods_table(&[&["plan"], &setup[..]].concat());
    assert!(summary.contains("in 9 tiers\n") && summary.lines().count() < 12, "{summary}");
    let csv = pods_table(&["probe", &name, "start", "--format", "csv"]);
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(rows.headers().unwrap(), vec!["position", "status", "value", "plies", "best"]);
    let row = rows.records().next().unwrap().unwrap();
    assert_eq!([&row[1], &row[2], &row[3]], ["ongoing", "win", "3"]);
    let json = pods_table(&["probe", &name, "start", "--format", "json"]);
    let best: Vec<String> = row[4].split(' ').map(str::to_owned).collect();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["best"], serde_json::json!(best));
    assert!(json.contains(r#""value":"win","plies":3,"best":["#), "{json}");
    let stats = pods_table(&["stats", &name, "--format", "csv"]);
    let positions = stats.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().parse::<u64>().unwrap());
    let held = held(Table::open(Path::new(&name)).unwrap().index());
    assert_eq!(positions.sum::<u64>(), held);
    assert!(held < counted && built.contains(&format!("{held} are held")), "{built}");
    // The longest win of each tier is played out to its end.
    let mut lines = 0;
    let mut rows = csv::Reader::from_reader(stats.as_bytes());
    let header = rows.headers().unwrap().clone();
    for row in rows.records().map(Result::unwrap) {
        let cell = |name: &str| row[header.iter().position(|column| column == name).unwrap()].to_owned();
        let line = cell("longest_win_line");
        assert_eq!(line.split_whitespace().count(), cell("longest_win").parse().unwrap_or(0), "{line}");
        lines += usize::from(!line.is_empty());
    }
    assert!(lines > 4, "{lines}");
    exports(&name, held);
    // A reader who has had enough is no error, and a position of another game is one.
    let wrong = program().args(["table", "probe", &name, "4/4/4/4 w b b -"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    let other = program()
        .args(["table", "build", &name, "--board", "nook9", "--pods", "duo", "--rules", "advanced"])
        .output()
        .unwrap();
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("another setup: its board is ring8"));
}

/// Checks the export of a table of so many positions: its rows, the same compressed, the meanings
/// of its columns, and the error of a table without distances.
fn exports(name: &str, held: u64) {
    let ran = |args: &[&str]| program().args(["table", "export"]).args(args).output().unwrap();
    let plain = ran(&[name]);
    let table = Table::open(Path::new(name)).unwrap();
    let left_out = table.index().positions() - held;
    let note = format!("pods: note: {left_out} positions with blocked pods are left out\n");
    let said = String::from_utf8(plain.stderr).unwrap().replace(',', "");
    assert_eq!(said, if left_out > 0 { note } else { String::new() });
    let plain = plain.stdout;
    let compressed = ran(&[name, "--zstd"]).stdout;
    assert!(zstd::decode_all(&compressed[..]).unwrap() == plain && compressed.len() < plain.len() / 4);
    let (mut reader, mut seen) = (table.reader().unwrap(), HashSet::new());
    let mut rows = csv::Reader::from_reader(&plain[..]);
    let header: Vec<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
    for row in rows.records().map(Result::unwrap) {
        let position = table.game().parse_position(&row[0]).unwrap();
        let value = reader.value(&position).unwrap();
        let plies = value.plies().map(|plies| plies.to_string()).unwrap_or_default();
        assert_eq!([&row[1], &row[2]], [value.outcome().name(), &plies], "{}", &row[0]);
        assert!(seen.insert(position));
    }
    assert_eq!(seen.len() as u64, held);
    let dictionary = ran(&[name, "--dictionary"]).stdout;
    let mut meanings = csv::Reader::from_reader(&dictionary[..]);
    assert_eq!(meanings.headers().unwrap(), vec!["column", "type", "meaning"]);
    let columns: Vec<String> = meanings.records().map(|row| row.unwrap()[0].to_owned()).collect();
    assert_eq!(columns, header);
    let both = ran(&[name, "--zstd", "--dictionary"]);
    assert!(both.status.code() == Some(2) && both.stdout.is_empty());
}
