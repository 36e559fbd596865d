//! Answers against the exact solvers, on random small games under all kinds of rules.

use hashbrown::HashMap;

use super::deepen::{DEEPEST, Deepening};
use super::evaluate::{Score, before, evaluate, is_proven};
use super::games::for_each_game;
use super::weights::{FEATURES, features};
use super::{Best, Judgement};
use crate::answer::Answerer;
use crate::engine::bitboard::State;
use crate::engine::crosscheck::case;
use crate::engine::{Bitboard, Engine, Status};
use crate::position::{Action, Position};
use crate::solver::{BEST_SCORE, Limits, Method, Outcome, Plies, Silent, Tracker, Value, Verdict, plain_exhaustive};

fn ask(engine: &Bitboard, position: &Position, nodes: u64) -> Best {
    let limits = Limits::default().with_nodes(nodes).with_memory(1 << 26);
    Answerer::new(engine.game()).best(position, limits, &Silent).unwrap()
}

/// Returns V(state, depth), by plain recursion.
fn plain(engine: &Bitboard, state: &State, depth: Plies) -> Score {
    let mut actions = Vec::new();
    engine.for_each_action(state, |action| actions.push(action));
    let next = |action: Action| before(plain(engine, &engine.play_state(state, action), depth - 1));
    match depth {
        0 => evaluate(engine, state),
        _ => actions.into_iter().map(next).max().unwrap_or_else(|| evaluate(engine, state)),
    }
}

#[test]
fn looking_ahead_finds_what_plain_recursion_finds() {
    let (mut compared, mut proven) = (0, 0);
    for number in 0..1_500 {
        let case = case(21, number);
        let engine = Bitboard::new(case.game());
        let Some(position) = case.walked(&engine).pop() else { continue };
        if engine.status(&position) != Status::Ongoing || !engine.perft_at_most(&position, 4, 20_000) {
            continue;
        }
        let root = engine.state(&position);
        // A small table is cleared on the way.
        let mut deepening = Deepening::new(&engine, 0);
        let (mut first, mut tracker) = (Vec::new(), Tracker::new(Limits::default(), &Silent));
        for depth in 1..=4 {
            let ranked = deepening.rank(&root, depth, &first, &[], &mut tracker).unwrap();
            let exact = plain(&engine, &root, depth);
            let text = || format!("{} at {depth}: {ranked:?}", position.display(engine.game()));
            assert_eq!(ranked[0].score, exact, "{}", text());
            let score = |action| before(plain(&engine, &engine.play_state(&root, action), depth - 1));
            assert_eq!(score(ranked[0].action), exact, "{}", text());
            for other in &ranked {
                assert!(score(other.action) <= other.score, "{}", text());
            }
            compared += 1;
            proven += u32::from(is_proven(exact));
            first = ranked;
            if is_proven(exact) {
                break;
            }
        }
    }
    assert!(compared > 700 && proven > 70, "{compared} {proven}");
}

#[test]
fn what_is_called_proven_is_true_whatever_the_budget() {
    let mut proven: HashMap<(Method, Outcome), u32> = HashMap::new();
    let mut guesses = 0;
    let games = for_each_game(22, 1_000, |engine, position, value_of| {
        let game = engine.game();
        let value = value_of(position);
        for nodes in [0, 60, 300, 2_000, 200_000] {
            let text = || format!("{} nodes {nodes}: {value}\n{}", position.display(game), game.rules());
            let answer = ask(engine, position, nodes);
            if nodes == 300 {
                assert_eq!(answer, ask(engine, position, nodes), "not the same in every run: {}", text());
            }
            assert_eq!(answer.status, engine.status(position));
            let Some(choice) = answer.choice else {
                assert_ne!(answer.status, Status::Ongoing, "{}", text());
                continue;
            };
            assert_eq!(answer.status, Status::Ongoing, "{}", text());
            let after = |action| value_of(&engine.transition(position, action).expect("a legal action").next).before();
            for &action in &choice.losing {
                assert_eq!(after(action).outcome(), Outcome::Loss, "{}", text());
            }
            assert!(!choice.losing.contains(&choice.action), "{}", text());
            match choice.judgement {
                Judgement::Proven(verdict, method) => {
                    assert_eq!(verdict.outcome(), value.outcome(), "{choice:?} {}", text());
                    assert_eq!(after(choice.action).outcome(), value.outcome(), "{choice:?} {}", text());
                    if let Verdict::Value(said) = verdict {
                        assert_eq!(said, value, "{choice:?} {}", text());
                        assert_eq!(after(choice.action), value, "{choice:?} {}", text());
                    }
                    *proven.entry((method, value.outcome())).or_default() += 1;
                }
                Judgement::Guessed(guess) => {
                    assert!(guess.depth() >= 1 && guess.score().abs() <= super::Guess::MAX);
                    assert_ne!(value, Value::Win(1), "{}", text());
                    guesses += 1;
                }
            }
            check_line(engine, position, &choice, value_of, nodes);
            if nodes == 200_000 {
                // Enough for every game of this size.
                assert!(choice.judgement.proven().is_some(), "{choice:?} {}", text());
            }
        }
    });
    assert!(games > 700 && guesses > 200, "{games} {guesses}");
    // The run has met each method with each outcome that it can prove.
    for (method, outcome) in [
        (Method::AlphaBeta, Outcome::Win),
        (Method::AlphaBeta, Outcome::Loss),
        (Method::Search, Outcome::Win),
        (Method::Search, Outcome::Loss),
        (Method::Forced, Outcome::Win),
        (Method::Sweeps, Outcome::Win),
        (Method::Sweeps, Outcome::Draw),
        (Method::Sweeps, Outcome::Loss),
        (Method::Retrograde, Outcome::Draw),
    ] {
        assert!(proven.get(&(method, outcome)).is_some_and(|&n| n > 2), "{method:?} {outcome:?}: {proven:?}");
    }
}

/// Checks that a line is legal, begins with the action and keeps what is proven; with a distance it
/// must be whole if nodes are plenty.
fn check_line(
    engine: &Bitboard,
    position: &Position,
    choice: &super::Choice,
    value_of: &dyn Fn(&Position) -> Value,
    nodes: u64,
) {
    assert_eq!(choice.line.first(), Some(&choice.action));
    let mut here = position.clone();
    for &action in &choice.line {
        let before = value_of(&here);
        here = engine.transition(&here, action).expect("a legal line").next;
        if let Some(verdict) = choice.judgement.proven() {
            assert_eq!(value_of(&here).before().outcome(), before.outcome());
            if verdict.plies().is_some() {
                assert_eq!(value_of(&here).before(), before);
            }
        }
    }
    if nodes == 200_000
        && let Some(plies) = choice.judgement.proven().and_then(|verdict| verdict.plies())
    {
        assert_eq!(choice.line.len(), plies as usize, "{choice:?}");
    }
}

#[test]
fn guesses_and_proven_scores_do_not_mix() {
    for number in 0..400 {
        let case = case(24, number);
        let engine = Bitboard::new(case.game());
        for position in case.walked(&engine) {
            let score = evaluate(&engine, &engine.state(&position));
            match engine.status(&position) {
                Status::Ongoing => assert!(!is_proven(score)),
                Status::Won(side) if side == position.to_move() => assert_eq!(score, BEST_SCORE),
                Status::Won(_) => assert_eq!(score, -BEST_SCORE),
            }
        }
    }
    assert!(!is_proven(0) && (DEEPEST as Score) < BEST_SCORE - super::Guess::MAX);
}

#[test]
fn values_of_placement_games_agree_with_plain_recursion() {
    let mut compared = 0;
    for number in 0..800 {
        let case = case(25, number);
        let engine = Bitboard::new(case.game());
        let position = case.position(engine.game());
        if engine.game().rules().can_cycle() || !engine.perft_at_most(&position, 4, 300) {
            continue;
        }
        let value = plain_exhaustive(&engine, &position, &mut HashMap::new());
        if let Some(choice) = ask(&engine, &position, 1 << 20).choice {
            assert_eq!(choice.judgement.proven(), Some(Verdict::Value(value)), "{}", position.display(engine.game()));
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_player_that_looks_better_off_goes_where_the_game_has_not_been() {
    let (mut changed, mut kept) = (0, 0);
    for_each_game(28, 1_500, |engine, position, value_of| {
        let options = engine.game().rules().options();
        if !options.moves || options.shoves {
            return;
        }
        let limits = Limits::default().with_nodes(300).with_memory(1 << 20);
        let after = |past: &[Position]| {
            Answerer::new(engine.game()).best_after(past, position, limits, &Silent).unwrap().choice
        };
        let Some(choice) = after(&[]) else { return };
        let next = engine.transition(position, choice.action).expect("a legal action").next;
        let again = after(std::slice::from_ref(&next)).expect("the game goes on");
        let text = || format!("{choice:?} {again:?} {}", position.display(engine.game()));
        match (choice.judgement, again.judgement) {
            // The past changes nothing that is proven.
            (Judgement::Proven(verdict, _), other) => {
                assert_eq!(verdict.outcome(), value_of(position).outcome(), "{}", text());
                if let Judgement::Proven(other, _) = other {
                    assert_eq!(other.outcome(), verdict.outcome(), "{}", text());
                }
                kept += 1;
            }
            (_, Judgement::Guessed(guess)) if guess.score() > 0 => {
                assert_ne!(again.action, choice.action, "{}", text());
                changed += 1;
            }
            _ => {}
        }
        assert_eq!(Some(&again), after(&[next]).as_ref(), "not the same in every run: {}", text());
    });
    assert!(kept > 100 && changed > 5, "{kept} {changed}");
}

#[test]
fn threads_that_share_a_tree_prove_nothing_false() {
    let mut guesses = 0;
    for_each_game(29, 400, |engine, position, value_of| {
        let limits = Limits::default().with_nodes(100).with_memory(1 << 16).with_threads(3);
        let text = || position.display(engine.game()).to_string();
        let best = Answerer::new(engine.game()).best(position, limits, &Silent).unwrap();
        assert_eq!(best.choice.is_none(), engine.status(position) != Status::Ongoing, "{}", text());
        let Some(choice) = best.choice else { return };
        let mut here = position.clone();
        for &action in &choice.line {
            here = engine.transition(&here, action).unwrap_or_else(|| panic!("{}", text())).next;
        }
        guesses += u32::from(choice.judgement.proven().is_none());
        let after = value_of(&engine.transition(position, choice.action).expect("a legal action").next).before();
        if let Some(verdict) = choice.judgement.proven() {
            assert_eq!(verdict.outcome(), value_of(position).outcome(), "{choice:?} {}", text());
            assert_eq!(verdict.outcome(), after.outcome(), "{choice:?} {}", text());
        }
    });
    assert!(guesses > 10, "{guesses}");
}

#[test]
fn sides_are_weighed_alike() {
    let mut positions = 0;
    for number in 0..300 {
        let case = case(27, number);
        let engine = Bitboard::new(case.game());
        for position in case.walked(&engine) {
            let state = engine.state(&position);
            let of = |state: &State| features(&engine.outlook(state), state.to_move().index());
            let (own, other) = (of(&state), of(&engine.passed(&state)));
            // All but the turn itself count for one side what they count against the other.
            for i in (0..FEATURES).filter(|i| i % (FEATURES / 2) != 0) {
                assert!((own[i] + other[i]).abs() < 1e-3, "{i}: {own:?} {other:?}");
            }
            assert!(own.iter().all(|number| number.is_finite()));
            positions += 1;
        }
    }
    assert!(positions > 1_000, "{positions}");
}

#[test]
fn wide_registers_give_what_one_direction_after_the_other_gives() {
    // Where the processor lacks them, and on boards with holes, both are the same.
    let mut positions = 0;
    for number in 0..1_500 {
        let case = case(37, number);
        let engine = Bitboard::new(case.game());
        for position in case.walked(&engine) {
            let state = engine.state(&position);
            assert_eq!(engine.outlook(&state), engine.plain_outlook(&state), "{}", position.display(engine.game()));
            positions += 1;
        }
    }
    assert!(positions > 4_000, "{positions}");
}
