//! Destination of a report: its format, the folder of its files, or the file of its page.

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::answer::Checked;
use crate::cli::failure::Failure;
use crate::cli::format::{ReportFormat, json_rows};
use crate::cli::outputs::ForceArg;
use crate::files::{Destination, Inputs, Output, Record, sha256_hex, write_rows};
use crate::report::page::About;
use crate::report::{
    BalanceRow, Cited, Input, Manifest, NamedSetup, Origins, like_csv_about, like_manifest, like_page_about, like_svg,
    material_text,
};

/// Format and files, as typed.
#[derive(Debug, clap::Args)]
pub(super) struct TargetArgs {
    /// Format of the report [default: text on a terminal, else csv]
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,

    /// Write the report into this folder too: CSV files, a manifest, and the page of --format html.
    /// A name that ends in .html means the page alone
    #[arg(long, value_name = "DIR|FILE.html")]
    out: Option<PathBuf>,

    /// Name this commit in the manifest
    #[arg(long, value_name = "HASH", requires = "out")]
    commit: Option<String>,

    #[command(flatten)]
    pub(super) force: ForceArg,
}

/// Destination of a report about some setups. Its files are named after it.
pub(super) struct Target<'a> {
    args: &'a TargetArgs,
    name: &'static str,
    inputs: Inputs,
    setups: &'a [NamedSetup],
}

#[derive(Serialize)]
struct WithMore<M> {
    #[serde(flatten)]
    manifest: Manifest,
    #[serde(flatten)]
    more: M,
}

#[derive(Serialize)]
pub(super) struct NoMore {}

/// Returns `true` if a path of --out is that of a page, not of a folder.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm"))
}

/// Returns the command as pages and manifests have it.
pub(in crate::cli) fn command() -> String {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

impl TargetArgs {
    pub(in crate::cli) fn has_files(&self) -> bool {
        self.out.is_some()
    }

    /// Returns the format: text on a terminal, CSV elsewhere, unless one was asked for.
    pub(super) fn format(&self) -> ReportFormat {
        let default = if std::io::stdout().is_terminal() { ReportFormat::Text } else { ReportFormat::Csv };
        self.format.unwrap_or(default)
    }

    pub(super) fn wants_page(&self) -> bool {
        self.format == Some(ReportFormat::Html)
    }

    pub(super) fn typed_format(&self) -> Option<ReportFormat> {
        self.format
    }

    fn page_file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| self.wants_page() && is_page(path))
    }

    fn folder(&self) -> Option<&Path> {
        self.out.as_deref().filter(|_| self.page_file().is_none())
    }

    /// Returns the destination of a report about some setups, of which the files in `inputs` were
    /// read. Before the work begins it is checked that its files may be written.
    pub(super) fn of<'a, R: Record>(
        &'a self,
        name: &'static str,
        setups: &'a [NamedSetup],
        inputs: Inputs,
    ) -> Result<Target<'a>, Failure> {
        let target = Target { args: self, name, inputs, setups };
        if let Some(path) = self.folder().filter(|folder| is_page(folder)) {
            return Err(Failure::wrong(format_args!(
                "--out {} names a page: add --format html, or name a folder",
                path.display()
            )));
        }
        if let Some(file) = self.page_file() {
            self.force.output(file, &target.inputs, &like_page_about(setups))?;
        }
        if let Some(to) = target.folder() {
            to.output(&format!("{name}.csv"), &like_csv_about::<R>(setups))?;
            to.output(&format!("{name}.manifest.json"), &like_manifest)?;
            if self.wants_page() {
                to.output(&format!("{name}.html"), &like_page_about(setups))?;
            }
        }
        Ok(target)
    }
}

impl Target<'_> {
    pub(super) fn setups(&self) -> &[NamedSetup] {
        self.setups
    }

    pub(super) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    pub(super) fn folder(&self) -> Option<Destination<'_>> {
        Some(self.args.force.folder(self.args.folder()?, &self.inputs))
    }

    /// Returns what became of the files, as words behind those about a report that was interrupted.
    pub(super) fn unsaved(&self) -> &'static str {
        if self.args.has_files() { "; nothing was written to --out" } else { "" }
    }

    /// Makes the page if one is wanted, and writes it if it does not go into a folder.
    pub(super) fn page(
        &self,
        origins: &Origins,
        (there, wanted, stopped): (usize, usize, bool),
        out: &mut dyn Write,
        make: impl FnOnce(About<'_>) -> String,
    ) -> Result<Option<String>, Failure> {
        if !self.args.wants_page() {
            return Ok(None);
        }
        let (command, interrupted) = (command(), stopped.then_some((there, wanted)));
        let (commit, setups) = (self.args.commit.as_deref(), self.setups);
        let page = make(About { commit, interrupted, setups, ..About::new(&command, origins) });
        match self.args.page_file().filter(|_| !stopped) {
            Some(file) => {
                let judge = like_page_about(setups);
                self.args.force.output(file, &self.inputs, &judge)?.write_bytes(page.as_bytes())?
            }
            // What is known when somebody interrupts is shown, and no file is written.
            None if stopped || self.args.folder().is_none() => out.write_all(page.as_bytes())?,
            None => {}
        }
        Ok(Some(page))
    }

    /// Writes the rows of a report to standard output, unless it is a page.
    pub(super) fn show<R: Record>(
        &self,
        out: &mut dyn Write,
        records: impl IntoIterator<Item = R>,
        text: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self.args.format() {
            ReportFormat::Html => Ok(()),
            ReportFormat::Csv => Ok(write_rows(out, true, records)?),
            ReportFormat::Json => json_rows(out, records),
            ReportFormat::Text => text(out),
        }
    }

    /// Writes the rows, their page if there is one, and their manifest into the folder, if there is
    /// one; `facts` are those that only the rows know.
    pub(super) fn save<R: Record>(
        &self,
        rows: impl IntoIterator<Item = R>,
        page: Option<&str>,
        facts: Manifest,
        more: impl Serialize,
    ) -> Result<(), Failure> {
        let Some(to) = self.folder() else { return Ok(()) };
        let write = |end: &str, file: Output<'_>, bytes: &[u8]| {
            file.write_bytes(bytes)?;
            Ok::<_, Failure>(Cited { file: format!("{}.{end}", self.name), sha256: sha256_hex(bytes) })
        };
        let judge = like_page_about(self.setups);
        let html = |page: &str| write("html", to.output(&format!("{}.html", self.name), &judge)?, page.as_bytes());
        let page = page.map(html).transpose()?;
        let mut csv = Vec::new();
        write_rows(&mut csv, true, rows)?;
        let judge = like_csv_about::<R>(self.setups);
        let csv = write("csv", to.output(&format!("{}.csv", self.name), &judge)?, &csv)?;
        let manifest = Manifest {
            format: "pods-manifest".to_owned(),
            version: 1,
            program: format!("pods {}", env!("CARGO_PKG_VERSION")),
            command: format!("pods {}", command()),
            commit: self.args.commit.clone(),
            inputs: materials(self.setups)?,
            result: csv.file,
            sha256: csv.sha256,
            page,
            ..facts
        };
        let json = serde_json::to_string_pretty(&WithMore { manifest, more }).map_err(Failure::wrong)? + "\n";
        let file = to.output(&format!("{}.manifest.json", self.name), &like_manifest)?;
        Ok(file.write_bytes(json.as_bytes())?)
    }
}

pub(super) fn write_picture(to: Destination<'_>, name: &str, picture: &str) -> Result<Cited, Failure> {
    to.output(name, &like_svg)?.write_bytes(picture.as_bytes())?;
    Ok(Cited { file: name.to_owned(), sha256: sha256_hex(picture.as_bytes()) })
}

/// Returns the different texts, without the empty one, in their order.
pub(super) fn different(texts: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for text in texts.into_iter().map(Into::into) {
        if !text.is_empty() && !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}

/// Returns the rules of some setups, each once, in their order.
pub(super) fn rule_names(setups: &[NamedSetup]) -> Vec<String> {
    different(setups.iter().map(|setup| setup.rules().to_string()))
}

/// Returns the methods of some rows, and the checks of their values.
pub(super) fn checks<'r>(rows: impl IntoIterator<Item = &'r BalanceRow> + Clone) -> (Vec<String>, Vec<String>) {
    let methods = different(rows.clone().into_iter().map(BalanceRow::method));
    (methods, different(rows.into_iter().filter_map(|row| row.verified).map(Checked::name)))
}

/// Returns the boards and pods of some setups.
fn materials(setups: &[NamedSetup]) -> Result<Vec<Input>, Failure> {
    let mut inputs: Vec<Input> = Vec::new();
    for name in setups.iter().flat_map(|setup| [setup.board(), setup.pods()]) {
        let shown = name.to_string_lossy();
        if inputs.iter().all(|input| input.name != shown) {
            let (text, source) = material_text(name).map_err(Failure::wrong)?;
            inputs.push(Input { name: shown.into_owned(), sha256: sha256_hex(text.as_bytes()), source });
        }
    }
    Ok(inputs)
}
