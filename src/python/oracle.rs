//! Oracle sets.

use std::path::PathBuf;

use pyo3::prelude::*;

use super::error::{interrupted, of_oracle};
use super::job::{Watch, run};
use super::table::PyTablebase;
use crate::oracle::check::{CheckError, check, read_lines};
use crate::progress::Observer as _;

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("oracle sets have text keys and no fractions")
}

/// Returns the manifest and the lines of an oracle set, as JSON.
#[pyfunction]
pub(super) fn oracle_lines(py: Python<'_>, folder: PathBuf) -> PyResult<(String, Vec<String>)> {
    let read = |watch: &Watch| -> Result<_, CheckError> {
        let (manifest, read) = read_lines(&folder)?;
        let mut lines = Vec::new();
        for line in read {
            if watch.stop().is_some() {
                return Ok(None);
            }
            lines.push(json(&line?));
        }
        Ok(Some((json(&manifest), lines)))
    };
    run(py, None, read)?.0.map_err(|e| of_oracle(py, &e))?.ok_or_else(|| interrupted(py))
}

/// Checks an oracle set, and returns its manifest as JSON.
#[pyfunction]
pub(super) fn check_oracle(
    py: Python<'_>,
    folder: PathBuf,
    tables: Option<&PyTablebase>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let (manifest, _) = run(py, progress, |watch| check(&folder, tables.map(PyTablebase::tablebase), watch))?;
    Ok(json(&manifest.map_err(|e| of_oracle(py, &e))?))
}
