//! `pods report play`: its rows are what the kept games say, and a run
//! that was killed goes on.

use crate::common::{program, wait_a_moment};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Stdio;

use pods::engine::{Engine as _, Reference};
use pods::files::Record as _;
use pods::files::sha256_hex;
use pods::matches::balance::{Change, PlayedRecord};
use pods::matches::{Line, Replayed, replay};
use pods::position::{Action, Game, Position};
use pods::rules::Preset;
use pods::statistics::wilson;

use crate::run::{answer, run};

/// Returns the command that plays games of a small board, drawn early: every end comes up.
fn command(out: &Path, more: &[&str]) -> Vec<String> {
    let setup = ["report", "play", "--board", "nook9", "--pods", "four", "--hands", "bdt"];
    let setup = [&setup[..], &["--strength", "20", "--strength", "90:5"]].concat();
    let shape = ["--count", "12", "--seed", "3", "--opening-plies", "3"];
    let ends = ["--repetitions", "2", "--max-plies", "11"];
    let given = |option: &&[&str]| !more.contains(&option[0]);
    let shape: Vec<&str> = shape.chunks(2).chain(ends.chunks(2)).filter(given).flatten().copied().collect();
    let mut all: Vec<String> = [&setup[..], &shape, more].concat().iter().map(|&word| word.to_owned()).collect();
    all.extend(["--out".to_owned(), out.to_str().unwrap().to_owned()]);
    all
}

fn played(out: &Path, more: &[&str]) -> String {
    let command = command(out, more);
    answer(&command.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

fn every_preset() -> Vec<&'static str> {
    Preset::ALL.iter().flat_map(|preset| ["--rules", preset.name()]).collect()
}

/// Returns the games of a file, played again with the reference engine, and the setups that they
/// are of.
fn games(path: &Path) -> (Vec<pods::matches::SetupLine>, Vec<Replayed>) {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Line>(line).unwrap());
    let setups = lines.filter_map(|line| if let Line::Setup(setup) = line { Some(*setup) } else { None }).collect();
    let mut games = Vec::new();
    let mut visit = |game| {
        games.push(game);
        ControlFlow::Continue(())
    };
    replay(&mut text.as_bytes(), &mut visit).unwrap();
    (setups, games)
}

/// Figures of a game, counted position by position.
struct Slow {
    first_won: Option<bool>,
    end: String,
    actions: Vec<Action>,
    removed: u64,
    returned: u64,
    proven: Option<(u64, Option<bool>)>,
}

fn slow(game: &Game, replayed: &Replayed) -> Slow {
    let engine = Reference::new(game.clone());
    let positions: Vec<Position> = replayed.positions.iter().map(|text| game.parse_position(text).unwrap()).collect();
    let first = positions[0].to_move();
    let actions: Vec<Action> = replayed.said.actions.split(' ').map(|text| game.parse_action(text).unwrap()).collect();
    let (mut removed, mut returned) = (0, 0);
    for (position, &action) in positions.iter().zip(&actions) {
        let turn = engine.turn(position, action).unwrap();
        removed += turn.removed.len() as u64;
        returned += turn.returned.len() as u64;
    }
    let won = |result: &str| match result {
        "draw" => None,
        winner => Some(winner == first.to_string().to_lowercase()),
    };
    let proven = replayed.said.proof.as_ref().map(|proof| {
        let mover = positions[proof.ply].to_move();
        let wins = match proof.value.as_str() {
            "win" => Some(mover == first),
            "loss" => Some(mover != first),
            _ => None,
        };
        (proof.ply as u64, wins)
    });
    Slow { first_won: won(&replayed.said.result), end: replayed.said.end.clone(), actions, removed, returned, proven }
}

#[test]
fn rows_are_what_the_reference_engine_makes_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let csv = played(folder.path(), &every_preset());
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), PlayedRecord::header());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    // White alone starts: with all turns and equal hands Black's game is White's on another turn.
    assert_eq!(rows.len(), 6 * 4 * 2);
    let mut ends_seen = BTreeSet::new();
    for (nodes, count) in [(20, 12), (90, 5)] {
        let (setups, replayed) = games(&folder.path().join(format!("games-{nodes}.jsonl")));
        assert_eq!((setups.len(), replayed.len()), (24, 24 * count));
        let faulty: Vec<_> = replayed.iter().filter(|game| game.fault.is_some()).collect();
        assert!(faulty.is_empty(), "{faulty:?}");
        let mut base: BTreeMap<String, Vec<Option<bool>>> = BTreeMap::new();
        let mut openings: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for (number, setup) in setups.iter().enumerate() {
            let game = setup.game.setup().unwrap().game().clone();
            let of: Vec<&Replayed> = replayed.iter().filter(|game| game.said.setup == number).collect();
            // All rules have the same openings: different placements without captures.
            let begins: Vec<String> = of.iter().map(|game| game.positions[3].clone()).collect();
            assert_eq!(begins.iter().collect::<BTreeSet<_>>().len(), count);
            assert_eq!(openings.entry(setup.orientation).or_insert_with(|| begins.clone()), &begins);
            let slow: Vec<Slow> = of.iter().map(|replayed| slow(&game, replayed)).collect();
            for (one, text) in slow.iter().zip(&begins) {
                assert!(one.actions[..3].iter().all(|action| matches!(action, Action::Place { .. })));
                let board = text.split(' ').next().unwrap();
                assert_eq!(board.chars().filter(char::is_ascii_alphabetic).count(), 3, "{text}");
            }
            let own = |row: &&HashMap<String, String>| {
                row["orientation"] == setup.orientation.to_string()
                    && row["rules"] == setup.rules
                    && row["nodes"] == nodes.to_string()
            };
            let row = rows.iter().find(own).unwrap();
            ends_seen.extend(slow.iter().map(|game| game.end.clone()));
            let results: Vec<Option<bool>> = slow.iter().map(|game| game.first_won).collect();
            let before = base.entry(setup.orientation.to_string()).or_insert_with(|| results.clone());
            compare(row, &slow, (setup.rules != Preset::ALL[0].name()).then_some(before));
        }
    }
    let ends: Vec<&str> = ends_seen.iter().map(String::as_str).collect();
    assert_eq!(ends, ["empty-hand", "length", "no-action", "repetition"]);
    // The summary that is kept, and the manifest, are of these games.
    assert_eq!(fs::read_to_string(folder.path().join("played.csv")).unwrap(), csv);
    let manifest = fs::read_to_string(folder.path().join("played.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["sha256"], sha256_hex(csv.as_bytes()));
    assert_eq!((&manifest["rows"], &manifest["rules"]), (&48.into(), &Preset::ALL.map(Preset::name).to_vec().into()));
    for strength in manifest["strengths"].as_array().unwrap() {
        let file = folder.path().join(strength["file"].as_str().unwrap());
        assert_eq!(strength["sha256"], sha256_hex(&fs::read(file).unwrap()));
    }
}

/// Compares every figure of a row with the games alone. `base` has what the first rules made of the
/// same openings.
fn compare(row: &HashMap<String, String>, games: &[Slow], base: Option<&mut Vec<Option<bool>>>) {
    let said = |name: &str| row[name].clone();
    let count = |is: &dyn Fn(&Slow) -> bool| games.iter().filter(|game| is(game)).count() as u64;
    let (wins, losses) = (count(&|game| game.first_won == Some(true)), count(&|game| game.first_won == Some(false)));
    let all = games.len() as u64;
    for (name, figure) in [
        ("games", all),
        ("first_wins", wins),
        ("first_losses", losses),
        ("draws", all - wins - losses),
        ("by_empty_hand", count(&|game| game.end == "empty-hand")),
        ("by_no_action", count(&|game| game.end == "no-action")),
        ("by_repetition", count(&|game| game.end == "repetition")),
        ("by_length", count(&|game| game.end == "length")),
        ("longest", games.iter().map(|game| game.actions.len() as u64).max().unwrap()),
        ("proven", count(&|game| game.proven.is_some())),
        ("proven_lost", count(&|game| game.proven.is_some_and(|(_, wins)| wins != game.first_won))),
    ] {
        assert_eq!(said(name), figure.to_string(), "{name}: {row:?}");
    }
    let share = |k: u64, n: u64| {
        let interval = wilson(k, n);
        interval.map_or(Default::default(), |i| [k as f64 / n as f64, i.low, i.high].map(|x| format!("{x:.4}")))
    };
    assert_eq!(["share", "low", "high"].map(said), share(wins, wins + losses), "{row:?}");
    assert_eq!(["draw_share", "draw_low", "draw_high"].map(said), share(all - wins - losses, all), "{row:?}");
    let mean = |of: &dyn Fn(&Slow) -> u64, n: u64| match n {
        0 => String::new(),
        n => format!("{:.2}", games.iter().map(of).sum::<u64>() as f64 / n as f64),
    };
    let kind = |game: &Slow, is: fn(&Action) -> bool| game.actions.iter().filter(|action| is(action)).count() as u64;
    let proofs = count(&|game| game.proven.is_some());
    for (name, figure) in [
        ("mean_plies", mean(&|game| game.actions.len() as u64, all)),
        ("mean_placements", mean(&|game| kind(game, |action| matches!(action, Action::Place { .. })), all)),
        ("mean_moves", mean(&|game| kind(game, |action| matches!(action, Action::Move { .. })), all)),
        (
            "mean_pushes",
            mean(&|game| kind(game, |action| matches!(action, Action::Shove { .. } | Action::Kick { .. })), all),
        ),
        ("mean_removed", mean(&|game| game.removed, all)),
        ("mean_returned", mean(&|game| game.returned, all)),
        ("proven_ply", mean(&|game| game.proven.map_or(0, |(ply, _)| ply), proofs)),
        ("proven_before", mean(&|game| game.proven.map_or(0, |(ply, _)| game.actions.len() as u64 - ply), proofs)),
    ] {
        assert_eq!(said(name), figure, "{name}: {row:?}");
    }
    let Some(base) = base else {
        assert!(PlayedRecord::header()[33..].iter().all(|name| row[*name].is_empty()), "{row:?}");
        return;
    };
    let pairs = || base.iter().zip(games).filter_map(|(base, game)| Some(((*base)?, game.first_won?)));
    let of = |wanted| pairs().filter(|pair| *pair == wanted).count() as u64;
    let change = Change {
        base: Preset::ALL[0].into(),
        both_won: of((true, true)),
        won_to_lost: of((true, false)),
        lost_to_won: of((false, true)),
        both_lost: of((false, false)),
    };
    let counts = [change.openings(), change.both_won, change.won_to_lost, change.lost_to_won, change.both_lost];
    let names = ["both_decided", "both_won", "won_to_lost", "lost_to_won", "both_lost"];
    assert_eq!(names.map(said), counts.map(|count| count.to_string()), "{row:?}");
    assert_eq!(said("base_rules"), Preset::ALL[0].name());
    let difference = change.difference().map(|(share, i)| [share, i.low, i.high].map(|x| format!("{x:.4}")));
    assert_eq!(["difference", "difference_low", "difference_high"].map(said), difference.unwrap_or_default());
}

#[test]
fn both_start_where_that_is_another_game() {
    let count = |more: &[&str]| {
        let shape = ["report", "play", "--board", "nook9", "--pods", "four", "--rules", "advanced", "--count", "2"];
        let csv = answer(&[&shape[..], &["--strength", "10"], more].concat(), "");
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let rows: Vec<HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
        rows.into_iter().map(|row| format!("{} {}", row["orientation"], row["starts"])).collect::<Vec<_>>()
    };
    let turned = ["0 white", "90 white", "180 white", "270 white"];
    assert_eq!(count(&["--hands", "bdt"]), turned);
    assert_eq!(count(&["--hands", "bdt:tdb"]), turned);
    assert_eq!(count(&["--hands", "bdt", "--orientation", "90"]), ["90 white", "90 black"]);
    let three = ["--hands", "bdt", "--orientation", "90", "--orientation", "180", "--orientation", "0"];
    assert_eq!(count(&three), ["0 white", "90 white", "90 black", "180 white"]);
    let unequal: Vec<String> =
        turned.iter().flat_map(|turn| [(*turn).to_owned(), turn.replace("white", "black")]).collect();
    assert_eq!(count(&["--hands", "bdt:bd"]), unequal);
}

#[test]
fn the_game_that_black_starts_is_white_s_on_the_board_turned_round() {
    use pods::geometry::Orientation;
    use pods::material::{Side, builtin_board, builtin_pods};
    use pods::position::Hand;
    for preset in Preset::ALL {
        for [one, other] in [[Orientation::R0, Orientation::R180], [Orientation::R90, Orientation::R270]] {
            let count = |turn, first| {
                let pods = builtin_pods("four").unwrap();
                let hand = Hand::whole(&pods);
                let game = Game::new(builtin_board("nook9").unwrap().turned(turn), pods, preset.into());
                let start = game.start(hand, hand, first).unwrap();
                Reference::new(game).perft(&start, 3)
            };
            assert_eq!(count(one, Side::Black), count(other, Side::White), "{} {one}", preset.name());
            assert_eq!(count(one, Side::White), count(other, Side::Black), "{} {one}", preset.name());
        }
    }
}

/// Returns the bytes of all files of a folder, but for the command in the manifest.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let all = fs::read_dir(folder).unwrap().map(|setup| setup.unwrap());
    let file = |setup: fs::DirEntry| {
        let text = fs::read_to_string(setup.path()).unwrap();
        let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("  \"command\": ")).collect();
        (setup.file_name().into_string().unwrap(), kept.join("\n"))
    };
    all.map(file).collect()
}

#[test]
fn a_run_that_was_killed_and_one_on_two_threads_end_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let rules = ["--rules", "advanced", "--rules", "very-advanced", "--count", "40", "--max-plies", "80"];
    let with = |threads: &'static str| [&rules[..], &["--threads", threads]].concat();
    let csv = played(&whole, &with("2"));
    let wanted = files(&whole);
    assert_eq!(
        wanted.keys().map(String::as_str).collect::<Vec<_>>(),
        ["games-20.jsonl", "games-90.jsonl", "played.csv", "played.manifest.json"]
    );
    // Killed in the middle, more than once, then on another number of threads.
    let games = |folder: &Path, name: &str| {
        let text = fs::read(folder.join(name)).unwrap_or_default();
        text.iter().filter(|&&byte| byte == b'\n').count()
    };
    for lines in [3, 60, 200] {
        let mut child = program();
        let child = child.args(command(&killed, &with("2"))).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        while games(&killed, "games-20.jsonl") < lines && child.try_wait().unwrap().is_none() {
            wait_a_moment();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for name in ["games-20.jsonl", "games-90.jsonl"] {
            let so_far = fs::read(killed.join(name)).unwrap_or_default();
            assert!(fs::read(whole.join(name)).unwrap().starts_with(&so_far), "{name}: the front of the whole");
        }
    }
    assert_eq!(played(&killed, &with("1")), csv);
    assert_eq!(files(&killed), wanted);
    // Torn at any place, the head included; a finished run has nothing left to do; a larger one
    // goes on from a smaller one.
    let file = killed.join("games-20.jsonl");
    let bytes = fs::read(&file).unwrap();
    for length in [0, 7, 3000, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        fs::write(&file, &bytes[..length]).unwrap();
        assert_eq!(played(&killed, &with("2")), csv, "torn at {length}");
        assert_eq!(files(&killed), wanted, "torn at {length}");
    }
    let rest = fs::read_to_string(whole.join("games-90.jsonl")).unwrap();
    let mut more = command(&killed, &with("2"));
    let at = more.iter().rposition(|word| word == "40").unwrap();
    more[at] = "42".to_owned();
    answer(&more.iter().map(String::as_str).collect::<Vec<_>>(), "");
    assert!(fs::read(&file).unwrap().starts_with(&bytes) && games(&killed, "games-20.jsonl") == 1 + 8 + 8 * 42);
    assert!(fs::read_to_string(killed.join("games-90.jsonl")).unwrap() == rest);
}

#[test]
fn what_does_not_fit_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let rules = ["--rules", "advanced", "--orientation", "0"];
    played(folder.path(), &rules);
    let file = folder.path().join("games-20.jsonl");
    let good = fs::read_to_string(&file).unwrap();
    let line = |number: usize| good.lines().nth(number).unwrap().to_owned();
    // A match, two setups, and then the games.
    assert!(line(2).contains("\"setup\":1,") && line(3).contains("\"game\":1,"));
    let last = line(4).split(' ').next_back().unwrap().split('"').next().unwrap().to_owned();
    let change = |number: usize, from: &str, to: &str| {
        let changed = line(number).replacen(from, to, 1);
        assert_ne!(changed, line(number), "{from}");
        good.replacen(&line(number), &changed, 1)
    };
    for (text, more, words) in [
        (change(4, "\"result\":\"", "\"result\":\"un"), &[][..], "line 5 is damaged"),
        (change(4, &format!("{last}\""), "a1-a9\""), &[], "line 5 is damaged"),
        (change(4, "\"end\":\"", "\"end\":\"x"), &[], "line 5 is damaged"),
        (change(4, "{\"type\"", "{\"tope\""), &[], "line 5 is damaged"),
        (change(4, "\"opening\":3", "\"opening\":2"), &[], "line 5 belongs to a run with other setups"),
        (change(4, "\"game\":2", "\"game\":3"), &[], "line 5 belongs to a run with other setups"),
        (good.clone(), &["--seed", "4"], "line 1 belongs to a run with other setups, limits or seeds"),
        (good.clone(), &["--max-plies", "9"], "line 1 belongs to a run with other"),
        (good.clone(), &["--rules", "advanced-author"], "line 2 belongs to a run with other"),
        (good.clone(), &["--opening-plies", "2"], "line 4 belongs to a run with other"),
        (good.clone(), &["--count", "6"], "it has more games than this run makes"),
        ("Dear Ada\n".to_owned(), &[], "it is no file of games of this report"),
    ] {
        fs::write(&file, &text).unwrap();
        // The rows are kept too, and are looked at first.
        let _ = fs::remove_file(folder.path().join("played.csv"));
        let mut arguments = command(folder.path(), &rules);
        for pair in more.chunks(2) {
            match arguments.iter().position(|word| word == pair[0]) {
                Some(at) => arguments[at + 1] = pair[1].to_owned(),
                None => arguments.extend(pair.iter().map(|&word| word.to_owned())),
            }
        }
        let ran = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}: {}", ran.err);
        assert!(ran.err.contains(words) && ran.err.contains("games-20.jsonl"), "{words}: {}", ran.err);
        assert!(fs::read_to_string(&file).unwrap() == text, "changed: {words}");
    }
}

#[test]
fn what_is_asked_in_vain_is_refused() {
    let shape = ["report", "play", "--board", "nook9", "--pods", "duo", "--rules", "advanced"];
    for (more, words) in [
        (&["--max-nodes", "3"][..], "unexpected argument '--max-nodes'"),
        (&["--time", "3"], "unexpected argument '--time'"),
        (&["--strength", "0"], "at least 1"),
        (&["--strength", "many"], "at least 1"),
        (&["--strength", "5:0"], "a number of games from 1 to 100000"),
        (&["--strength", "5:100001"], "a number of games from 1 to 100000"),
        (&["--strength", "5", "--strength", "5:3"], "--strength 5 is given twice"),
        (&["--count", "0"], "it must be from 1 to 100000"),
        (&["--count", "100001"], "it must be from 1 to 100000"),
        (&["--count", "1000"], "different positions"),
        (&["--opening-plies", "0"], "--opening-plies"),
        (&["--repetitions", "1"], "--repetitions"),
        (&["--hands", "t"], "must open with a bipod (R9)"),
        (&["--board", "nowhere.toml"], "nowhere.toml"),
    ] {
        let ran = run(&[&shape[..], more].concat(), "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{more:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{more:?}: {}", ran.err);
    }
}

/// Each name of the release before says what it is now, as the one tip of its error.
#[test]
fn old_names_say_what_they_are_now() {
    for (typed, words) in [
        ("report --full --count 5", "`pods report --full` is now `pods report play`"),
        ("report --measures", "`pods report --measures` is now `pods report measures`"),
        ("report --readings --rules advanced", "`pods report --readings` is now `pods report readings`"),
        (
            "report readings --rules advanced",
            "`pods report readings --rules` is no option here, since each reading brings its rules: name two rule sets",
        ),
        ("report --strength=5", "`pods report --strength` is an option of `pods report play`"),
        (
            "report measures --doublings 4",
            "`pods report measures --doublings` is no option any more: `pods match` plays unequal nodes",
        ),
        ("compare-rules standard advanced", "`pods compare-rules` is now `pods report readings A B`"),
        ("frontier --ply 3", "`pods frontier` is no command any more: `pods solve` says the nodes"),
        ("bench table", "`pods bench` is no command any more: `cargo bench` measures"),
        ("match random random --elo0 0 --elo1 30", "`pods match --elo0` is now the first number of --sprt"),
    ] {
        let ran = run(&typed.split(' ').collect::<Vec<_>>(), "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{typed}: {}", ran.err);
        let tips: Vec<&str> = ran.err.lines().filter_map(|line| line.trim_start().strip_prefix("tip: ")).collect();
        assert!(matches!(tips[..], [tip] if tip.starts_with(words)), "{typed}: {}", ran.err);
    }
}

#[test]
fn the_report_says_what_its_figures_are_of() {
    let shape = ["report", "play", "--board", "nook9", "--pods", "four", "--orientation", "0", "--count", "4"];
    let rules = ["--rules", "standard", "--rules", "advanced", "--strength", "30", "--format"];
    let with = |format: &'static str| answer(&[&shape[..], &rules, &[format]].concat(), "");
    let text = with("text");
    for words in [
        "nook9 at 0°, four: both bdqt; standard\n  30 nodes an action, White starts: 4 games, first player wins ",
        "30 nodes an action, Black starts: 4 games",
        " of the decided games by such play, 95 % interval ",
        "    against standard, same openings: ",
        "Shares are those of play of this strength, from openings of 2 random placements",
        "no game here is solved",
        "nothing here is about the printed board",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = with("json");
    let rows: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[0]["base_rules"].is_null() && rows[0]["games"] == 4 && rows[0]["starts"] == "white", "{json}");
    assert!(rows[2]["base_rules"] == "standard" && rows[2]["rules"] == "advanced", "{json}");
}

#[test]
fn the_rows_of_the_results_are_made_of_their_games() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/full-advanced");
    let folder = tempfile::tempdir().unwrap();
    let manifest = fs::read_to_string(results.join("played.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let digest = |name: &str| sha256_hex(&fs::read(results.join(name)).unwrap());
    assert_eq!(manifest["sha256"], digest("played.csv"));
    assert_eq!(manifest["page"]["sha256"], digest("played.html"));
    let mut command: Vec<String> = ["report", "play", "--seed"].map(str::to_owned).into();
    command.push(manifest["seed"].to_string());
    for rules in manifest["rules"].as_array().unwrap() {
        command.extend(["--rules".to_owned(), rules.as_str().unwrap().to_owned()]);
    }
    for strength in manifest["strengths"].as_array().unwrap() {
        let file = strength["file"].as_str().unwrap();
        assert_eq!(strength["sha256"], digest(file));
        // A run goes on with the version that began it: the first line says it was this one, which
        // words the limit of the players otherwise.
        let games = fs::read_to_string(results.join(file)).unwrap();
        let program = manifest["program"].as_str().unwrap();
        let own = concat!("pods ", env!("CARGO_PKG_VERSION"));
        fs::write(
            folder.path().join(file),
            games.replacen(program, own, 1).replacen("best --nodes", "best --max-nodes", 2),
        )
        .unwrap();
        command.extend(["--strength".to_owned(), format!("{}:{}", strength["nodes"], strength["games_of_a_start"])]);
    }
    command.extend(["--out".to_owned(), folder.path().to_str().unwrap().to_owned()]);
    // No game is left to be played: each is played again, and counted.
    let csv = answer(&command.iter().map(String::as_str).collect::<Vec<_>>(), "");
    assert_eq!(csv, fs::read_to_string(results.join("played.csv")).unwrap());
}
