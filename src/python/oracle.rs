//! Oracle sets.

use std::path::PathBuf;

use pyo3::prelude::*;

use super::error::of_oracle;
use super::job::run;
use super::table::PyTablebase;
use crate::oracle::check::{CheckError, check, read_lines};

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("oracle sets have text keys and no fractions")
}

/// Returns the manifest and the lines of an oracle set, as JSON.
#[pyfunction]
pub(super) fn oracle_lines(py: Python<'_>, folder: PathBuf) -> PyResult<(String, Vec<String>)> {
    let read = || {
        let (manifest, lines) = read_lines(&folder)?;
        let lines = lines.map(|line| Ok(json(&line?))).collect::<Result<Vec<String>, CheckError>>()?;
        Ok((json(&manifest), lines))
    };
    py.detach(read).map_err(|e| of_oracle(py, &e))
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
