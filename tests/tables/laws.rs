//! Laws of whole tables: what symmetries, turns and swapped colours do, and what other solvers and
//! the rules say.

use std::path::Path;

use crate::common::{Random, board, build_options, builtin_game, pods};
use pods::engine::{Bitboard, Engine, Reference};
use pods::geometry::{Coord, Orientation, Symmetry};
use pods::material::{Board, PodSet, PodSpec, Side, symmetries};
use pods::position::{Game, Hand, Position, Setup, UncheckedPosition};
use pods::rules::Preset;
use pods::solver::{Limits, Retrograde, Silent, Value};
use pods::table::{Counts, Index, IndexError, Place, Reader, Solved, Sweeps, Table, build};

fn solved(game: &Game, hands: [&str; 2]) -> Solved {
    let hands = hands.map(|ids| Hand::parse(ids, game.pods()).unwrap());
    let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
    Solved::solve(&Bitboard::new(game.clone()), index, Sweeps::BitParallel, |_, _| ())
}

/// Returns every stored position with its value.
fn values(solved: &Solved) -> Vec<(Position, Value)> {
    let mut all = Vec::new();
    for (tier, of) in solved.index.tiers().iter().enumerate() {
        for row in 0..of.rows() {
            for cell in 0..solved.index.points() as u8 {
                for side in Side::BOTH {
                    let place = Place { tier, row, cell };
                    if let Some(position) = solved.index.position(place, side) {
                        all.push((position, solved.at(place, side)));
                    }
                }
            }
        }
    }
    all
}

/// Returns a position as a symmetry of the grid shows it, in the game on the other side of the
/// mirror; pods take the ids that `id` gives them, and their colours are swapped or not.
fn image(
    from: &Game,
    to: &Game,
    position: &Position,
    symmetry: Symmetry,
    id: impl Fn(char) -> char,
    swap: bool,
) -> Position {
    let mut setup: UncheckedPosition = position.display(from).to_string().parse().unwrap();
    let side = |s: Side| if swap { s.other() } else { s };
    let size = (from.board().columns(), from.board().rows());
    for (coord, owner, name) in &mut setup.pods {
        *coord = symmetry.coord(*coord, size);
        (*owner, *name) = (side(*owner), id(*name));
    }
    setup.widths = vec![to.board().columns() as usize; to.board().rows() as usize];
    setup.to_move = side(setup.to_move);
    setup.hands.iter_mut().flatten().for_each(|(name, _)| *name = id(*name));
    if swap {
        setup.hands.reverse();
    }
    setup.check(to).unwrap()
}

/// Compares all values with those of the images; how many there are that are no draws.
fn assert_images(
    here: &[(Position, Value)],
    there: &Solved,
    image: impl Fn(&Position) -> Position,
    text: impl Fn(&Position) -> String,
) -> usize {
    assert_eq!(here.len(), values(there).len());
    for (position, value) in here {
        let image = image(position);
        let place = there.index.find(&image).unwrap();
        assert_eq!(there.at(place, image.to_move()), *value, "{}", text(position));
    }
    here.iter().filter(|(_, value)| *value != Value::Draw).count()
}

/// Boards and how many symmetries they have.
const SYMMETRIC: [(&str, usize); 3] = [
    ("o-o-o\n|X|X|\no-o-o\n|X|X|\no-o-o", 8),
    ("o-o-o\n|/ \\|\no   o\n|\\ /|\no-o-o", 8),
    ("o-o-o-o\n|   | |\no-o-o-o", 2),
];

#[test]
fn symmetric_boards_give_symmetric_tables() {
    // Pods that each symmetry sends to one of them.
    let closed = pods("a: n e s w, p: n s, r: e w");
    let mut compared = 0;
    for (picture, count) in SYMMETRIC {
        for preset in Preset::ALL {
            let game = Game::new(board(picture), closed.clone(), preset.into());
            let all = symmetries(game.board());
            assert_eq!(all.len(), count, "{picture}");
            let solved = solved(&game, ["apr", "pr"]);
            let here = values(&solved);
            for of in all {
                let id = |id: char| {
                    let kind = game.pods().kind(id).unwrap();
                    let legs = game.pods().legs(kind).mapped(|d| of.symmetry.direction(d));
                    let image = game.pods().kinds().find(|&kind| game.pods().legs(kind) == legs).unwrap();
                    game.pods().id(image)
                };
                let image = |position: &Position| image(&game, &game, position, of.symmetry, id, false);
                compared += assert_images(&here, &solved, image, |p| format!("{preset:?} {}", p.display(&game)));
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}

#[test]
fn a_turned_board_with_turned_legs_is_the_same_game() {
    for preset in Preset::ALL {
        let game = builtin_game("nook9", 0, "four", preset.name());
        let here = values(&solved(&game, ["bdt", "bd"]));
        for turn in Orientation::ALL {
            let symmetry = Symmetry::from(turn);
            let specs = game.pods().kinds().map(|kind| {
                let spec = game.pods().spec(kind).clone();
                PodSpec { legs: spec.legs.mapped(|d| symmetry.direction(d)), ..spec }
            });
            let pods = PodSet::new("turned", "law", specs.collect()).unwrap();
            let turned = Game::new(game.board().turned(turn), pods, preset.into());
            let image = |position: &Position| image(&game, &turned, position, symmetry, |id| id, false);
            let solved = solved(&turned, ["bdt", "bd"]);
            let decided = assert_images(&here, &solved, image, |p| format!("{preset:?} {turn} {}", p.display(&game)));
            assert!(decided > 1000, "{decided}");
            // The law needs the legs turned too: without that the quarter turns are another game.
            let board_alone = Game::new(turned.board().clone(), game.pods().clone(), preset.into());
            let alone = self::solved(&board_alone, ["bdt", "bd"]);
            let same = here.iter().all(|(position, value)| {
                let image = self::image(&game, &board_alone, position, symmetry, |id| id, false);
                alone.index.find(&image).is_some_and(|place| alone.at(place, image.to_move()) == *value)
            });
            assert_eq!(same, turn == Orientation::R0, "{preset:?} {turn}");
        }
    }
}

#[test]
fn a_half_turn_with_colours_swapped_changes_no_value() {
    let half_turn = Symmetry::from(Orientation::R180);
    for preset in Preset::ALL {
        let small = preset == Preset::VeryAdvanced;
        let game = builtin_game(if small { "nook9" } else { "den12" }, 0, "trio", preset.name());
        let turned = Game::new(game.board().turned(Orientation::R180), game.pods().clone(), preset.into());
        let here = values(&solved(&game, ["bdt", "bt"]));
        let there = solved(&turned, ["bt", "bdt"]);
        let image = |position: &Position| image(&game, &turned, position, half_turn, |id| id, true);
        assert_images(&here, &there, image, |p| format!("{preset:?} {}", p.display(&game)));
    }
}

fn made(name: &Path, game: &Game, hands: &[Hand; 2]) -> Table {
    build(&Setup::new(game.clone(), hands), name, build_options(), &Silent).unwrap();
    Table::open(name).unwrap()
}

#[test]
fn random_probes_of_a_larger_table_agree_with_the_retrograde_solver_and_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let game = builtin_game("lair16", 0, "trio", "advanced");
    let hand = Hand::whole(game.pods());
    let table = made(&folder.path().join("t"), &game, &[hand, hand]);
    let (mut reader, mut random) = (table.reader().unwrap(), Random(16));
    // Everything that follows from a position with one pod a side out of the game; and a sample of
    // what the table has.
    let root = game.parse_position("1B2/4/2t1/4 w t bd -").unwrap();
    let solved = Retrograde::build(&Bitboard::new(game.clone()), &[&root], Limits::default(), &Silent).unwrap();
    let (mut compared, mut seen) = (0, 0_usize);
    solved.for_each(|position, value| {
        seen += 1;
        if random.below(20) == 0 {
            assert_eq!(reader.value(&position).unwrap(), value, "{}", position.display(&game));
            compared += 1;
        }
    });
    assert!(compared > 1000, "{compared} of {seen}");
    let mut probes = 0;
    while probes < 1500 {
        let tier = random.below(table.index().tiers().len());
        let row = random.below(table.index().tiers()[tier].rows() as usize) as u64;
        let place = Place { tier, row, cell: random.below(table.index().points()) as u8 };
        if let Some(position) = table.position(place, random.pick(&Side::BOTH)) {
            assert_follows(&mut reader, &position);
            probes += 1;
        }
    }
}

/// Checks that the value of a position follows from those of the next ones, as the reference engine
/// plays them.
fn assert_follows(reader: &mut Reader<'_>, position: &Position) {
    let reference = Reference::new(reader.table().game().clone());
    let mut value = |position: &Position| reader.value(position).unwrap();
    let next = reference.sorted_actions(position).into_iter().map(|action| {
        let next = reference.transition(position, action).unwrap().next;
        value(&next).before()
    });
    // No action is a loss at once (R20).
    let derived = next.max().unwrap_or(Value::Loss(0));
    assert_eq!(value(position), derived, "{}", position.display(reader.table().game()));
}

#[test]
fn draws_and_long_games_of_a_table_follow_from_the_next_positions() {
    let folder = tempfile::tempdir().unwrap();
    let game = builtin_game("den12", 0, "trio", "advanced");
    let hand = Hand::whole(game.pods());
    let table = made(&folder.path().join("t"), &game, &[hand, hand]);
    let (mut draws, mut long) = (Vec::new(), Vec::new());
    for tier in 0..table.index().tiers().len() {
        let mut visit = |position: Position, value: Value| {
            match value.plies() {
                None => draws.push(position),
                Some(5..) => long.push(position),
                Some(_) => {}
            }
            true
        };
        table.for_each(tier, &mut visit).unwrap();
    }
    assert!(draws.len() > 300 && long.len() > 50, "{} draws, {} long", draws.len(), long.len());
    let mut reader = table.reader().unwrap();
    for position in draws.iter().chain(&long).step_by(1 + (draws.len() + long.len()) / 1500) {
        assert_follows(&mut reader, position);
    }
}

#[test]
fn a_setup_of_too_many_slices_is_refused_with_their_number() {
    // Of a pod type with n pods, k in the game and i of these on the board: (n + 1)(n + 2) / 2 ways
    // with captures.
    let game = builtin_game("cave36", 0, "pods14", "advanced");
    let whole = Hand::whole(game.pods());
    let counts: Vec<u128> = whole.iter().map(|(_, count)| u128::from(count)).collect();
    let tiers = counts.iter().map(|n| n + 1).product::<u128>().pow(2);
    let slices = counts.iter().map(|n| (n + 1) * (n + 2) / 2).product::<u128>().pow(2);
    let refused = Index::new(&Setup::new(game.clone(), [whole; 2])).unwrap_err();
    assert_eq!(refused, IndexError::TooManySlices { tiers, slices });
    assert!(tiers > 1 << 16 && slices > 1 << 21, "{refused}");
}

#[test]
fn counts_of_parts_add_up_code_by_code() {
    let short = Counts { draws: 5, by_code: vec![5, 1], ..Counts::default() };
    let long = Counts { draws: 2, wins: 9, by_code: vec![2, 0, 4, 5], ..Counts::default() };
    for (one, other) in [(&short, &long), (&long, &short)] {
        let sum = one.clone().plus(other);
        assert_eq!((sum.draws, sum.wins, &sum.by_code[..]), (7, 9, &[7, 1, 4, 5][..]));
    }
}

#[test]
fn a_cell_beyond_the_board_has_no_position() {
    for points in [9, 63, 64] {
        let coords: Vec<_> = (0..points).map(|i| Coord { row: i / 8, column: i % 8 }).collect();
        let board = Board::new("no lines", "test", coords, Vec::new()).unwrap();
        let game = Game::new(board, pods("o: e, p: w"), Preset::Standard.into());
        let hands = ["op", "o"].map(|ids| Hand::parse(ids, game.pods()).unwrap());
        let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
        for slice in index.tiers()[0].slices() {
            let row = slice.first_row();
            let held = |cell: &u8| index.position(Place { tier: 0, row, cell: *cell }, Side::White).is_some();
            let cells: Vec<u8> = (0..=u8::MAX).filter(held).collect();
            // The fixed pods stand on the first points; an empty board is one cell.
            let pods: u8 = slice.on_board().iter().sum();
            let wanted: Vec<u8> = if pods == 0 { vec![0] } else { (pods - 1..points).collect() };
            assert_eq!(cells, wanted, "{points} points, {:?}", slice.on_board());
        }
    }
}
