//! Planted faults: a sample of small changes in the sources, each behind a switch, in one build. For each, the tests are run
//! until one fails. A fault that no test finds is a hole in the tests, or a change that changes nothing.
//!
//! A build for each fault, as `cargo mutants` makes it, would take a minute for each; this takes some seconds.

mod plant;
mod trial;

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use plant::{Fault, plant};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use trial::{Program, Trial};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Plants faults in a copy of pods and runs its tests against each.
#[derive(Parser)]
struct Args {
    /// The package.
    #[arg(long, default_value = ".")]
    package: PathBuf,
    /// A folder for the copy and what is built of it. It is made; if it is there, the run goes on in it.
    #[arg(long)]
    work: PathBuf,
    /// Where the results go, a row for each fault; rows that are there already are kept.
    #[arg(long)]
    out: PathBuf,
    /// How many faults.
    #[arg(long, default_value_t = 400)]
    sample: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many faults are tried at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The floors in which faults are planted, with commas.
    #[arg(long, value_delimiter = ',', default_value = "engine,solver,table,certificate")]
    floors: Vec<String>,
    /// Try the faults again that are said to live.
    #[arg(long)]
    again: bool,
}

/// What a fault asks before it acts; goes into the copy's `lib.rs`.
const SWITCH: &str = r#"
static FAULT: std::sync::LazyLock<u32> =
    std::sync::LazyLock::new(|| std::env::var("PODS_FAULT").ok().and_then(|n| n.parse().ok()).unwrap_or(0));

/// Whether a planted fault acts.
#[doc(hidden)]
#[must_use]
pub fn fault_is_on(number: u32) -> bool {
    *FAULT == number
}
"#;

fn sources(package: &Path, floors: &[String]) -> Vec<String> {
    let mut files: Vec<String> = floors
        .iter()
        .flat_map(|floor| walkdir::WalkDir::new(package.join("src").join(floor)))
        .filter_map(Result::ok)
        .map(|entry| entry.path().strip_prefix(package).expect("below the package").to_string_lossy().into_owned())
        .filter(|path| path.ends_with(".rs") && !path.ends_with("tests.rs") && !path.contains("/tests/"))
        .collect();
    files.sort();
    files
}

/// All places, in order.
fn places(package: &Path, files: &[String]) -> Outcome<Vec<Fault>> {
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(package.join(file))?;
        plant(file, &text, &mut |fault| {
            all.push(fault);
            None
        })
        .map_err(|e| format!("{file}: {e}"))?;
    }
    Ok(all)
}

fn copied(package: &Path, copy: &Path) -> Outcome<()> {
    for entry in walkdir::WalkDir::new(package).into_iter().filter_entry(|entry| {
        let name = entry.file_name();
        name != "target" && name != ".git"
    }) {
        let entry = entry?;
        let to = copy.join(entry.path().strip_prefix(package)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// Writes the copy with the faults numbered from 1.
fn planted(package: &Path, copy: &Path, files: &[String], faults: &[Fault], out: &HashSet<u32>) -> Outcome<()> {
    let mut numbers: BTreeMap<(&str, usize, usize, &str), u32> = BTreeMap::new();
    for (number, fault) in (1..).zip(faults) {
        if !out.contains(&number) {
            numbers.insert((&fault.file, fault.line, fault.column, &fault.change), number);
        }
    }
    for file in files {
        let text = fs::read_to_string(package.join(file))?;
        let mut any = false;
        let new = plant(file, &text, &mut |fault| {
            let number = numbers.get(&(file.as_str(), fault.line, fault.column, fault.change.as_str())).copied();
            any |= number.is_some();
            number
        })?;
        fs::write(copy.join(file), if any { new } else { text })?;
    }
    Ok(())
}

/// Builds the tests; the numbers of faults that do not build.
fn build(copy: &Path) -> Outcome<Result<Vec<Program>, HashSet<u32>>> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--locked", "--message-format", "json"])
        .env("RUSTFLAGS", "--cap-lints allow")
        .current_dir(copy)
        .output()?;
    let mut programs = Vec::new();
    let mut broken = HashSet::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if let Some(path) = message["executable"].as_str().filter(|_| message["profile"]["test"] == true) {
            let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
            let kind = message["target"]["kind"][0].as_str().unwrap_or_default().to_owned();
            programs.push(Program { name, kind, path: path.into() });
        }
        if message["message"]["level"] == "error" {
            // The switch nearest to an error is the one that does not build.
            for span in message["message"]["spans"].as_array().into_iter().flatten() {
                let (Some(file), Some(first)) = (span["file_name"].as_str(), span["line_start"].as_u64()) else {
                    continue;
                };
                let last = span["line_end"].as_u64().unwrap_or(first);
                let text = fs::read_to_string(copy.join(file)).unwrap_or_default();
                let lines = text.lines().enumerate().filter(|(at, _)| {
                    let at = *at as u64 + 1;
                    first.saturating_sub(2) <= at && at <= last + 1
                });
                for (_, line) in lines {
                    for (_, rest) in line.match_indices("fault_is_on(").map(|(at, m)| (at, &line[at + m.len()..])) {
                        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                        broken.extend(digits.parse::<u32>());
                    }
                }
            }
        }
    }
    if output.status.success() {
        return Ok(Ok(programs));
    }
    if broken.is_empty() {
        return Err(format!("the copy does not build:\n{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(Err(broken))
}

fn main() -> Outcome<()> {
    let args = Args::parse();
    let package = args.package.canonicalize()?;
    fs::create_dir_all(&args.work)?;
    let work = args.work.canonicalize()?;
    let copy = work.join("copy");
    let files = sources(&package, &args.floors);
    let all = places(&package, &files)?;
    let mut random = rand_pcg::Pcg64::seed_from_u64(args.seed);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.shuffle(&mut random);
    // Some more than wanted: a few do not build.
    order.truncate(args.sample + args.sample / 8 + 8);
    let faults: Vec<Fault> = order.iter().map(|&at| all[at].clone()).collect();
    eprintln!("{} places in {} files, {} of them drawn", all.len(), files.len(), faults.len());

    copied(&package, &copy)?;
    let lib = fs::read_to_string(copy.join("src/lib.rs"))?;
    fs::write(copy.join("src/lib.rs"), lib + SWITCH)?;
    let mut out = HashSet::new();
    let programs = loop {
        planted(&package, &copy, &files, &faults, &out)?;
        match build(&copy)? {
            Ok(programs) => break programs,
            Err(broken) => {
                if broken.is_subset(&out) {
                    return Err("the copy does not build whatever is left out".into());
                }
                out.extend(broken);
                eprintln!("{} faults do not build and are left out", out.len());
            }
        }
    };
    let faults: Vec<(u32, Fault)> =
        (1..).zip(faults).filter(|(number, _)| !out.contains(number)).take(args.sample).collect();
    Trial::new(copy, programs, work.join("scratch")).run(&faults, &args.out, args.jobs, args.again)
}
