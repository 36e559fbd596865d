//! Files that are there whole or not at all.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::table::error::TableError;

/// The beginning and the ending of temporary files.
const TEMPORARY: [&str; 2] = [".pods-", ".tmp"];

/// Returns `true` if this is the name of a temporary file in the folder of a build.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(TEMPORARY[1].as_bytes()) && {
        let mark = TEMPORARY[0].as_bytes();
        name.windows(mark.len()).any(|window| window == mark)
    }
}

/// Writes a file, or nothing: to a temporary file in `build_folder` first, a folder of the same
/// file system, which takes the name when it is complete and on disk.
pub(super) fn write_atomically(
    path: &Path,
    build_folder: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let io = TableError::io(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY[0]).suffix(TEMPORARY[1]);
    // Readable as any other new file, not private as temporary files are.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(build_folder).map_err(&io)?;
    let mut buffer = BufWriter::with_capacity(1 << 20, file.as_file_mut());
    write(&mut buffer)?;
    buffer.flush().map_err(&io)?;
    drop(buffer);
    file.as_file().sync_all().map_err(&io)?;
    file.persist(path).map_err(|e| io(e.error))?;
    // The name is on disk when the folder is; where folders cannot be opened, that is up to the
    // system.
    let _ = fs::File::open(folder).and_then(|f| f.sync_all());
    Ok(())
}
