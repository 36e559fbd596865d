//! The binding for Python: the module `podsgame._podsgame`, which the Python sources beside this
//! file wrap.
//!
//! Values of games are classes here ([`material`], [`types`], [`action`], [`batch`], [`table`]).
//! What is asked about them ([`ask`], [`oracle`]) is answered with the rows that the command line
//! writes, as JSON; the Python sources make records of them. Whatever may take long runs in a
//! thread of its own without the lock of the interpreter ([`job`]).

mod action;
mod ask;
mod batch;
mod error;
mod job;
mod material;
mod oracle;
mod position;
mod setup;
mod table;
mod types;

use pyo3::prelude::*;

use crate::files::Record as _;
use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS};
use crate::report::BalanceRecord;
use crate::rules::{Clause, OPTION_NAMES, Preset, option_values};
use crate::table::ExportRecord;

/// Fills the module that the Python sources of the package import.
#[pymodule]
fn _podsgame(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("BOARDS", names(BUILTIN_BOARDS))?;
    module.add("PODS", names(BUILTIN_PODS))?;
    module.add("TABLE_COLUMNS", table_columns())?;
    module.add("REPORT_COLUMNS", BalanceRecord::header())?;
    module.add("PRESETS", Preset::ALL.map(Preset::name).to_vec())?;
    module.add_class::<material::PyBoard>()?;
    module.add_class::<material::PyPodSet>()?;
    module.add_class::<types::PySetup>()?;
    module.add_class::<types::PyPosition>()?;
    module.add_class::<action::PyAction>()?;
    module.add_class::<types::PyPositions>()?;
    module.add_class::<batch::PyActionLists>()?;
    module.add_class::<table::PyTablebase>()?;
    module.add_class::<table::PyTable>()?;
    module.add_function(wrap_pyfunction!(options, module)?)?;
    module.add_function(wrap_pyfunction!(clause, module)?)?;
    module.add_function(wrap_pyfunction!(ask::solve, module)?)?;
    module.add_function(wrap_pyfunction!(ask::best, module)?)?;
    module.add_function(wrap_pyfunction!(ask::report, module)?)?;
    module.add_function(wrap_pyfunction!(ask::prove, module)?)?;
    module.add_function(wrap_pyfunction!(ask::check_proof, module)?)?;
    module.add_function(wrap_pyfunction!(table::build_table, module)?)?;
    module.add_function(wrap_pyfunction!(oracle::oracle_lines, module)?)?;
    module.add_function(wrap_pyfunction!(oracle::check_oracle, module)?)
}

/// Returns the columns of an export of a table: name, type and meaning of each.
fn table_columns() -> Vec<(&'static str, String, String)> {
    ExportRecord::columns().into_iter().map(|column| (column.name, column.kind, column.meaning)).collect()
}

fn names(files: &[(&'static str, &str)]) -> Vec<&'static str> {
    files.iter().map(|(name, _)| *name).collect()
}

/// Returns the options of rule sets, each with its values.
#[pyfunction]
fn options() -> Vec<(&'static str, &'static [&'static str])> {
    OPTION_NAMES.iter().map(|&name| (name, option_values(name).unwrap_or_default())).collect()
}

/// Returns the heading and the text of a clause of the rules, such as R18.
#[pyfunction]
fn clause(py: Python<'_>, name: &str) -> PyResult<(String, &'static str)> {
    let clause: Clause = name.parse().map_err(|e| error::input(py, &e))?;
    Ok((clause.heading(), clause.text()))
}
