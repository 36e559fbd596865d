//! The argument that names a folder of tables.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::terminal::note;
use crate::files::hex;
use crate::material::Side;
use crate::report::{BalanceRow, Cited};
use crate::solver::Method;
use crate::table::{AnswerError, Tablebase};

/// Names the folder for all commands.
const VARIABLE: &str = "PODS_TABLES";

/// The folder as it was typed.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TablesArg {
    /// Look positions up in the tables of this folder, made by `pods table build`, before solving
    /// them [env: PODS_TABLES]
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
}

impl TablesArg {
    /// Opens the tables, once for the run. An empty variable counts as unset.
    pub(super) fn open(&self) -> Result<Option<Tablebase>, Failure> {
        if let Some(folder) = &self.tables {
            return Ok(Some(noted(Tablebase::open(folder)?)));
        }
        let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) else { return Ok(None) };
        let opened = Tablebase::open(Path::new(&folder)).map_err(|error| Failure::from(error).at(VARIABLE))?;
        Ok(Some(noted(opened)))
    }
}

/// Notes which files of a folder are named as tables and are none that can be read.
fn noted(tablebase: Tablebase) -> Tablebase {
    for error in tablebase.unreadable() {
        note(format_args!("left out: {error}"));
    }
    tablebase
}

/// Returns the files of the tables in which the values of rows were looked up, each once.
pub(super) fn cited_tables<'a>(
    tablebase: Option<&Tablebase>,
    rows: impl Iterator<Item = &'a BalanceRow>,
) -> Result<Vec<Cited>, Failure> {
    let mut cited: BTreeMap<String, String> = BTreeMap::new();
    let Some(tablebase) = tablebase else { return Ok(Vec::new()) };
    for row in rows.filter(|row| row.used(Method::Table)) {
        let setup = row.setup.setup();
        let start = setup.start(Side::White)?;
        if let Some(file) = tablebase.of(setup.game())?.file_of(&start) {
            let name = file.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Entry::Vacant(place) = cited.entry(name) {
                place.insert(hex(&file.sha256()?));
            }
        }
    }
    Ok(cited.into_iter().map(|(file, sha256)| Cited { file, sha256 }).collect())
}

impl From<AnswerError> for Failure {
    fn from(error: AnswerError) -> Failure {
        match error {
            AnswerError::Table(error) => error.into(),
            AnswerError::Discrepancy(found) => Failure::Discrepancy(found.to_string()),
        }
    }
}
