//! The library: proven positions are answered at once, and its list agrees with the results.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::run::{answer, run};
use pods::answer::{Answerer, certificates};
use pods::engine::{Bitboard, Engine as _};
use pods::geometry::Orientation;
use pods::material::{Side, builtin_board, builtin_pods};
use pods::position::{Game, Hand};
use pods::rules::RuleSet;
use pods::solver::Outcome;

type Row = BTreeMap<String, String>;

fn rows(name: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/solved").join(name);
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn game(turn: u16, rules: &str) -> Game {
    let board = builtin_board("cave36").unwrap().turned(Orientation::from_degrees(turn).unwrap());
    Game::new(board, builtin_pods("pods14").unwrap(), rules.parse::<RuleSet>().unwrap())
}

/// The list that is compiled in has every certificate of these tables and no other, and says the
/// same of each.
#[test]
fn the_library_is_that_of_the_results() {
    let mut said: BTreeMap<String, Row> = BTreeMap::new();
    for mut row in rows("certificates.csv").into_iter().chain(rows("start.csv").into_iter().map(|mut row| {
        row.insert("opening".to_owned(), "start".to_owned());
        row
    })) {
        row.insert("pods".to_owned(), "pods14".to_owned());
        said.insert(row["file_sha256"].clone(), row);
    }
    assert_eq!(said.len(), certificates().len());
    for one in certificates() {
        let row = &said[&one.file_sha256];
        let turn = one.orientation.to_string();
        let cells = [&one.board, &turn, &one.pods, &one.rules, &one.opening, &one.winner];
        let names = ["board", "orientation", "pods", "rules", "opening", "winner"];
        assert_eq!(cells.map(String::as_str), names.map(|name| row[name].as_str()));
        assert_eq!(one.trailer_sha256.as_deref().unwrap_or_default(), row["trailer_sha256"]);
        assert_eq!(one.kept.as_deref().unwrap_or_default(), row["kept"]);
    }
    // The winning actions of the four kept files of `opening=any` are those of the search that
    // found them.
    for row in rows("start.csv") {
        let one = certificates().iter().find(|one| one.file_sha256 == row["file_sha256"]).unwrap();
        assert_eq!(one.action.as_ref(), Some(&row["opening"]));
    }
}

/// Consequences of a certificate: for all openings of a lost start, and for the winning one of a won
/// start.
#[test]
fn positions_are_known_and_no_others() {
    let value = |row: &Row| match row["value"].as_str() {
        "win" => Some(Outcome::Win),
        "loss" => Some(Outcome::Loss),
        _ => None,
    };
    let mut known = 0;
    for row in rows("openings.csv") {
        let game = game(row["orientation"].parse().unwrap(), "standard");
        let answerer = Answerer::new(&game).with_library(true);
        let proven = answerer.proven(&game.parse_position(&row["position"]).unwrap());
        assert_eq!(proven.is_some(), row["orientation"] != "270" || row["opening"] == "b@c5", "{row:?}");
        let Some(proven) = proven else { continue };
        known += 1;
        assert_eq!(Some(proven.outcome.reversed()), value(&row), "{row:?}");
        if let Some(winning) = proven.winning {
            assert_eq!((row["opening"].as_str(), winning.display(&game).to_string()), ("b@c3", row["reply"].clone()));
        }
        assert!(Answerer::new(&game).proven(&game.parse_position(&row["position"]).unwrap()).is_none());
    }
    assert_eq!(known, 3 * 51 + 1);
    for (turn, rules) in [(0, "basic-author"), (90, "advanced"), (0, "standard+placement-liberty=off")] {
        let game = game(turn, rules);
        let start = game.whole_start().unwrap();
        assert!(Answerer::new(&game).with_library(true).proven(&start).is_none(), "{rules}");
    }
    // Of the second ply on nothing follows.
    let standard = game(0, "standard");
    let engine = Bitboard::new(standard.clone());
    let two = (0..2).fold(standard.whole_start().unwrap(), |position, _| {
        let action = engine.sorted_actions(&position)[0];
        engine.position(&engine.play_state(&engine.state(&position), action))
    });
    assert!(Answerer::new(&standard).with_library(true).proven(&two).is_none());
    // Where Black starts it is White's start with the board turned by 180°.
    for (turn, outcome) in [(0, Outcome::Loss), (90, Outcome::Win), (180, Outcome::Loss), (270, Outcome::Loss)] {
        let game = game(turn, "standard");
        let hand = Hand::whole(game.pods());
        let start = game.start(hand, hand, Side::Black).unwrap();
        let proven = Answerer::new(&game).with_library(true).proven(&start).unwrap();
        assert_eq!((proven.outcome, proven.winning), (outcome, None), "{turn}");
    }
    // Another hand is another game.
    let fewer = standard.parse_position("6/6/6/6/6/6 w bcdfghjkopqtv bcdfghjkopqtvy open").unwrap();
    assert!(Answerer::new(&standard).with_library(true).proven(&fewer).is_none());
}

#[test]
fn commands_ask_it_first_and_say_so() {
    let text = answer(&["solve", "start"], "");
    let digest = "7de6b1e8b71d4b930cdb9f1c6e2e37462be3eb3eda5cd618c14fa07db3e452c2";
    let method = format!(
        "method    library: proven, certificate sha256 {digest}, results/solved/0-start.proof, about the empty board at 0°\n"
    );
    assert!(text.contains("value     loss for White\n") && text.ends_with(&method), "{text}");
    let any =
        answer(&["solve", "start", "--rules", "standard+opening=any", "--orientation", "90", "--format", "json"], "");
    let any: serde_json::Value = serde_json::from_str(&any).unwrap();
    assert_eq!((&any["value"], &any["wins_by"], &any["method"]), (&"win".into(), &"o@d4".into(), &"library".into()));
    assert!(any["certificate"].as_str().unwrap().contains("2f1fe81d"), "{any}");
    let after = answer(&["best", "6/6/6/2B3/6/6 b cdfghjkopqtvy bcdfghjkopqtvy -"], "");
    assert!(
        after.contains("action    o@f5\n") && after.contains("proven win for Black, by certificate sha256 9733"),
        "{after}"
    );
    let lost = answer(&["best", "start", "--max-nodes", "1000"], "");
    assert!(lost.contains("proven loss for White, by certificate sha256 7de6"), "{lost}");
    let explained = answer(&["explain", "start", "b@c3"], "");
    assert!(explained.contains("\nb@c3 loses (library, without the number of plies)\n"), "{explained}");
    let openings = answer(&["solve", "start", "--every-action", "--format", "csv"], "");
    assert_eq!(openings.lines().filter(|line| line.contains(",loss,")).count(), 51, "{openings}");
    // A report on winners counts the openings that certificates settle.
    let report =
        ["report", "--board", "cave36", "--pods", "pods14", "--rules", "standard", "--winners", "--time", "0.5"];
    let rows = answer(&[&report[..], &["--format", "text"]].concat(), "");
    for words in [" 0/0/51 ", " 1/0/0 and 50? ", "library, proven by a certificate"] {
        assert!(rows.contains(words), "{words}: {rows}");
    }
    assert!(!rows.contains("not verified"), "{rows}");
    let without = answer(&["solve", "start", "--no-library", "--max-nodes", "1000", "--memory", "64MiB"], "");
    assert!(without.contains("value     unknown"), "{without}");
    let other = run(&["solve", "start", "--rules", "basic-author", "--method", "library"], "");
    assert!(other.code == 2 && other.err.contains("the library has no certificate for this position"), "{}", other.err);
}

/// Tables, manifests and the list agree; the kept certificates are checked by
/// `scripts/check-solved.py` without `--tables`.
#[test]
fn the_script_finds_nothing_wrong() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match Command::new("python3").arg("scripts/check-solved.py").arg("--tables").current_dir(root).output() {
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr)),
        Err(error) => assert!(std::env::var_os("CI").is_none(), "python3 cannot be run: {error}"),
    }
}
