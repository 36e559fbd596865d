//! Manifests: what a result was made from, how, and how it was checked.

use serde::{Deserialize, Serialize};

/// A board or pod file that went into a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The name of the built-in set, or the file's name.
    pub name: String,
    /// The SHA-256 of its text, in lower-case hexadecimal digits.
    pub sha256: String,
    /// Source of the board or the pods, in the file's own words.
    pub source: String,
}

/// A manifest: how a result was made, so that it can be made again and judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The name of the manifest's format.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The program and its version.
    pub program: String,
    /// The command line, without the program's path.
    pub command: String,
    /// The commit of the program's source; `None` if it was not given.
    pub commit: Option<String>,
    /// The names of the rule sets.
    pub rules: Vec<String>,
    /// The seed; `None` where nothing is drawn at random.
    pub seed: Option<u64>,
    /// The methods that found the values.
    pub methods: Vec<String>,
    /// Check of the values.
    pub verified: Vec<String>,
    /// The files that went in.
    pub inputs: Vec<Input>,
    /// The result's file name.
    pub result: String,
    /// The number of its rows, without the header.
    pub rows: usize,
    /// The SHA-256 of the result, in lower-case hexadecimal digits.
    pub sha256: String,
    /// The same result as a page; left out where none was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<Cited>,
    /// The certificates that the result cites; left out where it cites none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub certificates: Vec<Cited>,
    /// The files of the tables in which values were looked up; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Cited>,
}

/// A file that stands beside a result: a page, a certificate or a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    /// The file's name in its folder.
    pub file: String,
    /// The SHA-256 of the file, in lower-case hexadecimal digits.
    pub sha256: String,
}
