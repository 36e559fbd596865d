//! Openings whose winner is known from another run, such as those of `results/solved`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::files::{ReadError, read_bytes, read_text};
use crate::material::{MaterialError, Side};
use crate::report::{NamedSetup, material_text, sha256_hex};

/// The most bytes of a file of openings, or of its manifest.
const MAX_BYTES: u64 = 64 << 20;

/// Winners after openings, from a file of rows with a manifest that names the board and the pods.
/// By default nothing is known.
#[derive(Clone, Debug, Default)]
pub struct KnownOpenings {
    rows: Vec<KnownRow>,
    /// The digests of the board and of the pods.
    materials: [String; 2],
    /// The digest of the file of rows; empty if there is none.
    digest: String,
}

/// A row of the file. Other columns are passed over.
#[derive(Clone, Debug, Deserialize)]
struct KnownRow {
    orientation: u16,
    rules: String,
    opening: String,
    value: Value,
    nodes: u64,
    position: String,
}

/// Value of an opening for White, who plays it.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Value {
    Win,
    Loss,
    Unknown,
}

/// One opening of a file of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownOpening {
    /// The winner.
    pub winner: Side,
    /// The nodes that this took.
    pub nodes: u64,
}

/// The part of a manifest that says what the rows were made from.
#[derive(Deserialize)]
struct Origin {
    result: String,
    sha256: String,
    inputs: Vec<Material>,
}

#[derive(Deserialize)]
struct Material {
    sha256: String,
}

/// Reasons why a file of openings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnownError {
    /// The file, or its manifest, cannot be read.
    #[error("{path}: {cause}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: ReadError,
    },
    /// A row is no row of openings.
    #[error(
        "{path}: {cause}; the columns orientation, rules, opening, value (win, loss or unknown), nodes and position are needed",
        path = path.display()
    )]
    Row {
        /// The file.
        path: PathBuf,
        /// Place and cause.
        cause: csv::Error,
    },
    /// The manifest is none, or that of another file.
    #[error("{path}: {cause}", path = path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
}

impl KnownOpenings {
    /// Reads rows from `NAME.csv`, and their board and pods from `NAME.manifest.json` beside it.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, a row lacks a column, or the manifest is not that of the rows, or
    /// names more than one board and one pod set.
    pub fn read(path: &Path) -> Result<KnownOpenings, KnownError> {
        let unread = |path: &Path| {
            let path = path.to_owned();
            |cause| KnownError::Read { path, cause }
        };
        let bytes = read_bytes(path, MAX_BYTES).map_err(unread(path))?;
        let rows = csv::Reader::from_reader(bytes.as_slice()).deserialize().collect::<Result<_, _>>();
        let rows = rows.map_err(|cause| KnownError::Row { path: path.to_owned(), cause })?;
        let beside = path.with_extension("manifest.json");
        let wrong = |cause: String| KnownError::Manifest { path: beside.clone(), cause };
        let text = read_text(&beside, MAX_BYTES).map_err(unread(&beside))?;
        let origin: Origin = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let digest = sha256_hex(&bytes);
        if path.file_name().is_none_or(|name| name != origin.result.as_str()) || digest != origin.sha256 {
            return Err(wrong(format!("is not the manifest of {}: its name or digest differs", path.display())));
        }
        let materials = origin.inputs.into_iter().map(|material| material.sha256).collect::<Vec<_>>().try_into();
        let materials = materials.map_err(|_| wrong("does not name one board and one pod set as inputs".to_owned()))?;
        Ok(KnownOpenings { rows, materials, digest })
    }

    /// Returns the digest of the file of rows; empty if there is none.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the known winners of a setup, by opening and the position after it; none if the rows
    /// are about another board or other pods.
    ///
    /// # Errors
    ///
    /// If the setup's board or pod file cannot be read.
    pub(crate) fn of(&self, setup: &NamedSetup) -> Result<impl Fn(&str, &str) -> Option<KnownOpening>, MaterialError> {
        let digest = |name| Ok::<_, MaterialError>(sha256_hex(material_text(name)?.0.as_bytes()));
        let about = !self.rows.is_empty() && self.materials == [digest(setup.board())?, digest(setup.pods())?];
        let (orientation, rules) = (setup.orientation().degrees(), setup.rules().to_string());
        Ok(move |opening: &str, position: &str| {
            let same = |row: &&KnownRow| {
                (row.orientation, row.rules.as_str(), row.opening.as_str(), row.position.as_str())
                    == (orientation, rules.as_str(), opening, position)
            };
            let row = self.rows.iter().filter(|_| about).find(same)?;
            let winner = match row.value {
                Value::Win => Side::White,
                Value::Loss => Side::Black,
                Value::Unknown => return None,
            };
            Some(KnownOpening { winner, nodes: row.nodes })
        })
    }
}
