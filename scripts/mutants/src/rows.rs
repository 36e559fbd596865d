//! The rows of the result, with the reasons why some faults live.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::trial::{Experiment, Found, Trial};

/// Row of a fault.
#[derive(Serialize)]
struct Row<'a> {
    fault: u32,
    file: &'a str,
    line: usize,
    column: usize,
    function: &'a str,
    change: &'a str,
    source: String,
    found: &'static str,
    by: String,
    reaching: usize,
    run: usize,
    reason: String,
}

/// Reason why a fault lives; written by hand.
#[derive(Deserialize)]
struct Reason {
    file: String,
    function: String,
    change: String,
    source: String,
    reason: String,
}

/// Numbers of a floor's faults, by their end.
#[derive(Default, Serialize)]
struct Count {
    floor: String,
    faults: usize,
    test: usize,
    cost: usize,
    not_reached: usize,
    no: usize,
    unknown: usize,
}

impl Count {
    fn add(&mut self, found: &Found) {
        self.faults += 1;
        match found {
            Found::ByTest(_) => self.test += 1,
            Found::ByCost(..) => self.cost += 1,
            Found::NotReached => self.not_reached += 1,
            Found::Lives => self.no += 1,
            Found::Unknown => self.unknown += 1,
        }
    }
}

/// Writes a row for each fault, in one step, and returns the faults that live without a reason and the reasons that are of no
/// living fault.
pub fn written(
    package: &Path,
    out: &Path,
    reasons: &Path,
    experiment: &Experiment<'_>,
    trials: &BTreeMap<u32, Trial>,
) -> Outcome<Vec<String>> {
    let mut kept: BTreeMap<[String; 4], (String, bool)> = BTreeMap::new();
    if reasons.exists() {
        for reason in csv::Reader::from_path(reasons)?.deserialize() {
            let Reason { file, function, change, source, reason } = reason?;
            kept.insert([file, function, change, source], (reason, false));
        }
    }
    let mut open = Vec::new();
    let new = out.with_extension("csv.new");
    let mut writer = csv::Writer::from_path(&new)?;
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (&fault, trial) in trials {
        let place = &trial.fault;
        if !texts.contains_key(place.file.as_str()) {
            let text = fs::read_to_string(package.join(&place.file))?;
            texts.insert(&place.file, text.lines().map(|line| line.trim().to_owned()).collect());
        }
        let source = texts[place.file.as_str()][place.line - 1].clone();
        let (found, by) = match &trial.found {
            Found::ByTest(test) => ("test", format!("{} {}", test.program, test.name)),
            Found::ByCost(test, what) => ("cost", format!("{what} of {} {}", test.program, test.name)),
            Found::NotReached => ("not reached", String::new()),
            Found::Lives => ("no", String::new()),
            Found::Unknown => ("unknown", String::new()),
        };
        let mut reason = String::new();
        if matches!(trial.found, Found::NotReached | Found::Lives | Found::Unknown) {
            let key = [&place.file, &place.function, &place.change, &source].map(Clone::clone);
            match kept.get_mut(&key) {
                Some(known) => {
                    reason = known.0.clone();
                    known.1 = true;
                }
                None => open.push(format!("{fault}: {} {} has no reason", place.file, place.line)),
            }
        }
        let reaching = experiment.reaching(fault);
        writer.serialize(Row {
            fault,
            file: &place.file,
            line: place.line,
            column: place.column,
            function: &place.function,
            change: &place.change,
            source,
            found,
            by,
            reaching: reaching.len(),
            run: reaching.iter().filter(|reach| trial.passed.contains(&reach.test)).count()
                + usize::from(matches!(trial.found, Found::ByTest(_) | Found::ByCost(..))),
            reason,
        })?;
    }
    writer.flush()?;
    fs::rename(new, out)?;
    open.extend(
        kept.iter().filter(|(_, (_, used))| !used).map(|(key, _)| format!("a reason for no fault: {}", key.join(", "))),
    );
    Ok(open)
}

/// Writes the numbers of faults of each floor, and of all, by their end.
pub fn summed_up(out: &Path, trials: &BTreeMap<u32, Trial>) -> Outcome<()> {
    let mut floors: BTreeMap<&str, Count> = BTreeMap::new();
    let mut all = Count { floor: "all".to_owned(), ..Count::default() };
    for trial in trials.values() {
        let floor = trial.fault.file.split('/').nth(1).unwrap_or_default();
        floors.entry(floor).or_insert_with(|| Count { floor: floor.to_owned(), ..Count::default() }).add(&trial.found);
        all.add(&trial.found);
    }
    let mut writer = csv::Writer::from_path(out)?;
    floors.into_values().chain([all]).try_for_each(|count| writer.serialize(count))?;
    Ok(writer.flush()?)
}
