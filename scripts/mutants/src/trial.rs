//! The tests against the faults: for each fault those that reach it, the cheapest first, until one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::plant::Fault;
use crate::reach::Reach;
use crate::suite::{End, Mode, Suite, Test};

/// Verdict on one fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Found {
    /// A test fails.
    ByTest(Test),
    /// A test takes far more of something than without the fault.
    ByCost(Test, String),
    /// No test reaches it.
    NotReached,
    /// All tests that reach it pass.
    Lives,
    /// Some tests that reach it have not been run.
    Unknown,
}

/// A fault and the tests that have been run against it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// The number of the fault.
    pub number: u32,
    /// The fault.
    pub fault: Fault,
    /// Tests that passed with it.
    pub passed: BTreeSet<Test>,
    /// Their verdict.
    pub found: Found,
}

/// Processor seconds of tests that are run in one process.
const TOGETHER: f64 = 2.0;

/// Tests and limits that faults are tried with.
pub struct Experiment<'a> {
    /// The tests.
    pub suite: &'a Suite,
    /// Their reach, the cheapest first.
    pub reaches: &'a [Reach],
    /// Names of tests that go before the others.
    pub first: &'a [String],
    /// Folder with a file for each fault, of what is known.
    pub folder: PathBuf,
}

impl Experiment<'_> {
    /// Returns the tests that reach a fault and pass without it.
    pub fn reaching(&self, number: u32) -> Vec<&Reach> {
        self.reaches.iter().filter(|reach| reach.passes && reach.faults.contains(&number)).collect()
    }

    /// Returns the processor seconds of the tests that are left for a fault.
    pub fn left(&self, trial: &Trial) -> f64 {
        let left = self.reaching(trial.number).into_iter().filter(|reach| !trial.passed.contains(&reach.test));
        left.map(|reach| reach.cpu).sum()
    }

    /// Reads a fault's file, if there is one.
    pub fn known(&self, number: u32, fault: &Fault, changed: &[String]) -> Outcome<Trial> {
        let new = Trial { number, fault: fault.clone(), passed: BTreeSet::new(), found: Found::Unknown };
        let kept = fs::read(self.folder.join(format!("{number}.json")));
        let mut trial: Trial = kept.map_or(Ok(new), |text| serde_json::from_slice(&text))?;
        if trial.fault != *fault {
            return Err(format!("{}: {number} is of another fault; remove the folder", self.folder.display()).into());
        }
        trial.passed.retain(|test| !changed.contains(&test.name));
        self.summed_up(&mut trial);
        Ok(trial)
    }

    /// Draws the conclusion from tests that have all passed.
    fn summed_up(&self, trial: &mut Trial) {
        if matches!(trial.found, Found::ByTest(_) | Found::ByCost(..)) {
            return;
        }
        let reaching = self.reaching(trial.number);
        trial.found = match () {
            () if reaching.is_empty() => Found::NotReached,
            () if reaching.iter().all(|reach| trial.passed.contains(&reach.test)) => Found::Lives,
            () => Found::Unknown,
        };
    }

    /// Tries a fault until it is found, or with the cheapest tests only: as many as take `budget`
    /// processor seconds without it.
    pub fn tried(&self, trial: &mut Trial, budget: f64, job: usize) -> Outcome<()> {
        self.summed_up(trial);
        while trial.found == Found::Unknown && self.step(trial, budget, job)? {
            self.summed_up(trial);
            fs::write(self.folder.join(format!("{}.json", trial.number)), serde_json::to_vec(trial)?)?;
        }
        Ok(())
    }

    /// Runs the next tests: the cheapest that are left, and others of the same program that are about
    /// as cheap. Returns `false` if there are none within the budget.
    fn step(&self, trial: &mut Trial, budget: f64, job: usize) -> Outcome<bool> {
        let reaching = self.reaching(trial.number);
        let (passed, mut left): (Vec<&Reach>, Vec<&Reach>) =
            reaching.into_iter().partition(|reach| trial.passed.contains(&reach.test));
        left.sort_by_key(|reach| !self.first.contains(&reach.test.name));
        let before: f64 = passed.iter().map(|reach| reach.cpu).sum();
        let mut sum = 0.0;
        let mut together: BTreeMap<&str, Vec<&Reach>> = BTreeMap::new();
        for reach in left {
            if sum > 0.0 && sum + reach.cpu > TOGETHER || before + sum + reach.cpu > budget {
                break;
            }
            sum += reach.cpu;
            together.entry(&reach.test.program).or_default().push(reach);
        }
        if together.is_empty() {
            return Ok(false);
        }
        for (program, group) in together {
            let names: Vec<(String, f64)> = group.iter().map(|r| (r.test.name.clone(), r.limit())).collect();
            let test = |name: String| Test { program: program.to_owned(), name };
            let run = self.suite.run(program, &names, Mode::Fault(trial.number), job)?;
            trial.passed.extend(run.passed.into_iter().map(test));
            match run.end {
                End::Passed => {}
                End::TooMuch(name, what) => {
                    trial.found = Found::ByCost(test(name), what.to_owned());
                    return Ok(true);
                }
                End::Failed(name) => {
                    // Once more, alone: a test that fails by chance has found nothing.
                    let name = if name.is_empty() { names[0].0.clone() } else { name };
                    let limit = names.iter().find(|(other, _)| *other == name).map_or(f64::MAX, |(_, limit)| *limit);
                    let alone = self.suite.run(program, &[(name.clone(), limit)], Mode::Fault(trial.number), job)?;
                    match alone.end {
                        End::Passed => {
                            eprintln!("{program} {name} fails with fault {} once, and passes then", trial.number);
                            trial.passed.insert(test(name));
                        }
                        End::Failed(_) => trial.found = Found::ByTest(test(name)),
                        End::TooMuch(_, what) => trial.found = Found::ByCost(test(name), what.to_owned()),
                    }
                    return Ok(true);
                }
            }
        }
        Ok(true)
    }
}
