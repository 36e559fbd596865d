//! Files as memory: the one place of the package with `unsafe`.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A file mapped for reading.
///
/// # Why this is sound enough to be safe
///
/// The bytes of a mapped file change when another program writes to it or cuts it short; then a `&[u8]` is not what the
/// language promises, and reading beyond a cut raises a signal. Tables are written to a temporary file and put in place
/// by a rename, never changed afterwards: replacing or removing a table leaves the mapped file as it was. All that is
/// read from the bytes is checked before use (lengths and checksums), and nothing keeps a reference into the mapping
/// across calls. A file that somebody changes in place is outside of what can be guarded against; the same holds for
/// every program that maps files.
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: table files are never changed in place, see above.
    unsafe { Mmap::map(&file) }
}
