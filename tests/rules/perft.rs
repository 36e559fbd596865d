//! The golden perft table against both engines.

use crate::common::{builtin_game, position};
use pods::engine::{Bitboard, Engine, Reference};

/// Made by the reference engine: `scripts/golden-perft.py`.
const GOLDEN: &str = include_str!("../golden/perft.csv");

#[test]
fn both_engines_count_what_the_golden_table_says() {
    let mut lines = 0;
    for record in csv::Reader::from_reader(GOLDEN.as_bytes()).into_records() {
        let record = record.unwrap();
        let [board, orientation, pods, rules, text, depth, nodes] = [0, 1, 2, 3, 4, 5, 6].map(|i| &record[i]);
        let game = builtin_game(board, orientation.parse().unwrap(), pods, rules);
        let here = position(&game, text);
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        let at = format!("{board} {orientation} {pods} {rules} {text} depth {depth}");
        assert_eq!(Reference::new(game.clone()).perft(&here, depth), nodes, "reference engine, {at}");
        assert_eq!(Bitboard::new(game).perft(&here, depth), nodes, "fast engine, {at}");
        lines += 1;
    }
    assert!(lines > 100, "{lines} lines");
}
