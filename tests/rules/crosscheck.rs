//! The two engines against each other on random games.

use std::ops::ControlFlow;
use std::sync::Mutex;

use pods::engine::crosscheck;

#[test]
fn engines_agree_on_random_games() {
    let seed = 20_261_120;
    match crosscheck::run(seed, 6_000, &|_| ControlFlow::Continue(())) {
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
    let told = Mutex::new(Vec::new());
    let totals = crosscheck::run(3, 70, &|done| {
        told.lock().unwrap().push(done);
        ControlFlow::Continue(())
    });
    assert_eq!(totals.unwrap_or_else(|failure| panic!("{}", failure.difference)).cases, 70);
    let mut told = told.into_inner().unwrap();
    told.sort_unstable();
    assert_eq!(told, [16, 32, 48, 64]);
    let ended = crosscheck::run(3, 100_000, &|_| ControlFlow::Break(()));
    let cases = ended.unwrap_or_else(|failure| panic!("{}", failure.difference)).cases;
    // Cases that other threads had begun are counted.
    assert!((16..512).contains(&cases), "{cases}");
}
