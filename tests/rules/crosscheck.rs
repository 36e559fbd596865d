//! The two engines against each other on random games.

use pods::engine::crosscheck;

#[test]
fn engines_agree_on_random_games() {
    let seed = 20_261_120;
    match crosscheck::run(seed, 6_000, &|_| std::ops::ControlFlow::Continue(())) {
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
