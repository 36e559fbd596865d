//! The manifest of an oracle set.

use serde::{Deserialize, Serialize};

use super::record::GameRecord;
use crate::report::Cited;

pub(super) const FORMAT: &str = "pods-oracle";

pub(super) const FORMAT_VERSION: u32 = 1;

/// Content of an oracle set's `manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OracleManifest {
    /// `pods-oracle`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// Board as it lies, pods, rules option by option, hands at the start.
    #[serde(flatten)]
    pub game: GameRecord,
    /// The name of the rule set.
    pub rules_name: String,
    /// Sources of board and pods, in their files' own words.
    pub sources: Vec<String>,
    /// The program and its version.
    pub generator: String,
    /// The seed of the random positions.
    pub seed: u64,
    /// Number of positions of each kind that were wanted.
    pub count: u64,
    /// The most positions that a solver's table could have for a position to be solved; `null` if
    /// none was solved.
    pub solve: Option<u64>,
    /// The files of the tables in which values were looked up, whatever `solve` is; left out if
    /// there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Cited>,
    /// Number of positions of each kind, kind by kind; 0 if none came up.
    pub kinds: Vec<KindCount>,
    /// The file with the positions.
    pub positions: FileRecord,
    /// Notes on what the format leaves open.
    pub notes: Vec<String>,
}

/// Number of positions of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindCount {
    /// The name of the kind.
    pub kind: String,
    /// The number.
    pub positions: u64,
}

/// A file of an oracle set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// Its name; compressed with Zstandard if it ends in `.zst`.
    pub file: String,
    /// The number of its lines.
    pub lines: u64,
    /// The SHA-256 of its text, uncompressed, in lower-case hexadecimal digits.
    pub sha256: String,
}

pub(super) const NOTES: &[&str] = &[
    "Beyond the fields of the format a line has: illegal, some actions that are not legal, each with the clause of the \
     rules that forbids it (the first that it breaks in the order of the clauses); kind, why the position is in the set; \
     number, the number of the line.",
    "value, plies and best are for the side to move and are there where the position was solved; plies is null for a \
     draw. A position without them is unknown, not drawn.",
    "Kinds: opening, middle and ending are positions of random games from the start; set-up is a random set-up; \
     capture-foe, -own, -both and -actor have an action that captures so; blocked has a blocked pod; \
     illegal-Rn has an illegal action charged with clause Rn; trap-nn shows the trap of that number (12 is about whole \
     boards and has no positions).",
];
