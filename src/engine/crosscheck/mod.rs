//! The cross-check: random games in which the two engines must give the same answers.
//!
//! proptest draws and shrinks the cases. A case is a board (with holes, diagonals, 1 to 64 points),
//! pods, a rule set with every option drawn on its own, a set-up or starting position, and a walk
//! of random actions from there. The engines are compared in every position of the walk. Seed and
//! number determine a case, whatever the number of threads.

mod case;
mod compare;
mod smaller;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rayon::prelude::*;

use crate::engine::{Bitboard, Reference};
use crate::progress::{Observer, Phase, report};

pub use case::Case;
pub(crate) use case::cases;
pub use compare::{Difference, compare};
pub use smaller::smaller_games;

/// Counts of comparisons without a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Cases.
    pub cases: u64,
    /// Positions in which the engines were compared.
    pub positions: u64,
    /// Legal actions whose results were compared.
    pub actions: u64,
    /// Shoves and kicks among them.
    pub pushes: u64,
    /// Actions among them after which pods came back to the mover's hand.
    pub returns: u64,
    /// Actions among them that took opposing pods out of the game.
    pub removals: u64,
}

impl std::ops::AddAssign for Totals {
    fn add_assign(&mut self, more: Totals) {
        self.cases += more.cases;
        self.positions += more.positions;
        self.actions += more.actions;
        self.pushes += more.pushes;
        self.returns += more.returns;
        self.removals += more.removals;
    }
}

/// A case in which the engines differ.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The number of the case within the run.
    pub number: u64,
    /// The difference after shrinking.
    pub difference: Box<Difference>,
}

/// Shrinking tries at most this number of smaller cases, and then at most this number of smaller
/// positions.
const SHRINK_STEPS: usize = 20_000;

fn runner(seed: u64, number: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    let config = Config { failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Returns the case `number` of the run from `seed`.
///
/// # Panics
///
/// Never: the cases' strategy rejects nothing.
#[must_use]
pub fn case(seed: u64, number: u64) -> Case {
    cases().new_tree(&mut runner(seed, number)).expect("the strategy rejects nothing").current()
}

/// Compares the engines in cases `0..count` of the run from `seed`, on all threads of the current
/// rayon pool, until a difference is found. The observer is told the number of finished cases, each
/// time that 16 more are finished, and may end the run; the totals tell how many cases were
/// compared.
///
/// # Errors
///
/// The first difference of the first block of cases that has one, shrunk.
pub fn run(seed: u64, count: u64, observer: &dyn Observer) -> Result<Totals, Box<Failure>> {
    const BLOCK: u64 = 512;
    let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let mut totals = Totals::default();
    for block in (0..count).step_by(BLOCK as usize) {
        let outcomes: Vec<Result<Totals, u64>> = (block..(block + BLOCK).min(count))
            .into_par_iter()
            .filter(|_| !stopped.load(Ordering::Relaxed))
            .map(|number| {
                let outcome = case(seed, number).check().map_err(|_| number);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if done.is_multiple_of(16) && report(observer, Phase::CrossCheck, done, Some(count)).is_err() {
                    stopped.store(true, Ordering::Relaxed);
                }
                outcome
            })
            .collect();
        for outcome in outcomes {
            match outcome {
                Ok(more) => totals += more,
                Err(number) => return Err(Box::new(shrink(seed, number))),
            }
        }
        if stopped.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(totals)
}

/// Shrinks a failing case. First proptest shrinks its numbers; then points, lines, pods, legs and
/// rules are taken away one by one as long as the engines still differ.
fn shrink(seed: u64, number: u64) -> Failure {
    let mut tree = cases().new_tree(&mut runner(seed, number)).expect("the strategy rejects nothing");
    let mut difference = tree.current().check().expect_err("it failed before");
    for _ in 0..SHRINK_STEPS {
        let moved = match tree.current().check() {
            Err(found) => {
                difference = found;
                tree.simplify()
            }
            Ok(_) => tree.complicate(),
        };
        if !moved {
            break;
        }
    }
    let mut tries = 0;
    loop {
        let smaller = difference.smaller().take(SHRINK_STEPS - tries).find_map(|(game, position)| {
            tries += 1;
            compare(&Reference::new(game.clone()), &Bitboard::new(game), &position).err()
        });
        match smaller {
            Some(found) => difference = found,
            None => return Failure { number, difference },
        }
    }
}
