//! Options shared by commands that write files.

use std::io::{self, Write};
use std::path::Path;

use super::failure::{CommandResult, Exit, Failure};
use crate::files::{Destination, Inputs, Judge, Output, OutputError, Overwrite};

/// The argument that lets a command replace what it would keep.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ForceArg {
    /// Overwrite also what is protected otherwise: read-only files, files that the command reads,
    /// files of another kind or setup, certificates that prove more
    #[arg(long)]
    force: bool,
}

impl ForceArg {
    /// Returns `true` if what would be kept may be replaced.
    pub(super) fn is_given(self) -> bool {
        self.force
    }

    /// Returns a file to be written, looked at before the work begins.
    pub(super) fn output<'a>(
        self,
        path: &Path,
        inputs: &'a Inputs,
        judge: &'a Judge<'a>,
    ) -> Result<Output<'a>, Failure> {
        Ok(Output::new(path, Overwrite { force: self.force, inputs, judge })?)
    }

    /// Returns a folder for files with fixed names.
    pub(super) fn folder<'a>(self, folder: &'a Path, inputs: &'a Inputs) -> Destination<'a> {
        Destination { folder, force: self.force, inputs }
    }
}

/// Writer of the answer of a command that goes on whatever becomes of it, such as a broken pipe. It
/// never fails, so that files are finished and discrepancies found.
pub(super) struct Aside<'a> {
    out: &'a mut dyn Write,
    failed: io::Result<()>,
}

impl<'a> Aside<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Aside<'a> {
        Aside { out, failed: Ok(()) }
    }

    /// Returns the result of the command, in which an answer that could not be written is an error.
    pub(super) fn end(self, result: CommandResult) -> CommandResult {
        match result {
            Ok(Exit::Good) => Ok(self.failed.map(|()| Exit::Good)?),
            other => other,
        }
    }
}

impl Write for Aside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_ok() {
            self.failed = self.out.write_all(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed.is_ok() {
            self.failed = self.out.flush();
        }
        Ok(())
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Failure {
        let way_out = match error.yields_to_force() {
            true => "; name another file, or replace this one with --force",
            false => "",
        };
        Failure::wrong(format_args!("{error}{way_out}"))
    }
}
