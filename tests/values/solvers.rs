//! The solvers against their plain twins, against each other, and against known results.

use hashbrown::HashMap;

use crate::common::{Random, board, builtin_game, position};
use pods::answer::{Answerer, Request, SolveError, solve};
use pods::engine::{Bitboard, Engine, Reference, Status, crosscheck};
use pods::geometry::{Coord, Direction, Orientation, Symmetry};
use pods::material::{Board, Side, builtin_pods};
use pods::position::{Game, Hand, Position};
use pods::solver::search::{Search, SearchFeatures};
use pods::solver::{
    Exhaustive, Finding, Limits, Method, Observer, Outcome, Phase, Retrograde, Silent, Stopped, Value, Verdict,
    mirror_board, mover_loses_by_mirror, plain_exhaustive, plain_retrograde, positions_at_most, random_play_score,
};

const SEED: u64 = 33;

/// Returns random games and positions small enough for the plain solvers, with the number of the
/// case.
fn small_games(cases: u64, cycling: bool, most: u128) -> impl Iterator<Item = (u64, Game, Position)> {
    (0..cases).filter_map(move |number| {
        let case = crosscheck::case(SEED, number);
        let game = case.game();
        let position = case.position(&game);
        let fits = game.rules().can_cycle() == cycling && positions_at_most(&game, &[&position]) <= most;
        fits.then_some((number, game, position))
    })
}

#[test]
fn exhaustive_search_agrees_with_plain_recursion() {
    let mut solved = 0;
    for (number, game, root) in small_games(8_000, false, 60_000) {
        let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
        let mut plain = HashMap::new();
        let value = plain_exhaustive(&reference, &root, &mut plain);
        let mut search = Exhaustive::new(fast.clone(), &[&root], Limits::default());
        assert_eq!(search.value(&root, &Silent), Ok(value), "seed {SEED}, case {number}");
        let verified = search.verify(&reference, &[(&root, value)], &[], &Silent);
        verified.unwrap_or_else(|e| panic!("case {number}: {e}")).unwrap();
        // Any position, asked in any order, after whatever is in the table already.
        for (position, &value) in &plain {
            assert_eq!(search.outcome(position, &Silent), Ok(value.outcome()), "case {number}");
            assert_eq!(search.has_value(position, value, &Silent), Ok(true), "case {number}");
            assert_eq!(search.has_value(position, value.before(), &Silent), Ok(false), "case {number}");
            assert_eq!(search.value(position, &Silent), Ok(value), "case {number}");
        }
        let table = Retrograde::build(&fast, &[&root], Limits::default(), &Silent).unwrap();
        assert_eq!(all_values(&table), plain, "seed {SEED}, case {number}");
        solved += usize::from(plain.len() > 20);
    }
    assert!(solved > 300, "only {solved} games of more than 20 positions");
}

#[test]
fn retrograde_analysis_agrees_with_the_plain_one() {
    let (mut solved, mut draws) = (0, 0);
    for (number, game, root) in small_games(5_000, true, 25_000) {
        let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
        let plain = plain_retrograde(&reference, &[&root]);
        let table = Retrograde::build(&fast, &[&root], Limits::default(), &Silent).unwrap();
        assert_eq!(all_values(&table), plain, "seed {SEED}, case {number}");
        assert_eq!(table.verify(&reference, &Silent), Ok(Ok(plain.len() as u64)), "seed {SEED}, case {number}");
        assert!(table.positions() as u128 <= positions_at_most(&game, &[&root]), "seed {SEED}, case {number}");
        solved += usize::from(plain.len() > 20);
        draws += plain.values().filter(|value| **value == Value::Draw).count();
    }
    assert!(solved > 200 && draws > 1_000, "only {solved} games of more than 20 positions, {draws} draws");
}

fn all_values(table: &Retrograde) -> HashMap<Position, Value> {
    let mut values = HashMap::new();
    table.for_each(|position, value| {
        assert_eq!(table.value(&position), Some(value));
        values.insert(position, value);
    });
    values
}

#[test]
fn best_actions_and_lines_are_those_of_the_plain_values() {
    for cycling in [false, true] {
        for (number, game, root) in small_games(1_500, cycling, 8_000) {
            let reference = Reference::new(game.clone());
            let values = plain_retrograde(&reference, &[&root]);
            let value = values[&root];
            let request = Request::default();
            let solution = solve(&game, &root, request, &Silent).unwrap_or_else(|e| panic!("case {number}: {e}"));
            assert_eq!(solution.verdict, Verdict::Value(value), "seed {SEED}, case {number}");
            assert!(solution.verified.is_some(), "seed {SEED}, case {number}");
            let after = |action| reference.transition(&root, action).unwrap().next;
            let best: Vec<_> =
                reference.sorted_actions(&root).into_iter().filter(|&a| values[&after(a)].before() == value).collect();
            assert_eq!(solution.best, Some(best), "seed {SEED}, case {number}");
            let line = solution.line.unwrap();
            assert_eq!(line.len(), usize::from(value.plies().unwrap_or(0)), "seed {SEED}, case {number}");
            let mut here = root;
            for action in line {
                let next = reference.transition(&here, action).unwrap().next;
                assert_eq!(values[&next].before(), values[&here], "seed {SEED}, case {number}");
                here = next;
            }
            if value != Value::Draw {
                assert_ne!(reference.status(&here), Status::Ongoing, "seed {SEED}, case {number}");
            }
        }
    }
}

#[test]
fn random_play_is_the_mean_over_all_actions() {
    fn plain(engine: &Reference, position: &Position) -> f64 {
        match engine.status(position) {
            Status::Won(side) => f64::from(u8::from(side == Side::White)),
            Status::Ongoing => {
                let actions = engine.sorted_actions(position);
                let next = actions.iter().map(|&action| engine.transition(position, action).unwrap().next);
                next.map(|next| plain(engine, &next)).sum::<f64>() / actions.len() as f64
            }
        }
    }
    for (number, game, root) in small_games(3_000, false, 500) {
        let score = random_play_score(&Bitboard::new(game.clone()), &root, Limits::default(), &Silent).unwrap();
        let slow = plain(&Reference::new(game), &root);
        assert!((score - slow).abs() < 1e-12, "seed {SEED}, case {number}: {score} {slow}");
    }
}

/// Returns a grid of m × n points with all orthogonal lines, and all diagonal ones if asked for.
fn grid(columns: u8, rows: u8, diagonals: bool) -> Board {
    let points = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column }));
    let lines = points.clone().flat_map(|point| {
        let all = [Direction::N, Direction::E, Direction::Ne, Direction::Se];
        all.into_iter().take(if diagonals { 4 } else { 2 }).filter_map(move |d| {
            let to = point.step(d).filter(|to| to.column < columns && to.row < rows);
            to.map(|_| (point, d))
        })
    });
    Board::new("grid", "test", points.clone(), lines.collect::<Vec<_>>()).unwrap()
}

/// Nodes of the search of all placement games, and the points up to which it solves every board of
/// Snort with them.
const GENERAL_NODES: u64 = 50_000;
const GENERAL_POINTS: usize = 9;

const SNORT: &str = "standard+placement-liberty=off+opening=any";

/// Returns the outcome of Snort on a board with as many pods as points, for the player who starts.
fn snort(board: Board, pods: &str) -> Outcome {
    let pods = builtin_pods(pods).unwrap();
    let kind = pods.kind('o').unwrap();
    let hand: Hand = board.points().map(|_| kind).collect();
    let game = Game::new(board, pods, SNORT.parse().unwrap());
    let outcomes = Side::BOTH.map(|first| {
        let start = game.start(hand, hand, first).unwrap();
        let mut search = Exhaustive::new(Bitboard::new(game.clone()), &[&start], Limits::default());
        let outcome = search.outcome(&start, &Silent).unwrap();
        search.verify(&Reference::new(game.clone()), &[], &[(&start, outcome)], &Silent).unwrap().unwrap();
        let by_search = Search::new(&game, 1 << 20).unwrap().solve(&start, Limits::default(), &Silent);
        assert_eq!(by_search.outcome, Ok(outcome), "{}", start.display(&game));
        // The search of all placement games too, which does not get as far.
        let mut features = SearchFeatures::ALL;
        (features.conflicts, features.mirror) = (false, false);
        let general = Search::with_features(&game, 1 << 20, features).unwrap();
        match general.solve(&start, Limits::default().with_nodes(GENERAL_NODES), &Silent).outcome {
            Ok(found) => assert_eq!(found, outcome, "{}", start.display(&game)),
            Err(_) => assert!(game.board().len() > GENERAL_POINTS, "{}", start.display(&game)),
        }
        outcome
    });
    assert_eq!(outcomes[0], outcomes[1], "Snort is the same for both players");
    outcomes[0]
}

#[test]
fn snort_on_grids_is_a_second_player_win_only_if_both_sides_are_even() {
    for (columns, rows) in (1..=5_u8).flat_map(|m| (1..=m).map(move |n| (m, n))).filter(|(m, n)| m * n <= 20) {
        let wanted = if columns % 2 == 0 && rows % 2 == 0 { Outcome::Loss } else { Outcome::Win };
        assert_eq!(snort(grid(columns, rows, false), "snort"), wanted, "{columns}×{rows}");
    }
}

#[test]
fn snort_on_king_graphs_is_a_first_player_win() {
    for (columns, rows) in (2..=5_u8).flat_map(|m| (1..=m).map(move |n| (m, n))).filter(|(m, n)| m * n <= 25) {
        assert_eq!(snort(grid(columns, rows, true), "snort8"), Outcome::Win, "{columns}×{rows}");
    }
}

#[test]
fn snort_on_cycles_goes_by_their_length() {
    // Rings of points on the grid; only neighbours on the ring are joined, so that the graph is a
    // cycle.
    for (columns, rows) in [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4)] {
        let on_ring = |c: &Coord| c.row == 0 || c.row == rows - 1 || c.column == 0 || c.column == columns - 1;
        let points: Vec<Coord> =
            (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column })).filter(on_ring).collect();
        let edge = |a: &Coord, b: &Coord| a.row == b.row && (a.row == 0 || a.row == rows - 1) || a.column == b.column;
        let lines: Vec<_> = points
            .iter()
            .flat_map(|&p| [Direction::N, Direction::E].map(|d| (p, d)))
            .filter(|(p, d)| p.step(*d).is_some_and(|to| points.contains(&to) && edge(p, &to)))
            .filter(|(p, d)| *d == Direction::E || p.column == 0 || p.column == columns - 1)
            .collect();
        assert_eq!(lines.len(), points.len(), "a cycle has as many lines as points");
        assert_eq!(
            snort(Board::new("ring", "test", points, lines).unwrap(), "snort"),
            Outcome::Loss,
            "{columns}×{rows}"
        );
    }
    // An odd cycle needs a diagonal to close.
    let odd = [
        ("o\n|\\\no-o", Outcome::Win),
        ("  o\n / \\\no   o\n|  /\no-o", Outcome::Win),
        ("o-o\n|  \\\no   o\n|   |\no-o-o", Outcome::Win),
    ];
    for (picture, wanted) in odd {
        let ring = board(picture);
        assert!(ring.len() % 2 == 1 && ring.points().all(|p| ring.lines(p).len() == 2), "{picture}");
        assert_eq!(snort(ring, "snort8"), wanted, "{picture}");
    }
}

/// Returns a random board of some columns and rows that is its own half turn.
fn half_turn_board(random: &mut Random, columns: u8, rows: u8) -> Board {
    let half_turn = Symmetry::from(Orientation::R180);
    let points = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column }));
    let mut lines = Vec::new();
    for point in points.clone() {
        for direction in Direction::ALL {
            let to = point.step(direction).filter(|to| to.column < columns && to.row < rows);
            if to.is_some() && random.below(5) < 2 {
                let image = half_turn.coord(point, (columns, rows));
                lines.extend([(point, direction), (image, direction.opposite())]);
            }
        }
    }
    Board::new("random", "test", points, lines).unwrap()
}

#[test]
fn mirrored_positions_are_lost_for_the_mover() {
    let mut random = Random(SEED);
    let (mut boards, mut shown) = (0, 0);
    for round in 0..400 {
        let (columns, rows) = random.pick(&[(2, 2), (3, 2), (2, 3), (4, 2), (2, 4), (2, 1)]);
        let board = half_turn_board(&mut random, columns, rows);
        let pods = builtin_pods(random.pick(&["duo", "trio"])).unwrap();
        let rules = [
            "standard",
            "standard+opening=any",
            "standard+placement-liberty=off",
            "standard+attack-through=on",
            "standard+captures=after-moves",
        ];
        let game = Game::new(board, pods, random.pick(&rules).parse().unwrap());
        if mirror_board(game.board()).is_err() {
            continue;
        }
        boards += 1;
        let hand = Hand::whole(game.pods());
        let start = game.start(hand, hand, random.pick(&Side::BOTH)).unwrap();
        assert_eq!(mover_loses_by_mirror(&game, &start), Ok(()));
        let mut values = HashMap::new();
        plain_exhaustive(&Reference::new(game.clone()), &start, &mut values);
        for (position, value) in values {
            if mover_loses_by_mirror(&game, &position).is_ok() {
                assert_eq!(value.outcome(), Outcome::Loss, "seed {SEED}, round {round}: {}", position.display(&game));
                shown += 1;
            }
        }
    }
    assert!(boards > 50 && shown > 500, "{boards} boards, {shown} positions");
}

#[test]
fn the_mirror_theorem_asks_for_all_of_its_conditions() {
    let says = |picture: &str, rules: &str, text: &str| {
        let game = Game::new(board(picture), builtin_pods("duo").unwrap(), rules.parse().unwrap());
        mover_loses_by_mirror(&game, &position(&game, text))
            .map_err(|e| e.to_string().chars().take(24).collect::<String>())
    };
    let apart = "o-o\n\no-o";
    assert_eq!(says(apart, "standard", "2/2 w bt bt open"), Ok(()));
    assert_eq!(says(apart, "standard", "1b/B1 w t t -"), Ok(()));
    // Nothing is captured after moves where nothing moves.
    assert_eq!(says(apart, "standard+captures=after-moves", "1b/B1 w t t -"), Ok(()));
    for (picture, rules, text) in [
        (apart, "basic-author", "2/2 w bt bt open"),
        (apart, "advanced", "2/2 w bt bt open"),
        (apart, "standard+captures=every-turn", "2/2 w bt bt open"),
        (apart, "standard", "2/2 w bt b open"),
        (apart, "standard", "1b/1B w t t -"),
        (apart, "standard", "1B/b1 w t - -"),
        ("o-o\n|\no-o", "standard", "2/2 w bt bt open"),
        ("o-o\n \\\no-o", "standard", "2/2 w bt bt open"),
        ("o-o-o", "standard", "3 w bt bt open"),
        ("o-o", "standard", "2 w bt bt open"),
    ] {
        assert!(says(picture, rules, text).is_err(), "{picture}\n{rules} {text}");
    }
}

#[test]
fn the_real_size_is_settled_by_the_mirror_theorem_where_it_applies() {
    let game = builtin_game("mirror36", 0, "pods14", "standard");
    let hand = Hand::whole(game.pods());
    let request = Request::default();
    for first in Side::BOTH {
        let start = game.start(hand, hand, first).unwrap();
        let solution = solve(&game, &start, request, &Silent).unwrap();
        assert_eq!((solution.verdict, solution.method), (Verdict::Outcome(Outcome::Loss), Method::Mirror));
        assert_eq!((solution.verified, solution.verdict.plies()), (None, None));
    }
}

#[test]
fn limits_end_in_no_value() {
    let game = builtin_game("lair16", 0, "mini7", "standard");
    let hand = Hand::whole(game.pods());
    let start = game.start(hand, hand, Side::White).unwrap();
    let limits = Limits::default().with_nodes(1_000);
    let request = Request::new(limits);
    let stopped = solve(&game, &start, request, &Silent);
    assert!(matches!(stopped, Err(SolveError::Stopped(Stopped::NodesReached { nodes: 1_000 }))), "{stopped:?}");
    let cycling = builtin_game("cave36", 0, "pods14", "advanced");
    let hand = Hand::whole(cycling.pods());
    let start = cycling.start(hand, hand, Side::White).unwrap();
    // No table fits, so the rest is looking ahead; the answer names both limits.
    let limits = Limits::default().with_nodes(1_000);
    match Answerer::new(&cycling).answer(&start, Request::new(limits), &Silent) {
        Ok(Finding::Unknown(unsolved)) => {
            assert_eq!(unsolved.stopped, Stopped::NodesReached { nodes: 1_000 });
            assert!(matches!(unsolved.refused, Some(Stopped::WouldNotFit { .. })), "{unsolved:?}");
        }
        other => panic!("{other:?}"),
    }
    // Each ends at the limit of nodes, or before it begins since the game is too large.
    for method in [Method::Retrograde, Method::Sweeps] {
        let named = solve(&cycling, &start, Request::new(limits).by(method), &Silent);
        let stopped = matches!(
            named,
            Err(SolveError::Stopped(Stopped::LimitReached { positions: 1_000 } | Stopped::WouldNotFit { .. })
                | SolveError::Index(_))
        );
        assert!(stopped, "{method:?} {named:?}");
    }
    let request = request.by(Method::Exhaustive);
    assert!(matches!(solve(&cycling, &start, request, &Silent), Err(SolveError::CanCycle)));
}

#[test]
fn a_wrong_value_does_not_pass_the_verification() {
    let game = builtin_game("nook9", 0, "four", "standard");
    let start = position(&game, "3/3/3 w bdt bdt open");
    let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
    let mut search = Exhaustive::new(fast, &[&start], Limits::default());
    let value = search.value(&start, &Silent).unwrap();
    assert_eq!(value, Value::Win(5));
    assert!(search.verify(&reference, &[(&start, Value::Win(3))], &[], &Silent).is_err());
    assert!(search.verify(&reference, &[(&start, Value::Loss(4))], &[], &Silent).is_err());
    assert!(search.verify(&reference, &[], &[(&start, Outcome::Loss)], &Silent).is_err());
    // Under other rules the same bounds do not follow.
    let other = Reference::new(builtin_game("nook9", 0, "four", "standard+placement-liberty=off"));
    assert!(search.verify(&other, &[(&start, value)], &[], &Silent).is_err());
    let cycling = builtin_game("nook9", 0, "duo", "advanced");
    let start = position(&cycling, "3/3/3 w bt bt open");
    let table = Retrograde::build(&Bitboard::new(cycling), &[&start], Limits::default(), &Silent).unwrap();
    for rules in ["advanced-author", "advanced+empty-hand=loses"] {
        let other = Reference::new(builtin_game("nook9", 0, "duo", rules));
        assert!(table.verify(&other, &Silent).is_err(), "{rules}");
    }
}

#[test]
fn the_search_takes_games_in_which_nothing_moves_or_is_captured_by_placements() {
    for (moves, captures) in [("off", "never"), ("off", "after-moves"), ("off", "every-turn"), ("on", "never")]
        .into_iter()
        .chain([("on", "after-moves"), ("on", "every-turn")])
    {
        let rules = format!("standard+moves={moves}+captures={captures}");
        let game = builtin_game("nook9", 0, "duo", &rules);
        let fits = moves == "off" && captures != "every-turn";
        assert_eq!(Search::fits(&game), fits, "{rules}");
        assert_eq!(Search::new(&game, 1 << 16).is_some(), fits, "{rules}");
    }
}

/// Notes what it is told.
#[derive(Default)]
struct Told(std::sync::Mutex<Vec<(Phase, u64, Option<u64>)>>);

impl Observer for Told {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.0.lock().unwrap().push((phase, done, total));
    }
}

#[test]
fn exhaustive_search_tells_now_and_then_how_many_positions_it_has() {
    let game = builtin_game("cave16", 0, "mini5", "standard");
    let [white, black] = ["bdoqt", "bdoqt"].map(|hand| Hand::parse(hand, game.pods()).unwrap());
    let start = game.start(white, black, Side::White).unwrap();
    let mut search = Exhaustive::new(Bitboard::new(game), &[&start], Limits::default());
    let told = Told::default();
    search.value(&start, &told).unwrap();
    assert_eq!(told.0.into_inner().unwrap(), [(Phase::Search, 16_451, None)]);
}
