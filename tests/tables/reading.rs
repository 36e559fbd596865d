//! Tables where they are used: solving, reports and oracle sets answer the same with them and
//! without.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{Random, build_options, builtin_game, pods as pods_of, program, run_with_input, to};
use pods::answer::{Request, solve};
use pods::engine::{Bitboard, Engine, Reference};
use pods::geometry::Orientation;
use pods::material::Side;
use pods::oracle::check::check;
use pods::oracle::export::{POSITIONS, Spec, export};
use pods::position::{Game, Hand, Pod, Position, Setup};
use pods::rules::Preset;
use pods::solver::{Method, Silent, Value};
use pods::table::{AnswerError, TableError, Tablebase, build, table_path};
use tempfile::tempdir;

fn made(folder: &Path, name: &str, game: &Game, hands: [&str; 2]) -> PathBuf {
    let hands = hands.map(|ids| Hand::parse(ids, game.pods()).unwrap());
    let name = folder.join(name);
    build(&Setup::new(game.clone(), hands), &name, build_options(), &Silent).unwrap();
    name
}

/// Returns positions of random games from the start with White and with Black to begin, the last
/// ones perhaps finished.
fn positions(game: &Game, hands: [&str; 2], games: usize, random: &mut Random) -> Vec<Position> {
    let [white, black] = hands.map(|ids| Hand::parse(ids, game.pods()).unwrap());
    let engine = Bitboard::new(game.clone());
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut here = game.start(white, black, random.pick(&Side::BOTH)).unwrap();
        for _ in 0..6 {
            let actions = engine.sorted_actions(&here);
            positions.push(here.clone());
            if actions.is_empty() {
                break;
            }
            here = engine.transition(&here, random.pick(&actions)).unwrap().next;
        }
    }
    positions
}

fn answers(tables: &Tablebase, game: &Game, positions: &[Position]) -> Vec<Option<Value>> {
    tables.values(game, positions.len(), |n| Ok::<_, AnswerError>(Cow::Borrowed(&positions[n]))).unwrap()
}

#[test]
fn values_distances_best_actions_and_lines_are_those_of_the_solvers() {
    let mut random = Random(11);
    let (mut compared, mut finished, mut longest) = (0, 0, 0);
    for preset in Preset::ALL {
        for turn in Orientation::ALL {
            for (board, pods, hands) in [("ring8", "duo", ["bt", "bt"]), ("nook9", "four", ["bdt", "bd"])] {
                let folder = tempdir().unwrap();
                let game = builtin_game(board, turn.degrees(), pods, preset.name());
                made(folder.path(), "t", &game, hands);
                let tablebase = Tablebase::open(folder.path()).unwrap();
                let mut tables = tablebase.of(&game).unwrap();
                let all = positions(&game, hands, 3, &mut random);
                let one_by_one: Vec<_> = all.iter().map(|position| tables.value(position).unwrap()).collect();
                assert_eq!(answers(&tablebase, &game, &all), one_by_one, "{preset:?} {board} {turn}");
                for position in all {
                    let request = Request::default().unverified();
                    let solved = solve(&game, &position, request, &Silent).unwrap();
                    let Some(found) = tables.solve(&position, true).unwrap() else {
                        assert_eq!(solved.method, Method::Rules, "{}", position.display(&game));
                        finished += 1;
                        continue;
                    };
                    let text = format!("{preset:?} {board} {turn}: {}", position.display(&game));
                    assert_eq!((found.verdict, found.status), (solved.verdict, solved.status), "{text}");
                    assert_eq!((&found.best, &found.line), (&solved.best, &solved.line), "{text}");
                    assert_eq!((found.method, found.verified), (Method::Table, Some(1)));
                    compared += 1;
                    longest = longest.max(found.line.map_or(0, |line| line.len()));
                }
            }
        }
    }
    assert!(compared > 400 && finished > 20 && longest > 4, "{compared}, {finished}, {longest}");
}

#[test]
fn a_table_answers_for_smaller_hands_and_other_pod_sets_and_no_further() {
    let folder = tempdir().unwrap();
    let four = builtin_game("nook9", 90, "four", "advanced");
    made(folder.path(), "t", &four, ["bdt", "bdt"]);
    let tablebase = Tablebase::open(folder.path()).unwrap();
    let mut tables = tablebase.of(&four).unwrap();
    let mut held = |text: &str| tables.solve(&four.parse_position(text).unwrap(), true).unwrap().is_some();
    assert!(held("3/3/3 w bdt bdt open") && held("3/3/3 b bd t -") && held("3/3/1B1 b dt bt -"));
    assert!(!held("3/3/3 w bdq bdt -"), "a pod that the table has not");
    let others = ["advanced-dutch", "advanced-author", "very-advanced"].map(|rules| ("nook9", 90, rules));
    for (board, turn, rules) in [("nook9", 0, "advanced"), ("den12", 90, "advanced")].into_iter().chain(others) {
        let other = builtin_game(board, turn, "four", rules);
        assert_eq!(tablebase.of(&other).unwrap().files().count(), 0, "{board} {turn} {rules}");
    }
    let trio = builtin_game("nook9", 90, "trio", "advanced");
    let start = trio.parse_position("3/3/3 w bdt bdt open").unwrap();
    assert!(tablebase.of(&trio).unwrap().solve(&start, true).unwrap().is_none(), "other legs by the same ids");
    let request = Request::default().unverified();
    let more = Game::new(four.board().clone(), pods_of("a: n, b: e w, c: s W, d: N se, t: ne S w"), *four.rules());
    let mut tables = tablebase.of(&more).unwrap();
    let mut compared = 0;
    for position in positions(&more, ["bdt", "bt"], 6, &mut Random(3)) {
        let Some(found) = tables.solve(&position, true).unwrap() else { continue };
        let solved = solve(&more, &position, request, &Silent).unwrap();
        assert_eq!((found.verdict, found.best, found.line), (solved.verdict, solved.best, solved.line));
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
    let all = positions(&more, ["bdt", "bt"], 6, &mut Random(3));
    let one_by_one: Vec<_> = all.iter().map(|position| tables.value(position).unwrap()).collect();
    assert_eq!(answers(&tablebase, &more, &all), one_by_one);
    assert!(one_by_one.iter().any(Option::is_some));
}

/// Positions in any order and several times, some with blocked pods, some of no table.
#[test]
fn many_positions_at_once_are_answered_as_one_by_one() {
    let folder = tempdir().unwrap();
    let game = builtin_game("ring8", 0, "trio", "advanced");
    made(folder.path(), "small", &game, ["bt", "bt"]);
    made(folder.path(), "large", &game, ["bdt", "bd"]);
    let tablebase = Tablebase::open(folder.path()).unwrap();
    let mut random = Random(5);
    let mut all = positions(&game, ["bdt", "bdt"], 300, &mut random);
    let kinds: Vec<_> = game.pods().kinds().collect();
    for _ in 0..3_000 {
        let place = |random: &mut Random| {
            let pod = |random: &mut Random| Pod { side: random.pick(&Side::BOTH), kind: random.pick(&kinds) };
            (random.below(3) == 0).then(|| pod(random))
        };
        let occupants = (0..game.board().len()).map(|_| place(&mut random)).collect();
        let hands = [(); 2].map(|()| kinds.iter().copied().filter(|_| random.below(2) == 0).collect::<Hand>());
        all.extend(Position::new(&game, occupants, hands.into(), random.pick(&Side::BOTH), random.below(8) == 0));
    }
    all.extend_from_within(..500);
    for number in (1..all.len()).rev() {
        all.swap(number, random.below(number + 1));
    }
    let mut tables = tablebase.of(&game).unwrap();
    let one_by_one: Vec<_> = all.iter().map(|position| tables.value(position).unwrap()).collect();
    assert!(answers(&tablebase, &game, &all) == one_by_one);
    let blocked = |position: &&Position| !Reference::new(game.clone()).blocked_pods(position).is_empty();
    let counts = [
        one_by_one.iter().filter(|answer| answer.is_none()).count(),
        one_by_one.iter().flatten().count(),
        all.iter().zip(&one_by_one).filter(|(_, answer)| answer.is_some()).filter(|(one, _)| blocked(one)).count(),
    ];
    assert!(counts.into_iter().all(|count| count > 20), "{counts:?}");
    let failed = tablebase.values(&game, 10, |number| match number {
        7 => Err(AnswerError::from(TableError::Shorter(PathBuf::from("seven")))),
        _ => Ok(Cow::Borrowed(&all[number])),
    });
    assert!(failed.unwrap_err().to_string().contains("seven"));
    assert_eq!(answers(&tablebase, &game, &[]), []);
}

fn pods(arguments: &[&str], tables: Option<&Path>, input: &str) -> Output {
    let mut command = program();
    command.args(arguments).env_remove("PODS_TABLES");
    if let Some(folder) = tables {
        command.env("PODS_TABLES", folder);
    }
    run_with_input(&mut command, input.as_bytes())
}

fn answer(arguments: &[&str], tables: Option<&Path>, input: &str) -> String {
    let ran = pods(arguments, tables, input);
    assert_eq!(ran.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

const RING: [&str; 6] = ["--board", "ring8", "--pods", "duo", "--rules", "advanced"];

#[test]
fn solve_takes_the_folder_from_the_command_line_or_the_environment() {
    let folder = tempdir().unwrap();
    let game = builtin_game("ring8", 0, "duo", "advanced");
    made(folder.path(), "ring", &game, ["bt", "bt"]);
    made(folder.path(), "other", &builtin_game("nook9", 0, "duo", "advanced"), ["bt", "b"]);
    let dir = folder.path().to_str().unwrap();
    let mut random = Random(1);
    let stream: String =
        positions(&game, ["bt", "bt"], 8, &mut random).iter().map(|p| p.display(&game).to_string() + "\n").collect();
    // The fields of an answer that tell a table from a solver, left out.
    let facts = |json: String| -> Vec<String> {
        json.lines().map(|line| line.split(",\"positions\":").next().unwrap().to_owned()).collect()
    };
    let solve = [&["solve", "-", "--format", "json"], &RING[..]].concat();
    let without = answer(&solve, None, &stream);
    let with = answer(&[&solve[..], &["--tables", dir]].concat(), None, &stream);
    assert!(with.contains("\"method\":\"table\"") && !without.contains("\"method\":\"table\""));
    assert_eq!(answer(&solve, Some(folder.path()), &stream), with);
    // An empty variable counts as unset, and what is wrong with it is said with its name.
    assert_eq!(answer(&solve, Some(Path::new("")), &stream), without);
    let refused = pods(&solve, Some(&folder.path().join("nowhere")), &stream);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.starts_with("pods: error: PODS_TABLES: ") && said.contains("nowhere"), "{said}");
    assert_eq!(facts(with), facts(without));
    // A method that is asked for by name is taken, and `table` is one of them.
    let start = [&["solve", "start", "--format", "json"], &RING[..]].concat();
    let by = |method: &str, tables| answer(&[&start[..], &["--method", method]].concat(), tables, "");
    assert!(by("retrograde", Some(folder.path())).contains("\"method\":\"retrograde\""));
    assert!(by("table", Some(folder.path())).contains("\"method\":\"table\""));
    let refused = pods(&[&start[..], &["--method", "table"]].concat(), None, "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--tables"));
    let text = answer(&[&["solve", "start", "--tables", dir], &RING[..]].concat(), None, "");
    assert!(text.contains("method    table, "), "{text}");
}

#[test]
fn a_stream_of_probes_ends_at_the_first_bad_line_with_its_place() {
    let folder = tempdir().unwrap();
    let name = made(folder.path(), "ring", &builtin_game("ring8", 0, "duo", "advanced"), ["bt", "bt"]);
    let probe = ["table", "probe", name.to_str().unwrap(), "-"];
    let good = "3/b2/3 w bt t -\n";
    for (bad, place) in [
        ("3/b2/3 x bt t -", "standard input, line 3: position text, column 8: the side to move is w or b"),
        ("3/3/3 w b2t bt -", "standard input, line 3: no position of this game: "),
        ("3/3/4 w bt bt -", "standard input, line 3: no position of this game: row 1 has 4 columns"),
    ] {
        let ran = pods(&probe, None, &format!("{good}{good}{bad}\n{good}"));
        let message = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.code() == Some(2) && message.contains(place), "{message}");
        assert_eq!(String::from_utf8(ran.stdout).unwrap().lines().count(), 2);
    }
}

#[test]
fn a_folder_with_a_bad_table_answers_without_it_and_names_it_when_it_is_asked_for() {
    let folder = tempdir().unwrap();
    made(folder.path(), "ring", &builtin_game("ring8", 0, "duo", "advanced"), ["bt", "bt"]);
    let other = made(folder.path(), "other", &builtin_game("nook9", 0, "duo", "advanced"), ["bt", "b"]);
    fs::write(folder.path().join("notes.txt"), "not a table, and not called one").unwrap();
    fs::create_dir(folder.path().join("unfinished.building")).unwrap();
    let of_ring = [&["solve", "start"], &RING[..]].concat();
    let of_other =
        ["solve", "3/3/3 w bt b open", "--board", "nook9", "--pods", "duo", "--hands", "bt:b", "--rules", "advanced"];
    let said = |folder: &Path, what: &[&str]| {
        let ran = pods(what, Some(folder), "");
        let [out, wrong] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
        (ran.status.code(), out, wrong)
    };
    let whole = said(folder.path(), &of_ring);
    assert!(whole.0 == Some(0) && whole.2.is_empty(), "{whole:?}");
    assert_eq!(said(folder.path(), &of_other).0, Some(0));
    let path = table_path(&other);
    let good = fs::read(&path).unwrap();
    // Its header says which positions it has: the hash behind the blocks is wrong.
    let mut bad = good.clone();
    bad[good.len() - 50] ^= 1;
    fs::write(&path, &bad).unwrap();
    assert_eq!(said(folder.path(), &of_ring), whole);
    let (code, out, wrong) = said(folder.path(), &of_other);
    assert!(code == Some(1) && out.is_empty() && wrong.contains("other.pods-table: damaged"), "{wrong}");
    // A position that it cannot have: a pod more.
    let of_more = ["solve", "3/3/3 w bt bt open", "--board", "nook9", "--pods", "duo", "--rules", "advanced"];
    let (code, _, wrong) = said(folder.path(), &of_more);
    assert!(code == Some(0) && wrong.is_empty(), "{wrong}");
    // Nobody can tell what these have.
    let mut newer = good.clone();
    newer[8] = 9;
    let mut older = good;
    older[8] = 4;
    for (bytes, cause) in [
        (&newer[..], "other.pods-table: a table of format version 9, this program reads version 6: a newer release"),
        (
            &older[..],
            "other.pods-table: a table of format version 4, this program reads version 6: release 0.3.0 reads it",
        ),
        (&b"short"[..], "other.pods-table: "),
    ] {
        fs::write(&path, bytes).unwrap();
        for what in [&of_ring[..], &of_other] {
            let (code, out, wrong) = said(folder.path(), what);
            assert!(code == Some(0) && wrong.starts_with("pods: note: left out: ") && wrong.contains(cause), "{wrong}");
            assert!(what != of_ring || out == whole.1);
        }
    }
    // To open a FIFO would wait for a writer.
    #[cfg(unix)]
    {
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (code, out, wrong) = said(folder.path(), &of_ring);
        assert!(code == Some(0) && out == whole.1 && wrong.contains("it is no regular file"), "{wrong}");
    }
    let (code, _, wrong) = said(&folder.path().join("nowhere"), &of_ring);
    assert!(code == Some(2) && wrong.contains("nowhere"), "{wrong}");
}

#[test]
fn a_damaged_block_stops_the_run_that_reads_it_and_no_other() {
    let folder = tempdir().unwrap();
    let name = made(folder.path(), "ring", &builtin_game("ring8", 0, "duo", "advanced"), ["bt", "bt"]);
    let solve = [&["solve", "start", "--format", "json"], &RING[..]].concat();
    let good_answer = answer(&solve, Some(folder.path()), "");
    let path = table_path(&name);
    let good = fs::read(&path).unwrap();
    let header = 16 + u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let trailer = good.len() - 72;
    let blocks = u64::from_le_bytes(good[trailer..trailer + 8].try_into().unwrap()) as usize;
    let (mut stopped, mut answered) = (0, 0);
    for at in (header..blocks).step_by((blocks - header) / 24 + 1) {
        let mut bad = good.clone();
        bad[at] ^= 4;
        fs::write(&path, &bad).unwrap();
        let ran = pods(&solve, Some(folder.path()), "");
        match ran.status.code() {
            Some(0) => {
                assert_eq!(String::from_utf8(ran.stdout).unwrap(), good_answer, "byte {at}");
                answered += 1;
            }
            code => {
                let message = String::from_utf8(ran.stderr).unwrap();
                assert!(code == Some(1) && message.contains("ring.pods-table: damaged, block"), "{message}");
                assert!(ran.stdout.is_empty());
                stopped += 1;
            }
        }
    }
    assert!(stopped > 0 && answered > 0, "{stopped} stopped, {answered} answered");
}

#[test]
fn a_report_says_the_same_with_tables() {
    let folder = tempdir().unwrap();
    for rules in ["standard", "advanced", "very-advanced"] {
        for turn in [0, 90, 180, 270] {
            made(folder.path(), &format!("{rules}-{turn}"), &builtin_game("nook9", turn, "four", rules), ["bdt", "bd"]);
        }
    }
    let rules = ["--rules", "standard", "--rules", "advanced", "--rules", "very-advanced"];
    let report =
        [&["report", "--format", "csv", "--board", "nook9", "--pods", "four", "--hands", "bdt:bd"], &rules[..]];
    let report = report.concat();
    let rows = |tables: Option<&Path>| -> (Vec<Vec<String>>, Vec<String>) {
        let text = answer(&report, tables, "");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let own = ["positions", "method", "verified"];
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let kept = |r: &csv::StringRecord| {
            header.iter().zip(r).filter(|(name, _)| !own.contains(name)).map(|(_, cell)| cell.to_owned()).collect()
        };
        let how = header.iter().position(|name| name == "method").unwrap();
        (records.iter().map(kept).collect(), records.iter().map(|r| r[how].to_owned()).collect())
    };
    let (without, with) = (rows(None), rows(Some(folder.path())));
    assert_eq!(without.0, with.0);
    assert_eq!(with.0.len(), 12);
    assert!(with.1.iter().all(|method| method == "table"), "{:?}", with.1);
    // The manifest names the tables.
    let out = folder.path().join("out");
    let saved = [&report[..], &["--out", out.to_str().unwrap(), "--commit", "none"]].concat();
    answer(&saved, Some(folder.path()), "");
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("balance.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["tables"].as_array().unwrap().len(), 12);
    assert_eq!(manifest["verified"], serde_json::json!(["reference-step"]));
}

#[test]
fn an_oracle_set_is_the_same_with_tables_and_has_more_values_where_solvers_stop() {
    let folder = tempdir().unwrap();
    let game = builtin_game("ring8", 0, "duo", "advanced");
    made(folder.path(), "t", &game, ["bt", "bt"]);
    let tablebase = Tablebase::open(folder.path()).unwrap();
    let hand = Hand::parse("bt", game.pods()).unwrap();
    let spec =
        |solve| Spec::new(Setup::new(game.clone(), [hand, hand])).with_seed(2).with_count(2).with_solve(Some(solve));
    let set = |name: &str, solve, tables| {
        let out = folder.path().join(name);
        let manifest = export(&spec(solve), tables, to(&out), false, &Silent).unwrap();
        let text = fs::read_to_string(out.join(POSITIONS)).unwrap();
        let solved = text.lines().filter(|line| line.contains("\"value\":")).count();
        (out, text, solved, manifest)
    };
    let (_, plain, _, without) = set("plain", 1_000_000, None);
    let (looked_up, same, _, with) = set("looked-up", 1_000_000, Some(&tablebase));
    assert_eq!(plain, same);
    assert_eq!((without.tables.len(), with.tables.len()), (0, 1));
    check(&looked_up, None, &Silent).unwrap();
    let (_, _, few, _) = set("few", 5, None);
    let (large, _, many, _) = set("many", 5, Some(&tablebase));
    assert!(many > few, "{many} of {few}");
    check(&large, Some(&tablebase), &Silent).unwrap();
    let refused = check(&large, None, &Silent).unwrap_err().to_string();
    assert!(refused.contains("a set made with tables needs them"), "{refused}");
}
