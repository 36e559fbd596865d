//! Comparing readings of the rules: what differs is what the reference says differs, and nothing is
//! missed.

use std::collections::BTreeSet;

use crate::common::{builtin_game, to};
use pods::answer::{LookUp, Want};
use pods::engine::{Engine, Reference, Status};
use pods::files::Record as _;
use pods::geometry::Orientation;
use pods::material::{BySide, Side};
use pods::position::{Game, Hand, Position};
use pods::report::{
    BalanceRow, Comparison, DifferenceKind, NamedSetup, balance, certify, compare_rules, compare_suite, readings,
};
use pods::rules::{Clause, Opening, RuleSet};
use pods::solver::{Limits, Silent, Stopped};

fn named(board: &str, degrees: u16, pods: &str, hand: &str) -> NamedSetup {
    let turn = Orientation::from_degrees(degrees).unwrap();
    let hands = BySide { white: hand, black: hand };
    NamedSetup::read(board, turn, pods, hands, "standard".parse().unwrap()).unwrap()
}

fn solved(setup: &NamedSetup) -> BalanceRow {
    balance(setup, LookUp::default(), Want::Value, Limits::default(), &Silent).unwrap()
}

fn compared(setup: &NamedSetup, first: &str, second: &str) -> Comparison {
    compare_rules(
        setup,
        [first.parse().unwrap(), second.parse().unwrap()],
        LookUp::default(),
        Limits::default(),
        &Silent,
    )
    .unwrap()
}

/// Returns every position that the reference engine reaches; the start alone is marked as open,
/// whatever the rules.
fn reached(game: &Game, hand: Hand) -> BTreeSet<(Position, bool)> {
    let reference = Reference::new(game.clone());
    let mut open = vec![(game.start(hand, hand, Side::White).unwrap(), true)];
    let mut reached: BTreeSet<(Position, bool)> = open.iter().cloned().collect();
    while let Some((position, _)) = open.pop() {
        for action in reference.sorted_actions(&position) {
            let next = (reference.transition(&position, action).unwrap().next, false);
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}

/// The comparison by the reference engine alone, as plainly as it goes.
#[test]
fn the_comparison_is_the_one_that_the_reference_makes() {
    for (board, degrees, pods, hand, first, second) in [
        ("ring8", 0, "duo", "bt", "advanced", "advanced-dutch"),
        ("ring8", 90, "duo", "bt", "standard", "basic-author"),
        ("ring8", 0, "trio", "bt", "standard", "standard+opening=any"),
        ("nook9", 180, "duo", "bt", "advanced+opening=any", "advanced"),
        ("ring8", 0, "trio", "bt", "very-advanced", "very-advanced+kick-gaps=last-step"),
        ("nook9", 90, "trio", "bt", "very-advanced", "very-advanced+shove-liberty=on"),
        ("nook9", 0, "trio", "bt", "advanced", "advanced"),
    ] {
        let setup = named(board, degrees, pods, hand);
        let comparison = compared(&setup, first, second);
        let games = [first, second].map(|rules| builtin_game(board, degrees, pods, rules));
        let hand = Hand::parse(hand, games[0].pods()).unwrap();
        // By text: the start's differs where the opening does.
        let key = |(position, start): &(Position, bool)| {
            let text = position.display(&games[0]).to_string();
            (text.rsplit_once(' ').unwrap().0.to_owned(), *start)
        };
        let by = games.each_ref().map(|game| reached(game, hand).iter().map(key).collect::<BTreeSet<_>>());
        let both = by[0].intersection(&by[1]).count() as u64;
        assert_eq!(comparison.reached.both, both, "{first} {second}");
        assert_eq!(comparison.reached.only_first, Some(by[0].len() as u64 - both));
        assert_eq!(comparison.reached.only_second, Some(by[1].len() as u64 - both));
        let mut differing = [0; 3];
        let mut least: [Option<(usize, usize)>; 3] = [None; 3];
        for (text, start) in by[0].union(&by[1]) {
            let positions = games.each_ref().map(|game| {
                let open = *start && game.rules().options().opening == Opening::Bipod;
                game.parse_position(&format!("{text} {}", if open { "open" } else { "-" })).unwrap()
            });
            let engines = games.each_ref().map(|game| Reference::new(game.clone()));
            let actions = [0, 1].map(|i: usize| engines[i].sorted_actions(&positions[i]));
            let results = [0, 1].map(|i: usize| {
                let next = |action: &pods::position::Action| engines[i].transition(&positions[i], *action);
                let common = actions[0].iter().filter(|action| actions[1].contains(action));
                common.map(next).collect::<Vec<_>>()
            });
            let status = [0, 1].map(|i: usize| engines[i].status(&positions[i]));
            let hands = positions[0].hand(Side::White).len() + positions[0].hand(Side::Black).len();
            let size = (positions[0].pods().count(), hands);
            let differ = [actions[0] != actions[1], results[0] != results[1], status[0] != status[1]];
            for kind in 0..3 {
                if differ[kind] {
                    differing[kind] += 1;
                    least[kind] = Some(least[kind].map_or(size, |least: (usize, usize)| least.min(size)));
                }
            }
        }
        assert_eq!(comparison.differing, differing, "{first} {second}");
        let sizes = comparison.smallest.each_ref().map(|example| example.as_ref().map(|example| example.size()));
        assert_eq!(sizes, least, "{first} {second}");
    }
}

#[test]
fn a_difference_names_its_clauses() {
    for (first, second, kind, clause) in [
        ("standard", "standard+opening=any", DifferenceKind::Actions, Clause::R9),
        ("standard", "standard+placement-liberty=off", DifferenceKind::Actions, Clause::R13),
        ("standard", "standard+attack-through=on", DifferenceKind::Actions, Clause::R11),
        ("standard", "basic-author", DifferenceKind::Status, Clause::R16),
        ("advanced", "advanced+captures=after-moves", DifferenceKind::Captures, Clause::R18),
        ("very-advanced", "very-advanced+shove-liberty=on", DifferenceKind::Captures, Clause::R27),
        ("very-advanced", "advanced-author", DifferenceKind::Actions, Clause::R22),
    ] {
        let clauses: BTreeSet<Clause> = [0, 90, 180, 270]
            .into_iter()
            .flat_map(|degrees| {
                let setup = named("nook9", degrees, "trio", "bt");
                let found = compared(&setup, first, second).smallest[kind as usize].clone();
                found.map_or(Vec::new(), |example| example.clauses)
            })
            .collect();
        assert!(clauses.contains(&clause), "{first} {second}: {clauses:?}");
    }
}

/// Shoves after a run and kicks by two points need four points in a row: no board of three by three
/// has them.
#[test]
fn a_shove_after_a_run_needs_four_points_in_a_row() {
    let rules = ["very-advanced", "very-advanced+shove-after-run=off"];
    let on_three = compared(&named("nook9", 0, "four", "dq"), rules[0], rules[1]);
    assert_eq!(on_three.differing, [0; 3]);
    let on_four = compared(&named("den12", 0, "four", "dq"), rules[0], rules[1]);
    let example = on_four.smallest[DifferenceKind::Actions as usize].clone().unwrap();
    assert!(on_four.differing[0] > 0 && example.clauses == [Clause::R23], "{:?}", example.clauses);
    let kicks = compared(&named("lair16", 0, "four", "dq"), rules[0], "very-advanced+kick-gaps=last-step");
    let example = kicks.smallest[DifferenceKind::Actions as usize].clone().unwrap();
    assert_eq!(example.clauses, [Clause::R24]);
}

#[test]
fn the_same_rules_never_differ_and_of_large_setups_the_first_positions_are_compared() {
    let long: RuleSet = "advanced+placement-liberty=on".parse().unwrap();
    let setup = named("ring8", 90, "trio", "bt");
    let same = compared(&setup, "advanced-dutch", &long.to_string());
    assert_eq!((same.differing, same.by_clause.len()), ([0; 3], 0));
    assert!(same.smallest.iter().all(Option::is_none) && same.reached.both > 100);
    let [first, second] = same.balance.map(|row| row.record().cells()[6..18].to_vec());
    assert_eq!(first, second);
    let large = named("cave36", 0, "pods14", "bcdfghjkopqtvy");
    let rules = ["advanced", "advanced-dutch"].map(|name| name.parse().unwrap());
    let limits = Limits::default().with_nodes(2_000);
    let part = compare_rules(&large, rules, LookUp::default(), limits, &Silent).unwrap();
    assert!(matches!(part.stopped, Some(Stopped::LimitReached { .. })), "{:?}", part.stopped);
    // A placement without a liberty is there at once, and no value is made up.
    assert!(part.by_clause.contains_key(&Clause::R13) && part.smallest[0].is_some());
    assert!(part.balance.iter().all(|row| row.outcome_class().is_none() && row.stopped().is_some()));
}

/// Under `standard+placement-liberty=off` all is legal that `standard` allows, so no position is
/// reached by `standard` only, whatever a limit leaves out.
#[test]
fn numbers_that_a_limit_cuts_short_are_lower_bounds_or_absent() {
    let setup = named("nook9", 0, "trio", "bdt");
    let rules = ["standard", "standard+placement-liberty=off"].map(|name| name.parse().unwrap());
    let compare = |positions| {
        let limits = Limits::default().with_nodes(positions);
        compare_rules(&setup, rules, LookUp::default(), limits, &Silent).unwrap()
    };
    let whole = compare(u64::MAX);
    assert_eq!((whole.stopped, whole.reached.only_first), (None, Some(0)));
    for positions in [10, 100, 1_000, whole.reached.both, 2 * whole.reached.both] {
        let part = compare(positions);
        assert!(part.reached.both <= whole.reached.both);
        for (part, whole) in
            [(part.reached.only_first, whole.reached.only_first), (part.reached.only_second, whole.reached.only_second)]
        {
            assert!(part.is_none_or(|part| part <= whole.unwrap()), "{positions}: {part:?} of {whole:?}");
        }
        assert!(part.differing.iter().zip(whole.differing).all(|(part, whole)| *part <= whole));
        assert!(part.by_clause.iter().all(|(clause, number)| *number <= whole.by_clause[clause]));
    }
    assert!(compare(100).stopped.is_some() && compare(100).reached.only_first.is_none());
}

#[test]
fn the_built_in_setups_can_start() {
    for setup in compare_suite("standard".parse().unwrap()) {
        let start = setup.setup().start(Side::White).unwrap();
        assert_eq!(Reference::new(setup.game().clone()).status(&start), Status::Ongoing);
    }
    for reading in readings(None) {
        for setup in [reading.base_setup(), reading.setup] {
            setup.setup().start(Side::Black).unwrap();
        }
    }
}

#[test]
fn rows_cite_certificates_that_prove_them() {
    let folder = tempfile::tempdir().unwrap();
    for rules in ["standard", "advanced", "very-advanced"] {
        let setup = named("ring8", 90, "trio", "bt").with_rules(rules.parse().unwrap());
        let mut row = solved(&setup);
        let (cited, without) = certify(&mut row, to(folder.path()), Limits::default(), &Silent).unwrap();
        assert_eq!(without, []);
        let names: Vec<String> = row.certificates.iter().flatten().cloned().collect();
        assert_eq!(names, cited.iter().map(|cited| cited.file.clone()).collect::<Vec<_>>());
        assert_eq!(row.record().cells()[18..20], names);
        for (i, (cited, value)) in cited.iter().zip([row.white_first(), row.black_first()]).enumerate() {
            let bytes = std::fs::read(folder.path().join(&cited.file)).unwrap();
            assert_eq!(pods::files::sha256_hex(&bytes), cited.sha256);
            let proven = pods::certificate::check(&bytes[..], pods::certificate::CheckOptions::default()).unwrap();
            assert_eq!(proven.claim.value.name(), value.unwrap().outcome().name());
            assert_eq!(proven.claim.plies, value.unwrap().plies().map(u32::from));
            assert_eq!(proven.root.to_move(), Side::BOTH[i]);
        }
    }
    let mirror = named("mirror36", 0, "pods14", "bcdfghjkopqtvy");
    let mut row = solved(&mirror);
    let (cited, _) = certify(&mut row, to(folder.path()), Limits::default(), &Silent).unwrap();
    assert_eq!(cited.len(), 2, "whoever starts loses by the mirror theorem, and that is proven");
    for cited in cited {
        let bytes = std::fs::read(folder.path().join(&cited.file)).unwrap();
        let proven = pods::certificate::check(&bytes[..], pods::certificate::CheckOptions::default()).unwrap();
        assert_eq!((proven.claim.value.name(), proven.lines), ("loss", 1));
    }
}
