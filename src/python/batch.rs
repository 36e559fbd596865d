//! Many positions at once.

use std::collections::HashSet;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyRange, PyType};
use rayon::prelude::*;

use super::action::PyAction;
use super::error::input;
use super::job::{Watch, no_memory, run_to_end};
use super::types::{PyPosition, PyPositions, PySetup};
use crate::engine::{Engine, Status};
use crate::geometry::Point;
use crate::material::{BySide, PodKind, Side};
use crate::position::{Game, Hand, Pod, Position, UncheckedPosition};
use crate::progress::Observer as _;

/// Number of positions that a thread takes at a time.
const CHUNK: usize = 1 << 10;

/// Number of positions of which a thread makes the next ones at a time.
const PARENTS: usize = 1 << 6;

/// Works on items in parts of so many, by all processors; returns the results in order. A single
/// part is not worth a thread.
///
/// # Errors
///
/// If Ctrl-C or the end of memory ended the work.
fn in_parts<T: Sync, R: Send>(
    py: Python<'_>,
    items: &[T],
    size: usize,
    of_part: impl Fn(&[T]) -> R + Send + Sync,
) -> PyResult<Vec<R>> {
    if items.len() <= size {
        return Ok(py.detach(|| items.chunks(size).map(&of_part).collect()));
    }
    let part = |watch: &Watch, part| watch.stop().is_none().then(|| of_part(part));
    run_to_end(py, |watch| items.par_chunks(size).map(|items| part(watch, items)).collect())
}

/// Returns the items of all parts.
fn joined<T>(parts: Vec<Vec<T>>) -> PyResult<Vec<T>> {
    let mut all = Vec::new();
    all.try_reserve_exact(parts.iter().map(Vec::len).sum()).map_err(|_| no_memory())?;
    all.extend(parts.into_iter().flatten());
    Ok(all)
}

/// Returns a copy for Python, which may have no memory for it.
pub(super) fn copied<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}

/// Reads a position, given as such or as a text, as one of a setup.
pub(super) fn position_of(setup: &Py<PySetup>, given: &Bound<'_, PyAny>) -> PyResult<Position> {
    let py = given.py();
    match given.cast::<PyPosition>() {
        Ok(position) => {
            let position = position.get();
            if position.setup.is(setup) || position.setup.get() == setup.get() {
                return Ok(position.position.clone());
            }
            Err(input(py, &"a position of another setup"))
        }
        Err(_) => {
            let text: String = given.extract()?;
            setup.get().game().parse_position(&text).map_err(|e| input(py, &e))
        }
    }
}

/// Resolves an index as Python means it: a negative one counts from the end.
fn index(index: isize, len: usize) -> PyResult<usize> {
    let from_end = if index < 0 { index + len as isize } else { index };
    usize::try_from(from_end).ok().filter(|&i| i < len).ok_or_else(|| PyIndexError::new_err("index out of range"))
}

/// Creates an iterator over a sequence.
fn iterate<'py>(sequence: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let numbers = PyRange::new(sequence.py(), 0, sequence.len()? as isize)?;
    sequence.py().import("builtins")?.getattr("map")?.call1((sequence.getattr("__getitem__")?, numbers))
}

impl PyPositions {
    fn setup(&self) -> &PySetup {
        self.setup.get()
    }

    fn like(&self, py: Python<'_>, positions: Vec<Position>) -> PyPositions {
        PyPositions { setup: self.setup.clone_ref(py), positions }
    }
}

#[pymethods]
impl PyPositions {
    #[new]
    fn new(setup: Py<PySetup>, positions: &Bound<'_, PyAny>) -> PyResult<PyPositions> {
        let read = positions.try_iter()?.map(|given| {
            positions.py().check_signals()?;
            position_of(&setup, &given?)
        });
        let positions = read.collect::<PyResult<Vec<Position>>>()?;
        Ok(PyPositions { setup, positions })
    }

    #[getter(setup)]
    fn py_setup(&self, py: Python<'_>) -> Py<PySetup> {
        self.setup.clone_ref(py)
    }

    fn __len__(&self) -> usize {
        self.positions.len()
    }

    fn __getitem__(&self, py: Python<'_>, number: isize) -> PyResult<PyPosition> {
        let position = self.positions[index(number, self.positions.len())?].clone();
        Ok(PyPosition { setup: self.setup.clone_ref(py), position })
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        iterate(slf.as_any())
    }

    /// Returns the texts.
    fn texts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let game = self.setup().game();
        let text = |position: &Position| position.display(game).to_string();
        joined(in_parts(py, &self.positions, CHUNK, |part| part.iter().map(text).collect())?)
    }

    /// Returns the legal actions of each position.
    fn legal_actions(&self, py: Python<'_>) -> PyResult<PyActionLists> {
        let (fast, space) = (&self.setup().fast, self.setup().space());
        let of_chunk = |positions: &[Position]| {
            let (mut numbers, mut ends) = (Vec::new(), Vec::with_capacity(positions.len()));
            let mut legal = vec![0_u64; space.actions().len().div_ceil(64)];
            for position in positions {
                fast.for_each_action(&fast.state(position), |action| {
                    let number = space.number(action).expect("every legal action has a number");
                    legal[usize::from(number) / 64] |= 1 << (number % 64);
                });
                for (word, bits) in legal.iter_mut().enumerate() {
                    while *bits != 0 {
                        numbers.push((word * 64) as u16 + bits.trailing_zeros() as u16);
                        *bits &= *bits - 1;
                    }
                }
                ends.push(numbers.len() as u64);
            }
            (numbers, ends)
        };
        let (numbers, mut ends): (Vec<Vec<u16>>, Vec<Vec<u64>>) =
            in_parts(py, &self.positions, CHUNK, of_chunk)?.into_iter().unzip();
        let mut before = 0;
        for (numbers, ends) in numbers.iter().zip(&mut ends) {
            ends.iter_mut().for_each(|end| *end += before);
            before += numbers.len() as u64;
        }
        ends.insert(0, vec![0]);
        Ok(PyActionLists { setup: self.setup.clone_ref(py), numbers: joined(numbers)?, offsets: joined(ends)? })
    }

    /// Returns a byte for each position: 0 ongoing, 1 White has won, 2 Black has won.
    fn statuses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let fast = &self.setup().fast;
        let code = |position: &Position| match fast.status(position) {
            Status::Ongoing => 0,
            Status::Won(Side::White) => 1,
            Status::Won(Side::Black) => 2,
        };
        let codes = in_parts(py, &self.positions, CHUNK, |part| part.iter().map(code).collect())?;
        copied(py, &joined(codes)?)
    }

    /// Returns the positions after all actions of all positions, in order.
    fn children(&self, py: Python<'_>) -> PyResult<PyPositions> {
        let fast = &self.setup().fast;
        let after = |position: &Position| {
            let state = fast.state(position);
            let mut actions = fast.state_actions(&state).into_vec();
            fast.game().sort_actions(&mut actions);
            actions.into_iter().map(move |action| fast.position(&fast.play_state(&state, action)))
        };
        let parts = in_parts(py, &self.positions, PARENTS, |part| part.iter().flat_map(after).collect())?;
        Ok(self.like(py, joined(parts)?))
    }

    /// Returns each of the positions once, in the order in which they come first.
    fn unique(&self, py: Python<'_>) -> PyResult<PyPositions> {
        let positions = run_to_end(py, |watch| {
            let (mut seen, mut first) = (HashSet::new(), Vec::new());
            for part in self.positions.chunks(CHUNK) {
                if watch.stop().is_some() {
                    return None;
                }
                if seen.try_reserve(part.len()).is_err() || first.try_reserve(part.len()).is_err() {
                    return watch.lack_memory();
                }
                first.extend(part.iter().filter(|&position| seen.insert(position)).cloned());
            }
            Some(first)
        })?;
        Ok(self.like(py, positions))
    }

    /// Returns the number of bytes that a position takes in `to_bytes`.
    #[getter]
    fn width(&self) -> usize {
        width(self.setup())
    }

    /// Returns the positions as rows of bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let setup = self.setup();
        let kinds: Vec<PodKind> = setup.game().pods().kinds().collect();
        let rows = |part: &[Position]| {
            let mut bytes = Vec::with_capacity(part.len() * width(setup));
            for position in part {
                for point in setup.game().board().points() {
                    let byte = |pod: Pod| 1 + 2 * pod.kind.index() as u8 + pod.side.index() as u8;
                    bytes.push(position.pod(point).map_or(0, byte));
                }
                for side in Side::BOTH {
                    bytes.extend(kinds.iter().map(|&kind| position.hand(side).count(kind)));
                }
                bytes.push(position.to_move().index() as u8 | u8::from(position.is_open()) << 1);
            }
            bytes
        };
        copied(py, &joined(in_parts(py, &self.positions, CHUNK, rows)?)?)
    }

    /// Reads positions from the rows of bytes that `to_bytes` gives; each is checked.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, py: Python<'_>, setup: Py<PySetup>, data: &[u8]) -> PyResult<PyPositions> {
        let width = whole_rows(py, setup.get(), data)?;
        let of = setup.get();
        // The first row of a part that is no position, by its number there.
        let rows = |part: &[u8]| {
            let read = |(number, row)| read_row(of, row).map_err(|cause| (number, cause));
            part.chunks_exact(width).enumerate().map(read).collect::<Result<Vec<Position>, _>>()
        };
        let wrong = |part: usize, (number, cause): (usize, String)| in_row(py, part * CHUNK + number, &cause);
        let parts = in_parts(py, data, CHUNK * width, rows)?.into_iter().enumerate();
        let parts = parts.map(|(part, read)| read.map_err(|row| wrong(part, row))).collect::<PyResult<Vec<_>>>()?;
        Ok(PyPositions { setup, positions: joined(parts)? })
    }

    fn __getnewargs__(&self, py: Python<'_>) -> PyResult<(Py<PySetup>, Vec<String>)> {
        Ok((self.setup.clone_ref(py), self.texts(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<Positions: {} of {}>", self.positions.len(), self.setup().game().board().name())
    }
}

/// Returns the number of bytes of a row: the points, both hands, and who is to move.
fn width(setup: &PySetup) -> usize {
    setup.game().board().len() + 2 * setup.game().pods().kinds().len() + 1
}

/// Returns the bytes of a row, of which there must be whole ones.
pub(super) fn whole_rows(py: Python<'_>, setup: &PySetup, data: &[u8]) -> PyResult<usize> {
    let width = width(setup);
    let refuse = || input(py, &format_args!("a position has {width} bytes, and {} are given", data.len()));
    if data.len().is_multiple_of(width) { Ok(width) } else { Err(refuse()) }
}

/// Creates an error that names a row.
pub(super) fn in_row(py: Python<'_>, number: usize, cause: &str) -> PyErr {
    input(py, &format_args!("position {number}: {cause}"))
}

/// Reads the position of a row.
pub(super) fn read_row(setup: &PySetup, row: &[u8]) -> Result<Position, String> {
    match row_at_once(setup.game(), row) {
        Some(position) => Ok(position),
        None => explained_row(setup.game(), row),
    }
}

/// Reads the position of a row in one pass; `None` if there is none.
fn row_at_once(game: &Game, row: &[u8]) -> Option<Position> {
    let kinds = game.pods().kinds().len();
    let (board, rest) = row.split_at_checked(game.board().len())?;
    let (white, rest) = rest.split_at_checked(kinds)?;
    let (black, &[flags @ ..=3]) = rest.split_at_checked(kinds)? else { return None };
    let pod = |byte: u8| match byte {
        0 => Some(None),
        _ if usize::from(byte) > 2 * kinds => None,
        _ => {
            let kind = PodKind::new(usize::from(byte - 1) / 2);
            Some(Some(Pod { side: Side::BOTH[usize::from(byte - 1) % 2], kind }))
        }
    };
    let occupants = board.iter().map(|&byte| pod(byte)).collect::<Option<Vec<Option<Pod>>>>()?;
    let hands = BySide { white: Hand::with_counts(white)?, black: Hand::with_counts(black)? };
    Position::new(game, occupants, hands, Side::BOTH[usize::from(flags & 1)], flags & 2 != 0)
}

/// Reads the position of a row, or explains why there is none.
fn explained_row(game: &Game, row: &[u8]) -> Result<Position, String> {
    let kinds = game.pods().kinds().len();
    let (board, rest) = row.split_at(game.board().len());
    let (white, rest) = rest.split_at(kinds);
    let (black, flags) = rest.split_at(kinds);
    let flags = flags.first().copied().unwrap_or(u8::MAX);
    if flags > 3 {
        return Err(format!("the last byte is at most 3, not {flags}"));
    }
    let id = |kind: usize| game.pods().id(PodKind::new(kind));
    let mut pods = Vec::new();
    for (point, &byte) in board.iter().enumerate().filter(|(_, byte)| **byte > 0) {
        let (kind, side) = (usize::from(byte - 1) / 2, Side::BOTH[usize::from(byte - 1) % 2]);
        if kind >= kinds {
            return Err(format!("byte {point} is at most {}, not {byte}", 2 * kinds));
        }
        pods.push((game.board().coord(Point::new(point)), side, id(kind)));
    }
    let hand = |counts: &[u8]| {
        counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(kind, &n)| (id(kind), n)).collect::<Vec<_>>()
    };
    let written = UncheckedPosition {
        widths: vec![game.board().columns().into(); game.board().rows().into()],
        pods,
        to_move: Side::BOTH[usize::from(flags & 1)],
        hands: [hand(white), hand(black)],
        open: flags & 2 != 0,
    };
    written.check(game).map_err(|refusals| refusals.to_string())
}

/// The legal actions of many positions, by their numbers in the action space of the setup.
#[pyclass(frozen, sequence, name = "ActionLists", module = "podsgame")]
pub(super) struct PyActionLists {
    setup: Py<PySetup>,
    numbers: Vec<u16>,
    offsets: Vec<u64>,
}

fn frombuffer<'py>(py: Python<'py>, bytes: &[u8], kind: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.getattr("frombuffer")?.call1((copied(py, bytes)?, kind))
}

#[pymethods]
impl PyActionLists {
    fn __len__(&self) -> usize {
        self.offsets.len() - 1
    }

    fn __getitem__(&self, number: isize) -> PyResult<Vec<PyAction>> {
        let number = index(number, self.__len__())?;
        let setup = self.setup.get();
        let numbers = &self.numbers[self.offsets[number] as usize..self.offsets[number + 1] as usize];
        let written = |&number: &u16| PyAction(setup.game().written(setup.space().actions()[usize::from(number)]));
        Ok(numbers.iter().map(written).collect())
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        iterate(slf.as_any())
    }

    /// Returns the numbers of all actions of all positions, as an array of 16-bit numbers.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        frombuffer(py, bytemuck::cast_slice(&self.numbers), "uint16")
    }

    /// Returns the places in `numbers` at which the actions of each position begin, and the end of
    /// the last ones.
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        frombuffer(py, bytemuck::cast_slice(&self.offsets), "uint64")
    }

    /// Returns the number of actions in all.
    #[getter]
    fn total(&self) -> usize {
        self.numbers.len()
    }

    fn __repr__(&self) -> String {
        format!("<ActionLists: {} actions of {} positions>", self.numbers.len(), self.__len__())
    }
}
