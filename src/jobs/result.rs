//! Results: what a worker found out about a job, a file each.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::error::JobsError;
use super::step::winner_of;
use crate::files::{Inputs, Output, Overwrite, hex, read_bytes};
use crate::material::Side;

/// The name of the format.
const FORMAT: &str = "pods-job-result";

/// Its version.
const VERSION: u32 = 1;

/// The most bytes of a result.
const MOST: u64 = 1 << 16;

/// Hexadecimal digits of a content's digest in the name of its file.
const DIGITS: usize = 16;

/// The limit that ended a search without an answer, and how high it was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reached {
    /// Nodes, of each thread.
    Nodes(u64),
    /// Seconds.
    Seconds(f64),
    /// Bytes of the table.
    Memory(u64),
}

/// Result of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    format: String,
    version: u32,
    /// The name of the job.
    pub job: String,
    /// The way to it from the root of the job file that the worker had.
    pub path: Vec<String>,
    /// Its position; kinds of pods that stand for covers come with the line of the job file.
    pub position: String,
    /// The rule set.
    pub rules: String,
    /// `win`, `loss` or `unknown`, for the side to move.
    pub value: String,
    /// A winning placement, if the side to move wins.
    pub wins_by: Option<String>,
    /// The limit that was reached, if the value is unknown.
    pub reached: Option<Reached>,
    /// The nodes that it took, of all threads.
    pub nodes: u64,
    /// The CPU seconds that it took, with its certificate.
    pub cpu_seconds: f64,
    /// The threads.
    pub threads: usize,
    /// The worker.
    pub worker: String,
    /// The program and its version.
    pub program: String,
    /// The commit of the program's source, if somebody said.
    pub commit: Option<String>,
    /// The certificate's file in the folder `proofs`; it ends with the beginning of the SHA-256 of
    /// its content.
    pub proof: Option<String>,
}

impl JobResult {
    /// Returns a result with nothing found out.
    pub(super) fn unknown(job: &str, path: Vec<String>, position: String, rules: String) -> JobResult {
        JobResult {
            format: FORMAT.to_owned(),
            version: VERSION,
            job: job.to_owned(),
            path,
            position,
            rules,
            value: "unknown".to_owned(),
            wins_by: None,
            reached: None,
            nodes: 0,
            cpu_seconds: 0.0,
            threads: 1,
            worker: String::new(),
            program: format!("pods {}", env!("CARGO_PKG_VERSION")),
            commit: None,
            proof: None,
        }
    }

    /// Returns the winner, if it is known.
    pub(super) fn winner(&self, to_move: Side) -> Option<Side> {
        winner_of(&self.value, to_move)
    }

    /// Writes the result into a folder; returns the name of its file.
    pub(super) fn write(&self, folder: &Path) -> Result<String, JobsError> {
        // Texts and numbers are JSON.
        let text = serde_json::to_string(self).unwrap_or_default() + "\n";
        let name = file_name(&self.job, text.as_bytes(), "json");
        write_new(&folder.join(&name), text.as_bytes())?;
        Ok(name)
    }

    /// Reads the file of a result and compares it with its name.
    pub(super) fn read(path: &Path) -> Result<JobResult, String> {
        let bytes = read_bytes(path, MOST).map_err(|e| e.to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let result: JobResult = match serde_json::from_slice(&bytes) {
            Ok(result) => result,
            Err(_) if bytes.is_empty() => return Err("it is empty".to_owned()),
            Err(error) => match serde_json::from_slice::<serde_json::Value>(&bytes) {
                Ok(value) if value["format"] == FORMAT && value["version"] != VERSION => {
                    return Err(format!("it is of version {}, this program reads {VERSION}", value["version"]));
                }
                _ => return Err(format!("it is no result as workers write it: {error}")),
            },
        };
        if (result.format.as_str(), result.version) != (FORMAT, VERSION) {
            return Err(format!("it is no result of version {VERSION}"));
        }
        if file_name(&result.job, &bytes, "json") != name {
            return Err("its name does not fit what it holds: it was altered, or is another job's".to_owned());
        }
        if !["win", "loss", "unknown"].contains(&result.value.as_str()) {
            return Err(format!("{:?} is no value", result.value));
        }
        Ok(result)
    }
}

/// Returns the name of a file by its job and its content.
pub(super) fn file_name(job: &str, content: &[u8], ending: &str) -> String {
    let digest = hex(&Sha256::digest(content));
    format!("{job}-{}.{ending}", &digest[..DIGITS])
}

/// Returns `true` if a file name is that of a job's file.
pub(super) fn is_of(name: &str, job: &str) -> bool {
    name.strip_prefix(job).is_some_and(|rest| rest.starts_with('-'))
}

/// Writes a file whole, or not at all.
pub(super) fn write_new(path: &Path, content: &[u8]) -> Result<PathBuf, JobsError> {
    let inputs = Inputs::default();
    Output::to_keep(path, Overwrite { force: false, inputs: &inputs, judge: &|_| Ok(()) })?.write_bytes(content)?;
    Ok(path.to_owned())
}
