//! Editing boards and pods by single changes, each answered with the whole file.

mod board;
mod draft;
mod pods;

use serde::Deserialize;
use serde_json::Value;

use super::refusal::Refusal;

/// A question: a file, and a change to make in it. Without a change the file is only shown.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum EditQuery {
    Board { text: String, change: Option<board::BoardChange> },
    Pods { text: String, change: Option<pods::PodsChange> },
}

/// Returns the file after the change.
pub(super) fn answer(ask: EditQuery) -> Result<Value, Refusal> {
    match ask {
        EditQuery::Board { text, change } => board::edit(&text, change),
        EditQuery::Pods { text, change } => pods::edit(&text, change),
    }
}

/// Replaces the built-in name and source of material that was edited: it is not the built-in one
/// any more. What the reader wrote stays. `source_of` gives the source of a built-in name.
fn disown(
    (name, source): (&mut String, &mut String),
    built_in: &[(&str, &str)],
    source_of: impl Fn(&str) -> Option<String>,
) {
    let known = || built_in.iter().map(|(known, _)| *known);
    let named = known().find(|known| known == name);
    let sourced: Vec<&str> = known().filter(|known| source_of(known).as_ref() == Some(source)).collect();
    if !sourced.is_empty() {
        // Test sets share their source, so it does not always say which of them it was.
        let of = named
            .or(Some(sourced[0]).filter(|_| sourced.len() == 1))
            .map_or("a built-in set".to_owned(), |of| format!("the built-in {of}"));
        *source = format!("edited from {of}");
    }
    if let Some(named) = named {
        *name = format!("{named}-edited");
    }
}

/// Returns a text as a string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
