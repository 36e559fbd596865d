//! Tests of features that save work: without them no value changes.

use super::*;
use crate::geometry::{Coord, Direction};
use crate::material::{Board, builtin_board, builtin_pods};
use crate::position::Hand;
use crate::progress::Silent;
use crate::rules::Preset;
use crate::solver::retrograde::Retrograde;
use crate::solver::value::Value;

fn pairs() -> Game {
    let points: Vec<_> = (0..6).flat_map(|row| (0..4).map(move |column| Coord { row, column })).collect();
    let lines: Vec<_> = (0..6).flat_map(|row| [0, 2].map(|column| (Coord { row, column }, Direction::E))).collect();
    let board = Board::new("pairs", "test", points, lines).unwrap();
    let rules = "advanced+opening=any".parse().unwrap();
    Game::new(board, builtin_pods("snort").unwrap(), rules)
}

#[test]
fn a_win_out_of_reach_is_not_looked_for() {
    let game = pairs();
    let engine = Bitboard::new(game.clone());
    // At most two pods leave the board in a ply, so not all nine defenders in four plies; and of
    // four pods in hand at most three are placed in five.
    let position = game.parse_position("o1o1/o1o1/o1o1/o1o1/o3/4 w o4 o -").unwrap();
    let actions = engine.sorted_actions(&position).len() as u64;
    let answer = forced_win(&engine, &position, 5, Limits::default(), &Silent);
    // The root and a look at each of its next positions, for 1, 3 and 5 plies.
    assert_eq!((answer.nodes, answer.found), (3 * (1 + actions), Forced::NotWithin(5)));
}

#[test]
fn only_who_has_one_point_to_go_to_may_get_stuck() {
    let game = pairs();
    let engine = Bitboard::new(game.clone());
    let (limits, silent) = (Limits::default(), Silent);
    let prover = Prover {
        engine: &engine,
        attacker: Side::White,
        by_hand: true,
        leave: most_leave(&game),
        span: 6,
        table: HashMap::new(),
        most: u64::MAX,
        tracker: Tracker::new(limits, &silent),
    };
    let may =
        |board: &str| prover.may_get_stuck(&engine.state(&game.parse_position(&format!("{board} w o4 o -")).unwrap()));
    assert!(may("4/4/4/4/4/oo2") && may("o3/4/4/4/4/oo2"));
    assert!(!may("o1o1/4/4/4/4/oo2") && !may("o1o1/o3/4/4/4/oo2"));
}

#[test]
fn a_win_that_is_proven_is_told_whatever_ends_the_search_for_its_line() {
    let pods = builtin_pods("duo").unwrap();
    let hands = [Hand::whole(&pods); 2];
    let game = Game::new(builtin_board("nook9").unwrap(), pods, Preset::Advanced.into());
    let start = game.start(hands[0], hands[1], Side::White).unwrap();
    let engine = Bitboard::new(game.clone());
    let table = Retrograde::build(&engine, &[&start], Limits::default(), &Silent).unwrap();
    let mut seen = 0;
    table.for_each(|position, value| {
        if value != Value::Win(3) {
            return;
        }
        seen += 1;
        let whole = forced_win(&engine, &position, 3, Limits::default(), &Silent);
        let cut = forced_win(&engine, &position, 3, Limits::default().with_nodes(whole.nodes - 1), &Silent);
        assert_eq!(cut.found, Forced::Unknown { cause: Unknown::Nodes, not_within: 2 });
        let Forced::Win { plies: 3, line, replies } = cut.at_least() else {
            panic!("{}", position.display(&game).to_string())
        };
        assert_eq!((line.len(), replies), (1, Vec::new()));
        let next = engine.transition(&position, line[0]).unwrap().next;
        assert_eq!(table.value(&next), Some(Value::Loss(2)), "{}", position.display(&game));
    });
    assert_eq!(seen, 3);
}
