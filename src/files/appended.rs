//! Files of lines to which lines are only ever appended, so that a run that was killed can continue
//! where it ended.
//!
//! Such a file begins with a head that says which run it belongs to. Each group of lines is written
//! with one call. On opening, a last line that is torn is cut off, and so are a group that is not
//! whole and a closing line; everything else that does not fit is an error, and nothing is changed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::error::OutputError;
use super::identity::Inputs;
use super::lock::lock_now;
use super::output::{Output, Overwrite};

/// Reasons why a file of lines cannot be continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendedError {
    /// The path may not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is larger than such a file gets.
    #[error("it has more than {0} bytes: name another file, or move this one away")]
    Huge(u64),
    /// Another run has it open.
    #[error("another run writes to it: wait for its end, or name another file")]
    Locked,
    /// It does not begin as such a file does.
    #[error("it is no file of {0} of this report: name another file, or move this one away")]
    OfAnotherKind(&'static str),
    /// A line is damaged, and it is not the last one.
    #[error("line {0} is damaged: cut the file off before that line, and the rest is made again")]
    Damaged(usize),
    /// A line does not belong to this run.
    #[error(
        "line {0} belongs to a run with other setups, limits or seeds: ask for the same again, name another file, or \
         move this one away"
    )]
    Foreign(usize),
    /// There are more lines than this run has.
    #[error(
        "it has more {0} than this run makes: ask for at least as many as before, name another file, or move this one away"
    )]
    Longer(&'static str),
}

#[derive(Debug)]
pub(crate) enum Read<T> {
    /// A line as this run would have written it.
    Own(T),
    /// Something that cannot be read.
    Damaged,
    /// Something that another run has written.
    Foreign,
    /// A line more than this run has.
    Beyond,
    /// The closing line of a file; it is cut off, since lines may follow.
    Closing,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind<'a> {
    /// Word for its lines, such as "rows".
    pub lines: &'static str,
    /// First bytes of every file of the kind, whatever the run.
    pub beginning: &'a [u8],
    /// First line of the file in this run, with its line feed.
    pub head: &'a [u8],
    /// The most bytes that such a file has.
    pub most: u64,
    /// Number of lines belong together, at least 1.
    pub group: usize,
}

/// A file of lines, open at its end.
#[derive(Debug)]
pub(crate) struct Appended {
    file: File,
}

impl Appended {
    /// Opens a file and returns the results of `read` for the lines behind its head, each with its
    /// line feed. Creates the file, and its folder, if they are missing. Refuses the files in
    /// `inputs`, devices and read-only files.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is in use, damaged, or not of this run. Its lines are
    /// unchanged then.
    pub(crate) fn open<T>(
        path: &Path,
        inputs: &Inputs,
        kind: Kind<'_>,
        mut read: impl FnMut(&[u8]) -> Read<T>,
    ) -> Result<(Appended, Vec<T>), AppendedError> {
        let Kind { lines, beginning, head, most, group } = kind;
        let mut file = locked(path, inputs, false)?;
        let mut bytes = Vec::new();
        if (&file).take(most + 1).read_to_end(&mut bytes)? as u64 > most {
            return Err(AppendedError::Huge(most));
        }
        let Some(behind_head) = end_of_head(&bytes, head) else {
            if !head.starts_with(&bytes) {
                let same_kind = bytes.starts_with(beginning) && beginning.len() < head.len();
                let first =
                    1 + bytes.iter().zip(head).take_while(|(a, b)| a == b).filter(|(a, _)| **a == b'\n').count();
                return Err(if same_kind {
                    AppendedError::Foreign(first)
                } else {
                    AppendedError::OfAnotherKind(lines)
                });
            }
            file.set_len(0)?;
            file.write_all(head)?;
            return Ok((Appended { file }, Vec::new()));
        };
        let in_head = head.iter().filter(|&&byte| byte == b'\n').count();
        // Behind the head, and behind the last whole group.
        let (mut found, mut at, mut whole) = (Vec::new(), behind_head, behind_head);
        while at < bytes.len() {
            let number = in_head + found.len() + 1;
            let end = bytes[at..].iter().position(|&byte| byte == b'\n').map(|end| at + end + 1);
            match end.map_or(Read::Damaged, |end| read(&bytes[at..end])) {
                Read::Own(line) => found.push(line),
                Read::Foreign => return Err(AppendedError::Foreign(number)),
                Read::Beyond => return Err(AppendedError::Longer(lines)),
                // A kill tears the last line at most.
                Read::Damaged | Read::Closing if end.is_some_and(|end| end < bytes.len()) => {
                    return Err(AppendedError::Damaged(number));
                }
                Read::Damaged | Read::Closing => break,
            }
            at = end.unwrap_or(bytes.len());
            if found.len().is_multiple_of(group) {
                whole = at;
            }
        }
        found.truncate(found.len() - found.len() % group);
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok((Appended { file }, found))
    }

    /// Begins a file anew with its head, whatever stands there. Creates the file, and its folder,
    /// if they are missing. Refuses devices.
    pub(crate) fn anew(path: &Path, inputs: &Inputs, head: &[u8]) -> Result<Appended, AppendedError> {
        let mut file = locked(path, inputs, true)?;
        file.set_len(0)?;
        file.write_all(head)?;
        Ok(Appended { file })
    }

    /// Appends lines, of which each ends with a line feed.
    pub(crate) fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.write_all(lines)
    }

    /// Syncs the file, so that its lines survive a power failure.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Returns the place behind the head of a file that begins with it. In a copy of the file, a
/// carriage return may stand before each line feed.
fn end_of_head(bytes: &[u8], head: &[u8]) -> Option<usize> {
    head.iter().try_fold(0, |at, &byte| {
        let at = if byte == b'\n' && bytes.get(at) == Some(&b'\r') { at + 1 } else { at };
        (bytes.get(at) == Some(&byte)).then_some(at + 1)
    })
}

fn locked(path: &Path, inputs: &Inputs, force: bool) -> Result<File, AppendedError> {
    Output::to_keep(path, Overwrite { force, inputs, judge: &|_| Ok(()) })?;
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    if lock_now(&file)? { Ok(file) } else { Err(AppendedError::Locked) }
}
