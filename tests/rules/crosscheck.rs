//! The two engines against each other on random games.

use crate::common::on_progress;
use pods::engine::{Engine as _, Reference, crosscheck};
use pods::material::Side;
use pods::position::{Action, ActionSpace, Game, Position};
use pods::progress::Silent;

#[test]
fn engines_agree_on_random_games() {
    let seed = 20_261_120;
    match crosscheck::run(seed, 6_000, &Silent) {
        Ok(totals) => {
            assert_eq!(totals.cases, 6_000);
            // The run has met what is rare: else it would say little.
            assert!(totals.actions > 100_000, "{totals:?}");
            assert!(totals.pushes > 500 && totals.returns > 1_000 && totals.removals > 1_000, "{totals:?}");
        }
        Err(failure) => {
            panic!("seed {seed}, case {}:\n{}\n{}", failure.number, failure.difference, failure.difference.as_test())
        }
    }
}

#[test]
fn progress_is_told_every_16_cases_and_may_end_the_run() {
    let mut told = Vec::new();
    let observer = on_progress(|done| {
        told.push(done);
        true
    });
    let totals = crosscheck::run(3, 79, &observer);
    drop(observer);
    let totals = totals.unwrap_or_else(|failure| panic!("{}", failure.difference));
    let text = format!("{totals:?}");
    let wanted = "Totals { cases: 79, positions: 294, actions: 4115, pushes: 12, returns: 275, removals: 19 }";
    assert_eq!(text, wanted, "the same cases in every run");
    told.sort_unstable();
    assert_eq!(told, [16, 32, 48, 64]);
    let ended = crosscheck::run(3, 100_000, &on_progress(|_| false));
    let cases = ended.unwrap_or_else(|failure| panic!("{}", failure.difference)).cases;
    // Cases that other threads had begun are counted.
    assert!((16..512).contains(&cases), "{cases}");
}

#[test]
fn every_legal_action_has_a_number() {
    let (mut seen, mut kicks) = (0, 0);
    for number in 0..1500 {
        let case = crosscheck::case(20_261_126, number);
        let game = case.game();
        let (space, reference) = (ActionSpace::new(&game), Reference::new(game.clone()));
        for position in case.walked(&reference) {
            for action in reference.sorted_actions(&position) {
                let found = space.number(action).map(|number| space.actions()[usize::from(number)]);
                assert_eq!(found, Some(action), "case {number}: {}", action.display(&game));
                seen += 1;
                kicks += usize::from(matches!(action, Action::Kick { .. }));
            }
        }
    }
    assert!(seen > 10_000 && kicks > 50, "{seen} actions, {kicks} kicks");
}

#[test]
fn what_is_called_smaller_is_no_larger() {
    let mut seen = 0;
    for number in 0..60 {
        let case = crosscheck::case(4, number);
        let game = case.game();
        let position = case.position(&game);
        let size = |game: &Game, position: &Position| {
            let hands = Side::BOTH.map(|side| position.hand(side).len());
            let on_board = game.board().points().filter(|&point| position.pod(point).is_some()).count();
            (hands, on_board, game.board().len())
        };
        let (hands, on_board, points) = size(&game, &position);
        for (game, smaller) in crosscheck::smaller_games(&game, &position) {
            let (fewer, stay, fewer_points) = size(&game, &smaller);
            let whole = Side::BOTH.iter().all(|side| fewer[side.index()] <= hands[side.index()]);
            assert!(
                whole && stay <= on_board && fewer_points <= points,
                "{}",
                position.display(&case.game()).to_string()
            );
            seen += 1;
        }
    }
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn a_seed_means_the_same_cases_in_every_run() {
    let totals = crosscheck::run(6, 1_000, &Silent);
    let totals = totals.unwrap_or_else(|failure| panic!("{}", failure.difference));
    let wanted = "Totals { cases: 1000, positions: 3546, actions: 63598, pushes: 122, returns: 4567, removals: 573 }";
    assert_eq!(format!("{totals:?}"), wanted);
}
