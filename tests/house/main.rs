//! The order of the house: a floor imports only the floors below it, only the top one prints, files
//! are short.

mod circles;
mod features;
mod links;
mod names;
mod walks;

use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up.
const FLOORS: [&str; 19] = [
    "files",
    "progress",
    "statistics",
    "geometry",
    "material",
    "rules",
    "position",
    "engine",
    "drawing",
    "solver",
    "table",
    "answer",
    "certificate",
    "report",
    "oracle",
    "matches",
    "explore",
    "python",
    "cli",
];

const MAX_LINES: usize = 500;

/// Public items of the library, in private modules too.
const MAX_PUBLIC_ITEMS: usize = 850;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn floor_of(name: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| *floor == name)
}

/// Returns a source without its comments, and without the tests at its end.
fn code_of(text: &str) -> String {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let is_tests = |at: &usize| code[*at..].lines().nth(1).is_some_and(|line| line.ends_with("mod tests {"));
    let end = code.match_indices("#[cfg(test)]\n").map(|(at, _)| at).find(is_tests);
    code[..end.unwrap_or(code.len())].to_owned()
}

/// Returns the modules at the top of the crate that a source mentions, tests at the end of the file
/// left out.
fn mentioned(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in code_of(text).lines() {
        for (at, _) in line.match_indices("crate::") {
            let rest = &line[at + "crate::".len()..];
            names.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    names
}

#[test]
fn a_floor_imports_only_lower_floors() {
    let mut imports = 0;
    for file in sources(&source_folder()) {
        let path = file.strip_prefix(source_folder()).unwrap();
        let floor = path.components().next().unwrap().as_os_str().to_str().unwrap();
        if path.components().count() == 1 {
            continue; // lib.rs and main.rs stand outside the house
        }
        let own = floor_of(floor).unwrap_or_else(|| panic!("{} is on no floor", path.display()));
        let text = fs::read_to_string(&file).unwrap();
        for name in mentioned(&text) {
            let other = floor_of(&name).unwrap_or_else(|| panic!("{} imports crate::{name}", path.display()));
            assert!(name == floor || other < own, "{} imports from {name}", path.display());
            imports += 1;
        }
    }
    assert!(imports > 50, "only {imports} imports seen");
}

#[test]
fn the_engines_do_not_know_each_other() {
    for (engine, other) in [("reference", ["bitboard", "Bitboard"]), ("bitboard", ["reference", "Reference"])] {
        for file in sources(&source_folder().join("engine").join(engine)) {
            let text = fs::read_to_string(&file).unwrap();
            let code: String =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            for name in other {
                assert!(!code.contains(name), "{} names {name}", file.display());
            }
        }
    }
    let plain = fs::read_to_string(source_folder().join("engine/reference/mod.rs")).unwrap();
    assert!(!plain.contains("PointSet"), "the reference engine uses plain collections");
}

#[test]
fn the_verification_of_tables_does_not_know_the_sweeps() {
    let table = source_folder().join("table");
    let mut files = sources(&table.join("verify"));
    files.retain(|file| !file.ends_with("tests.rs"));
    assert!(files.len() > 6, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for name in ["retro", "eval::", "sweep", "Sweep", "Bits::", "Direct::", "Solved"] {
            assert!(!code.join("\n").contains(name), "{} names {name}", file.display());
        }
    }
}

/// The macros panic where nobody reads any more, so nothing prints by them.
#[test]
fn only_the_command_line_prints() {
    for file in sources(&source_folder()) {
        let path = file.strip_prefix(source_folder()).unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        let streams = if path.starts_with("cli") { &[][..] } else { &["stdout()", "stderr()"] };
        for word in ["println!", "print!", "eprintln!", "eprint!", "dbg!"].iter().chain(streams) {
            assert!(!text.contains(word), "{} has {word}", path.display());
        }
    }
}

#[test]
fn files_are_short() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for file in sources(&source_folder()).into_iter().chain(sources(&tests)) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", file.display());
    }
}

/// Returns `true` for a line that begins a public item: a module, type, trait, constant, function,
/// or method. Fields and re-exports are none.
fn begins_a_public_item(line: &str) -> bool {
    let Some(item) = line.trim_start().strip_prefix("pub ") else { return false };
    let word = item.split(' ').next().unwrap();
    ["async", "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "unsafe"].contains(&word)
}

#[test]
fn few_items_are_public() {
    assert!(begins_a_public_item("    pub const fn len(&self) -> usize {"));
    assert!(!begins_a_public_item("    pub len: usize,") && !begins_a_public_item("pub(crate) mod walls;"));
    let texts = sources(&source_folder()).into_iter().map(|file| fs::read_to_string(file).unwrap());
    let public: usize = texts.map(|text| text.lines().filter(|line| begins_a_public_item(line)).count()).sum();
    assert!(public <= MAX_PUBLIC_ITEMS, "{public} items are public");
}

#[test]
fn a_module_with_files_of_its_own_is_a_mod_rs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = 0;
    for file in ["src", "tests", "benches", "examples"].iter().flat_map(|folder| sources(&root.join(folder))) {
        assert!(!file.with_extension("").is_dir(), "{} stands beside its folder", file.display());
        folders += usize::from(file.ends_with("mod.rs"));
    }
    assert!(folders > 50, "only {folders} folders seen");
}

/// Returns all clauses that a text cites: `R` and a number, as a word of its own. The four turns of
/// the board have such names too.
fn cited(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.strip_prefix('R').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())))
        .filter(|word| !["R0", "R90", "R180", "R270"].contains(word))
        .collect()
}

#[test]
fn every_clause_that_is_cited_stands_in_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = sources(&source_folder());
    texts.extend(sources(&root.join("tests")));
    texts.extend(sources(&root.join("benches")));
    for folder in ["scripts", "boards", "src/rules", "src/oracle"] {
        texts.extend(
            fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_file()),
        );
    }
    texts.push(root.join("README.md"));
    let rules = fs::read_to_string(root.join("src/rules/RULES.md")).unwrap();
    let stands = |clause: &str| rules.lines().any(|line| line.starts_with(&format!("### {clause} ")));
    assert!(stands("R34") && !stands("R35"));
    let mut citations = 0;
    for file in texts {
        for clause in cited(&fs::read_to_string(&file).unwrap()) {
            citations += 1;
            // Two tests name one that there is not.
            let of_tests = clause == "R35" && (file.ends_with("house/main.rs") || file.ends_with("program/rules.rs"));
            assert!(stands(clause) || of_tests, "{} cites {clause}", file.display());
        }
    }
    assert!(citations > 500, "{citations} citations");
}
