//! Laws that hold for every game: what turning, reflecting and swapping colours do, and what texts
//! keep.

use hashbrown::HashMap;

use crate::common::engines;
use pods::engine::{Reference, Transition, crosscheck};
use pods::geometry::{Orientation, Point, Symmetry};
use pods::material::{Board, PodSet, PodSpec, board_from_toml};
use pods::position::{Action, Game, Position, UncheckedPosition};
use pods::rules::{Clause, RuleSet};
use pods::solver::{Value, plain_retrograde, positions_at_most};
use quickcheck::{Gen, QuickCheck, TestResult};

/// Checks a law on the random game of each number that quickcheck draws.
fn law(tests: u64, law: fn(Game, Position) -> TestResult) {
    fn holds(number: u64, law: fn(Game, Position) -> TestResult) -> TestResult {
        let case = crosscheck::case(2, number);
        let game = case.game();
        let walked = case.walked(&Reference::new(game.clone()));
        let last = walked.last().unwrap().clone();
        law(game, last)
    }
    let property = move |number: u64| holds(number, law);
    // A closure cannot be a quickcheck property; a boxed function of one argument can.
    struct Law<F>(F);
    impl<F: Fn(u64) -> TestResult + 'static> quickcheck::Testable for Law<F> {
        fn result(&self, g: &mut quickcheck::Gen) -> TestResult {
            let number = <u64 as quickcheck::Arbitrary>::arbitrary(g);
            let result = (self.0)(number);
            assert!(!result.is_failure(), "seed 2, case {number}");
            result
        }
    }
    QuickCheck::new().rng(Gen::from_size_and_seed(64, 34)).tests(tests).max_tests(tests * 50).quickcheck(Law(property));
}

/// A game under a symmetry of the grid: board and legs go the same way.
struct Image {
    game: Game,
    points: Vec<Point>,
}

impl Image {
    fn of(game: &Game, symmetry: Symmetry) -> Image {
        let (board, pods) = (game.board(), game.pods());
        let specs = pods.kinds().map(|kind| {
            let spec = pods.spec(kind).clone();
            PodSpec { legs: spec.legs.mapped(|d| symmetry.direction(d)), ..spec }
        });
        let image = board.image(symmetry);
        let size = (board.columns(), board.rows());
        let points = board.points().map(|p| image.point_at(symmetry.coord(board.coord(p), size)).unwrap()).collect();
        let pods = PodSet::new("image", "law", specs.collect()).unwrap();
        Image { game: Game::new(image, pods, *game.rules()), points }
    }

    fn action(&self, action: Action) -> Action {
        let to = |point: Point| self.points[point.index()];
        match action {
            Action::Place { kind, at } => Action::Place { kind, at: to(at) },
            Action::Move { from, to: end } => Action::Move { from: to(from), to: to(end) },
            Action::Shove { from, to: end } => Action::Shove { from: to(from), to: to(end) },
            Action::Kick { from, to: end, distance } => Action::Kick { from: to(from), to: to(end), distance },
        }
    }

    /// Returns the image of a position, with or without the colours swapped, made from its text.
    fn position(&self, game: &Game, position: &Position, swap: bool) -> Position {
        let mut setup: UncheckedPosition = position.display(game).to_string().parse().unwrap();
        let side = |s: pods::material::Side| if swap { s.other() } else { s };
        for (coord, owner, _) in &mut setup.pods {
            let point = game.board().point_at(*coord).unwrap();
            *coord = self.game.board().coord(self.points[point.index()]);
            *owner = side(*owner);
        }
        setup.widths = vec![self.game.board().columns() as usize; self.game.board().rows() as usize];
        setup.to_move = side(setup.to_move);
        if swap {
            setup.hands.reverse();
        }
        setup.check(&self.game).unwrap()
    }
}

/// Checks that an engine of the image says of the image what the engine says of the position.
fn same_play(game: &Game, image: &Image, position: &Position, swap: bool) -> bool {
    let there = image.position(game, position, swap);
    engines(game).iter().zip(engines(&image.game)).all(|(here_engine, there_engine)| {
        let actions = here_engine.sorted_actions(position);
        let mut images: Vec<Action> = actions.iter().map(|&a| image.action(a)).collect();
        image.game.sort_actions(&mut images);
        let swapped = |winner: pods::material::Side| if swap { winner.other() } else { winner };
        let status = match here_engine.status(position) {
            pods::engine::Status::Won(side) => pods::engine::Status::Won(swapped(side)),
            ongoing => ongoing,
        };
        images == there_engine.sorted_actions(&there)
            && status == there_engine.status(&there)
            && actions.iter().all(|&action| {
                let Transition { next, returned, removed } = here_engine.transition(position, action).unwrap();
                let next = image.position(game, &next, swap);
                there_engine.transition(&there, image.action(action)) == Some(Transition { next, returned, removed })
            })
    })
}

#[test]
fn four_quarter_turns_are_the_identity() {
    law(300, |game, _| {
        let turned = (0..4).fold(game.board().clone(), |board: Board, _| board.turned(Orientation::R90));
        TestResult::from_bool(turned == *game.board())
    });
}

#[test]
fn turns_add_up_and_leave_what_a_board_is_made_of() {
    law(300, |game, _| {
        let board = game.board();
        let ok = Orientation::ALL.into_iter().all(|a| {
            let turned = board.turned(a);
            (turned.len(), turned.line_count()) == (board.len(), board.line_count())
                && Orientation::ALL.into_iter().all(|b| turned.turned(b) == board.turned(a.then(b)))
        });
        TestResult::from_bool(ok)
    });
}

#[test]
fn reflections_undo_themselves() {
    law(300, |game, _| {
        let ok = Symmetry::all().filter(|s| s.mirrored).all(|s| game.board().image(s).image(s) == *game.board());
        TestResult::from_bool(ok)
    });
}

#[test]
fn pictures_read_back() {
    law(300, |game, _| {
        let toml = format!("name = 'random'\nsource = 'law'\npoints = '''\n{}'''\n", game.board().picture());
        let read = board_from_toml("law", &toml).unwrap();
        TestResult::from_bool(read.same_shape(game.board()))
    });
}

#[test]
fn turning_the_board_by_180_degrees_and_swapping_colours_changes_nothing() {
    law(400, |game, position| {
        // Pods face their owners (R4), so their legs turn with the colours and stay as the owner
        // sees them.
        let half_turn = Symmetry::from(Orientation::R180);
        let image = Image::of(&game, half_turn);
        let same_pods = Game::new(image.game.board().clone(), game.pods().clone(), *game.rules());
        let image = Image { game: same_pods, points: image.points };
        TestResult::from_bool(same_play(&game, &image, &position, true))
    });
}

#[test]
fn any_rotation_or_reflection_of_board_and_legs_changes_nothing() {
    law(150, |game, position| {
        let ok = Symmetry::all().all(|s| same_play(&game, &Image::of(&game, s), &position, false));
        TestResult::from_bool(ok)
    });
}

#[test]
fn a_position_and_its_image_have_the_same_value() {
    law(60, |game, position| {
        if positions_at_most(&game, &[&position]) > 4_000 {
            return TestResult::discard();
        }
        let values = |game: &Game, root: &Position| -> HashMap<Position, Value> {
            plain_retrograde(&Reference::new(game.clone()), &[root])
        };
        let here = values(&game, &position);
        let ok = Symmetry::all().all(|symmetry| {
            let image = Image::of(&game, symmetry);
            let there = values(&image.game, &image.position(&game, &position, false));
            here.len() == there.len()
                && here.iter().all(|(p, value)| there.get(&image.position(&game, p, false)) == Some(value))
        });
        TestResult::from_bool(ok)
    });
}

#[test]
fn texts_read_back() {
    law(500, |game, position| {
        let rules: RuleSet = game.rules().to_string().parse().unwrap();
        let back = game.parse_position(&position.display(&game).to_string()).unwrap();
        TestResult::from_bool(rules == *game.rules() && back == position)
    });
    for &clause in Clause::ALL {
        assert_eq!(clause.to_string().parse(), Ok(clause));
    }
}
