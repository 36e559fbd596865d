//! Tables against the other solvers: every value of every position of random small setups.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::common::{build_options, index_of_all, random_games};
use hashbrown::{HashMap, HashSet};
use pods::engine::{Bitboard, Engine, Reference, Status, crosscheck};
use pods::material::Side;
use pods::position::{Game, Hand, Position, Setup};
use pods::rules::{Captures, OPTION_NAMES, Preset, RuleSet, option_values};
use pods::solver::{Limits, Method, Observer, Phase, Retrograde, Silent, Stopped, Value, Verdict, plain_retrograde};
use pods::table::{
    Index, MemoryPlan, Place, Prober, Solved, Sweeps, Table, Verification, VerifyError, build, held, verify_rows,
};

/// Returns random games with all options, small enough to solve over and over: with the hands of
/// the random pod set.
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
            let index = Index::new(&Setup::new(game.clone(), hands))
                .ok()
                .filter(|i| i.positions() <= most && i.positions() > 0)?;
            Some((game, hands, index))
        })
        .take(count)
}

/// Returns every stored position of an index.
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
            // Alike last pods have several cells for a position; the pods are the same all the
            // same.
            assert_eq!(index.position(found, position.to_move()), Some(position.clone()));
            if found == place {
                assert!(seen.insert((place, position.to_move())));
            }
        }
        assert_eq!(seen.len() as u64, held(&index));
    }
}

/// Returns the values that the plain solver gives to every position of a setup.
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
            assert_eq!(value, expected[&position], "{} {}", game.rules(), position.display(&game));
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
        build(&Setup::new(game.clone(), hands), &name, build_options(), &Silent).unwrap();
        let table = Table::open(&name).unwrap();
        let mut reader = table.reader().unwrap();
        for (_, position) in positions(&all).filter(|(_, position)| index.find(position).is_none()) {
            let value = reader.value(&position).unwrap();
            assert_eq!(value, expected[&position], "{} {}", game.rules(), position.display(&game));
            not_held += 1;
            drawn += u32::from(value == Value::Draw);
        }
        alike += u32::from(index.piece_types().iter().any(|piece_type| piece_type.count > 1));
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
            assert_eq!(a, b, "{}\n{}\n{}", game.rules(), game.board().picture(), position.display(&game));
        }
    }
}

/// Returns games with shoves: on random boards, with random pods and all options that shoves, kicks
/// and captures after them have.
fn games_with_shoves(count: usize, most: u64) -> impl Iterator<Item = (Game, Index)> {
    let fixed = ["moves", "shoves", "opening", "attack-through"];
    let free = OPTION_NAMES.iter().filter(move |name| !fixed.contains(name));
    let choices: Vec<_> = free.map(|name| (*name, option_values(name).unwrap())).collect();
    (0..)
        .filter_map(move |number| {
            let game = crosscheck::case(14, number).game();
            let mut way = number as usize;
            let rules = choices.iter().fold("very-advanced".parse::<RuleSet>().unwrap(), |rules, (option, values)| {
                let value = values[way % values.len()];
                way /= values.len();
                rules.with(option, value).unwrap()
            });
            let game = Game::new(game.board().clone(), game.pods().clone(), rules);
            let hand = |skip: usize, most: usize| {
                let all = game.pods().kinds().flat_map(|k| std::iter::repeat_n(k, game.pods().spec(k).count.into()));
                all.skip(skip).take(most).collect::<Hand>()
            };
            let hands = [hand(0, 3), hand(number as usize % 3, 1 + number as usize % 4)];
            let index =
                Index::new(&Setup::new(game.clone(), hands)).ok().filter(|i| (200..=most).contains(&i.positions()))?;
            Some((game, index))
        })
        .take(count)
}

#[test]
fn sweeps_agree_byte_for_byte_under_all_options_of_shoves() {
    let (mut rules, mut alike, mut wide, mut decided) = (HashSet::new(), 0, 0, 0);
    for (game, index) in games_with_shoves(320, 40_000) {
        let engine = Bitboard::new(game.clone());
        let [direct, rows] = [Sweeps::Direct, Sweeps::BitParallel]
            .map(|sweeps| Solved::solve(&engine, index.clone(), sweeps, |_, _| ()).tiers);
        assert_eq!(direct, rows, "{}\n{}\n{}", game.rules(), game.board().picture(), game.pods().name());
        assert_eq!(verify_rows(&engine, &index, &rows, &Silent).unwrap(), held(&index), "{}", game.rules());
        rules.insert(game.rules().to_string());
        alike += u32::from(index.piece_types().iter().any(|piece_type| piece_type.count > 1));
        wide += u32::from(game.board().len() > 16);
        decided += rows.iter().flatten().flat_map(|codes| codes.low()).filter(|&&code| code > 4).count();
    }
    let seen = (rules.len(), alike, wide, decided);
    assert!(rules.len() > 90 && alike > 30 && wide > 10 && decided > 50_000, "{seen:?}");
}

#[test]
fn sweeps_agree_byte_for_byte_in_all_orientations() {
    for (board, orientation) in
        ["ring8", "nook9", "den12"].into_iter().flat_map(|board| [0, 90, 180, 270].map(|turn| (board, turn)))
    {
        for preset in Preset::ALL {
            let game = crate::common::builtin_game(board, orientation, "trio", preset.name());
            let hands = ["bdt", "bd"].map(|ids| Hand::parse(ids, game.pods()).unwrap());
            let (engine, index) = (Bitboard::new(game.clone()), Index::new(&Setup::new(game.clone(), hands)).unwrap());
            let [direct, rows] = [Sweeps::Direct, Sweeps::BitParallel]
                .map(|sweeps| Solved::solve(&engine, index.clone(), sweeps, |_, _| ()).tiers);
            assert_eq!(direct, rows, "{board} at {orientation}: {preset:?}");
            assert_eq!(verify_rows(&engine, &index, &rows, &Silent).unwrap(), held(&index));
        }
    }
}

#[test]
fn tables_in_memory_answer_as_the_plain_solver() {
    let (mut asked, mut drawn, mut by_rows, mut shoves) = (0, 0, 0, 0);
    for (number, (game, hands, index)) in small_games(120, 2_000).enumerate() {
        let all = index_of_all(&game, &hands);
        let expected = plain(&game, &all);
        let plan = MemoryPlan::new(Setup::new(game.clone(), hands)).unwrap();
        assert_eq!((plan.positions(), plan.setup().hands().into_array()), (index.positions(), hands));
        let table = plan.solve(Limits::default(), &Silent).unwrap();
        let reference = Reference::new(game.clone());
        let mut prober = Prober::new(&game, [&table]).unwrap();
        for (_, position) in positions(&all) {
            let text = || format!("game {number} {}\n{}", game.rules(), position.display(&game));
            let value = expected[&position];
            assert_eq!(prober.value(&position).unwrap(), Some(value), "{}", text());
            asked += 1;
            drawn += u32::from(value == Value::Draw);
            if asked % 7 > 0 {
                continue;
            }
            let solution = prober.solve(&position, true).unwrap();
            let Some(solution) = solution else {
                assert!(matches!(reference.status(&position), Status::Won(_)), "{}", text());
                continue;
            };
            // Every action that keeps the value, by what the plain solver says of the position
            // after it.
            let next = |&action: &_| reference.transition(&position, action).unwrap().next;
            let follows = |next: Position| match next.won_by_empty_hand(&game) {
                Some(winner) if winner == next.to_move() => Value::Win(0),
                Some(_) => Value::Loss(0),
                None => expected[&next],
            };
            let mut best = reference.sorted_actions(&position);
            best.retain(|action| follows(next(action)).before() == value);
            assert_eq!(solution.best, Some(best), "{}", text());
            let (verdict, method) = (Verdict::Value(value), Method::Retrograde);
            assert_eq!((solution.verdict, solution.method, solution.verified), (verdict, method, Some(1)));
            assert_eq!(solution.line.unwrap().len(), value.plies().unwrap_or(0) as usize, "{}", text());
        }
        let options = game.rules().options();
        let rows = table.verifier(1 << 30, &Silent).unwrap().rows(&Silent).unwrap();
        let with_shoves = options.moves && options.shoves;
        assert_eq!(rows, held(&index), "game {number} {}", game.rules());
        (by_rows, shoves) = (by_rows + rows, shoves + u32::from(with_shoves));
        let verified = table.verify(Verification::by_reference(held(&index), u64::MAX), &Silent).unwrap();
        assert_eq!((verified.reference, verified.fast), (held(&index), 0));
    }
    assert!(asked > 20_000 && drawn > 500 && by_rows > 20_000 && shoves > 10, "{asked} {drawn} {by_rows} {shoves}");
}

#[test]
fn a_table_of_what_is_left_answers_in_the_middle_of_a_game() {
    let (mut open, mut finished, mut solved) = (0, 0, 0);
    random_games(21, 110, 12, |game, positions| {
        let engine = Bitboard::new(game.clone());
        for position in positions.iter().step_by(3) {
            let plan = MemoryPlan::for_position(game, position).unwrap();
            if plan.positions() > 60_000 {
                continue;
            }
            let table = plan.solve(Limits::default(), &Silent).unwrap();
            let mut prober = Prober::new(game, [&table]).unwrap();
            let by_edges = Retrograde::build(&engine, &[position], Limits::default(), &Silent).unwrap();
            let value = prober.value(position).unwrap();
            assert_eq!(value, by_edges.value(position), "{} {}", game.rules(), position.display(game));
            let solution = prober.solve(position, true).unwrap();
            assert_eq!(solution.is_none(), engine.status(position) != Status::Ongoing);
            open += u32::from(position.is_open());
            finished += u32::from(solution.is_none());
            solved += 1;
        }
    });
    assert!(open > 5 && finished > 5 && solved > 60, "{open} open, {finished} finished, {solved} in all");
}

/// Stops a job after it was asked a number of times.
struct After(AtomicU64);

impl Observer for After {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        assert!(total.is_some_and(|total| done <= total), "{phase:?}: {done} of {total:?}");
    }

    fn stop(&self) -> Option<Stopped> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.is_err().then_some(Stopped::Interrupted)
    }
}

#[test]
fn a_table_in_memory_can_be_stopped_at_any_time_and_keeps_its_limits() {
    let game = crate::common::builtin_game("lair16", 0, "trio", "advanced");
    let hands = [Hand::whole(game.pods()); 2];
    let plan = || MemoryPlan::new(Setup::new(game.clone(), hands)).unwrap();
    let (mut stopped, mut asks) = (0, 0);
    let table = loop {
        match plan().solve(Limits::default(), &After(asks.into())) {
            Err(why) => assert_eq!(why, Stopped::Interrupted),
            Ok(table) => break table,
        }
        stopped += 1;
        asks = asks * 2 + 1;
    };
    assert!(stopped > 8, "asked {asks} times at most");
    for asks in [0, 5] {
        let after = After(asks.into());
        let verified = table.verifier(1 << 30, &after).and_then(|verifier| verifier.rows(&after));
        assert!(matches!(verified, Err(VerifyError::Stopped(Stopped::Interrupted))), "{verified:?}");
        let all = Verification { fast_every: 1, reference_every: 0 };
        let verified = table.verify(all, &After(asks.into()));
        assert!(matches!(verified, Err(VerifyError::Stopped(Stopped::Interrupted))), "{verified:?}");
    }
    let limits = Limits::default();
    let soon = Duration::from_nanos(1);
    assert_eq!(plan().solve(limits.with_time(soon), &Silent).err(), Some(Stopped::TimeUp { limit: soon }));
    let interrupt = AtomicBool::new(true);
    assert_eq!(plan().solve(limits.with_interrupt(&interrupt), &Silent).err(), Some(Stopped::Interrupted));
    let (positions, bytes) = (plan().positions(), plan().bytes());
    let within = |memory, positions| {
        let limits = Limits::default().with_memory(memory).with_nodes(positions);
        plan().solve(limits, &Silent).map(|_| ())
    };
    match within(bytes - 1, u64::MAX) {
        Err(Stopped::WouldNotFit { predicted, limit }) => {
            let asked = (predicted.positions, predicted.bytes, limit.bytes, limit.whole);
            assert_eq!(asked, (positions.into(), bytes.into(), bytes - 1, bytes - 1));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(within(bytes, positions - 1), Err(Stopped::LimitReached { positions: positions - 1 }));
    assert_eq!(within(bytes, positions), Ok(()));
}
