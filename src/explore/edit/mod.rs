//! Editing boards and pods by single changes, each answered with the whole file.

mod board;
mod draft;
mod pods;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

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

/// Returns a text as a string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
