//! Boards and pods.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use pyo3::prelude::*;

use super::error::input;
use crate::drawing::Drawing;
use crate::geometry::Orientation;
use crate::material::{Board, MaterialError, PodSet, board_from_toml, find_board, find_pods, pods_from_toml};

/// A board as it lies on the table.
#[pyclass(frozen, eq, hash, name = "Board", module = "podsgame")]
#[derive(Clone, PartialEq)]
pub(super) struct PyBoard(pub(super) Board);

impl Hash for PyBoard {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        (self.0.name(), self.0.orientation().degrees(), self.0.picture()).hash(hasher);
    }
}

/// Returns the hash of a value, for classes whose Rust types have none.
pub(super) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Reads an orientation from its degrees.
pub(super) fn orientation(py: Python<'_>, degrees: u16) -> PyResult<Orientation> {
    let wrong = || input(py, &format_args!("a board is turned by 0, 90, 180 or 270 degrees, not by {degrees} (R2)"));
    Orientation::from_degrees(degrees).ok_or_else(wrong)
}

/// Reads the text of a file, or a built-in name, or the name of a file.
fn read<T>(
    text: &str,
    from_toml: fn(&str, &str) -> Result<T, MaterialError>,
    find: fn(&str) -> Result<T, MaterialError>,
) -> Result<T, MaterialError> {
    if text.contains('\n') { from_toml("text", text) } else { find(text) }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (source, orientation=0))]
    fn new(py: Python<'_>, source: &str, orientation: u16) -> PyResult<PyBoard> {
        let board = read(source, board_from_toml, |name| find_board(name)).map_err(|e| input(py, &e))?;
        Ok(PyBoard(board.turned(self::orientation(py, orientation)?)))
    }

    /// Returns the name, without the orientation.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns the source of the board, in the file's own words.
    #[getter]
    fn source(&self) -> &str {
        self.0.source()
    }

    /// Returns the degrees by which it was turned clockwise.
    #[getter]
    fn orientation(&self) -> u16 {
        self.0.orientation().degrees()
    }

    #[getter]
    fn columns(&self) -> u8 {
        self.0.columns()
    }

    #[getter]
    fn rows(&self) -> u8 {
        self.0.rows()
    }

    /// Returns the points by name, row by row from White's bottom left.
    #[getter]
    fn points(&self) -> Vec<String> {
        self.0.points().map(|point| self.0.coord(point).to_string()).collect()
    }

    /// Returns the lines, each once, by the names of their ends.
    #[getter]
    fn lines(&self) -> Vec<(String, String)> {
        let name = |point| self.0.coord(point).to_string();
        self.0.each_line().map(|(from, _, to)| (name(from), name(to))).collect()
    }

    /// Returns the board turned further.
    fn turned(&self, py: Python<'_>, degrees: u16) -> PyResult<PyBoard> {
        Ok(PyBoard(self.0.turned(orientation(py, degrees)?)))
    }

    /// Returns the picture of the board file format.
    fn picture(&self) -> String {
        self.0.picture()
    }

    /// Returns the text of a board file, with the board as it lay before it was turned.
    fn to_toml(&self) -> String {
        let back = Orientation::from_degrees((360 - self.orientation()) % 360);
        let board = self.0.turned(back.unwrap_or(Orientation::R0));
        let (name, source) = (quoted(board.name()), quoted(board.source()));
        format!("name = {name}\nsource = {source}\npoints = '''\n{}'''\n", board.picture())
    }

    fn __getnewargs__(&self) -> (String, u16) {
        (self.to_toml(), self.orientation())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<Board {:?}, {} points, turned by {}°>", self.0.name(), self.0.len(), self.orientation())
    }

    fn _repr_svg_(&self) -> String {
        Drawing::default().board(&self.0, &[])
    }
}

/// A set of pods.
#[pyclass(frozen, eq, hash, name = "PodSet", module = "podsgame")]
#[derive(Clone, PartialEq)]
pub(super) struct PyPodSet(pub(super) PodSet);

impl Hash for PyPodSet {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.to_toml().hash(hasher);
    }
}

#[pymethods]
impl PyPodSet {
    #[new]
    fn new(py: Python<'_>, source: &str) -> PyResult<PyPodSet> {
        Ok(PyPodSet(read(source, pods_from_toml, |name| find_pods(name)).map_err(|e| input(py, &e))?))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns the source of the pods, in the file's own words.
    #[getter]
    fn source(&self) -> &str {
        self.0.source()
    }

    /// Returns the ids of the kinds, sorted.
    #[getter]
    fn ids(&self) -> Vec<char> {
        self.0.kinds().map(|kind| self.0.id(kind)).collect()
    }

    /// Returns the legs of a kind as its owner sees them, lower case short and upper case long.
    fn legs(&self, py: Python<'_>, id: char) -> PyResult<Vec<String>> {
        let wrong = || input(py, &format_args!("the pod set {} has no pod {id} (R3)", self.0.name()));
        let kind = self.0.kind(id).ok_or_else(wrong)?;
        Ok(self.0.legs(kind).iter().map(|leg| leg.to_string()).collect())
    }

    /// Returns the number of pods of a kind that each player has.
    fn count(&self, py: Python<'_>, id: char) -> PyResult<u8> {
        let wrong = || input(py, &format_args!("the pod set {} has no pod {id} (R3)", self.0.name()));
        Ok(self.0.spec(self.0.kind(id).ok_or_else(wrong)?).count)
    }

    /// Returns the text of a pod file.
    fn to_toml(&self) -> String {
        let mut text = format!("name = {}\nsource = {}\n", quoted(self.0.name()), quoted(self.0.source()));
        for kind in self.0.kinds() {
            let spec = self.0.spec(kind);
            let _ = write!(text, "\n[[pod]]\nid = \"{}\"\n", spec.id);
            if !spec.name.is_empty() {
                let _ = writeln!(text, "name = {}", quoted(&spec.name));
            }
            let _ = writeln!(text, "legs = \"{}\"\ncount = {}", spec.legs, spec.count);
        }
        text
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.to_toml(),)
    }

    fn __len__(&self) -> usize {
        self.0.kinds().map(|kind| usize::from(self.0.spec(kind).count)).sum()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<PodSet {:?}, {} pods>", self.0.name(), self.__len__())
    }

    fn _repr_svg_(&self) -> String {
        Drawing::default().pods(&self.0)
    }
}
