//! Every rule of the search against the plain solver, on random small games.

use std::sync::atomic::Ordering;

use hashbrown::HashMap;

use super::bounds::Lives;
use super::canonical::whole;
use super::counting::decided;
use super::dominance::{self, Dominance};
use super::field::{Field, LegBits, bits};
use super::key::Key;
use super::negamax::SETTLED_ABOVE;
use super::node::{Node, Pairs, Used, placements};
use super::random_games::for_each_game;
use super::table::{Known, Table};
use super::used::{self, ALL_USED, Names};
use super::wide::canonical;
use super::{Search, SearchFeatures, SearchResult, Unknown};
use crate::engine::crosscheck::case;
use crate::engine::{Bitboard, Engine, Status};
use crate::material::{builtin_board, builtin_pods};
use crate::position::{Game, Position};
use crate::progress::Silent;
use crate::rules::{EmptyHand, Preset};
use crate::solver::limits::Limits;
use crate::solver::plain::plain_exhaustive;
use crate::solver::value::{Outcome, Value};

fn search(game: &Game, features: SearchFeatures, memory: u64) -> Search {
    Search::with_features(game, memory, features).expect("a placement game")
}

#[test]
fn every_rule_holds_in_every_position_of_random_games() {
    let (mut won_by_counting, mut lost_by_counting) = (0, 0);
    let (mut merged, mut renamed, mut reopened, mut dominated) = (0, 0, 0, 0);
    let games = for_each_game(5, 3_000, |engine, _, values| {
        let game = engine.game();
        let field = Field::new(game);
        let (mut by_canonical, mut nameless) = (HashMap::new(), HashMap::new());
        let dominance = Dominance::new(1 << 20);
        for (position, &value) in values {
            let text = || format!("{}\n{:?}\n{}", position.display(game), game.board(), game.rules());
            let node = Node::new(&field, game, position);
            if node.won_by_hand(&field).is_some() {
                continue;
            }
            let (mover, foe) = (node.mover as usize, 1 - node.mover as usize);
            let (mine, theirs) = (node.legal(&field, mover), node.legal(&field, foe));
            assert_eq!(placements(&mine).count(), engine.sorted_actions(position).len(), "{}", text());
            if mine.any == 0 {
                continue;
            }
            let lives = Lives::new(&field, &node);
            assert_eq!((lives.open[mover], lives.open[foe]), (mine, theirs), "open: {}", text());
            let suffices = |win: bool, used: Used| {
                let x = if win { mover } else { foe };
                used::tests::wins_with(&field, &node, x, used, &mut 100) != Some(false)
            };
            if let Some((win, used)) = decided(&field, &node, &lives) {
                assert!(field.empty_hand_wins || suffices(win, used), "used by counting: {}", text());
                assert_eq!(win, value.outcome() == Outcome::Win, "counting: {}", text());
                won_by_counting += u32::from(win);
                lost_by_counting += u32::from(!win);
            }
            if !field.empty_hand_wins {
                let win = value.outcome() == Outcome::Win;
                if let Some((found, used)) = dominance.get(&field, &node, &lives) {
                    assert_eq!(found, win, "dominance: {}", text());
                    assert!(suffices(win, used), "used by dominance: {}", text());
                    dominated += 1;
                }
                let used = used::tests::used_plainly(&field, &node, if win { mover } else { foe }, &mut 100);
                dominance.put(&field, &node, &lives, win, dominance::LEAST, used.unwrap_or(Used::ALL));
            }
            let key = canonical(&field, &node, &lives, true, &mut Names::default());
            let same = nameless.entry((key.low, key.high)).or_insert((value, whole(&node)));
            assert_eq!(same.0, value, "nameless canonical key: {}", text());
            renamed += u32::from(same.1 != whole(&node));
            let key = canonical(&field, &node, &lives, false, &mut Names::default());
            let same = by_canonical.entry((key.low, key.high)).or_insert((value, whole(&node)));
            assert_eq!(same.0, value, "canonical: {}", text());
            merged += u32::from(same.1 != whole(&node));
            // Whatever is legal later was thought possible, and what is safe stays legal while it
            // is unused.
            let safe = lives.safe(&field, &node, mover, 0);
            for placement in placements(&mine) {
                let next = node.play(&field, placement);
                for answer in placements(&next.legal(&field, foe)) {
                    let later = next.play(&field, answer);
                    let again = later.legal(&field, mover);
                    for kind in 0..super::field::KINDS {
                        assert_eq!(again.at[kind] & !lives.pairs[mover].at[kind], 0, "lives: {}", text());
                        reopened += u32::from(again.at[kind] & !mine.at[kind] != 0 && !node.open);
                        if !field.liberty && later.hands[mover][kind] > 0 && !node.open {
                            let kept = safe.at[kind] & !(1 << placement.point);
                            assert_eq!(kept & !again.at[kind], 0, "safe: {}", text());
                        }
                    }
                }
            }
        }
    });
    // The run has met what is rare: else it would say little.
    assert!(games > 500, "{games}");
    assert!(dominated > 1_000, "{dominated}");
    assert!(won_by_counting > 1_000 && lost_by_counting > 1_000, "{won_by_counting} {lost_by_counting}");
    assert!(merged > 1_000 && renamed > merged + 1_000 && reopened > 1_000, "{merged} {renamed} {reopened}");
}

#[test]
fn every_set_of_ideas_finds_the_value() {
    let games = for_each_game(6, 2_000, |engine, position, values| {
        let game = engine.game();
        let outcome = values[position].outcome();
        for features in 0..16 {
            let on = |bit: u32| features >> bit & 1 != 0;
            let features = SearchFeatures {
                denial: on(0),
                canonical: on(1),
                nameless: on(3),
                bounds: on(2),
                conflicts: on(2),
                regions: on(0),
                weighing: on(3),
                walls: on(1),
                inferior: on(0),
                mirror: on(1),
                history: on(3),
                covers: on(0),
                ghosts: on(2),
                first_covers: on(3),
                race: on(0),
                turns: on(0),
                dominance: on(2),
                used: on(0),
                alike: on(3),
                elsewhere: on(1),
            };
            for (memory, threads) in [(1 << 16, 1), (64, 1), (1 << 12, 2)] {
                if threads > 1 && features != SearchFeatures::ALL {
                    continue;
                }
                let answer =
                    search(game, features, memory).solve(position, Limits { threads, ..Limits::default() }, &Silent);
                assert_eq!(answer.outcome, Ok(outcome), "{features:?} {}", position.display(game));
                check_actions(engine, position, values, &answer);
            }
        }
        // Whatever the limit, what is said is true.
        for nodes in [0, 1, 2, 5, 20] {
            let budget = Limits { nodes, ..Limits::default() };
            let answer = search(game, SearchFeatures::ALL, 1 << 12).solve(position, budget, &Silent);
            assert!(matches!(answer.outcome, Err(Unknown::Nodes)) || answer.outcome == Ok(outcome));
            check_actions(engine, position, values, &answer);
        }
    });
    assert!(games > 350, "{games}");
}

/// Tests several threads, of which each goes back where another one has settled a node above it.
#[test]
fn threads_that_settle_nodes_for_each_other_change_no_value() {
    let before = SETTLED_ABOVE.load(Ordering::Relaxed);
    let (mut games, mut settled) = (0, 0);
    // On one core threads follow each other, and it hardly happens.
    let several_cores = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
    // How often it happens in small games is up to the system: on an idle machine some 14 times in
    // 800 of them.
    for seed in 23..43 {
        games += for_each_game(seed, 2_500, |engine, position, values| {
            let fewer = SearchFeatures { conflicts: false, bounds: false, ..SearchFeatures::ALL };
            for (features, memory) in
                [(SearchFeatures::ALL, 1 << 16), (SearchFeatures::ALL, 1 << 9), (fewer, 1 << 16), (fewer, 1 << 9)]
            {
                let limits = Limits { threads: 4, ..Limits::default() };
                let answer = search(engine.game(), features, memory).solve(position, limits, &Silent);
                assert_eq!(answer.outcome, Ok(values[position].outcome()), "{}", position.display(engine.game()));
                check_actions(engine, position, values, &answer);
            }
        });
        settled = SETTLED_ABOVE.load(Ordering::Relaxed) - before;
        if settled > 20 || !several_cores {
            break;
        }
    }
    assert!(games > 350 && (settled > 20 || !several_cores), "{games} {settled}");
}

/// Returns a position and those that random play from it comes to.
fn random_walk(engine: &Bitboard, root: &Position, random: &mut u64) -> Vec<Position> {
    let mut positions = vec![root.clone()];
    loop {
        let position = &positions[positions.len() - 1];
        let actions = engine.sorted_actions(position);
        if actions.is_empty() || engine.status(position) != Status::Ongoing {
            return positions;
        }
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let action = actions[(*random >> 33) as usize % actions.len()];
        positions.push(engine.transition(position, action).expect("listed as legal").next);
    }
}

/// Tests whole searches with and without covering positions, in every position of random games
/// under all options.
#[test]
fn covering_positions_change_no_value() {
    const SEED: u64 = 13;
    let (mut positions, mut fewer, mut more, mut raced, mut turned, mut hand_wins) = (0, 0, 0, 0, 0, 0);
    // Where the searches without a feature took other nodes.
    let mut other = [0; 6];
    let mut random = SEED;
    for_each_game(SEED, 6_000, |engine, root, values| {
        let game = engine.game();
        let plain = SearchFeatures { bounds: false, conflicts: false, ..SearchFeatures::ALL };
        let kinds = [
            SearchFeatures { canonical: false, ..plain },
            plain,
            SearchFeatures { conflicts: false, ..SearchFeatures::ALL },
        ];
        let searches = kinds.map(|features| search(game, features, 1 << 16));
        let mut racing = search(game, kinds[0], 1 << 16);
        racing.race_from = 1;
        // Every placement takes longer than its first turn.
        let mut turning = search(game, kinds[0], 1 << 16);
        (turning.race_from, turning.turns_from) = (1, 1);
        let whole = Search::with_features(game, 1 << 14, SearchFeatures { covers: false, ..plain }).unwrap();
        let others = [
            SearchFeatures { history: false, ..kinds[0] },
            SearchFeatures { first_covers: false, ..kinds[0] },
            SearchFeatures { ghosts: false, ..kinds[0] },
            SearchFeatures { used: false, ..kinds[0] },
            SearchFeatures { alike: false, ..kinds[0] },
            SearchFeatures { elsewhere: false, ..kinds[0] },
        ]
        .map(|features| search(game, features, 1 << 16));
        let walks = if game.rules().options().empty_hand == EmptyHand::Wins { 1 } else { 8 };
        let visited = (0..walks).flat_map(|_| random_walk(engine, root, &mut random));
        for position in visited.collect::<Vec<_>>() {
            let (position, value) = (&position, values[&position]);
            let limits = Limits::default();
            let nodes = searches.each_ref().map(|search| {
                let answer = search.solve(position, limits, &Silent);
                assert_eq!(answer.outcome, Ok(value.outcome()), "{} {}", position.display(game), game.rules());
                check_actions(engine, position, values, &answer);
                answer.nodes
            });
            let [races, turns] = [&racing, &turning].map(|search| {
                let answer = search.solve(position, limits, &Silent);
                assert_eq!(answer.outcome, Ok(value.outcome()), "races: {} {}", position.display(game), game.rules());
                check_actions(engine, position, values, &answer);
                answer.nodes
            });
            raced += u32::from(races != nodes[0]);
            turned += u32::from(turns != races);
            for (search, other) in others.iter().zip(&mut other) {
                let answer = search.solve(position, limits, &Silent);
                assert_eq!(answer.outcome, Ok(value.outcome()), "{} {}", position.display(game), game.rules());
                *other += u32::from(answer.nodes != nodes[0]);
            }
            let without = whole.solve(position, limits, &Silent).nodes;
            fewer += u32::from(nodes[1] < without);
            more += u32::from(nodes[1] > without);
            positions += 1;
            hand_wins += u32::from(game.rules().options().empty_hand == EmptyHand::Wins);
        }
    });
    assert!(
        positions > 20_000 && hand_wins > 2_000 && fewer > 500 && more > 100 && raced > 100 && turned > 1_000,
        "{positions} {hand_wins} {fewer} {more} {raced} {turned}"
    );
    assert!(
        other[0] > 100 && other[1] > 500 && other[2] > 500 && other[3] > 20 && other[4] > 20 && other[5] > 20,
        "{other:?}"
    );
}

/// Tests Snort on small grids, with some points taken and some lines missing: fixed conflicts
/// against the plain solver.
#[test]
fn fixed_conflicts_are_solved_as_the_plain_solver_does() {
    use crate::geometry::{Coord, Direction};
    use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach};
    let mut random = 7_u64;
    let mut draw = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let mut mirrored = 0;
    for _ in 0..160 {
        let (columns, rows) = [(3, 3), (2, 4), (4, 2), (1, 7), (3, 2), (2, 5)][draw(6) as usize];
        let points: Vec<Coord> =
            (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column })).collect();
        let dense = 40 + 60 * draw(2);
        let mut lines = Vec::new();
        for &p in &points {
            for d in Direction::HALF {
                let there = p.step(d).is_some_and(|to| points.contains(&to));
                if there && draw(100) < dense {
                    lines.push((p, d));
                }
            }
        }
        let board = Board::new("random", "test", points, lines).unwrap();
        let through = draw(2) == 0;
        let legs = |there: u64, long: u64| {
            Legs::new(Direction::ALL.into_iter().filter(|d| there >> d.index() & 1 == 1).map(|direction| {
                let far = through && long >> direction.index() & 1 == 1;
                Leg { direction, reach: if far { Reach::Long } else { Reach::Short } }
            }))
            .unwrap()
        };
        let kind = |id, there, long| PodSpec { id, name: String::new(), legs: legs(there, long), count: 12 };
        let pods =
            PodSet::new("random", "test", vec![kind('a', 1 + draw(255), draw(256)), kind('b', 0x55, 0)]).unwrap();
        let through = if through { "on" } else { "off" };
        let rules = format!("standard+placement-liberty=off+opening=any+attack-through={through}").parse().unwrap();
        let game = Game::new(board, pods, rules);
        let (white, black) = [("a12", "a12"), ("b12", "b12"), ("a12", "b12")][draw(3) as usize];
        let hand = |text| crate::position::Hand::parse(text, game.pods()).unwrap();
        let start = game.start(hand(white), hand(black), crate::material::Side::White).unwrap();
        let engine = Bitboard::new(game.clone());
        let mut values = HashMap::new();
        plain_exhaustive(&engine, &start, &mut values);
        let plain = SearchFeatures { mirror: false, walls: false, inferior: false, ..SearchFeatures::ALL };
        let kinds = [
            plain,
            SearchFeatures { weighing: false, ..plain },
            SearchFeatures { regions: false, ..plain },
            SearchFeatures { inferior: true, weighing: false, ..plain },
            SearchFeatures { walls: true, weighing: false, ..plain },
            SearchFeatures { walls: true, inferior: true, regions: false, ..plain },
            SearchFeatures { mirror: false, ..SearchFeatures::ALL },
            SearchFeatures::ALL,
        ];
        // Each set of features in a third of the positions: not all in the same ones.
        for (number, features) in kinds.into_iter().enumerate() {
            let search = search(&game, features, 1 << 14);
            for (position, value) in values.iter().skip(number % 3).step_by(3) {
                let answer = search.solve(position, Limits::default(), &Silent);
                assert_eq!(answer.outcome, Ok(value.outcome()), "{} {:?}", position.display(&game), game.board());
                check_actions(&engine, position, &values, &answer);
                mirrored += u32::from(features.mirror && answer.nodes < 4);
            }
        }
    }
    assert!(mirrored > 100);
}

fn check_actions(engine: &Bitboard, position: &Position, values: &HashMap<Position, Value>, answer: &SearchResult) {
    let after = |action| values[&engine.transition(position, action).expect("a legal action").next].outcome();
    let ongoing = engine.status(position) == Status::Ongoing;
    assert_eq!(answer.winning.is_some(), ongoing && answer.outcome == Ok(Outcome::Win));
    if let Some(action) = answer.winning {
        assert_eq!(after(action), Outcome::Loss);
    }
    for &action in &answer.losing {
        assert_eq!(after(action), Outcome::Win);
    }
    if ongoing && answer.outcome == Ok(Outcome::Loss) {
        assert_eq!(answer.losing.len(), engine.sorted_actions(position).len());
    }
}

/// Tests that a position that was asked for is known to later searches, of itself and of those
/// before.
#[test]
fn what_was_asked_is_kept() {
    let (board, pods) = (builtin_board("cave36").expect("a board"), builtin_pods("pods14").expect("pods"));
    let game = Game::new(board, pods, Preset::Standard.into());
    let asked = |search: &Search, text| {
        search.solve(&game.parse_position(text).expect("a position"), Limits::default(), &Silent)
    };
    let after = "3c2/6/B1O3/5o/h2G2/6 w cdfhjkpqtvy bdfgjkpqtvy -";
    let search = Search::new(&game, 1 << 24).expect("a placement game");
    let first = asked(&search, after);
    assert!(first.outcome == Ok(Outcome::Loss) && first.nodes > 1_000, "{first:?}");
    let again = asked(&search, after);
    assert_eq!((again.outcome, again.losing.len()), (first.outcome, first.losing.len()));
    assert!(again.nodes <= 1, "{} after {}", again.nodes, first.nodes);
    let before = asked(&search, "3c2/6/B1O3/5o/3G2/6 b cdfhjkpqtvy bdfghjkpqtvy -");
    assert!(before.outcome == Ok(Outcome::Win) && before.nodes <= 1, "{before:?}");
}

/// Returns the pairs that are safe, pair by pair, as the claim in `bounds.rs` has it.
fn safe_by_claim(field: &Field, node: &Node, lives: &Lives, side: usize, open: &Pairs) -> Pairs {
    let theirs = &lives.pairs[1 - side];
    let stops = if field.through { 0 } else { node.held[0] | node.held[1] };
    let reached = |LegBits { short, long }: LegBits, p: usize| {
        let near = bits(u64::from(short)).fold(0, |set, d| set | field.near[d][p]);
        bits(u64::from(long)).fold(near, |set, d| set | field.sight(d, p, stops))
    };
    let of_kind = |kind: usize| bits(theirs.at[kind]).fold(0, |set, p| set | reached(field.legs[1 - side][kind], p));
    let attacked = bits(u64::from(theirs.kinds)).fold(theirs.any, |set, kind| set | of_kind(kind));
    let lasting = node.empty(field) & !theirs.any;
    let mut safe = Pairs::NONE;
    for kind in bits(u64::from(open.kinds)) {
        let legs = field.legs[side][kind];
        let free = |p: usize| bits(u64::from(legs.short | legs.long)).any(|d| field.near[d][p] & lasting != 0);
        let kept = bits(open.at[kind] & !attacked)
            .filter(|&p| reached(legs, p) & theirs.any == 0 && (!field.liberty || free(p)));
        safe.set(kind, kept.fold(0, |set, p| set | 1 << p));
    }
    safe
}

#[test]
fn safe_pairs_are_those_of_the_claim() {
    let (mut positions, mut points, mut with_liberty) = (0, 0, 0);
    for number in 0..12_000 {
        let case = case(23, number);
        let game = case.game();
        if !Search::fits(&game) {
            continue;
        }
        let field = Field::new(&game);
        for position in case.walked(&Bitboard::new(game.clone())) {
            let node = Node::new(&field, &game, &position);
            let lives = Lives::new(&field, &node);
            for side in [0, 1] {
                let safe = safe_by_claim(&field, &node, &lives, side, &lives.open[side]);
                let text = || format!("{}\n{:?}\n{}", position.display(&game), game.board(), game.rules());
                assert_eq!(lives.safe(&field, &node, side, 0), safe, "{}", text());
                points += safe.any.count_ones();
                with_liberty += if field.liberty { safe.any.count_ones() } else { 0 };
            }
            positions += 1;
        }
    }
    assert!(positions > 10_000 && points > 10_000 && with_liberty > 1_000, "{positions} {points} {with_liberty}");
}

#[test]
fn the_whole_key_tells_hands_apart() {
    use crate::material::{builtin_board, builtin_pods};
    let rules = "standard+opening=any".parse().unwrap();
    let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("trio").unwrap(), rules);
    let field = Field::new(&game);
    let hands = ["-", "b", "d", "t", "bd", "bt", "dt", "bdt"];
    let mut keys = HashMap::new();
    for (white, black) in hands.into_iter().flat_map(|white| hands.map(|black| (white, black))) {
        let position = game.parse_position(&format!("3/3/3 w {white} {black} -")).unwrap();
        let key = whole(&Node::new(&field, &game, &position));
        assert_eq!(keys.insert((key.low, key.high), (white, black)), None, "{white} {black}");
    }
}

#[test]
fn keys_are_the_same_in_every_version() {
    // Checkpoints hold them.
    let mut key = Key::START;
    key.add(1);
    key.add(0xffff_ffff_0000_0000);
    assert_eq!(key, Key { low: 0x3a8b_3acb_dc58_841b, high: 0xba44_235e_0b26_e6ec });
}

#[test]
fn a_bucket_forgets_nothing_before_it_is_full() {
    let table = Table::new(64);
    let key = |n: u64| Key { low: n << 40 | n, high: n.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
    let known = |n: u64| Known { win: n.is_multiple_of(2), best: None, used: ALL_USED };
    let all = |entries: u64| (1..=entries).filter(|&n| table.get(key(n)) == Some(known(n))).count();
    for n in 1..=4 {
        // As little work as there is.
        table.put(key(n), known(n), 1);
        assert_eq!(all(4), n as usize);
    }
    table.put(key(5), known(5), 1);
    assert_eq!((table.get(key(5)), all(4)), (Some(known(5)), 3));
}
