//! Tables of every position of a setup.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::batch::{copied, in_row, read_row, whole_rows};
use super::error::{exception, interrupted, of_answer, of_table, record};
use super::job::{Watch, run, run_to_end};
use super::types::{PyPosition, PyPositions, PySetup};
use crate::position::Position;
use crate::progress::{Observer, Phase};
use crate::solver::{Outcome, Plies, Value};
use crate::table::{AnswerError, BuildOptions, Table, Tablebase, build};

/// The tables of a folder.
#[pyclass(frozen, name = "Tablebase", module = "podsgame")]
pub(super) struct PyTablebase {
    folder: PathBuf,
    tablebase: Tablebase,
}

/// Converts a value to a record.
fn to_record(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    match value {
        Value::Win(plies) => record(py, "Win")?.call1((plies,)),
        Value::Draw => record(py, "Draw")?.call0(),
        Value::Loss(plies) => record(py, "Loss")?.call1((plies,)),
    }
}

/// Returns the byte of an outcome; one that no table tells has its own.
const fn outcome_code(outcome: Option<Outcome>) -> i8 {
    match outcome {
        Some(Outcome::Loss) => -1,
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win) => 1,
        None => i8::MIN,
    }
}

/// Reasons why positions get no answer.
enum Wrong {
    /// A row is no position.
    Row(usize, String),
    Answer(AnswerError),
    /// Ctrl-C or the end of memory has ended the work.
    Ended,
}

impl From<AnswerError> for Wrong {
    fn from(error: AnswerError) -> Wrong {
        Wrong::Answer(error)
    }
}

impl PyTablebase {
    pub(super) fn tablebase(&self) -> &Tablebase {
        &self.tablebase
    }

    /// Returns the outcomes of positions, a byte each, and their plies, four bytes each.
    fn answers<'py, 'p>(
        &self,
        py: Python<'py>,
        setup: &PySetup,
        count: usize,
        position: impl Fn(usize) -> Result<Cow<'p, Position>, Wrong> + Send + Sync,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let find = |watch: &Watch| {
            let position = |number| if watch.stop().is_some() { Err(Wrong::Ended) } else { position(number) };
            let values = self.tablebase.values(setup.game(), count, position)?;
            let outcomes: Vec<i8> = values.iter().map(|value| outcome_code(value.map(Value::outcome))).collect();
            let plies = |value: &Option<Value>| value.and_then(Value::plies).map_or(-1, i32::from);
            let plies: Vec<i32> = values.iter().map(plies).collect();
            Ok((outcomes, plies))
        };
        let (outcomes, plies) = run(py, None, find)?.0.map_err(|wrong| match wrong {
            Wrong::Row(number, cause) => in_row(py, number, &cause),
            Wrong::Answer(error) => of_answer(py, &error),
            Wrong::Ended => interrupted(py),
        })?;
        Ok((copied(py, bytemuck::cast_slice(&outcomes))?, copied(py, bytemuck::cast_slice(&plies))?))
    }
}

#[pymethods]
impl PyTablebase {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<PyTablebase> {
        let tablebase = run_to_end(py, |_| Some(Tablebase::open(&folder)))?.map_err(|e| of_table(py, &e))?;
        Ok(PyTablebase { folder, tablebase })
    }

    fn __len__(&self) -> usize {
        self.tablebase.len()
    }

    /// Returns the value of a position.
    fn probe<'py>(&self, py: Python<'py>, position: &PyPosition) -> PyResult<Bound<'py, PyAny>> {
        match self.get(py, position)? {
            Some(value) => Ok(value),
            None => Err(exception(py, "NotInTable", (position.position.display(position.setup().game()).to_string(),))),
        }
    }

    /// Returns the value of a position; `None` if no table holds it.
    fn get<'py>(&self, py: Python<'py>, position: &PyPosition) -> PyResult<Option<Bound<'py, PyAny>>> {
        let prober = self.tablebase.of(position.setup().game());
        let answer = prober.map_err(AnswerError::from).and_then(|mut prober| prober.value(&position.position));
        answer.map_err(|e| of_answer(py, &e))?.map(|value| to_record(py, value)).transpose()
    }

    /// Returns the outcomes and the plies of many positions.
    fn _probe_many<'py>(
        &self,
        py: Python<'py>,
        positions: &PyPositions,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let positions = (positions.setup.get(), positions.positions.as_slice());
        self.answers(py, positions.0, positions.1.len(), |number| Ok(Cow::Borrowed(&positions.1[number])))
    }

    /// Returns the outcomes and the plies of rows of bytes, as `Positions.to_bytes` gives them.
    fn _probe_rows<'py>(
        &self,
        py: Python<'py>,
        setup: &PySetup,
        rows: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let width = whole_rows(py, setup, rows)?;
        let row = |number: usize| read_row(setup, &rows[number * width..(number + 1) * width]);
        let position = |number| row(number).map(Cow::Owned).map_err(|cause| Wrong::Row(number, cause));
        self.answers(py, setup, rows.len() / width, position)
    }

    fn __repr__(&self) -> String {
        format!("<Tablebase {:?}, {} tables>", self.folder, self.__len__())
    }
}

/// A table with all its positions.
#[pyclass(frozen, name = "Table", module = "podsgame")]
pub(super) struct PyTable {
    name: PathBuf,
    table: Table,
}

#[pymethods]
impl PyTable {
    #[new]
    fn new(py: Python<'_>, name: PathBuf) -> PyResult<PyTable> {
        let table = run_to_end(py, |_| Some(Table::open(&name)))?.map_err(|e| of_table(py, &e))?;
        Ok(PyTable { name, table })
    }

    /// Returns the setup of the table, with the board as it lies.
    #[getter]
    fn setup(&self) -> PySetup {
        PySetup::of(self.table.game().clone(), self.table.setup().hands())
    }

    /// Returns the number of tiers that the table has.
    #[getter]
    fn tiers(&self) -> usize {
        self.table.index().tiers().len()
    }

    /// Returns the positions of a tier, and of each the outcome and the plies as `_probe_many`
    /// gives them.
    fn _tier<'py>(
        &self,
        py: Python<'py>,
        setup: Py<PySetup>,
        tier: usize,
    ) -> PyResult<(PyPositions, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let read = |watch: &Watch| {
            let (mut positions, mut outcomes, mut plies) = (Vec::new(), Vec::<i8>::new(), Vec::<i32>::new());
            let done = self.table.for_each(tier, &mut |position, value| {
                let room = [positions.try_reserve(1), outcomes.try_reserve(1), plies.try_reserve(1)];
                if room.iter().any(Result::is_err) {
                    watch.lack_memory::<()>();
                }
                if watch.stop().is_some() {
                    return false;
                }
                positions.push(position);
                outcomes.push(outcome_code(Some(value.outcome())));
                plies.push(value.plies().map_or(-1, i32::from));
                true
            });
            if watch.stop().is_some() { None } else { Some(done.map(|()| (positions, outcomes, plies))) }
        };
        let (positions, outcomes, plies) = run_to_end(py, read)?.map_err(|e| of_table(py, &e))?;
        let bytes = [copied(py, bytemuck::cast_slice(&outcomes))?, copied(py, bytemuck::cast_slice(&plies))?];
        let [outcomes, plies] = bytes;
        Ok((PyPositions { setup, positions }, outcomes, plies))
    }

    fn __repr__(&self) -> String {
        format!("<Table {:?}, {}>", self.name, crate::files::count(self.tiers() as u64, "tier"))
    }
}

/// Builds a table. One that is there already for this setup is kept.
#[pyfunction]
pub(super) fn build_table(
    py: Python<'_>,
    setup: &PySetup,
    name: PathBuf,
    memory: u64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let options = BuildOptions { memory, ..BuildOptions::default() };
    let (built, _) = run(py, progress, |watch| {
        if Table::open(&name).and_then(|table| table.of(&setup.setup())).is_ok() {
            return Ok(Ok(()));
        }
        // A build has no way out but this: it goes on in the next call, as after a kill.
        catch_unwind(AssertUnwindSafe(|| build(&setup.setup(), &name, options, &Unwinding(watch))))
    })?;
    match built {
        Ok(built) => built.map_err(|e| of_table(py, &e)),
        Err(ended) if ended.is::<Ended>() => Err(interrupted(py)),
        Err(panic) => resume_unwind(panic),
    }
}

/// Ctrl-C has ended a build.
struct Ended;

/// Unwinds a build that is to end.
struct Unwinding<'a>(&'a Watch);

impl Observer for Unwinding<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.0.progress(phase, done, total);
        if self.0.stop().is_some() {
            resume_unwind(Box::new(Ended));
        }
    }
}

/// The largest number of plies that fits.
const _: () = assert!(size_of::<Plies>() < size_of::<i32>());
