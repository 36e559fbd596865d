//! Searches that are ended and gone on with from what they saved.

use pods::engine::{Bitboard, Engine as _, crosscheck};
use pods::files::sha256_hex;
use pods::geometry::{Coord, Direction, Orientation};
use pods::material::{Board, Leg, Legs, PodSet, PodSpec, Reach, Side, builtin_board, builtin_pods};
use pods::position::{Game, Hand, Position};
use pods::solver::search::{SavedError, Search, SearchFeatures, SearchResult, Unknown};
use pods::solver::{Limits, Silent};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

pub(crate) fn game(board: &str, pods: &str, rules: &str) -> Game {
    Game::new(builtin_board(board).unwrap(), builtin_pods(pods).unwrap(), rules.parse().unwrap())
}

fn start(game: &Game) -> Position {
    let hand = Hand::whole(game.pods());
    game.start(hand, hand, Side::White).unwrap()
}

fn within(search: &Search, position: &Position, nodes: u64) -> SearchResult {
    search.solve(position, Limits::default().with_nodes(nodes), &Silent)
}

fn saved(search: &Search) -> Vec<u8> {
    let mut bytes = Vec::new();
    search.save(&mut bytes, 64 << 20).unwrap();
    bytes
}

/// Searches again and again in new searches, each from what the one before has saved; returns the
/// answer, how often it was ended, and the nodes of all.
fn in_pieces(game: &Game, position: &Position, random: &mut Pcg64, most: u64) -> (SearchResult, u32, u64) {
    let (mut bytes, mut ended, mut nodes) = (None::<Vec<u8>>, 0, 0);
    loop {
        let mut search = Search::new(game, 1 << random.random_range(20..24)).unwrap();
        if let Some(bytes) = &bytes {
            search.load(&mut &bytes[..]).unwrap();
        }
        // Longer and longer, as a run that is ended before it comes to anything new does not help.
        let limit = random.random_range(1..=most) + u64::from(ended);
        let answer = within(&search, position, limit);
        nodes += answer.nodes;
        assert_eq!(search.nodes(), nodes);
        match answer.outcome {
            Ok(_) => return (answer, ended, nodes),
            Err(unknown) => assert_eq!(unknown, Unknown::Nodes),
        }
        bytes = Some(saved(&search));
        ended += 1;
    }
}

#[test]
fn a_search_in_pieces_finds_the_same() {
    let mut random = Pcg64::seed_from_u64(11);
    let (mut games, mut pieces) = (0, 0);
    for number in 0..4_000 {
        let case = crosscheck::case(73, number);
        let game = case.game();
        if !Search::fits(&game) {
            continue;
        }
        let position = case.position(&game);
        let whole = within(&Search::new(&game, 1 << 20).unwrap(), &position, 20_000);
        if whole.outcome.is_err() || whole.nodes < 40 {
            continue;
        }
        let (answer, ended, _) = in_pieces(&game, &position, &mut random, whole.nodes / 4);
        assert_eq!(answer.outcome, whole.outcome, "case {number}");
        assert_eq!(answer.winning.is_some(), whole.winning.is_some(), "case {number}");
        games += 1;
        pieces += ended;
        if games == 60 {
            break;
        }
    }
    assert!(games >= 40 && pieces > 3 * games, "{games} games, ended {pieces} times");
}

/// Returns the position that random play reaches after so many plies.
fn random_position(engine: &Bitboard, start: &Position, plies: u32, seed: u64) -> Position {
    let mut random = Pcg64::seed_from_u64(seed);
    (0..plies).fold(start.clone(), |position, _| {
        let actions = engine.sorted_actions(&position);
        let Some(last) = actions.len().checked_sub(1) else { return position };
        engine.transition(&position, actions[random.random_range(0..=last)]).unwrap().next
    })
}

#[test]
fn little_is_searched_twice() {
    let game = game("cave36", "pods14", "standard");
    let engine = Bitboard::new(game.clone());
    let (position, whole) = (0..40)
        .map(|seed| random_position(&engine, &start(&game), 12, seed))
        .map(|position| {
            let answer = within(&Search::new(&game, 1 << 23).unwrap(), &position, 1_000_000);
            (position, answer)
        })
        .find(|(_, answer)| answer.nodes > 50_000 && answer.outcome.is_ok())
        .unwrap();
    let (answer, ended, nodes) = in_pieces(&game, &position, &mut Pcg64::seed_from_u64(5), whole.nodes / 10);
    assert_eq!((answer.outcome, answer.winning), (whole.outcome, whole.winning));
    assert!(ended >= 10, "{ended}");
    // Covering positions that were given up are tried again by the next run.
    assert!(nodes < 3 * whole.nodes, "{nodes} nodes in {} pieces, {} at once", ended + 1, whole.nodes);
    // And none are lost: fewer only as a run that begins anew may find what spares it a cover that
    // fails.
    assert!(2 * nodes > whole.nodes, "{nodes}, {}", whole.nodes);
}

#[test]
fn threads_are_counted_and_kept() {
    let game = game("cave36", "pods14", "standard");
    let limits = Limits::default().with_nodes(100_000).with_threads(2);
    let search = Search::new(&game, 1 << 24).unwrap();
    let answer = search.solve(&start(&game), limits, &Silent);
    assert_eq!(search.nodes(), answer.nodes);
    let mut next = Search::new(&game, 1 << 24).unwrap();
    let loaded = next.load(&mut &saved(&search)[..]).unwrap();
    assert!(loaded.kept > 10_000 && next.nodes() == answer.nodes, "{loaded:?}");
    // A table as large holds the same, whatever the order in which it came to it.
    assert_eq!(loaded.kept, loaded.saved);
    assert_eq!(sorted_entries(&saved(&next)), sorted_entries(&saved(&search)));
    // A small one holds what there is room for, and says so.
    let mut small = Search::new(&game, 1 << 14).unwrap();
    let loaded = small.load(&mut &saved(&search)[..]).unwrap();
    assert!(loaded.kept < loaded.saved && loaded.kept == small.fill().entries, "{loaded:?}");
    // Buckets of four entries, 16 bytes each, as many as there is room for.
    assert_eq!(small.fill().bytes, 1 << 14);
}

/// Returns the entries of what was saved, 16 bytes each, before the nodes and the checksum.
pub(crate) fn sorted_entries(bytes: &[u8]) -> Vec<[u8; 16]> {
    let names = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let entries = &bytes[16 + names + 32 + 8..bytes.len() - 8 - 32];
    let (entries, rest) = entries.as_chunks();
    assert!(rest.is_empty());
    let mut entries = entries.to_vec();
    entries.sort_unstable();
    entries
}

#[test]
fn a_file_holds_what_it_may_and_tables_of_all_sizes_agree() {
    let game = game("cave36", "pods14", "standard");
    let position = random_position(&Bitboard::new(game.clone()), &start(&game), 12, 3);
    let mut reference = None;
    for memory in [1 << 10, 1 << 14, 1 << 20, (1 << 22) - 7, 1 << 22, 5 << 20, 1 << 25] {
        let search = Search::new(&game, memory).unwrap();
        let answer = within(&search, &position, u64::MAX);
        assert!(answer.outcome.is_ok() && search.fill().bytes <= memory && !search.fill().refused);
        assert_eq!(*reference.get_or_insert(answer.outcome), answer.outcome);
        for bytes in [0, 15, 16, 1_000, 100_000, u64::MAX] {
            let mut file = Vec::new();
            search.save(&mut file, bytes).unwrap();
            let held = sorted_entries(&file).len() as u64;
            assert_eq!(held, (bytes / 16).min(search.fill().entries), "{bytes} bytes of a table of {memory}");
            let mut other = Search::new(&game, 3 << 18).unwrap();
            assert_eq!(other.load(&mut &file[..]).unwrap().saved, held);
            let again = within(&other, &position, u64::MAX);
            assert_eq!(again.outcome, answer.outcome);
            assert!(bytes < u64::MAX || again.nodes < answer.nodes.max(2), "{} {}", again.nodes, answer.nodes);
        }
    }
}

/// Returns a small search, and what it has saved.
fn small() -> (Game, Vec<u8>) {
    let game = game("nook9", "four", "standard");
    let search = Search::new(&game, 1 << 16).unwrap();
    within(&search, &start(&game), u64::MAX);
    let bytes = saved(&search);
    assert!(bytes.len() > 400, "{}", bytes.len());
    (game, bytes)
}

#[test]
fn no_byte_can_be_changed_left_out_or_added() {
    let (game, bytes) = small();
    let mut search = Search::new(&game, 1 << 16).unwrap();
    let mut load = |bytes: &[u8]| search.load(&mut &bytes[..]);
    for i in 0..bytes.len() {
        for bit in [1, 0x80] {
            let mut changed = bytes.clone();
            changed[i] ^= bit;
            match load(&changed) {
                Err(SavedError::NotSaved) => assert!(i < 8),
                Err(SavedError::Version { .. }) => assert!((8..12).contains(&i)),
                Err(SavedError::Damaged { .. }) => assert!(i >= 12),
                other => panic!("byte {i}: {other:?}"),
            }
        }
        assert!(load(&bytes[..i]).is_err(), "{i} bytes");
    }
    assert!(matches!(load(&[&bytes[..], &[0]].concat()), Err(SavedError::Damaged { .. })));
    let mut noise = Pcg64::seed_from_u64(3);
    for length in 0..200 {
        let mut bytes = bytes[..12].to_vec();
        bytes.resize(12 + length, 0);
        noise.fill(&mut bytes[12..]);
        assert!(load(&bytes).is_err());
    }
    assert_eq!(search.nodes(), 0);
    assert!(search.load(&mut &bytes[..]).unwrap().kept > 10);
}

#[test]
fn the_version_before_is_refused_and_the_way_out_is_named() {
    let (game, mut bytes) = small();
    bytes[8..12].copy_from_slice(&2_u32.to_le_bytes());
    let error = Search::new(&game, 1 << 16).unwrap().load(&mut &bytes[..]).unwrap_err();
    assert!(matches!(error, SavedError::Version { found: 2 }));
    assert!(error.to_string().contains("release 0.3.0 reads version 2"), "{error}");
}

#[test]
fn another_setup_is_refused() {
    let (own, bytes) = small();
    let board = |turn| builtin_board("nook9").unwrap().turned(turn);
    let four = || builtin_pods("four").unwrap();
    let same = Game::new(board(Orientation::R0), four(), "standard".parse().unwrap());
    assert!(Search::new(&same, 1 << 16).unwrap().load(&mut &bytes[..]).is_ok());
    let others = [
        Game::new(board(Orientation::R90), four(), "standard".parse().unwrap()),
        game("nook9", "duo", "standard"),
        game("ring8", "four", "standard"),
        game("nook9", "four", "standard+attack-through=on"),
        game("nook9", "four", "standard+opening=any"),
    ];
    for other in others {
        let error = Search::new(&other, 1 << 16).unwrap().load(&mut &bytes[..]).unwrap_err();
        assert!(matches!(error, SavedError::OtherSetup { .. }), "{error}");
    }
    // The names are the same, the legs are not.
    let renamed = PodSet::new(
        "four",
        "test",
        builtin_pods("duo").unwrap().kinds().map(|k| builtin_pods("duo").unwrap().spec(k).clone()).collect(),
    );
    let other = Game::new(board(Orientation::R0), renamed.unwrap(), "standard".parse().unwrap());
    let error = Search::new(&other, 1 << 16).unwrap().load(&mut &bytes[..]).unwrap_err().to_string();
    assert!(error.contains("with other points, lines or legs"), "{error}");
    // Keys of other features mean something else.
    let mut features = SearchFeatures::ALL;
    features.nameless = false;
    let mut other = Search::with_features(&own, 1 << 16, features).unwrap();
    assert!(matches!(other.load(&mut &bytes[..]), Err(SavedError::OtherSetup { .. })));
}

/// Returns a small grid without some of its lines, and two kinds of pods with short legs, as many
/// of each as there are points.
fn conflicts(random: &mut Pcg64) -> Game {
    let (columns, rows) = [(3, 3), (2, 4), (4, 2), (1, 7), (3, 2)][random.random_range(0..5)];
    let points: Vec<Coord> = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column })).collect();
    let mut lines = Vec::new();
    for &p in &points {
        for d in [Direction::N, Direction::Ne, Direction::E, Direction::Se] {
            if p.step(d).is_some_and(|to| points.contains(&to)) && random.random_range(0..4) > 0 {
                lines.push((p, d));
            }
        }
    }
    let mut kind = |id| {
        let there: u32 = random.random_range(1..256);
        let directions = Direction::ALL.into_iter().filter(|d| there >> d.index() & 1 == 1);
        let legs = Legs::new(directions.map(|direction| Leg { direction, reach: Reach::Short })).unwrap();
        PodSpec { id, name: String::new(), legs, count: 9 }
    };
    let pods = PodSet::new("two", "test", vec![kind('a'), kind('b')]).unwrap();
    let board = Board::new("grid", "test", points, lines).unwrap();
    Game::new(board, pods, "standard+placement-liberty=off+opening=any".parse().unwrap())
}

/// Tests that the results of a search hold for every position of its game, also where only the
/// kinds in hand differ.
#[test]
fn games_of_fixed_conflicts_with_different_kinds_are_not_mixed_up() {
    let mut random = Pcg64::seed_from_u64(17);
    let mut differ = 0;
    for _ in 0..200 {
        let game = conflicts(&mut random);
        let engine = Bitboard::new(game.clone());
        let roots = ["a9", "b9"].map(|text| {
            let hand = Hand::parse(text, game.pods()).unwrap();
            let start = game.start(hand, hand, Side::White).unwrap();
            let next = |action| engine.transition(&start, action).unwrap().next;
            [vec![start.clone()], engine.sorted_actions(&start).into_iter().map(next).collect()].concat()
        });
        let mut features = SearchFeatures::ALL;
        (features.weighing, features.walls, features.mirror) = (false, false, false);
        let search = || Search::with_features(&game, 1 << 18, features).unwrap();
        let shared = search();
        let first: Vec<_> = roots[0].iter().map(|root| within(&shared, root, u64::MAX).outcome).collect();
        let mut resumed = search();
        resumed.load(&mut &saved(&shared)[..]).unwrap();
        for (root, first) in roots[1].iter().zip(first) {
            let alone = within(&search(), root, u64::MAX).outcome;
            assert_eq!(within(&resumed, root, u64::MAX).outcome, alone, "{:?}", game.pods());
            differ += u32::from(alone != first);
        }
    }
    assert!(differ > 100, "{differ}");
}

/// Fails when the format or the meaning of keys changes: then the version in `saved.rs` is to be
/// raised, so that files of before are refused. The order of placements, the bounds and covering
/// replies are off, as they may change without that.
#[test]
fn the_version_stands_for_these_bytes() {
    let mut features = SearchFeatures::ALL;
    for feature in [
        &mut features.denial,
        &mut features.bounds,
        &mut features.covers,
        &mut features.dominance,
        &mut features.weighing,
        &mut features.walls,
        &mut features.inferior,
        &mut features.mirror,
    ] {
        *feature = false;
    }
    let mut text = String::new();
    let small = game("nook9", "four", "standard");
    for (game, hand) in [(&small, None), (&conflicts(&mut Pcg64::seed_from_u64(1)), Some("b9"))] {
        let hand = hand.map_or(Hand::whole(game.pods()), |text| Hand::parse(text, game.pods()).unwrap());
        let search = Search::with_features(game, 1 << 20, features).unwrap();
        within(&search, &game.start(hand, hand, Side::White).unwrap(), 3_000);
        text += &sha256_hex(sorted_entries(&saved(&search)).as_flattened())[..16];
    }
    assert_eq!(text, "a129d9b34df033896704e498e6b8e8f2");
}
