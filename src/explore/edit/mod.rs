//! Editing boards and pods by single changes, each answered with the whole file.

mod board;
mod draft;
mod pods;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// A built-in name and the source of its material.
type BuiltIn = (&'static str, String);

/// A question: a file, and a change to make in it. Without a change the file is only shown.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Ask {
    Board { text: String, change: Option<board::BoardChange> },
    Pods { text: String, change: Option<pods::PodsChange> },
}

/// The file after the change.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Board(board::BoardShown),
    Pods(pods::PodsShown),
}

/// Changes a file.
pub(super) fn answer(ask: Ask) -> Result<Answer, Refusal> {
    Ok(match ask {
        Ask::Board { text, change } => Answer::Board(board::edit(&text, change)?),
        Ask::Pods { text, change } => Answer::Pods(pods::edit(&text, change)?),
    })
}

/// Replaces the built-in name and source of material that was edited: it is not the built-in one
/// any more. What the reader wrote stays.
fn disown(name: &mut String, source: &mut String, built_in: &[BuiltIn]) {
    let named = built_in.iter().find(|(known, _)| known == name);
    let sourced = built_in.iter().find(|(_, known)| known == source);
    let Some((known, _)) = named.or(sourced) else { return };
    if sourced.is_some() {
        *source = format!("edited from the built-in {known}");
    }
    if named.is_some() {
        *name = format!("{known}-edited");
    }
}

/// Returns a text as a string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
