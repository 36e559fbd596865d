//! Checks oracle sets: every line is derived again with the reference engine.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::export::{ExportError, GENERATOR, MANIFEST, MAX_MANIFEST, POSITIONS, POSITIONS_ZST, Spec, generate};
use super::kinds::KINDS;
use super::line::Line;
use super::manifest::{FORMAT, FORMAT_VERSION, KindCount, NOTES, OracleManifest};
use super::protocol::LINE_LIMIT;
use crate::engine::Reference;
use crate::files::{hex, read_line, read_text, without_bom};
use crate::progress::{Observer, Phase, report};
use crate::table::{TableError, Tablebase};

/// Reasons why a set is refused.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A file cannot be read, or is not a manifest of this format.
    #[error("{}: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason.
        cause: String,
    },
    /// The manifest contradicts the lines.
    #[error("{}: {cause}", file.display())]
    Manifest {
        /// The file.
        file: PathBuf,
        /// The cause.
        cause: String,
    },
    /// A line is wrong or missing, or the lines are not those that were written.
    #[error("{}, line {line}: {cause}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The cause, and what may have happened.
        cause: String,
    },
    /// The check was ended early.
    #[error("{}: the first {lines} of {all} positions are as the rules say", file.display())]
    Stopped {
        /// The file.
        file: PathBuf,
        /// The lines that were checked.
        lines: u64,
        /// All lines.
        all: u64,
    },
}

/// Checks an oracle set and returns its manifest. Each line is compared with the reference engine,
/// and all together with the manifest. The observer is told the number of lines checked and of all
/// lines, after each line, and may end the check. A set that was made with tables needs them again:
/// its values may be out of a solver's reach under the manifest's limit.
///
/// # Errors
///
/// The first fault, with its line; or [`CheckError::Stopped`], if the observer ended the check.
pub fn check(folder: &Path, tables: Option<&Tablebase>, observer: &dyn Observer) -> Result<OracleManifest, CheckError> {
    let manifest = read_manifest(&folder.join(MANIFEST))?;
    let unreadable = |file: PathBuf, cause: String| CheckError::Unreadable { file, cause };
    let setup = manifest.game.setup().map_err(|cause| unreadable(folder.join(MANIFEST), cause))?;
    let (seed, count, solve) = (manifest.seed, manifest.count, manifest.solve);
    let game = setup.game().clone();
    let spec = Spec { setup, seed, count, solve };
    let file = folder.join(&manifest.positions.file);
    let wrong = |line: u64, cause: String| CheckError::Wrong { file: file.clone(), line, cause };
    let mut source = Source::open(file.clone(), &manifest)?;
    let damaged = |error: TableError| unreadable(file.clone(), error.to_string());
    let mut prober = tables.map(|tablebase| tablebase.of(&game)).transpose().map_err(damaged)?;
    let reference = Reference::new(game);
    let mut kinds = BTreeMap::<String, u64>::new();
    let mut first: Vec<Line> = Vec::new();
    while let Some(line) = source.next_line()? {
        let (number, lines) = (source.number, source.lines);
        if line.number != number {
            let cause = format!("it says that it is line {}; lines were taken out, repeated or reordered", line.number);
            return Err(wrong(number, cause));
        }
        line.verify(&reference, manifest.solve, prober.as_mut()).map_err(|error| wrong(number, error.to_string()))?;
        if line.text() != source.text {
            return Err(wrong(number, "it is not written as this program writes it: other blanks or order".to_owned()));
        }
        *kinds.entry(line.kind.clone()).or_default() += 1;
        if first.len() < OF_THE_SEED {
            first.push(line);
        }
        if report(observer, Phase::Check, number, Some(lines)).is_err() && number < lines {
            return Err(CheckError::Stopped { file, lines: number, all: lines });
        }
    }
    let (number, sha256) = (source.number, source.sha256());
    if sha256 != manifest.positions.sha256 {
        return Err(altered(&spec, tables, &file, number));
    }
    judge(&manifest, &spec, &kinds).map_err(|cause| CheckError::Manifest { file: folder.join(MANIFEST), cause })?;
    if manifest.kinds.iter().all(|kind| kind.positions != manifest.count) {
        // That is right only if no kind came up often enough. The set drawn again from its seed
        // decides.
        let mut hash = Sha256::new();
        let kinds = redrawn(&spec, tables, &mut |line| {
            hash.update(line.text().as_bytes());
            hash.update(b"\n");
            true
        });
        let kinds = kinds.map_err(|error| unreadable(file.clone(), error.to_string()))?;
        if hex(&hash.finalize()) != sha256 || kinds.continue_value().as_ref() != Some(&manifest.kinds) {
            let cause = format!("count is {}, and no kind has that number of positions", manifest.count);
            return Err(CheckError::Manifest { file: folder.join(MANIFEST), cause });
        }
    }
    if let Some(line) = not_of_the_seed(&manifest, &spec, tables, &first)
        .map_err(|error| unreadable(folder.join(MANIFEST), error.to_string()))?
    {
        let cause = format!("seed is {}, which does not give line {line}: it was altered", manifest.seed);
        return Err(CheckError::Manifest { file: folder.join(MANIFEST), cause });
    }
    Ok(manifest)
}

/// Compares the manifest with the one that this program would write for these lines.
fn judge(manifest: &OracleManifest, spec: &Spec, kinds: &BTreeMap<String, u64>) -> Result<(), String> {
    let positions = |kind: &str| kinds.get(kind).copied().unwrap_or_default();
    if let Some(other) = kinds.keys().find(|name| KINDS.iter().all(|kind| kind.0 != name.as_str())) {
        return Err(format!("a line is of the kind {other:?}, and there is no such kind"));
    }
    let wanted: Vec<KindCount> =
        KINDS.iter().map(|kind| KindCount { kind: kind.0.to_owned(), positions: positions(kind.0) }).collect();
    if manifest.kinds != wanted {
        let at = wanted.iter().zip(&manifest.kinds).find(|(wanted, found)| wanted != found);
        let text = |kind: &KindCount| format!("{} with {} positions", kind.kind, kind.positions);
        return Err(match at {
            Some((wanted, found)) => format!("kinds has {} where {} belongs", text(found), text(wanted)),
            None => format!("kinds has {} entries instead of {}", manifest.kinds.len(), wanted.len()),
        });
    }
    if let Some(kind) = wanted.iter().find(|kind| kind.positions > manifest.count) {
        return Err(format!(
            "count is {}, and the kind {} has {} positions",
            manifest.count, kind.kind, kind.positions
        ));
    }
    if manifest.notes != NOTES {
        return Err("the notes are not those of this format".to_owned());
    }
    let name = spec.setup.game().rules().to_string();
    if manifest.rules_name != name {
        return Err(format!("rules_name is {:?}, and the options are those of {name:?}", manifest.rules_name));
    }
    Ok(())
}

/// This number of the first lines is drawn again from the seed of the manifest. With another seed,
/// one of the first three differs.
const OF_THE_SEED: usize = 50;

/// Returns the first line that the seed does not give. `None` also where that is not known: another
/// version of the program may draw otherwise, and without the tables that the set was made with
/// other positions may be solved.
fn not_of_the_seed(
    manifest: &OracleManifest,
    spec: &Spec,
    tables: Option<&Tablebase>,
    first: &[Line],
) -> Result<Option<u64>, ExportError> {
    if manifest.generator != GENERATOR || !manifest.tables.is_empty() && tables.is_none() {
        return Ok(None);
    }
    let mut lines = first.iter();
    let drawn = redrawn(spec, tables, &mut |line| {
        lines.next().is_some_and(|there| (&there.position, &there.kind) == (&line.position, &line.kind))
    })?;
    Ok(match drawn {
        ControlFlow::Break(number) => Some(number).filter(|&number| number <= first.len() as u64),
        // The seed gives fewer lines.
        ControlFlow::Continue(_) => lines.next().map(|there| there.number),
    })
}

/// Draws a set again, as long as its lines are the `same`: the number by kind, or the first line
/// that is not.
fn redrawn(
    spec: &Spec,
    tables: Option<&Tablebase>,
    same: &mut dyn FnMut(&Line) -> bool,
) -> Result<ControlFlow<u64, Vec<KindCount>>, ExportError> {
    let mut other = None;
    let kinds = generate(spec, tables, &mut |line| {
        if same(line) {
            return Ok(());
        }
        other = Some(line.number);
        Err(io::ErrorKind::Interrupted.into())
    });
    match (other, kinds) {
        (Some(number), _) => Ok(ControlFlow::Break(number)),
        (None, kinds) => kinds.map(ControlFlow::Continue),
    }
}

/// Reads a manifest.
///
/// # Errors
///
/// If the file cannot be read, or is not a manifest of this format and version.
pub fn read_manifest(path: &Path) -> Result<OracleManifest, CheckError> {
    let fail = |cause: String| CheckError::Unreadable { file: path.to_owned(), cause };
    let text = read_text(path, MAX_MANIFEST).map_err(|error| fail(error.to_string()))?;
    let manifest: OracleManifest =
        serde_json::from_str(&text).map_err(|error| fail(format!("no manifest of an oracle set: {error}")))?;
    if manifest.format != FORMAT || manifest.version != FORMAT_VERSION {
        let (format, version) = (&manifest.format, manifest.version);
        return Err(fail(format!("it is {format} version {version}, this program reads {FORMAT} {FORMAT_VERSION}")));
    }
    if ![POSITIONS, POSITIONS_ZST].contains(&manifest.positions.file.as_str()) {
        let name = &manifest.positions.file;
        return Err(fail(format!("the file of positions is {POSITIONS} or {POSITIONS_ZST}, not {name:?}")));
    }
    Ok(manifest)
}

/// Reads the lines of an oracle set as they stand there: they are all of the set, but [`check`] says
/// whether they are true.
///
/// # Errors
///
/// If the manifest or the file of positions cannot be read. An item is an error where a line is not
/// one of the format, or is missing, or at the end, if the file is not the one of the manifest;
/// nothing comes after it.
pub fn read_lines(
    folder: &Path,
) -> Result<(OracleManifest, impl Iterator<Item = Result<Line, CheckError>> + use<>), CheckError> {
    let manifest = read_manifest(&folder.join(MANIFEST))?;
    let mut source = Some(Source::open(folder.join(&manifest.positions.file), &manifest)?);
    let sha256 = manifest.positions.sha256.clone();
    let lines = std::iter::from_fn(move || {
        let of = source.as_mut()?;
        let next = match of.next_line() {
            Ok(None) if of.sha256() != sha256 => {
                Err(of.wrong(of.number, "its SHA-256 is not the manifest's: the file was altered".to_owned()))
            }
            next => next,
        };
        if !matches!(next, Ok(Some(_))) {
            source = None;
        }
        next.transpose()
    });
    Ok((manifest, lines))
}

/// The lines of a set, as many as its manifest has.
struct Source {
    file: PathBuf,
    source: Box<dyn BufRead>,
    lines: u64,
    number: u64,
    text: String,
    hash: Sha256,
}

impl Source {
    fn open(file: PathBuf, manifest: &OracleManifest) -> Result<Source, CheckError> {
        let unreadable = |error: io::Error| CheckError::Unreadable { file: file.clone(), cause: error.to_string() };
        let source = open(&file).map_err(unreadable)?;
        let lines = manifest.positions.lines;
        Ok(Source { file, source, lines, number: 0, text: String::new(), hash: Sha256::new() })
    }

    fn wrong(&self, line: u64, cause: String) -> CheckError {
        CheckError::Wrong { file: self.file.clone(), line, cause }
    }

    /// Returns the next line; `None` at the end, if no line is missing.
    fn next_line(&mut self) -> Result<Option<Line>, CheckError> {
        let number = self.number + 1;
        let there = read_line(&mut self.source, LINE_LIMIT, &mut self.text)
            .map_err(|error| self.wrong(number, format!("{error}; the file may be cut off or damaged")))?;
        if !there && self.number < self.lines {
            let cause = format!("it is missing: the manifest has {} lines, the file is cut off", self.lines);
            return Err(self.wrong(number, cause));
        }
        if !there {
            return Ok(None);
        }
        if number > self.lines {
            let cause = format!("the manifest ends with line {}; lines were added or repeated", self.lines);
            return Err(self.wrong(number, cause));
        }
        let line = Line::parse(&self.text).map_err(|error| {
            let cut = if number < self.lines { "" } else { "; the file may be cut off" };
            self.wrong(number, format!("{error}{cut}"))
        })?;
        self.number = number;
        self.hash.update(self.text.as_bytes());
        self.hash.update(b"\n");
        Ok(Some(line))
    }

    /// Returns the SHA-256 of the lines so far.
    fn sha256(&self) -> String {
        hex(&self.hash.clone().finalize())
    }
}

fn open(file: &Path) -> io::Result<Box<dyn BufRead>> {
    let source = File::open(file)?;
    if file.extension().is_some_and(|extension| extension == "zst") {
        return Ok(Box::new(BufReader::new(without_bom(zstd::Decoder::new(source)?))));
    }
    Ok(Box::new(BufReader::new(without_bom(source))))
}

/// Returns the error for a set whose lines are all true but were replaced: it names the first line
/// that the seed does not give.
fn altered(spec: &Spec, tables: Option<&Tablebase>, file: &Path, lines: u64) -> CheckError {
    let sum = "its SHA-256 is not the manifest's";
    let wrong = |line: u64, cause: String| CheckError::Wrong { file: file.to_owned(), line, cause };
    let Ok(mut source) = open(file) else { return wrong(1, format!("{sum}, and it cannot be read again")) };
    let mut text = String::new();
    let drawn = redrawn(spec, tables, &mut |line| {
        matches!(read_line(&mut source, LINE_LIMIT, &mut text), Ok(true)) && text == line.text()
    });
    match drawn {
        Ok(ControlFlow::Break(line)) => {
            wrong(line, format!("{sum}, and this line is not the one that the seed gives: it was altered"))
        }
        Ok(ControlFlow::Continue(_)) => {
            wrong(lines, format!("{sum}, though the seed gives the same lines: the manifest was altered"))
        }
        Err(error) => wrong(lines, format!("{sum}, and the seed gives no lines to compare it with: {error}")),
    }
}
