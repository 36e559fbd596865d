//! `pods best` as a user runs it.

use crate::common::builtin_game;
use crate::run::{answer, run};
use pods::engine::{Bitboard, Engine as _};
use pods::rules::Preset;

const NOOK: [&str; 6] = ["--board", "nook9", "--pods", "four", "--max-nodes", "100000"];

fn nook(arguments: &[&str]) -> String {
    answer(&[&["best"], arguments, &NOOK[..]].concat(), "")
}

fn line<'a>(text: &'a str, name: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name}: {text}")).trim()
}

#[test]
fn what_is_proven_is_said_with_its_line() {
    let text = nook(&["start", "--hands", "bdt"]);
    assert_eq!(line(&text, "value"), "proven win in 5 plies for White, by alpha-beta");
    assert!(["d@a1", "d@a2"].contains(&line(&text, "action")), "{text}");
    assert_eq!(line(&text, "line").split(' ').count(), 5);
    assert!(!text.contains(" s\n"), "no time without a time in the question: {text}");
}

#[test]
fn finished_games_have_no_action() {
    for (position, rules, said) in [
        // White has placed its last pod (R19), and holds nothing on its turn (R30).
        ("3/1B1/3 b - b -", "advanced", "white_won: the game is over, White has won"),
        ("3/1b1/3 w - t -", "advanced", "white_won: the game is over, White has won"),
        // An empty hand cannot place (R16).
        ("3/1b1/3 w - t -", "standard", "black_won: the game is over, Black has won"),
    ] {
        let ran = run(&[&["best", position, "--rules", rules], &NOOK[..]].concat(), "");
        assert_eq!(ran.code, 0, "{position}: {}", ran.err);
        let text = ran.out;
        assert_eq!(line(&text, "status"), said, "{text}");
        assert!(!text.contains("action"), "{text}");
        let json = nook(&[position, "--rules", rules, "--format", "json"]);
        assert!(json.contains("\"action\":null") && json.contains("\"plies\":0"), "{json}");
    }
}

#[test]
fn open_positions_open_with_a_bipod() {
    for rules in Preset::ALL {
        let json = answer(
            &["best", "start", "--no-library", "--rules", rules.name(), "--max-nodes", "2000", "--format", "json"],
            "",
        );
        let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
        let action = answer["action"].as_str().unwrap();
        assert!(action.starts_with("b@") || action.starts_with("d@"), "{json}");
        // Nobody proves the start of the full game with so little: a guess, and nothing that looks
        // like a value.
        assert!(answer["value"] == "unknown" && answer["plies"].is_null() && answer["method"].is_null(), "{json}");
        assert!(answer["guess_depth"].as_u64().unwrap() >= 1 && answer["seconds"].is_null(), "{json}");
        let text = answer_text(rules.name());
        assert!(line(&text, "value").starts_with("unknown, guess "), "{text}");
        assert!(!text.contains("proven"), "{text}");
    }
}

fn answer_text(rules: &str) -> String {
    let ask = ["best", "start", "--no-library", "--rules", rules, "--max-nodes", "2000"];
    let text = answer(&ask, "");
    assert_eq!(text, answer(&ask, ""), "not the same in every run");
    text
}

#[test]
fn actions_and_lines_are_legal_under_every_preset() {
    for preset in Preset::ALL {
        let game = builtin_game("cave36", 90, "pods14", preset.name());
        let engine = Bitboard::new(game.clone());
        let arguments = ["best", "-", "--orientation", "90", "--rules", preset.name(), "--max-nodes", "3000"];
        let hand = "bcdfghjkopqtvy";
        let mut position = game.parse_position(&format!("6/6/6/6/6/6 w {hand} {hand} open")).unwrap();
        for _ in 0..3 {
            let csv =
                answer(&[&arguments[..], &["--format", "csv"]].concat(), &format!("{}\n", position.display(&game)));
            let (header, row) = csv.trim_end().split_once('\n').expect("a header and a row");
            assert_eq!(header.split(',').count(), 13, "{header}");
            // The certificate, behind all others, has commas.
            let cells: Vec<&str> = row.splitn(13, ',').collect();
            assert_eq!((cells.len(), cells[0]), (13, position.display(&game).to_string().as_str()));
            let line: Vec<&str> = cells[8].split(' ').collect();
            assert_eq!(cells[2], line[0]);
            let mut here = position.clone();
            for text in line {
                here = engine.transition(&here, game.parse_action(text).unwrap()).expect("a legal line").next;
            }
            position = engine.transition(&position, game.parse_action(cells[2]).unwrap()).unwrap().next;
        }
    }
}

#[test]
fn lines_of_standard_input_are_answered_each() {
    let arguments = [&["best", "-", "--rules", "advanced"], &NOOK[..]].concat();
    let text = answer(&arguments, "3/1B1/3 b - b -\n3/3/3 w b b -\n");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "- proven loss in 0 plies");
    assert!(lines.len() == 2 && lines[1].ends_with("proven win in 1 ply"), "{text}");
}

#[test]
fn wrong_questions_are_refused() {
    for (arguments, words) in [
        (vec!["best", "start", "--time", "soon"], "a number of seconds"),
        (vec!["best", "start", "--time=-1"], "seconds"),
        (vec!["best", "start", "--player", "chess"], "`pods best --player` is gone"),
        (vec!["best", "nowhere"], "position"),
        (vec!["best", "start", "--hands", "ft:"], "R9"),
    ] {
        let ran = run(&arguments, "");
        let message = ran.err;
        assert_eq!((ran.code, ran.out.len()), (2, 0), "{arguments:?}: {message}");
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

#[test]
fn one_thread_answers_the_same_in_every_run_under_every_preset() {
    for rules in Preset::ALL {
        let ask = ["best", "start", "--rules", rules.name(), "--max-nodes", "3000", "--threads", "1", "--no-library"];
        let text = answer(&ask, "");
        assert!(text.contains("value     unknown, guess ") && text == answer(&ask, ""), "{text}");
    }
}

#[test]
fn threads_share_the_nodes() {
    for rules in ["advanced", "standard"] {
        let nodes = |threads: &str| {
            let ask = ["best", "start", "--rules", rules, "--max-nodes", "40000", "--format", "json"];
            let json = answer(&[&ask[..], &["--threads", threads]].concat(), "");
            serde_json::from_str::<serde_json::Value>(&json).unwrap()["positions"].as_u64().unwrap()
        };
        // An evaluation of all actions that has begun is finished, by each thread.
        for threads in ["1", "4"] {
            let nodes = nodes(threads);
            assert!((20_000..50_000).contains(&nodes), "{rules}, {threads} threads: {nodes}");
        }
    }
}

#[test]
fn threads_look_together_and_need_a_number() {
    let ask = ["best", "start", "--rules", "advanced", "--max-nodes", "3000", "--format", "json", "--threads"];
    let json = answer(&[&ask[..], &["2"]].concat(), "");
    let said: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(said["action"].as_str().unwrap().contains('@') && said["value"] == "unknown", "{json}");
    for wrong in ["0", "257", "two"] {
        let ran = run(&[&ask[..], &[wrong]].concat(), "");
        assert!(ran.code == 2 && ran.err.contains("at least 1 and at most 256"), "{wrong}: {}", ran.err);
    }
}
