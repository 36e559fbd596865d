//! Writes the files that the user names.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use super::error::OutputError;
use super::identity::{FileId, Inputs};
use super::place::{Place, folder_of};
use super::temporary::beside;

/// The most bytes of a file's beginning that a judge sees.
const HEAD: u64 = 1 << 20;

/// The size of the write buffer, in bytes.
const BUFFER: usize = 1 << 20;

/// Judge of a file by its first bytes, at most 1 MiB: may it be replaced without
/// [`Overwrite::force`]? If not, the error says what the file is.
pub type Judge<'a> = dyn Fn(&[u8]) -> Result<(), String> + Sync + 'a;

/// Conditions under which a file may be replaced.
#[derive(Clone, Copy)]
pub struct Overwrite<'a> {
    /// True if to replace a file that would be kept otherwise.
    pub force: bool,
    /// The files that the same command reads; they are not replaced without `force`.
    pub inputs: &'a Inputs,
    /// Decides about a file that exists and is not empty.
    pub judge: &'a Judge<'a>,
}

impl fmt::Debug for Overwrite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Overwrite { force, inputs, .. } = self;
        f.debug_struct("Overwrite").field("force", force).field("inputs", inputs).finish_non_exhaustive()
    }
}

/// Judges a file by its first bytes, for a `Judge`.
///
/// # Errors
///
/// If `head` does not begin with `beginning`; the message says that the file is not `what`.
pub fn like(head: &[u8], beginning: &[u8], what: &str) -> Result<(), String> {
    if head.starts_with(beginning) { Ok(()) } else { Err(format!("it is not {what}")) }
}

/// A folder in which files with fixed names are written.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// The folder, made when the first file is written.
    pub folder: &'a Path,
    /// As in [`Overwrite`].
    pub force: bool,
    /// As in [`Overwrite`].
    pub inputs: &'a Inputs,
}

impl<'a> Destination<'a> {
    /// Returns an output for the file `name` in the folder, checked as by [`Output::new`].
    ///
    /// # Errors
    ///
    /// As [`Output::new`].
    pub fn output(&self, name: &str, judge: &'a Judge<'a>) -> Result<Output<'a>, OutputError> {
        Output::new(&self.folder.join(name), Overwrite { force: self.force, inputs: self.inputs, judge })
    }
}

/// A path to be written, and what may be replaced there.
#[derive(Debug)]
pub struct Output<'a> {
    path: PathBuf,
    overwrite: Overwrite<'a>,
}

impl<'a> Output<'a> {
    /// Checks that the path may be written under these conditions, before any work is done.
    /// Changes nothing.
    ///
    /// # Errors
    ///
    /// If the file would not be written.
    pub fn new(path: &Path, overwrite: Overwrite<'a>) -> Result<Output<'a>, OutputError> {
        let output = Output { path: path.to_owned(), overwrite };
        output.place()?;
        Ok(output)
    }

    /// Creates an output as [`Output::new`], for a file that is read again later: only a plain file
    /// or a free path will do.
    ///
    /// # Errors
    ///
    /// As [`Output::new`], and if the path leads to a device or a FIFO.
    pub fn to_keep(path: &Path, overwrite: Overwrite<'a>) -> Result<Output<'a>, OutputError> {
        let output = Output { path: path.to_owned(), overwrite };
        output.target()?;
        Ok(output)
    }

    /// Returns the path as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the plain file itself, links followed.
    ///
    /// # Errors
    ///
    /// As [`Output::to_keep`].
    pub(crate) fn target(&self) -> Result<PathBuf, OutputError> {
        match self.place()? {
            Place::Plain(path, _) => Ok(path),
            Place::Stream => Err(OutputError::NotPlain(self.path.clone())),
        }
    }

    /// Returns the target of the path if it may be written under these conditions.
    fn place(&self) -> Result<Place, OutputError> {
        let place = Place::of(&self.path)?;
        if let Place::Plain(own, Some(there)) = &place
            && !self.overwrite.force
        {
            self.judge(own, there)?;
        }
        Ok(place)
    }

    /// Checks that a regular file may be replaced.
    fn judge(&self, own: &Path, there: &Metadata) -> Result<(), OutputError> {
        let path = || self.path.clone();
        if FileId::of_metadata(own, there).is_ok_and(|file| self.overwrite.inputs.has(&file)) {
            return Err(OutputError::Input(path()));
        }
        // The superuser may write to it all the same, and should not without a word.
        let writable = || OpenOptions::new().write(true).open(own);
        if there.permissions().readonly() {
            return Err(OutputError::ReadOnly(path()));
        }
        match writable() {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(OutputError::ReadOnly(path()));
            }
            Err(error) => return Err(OutputError::io(&self.path)(error)),
        }
        let mut head = Vec::new();
        let read = File::open(own).and_then(|file| file.take(HEAD).read_to_end(&mut head));
        match read {
            Ok(0) => Ok(()),
            Ok(_) => (self.overwrite.judge)(&head).map_err(|cause| OutputError::Kept(path(), cause)),
            Err(error) => Err(OutputError::Kept(path(), format!("it cannot be read: {error}"))),
        }
    }

    /// Creates a temporary file where the file will be, and removes it: whether that works is known
    /// before the file is written. Does nothing for devices and FIFOs.
    ///
    /// # Errors
    ///
    /// As [`Output::new`], and if the temporary file cannot be created.
    pub fn can_be_written(&self) -> Result<(), OutputError> {
        match self.place()? {
            Place::Plain(path, _) => beside(&path).map(drop).map_err(OutputError::io(&self.path)),
            Place::Stream => Ok(()),
        }
    }

    /// Writes `bytes` as the whole content.
    ///
    /// # Errors
    ///
    /// As [`Output::write`].
    pub fn write_bytes(&self, bytes: &[u8]) -> Result<(), OutputError> {
        self.write(|out| out.write_all(bytes).map_err(OutputError::io(&self.path)))
    }

    /// Writes what `fill` writes. A character device or a FIFO is written into. Any other file is
    /// written whole or not at all: `fill` writes to a temporary file, which is synced and then
    /// renamed. The new file keeps the mode of the one that it replaces, and its owner if the
    /// system allows. The folder of a new file is created.
    ///
    /// # Errors
    ///
    /// If the path may no longer be written by the end, if the file cannot be written, or if `fill`
    /// fails.
    pub fn write<E: From<OutputError>>(&self, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
        let io = OutputError::io(&self.path);
        let Place::Plain(path, there) = self.place()? else {
            let stream = OpenOptions::new().append(true).open(&self.path).map_err(&io)?;
            return self.pour(stream, fill);
        };
        if there.is_none() {
            fs::create_dir_all(folder_of(&path)).map_err(&io)?;
        }
        let mut file = beside(&path).map_err(&io)?;
        self.pour(file.as_file_mut(), fill)?;
        if let Some(there) = there {
            take_after(file.as_file(), &there).map_err(&io)?;
        }
        file.as_file().sync_all().map_err(&io)?;
        // Another program may have put something else there meanwhile.
        self.place()?;
        file.persist(&path).map_err(|e| io(e.error))?;
        sync_folder(&path);
        Ok(())
    }

    /// Puts a finished file in the place of this one, as [`Output::write`] puts its temporary file
    /// there. One of another file system is copied and removed.
    ///
    /// # Errors
    ///
    /// If the path may no longer be written, or leads to no plain file.
    pub(crate) fn adopt(&self, finished: &Path) -> Result<(), OutputError> {
        let io = OutputError::io(&self.path);
        let Place::Plain(path, there) = self.place()? else {
            return Err(OutputError::NotPlain(self.path.clone()));
        };
        let mut file = File::open(finished).map_err(&io)?;
        if let Some(there) = there {
            take_after(&file, &there).map_err(&io)?;
        }
        match fs::rename(finished, &path) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                self.write(|out| io::copy(&mut file, out).map(drop).map_err(&io))?;
                fs::remove_file(finished).map_err(&io)?;
            }
            renamed => renamed.map_err(&io)?,
        }
        sync_folder(&path);
        Ok(())
    }

    fn pour<E: From<OutputError>>(
        &self,
        out: impl Write,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut buffer = BufWriter::with_capacity(BUFFER, out);
        fill(&mut buffer)?;
        Ok(buffer.flush().map_err(OutputError::io(&self.path))?)
    }
}

/// Syncs the folder of a file, since a rename is on disk only then; where folders cannot be opened,
/// that is left to the system.
fn sync_folder(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}

/// Gives a new file the mode of the one that it replaces, and its owner if the system allows.
#[cfg(unix)]
fn take_after(file: &File, there: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (there.uid(), there.gid()) {
        let _ = fchown(file, Some(there.uid()), Some(there.gid()));
    }
    // Last, since a new owner may take bits from the mode.
    file.set_permissions(there.permissions())
}

#[cfg(not(unix))]
fn take_after(file: &File, there: &Metadata) -> io::Result<()> {
    file.set_permissions(there.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_appears_at_a_relative_path_meanwhile_is_replaced_if_it_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let up = std::env::current_dir().unwrap().components().skip(1).map(|_| "..").collect::<PathBuf>();
        let relative = up.join(folder.path().strip_prefix("/").unwrap_or(folder.path())).join("data");
        let inputs = Inputs::default();
        for (judge, replaced) in [(Ok(()), true), (Err("it is another's".to_owned()), false)] {
            let _ = fs::remove_file(&relative);
            let judge = |_: &[u8]| judge.clone();
            let output = Output::new(&relative, Overwrite { force: false, inputs: &inputs, judge: &judge }).unwrap();
            let written = output.write(|out| {
                fs::write(folder.path().join("data"), b"what appears").unwrap();
                out.write_all(b"what is written").map_err(OutputError::io(&relative))
            });
            assert_eq!(written.is_ok(), replaced, "{written:?}");
            let there: &[u8] = if replaced { b"what is written" } else { b"what appears" };
            assert_eq!(fs::read(folder.path().join("data")).unwrap(), there);
        }
    }
}
