//! The built-in boards and pod sets, and what they promise.

use std::collections::BTreeSet;

use pods::geometry::{Coord, Direction, Orientation, Point, Symmetry};
use pods::material::{
    BUILTIN_BOARDS, BUILTIN_PODS, Board, Legs, builtin_board, builtin_pods, find_board, find_pods, symmetries,
    symmetries_brute_force,
};
use quickcheck::{Arbitrary, Gen, QuickCheck};

fn cave36() -> Board {
    builtin_board("cave36").unwrap()
}

#[test]
fn names_match_and_every_file_of_the_folder_is_built_in() {
    for (name, text) in BUILTIN_BOARDS {
        let board = builtin_board(name).unwrap();
        assert_eq!(board.name(), *name);
        assert_eq!(find_board(name).unwrap(), board);
        assert!(!board.source().is_empty());
        // The picture of the board is the picture of the file.
        assert!(text.contains(&format!("'''\n{}'''", board.picture())), "{name}");
    }
    for (name, _) in BUILTIN_PODS {
        let pods = builtin_pods(name).unwrap();
        assert_eq!(pods.name(), *name);
        assert_eq!(find_pods(name).unwrap(), pods);
        assert!(!pods.source().is_empty());
    }
    let built_in: BTreeSet<String> = BUILTIN_BOARDS
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .chain(BUILTIN_PODS.iter().map(|(name, _)| name.trim_end_matches(".pods").to_owned()))
        .collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("boards");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "captions.toml")
        .map(|name| name.trim_end_matches(".toml").trim_end_matches(".pods").to_owned())
        .collect();
    assert_eq!(built_in, files);
}

#[test]
fn a_reconstruction_says_so() {
    assert!(cave36().source().contains("reconstruction"));
    for (name, _) in BUILTIN_BOARDS.iter().filter(|(name, _)| name.starts_with("cave")) {
        assert!(builtin_board(name).unwrap().source().contains("reconstruction"), "{name}");
    }
    for name in ["pods14", "mini7"] {
        assert!(builtin_pods(name).unwrap().source().contains("reconstruction"), "{name}");
    }
}

#[test]
fn boards_have_the_number_of_points_in_their_names() {
    for (name, _) in BUILTIN_BOARDS {
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(builtin_board(name).unwrap().len().to_string(), digits, "{name}");
    }
}

#[test]
fn cave36_meets_what_the_texts_say_of_the_board() {
    let board = cave36();
    assert_eq!(board.len(), 36);
    // Only some neighbours are joined.
    let pairs = board.points().flat_map(|p| Direction::ALL.map(|d| board.neighbour(p, d))).flatten().count() / 2;
    assert!(board.line_count() < pairs);
    // Turning it changes it, by any angle.
    let turned = [Orientation::R90, Orientation::R180, Orientation::R270].map(|by| board.turned(by));
    assert!(turned.iter().all(|t| !t.same_shape(&board)));
    assert!(!turned[0].same_shape(&turned[1]) && !turned[0].same_shape(&turned[2]));
    assert_eq!(symmetries(&board).len(), 1);
}

#[test]
fn pods14_meets_what_the_texts_say_of_the_pods() {
    let pods = builtin_pods("pods14").unwrap();
    let specs: Vec<_> = pods.kinds().map(|kind| pods.spec(kind)).collect();
    assert!(specs.iter().all(|spec| spec.count == 1));
    let by_legs = |legs: usize| specs.iter().filter(|spec| spec.legs.count() == legs).count();
    assert_eq!([8, 6, 4, 3, 2].map(by_legs), [1, 2, 6, 3, 2]);
    assert_eq!(specs.len(), 14);
    assert_eq!(specs.iter().map(|spec| spec.legs).collect::<BTreeSet<Legs>>().len(), 14, "all differ");
    let octopod = specs.iter().find(|spec| spec.legs.count() == 8).unwrap();
    assert!(Direction::ALL.into_iter().all(|d| octopod.legs.toward(d).is_some()));
    // A hexapod with both short and long legs (003); a quadripod with three short legs and one long
    // one.
    let mixed = |legs: Legs| !legs.short().is_empty() && !legs.long().is_empty();
    assert!(specs.iter().any(|spec| spec.legs.count() == 6 && mixed(spec.legs)));
    assert!(specs.iter().any(|spec| (spec.legs.short().len(), spec.legs.long().len()) == (3, 1)));
}

#[test]
fn mini7_is_a_part_of_pods14() {
    let (part, whole) = (builtin_pods("mini7").unwrap(), builtin_pods("pods14").unwrap());
    for kind in part.kinds() {
        assert_eq!(part.spec(kind), whole.spec(whole.kind(part.id(kind)).unwrap()));
    }
}

#[test]
fn cave16_and_cave25_are_cut_out_of_cave36() {
    let whole = cave36();
    for (name, left, bottom) in [("cave16", 2, 2), ("cave25", 1, 0)] {
        let part = builtin_board(name).unwrap();
        let there = |p: Point| {
            let Coord { row, column } = part.coord(p);
            whole.point_at(Coord { row: row + bottom, column: column + left }).unwrap()
        };
        for point in part.points() {
            for direction in Direction::ALL {
                let inside = part.neighbour(point, direction);
                let expected = inside.and_then(|_| whole.connected(there(point), direction));
                assert_eq!(part.connected(point, direction).map(there), expected, "{name}");
            }
        }
    }
}

#[test]
fn mirror36_meets_the_conditions_of_the_mirror_theorem() {
    let board = builtin_board("mirror36").unwrap();
    assert_eq!(board.len(), 36);
    assert!(!board.turned(Orientation::R90).same_shape(&board));
    let half_turn = symmetries(&board).into_iter().find(|s| s.is_half_turn()).expect("its own image");
    for point in board.points() {
        let image = half_turn.points[point.index()];
        assert_ne!(point, image);
        for direction in Direction::ALL {
            let mut run = std::iter::successors(board.connected(point, direction), |&p| board.connected(p, direction));
            assert!(run.all(|reached| reached != image), "a straight run joins {} to its image", board.coord(point));
        }
    }
}

#[test]
fn no_two_turns_of_the_test_boards_are_the_same() {
    for name in ["cave16", "cave25", "cave36", "den12", "lair16", "nook9", "ring8"] {
        let board = builtin_board(name).unwrap();
        let turns = Orientation::ALL.map(|by| board.turned(by).picture());
        assert_eq!(BTreeSet::from(turns).len(), 4, "{name}");
    }
}

#[test]
fn a_quarter_turn_sends_the_north_side_to_the_east() {
    for (name, _) in BUILTIN_BOARDS {
        let board = builtin_board(name).unwrap();
        let turned = board.turned(Orientation::R90);
        assert_eq!(turned.orientation(), Orientation::R90);
        for point in board.points() {
            let Coord { row, column } = board.coord(point);
            // White's left of the north side becomes the north end of the east side.
            let image = turned.point_at(Coord { row: board.columns() - 1 - column, column: row }).unwrap();
            let lines: BTreeSet<Direction> = board.lines(point).iter().map(|d| d.turned(2)).collect();
            assert_eq!(turned.lines(image).iter().collect::<BTreeSet<_>>(), lines, "{name}");
        }
        let round = Orientation::ALL.iter().fold(board.clone(), |b, _| b.turned(Orientation::R90));
        assert_eq!(round, board);
    }
}

/// A random board: of a small grid each place is a point and each neighbour joined, or not. Often
/// made symmetric.
#[derive(Clone, Debug)]
struct RandomBoard(Board);

impl Arbitrary for RandomBoard {
    fn arbitrary(g: &mut Gen) -> RandomBoard {
        let below = |g: &mut Gen, n: u8| u8::arbitrary(g) % n;
        let (columns, rows) = (1 + below(g, 5), 1 + below(g, 5));
        let fill = 2 + below(g, 8);
        let mut points = BTreeSet::from([Coord { row: 0, column: 0 }]);
        for row in 0..rows {
            for column in 0..columns {
                if below(g, 10) < fill {
                    points.insert(Coord { row, column });
                }
            }
        }
        let symmetry = g.choose(&Symmetry::all().collect::<Vec<_>>()).copied().unwrap();
        let symmetric = bool::arbitrary(g) && symmetry.size((columns, rows)) == (columns, rows);
        if symmetric {
            for _ in 0..3 {
                points.extend(points.clone().into_iter().map(|c| symmetry.coord(c, (columns, rows))));
            }
        }
        let density = 1 + below(g, 9);
        let mut lines = Vec::new();
        for &from in &points {
            for direction in Direction::ALL {
                if from.step(direction).is_some_and(|to| points.contains(&to)) && below(g, 10) < density {
                    let (mut from, mut direction) = (from, direction);
                    for _ in 0..4 {
                        lines.push((from, direction));
                        if symmetric {
                            (from, direction) = (symmetry.coord(from, (columns, rows)), symmetry.direction(direction));
                        }
                    }
                }
            }
        }
        RandomBoard(Board::new("random", "quickcheck", points, lines).unwrap())
    }
}

/// Returns the same random boards on every run.
fn seeded(seed: u64) -> QuickCheck {
    QuickCheck::new().tests(500).rng(Gen::from_size_and_seed(100, seed))
}

fn symmetries_agree(board: &Board) {
    let fast: Vec<Symmetry> = symmetries(board).into_iter().map(|s| s.symmetry).collect();
    assert_eq!(fast, symmetries_brute_force(board), "{board:?}");
    assert_eq!(fast[0], Symmetry::IDENTITY);
    for symmetry in symmetries(board) {
        for point in board.points() {
            for direction in Direction::ALL {
                let image = |p: Point| symmetry.points[p.index()];
                assert_eq!(
                    board.connected(image(point), symmetry.symmetry.direction(direction)),
                    board.connected(point, direction).map(image),
                    "{} of {board:?}",
                    symmetry.symmetry
                );
            }
        }
    }
}

#[test]
fn symmetries_of_built_in_boards_and_grids() {
    for (name, _) in BUILTIN_BOARDS {
        symmetries_agree(&builtin_board(name).unwrap());
    }
    for (picture, count) in [
        ("o", 8),
        ("o-o", 4),
        ("o-o-o", 4),
        ("o-o o", 2),
        ("o-o\n|X|\no-o", 8),
        ("o-o\n| |\no-o", 8),
        ("o-o\n|/|\no-o", 4),
        ("o-o\n|\no-o", 2),
        ("o-o\n| |\no o\n| |\no-o", 4),
        ("o-o-o\n|X|X|\no-o-o\n|X|X|\no-o-o", 8),
        ("o-o-o\n|/  |\no   o\n|  /|\no-o-o", 4),
    ] {
        let board = crate::common::board(picture);
        symmetries_agree(&board);
        assert_eq!(symmetries(&board).len(), count, "{board:?}");
    }
}

#[test]
fn symmetries_of_random_boards() {
    fn agree(board: RandomBoard) -> bool {
        symmetries_agree(&board.0);
        true
    }
    seeded(36).quickcheck(agree as fn(RandomBoard) -> bool);
}

#[test]
fn random_boards_read_back_from_their_pictures() {
    fn reads_back(board: RandomBoard) -> bool {
        crate::common::board(&board.0.picture()).same_shape(&board.0)
    }
    seeded(14).quickcheck(reads_back as fn(RandomBoard) -> bool);
}
