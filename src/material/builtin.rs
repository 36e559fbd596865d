//! The boards and pod sets that come with the program.

use std::ffi::OsStr;
use std::path::Path;

use super::suggest::did_you_mean;
use super::{Board, MaterialError, PodSet, board_from_toml, pods_from_toml, read_board, read_pods};

macro_rules! files {
    ($($name:literal => $file:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../boards/", $file)))),*]
    };
}

/// Names and texts of the built-in board files.
pub const BUILTIN_BOARDS: &[(&str, &str)] = files! {
    "cave16" => "cave16.toml",
    "cave25" => "cave25.toml",
    "cave36" => "cave36.toml",
    "den12" => "den12.toml",
    "lair16" => "lair16.toml",
    "lane8" => "lane8.toml",
    "mirror36" => "mirror36.toml",
    "nook9" => "nook9.toml",
    "ring8" => "ring8.toml",
};

/// Names and texts of the built-in pod files.
pub const BUILTIN_PODS: &[(&str, &str)] = files! {
    "duo" => "duo.pods.toml",
    "four" => "four.pods.toml",
    "mini5" => "mini5.pods.toml",
    "mini7" => "mini7.pods.toml",
    "pods14" => "pods14.toml",
    "snort" => "snort.pods.toml",
    "snort8" => "snort8.pods.toml",
    "trio" => "trio.pods.toml",
};

fn text_of<'t>(files: &[(&str, &'t str)], name: &str) -> Option<&'t str> {
    files.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Returns a built-in board by its name.
///
/// # Panics
///
/// Never: the tests read every built-in board.
#[must_use]
pub fn builtin_board(name: &str) -> Option<Board> {
    text_of(BUILTIN_BOARDS, name).map(|text| board_from_toml(name, text).expect("built-in boards are well formed"))
}

/// Returns a built-in pod set by its name.
///
/// # Panics
///
/// Never: the tests read every built-in pod set.
#[must_use]
pub fn builtin_pods(name: &str) -> Option<PodSet> {
    text_of(BUILTIN_PODS, name).map(|text| pods_from_toml(name, text).expect("built-in pod sets are well formed"))
}

/// Returns the built-in board of this name, or else the board of this file.
///
/// # Errors
///
/// If it is neither, or the file is wrong.
pub fn find_board(name_or_file: impl AsRef<OsStr>) -> Result<Board, MaterialError> {
    let name = name_or_file.as_ref();
    match name.to_str().and_then(builtin_board) {
        Some(board) => Ok(board),
        None => read_board(existing(name, "board", BUILTIN_BOARDS, BUILTIN_PODS)?),
    }
}

/// Returns the built-in pod set of this name, or else the pod set of this file.
///
/// # Errors
///
/// If it is neither, or the file is wrong.
pub fn find_pods(name_or_file: impl AsRef<OsStr>) -> Result<PodSet, MaterialError> {
    let name = name_or_file.as_ref();
    match name.to_str().and_then(builtin_pods) {
        Some(pods) => Ok(pods),
        None => read_pods(existing(name, "pod set", BUILTIN_PODS, BUILTIN_BOARDS)?),
    }
}

/// Returns the path of the file with this name, if there is one; else an error that names the
/// built-in sets. `others` are the built-in sets of the other kind.
fn existing<'a>(
    name: &'a OsStr,
    what: &str,
    built_in: &[(&str, &str)],
    others: &[(&str, &str)],
) -> Result<&'a Path, MaterialError> {
    let path = Path::new(name);
    if path.exists() {
        return Ok(path);
    }
    let name = &*name.to_string_lossy();
    let names: Vec<&str> = built_in.iter().map(|(n, _)| *n).collect();
    let other = if text_of(others, name).is_some() {
        let kind = if what == "board" { "a set of pods" } else { "a board" };
        format!(" ({name} is {kind})")
    } else {
        did_you_mean(name, names.iter().copied())
    };
    let names = names.join(", ");
    Err(MaterialError::new(name, format!("neither a file nor a built-in {what}; built in are: {names}{other}")))
}
