//! Files written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, MaterialError, find_board, find_pods};

/// Writes files into a folder, which is made if it is not there. Each is written beside its place, synced and renamed, so
/// that a reader never meets half a file.
///
/// # Errors
///
/// If the folder or a file cannot be written; files that were not yet renamed are gone then.
pub fn write_files(folder: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        let mut file = new_file(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(folder.join(name))?;
    }
    Ok(())
}

/// A file without a name yet, in a folder, to be persisted when it is whole; readable by whom other new files are.
pub(crate) fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask takes from it what it takes from any file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// The text of a built-in board or pod set or of a board or pod file, and where its content says that it comes from.
///
/// # Errors
///
/// If there is no such set or file, or it is neither a board nor a pod set.
pub fn material_text(name: &str) -> Result<(String, String), MaterialError> {
    let built_in = BUILTIN_BOARDS.iter().chain(BUILTIN_PODS).find(|(n, _)| *n == name);
    let source = match find_board(name) {
        Ok(board) => board.source().to_owned(),
        Err(as_board) => find_pods(name).map_err(|_| as_board)?.source().to_owned(),
    };
    let text = match built_in {
        Some((_, text)) => (*text).to_owned(),
        None => fs::read_to_string(name).unwrap_or_default(),
    };
    Ok((text, source))
}
