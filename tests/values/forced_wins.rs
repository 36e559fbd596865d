//! The committed forced wins against the solver of today, and against a plain search.

use std::path::Path;

use crate::common::{builtin_game, position};
use pods::engine::{Bitboard, Engine, Status};
use pods::material::Side;
use pods::position::Position;
use pods::solver::forced::{Forced, forced_win};
use pods::solver::{Limits, Plies, Silent};

struct Row {
    rules: String,
    position: String,
    answer: String,
    nodes: u64,
}

fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/laboratory/forced");
    let csv = std::fs::read(folder.join("forced.csv")).unwrap();
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("forced.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["sha256"], pods::files::sha256_hex(&csv), "make it anew with scripts/results.sh forced");
    let mut reader = csv::Reader::from_reader(&csv[..]);
    let wanted = ["board", "orientation", "rules", "hands", "seed", "position", "answer", "nodes", "seconds"];
    assert_eq!(reader.headers().unwrap(), &wanted[..]);
    let row = |record: csv::StringRecord| Row {
        rules: record[2].to_owned(),
        position: record[5].to_owned(),
        answer: record[6].to_owned(),
        nodes: record[7].parse().unwrap(),
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn in_words(forced: &Forced) -> String {
    match forced {
        Forced::Win { plies, .. } => format!("win in {plies}"),
        Forced::NotWithin(plies) => format!("not within {plies}"),
        Forced::Unknown { .. } => "unknown".to_owned(),
    }
}

fn search(row: &Row, plies: Plies) -> (String, u64) {
    let game = builtin_game("cave36", 0, "pods14", &row.rules);
    let start = position(&game, &row.position);
    assert!(Side::BOTH.iter().all(|&side| start.hand(side).len() <= 3), "{}", row.position);
    let forced = forced_win(&Bitboard::new(game), &start, plies, Limits::default(), &Silent);
    (in_words(&forced.found), forced.nodes)
}

#[test]
fn the_committed_answers_are_found_again() {
    let mut wins = 0;
    for row in rows().into_iter().filter(|row| row.nodes <= MAX_NODES) {
        assert_eq!(search(&row, PLIES), (row.answer.clone(), row.nodes), "{} {}", row.rules, row.position);
        wins += usize::from(row.answer.starts_with("win"));
    }
    assert!(wins >= 30, "{wins} wins");
}

#[test]
fn a_longer_win_is_none_within_fewer_plies() {
    let late = |row: &Row| match row.answer.strip_prefix("win in ") {
        Some(plies) => plies.parse::<Plies>().unwrap() > 7,
        None => row.answer == format!("not within {PLIES}"),
    };
    let rows: Vec<Row> = rows().into_iter().filter(late).collect();
    assert!(rows.len() >= 10, "{} rows", rows.len());
    for row in rows {
        assert_eq!(search(&row, 7).0, "not within 7", "{} {}", row.rules, row.position);
    }
}

/// Plies that the committed rows look ahead.
const PLIES: Plies = 11;

/// Rows that take more are left to the script.
const MAX_NODES: u64 = 100_000;

/// Returns `true` if `side` forces a win within `plies` plies: the definition, with nothing else.
fn plain(engine: &Bitboard, position: &Position, side: Side, plies: u16) -> bool {
    match engine.status(position) {
        Status::Won(winner) => return winner == side,
        Status::Ongoing if plies == 0 => return false,
        Status::Ongoing => {}
    }
    let wins = |action| plain(engine, &engine.transition(position, action).unwrap().next, side, plies - 1);
    let mut actions = engine.sorted_actions(position).into_iter();
    if position.to_move() == side { actions.any(wins) } else { actions.all(wins) }
}

#[test]
fn a_plain_search_says_the_same_of_the_first_plies() {
    let mut wins = [0, 0];
    for (number, row) in rows().into_iter().enumerate() {
        let game = builtin_game("cave36", 0, "pods14", &row.rules);
        let start = position(&game, &row.position);
        let engine = Bitboard::new(game);
        for (i, plies) in [1, 3].into_iter().enumerate() {
            if plies == 3 && number % 8 != 0 {
                continue;
            }
            let within = row.answer.strip_prefix("win in ").is_some_and(|n| n.parse::<u16>().unwrap() <= plies);
            if row.answer == "unknown" {
                continue;
            }
            assert_eq!(plain(&engine, &start, start.to_move(), plies), within, "{} {}", row.rules, row.position);
            wins[i] += usize::from(within);
        }
    }
    assert!(wins.iter().all(|&n| n > 0), "wins in 1 and in 3: {wins:?}");
}
