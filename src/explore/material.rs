//! Boards and pods as the page names them, and what `pods check` says of them.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, MaterialError};
use crate::material::{Board, Material, PodSet, builtin_board, builtin_pods, did_you_mean, material_from_toml};
use crate::report::captions::{Caption, captions as all_captions};
use crate::report::{Found, found_together};

/// Whether this is the text of a file. What is not is the name of a built-in set; never that of a file.
pub(super) fn is_text(board_or_pods: &str) -> bool {
    board_or_pods.contains(['\n', '='])
}

fn unknown(what: &str, name: &str, built_in: &[(&str, &'static str)]) -> Refusal {
    let near = did_you_mean(name, built_in.iter().map(|(name, _)| *name));
    Refusal(format!("there is no built-in {what} {name:?}{near}"))
}

/// A built-in board or that of a text.
pub(super) fn board_of(text: &str) -> Result<Board, Refusal> {
    if !is_text(text) {
        return builtin_board(text).ok_or_else(|| unknown("board", text, BUILTIN_BOARDS));
    }
    match material_from_toml("board", text)? {
        Material::Board(board) => Ok(board),
        Material::Pods(_) => Err(MaterialError::new("board", "these are pods, not a board").into()),
    }
}

/// Built-in pods or those of a text.
pub(super) fn pods_of(text: &str) -> Result<PodSet, Refusal> {
    if !is_text(text) {
        return builtin_pods(text).ok_or_else(|| unknown("pod set", text, BUILTIN_PODS));
    }
    match material_from_toml("pods", text)? {
        Material::Pods(pods) => Ok(pods),
        Material::Board(_) => Err(MaterialError::new("pods", "this is a board, not pods").into()),
    }
}

/// A file that somebody opens.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// What it is called, for messages.
    name: String,
    text: String,
}

/// What a file holds.
#[derive(Debug, Serialize)]
pub(super) struct Opened {
    /// `board` or `pods`.
    kind: &'static str,
    text: String,
    /// What `pods check` says.
    check: String,
}

/// Reads a file, with the message of `pods check` if it is wrong.
pub(super) fn answer(File { name, text }: File) -> Result<Opened, Refusal> {
    let (kind, found) = match material_from_toml(&name, &text)? {
        Material::Board(board) => ("board", Found::board(&name, &board)),
        Material::Pods(pods) => ("pods", Found::pods(&name, &pods)),
    };
    let text = if is_text(&text) { text } else { format!("{text}\n") };
    Ok(Opened { kind, text, check: said(&found) })
}

/// As `pods check` writes it.
pub(super) fn said(found: &Found) -> String {
    let mut text = Vec::new();
    // A vector takes everything.
    let _ = found.text(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// A board and pods.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Both {
    board: String,
    pods: String,
}

/// What a caption of the rules texts claims, and whether it holds.
#[derive(Debug, Serialize)]
struct CaptionSaid {
    name: &'static str,
    source: &'static str,
    says: &'static str,
    holds: bool,
    found: String,
    turn: Option<u16>,
    rules: Option<String>,
    position: Option<String>,
}

/// What is to be said of a board and pods together.
#[derive(Debug, Serialize)]
pub(super) struct Together {
    check: String,
    captions: Vec<CaptionSaid>,
}

/// Asks the captions of a board and pods.
pub(super) fn captions(Both { board, pods }: Both) -> Result<Together, Refusal> {
    let (board, pods) = (board_of(&board)?, pods_of(&pods)?);
    let captions = all_captions(&board, &pods).into_iter().map(|Caption { name, source, says, found }| {
        let (holds, found, shown) = match found {
            Ok(witness) => (true, witness.what, witness.shown),
            Err(why) => (false, why, None),
        };
        let turn = shown.as_ref().map(|shown| shown.orientation.degrees());
        let (rules, position) = shown.map(|shown| (shown.rules, shown.position)).unzip();
        CaptionSaid { name, source, says, holds, found, turn, rules, position }
    });
    let captions = captions.collect();
    let check = said(&found_together(board.name(), &board, pods.name(), &pods));
    Ok(Together { check, captions })
}
