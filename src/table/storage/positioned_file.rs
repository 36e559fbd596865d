//! Files read and written at given offsets, by several threads at once.

use std::fs::File;
use std::io;
#[cfg(not(unix))]
use std::sync::{Mutex, PoisonError};

/// A file that is read and written at an offset given with each call (pread, pwrite), not at a
/// cursor.
#[derive(Debug)]
pub(in crate::table) struct PositionedFile {
    file: File,
    /// Lock for systems that read only at a cursor: one thread at a time moves it.
    #[cfg(not(unix))]
    turn: Mutex<()>,
}

impl PositionedFile {
    pub(in crate::table) fn new(file: File) -> PositionedFile {
        PositionedFile {
            file,
            #[cfg(not(unix))]
            turn: Mutex::new(()),
        }
    }

    pub(in crate::table) fn file(&self) -> &File {
        &self.file
    }

    #[cfg(unix)]
    pub(in crate::table) fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, at)
    }

    #[cfg(unix)]
    pub(in crate::table) fn write(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, at)
    }

    #[cfg(not(unix))]
    pub(super) fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        (&self.file).seek(SeekFrom::Start(at))?;
        (&self.file).read_exact(bytes)
    }

    #[cfg(not(unix))]
    pub(in crate::table) fn write(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        use std::io::{Seek, SeekFrom, Write};
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        (&self.file).seek(SeekFrom::Start(at))?;
        (&self.file).write_all(bytes)
    }

    pub(in crate::table) fn bytes(&self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        self.read(&mut bytes, at)?;
        Ok(bytes)
    }
}
