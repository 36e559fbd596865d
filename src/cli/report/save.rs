//! Files of a report: its result, the manifest of that, and its page.

use std::path::Path;

use serde::Serialize;

use super::{Args, page};
use crate::answer::Checked;
use crate::cli::failure::Failure;
use crate::files::{Destination, Record};
use crate::report::{
    BalanceRow, Cited, Input, Manifest, NamedSetup, like_csv_about, like_manifest, like_page_about, like_svg,
    material_text, sha256_hex,
};

/// Facts of a manifest that only the rows know.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) rules: Vec<String>,
    pub(super) methods: Vec<String>,
    pub(super) verified: Vec<String>,
    pub(super) rows: usize,
    pub(super) certificates: Vec<Cited>,
    pub(super) tables: Vec<Cited>,
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

/// Returns the methods of some rows, and the checks of their values.
pub(super) fn checks<'r>(rows: impl IntoIterator<Item = &'r BalanceRow> + Clone) -> (Vec<String>, Vec<String>) {
    let methods = different(rows.clone().into_iter().map(BalanceRow::method));
    (methods, different(rows.into_iter().filter_map(|row| row.verified).map(Checked::name)))
}

/// Returns the boards and pods of some setups.
fn inputs(setups: &[NamedSetup]) -> Result<Vec<Input>, Failure> {
    let mut inputs: Vec<Input> = Vec::new();
    for name in setups.iter().flat_map(|setup| [setup.board(), setup.pods()]) {
        if inputs.iter().all(|input| input.name != name) {
            let (text, source) = material_text(name).map_err(Failure::wrong)?;
            inputs.push(Input { name: name.to_owned(), sha256: sha256_hex(text.as_bytes()), source });
        }
    }
    Ok(inputs)
}

/// Writes a page about some setups into a folder.
pub(super) fn write_beside(
    to: Destination<'_>,
    name: &str,
    page: &str,
    setups: &[NamedSetup],
) -> Result<Cited, Failure> {
    to.output(name, &like_page_about(setups))?.write_bytes(page.as_bytes())?;
    Ok(Cited { file: name.to_owned(), sha256: sha256_hex(page.as_bytes()) })
}

/// Writes a picture into a folder.
pub(super) fn write_picture(to: Destination<'_>, name: &str, picture: &str) -> Result<Cited, Failure> {
    to.output(name, &like_svg)?.write_bytes(picture.as_bytes())?;
    Ok(Cited { file: name.to_owned(), sha256: sha256_hex(picture.as_bytes()) })
}

/// Returns the rules of some setups, each once, in their order.
pub(super) fn rule_names(setups: &[NamedSetup]) -> Vec<String> {
    different(setups.iter().map(|setup| setup.rules().to_string()))
}

/// Returns the manifest of a result: what was asked for, what it was made from, and the digest of
/// its file.
pub(super) fn manifest(
    args: &Args,
    setups: &[NamedSetup],
    seed: Option<u64>,
    (result, bytes): (&str, &[u8]),
    page: Option<Cited>,
    facts: Facts,
) -> Result<Manifest, Failure> {
    Ok(Manifest {
        format: "pods-manifest".to_owned(),
        version: 1,
        program: format!("pods {}", env!("CARGO_PKG_VERSION")),
        command: format!("pods {}", page::command()),
        commit: args.commit.clone(),
        rules: facts.rules,
        seed,
        methods: facts.methods,
        verified: facts.verified,
        inputs: inputs(setups)?,
        result: result.to_owned(),
        rows: facts.rows,
        sha256: sha256_hex(bytes),
        page,
        certificates: facts.certificates,
        tables: facts.tables,
    })
}

/// Writes a report, its manifest, and its page if there is one, into a folder.
pub(super) fn save<R: Record>(
    args: &Args,
    folder: &Path,
    name: &str,
    setups: &[NamedSetup],
    facts: Facts,
    csv: &[u8],
    page: Option<&str>,
) -> Result<(), Failure> {
    let read = args.inputs();
    let to = args.force.folder(folder, &read);
    let page = page.map(|page| write_beside(to, &format!("{name}.html"), page, setups)).transpose()?;
    let result = format!("{name}.csv");
    let manifest = manifest(args, setups, None, (&result, csv), page, facts)?;
    to.output(&result, &like_csv_about::<R>(setups))?.write_bytes(csv)?;
    write_manifest(to, name, &manifest)
}

/// Writes the manifest of a report, when its files are written.
pub(super) fn write_manifest(to: Destination<'_>, name: &str, manifest: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(manifest).map_err(Failure::wrong)? + "\n";
    Ok(to.output(&format!("{name}.manifest.json"), &like_manifest)?.write_bytes(json.as_bytes())?)
}
