//! Finds the faults that each test reaches, and its cost: each is run alone, without a fault.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::suite::{End, Mode, Run, Suite, Test};
use crate::{Outcome, in_jobs};

/// Run of one test without a fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reach {
    /// The test.
    pub test: Test,
    /// True if it passes. Only then its verdict on a fault counts.
    pub passes: bool,
    /// Processor seconds.
    pub cpu: f64,
    /// The faults that it reaches, with the processes that it starts.
    pub faults: BTreeSet<u32>,
}

impl Reach {
    /// Returns the processor seconds that it is given with a fault: far more than it needs.
    pub fn limit(&self) -> f64 {
        (20.0 * self.cpu).max(20.0)
    }
}

fn kept(folder: &Path, test: &Test) -> PathBuf {
    folder.join(format!("{} {}.json", test.program, test.name))
}

/// Returns the reach of each test; what is known is read from `folder`, but for the tests that have
/// changed.
pub fn reaches(suite: &Suite, folder: &Path, changed: &[String], jobs: usize) -> Outcome<Vec<Reach>> {
    fs::create_dir_all(folder)?;
    let tests = suite.tests()?;
    let mut known = Vec::new();
    let mut new = Vec::new();
    for test in tests {
        let file = kept(folder, &test);
        if changed.contains(&test.name) {
            let _ = fs::remove_file(&file);
        }
        match fs::read(&file) {
            Ok(text) => known.push(serde_json::from_slice(&text)?),
            Err(_) => new.push(test),
        }
    }
    eprintln!("{} tests, {} of them run once without a fault", known.len() + new.len(), new.len());
    let known = Mutex::new(known);
    in_jobs(jobs, &new, |test, job| {
        let notes = folder.join(format!("job{job}"));
        let _ = fs::remove_file(&notes);
        let Run { end, cpu, .. } =
            suite.run(&test.program, &[(test.name.clone(), f64::MAX)], Mode::Reach(&notes), job)?;
        let faults = fs::read_to_string(&notes).unwrap_or_default();
        let faults = faults.lines().filter_map(|line| line.parse().ok()).collect();
        let reach = Reach { test: test.clone(), passes: end == End::Passed, cpu, faults };
        if !reach.passes {
            eprintln!("{} {} fails without a fault, and says nothing", test.program, test.name);
        }
        fs::write(kept(folder, test), serde_json::to_vec(&reach)?)?;
        known.lock().expect("no job panics").push(reach);
        Ok(())
    })?;
    let mut all = known.into_inner().expect("no job panics");
    all.sort_by(|a, b| a.cpu.total_cmp(&b.cpu).then_with(|| a.test.cmp(&b.test)));
    Ok(all)
}
