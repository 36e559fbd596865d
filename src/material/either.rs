//! Files that may hold a board or a set of pods.

use std::ffi::OsStr;
use std::path::Path;

use toml::de::DeTable;

use super::suggest::{did_you_mean, nearest};
use super::{BUILTIN_BOARDS, BUILTIN_PODS, Board, MAX_BYTES, MaterialError, PodSet, board_from_toml, pods_from_toml};
use crate::files::read_text;

/// Content of a board or pod file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Material {
    /// A board.
    Board(Board),
    /// A set of pods.
    Pods(PodSet),
}

impl Material {
    /// Returns the board; `file` is named in the error.
    ///
    /// # Errors
    ///
    /// If it is a pod set.
    pub fn board(self, file: &str) -> Result<Board, MaterialError> {
        match self {
            Material::Board(board) => Ok(board),
            Material::Pods(_) => Err(MaterialError::new(file, "these are pods, not a board")),
        }
    }

    /// Returns the pod set; `file` is named in the error.
    ///
    /// # Errors
    ///
    /// If it is a board.
    pub fn pods(self, file: &str) -> Result<PodSet, MaterialError> {
        match self {
            Material::Pods(pods) => Ok(pods),
            Material::Board(_) => Err(MaterialError::new(file, "this is a board, not pods")),
        }
    }
}

/// Reads a board or a pod set, whichever it is, from the text of a file; `file` is named in errors.
///
/// # Errors
///
/// If the text is neither, with everything that is wrong with it.
pub fn material_from_toml(file: &str, text: &str) -> Result<Material, MaterialError> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let has = |name: &str| table.get_ref().keys().any(|key| key.get_ref() == name);
    let meant = |name: &str| table.get_ref().keys().any(|key| nearest(key.get_ref(), [name]) == [name]);
    if has("points") || !has("pod") && meant("points") {
        board_from_toml(file, text).map(Material::Board)
    } else if meant("pod") {
        pods_from_toml(file, text).map(Material::Pods)
    } else if errors.is_empty() {
        Err(MaterialError::new(file, "neither a board file, which has `points`, nor a pod file, which has [[pod]]"))
    } else {
        // What is not TOML at all is refused by either reader, with the places.
        board_from_toml(file, text).map(Material::Board)
    }
}

/// Returns the built-in board or pod set of this name, or else what this file holds.
///
/// # Errors
///
/// If the name is neither built in nor that of a file, or the file is wrong.
pub fn find_material(name_or_file: impl AsRef<OsStr>) -> Result<Material, MaterialError> {
    let path = Path::new(&name_or_file);
    let name = &*path.to_string_lossy();
    let built_in =
        |files: &[(&str, &'static str)]| files.iter().find(|(built_in, _)| *built_in == name).map(|(_, text)| *text);
    if path.exists() {
        let text = read_text(path, MAX_BYTES).map_err(|e| MaterialError::new(name, e.to_string()))?;
        return material_from_toml(name, &text);
    }
    match built_in(BUILTIN_BOARDS).or_else(|| built_in(BUILTIN_PODS)) {
        Some(text) => material_from_toml(name, text),
        None => {
            let names = BUILTIN_BOARDS.iter().chain(BUILTIN_PODS).map(|(name, _)| *name);
            let near = did_you_mean(name, names);
            Err(MaterialError::new(
                name,
                format!("neither a file nor a built-in board or pod set (see `pods list`){near}"),
            ))
        }
    }
}
