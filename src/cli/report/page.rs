//! Destination of the page of `--format html`: a file of its own, beside the other files of a
//! folder, or standard output.

use std::io::Write;
use std::path::Path;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::format::{ReportFormat, json_rows};
use crate::files::Record;
use crate::report::page::About;
use crate::report::{NamedSetup, Origins, like_page_about};

/// Returns `true` if a path of --out is that of a page, not of a folder.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm"))
}

/// Returns the command as pages and manifests have it.
pub(in crate::cli) fn command() -> String {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

impl Args {
    pub(super) fn wants_page(&self) -> bool {
        self.format == Some(ReportFormat::Html)
    }

    /// Returns the page's own file.
    pub(super) fn page_file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| self.wants_page() && is_page(path))
    }

    /// Returns the folder of --out.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.out.as_deref().filter(|_| self.page_file().is_none())
    }

    /// Checks that a name of --out that ends as that of a page is one.
    pub(super) fn names_a_page_or_a_folder(&self) -> Result<(), Failure> {
        match self.folder().filter(|folder| is_page(folder)) {
            None => Ok(()),
            Some(path) => Err(Failure::wrong(format_args!(
                "--out {} names a page: add --format html, or name a folder",
                path.display()
            ))),
        }
    }

    /// Checks before the work begins that the page may be written.
    pub(super) fn may_write_page(&self, name: &str, setups: &[NamedSetup]) -> Result<(), Failure> {
        let inputs = self.inputs();
        match (self.page_file(), self.folder()) {
            (Some(file), _) => self.force.output(file, &inputs, &like_page_about(setups)).map(drop),
            (_, Some(folder)) if self.wants_page() => {
                self.force.folder(folder, &inputs).output(&format!("{name}.html"), &like_page_about(setups))?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Makes the page if one is wanted, and writes it if it does not go into a folder.
    pub(super) fn page(
        &self,
        origins: &Origins,
        setups: &[NamedSetup],
        (there, wanted, stopped): (usize, usize, bool),
        out: &mut dyn Write,
        make: impl FnOnce(About<'_>) -> String,
    ) -> Result<Option<String>, Failure> {
        if !self.wants_page() {
            return Ok(None);
        }
        let (command, interrupted) = (command(), stopped.then_some((there, wanted)));
        let about = About { commit: self.commit.as_deref(), interrupted, setups, ..About::new(&command, origins) };
        let page = make(about);
        match self.page_file().filter(|_| !stopped) {
            Some(file) => {
                self.force.output(file, &self.inputs(), &like_page_about(setups))?.write_bytes(page.as_bytes())?
            }
            // What is known when somebody interrupts is shown, and no file is written.
            None if stopped || self.folder().is_none() => out.write_all(page.as_bytes())?,
            None => {}
        }
        Ok(Some(page))
    }

    /// Writes the rows of a report, unless it is a page.
    pub(super) fn write_rows<R: Record>(
        &self,
        out: &mut dyn Write,
        csv: &[u8],
        records: impl IntoIterator<Item = R>,
        text: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self.format() {
            ReportFormat::Html => Ok(()),
            ReportFormat::Csv => Ok(out.write_all(csv)?),
            ReportFormat::Json => json_rows(out, records),
            ReportFormat::Text => text(out),
        }
    }
}
