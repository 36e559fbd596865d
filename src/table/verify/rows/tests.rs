//! The evaluator of rows against the engines, on tables that are right, wrong and senseless.

use std::collections::HashSet;

use crate::engine::{Bitboard, Engine, Reference};
use crate::material::Side;
use crate::position::{Game, Hand, Position};
use crate::rules::Preset;
use crate::solver::{Silent, Value};
use crate::table::index::{Arrangement, Index, Place, Placed, Slice, Tier};
use crate::table::solve::{Solved, Sweeps};
use crate::table::stats::held;
use crate::table::storage::{BlockRows, Codes, Cursor, code_of, value_of};
use crate::table::testing::{codes_by_chance, mix, small_games, with_hands};
use crate::table::verify::rows::actions::SliceContext;
use crate::table::verify::rows::keys::Key;
use crate::table::verify::rows::store::{Keys, in_memory};
use crate::table::verify::rows::{Check, Ended, Unpacked, Wrong, check_rows, for_each_row, for_each_slice};

pub(in crate::table::verify) fn every_row(index: &Index, mut visit: impl FnMut(usize, &Slice, u64, &Arrangement)) {
    for (number, tier) in index.tiers().iter().enumerate() {
        for_each_slice(tier, 0, tier.rows(), |slice, first, rows| {
            for_each_row(index, slice, first, rows, |row, fixed| visit(number, slice, row, fixed));
        });
    }
}

/// Returns random codes, but the same in all cells of a position, so that next positions differ
/// from each other.
fn senseless(index: &Index, seed: u64, most: u64) -> Vec<[Codes; 2]> {
    codes_by_chance(index, seed, most > 255, |hash| hash % (most + 1))
}

/// Returns the code of a position from its next positions, as an engine finds them.
fn by_engine(engine: &impl Engine, index: &Index, codes: &[[Codes; 2]], position: &Position) -> u16 {
    let value = |next: Position| match next.won_by_empty_hand(engine.game()) {
        Some(winner) => [Value::Loss(0), Value::Win(0)][usize::from(winner == next.to_move())],
        None => {
            let place = index.find(&next).unwrap();
            value_of(codes[place.tier][next.to_move().index()].get(index.cell(place)))
        }
    };
    let next = engine
        .sorted_actions(position)
        .into_iter()
        .map(|action| value(engine.transition(position, action).unwrap().next));
    code_of(Value::of_children(next).unwrap_or(Value::Loss(0))).unwrap()
}

/// Compares the evaluator with the engines for every cell of some rows, evenly spread. Returns the
/// number of cells.
fn compare<K: Key, const N: usize>(
    game: &Game,
    index: &Index,
    codes: &[[Codes; 2]],
    keys: &Keys<K>,
    every: u64,
) -> u64 {
    let check = Check::new(game, index, keys);
    let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
    let mut compared = 0;
    every_row(index, |tier, slice, row, fixed| {
        if !mix(row).is_multiple_of(every) {
            return;
        }
        for side in Side::BOTH {
            let cells = index.cells(slice, fixed);
            let derived = check.value::<N>(&SliceContext::new(&check, tier, slice, side), fixed, cells);
            for cell in (0..index.points() as u8).filter(|cell| cells >> cell & 1 == 1) {
                let position = index.position(Place { tier, row, cell }, side).unwrap();
                let expected = if compared % 50 == 0 {
                    by_engine(&reference, index, codes, &position)
                } else {
                    by_engine(&fast, index, codes, &position)
                };
                let derived = derived[cell as usize].code();
                let text = position.display(game).to_string();
                assert_eq!(derived, expected, "{}\n{}\n{text}", game.rules(), game.board().picture());
                compared += 1;
            }
        }
    });
    compared
}

fn unpacked(index: &Index, codes: &[[Codes; 2]]) -> Unpacked {
    let block_rows = BlockRows::new(index);
    let codes = in_memory(index, &block_rows, codes);
    Unpacked::new(index, &block_rows, false, u64::MAX, codes, &Silent).unwrap()
}

fn compare_senseless(game: &Game, index: &Index, most: u64, every: u64) -> u64 {
    let codes = senseless(index, 7, most);
    match (unpacked(index, &codes), index.points()) {
        (Unpacked::Narrow(keys), 0..=16) => compare::<u8, 16>(game, index, &codes, &keys, every),
        (Unpacked::Narrow(keys), 17..=40) => compare::<u8, 40>(game, index, &codes, &keys, every),
        (Unpacked::Narrow(keys), _) => compare::<u8, 64>(game, index, &codes, &keys, every),
        (Unpacked::Wide(keys), _) => compare::<u16, 64>(game, index, &codes, &keys, every),
    }
}

#[test]
fn rows_follow_from_next_positions_as_the_engines_find_them() {
    let mut rules = HashSet::new();
    let (mut compared, mut large) = (0, 0);
    for (number, (game, index)) in small_games(400, 30, 2_500).enumerate() {
        compared += compare_senseless(&game, &index, if number % 8 == 7 { 60_000 } else { 252 }, 1);
        rules.insert(game.rules().to_string());
    }
    for (game, index) in small_games(40, 20_000, 2_000_000) {
        let every = index.positions() / 500 + 1;
        compared += compare_senseless(&game, &index, 252, every);
        large += u32::from(index.points() > 40);
    }
    assert!(
        compared > 100_000 && rules.len() > 100 && large > 0,
        "{compared} cells, {} rules, {large} large",
        rules.len()
    );
}

#[test]
fn rows_of_the_built_in_setups_follow_under_every_preset() {
    for preset in Preset::ALL {
        for (board, pods, white, black) in
            [("cave36", "four", "bq", "dt"), ("cave16", "trio", "bdt", "bdt"), ("mirror36", "duo", "bt", "bt")]
        {
            let (game, index) = with_hands(board, pods, [white, black], preset);
            let compared = compare_senseless(&game, &index, 252, index.positions() / 2_000 + 1);
            assert!(compared > 200, "{preset:?} {board}: {compared}");
        }
    }
}

pub(in crate::table::verify) fn solved(game: &Game, index: &Index) -> Vec<[Codes; 2]> {
    Solved::solve(&Bitboard::new(game.clone()), index.clone(), Sweeps::Direct, |_, _| ()).tiers
}

pub(in crate::table::verify) fn check(game: &Game, index: &Index, codes: &[[Codes; 2]]) -> Result<u64, Wrong> {
    match check_rows(game, index, &unpacked(index, codes), &Silent) {
        Ok(positions) => Ok(positions),
        Err(Ended::Wrong(wrong)) => Err(wrong),
        Err(Ended::Stopped(_)) => unreachable!("nobody stops it"),
    }
}

#[test]
fn tables_solved_position_by_position_pass() {
    for (game, index) in small_games(120, 30, 6_000) {
        assert_eq!(check(&game, &index, &solved(&game, &index)), Ok(held(&index)), "{}", game.rules());
    }
}

/// Changes one cell and checks that the cell, or a position from which an action leads to it, is
/// reported.
fn change(game: &Game, index: &Index, codes: &mut [[Codes; 2]], place: Place, side: Side, code: u16) {
    let cell = index.cell(place);
    let of = &mut codes[place.tier][side.index()];
    let before = of.clone();
    if before.get(cell) == code {
        return;
    }
    let mut low = before.low().to_vec();
    low[cell] = code as u8;
    *of = Codes::from_bytes(low, Vec::new());
    let wrong = check(game, index, codes).unwrap_err();
    codes[place.tier][side.index()] = before;
    if (wrong.place, wrong.to_move) != (place, side) {
        let engine = Bitboard::new(game.clone());
        let reported = index.position(wrong.place, wrong.to_move).unwrap();
        let changed = index.position(place, side).unwrap();
        let leads = |action| engine.transition(&reported, action).unwrap().next == changed;
        assert!(engine.sorted_actions(&reported).into_iter().any(leads), "{wrong:?} {}", changed.display(game));
    }
}

#[test]
fn changes_of_every_cell_are_found() {
    for (board, preset) in [
        ("ring8", Preset::Advanced),
        ("lane8", Preset::AdvancedAuthor),
        ("ring8", Preset::Standard),
        ("ring8", Preset::VeryAdvanced),
    ] {
        let (game, index) = with_hands(board, "duo", ["bt", "bt"], preset);
        let mut codes = solved(&game, &index);
        let most = codes.iter().flatten().flat_map(|c| c.low()).max().copied().unwrap_or(0);
        let mut places = Vec::new();
        every_row(&index, |tier, slice, row, fixed| {
            let cells = index.cells(slice, fixed);
            places.extend((0..index.points() as u8).filter(|c| cells >> c & 1 == 1).map(|cell| Place {
                tier,
                row,
                cell,
            }));
        });
        assert!(places.len() > 50, "{}", places.len());
        // So many small checks would only wait for each other's threads.
        rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| {
            let others: Vec<u16> = (0..=u16::from(most) + 3).chain([252, 253, 254, 255]).collect();
            // A quarter of the codes in each cell, others in the next one.
            for (number, place) in places.into_iter().enumerate() {
                for side in Side::BOTH {
                    for &code in others.iter().skip((number + 2 * side.index()) % 4).step_by(4) {
                        change(&game, &index, &mut codes, place, side, code);
                    }
                }
            }
        });
    }
}

#[test]
fn changes_in_larger_tables_are_found() {
    for (board, preset) in [
        ("lair16", Preset::Advanced),
        ("cave16", Preset::AdvancedDutch),
        ("lair16", Preset::BasicAuthor),
        ("cave16", Preset::VeryAdvanced),
    ] {
        let (game, index) = with_hands(board, "trio", ["bdt", "bd"], preset);
        let mut codes = solved(&game, &index);
        let mut random = (0..).map(mix);
        let mut draw = |below: u64| random.next().unwrap() % below;
        let mut changed = 0;
        while changed < 40 {
            let tier = draw(index.tiers().len() as u64) as usize;
            let row = draw(index.tiers()[tier].rows());
            let place = Place { tier, row, cell: draw(index.points() as u64) as u8 };
            let side = Side::BOTH[draw(2) as usize];
            if index.position(place, side).is_none() {
                continue;
            }
            let code = codes[tier][side.index()].get(index.cell(place));
            // A ply more or less turns a win into a loss as well; two plies keep the outcome.
            for code in [code.wrapping_add(1), code.wrapping_sub(1), code + 2, code.saturating_sub(2)] {
                change(&game, &index, &mut codes, place, side, code.min(252));
            }
            changed += 1;
        }
    }
}

#[test]
fn a_distance_beyond_all_bounds_is_found() {
    let (game, index) = with_hands("ring8", "duo", ["bt", "bt"], Preset::Advanced);
    let right = solved(&game, &index);
    for code in [253, 254, 255, 256, 40_000, 65_533, 65_534, 65_535] {
        let mut codes = right.clone();
        let tier = codes.len() - 1;
        let mut low = codes[tier][0].low().to_vec();
        let mut high = vec![0; low.len()];
        let rows = (0..index.tiers()[tier].rows()).rev();
        let mut places = rows.flat_map(|row| (0..8).map(move |cell| Place { tier, row, cell }));
        let place = places.find(|&place| index.position(place, Side::White).is_some()).unwrap();
        low[index.cell(place)] = code as u8;
        high[index.cell(place)] = (code >> 8) as u8;
        codes[tier][0] = Codes::from_bytes(low, high);
        assert!(check(&game, &index, &codes).is_err(), "{code}");
    }
}

#[test]
fn memory_is_counted_before_anything_is_read() {
    let (game, index) = with_hands("ring8", "duo", ["bt", "bt"], Preset::Advanced);
    let codes = solved(&game, &index);
    let (mut rows, mut bytes) = (0, 48 << 20);
    every_row(&index, |_, slice, _, fixed| rows += u64::from(index.cells(slice, fixed) != 0));
    // A set of cells and a start for each row that holds something, and three words for each 64
    // rows.
    bytes += 4 * rows + index.tiers().iter().map(|tier| 24 * tier.rows().div_ceil(64)).sum::<u64>() + held(&index);
    let block_rows = BlockRows::new(&index);
    let ask = |wide, memory, reads: bool| {
        let codes = in_memory(&index, &block_rows, &codes);
        let codes = |cursor: &mut Cursor, tier_side, block: usize, held: usize| {
            assert!(reads);
            codes(cursor, tier_side, block, held)
        };
        Unpacked::new(&index, &block_rows, wide, memory, codes, &Silent)
    };
    assert!(matches!(ask(false, bytes, true), Ok(Unpacked::Narrow(_))));
    let refused = ask(false, bytes - 1, false).unwrap_err().to_string();
    assert!(refused.contains("allow more"), "{refused}");
    assert!(ask(true, bytes + held(&index) - 1, false).is_err());
    assert!(matches!(ask(true, bytes + held(&index), true), Ok(Unpacked::Wide(_))));
    assert!(bytes < Unpacked::most_bytes(&index) && Unpacked::most_bytes(&index) < 3 * bytes);
}

/// Tests the keys without gaps against the codes that they were made from, under rules that leave
/// positions out and others, with cells that are not held among them, by rows and one by one; and
/// with several blocks, and tiers that end within a word.
#[test]
fn what_was_unpacked_is_what_was_stored() {
    fn same<K: Key>(keys: &Keys<K>, index: &Index, codes: &[[Codes; 2]]) -> [u64; 2] {
        let mut seen = [0; 2];
        every_row(index, |tier, slice, row, fixed| {
            let cells = index.cells(slice, fixed);
            for side in Side::BOTH {
                let mut found = [K::NONE; 64];
                assert_eq!(keys[tier].row(side, row, &mut found), cells);
                for cell in 0..index.points() as u8 {
                    let code = codes[tier][side.index()].get(index.cell(Place { tier, row, cell }));
                    let expected = (cells >> cell & 1 == 1).then(|| K::of_code(code));
                    assert_eq!(keys[tier].get(side, row, cell), expected);
                    assert_eq!(found[cell as usize], expected.unwrap_or(K::NONE));
                    seen[usize::from(expected.is_some())] += 1;
                }
            }
        });
        seen
    }
    let mut seen = [0; 2];
    let large = with_hands("cave16", "trio", ["bdt", "bdt"], Preset::Advanced);
    let block_rows = BlockRows::new(&large.1);
    let several = |(number, tier): (usize, &Tier)| block_rows.count(&large.1, number) > 2 && tier.rows() % 64 != 0;
    assert!(large.1.tiers().iter().enumerate().any(several));
    for (number, (game, index)) in small_games(200, 30, 6_000).chain([large]).enumerate() {
        let codes = senseless(&index, 3, if number % 4 == 3 { 60_000 } else { 252 });
        let of_game = match unpacked(&index, &codes) {
            Unpacked::Narrow(keys) => same(&keys, &index, &codes),
            Unpacked::Wide(keys) => same(&keys, &index, &codes),
        };
        assert!(Unpacked::most_bytes(&index) > 0 && of_game[1] > 0, "{}", game.rules());
        seen = [seen[0] + of_game[0], seen[1] + of_game[1]];
    }
    assert!(seen.iter().all(|&cells| cells > 100_000), "{seen:?}");
}

#[test]
fn rows_come_in_the_order_of_their_numbers() {
    let mut alike = 0;
    for (game, index) in small_games(150, 30, 40_000) {
        let unpacked: Keys<u8> = Keys::new();
        let check = Check::new(&game, &index, &unpacked);
        for tier in index.tiers() {
            let mut next = 0;
            for_each_slice(tier, 0, tier.rows(), |slice, first, rows| {
                for_each_row(&index, slice, first, rows, |row, fixed| {
                    assert_eq!(row, next);
                    assert_eq!(index.row(slice, fixed.pods()), row);
                    assert_eq!(check.row_number(slice, fixed.pods()), row);
                    let sorted = |pods: &Arrangement| {
                        let mut pods: Vec<Placed> = pods.pods().to_vec();
                        pods.sort();
                        pods
                    };
                    assert_eq!(sorted(&index.unrank(slice, row)), sorted(fixed));
                    next += 1;
                });
            });
            assert_eq!(next, tier.rows());
        }
        alike += u32::from(index.piece_types().iter().any(|piece_type| piece_type.count > 1));
    }
    assert!(alike > 10, "{alike}");
}

/// Tests every way to give each point of a tiny board a pod or none, and each hand a part of what
/// is left: the index covers the positions that are not finished by an empty hand, and those that
/// it holds have each a place of their own.
#[test]
fn the_index_covers_every_position_of_tiny_boards() {
    let mut games = 0;
    for (game, index) in small_games(400, 4, 3_000).filter(|(game, _)| game.board().len() <= 5) {
        let piece_types = index.piece_types();
        let keeps_all = game.rules().options().captures == crate::rules::Captures::Never;
        let (mut places, mut not_held) = (HashSet::new(), 0);
        let ways = (piece_types.len() + 1).pow(game.board().len() as u32);
        for way in 0..ways {
            let mut left: Vec<i32> = piece_types.iter().map(|piece_type| piece_type.count.into()).collect();
            let mut occupants = Vec::new();
            let mut rest = way;
            for _ in 0..game.board().len() {
                let piece_type = rest % (piece_types.len() + 1);
                rest /= piece_types.len() + 1;
                occupants.push((piece_type > 0).then(|| {
                    left[piece_type - 1] -= 1;
                    crate::position::Pod {
                        side: piece_types[piece_type - 1].side,
                        kind: piece_types[piece_type - 1].kind,
                    }
                }));
            }
            if left.iter().any(|&n| n < 0) {
                continue;
            }
            let hands: usize = left.iter().map(|&n| n as usize + 1).product();
            for hand in 0..hands {
                let mut number = hand;
                let mut position = Position {
                    occupants: occupants.clone(),
                    hands: [Hand::EMPTY; 2].into(),
                    to_move: Side::White,
                    open: false,
                };
                let mut all = true;
                for (piece_type, &most) in piece_types.iter().zip(&left) {
                    let held = number % (most as usize + 1);
                    number /= most as usize + 1;
                    all &= held == most as usize;
                    for _ in 0..held {
                        position.hands[piece_type.side].add(piece_type.kind);
                    }
                }
                let known = position.won_by_empty_hand(&game).is_none() && (all || !keeps_all);
                let found = index.find(&position);
                assert_eq!(index.covers(&position), known, "{}", position.display(&game));
                not_held += u64::from(known && found.is_none());
                assert!(found.is_none_or(|place| places.insert(place)), "{}", position.display(&game).to_string());
            }
        }
        assert_eq!(2 * (places.len() as u64 + not_held), index.positions());
        assert_eq!(2 * places.len() as u64, held(&index));
        games += 1;
    }
    assert!(games > 20, "{games}");
}
