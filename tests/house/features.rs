//! A floor that a feature brings uses the crates and floors of that feature and no others.
//!
//! Compiling each feature alone would find the same; `.ci/run` compiles those that differ in more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::source_folder;

/// Names of features and optional crates: `solver`, `rayon`.
type Names = BTreeSet<String>;

/// Features of `Cargo.toml` with all that they bring, the names of crates as Rust writes them.
struct Features {
    brought: BTreeMap<String, Names>,
    crates: Names,
    /// Features of the floors, by name; those of `""` are always there.
    floors: BTreeMap<String, String>,
}

impl Features {
    fn read() -> Features {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
        let manifest: toml::Table = text.parse().unwrap();
        let crates = |table: &toml::Table| -> Names {
            let optional = table.iter().filter(|(_, of)| of.get("optional").is_some());
            optional.map(|(name, _)| name.replace('-', "_")).collect()
        };
        let mut all = crates(manifest["dependencies"].as_table().unwrap());
        for target in manifest["target"].as_table().unwrap().values() {
            all.extend(crates(target["dependencies"].as_table().unwrap()));
        }
        let direct = manifest["features"].as_table().unwrap();
        let mut brought = BTreeMap::new();
        for name in direct.keys() {
            let (mut seen, mut open) = (Names::new(), vec![name.clone()]);
            while let Some(name) = open.pop() {
                let more = direct.get(&name).and_then(toml::Value::as_array).into_iter().flatten();
                open.extend(more.map(|one| one.as_str().unwrap().trim_start_matches("dep:").to_owned()));
                seen.insert(name.replace('-', "_"));
            }
            brought.insert(name.clone(), seen);
        }
        let lib = fs::read_to_string(source_folder().join("lib.rs")).unwrap();
        let floors =
            modules(&lib).into_iter().map(|(name, gates)| (name, gates.into_iter().next().unwrap_or_default()));
        Features { brought, crates: all, floors: floors.collect() }
    }

    /// Checks that code uses only what these features bring.
    fn check(&self, file: &Path, code: &str, features: &[String]) -> usize {
        let has = |name: &str| features.iter().any(|feature| self.brought[feature].contains(name));
        let mut seen = 0;
        for (at, _) in code.match_indices("::") {
            let begin = code[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |before| before + 1);
            let name = &code[begin..at];
            let next: String = code[at + 2..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let needed = match name {
                "crate" => self.floors.get(&next).map_or("", String::as_str),
                // `Type::name::` and `.name::<T>` are no crates.
                _ if self.crates.contains(name) && !code[..begin].ends_with([':', '.']) => name,
                _ => "",
            };
            seen += usize::from(!needed.is_empty());
            assert!(needed.is_empty() || has(needed), "{} uses {needed}, and has {features:?}", file.display());
        }
        seen
    }

    /// Checks a module and those below it.
    fn check_module(&self, file: &Path, features: &[String]) -> usize {
        let text = fs::read_to_string(file).unwrap();
        let mut seen = 0;
        for (code, gates) in parts(&text) {
            seen += self.check(file, &code, &[features, &gates].concat());
        }
        let has_folder = file.ends_with("mod.rs") || file.ends_with("lib.rs");
        let folder = if has_folder { file.parent().unwrap().into() } else { file.with_extension("") };
        for (name, gates) in modules(&text) {
            let below = [folder.join(&name).with_extension("rs"), folder.join(&name).join("mod.rs")];
            let below: &PathBuf =
                below.iter().find(|path| path.exists()).unwrap_or_else(|| panic!("{name}: {below:?}"));
            seen += self.check_module(below, &[features, &gates].concat());
        }
        seen
    }
}

/// Returns the features that a line of `cfg` asks for; `None` if it is about tests or no `cfg`.
///
/// One that asks for either of two is taken as the first.
fn gates(line: &str) -> Option<Vec<String>> {
    let gate = line.strip_prefix("#[cfg(")?;
    let mut names = gate.split("feature = \"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    let wanted = if gate.starts_with("any(") { names.next().into_iter().collect() } else { names.collect::<Vec<_>>() };
    (!gate.contains("test") && !gate.contains("not(") && !wanted.is_empty()).then_some(wanted)
}

/// Splits a source without comments and tests at its items behind `cfg`, and returns each part with
/// the features that it asks for.
fn parts(text: &str) -> Vec<(String, Vec<String>)> {
    let (mut open, mut parts) = (String::new(), Vec::new());
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        let gated = line.trim_start();
        if !gated.starts_with("#[cfg(") {
            open += line;
            open.push('\n');
            continue;
        }
        let indent = line.len() - gated.len();
        let mut item = String::new();
        for line in lines.by_ref() {
            item += line;
            item.push('\n');
            let ends = line.ends_with(['}', ';', ',', ')']) && line.len() - line.trim_start().len() <= indent;
            if ends && !line.trim_start().starts_with("#[") {
                break;
            }
        }
        match gates(gated) {
            Some(features) => parts.push((item, features)),
            None if gated.contains("test") => {}
            None => open += &item,
        }
    }
    parts.push((open, Vec::new()));
    parts
}

/// Returns the modules that a source declares in files of their own, with their features; those of
/// tests are left out.
fn modules(text: &str) -> Vec<(String, Vec<String>)> {
    let mut modules = Vec::new();
    for (code, features) in parts(text) {
        for line in code.lines() {
            let words: Vec<&str> = line.trim_end_matches(';').split(' ').collect();
            if line.ends_with(';')
                && !line.starts_with(' ')
                && let [.., "mod", name] = words[..]
            {
                modules.push((name.to_owned(), features.clone()));
            }
        }
    }
    modules
}

#[test]
fn a_feature_brings_all_that_its_floors_use() {
    let features = Features::read();
    let seen = features.check_module(&source_folder().join("lib.rs"), &[]);
    assert!(seen > 300, "only {seen} uses seen");
    let solver = ["solver".to_owned()];
    let refused = |code: &str| std::panic::catch_unwind(|| features.check(Path::new("test"), code, &solver)).is_err();
    assert!(!refused("use rayon::prelude;\nuse crate::solver::Limits;"));
    assert!(refused("use csv::Writer;") && refused("crate::table::Index"));
}
