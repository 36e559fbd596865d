//! The copy of the package in which the faults stand, and its build.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::plant::{Fault, plant};
use crate::suite::Program;

/// Code that a fault asks before it acts.
const SWITCH: &str = include_str!("switch.txt");

/// Lints that are off: a fault may be one that the compiler warns of.
const LENIENT: &str = "#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic)]\n";

/// Root of the crate.
const LIB: &str = "src/lib.rs";

/// Reads the sources of some floors, without files that hold tests only.
pub fn sources(package: &Path, floors: &[String]) -> Vec<String> {
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

/// Returns all places for a fault, in order.
pub fn places(package: &Path, files: &[String]) -> Outcome<Vec<Fault>> {
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

/// Makes the copy and builds its tests. Faults that do not build are left out; their numbers are returned too.
pub fn built(package: &Path, copy: &Path, files: &[String], faults: &[Fault]) -> Outcome<(Vec<Program>, HashSet<u32>)> {
    copied(package, copy, files)?;
    let lib = fs::read_to_string(package.join(LIB))?;
    let switch = SWITCH.replace("FAULTS", &(faults.len() + 1).to_string());
    written(&copy.join(LIB), &format!("{LENIENT}{lib}{switch}"))?;
    let mut out = HashSet::new();
    loop {
        planted(package, copy, files, faults, &out)?;
        match build(copy)? {
            Ok(programs) => return Ok((programs, out)),
            Err(broken) if broken.is_subset(&out) => {
                return Err("the copy does not build whatever is left out".into());
            }
            Err(broken) => {
                out.extend(broken);
                eprintln!("{} faults do not build and are left out", out.len());
            }
        }
    }
}

/// Writes a file unless it holds that text already: what has not changed is not built again.
fn written(path: &Path, text: &str) -> Outcome<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    Ok(fs::write(path, text)?)
}

/// Copies what has changed, but for the sources that are written with switches.
fn copied(package: &Path, copy: &Path, files: &[String]) -> Outcome<()> {
    for entry in walkdir::WalkDir::new(package).into_iter().filter_entry(|entry| {
        let name = entry.file_name();
        name != "target" && name != ".git"
    }) {
        let entry = entry?;
        let below = entry.path().strip_prefix(package)?;
        let to = copy.join(below);
        if entry.file_type().is_dir() {
            fs::create_dir_all(to)?;
        } else if below != Path::new(LIB) && !files.iter().any(|file| below == Path::new(file)) {
            let new = fs::read(entry.path())?;
            if !fs::read(&to).is_ok_and(|old| old == new) {
                fs::write(to, new)?;
            }
        }
    }
    Ok(())
}

/// Writes the sources with the faults numbered from 1.
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
        written(&copy.join(file), if any { &new } else { &text })?;
    }
    Ok(())
}

/// Builds the tests; returns the numbers of the faults that do not build.
fn build(copy: &Path) -> Outcome<Result<Vec<Program>, HashSet<u32>>> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--locked", "--message-format", "json"])
        // The code under test runs thousands of times; what it stands on is not built anew for that.
        .args(["--config", "profile.dev.package.pods.opt-level=3"])
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
