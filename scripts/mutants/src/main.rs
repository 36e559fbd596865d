//! Planted faults: a sample of small changes in the sources, each behind a switch, in one build. A fault that no test finds is
//! a hole in the tests, or a change that changes nothing.
//!
//! First each test is run alone, without a fault: it notes which switches it reaches and what it costs. A fault is then tried
//! with the tests that reach it, the cheapest first, until one fails. What is known is kept in the work folder, so that a run
//! goes on where it was stopped; tests that have been added since are run too.

mod copy;
mod plant;
mod reach;
mod rows;
mod suite;
mod trial;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use clap::Parser;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use suite::Suite;
use trial::{Experiment, Found, Trial};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Plants faults in a copy of pods and runs its tests against each.
#[derive(Parser)]
struct Args {
    /// The package.
    #[arg(long, default_value = ".")]
    package: PathBuf,
    /// A folder for the copy, its build and all that is known. If it is there, the run goes on in it.
    #[arg(long)]
    work: PathBuf,
    /// The file of the results, a row for each fault.
    #[arg(long)]
    out: PathBuf,
    /// Reasons of faults that live: CSV with file, function, change, source and reason.
    #[arg(long)]
    reasons: PathBuf,
    /// Number of faults.
    #[arg(long, default_value_t = 420)]
    sample: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of tests that run at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The floors in which faults are planted, with commas.
    #[arg(long, value_delimiter = ',', default_value = "engine,solver,table,certificate")]
    floors: Vec<String>,
    /// Processor seconds of tests that each fault is tried with at first.
    #[arg(long, default_value_t = 15.0)]
    budget: f64,
    /// Try the faults that are left with four times as much, and at last with all tests that reach
    /// them.
    #[arg(long)]
    again: bool,
    /// Names of tests that have changed and are to be run anew, with commas.
    #[arg(long, value_delimiter = ',')]
    changed: Vec<String>,
    /// Names of tests that go before the others, with commas.
    #[arg(long, value_delimiter = ',')]
    first: Vec<String>,
    /// The copy of a run before, which is neither written nor built: only the results are.
    #[arg(long)]
    only_rows: bool,
}

/// Runs a job for each of a list, a few at the same time.
fn in_jobs<T: Sync>(jobs: usize, list: &[T], work: impl Fn(&T, usize) -> Outcome<()> + Sync) -> Outcome<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let works: Vec<_> = (0..jobs.max(1))
            .map(|job| {
                let (next, work) = (&next, &work);
                scope.spawn(move || -> Result<(), String> {
                    while let Some(one) = list.get(next.fetch_add(1, Ordering::Relaxed)) {
                        work(one, job).map_err(|e| e.to_string())?;
                    }
                    Ok(())
                })
            })
            .collect();
        works.into_iter().try_for_each(|work| work.join().expect("a job does not panic"))
    })?;
    Ok(())
}

fn main() -> Outcome<()> {
    let args = Args::parse();
    let package = args.package.canonicalize()?;
    fs::create_dir_all(&args.work)?;
    let work = args.work.canonicalize()?;
    let files = copy::sources(&package, &args.floors);
    let all = copy::places(&package, &files)?;
    let mut random = rand_pcg::Pcg64::seed_from_u64(args.seed);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.shuffle(&mut random);
    // Some more than wanted: a few do not build.
    order.truncate(args.sample + args.sample / 8 + 8);
    let faults: Vec<plant::Fault> = order.iter().map(|&at| all[at].clone()).collect();
    eprintln!("{} places in {} files, {} of them drawn", all.len(), files.len(), faults.len());

    let build = work.join("build.json");
    let (programs, out) = if args.only_rows {
        serde_json::from_slice(&fs::read(&build)?)?
    } else {
        let built = copy::built(&package, &work.join("copy"), &files, &faults)?;
        fs::write(&build, serde_json::to_vec(&built)?)?;
        built
    };
    let faults: BTreeMap<u32, plant::Fault> =
        (1..).zip(faults).filter(|(number, _)| !out.contains(number)).take(args.sample).collect();
    let suite = Suite::new(work.join("copy"), programs, work.join("scratch"));
    let reaches = reach::reaches(&suite, &work.join("reach"), &args.changed, args.jobs)?;
    let cpu: f64 = reaches.iter().map(|reach| reach.cpu).sum();
    eprintln!("{} tests take {cpu:.0} processor seconds", reaches.len());

    let experiment = Experiment { suite: &suite, reaches: &reaches, first: &args.first, folder: work.join("trials") };
    fs::create_dir_all(&experiment.folder)?;
    let known: Outcome<BTreeMap<u32, Trial>> =
        faults.iter().map(|(&n, fault)| Ok((n, experiment.known(n, fault, &args.changed)?))).collect();
    let trials = Mutex::new(known?);
    let begun = Instant::now();
    let budgets: &[f64] = match (args.only_rows, args.again) {
        (true, _) => &[],
        (false, false) => &[args.budget],
        (false, true) => &[args.budget, 4.0 * args.budget, f64::MAX],
    };
    let write = |trials: &BTreeMap<u32, Trial>| rows::written(&package, &args.out, &args.reasons, &experiment, trials);
    for &budget in budgets {
        let mut left: Vec<Trial> =
            trials.lock().expect("no job panics").values().filter(|t| t.found == Found::Unknown).cloned().collect();
        left.sort_by(|a, b| experiment.left(a).total_cmp(&experiment.left(b)));
        in_jobs(args.jobs, &left, |trial, job| {
            let mut trial = trial.clone();
            experiment.tried(&mut trial, budget, job)?;
            let fault = &trial.fault;
            eprintln!(
                "{:>6} s  {:3} {}:{}:{} {}: {:?}",
                begun.elapsed().as_secs(),
                trial.number,
                fault.file,
                fault.line,
                fault.column,
                fault.change,
                trial.found
            );
            let mut trials = trials.lock().expect("no job panics");
            trials.insert(trial.number, trial);
            write(&trials).map(drop)
        })?;
    }
    let trials = trials.into_inner().expect("no job panics");
    for line in write(&trials)? {
        eprintln!("{line}");
    }
    rows::summed_up(&args.out.with_file_name("summary.csv"), &trials)
}
