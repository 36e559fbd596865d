//! Questions, answered with the rows of the command line as JSON.

use std::io::{self, BufRead, BufReader, Cursor};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;

use super::error::{input, of_balance, of_proof, of_solve};
use super::job::{Watch, run};
use super::table::PyTablebase;
use super::types::{PyPosition, PySetup};
use crate::answer::{Answerer, LookUp, Request, SolveError, Want};
use crate::certificate::{self, CertificateError, ProofError, ProofMethod, check_for, unpack};
use crate::position::{Game, Position};
use crate::report::{BestRow, NamedSetup, SolvedRow, balance};
use crate::solver::{Extent, Finding, Limits, Method, Stopped, Unsolved};

/// Limits of a question.
#[derive(FromPyObject)]
pub(super) struct Budget {
    time: Option<f64>,
    max_nodes: Option<u64>,
    memory: Option<u64>,
    threads: Option<usize>,
}

impl Budget {
    fn limits<'a>(&self, py: Python<'_>, memory: u64) -> PyResult<Limits<'a>> {
        let wrong = |cause: &str| input(py, &cause);
        let mut limits = Limits::default().with_memory(self.memory.unwrap_or(memory));
        limits = self.max_nodes.map_or(limits, |nodes| limits.with_nodes(nodes));
        let time = self.time.map(Duration::try_from_secs_f64).transpose();
        limits.time = time.map_err(|_| wrong("time is a number of seconds"))?;
        let threads = self.threads.unwrap_or_else(Limits::cores);
        if !(1..=Limits::MAX_THREADS).contains(&threads) {
            return Err(wrong("threads are from 1 to 256"));
        }
        Ok(limits.with_threads(threads))
    }
}

/// A row as JSON, and whether Ctrl-C ended the work.
type JsonRow = PyResult<(String, bool)>;

fn json_row(row: &impl Serialize, interrupted: bool) -> JsonRow {
    Ok((serde_json::to_string(row).expect("rows have text keys and finite numbers"), interrupted))
}

const METHODS: [Method; 8] = [
    Method::Exhaustive,
    Method::Retrograde,
    Method::Sweeps,
    Method::Mirror,
    Method::Search,
    Method::Table,
    Method::Forced,
    Method::Library,
];

fn method_of(py: Python<'_>, name: Option<&str>) -> PyResult<Option<Method>> {
    let Some(name) = name else { return Ok(None) };
    let found = METHODS.into_iter().find(|method| method.name() == name);
    let names = || METHODS.map(Method::name).join(", ");
    found.map(Some).ok_or_else(|| input(py, &format_args!("a method is one of {}, not {name:?}", names())))
}

fn answerer<'t>(game: &Game, tables: Option<&'t PyTablebase>, library: bool) -> Result<Answerer<'t>, SolveError> {
    Ok(Answerer::with_tables(game, tables.map(PyTablebase::tablebase))?.with_library(library))
}

/// Returns the certificate from which the library knows a position.
fn certificate(answerer: &Answerer<'_>, position: &Position) -> Option<String> {
    answerer.proven(position).map(|proven| proven.certificate.with_position())
}

/// Solves a position; `how` is the method, whether the winner is enough, whether the value is
/// derived again, and whether the library is asked.
#[pyfunction]
pub(super) fn solve(
    py: Python<'_>,
    position: &PyPosition,
    how: (Option<String>, bool, bool, bool),
    tables: Option<&PyTablebase>,
    budget: Budget,
    progress: Option<&Bound<'_, PyAny>>,
) -> JsonRow {
    let (game, asked) = (position.setup().game(), &position.position);
    let limits = budget.limits(py, Limits::DEFAULT_MEMORY)?;
    let (method, winner, verify, library) = how;
    let method = method_of(py, method.as_deref())?;
    let job = |watch: &Watch| {
        let mut request = Request::new(limits.with_interrupt(&watch.interrupt));
        request = method.map_or(request, |method| request.by(method));
        request = if winner { request.wanting(Want::Winner) } else { request };
        request = if verify { request } else { request.unverified() };
        let mut answerer = answerer(game, tables, library || method == Some(Method::Library))?;
        let finding = answerer.answer(asked, request, watch)?;
        let certificate = certificate(&answerer, asked).filter(|_| finding.method() == Method::Library);
        Ok::<_, SolveError>((finding, certificate))
    };
    let (found, interrupted) = run(py, progress, job)?;
    let (finding, certificate) = match found {
        // A method that Ctrl-C ended before it knew anything.
        Err(SolveError::Stopped(Stopped::Interrupted)) => {
            (Finding::Unknown(Unsolved::nothing(Stopped::Interrupted, method.unwrap_or(Method::Rules))), None)
        }
        other => other.map_err(|e| of_solve(py, &e))?,
    };
    let stopped = match &finding {
        Finding::Solved(solution) => solution.stopped,
        Finding::Unknown(unsolved) => Some(unsolved.stopped),
    };
    let ended = interrupted && finding.extent() != Extent::Value;
    let row = SolvedRow::of(game, asked, &finding, stopped.map(|stopped| stopped.to_string()));
    json_row(&SolvedRow { certificate, ..row }, ended)
}

/// Names an action to play: the row, the certificate of what the library proves, and whether
/// Ctrl-C ended the work.
#[pyfunction]
pub(super) fn best(
    py: Python<'_>,
    position: &PyPosition,
    library: bool,
    tables: Option<&PyTablebase>,
    budget: Budget,
    progress: Option<&Bound<'_, PyAny>>,
) -> JsonRow {
    const MEMORY: u64 = 512 << 20;
    let (game, asked) = (position.setup().game(), &position.position);
    let limits = budget.limits(py, MEMORY)?;
    let begun = Instant::now();
    let (best, interrupted) = run(py, progress, |watch| {
        let mut answerer = answerer(game, tables, library)?;
        let best = answerer.best(asked, limits.with_interrupt(&watch.interrupt), watch)?;
        Ok::<_, SolveError>((best, certificate(&answerer, asked)))
    })?;
    let (best, certificate) = best.map_err(|e| of_solve(py, &e))?;
    let seconds = limits.time.map(|_| begun.elapsed().as_secs_f64());
    json_row(&BestRow::of(game, asked, &best, seconds, certificate), interrupted)
}

/// Returns the row of the balance report.
#[pyfunction]
pub(super) fn report(
    py: Python<'_>,
    setup: &PySetup,
    how: (bool, bool),
    tables: Option<&PyTablebase>,
    budget: Budget,
    progress: Option<&Bound<'_, PyAny>>,
) -> JsonRow {
    let (winners, library) = how;
    let limits = budget.limits(py, Limits::DEFAULT_MEMORY)?;
    let named = NamedSetup::from(setup.setup());
    let want = if winners { Want::Winner } else { Want::Value };
    let (row, interrupted) = run(py, progress, |watch| {
        let limits = limits.with_interrupt(&watch.interrupt);
        let known = LookUp { tables: tables.map(PyTablebase::tablebase), library };
        balance(&named, known, want, limits, watch)
    })?;
    let row = row.map_err(|e| of_balance(py, &e))?;
    json_row(&row.record(), interrupted)
}

/// Proves the value of a position: the certificate, and what it proves.
#[pyfunction]
pub(super) fn prove<'py>(
    py: Python<'py>,
    position: &PyPosition,
    exact: bool,
    tables: Option<&PyTablebase>,
    budget: Budget,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyBytes>, String)> {
    let (game, root) = (position.setup().game(), &position.position);
    let limits = budget.limits(py, Limits::DEFAULT_MEMORY)?;
    let (proof, _) = run(py, progress, |watch| {
        let tables = tables.map(PyTablebase::tablebase);
        let mut answerer = Answerer::with_tables(game, tables).map_err(ProofError::Solve)?;
        let (method, limits) = (ProofMethod::fitting(exact), limits.with_interrupt(&watch.interrupt));
        certificate::prove(&mut answerer, root, method, limits, watch)
    })?;
    let proof = proof.map_err(|e| of_proof(py, &e))?;
    Ok((PyBytes::new(py, &proof.bytes), json_row(&proof.checked.summary(), false)?.0))
}

/// A certificate: its bytes, or the name of its file.
#[derive(FromPyObject)]
pub(super) enum Given {
    #[pyo3(transparent)]
    Bytes(Vec<u8>),
    #[pyo3(transparent)]
    Path(PathBuf),
}

/// Checks a certificate, and says what it proves.
#[pyfunction]
pub(super) fn check_proof(
    py: Python<'_>,
    certificate: Given,
    memory: u64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let file = match &certificate {
        Given::Bytes(_) => None,
        Given::Path(path) => {
            Some(crate::files::open(path).map_err(|e| input(py, &format_args!("{}: {e}", path.display())))?)
        }
    };
    let given: Box<dyn BufRead + Send> = match (certificate, file) {
        (_, Some(file)) => Box::new(BufReader::with_capacity(1 << 16, file)),
        (Given::Bytes(bytes), None) => Box::new(Cursor::new(bytes)),
        (Given::Path(_), None) => Box::new(io::empty()),
    };
    let (checked, _) = run(py, progress, |watch| {
        let limits = Limits::default().with_interrupt(&watch.interrupt);
        let (given, memory) = unpack(given, memory).map_err(|e| CertificateError::unreadable(&e, 1))?;
        check_for(given, (None, memory), limits, watch)
    })?;
    Ok(json_row(&checked.map_err(|e| of_proof(py, &e))?.summary(), false)?.0)
}
