//! `pods match` and `pods replay`: engines that play each other, and their games played again.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use crate::common::{cannot_run, wait_a_moment};
use crate::run::{answer, run};
use pods::matches::{Header, ReplayError, Replayed, replay};
use pods::rules::Preset;

const NOOK: [&str; 6] = ["--board", "nook9", "--pods", "four", "--opening-plies", "2"];

fn games(text: &str) -> (Result<Header, ReplayError>, Vec<Replayed>) {
    let mut games = Vec::new();
    let mut visit = |replayed| {
        games.push(replayed);
        ControlFlow::Continue(())
    };
    let header = replay(&mut text.as_bytes(), &mut visit);
    (header, games)
}

fn field(text: &str, name: &str) -> u64 {
    let rest = text.split(name).nth(1).unwrap_or_else(|| panic!("no {name}: {text}"));
    let number: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    number.parse().unwrap_or_else(|_| panic!("no number after {name}: {text}"))
}

#[test]
fn games_under_every_preset_are_played_again_as_they_are_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let mut ends = std::collections::BTreeMap::new();
    for preset in Preset::ALL {
        let file = folder.path().join(preset.name());
        let path = file.to_str().unwrap();
        let shape = ["--rules", preset.name(), "--pairs", "12", "--repetitions", "2", "--max-plies", "9"];
        let text = answer(&[&["match", "best --depth 1", "random", "--out", path], &NOOK[..], &shape].concat(), "");
        let (header, games) = games(&fs::read_to_string(&file).unwrap());
        assert_eq!(header.unwrap().players, ["best --depth 1", "random"]);
        assert_eq!(games.len(), 24);
        let mut wins = [0, 0];
        for game in &games {
            assert_eq!(game.fault, None, "{}: {game:?}", preset.name());
            *ends.entry(game.said.end.clone()).or_insert(0) += 1;
            match game.said.result.as_str() {
                "draw" => {}
                winner => wins[usize::from((winner == "white") != (game.said.white == 1))] += 1,
            }
            assert_eq!((game.said.game - 1) / 2, game.said.pair);
        }
        // What is said of the match is what its games say.
        assert_eq!((field(&text, "the first wins "), field(&text, "loses ")), (wins[0], wins[1]), "{text}");
        assert_eq!(field(&text, "games "), 24);
        let setups: Vec<usize> = games.iter().map(|game| game.said.setup).collect();
        assert!((0..4).all(|setup| setups.iter().filter(|&&one| one == setup).count() == 6), "{setups:?}");
        let again = answer(&["replay", path], "");
        assert!(again.ends_with(": every action is legal and every result right\n"), "{again}");
    }
    let seen: Vec<&str> = ends.keys().map(String::as_str).collect();
    assert_eq!(seen, ["empty-hand", "length", "no-action", "repetition"], "{ends:?}");
}

#[test]
fn a_match_without_times_is_the_same_in_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str, threads: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        let arguments =
            ["match", "best --max-nodes 300", "random", "--rules", "advanced", "--pairs", "8", "--seed", "7"];
        answer(&[&arguments[..], &NOOK, &["--threads", threads, "--out", &path]].concat(), "");
        fs::read_to_string(path).unwrap()
    };
    let one = play("one", "1");
    assert_eq!(one, play("three", "3"));
    let (_, games) = games(&one);
    // Both games of a pair begin alike, and openings differ.
    let opening = |game: &Replayed| (game.said.setup, game.positions[game.said.opening].clone());
    for pair in games.chunks(2) {
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
        assert_eq!((pair[0].said.white, pair[1].said.white), (1, 2));
    }
    let openings: std::collections::BTreeSet<_> = games.iter().map(opening).collect();
    assert_eq!(openings.len(), 8);
}

#[test]
fn what_is_wrong_with_a_game_is_named() {
    let text = fs::read_to_string("tests/corpus/readers/games.txt").unwrap();
    let (_, good) = games(&text);
    assert!(good.len() == 4 && good.iter().all(|game| game.fault.is_none()), "{good:?}");
    for (from, to, game, words) in [
        // By the rules.
        ("b@c1 t@a3 c1-a1 b@b2", "b@c1 t@a3 c1-a1 b@a3", 1, "ply 4: b@a3 is illegal by R10"),
        ("b@c1 t@a3 c1-a1 b@b2", "b@c1 t@a3 c1-b3 b@b2", 1, "ply 3: c1-b3 is illegal by R17"),
        ("b@c1 t@a3 c1-a1 b@b2", "t@c1 t@a3 c1-a1 b@b2", 1, "ply 1: t@c1 is illegal by R9"),
        ("b@c1 t@a3 c1-a1 b@b2", "b@c1 t@a3 c1-a1 b@b2 t@a2", 1, "ply 5: t@a2 is illegal by R30"),
        ("b@c1 t@a3 c1-a1 b@b2", "b@c1 t@a3 c1-a1 b@e9", 1, "ply 4: in \"b@e9\": e9 is no point"),
        ("b@c1 t@a3 c1-a1 b@b2", "b@c1 t@a3 c1-a1 \\u001b[2J", 1, "ply 4: \"\\u{1b}[2J\" is no action"),
        // What is said of it.
        (
            "\"black\",\"end\":\"empty-hand\"",
            "\"white\",\"end\":\"empty-hand\"",
            1,
            "it ends by empty-hand as black, and",
        ),
        (
            "\"black\",\"end\":\"empty-hand\"",
            "\"black\",\"end\":\"no-action\"",
            1,
            "it ends by empty-hand as black, and",
        ),
        ("b@c1 t@a3 c1-a1 b@b2", "b@c1 t@a3 c1-a1", 1, "after its 3 plies the game goes on, Black to move"),
        ("\"max_plies\":12", "\"max_plies\":3", 1, "it was drawn after ply 3"),
        ("\"opening\":1", "\"opening\":5", 1, "the opening has 5 plies and the game 4"),
        ("\"white\":1", "\"white\":3", 1, "White is player 3"),
        // Its pair.
        ("\"white\":2", "\"white\":1", 2, "player 1 has White in both games of pair 0"),
        ("b@c1 t@b3 t@a2", "b@c3 t@b1 t@a3", 2, "the games of pair 0 have different openings"),
    ] {
        assert!(text.contains(from), "{from}");
        let (header, games) = games(&text.replacen(from, to, 1));
        header.unwrap();
        let wrong: Vec<&Replayed> = games.iter().filter(|game| game.fault.is_some()).collect();
        let found = wrong.iter().find(|wrong| wrong.said.game == game).unwrap_or_else(|| panic!("{to}: {wrong:?}"));
        assert!(
            found.fault.as_ref().unwrap().starts_with(words) || found.fault.as_ref().unwrap().contains(words),
            "{found:?}"
        );
        assert_eq!(found.line, game as usize + 2);
    }
    // A loss by a fault can be checked as far as the play goes.
    let fault = text.replacen(
        "c1-a1 b@b2\",\"result\":\"black\",\"end\":\"empty-hand\"",
        "c1-a1\",\"result\":\"white\",\"end\":\"fault\"",
        1,
    );
    assert_eq!(games(&fault).1[0].fault, None);
    let fault = text.replacen(
        "c1-a1 b@b2\",\"result\":\"black\",\"end\":\"empty-hand\"",
        "c1-a1\",\"result\":\"black\",\"end\":\"fault\"",
        1,
    );
    assert!(games(&fault).1[0].fault.is_some());
}

#[test]
fn what_is_no_file_of_games_is_refused() {
    let text = fs::read_to_string("tests/corpus/readers/games.txt").unwrap();
    for (damaged, words) in [
        (String::new(), "no games: the file is empty"),
        ("\n \n".to_owned(), "no games: the file is empty"),
        ("{}\n".to_owned(), "line 1: this is no file of games"),
        (text.replacen("\"version\":1", "\"version\":3", 1), "line 1: this is no file of games"),
        (text.replacen("\"setup\":0,\"pair\":0", "\"setup\":4,\"pair\":0", 1), "line 3: there is no setup 4"),
        (text.replacen("\"game\":2,", "\"game\":-2,", 1), "line 4: invalid value: "),
        (text.replacen("w bt bt open", "w bt bt", 1), "line 2: start: "),
        (text.replacen("[\"a1\",\"a2\"]", "[\"a1\",\"a3\"]", 1), "line 2: board: a line joins a1 and a3"),
        (text.replacen("{\"type\":\"game\",\"game\":2", "{\"type\":\"game\",\"game\":2}{", 1), "line 4: missing"),
        (text.replacen("{\"type\":\"game\",\"game\":2", "{{", 1), "line 4: column 2: "),
        (format!("{text}{}", text.lines().next().unwrap()), "line 7: the match has begun already"),
        (format!("{text}{}", text.lines().nth(1).unwrap()), "line 7: setup 0 is given twice"),
    ] {
        let error = games(&damaged).0.unwrap_err().to_string();
        assert!(error.starts_with(words), "{words}: {error}");
    }
    let ran = run(&["replay", "README.md"], "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("pods: error: README.md: line 1: this is no file of games"), "{}", ran.err);
    let ran = run(&["replay", "tests/corpus/readers/games.txt", "--game", "9"], "");
    assert!(ran.code == 2 && ran.err.contains("it has no game 9"), "{}", ran.err);
}

#[test]
fn a_replay_tells_a_game_position_by_position() {
    let expected = "    0           3/3/3 w bt bt open
    1 b@c1      3/3/2B b t bt -
    2 t@b3      1t1/3/2B w t b -
    3 t@a2      1t1/T2/2B b - b -
result    white, by empty-hand
players   random against random
replayed  1 games, 3 plies: every action is legal and every result right
";
    let file = "tests/corpus/readers/games.txt";
    assert_eq!(answer(&["replay", file, "--game", "2"], ""), expected);
    let csv = answer(&["replay", file, "--format", "csv"], "");
    assert!(
        csv.starts_with("file_line,game,setup,pair,white,plies,result,end,fault\n3,1,0,0,1,4,black,empty-hand,\n"),
        "{csv}"
    );
    let json = answer(&["replay", file, "--format", "json", "--game", "2"], "");
    let game: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(game["positions"].as_array().unwrap().len(), 4);
    assert!(game["fault"].is_null());
    // One faulty game: it is named, and the exit status says so.
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad");
    fs::write(&bad, fs::read_to_string(file).unwrap().replacen("b@c3 t@b1 t@a3", "b@c3 t@b1 t@a1", 1)).unwrap();
    let ran = run(&["replay", bad.to_str().unwrap()], "");
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.starts_with("line 6, game 4: ply 3: t@a1 is illegal by R"), "{}", ran.out);
    let closed = "closed    no, as all files of version 1: games that are missing at its end are not noticed\n";
    let counted = "replayed  4 games, 13 plies: 1 of them is not as it should be\n";
    assert!(ran.out.ends_with(&format!("{counted}{closed}")), "{}", ran.out);
}

#[test]
fn the_test_ends_a_match_that_is_decided() {
    let claims = ["--sprt", "0:100", "--pairs", "400", "--threads", "2"];
    let play = |players: [&str; 2]| {
        let arguments =
            [&["match", players[0], players[1], "--rules", "advanced", "--board", "lair16"], &NOOK[2..], &claims];
        answer(&arguments.concat(), "")
    };
    for (players, accepted) in
        [(["best --max-nodes 300", "random"], "+100"), (["random", "best --max-nodes 300"], "+0")]
    {
        let text = play(players);
        assert!(text.contains(&format!("test      {accepted} Elo is accepted: ")), "{text}");
        assert!(field(&text, "games ") < 300, "{text}");
    }
}

#[test]
fn wrong_matches_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let letter = folder.path().join("letter");
    fs::write(&letter, "Dear Ada").unwrap();
    let letter = letter.to_str().unwrap();
    let hello = r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"rules","capabilities":[]}"#;
    let said = folder.path().join("hello");
    fs::write(&said, format!("{hello}\n")).unwrap();
    let rules_only = format!("program --max-nodes 1 sh -c 'read request; cat {}; read more'", said.display());
    for (arguments, words) in [
        (&["match", "random"][..], "ENGINE"),
        (&["match", "random", "clever"], "is no player"),
        (&["match", "random", "best"], "needs a budget"),
        (&["match", "random", "random", "--pairs", "0"], "--pairs"),
        (&["match", "random", "random", "--sprt", "3"], "as in 0:30 or 0:30:0.05:0.05"),
        (&["match", "random", "random", "--sprt", "3:2"], "the first Elo must be below the second"),
        (&["match", "random", "random", "--sprt", "3:4:0:0.05"], "alpha and beta"),
        (&["match", "random", "random", "--rules", "chess"], "--rules"),
        (&["match", "random", "random", "--starts", "green"], "white or black"),
        (&["match", "random", "random", "--out", letter], "it is not a file of games"),
        (
            &[
                "match",
                "random",
                "random",
                "--board",
                "nook9",
                "--pods",
                "duo",
                "--pairs",
                "100",
                "--opening-plies",
                "1",
            ],
            "different positions",
        ),
        (&["match", "random", "program --max-nodes 1 /nowhere/engine"], "cannot be started"),
        (&["match", "random", "program --max-nodes 1 true"], "ended instead of answering"),
        (&["match", "random", "program --max-nodes 1 cat"], "the program sends the request back"),
        (&["match", "random", &rules_only], "does not declare the capability \"best\""),
    ] {
        let ran = run(arguments, "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(fs::read_to_string(letter).unwrap(), "Dear Ada");
}

#[test]
fn engines_of_other_programs_play() {
    let own = format!("program --max-nodes 200 '{}' engine --engine fast", env!("CARGO_BIN_EXE_pods"));
    let arguments = ["match", &own, "random", "--rules", "very-advanced", "--pairs", "4"];
    let text = answer(&[&arguments[..], &NOOK].concat(), "");
    assert!(field(&text, "the first wins ") >= 5, "{text}");
    if Command::new("python3").arg("--version").output().is_err() {
        cannot_run("python3", "the example engine is a Python program");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/conform_engine.py");
    let python = format!("program --time 5 python3 -B '{}'", script.display());
    for rules in ["standard", "advanced"] {
        let arguments = ["match", "random", &python, "--rules", rules, "--pairs", "4", "--timeout", "60"];
        let text = answer(&[&arguments[..], &NOOK].concat(), "");
        assert!(field(&text, "loses ") >= 4 && !text.contains("\nfaults "), "{text}");
    }
    // One that plays an illegal action loses the game by it, another one that ends in the middle of
    // a game too.
    let patched = |change: &str| {
        let code = format!(
            "import sys; sys.path.insert(0, {:?}); import conform_engine as e\n{change}\ne.main(sys.stdin, sys.stdout)",
            script.parent().unwrap().to_str().unwrap()
        );
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), code).unwrap();
        file
    };
    for (change, said) in [
        ("e.Game.best = lambda *_: 'b@a1'", "b@a1 is illegal in "),
        ("e.Game.best = lambda *_: 'resign'", "plays what cannot be read: \\\"resign\\\" is no action"),
        ("e.Game.best = lambda *_: sys.exit(3)", "ended instead of answering (exit status: 3)"),
        ("e.Game.best = lambda *_: None", "answers best with"),
    ] {
        let file = patched(change);
        let player = format!("program --time 1 python3 -B '{}'", file.path().display());
        let shape = ["--rules", "advanced", "--pairs", "3", "--timeout", "60", "--format", "json"];
        let ran = run(&[&["match", player.as_str(), "best --max-nodes 100"], &NOOK[..], &shape].concat(), "");
        assert_eq!(ran.code, 1, "{change}: {}", ran.err);
        let plain = said.replace("\\\"", "\"");
        assert!(ran.err.contains(&plain) && ran.err.contains("lost a game: "), "{change}: {}", ran.err);
        let all: serde_json::Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
        assert!(all["first_faults"].as_u64().unwrap() >= 3 && all["second_faults"] == 0, "{change}: {}", ran.out);
    }
}

#[test]
fn the_games_of_the_results_are_as_they_are_said_to_be() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/player");
    let strength = fs::read_to_string(folder.join("strength.csv")).unwrap();
    let beside =
        ["by-nodes", "by-time"].map(|name| (name, fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap()));
    type Row = std::collections::HashMap<String, String>;
    let read =
        |csv: &str| csv::Reader::from_reader(csv.as_bytes()).deserialize().map(Result::unwrap).collect::<Vec<Row>>();
    let mut rows = read(&strength);
    for (name, csv) in beside {
        rows.extend(read(&csv).into_iter().map(|mut row| {
            row.insert("file".to_owned(), format!("{name}-{}.jsonl", row["rules"]));
            row
        }));
    }
    let mut matches = 0;
    for row in rows {
        let (header, games) = games(&fs::read_to_string(folder.join(&row["file"])).unwrap());
        assert_eq!(header.unwrap().players, [row["first"].clone(), row["second"].clone()]);
        let count = |wanted: &dyn Fn(&Replayed) -> bool| games.iter().filter(|game| wanted(game)).count().to_string();
        let faulty: Vec<&Replayed> = games.iter().filter(|game| game.fault.is_some()).collect();
        assert!(faulty.is_empty(), "{faulty:?}");
        let first = |game: &Replayed| if game.said.white == 1 { "white" } else { "black" };
        assert_eq!(count(&|_| true), row["games"]);
        assert_eq!(count(&|game| game.said.result == first(game)), row["wins"]);
        assert_eq!(count(&|game| game.said.result == "draw"), row["draws"]);
        assert_eq!(count(&|game| game.said.end == "repetition"), row["by_repetition"]);
        matches += 1;
    }
    assert!(matches >= 6, "{matches} matches");
}

/// Returns a match of few plies, into this file.
fn short_match<'a>(path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let match_ = ["match", "random", "best --max-nodes 40", "--rules", "advanced", "--out", path];
    [&match_[..], &NOOK, &["--max-plies", "60"], more].concat()
}

#[test]
fn a_match_that_was_killed_goes_on_and_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, killed) = (path("whole"), path("killed"));
    let said = answer(&short_match(&whole, &["--pairs", "60", "--threads", "2"]), "");
    let wanted = fs::read(&whole).unwrap();
    assert!(wanted.ends_with(b"\n{\"type\":\"end\",\"games\":120}\n"));
    let without_times = |said: &str| -> Vec<String> {
        said.lines().filter(|line| !line.starts_with("time ")).map(str::to_owned).collect()
    };
    for pairs in [1, 20, 40] {
        let mut child = crate::run::spawn(&short_match(&killed, &["--pairs", "60", "--threads", "2"]));
        let lines = || fs::read(&killed).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count();
        while lines() < 5 + 2 * pairs && child.try_wait().unwrap().is_none() {
            wait_a_moment();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let so_far = fs::read(&killed).unwrap();
        assert!(wanted.starts_with(&so_far) && lines() >= 5 + 2 * pairs, "{pairs} pairs: the front of the whole");
    }
    let goes_on = |more: &[&str]| {
        let ran = run(&short_match(&killed, more), "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.is_empty() || ran.err.contains("resuming from "), "{}", ran.err);
        ran.out
    };
    assert_eq!(without_times(&goes_on(&["--pairs", "60", "--threads", "1"])), without_times(&said));
    assert_eq!(fs::read(&killed).unwrap(), wanted);
    // Torn at any place: a finished match has nothing left to do, half a pair is played again.
    let ends: Vec<usize> = (0..wanted.len()).filter(|&at| wanted[at] == b'\n').map(|at| at + 1).collect();
    let places = [0, 7, 3000, wanted.len() / 2, ends[5], ends[6], ends[124], wanted.len() - 1, wanted.len()];
    for length in places {
        fs::write(&killed, &wanted[..length]).unwrap();
        goes_on(&["--pairs", "60"]);
        assert!(fs::read(&killed).unwrap() == wanted, "torn at {length}");
    }
    // A longer match goes on from a shorter one.
    goes_on(&["--pairs", "61"]);
    let longer = fs::read(&killed).unwrap();
    assert!(longer.starts_with(&wanted[..ends[124]]) && longer.ends_with(b"\n{\"type\":\"end\",\"games\":122}\n"));
    // So does a copy that went through an editor which ends lines in CR LF.
    let text = String::from_utf8(longer.clone()).unwrap();
    fs::write(&killed, text.replace('\n', "\r\n")).unwrap();
    goes_on(&["--pairs", "61"]);
    assert_eq!(fs::read_to_string(&killed).unwrap().replace("\r\n", "\n"), text);
    fs::write(&killed, &longer).unwrap();
    // A test that decides early counts what it needs, and closes the file all the same.
    let decided = goes_on(&["--pairs", "61", "--sprt", "-100:100"]);
    assert!(decided.contains("Elo is accepted") && decided.contains("\nleft out  "), "{decided}");
    assert_eq!(fs::read(&killed).unwrap(), longer);
}

#[test]
fn games_of_another_match_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    answer(&short_match(path, &["--pairs", "3"]), "");
    let good = fs::read_to_string(path).unwrap();
    let unfinished = good.lines().take(8).collect::<Vec<_>>().join("\n") + "\n";
    let replaced = |from: &str, to: &str| unfinished.replacen(from, to, 1);
    assert!(unfinished.contains("\"game\":1,\"setup\":0,\"pair\":0"));
    for (there, more, words) in [
        (unfinished.clone(), &["--seed", "2"][..], "line 1 is of another match"),
        (unfinished.clone(), &["--repetitions", "4"], "line 1 is of another match"),
        (unfinished.clone(), &["--memory", "64MiB"], "line 1 is of another match"),
        (unfinished.clone(), &["--orientation", "90"], "line 2 is of another match"),
        (unfinished.clone(), &["--pairs", "1"], "it has more games than this run makes"),
        (replaced("best --max-nodes 40", "best --max-nodes 41"), &[], "line 1 is of another match"),
        (replaced("\"game\":1,", "\"game\":3,"), &[], "line 6 is of another match"),
        (replaced("\"game\":2,", "\"game\":2"), &[], "line 7 is damaged"),
        (replaced("\"end\":\"", "\"end\":\"f"), &[], "line 6 is damaged"),
        (format!("{good}{}\n", good.lines().nth(5).unwrap()), &[], "line 12 is damaged"),
    ] {
        fs::write(path, &there).unwrap();
        let pairs: &[&str] = if more.contains(&"--pairs") { &[] } else { &["--pairs", "3"] };
        let ran = run(&short_match(path, &[pairs, more].concat()), "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}: {}", ran.err);
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
        assert_eq!(fs::read_to_string(path).unwrap(), there, "{words}");
    }
    let ran = run(&short_match(path, &["--pairs", "3", "--force"]), "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(path).unwrap(), good);
    // A match goes on in its file, so a device will not do.
    let ran = run(&short_match("/dev/null", &["--pairs", "3"]), "");
    assert!(ran.code == 2 && ran.err.contains("no plain file"), "{}{}", ran.err, ran.out);
}

#[test]
fn what_is_missing_or_in_a_wrong_place_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    answer(&short_match(path, &["--orientation", "0", "--pairs", "3"]), "");
    let good = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    // A match, a setup, six games, and the end.
    let of = |numbers: &[usize]| numbers.iter().map(|&number| format!("{}\n", lines[number - 1])).collect::<String>();
    let renumbered = |from: &str, to: &str| of(&[1, 2, 3, 4]) + &of(&[5]).replacen(from, to, 1) + &of(&[6, 7, 8, 9]);
    let old = |text: String| text.replacen("\"version\":2", "\"version\":1", 1);
    for (damaged, words) in [
        (String::new(), "no games: the file is empty"),
        (of(&[1]), "cut short: there are 0 games and no line that closes the file"),
        (of(&[1, 2]), "cut short: there are 0 games and no line that closes the file"),
        (of(&[1, 2, 3, 4, 5]), "cut short: there are 3 games and no line that closes the file"),
        (of(&[1, 2, 3, 4, 5, 6, 9]), "line 7 says that there are 6 games, and there are 4"),
        (of(&[1, 2, 9]).replace("\"games\":6", "\"games\":0"), "no games: nothing was replayed"),
        (of(&[1, 2, 3, 9]).replace("\"games\":6", "\"games\":1"), "cut short: pair 0 has one game"),
        (old(of(&[1, 2])), "no games: nothing was replayed"),
        (old(of(&[1, 2, 3, 4, 5])), "cut short: pair 1 has one game"),
        (good[..good.len() - 1].to_owned(), ""),
        (good[..good.len() - 2].to_owned(), "cut short: line 9 is torn"),
        (good[..150].to_owned(), "cut short: line 1 is torn"),
        (good[..20].to_owned(), "cut short: line 1 is torn"),
        (of(&[1, 2, 3, 4, 5, 5, 6, 7, 8, 9]), "line 6, game 3: line 5 is repeated"),
        (format!("{good}{good}"), "line 10: line 9 has closed the file already"),
        (good.clone() + &of(&[9]), "line 10: line 9 has closed the file already"),
        (good.clone() + &of(&[3]), "line 10, game 1: it stands behind line 9, which closes the file"),
        (of(&[1, 2, 5, 3, 4, 6, 7, 8, 9]), "line 4, game 1: it stands behind game 3: the games are not in their order"),
        (of(&[1, 2, 3, 4, 6, 7, 8, 9]), "line 5, game 4: game 3 is missing before it"),
        (of(&[1, 2, 3, 4, 7, 8, 9]), "line 5, game 5: games 3 to 4 are missing before it"),
        (renumbered("\"game\":3,", "\"game\":2,"), "line 5, game 2: its number is that of the game in line 4 too"),
        (renumbered("\"pair\":1,", "\"pair\":0,"), "line 5, game 3: it is a third game of pair 0"),
        (renumbered("\"opening\":2", "\"opening\":1"), "line 6, game 4: the games of pair 1 have different openings"),
    ] {
        fs::write(path, &damaged).unwrap();
        let ran = run(&["replay", path], "");
        let said = format!("{}{}", ran.out, ran.err);
        assert_eq!(ran.code, i32::from(!words.is_empty()), "{words}: {said}");
        assert!(said.lines().any(|line| line.contains(words)), "{words}: {said}");
    }
    // Cut behind any byte, it is never taken for whole, nor for another kind of file.
    for length in (0..good.len() - 1).step_by(37) {
        let (read, _) = games(&good[..length]);
        assert!(matches!(read, Err(ReplayError::NotWhole(_))), "{length}: {read:?}");
    }
}
