//! Boards and pods as the page sends them, and what `pods check` says of them.

use serde_json::{Value, json};

use super::refusal::Refusal;
use crate::files::shortened;
use crate::material::{
    BOARD_TEMPLATE_SOURCE, BUILTIN_BOARDS, BUILTIN_PODS, Board, Material, MaterialError, PodSet, did_you_mean,
    material_from_toml,
};
use crate::report::captions::{CaptionRow, captions as all_captions};
use crate::report::{Found, found_together};

/// Returns `true` if this is the text of a file. Anything else is the name of a built-in set, and
/// never that of a file.
pub(super) fn is_text(board_or_pods: &str) -> bool {
    board_or_pods.contains(['\n', '='])
}

/// Creates a built-in board or pod set, or that of a text. `take` takes it from the material read;
/// `what` and `file` name it in messages.
fn of<T>(
    (what, file): (&str, &str),
    built_in: &[(&str, &'static str)],
    take: fn(Material, &str) -> Result<T, MaterialError>,
    text: &str,
) -> Result<T, Refusal> {
    let found = built_in.iter().find(|(name, _)| *name == text).map(|(_, text)| *text);
    let Some(text) = found.or(Some(text).filter(|text| is_text(text))) else {
        let near = did_you_mean(text, built_in.iter().map(|(name, _)| *name));
        return Err(Refusal(format!("there is no built-in {what} {:?}{near}", shortened(text))));
    };
    Ok(take(material_from_toml(file, text)?, file)?)
}

pub(super) fn board_of(text: &str) -> Result<Board, Refusal> {
    of(("board", "board"), BUILTIN_BOARDS, Material::board, text)
}

/// Returns built-in pods or those of a text.
pub(super) fn pods_of(text: &str) -> Result<PodSet, Refusal> {
    of(("pod set", "pods"), BUILTIN_PODS, Material::pods, text)
}

/// Reads a file, with the message of `pods check` if it is wrong. One that lacks nothing but its
/// `source` gets the one that says nothing.
pub(super) fn answer(name: &str, text: String) -> Result<Value, Refusal> {
    let name = shortened(name);
    let sourced = format!("source = \"{BOARD_TEMPLATE_SOURCE}\"\n{text}");
    let (material, text) = match material_from_toml(&name, &text) {
        Ok(material) => (material, text),
        // The message is about the text as it is: its lines keep their numbers.
        Err(error) => (material_from_toml(&name, &sourced).map_err(|_| error)?, sourced),
    };
    let (kind, found) = match material {
        Material::Board(board) => ("board", Found::board(&name, &board)),
        Material::Pods(pods) => ("pods", Found::pods(&name, &pods)),
    };
    let text = if is_text(&text) { text } else { format!("{text}\n") };
    Ok(json!({ "kind": kind, "text": text, "check": check_text(&found) }))
}

/// Returns the text that `pods check` writes.
pub(super) fn check_text(found: &Found) -> String {
    let mut text = Vec::new();
    // Writing to a vector cannot fail.
    let _ = found.text(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

pub(super) fn captions(board: &str, pods: &str) -> Result<Value, Refusal> {
    let (board, pods) = (board_of(board)?, pods_of(pods)?);
    let captions: Vec<_> = all_captions(&board, &pods).into_iter().map(CaptionRow::from).collect();
    let check = check_text(&found_together(board.name(), &board, pods.name(), &pods));
    Ok(json!({ "check": check, "captions": captions }))
}
