//! Tables against the other solvers: every value of every position of random small setups.

mod common;

use std::collections::HashMap;

use common::{build_options, index_of_all};
use pods::engine::{Bitboard, crosscheck};
use pods::material::Side;
use pods::position::{Game, Hand, Position};
use pods::rules::Captures;
use pods::solver::{Value, plain_retrograde};
use pods::table::{Cursor, Index, Place, Solved, Sweeps, Table, build, held};

/// Random games with all options, small enough to solve over and over: with the hands of the random pod set.
fn small_games(count: usize, most: u64) -> impl Iterator<Item = (Game, [Hand; 2], Index)> {
    (0..)
        .filter_map(move |number| {
            let case = crosscheck::case(4, number);
            let game = case.game();
            // Hands of at most four pods, not the same for both.
            let hand = |skip: usize| {
                let all = game.pods().kinds().flat_map(|k| std::iter::repeat_n(k, game.pods().spec(k).count.into()));
                all.skip(skip).take(3).collect::<Hand>()
            };
            let hands = [hand(0), hand(number as usize % 2)];
            let index = Index::new(&game, &hands).ok().filter(|i| i.positions() <= most && i.positions() > 0)?;
            Some((game, hands, index))
        })
        .take(count)
}

/// Every stored position of an index.
fn positions(index: &Index) -> impl Iterator<Item = (Place, Position)> {
    index.tiers().iter().enumerate().flat_map(move |(tier, of)| {
        let rows = of.slices().iter().flat_map(|s| s.first_row()..s.first_row() + s.rows());
        rows.flat_map(move |row| (0..index.points() as u8).map(move |cell| Place { tier, row, cell })).flat_map(
            move |place| Side::BOTH.into_iter().filter_map(move |s| index.position(place, s).map(|p| (place, p))),
        )
    })
}

#[test]
fn rank_and_unrank_are_inverse() {
    for (_, _, index) in small_games(200, 40_000) {
        let mut seen = std::collections::HashSet::new();
        for (place, position) in positions(&index) {
            let found = index.find(&position).expect("it is stored");
            // Alike last pods have several cells for a position; the pods are the same all the same.
            assert_eq!(index.position(found, position.to_move()), Some(position.clone()));
            if found == place {
                assert!(seen.insert((place, position.to_move())));
            }
        }
        assert_eq!(seen.len() as u64, held(&index));
    }
}

/// The values that the plain solver gives to every position of a setup.
fn plain(game: &Game, index: &Index) -> HashMap<Position, Value> {
    let engine = Bitboard::new(game.clone());
    let all: Vec<Position> = positions(index).map(|(_, p)| p).collect();
    plain_retrograde(&engine, &all.iter().collect::<Vec<_>>())
}

#[test]
fn direct_sweeps_agree_with_the_plain_solver() {
    let (mut draws, mut longest) = (0, 0);
    for (game, _, index) in small_games(150, 3_000) {
        let expected = plain(&game, &index);
        let engine = Bitboard::new(game.clone());
        let solved = Solved::solve(&engine, index, Sweeps::Direct, |_, _| ());
        for (place, position) in positions(&solved.index) {
            let value = solved.at(place, position.to_move());
            assert_eq!(value, expected[&position], "{} {}", game.rules(), position.text(&game));
            draws += u64::from(value == Value::Draw);
            longest = longest.max(value.plies().unwrap_or(0));
        }
    }
    assert!(draws > 100 && longest > 6, "{draws} draws, longest {longest}");
}

#[test]
fn tables_answer_for_what_they_do_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let (mut not_held, mut drawn, mut alike) = (0, 0, 0);
    let every_turn = |game: &Game| game.rules().options().captures == Captures::EveryTurn;
    let games = small_games(300, 3_000).filter(|(game, ..)| every_turn(game));
    for (number, (game, hands, index)) in games.enumerate() {
        let all = index_of_all(&game, &hands);
        let expected = plain(&game, &all);
        let name = folder.path().join(number.to_string());
        build(&game, &hands, &name, build_options(), &mut |_| ()).unwrap();
        let (table, mut cursor) = (Table::open(&name).unwrap(), Cursor::new().unwrap());
        for (_, position) in positions(&all).filter(|(_, position)| index.find(position).is_none()) {
            let value = table.answer(&mut cursor, &position).unwrap().value;
            assert_eq!(value, Some(expected[&position]), "{} {}", game.rules(), position.text(&game));
            not_held += 1;
            drawn += u32::from(value == Some(Value::Draw));
        }
        alike += u32::from(index.classes().iter().any(|class| class.count > 1));
    }
    assert!(not_held > 2_000 && drawn > 5 && alike > 5, "{not_held} not held, {drawn} drawn, {alike} with alike pods");
}

#[test]
fn sweeps_agree_with_each_other() {
    for (game, _, index) in small_games(300, 120_000) {
        let engine = Bitboard::new(game.clone());
        let direct = Solved::solve(&engine, index.clone(), Sweeps::Direct, |_, _| ());
        let fast = Solved::solve(&engine, index, Sweeps::BitParallel, |_, _| ());
        for (place, position) in positions(&direct.index) {
            let [a, b] = [&direct, &fast].map(|s| s.at(place, position.to_move()));
            assert_eq!(a, b, "{}\n{}\n{}", game.rules(), game.board().picture(), position.text(&game));
        }
    }
}
