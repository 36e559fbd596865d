//! Regret by hand, and of players whose mistakes are known.

use super::*;
use crate::files::Decimal;
use crate::geometry::Orientation;
use crate::material::BySide;

fn setup(rules: &str) -> NamedSetup {
    let hands = BySide { white: "bt", black: "bt" };
    NamedSetup::read("nook9", Orientation::R0, "duo", hands, rules.parse().unwrap()).unwrap()
}

fn plan(player: &str, games: u64) -> RegretPlan {
    RegretPlan {
        players: vec![player.parse().unwrap()],
        games,
        opening_plies: 2,
        seed: 3,
        conventions: Conventions { repetitions: 3, plies: 60 },
        memory: 16 << 20,
        grace: Duration::from_secs(10),
    }
}

fn decision(ply: u32, held: f64, value: Value, given: Value) -> JudgedAction {
    JudgedAction { ply, held, value, given, may_lose: true }
}

#[test]
fn rows_count_what_was_lost() {
    let decisions = vec![
        decision(0, 0.0, Value::Win(3), Value::Win(7)),
        decision(3, 0.2, Value::Win(3), Value::Draw),
        decision(4, 0.25, Value::Draw, Value::Loss(6)),
        decision(5, 1.0, Value::Loss(6), Value::Loss(2)),
        JudgedAction { may_lose: false, ..decision(6, 0.5, Value::Win(1), Value::Win(1)) },
    ];
    assert_eq!(decisions.iter().map(|of| of.loses()).collect::<Vec<_>>(), [false, true, true, false, false]);
    assert_eq!(
        decisions.iter().map(JudgedAction::plies_lost).collect::<Vec<_>>(),
        [Some(4), None, None, None, Some(0)]
    );
    let (standard, advanced) = (setup("standard"), setup("advanced"));
    let (some, none) = (JudgedGames { decisions, faults: 0 }, JudgedGames { decisions: Vec::new(), faults: 1 });
    let rows = regret_rows("random", 2, &[(&standard, &some), (&advanced, &none)]);
    let board = |row: &RegretRow| row.setup.0.as_ref().map_or("", |setup| setup.board.as_str()).to_owned();
    let under = |row: &RegretRow| row.under.clone().unwrap_or_default();
    let part_of = |row: &RegretRow| row.part.clone().unwrap_or_default();
    let find = |name: &str, rules: &str, by: &str, part: &str| {
        let of = |row: &&RegretRow| {
            (board(row), under(row), row.by, part_of(row)) == (name.to_owned(), rules.to_owned(), by, part.to_owned())
        };
        rows.iter().find(of).cloned()
    };
    let all = find("nook9", "standard", "all", "").unwrap();
    assert_eq!((all.decisions, all.may_lose, all.losing, all.games), (5, 4, 2, 2));
    assert_eq!((all.per_thousand, all.wins_kept, all.plies_lost), (Some(Decimal(400.0)), 2, Some(Decimal(2.0))));
    let interval = crate::report::full::wilson(2, 5).unwrap();
    assert_eq!((all.low, all.high), (Some(Decimal(1000.0 * interval.low)), Some(Decimal(1000.0 * interval.high))));
    let parts = |by: &str| {
        let of = rows.iter().filter(|row| row.by == by && board(row) == "nook9" && under(row) == "standard");
        of.map(|row| (part_of(row), row.decisions, row.losing)).collect::<Vec<_>>()
    };
    assert_eq!(parts("ply"), [("0-3".to_owned(), 2, 1), ("4-7".to_owned(), 3, 1)]);
    assert_eq!(
        parts("held"),
        [
            ("0.00-0.25".to_owned(), 2, 1),
            ("0.25-0.50".to_owned(), 1, 1),
            ("0.50-0.75".to_owned(), 1, 0),
            ("0.75-1.00".to_owned(), 1, 0)
        ]
    );
    let none = find("nook9", "advanced", "all", "").unwrap();
    assert_eq!((none.decisions, none.per_thousand, none.low, none.plies_lost, none.faults), (0, None, None, None, 1));
    let together = find("", "", "all", "").unwrap();
    assert_eq!((together.decisions, together.games, together.faults), (5, 4, 1));
    assert_eq!(find("", "standard", "all", "").unwrap().losing, 2);
}

#[test]
fn a_player_that_sees_everything_loses_nothing_and_a_random_one_does() {
    let never = AtomicBool::new(false);
    for rules in ["standard", "advanced"] {
        let judge =
            |player| plan(player, 12).judge(&setup(rules), None, Limits::default(), &never).unwrap().unwrap().remove(0);
        let (best, random) = (judge("best --nodes 200000"), judge("random"));
        assert!(best.decisions.len() > 5 && best.decisions.iter().all(|of| !of.loses()), "{rules}: {best:?}");
        assert!(random.decisions.iter().any(JudgedAction::loses), "{rules}: {random:?}");
        assert!(random.decisions.iter().all(|of| of.may_lose || !of.loses()));
        assert_eq!(judge("random"), random);
        // No position counts twice: after the openings of the same length, all begin alike.
        assert!(random.decisions.iter().filter(|of| of.ply == 0).count() <= 1);
    }
    never.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(plan("random", 1).judge(&setup("standard"), None, Limits::default(), &never).unwrap(), None);
}
