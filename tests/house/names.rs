//! A name means one thing in a floor.

use std::collections::BTreeMap;
use std::fs;

use crate::{code_of, source_folder, sources};

/// Names of roles. Each file that plays the role has one of its own: arguments, sub-commands and
/// printed lines of a command.
const ROLES: [(&str, &[&str]); 1] = [("cli", &["Args", "Command", "Line", "Row", "What"])];

/// Returns the place in which the types of a file must have names of their own: its floor. The
/// verification of tables is a twin of the sweeps that does not know them, and calls the same
/// things by the same names.
fn place_of(path: &str) -> &str {
    if path.starts_with("table/verify/") { "table/verify" } else { path.split('/').next().unwrap() }
}

/// Returns the type that a line defines, if it is not an associated one.
fn defined(line: &str) -> Option<String> {
    let indented = line.starts_with(' ');
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.strip_prefix('(').map_or(rest, |rest| rest.split_once(") ").unwrap().1).trim_start(),
        None => line,
    };
    let (word, rest) = line.split_once(' ')?;
    let defines = matches!(word, "struct" | "enum" | "trait") || word == "type" && !indented;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (defines && !name.is_empty()).then_some(name)
}

#[test]
fn a_type_name_stands_once_in_a_floor() {
    let mut names: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for file in sources(&source_folder()) {
        let path = file.strip_prefix(source_folder()).unwrap().to_str().unwrap().to_owned();
        // What stands in for a module in builds without its feature has the same names.
        if path.ends_with("tests.rs") || path == "cli/table/alone.rs" {
            continue;
        }
        let place = place_of(&path);
        for name in code_of(&fs::read_to_string(&file).unwrap()).lines().filter_map(defined) {
            let role = ROLES.iter().any(|(floor, roles)| *floor == place && roles.contains(&name.as_str()));
            if !role {
                names.entry((place.to_owned(), name)).or_default().push(path.clone());
            }
        }
    }
    assert!(names.len() > 400, "only {} names seen", names.len());
    names.retain(|_, files| files.len() > 1);
    assert!(names.is_empty(), "names with several meanings: {names:#?}");
}

/// Returns the words of a table of words in module docs.
fn words_of_the_program() -> Vec<String> {
    let docs = fs::read_to_string(source_folder().join("lib.rs")).unwrap();
    let rows = docs.lines().skip_while(|line| !line.contains("| word | meaning |")).skip(2);
    let cells = rows.map_while(|row| row.strip_prefix("//! | ")?.split_once(" | "));
    cells.flat_map(|(words, _)| words.split(", ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Returns the words of the glossary of the rules.
fn words_of_the_game() -> Vec<String> {
    let rules = fs::read_to_string(source_folder().join("rules/RULES.md")).unwrap();
    let entries = rules.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("**: "));
    entries.map(|(word, _)| word.to_owned()).collect()
}

#[test]
fn a_word_is_explained_once() {
    let mut words = words_of_the_program();
    assert!((25..=40).contains(&words.len()), "{words:?}");
    let game = words_of_the_game();
    assert!(game.len() > 40 && game.contains(&"tier".to_owned()), "{game:?}");
    words.extend(game);
    words.sort();
    let twice: Vec<_> = words.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
    // No module has a list of its own.
    for file in sources(&source_folder()).iter().filter(|file| !file.ends_with("src/lib.rs")) {
        let text = fs::read_to_string(file).unwrap();
        assert!(!text.contains("//! | word | meaning |"), "{}", file.display());
    }
}
