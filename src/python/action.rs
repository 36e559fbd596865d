//! Actions.

use pyo3::IntoPyObjectExt as _;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::error::input;
use crate::position::WrittenAction;

/// An action as it is written, equal to its text; it need not be legal, or possible in some game.
#[pyclass(frozen, name = "Action", module = "podsgame")]
#[derive(Clone, Copy)]
pub(super) struct PyAction(pub(super) WrittenAction);

#[pymethods]
impl PyAction {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<PyAction> {
        Ok(PyAction(WrittenAction::parse(text).map_err(|e| input(py, &e))?))
    }

    /// Returns `place`, `move`, `shove` or `kick`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            WrittenAction::Place { .. } => "place",
            WrittenAction::Move { .. } => "move",
            WrittenAction::Shove { .. } => "shove",
            WrittenAction::Kick { .. } => "kick",
        }
    }

    /// Returns the pod that is placed.
    #[getter]
    fn pod(&self) -> Option<char> {
        match self.0 {
            WrittenAction::Place { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Returns the point that the pod leaves; `None` for a placement.
    #[getter]
    fn origin(&self) -> Option<String> {
        match self.0 {
            WrittenAction::Place { .. } => None,
            WrittenAction::Move { from, .. } | WrittenAction::Shove { from, .. } | WrittenAction::Kick { from, .. } => {
                Some(from.to_string())
            }
        }
    }

    /// Returns the point that the pod goes to.
    #[getter]
    fn target(&self) -> String {
        match self.0 {
            WrittenAction::Place { at: to, .. }
            | WrittenAction::Move { to, .. }
            | WrittenAction::Shove { to, .. }
            | WrittenAction::Kick { to, .. } => to.to_string(),
        }
    }

    /// Returns the number of points by which a kicked pod slides.
    #[getter]
    fn distance(&self) -> Option<u8> {
        match self.0 {
            WrittenAction::Kick { distance, .. } => Some(distance),
            _ => None,
        }
    }

    /// Compares actions by notation, as lists of them are sorted, and with texts: so
    /// `'b@a1' in position.legal_actions()` is what it says.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, how: CompareOp) -> PyResult<Py<PyAny>> {
        let text = match other.cast::<PyAction>() {
            Ok(action) => Some(action.get().0.to_string()),
            Err(_) => other.extract().ok().filter(|_| matches!(how, CompareOp::Eq | CompareOp::Ne)),
        };
        match text {
            Some(text) => how.matches(self.0.to_string().cmp(&text)).into_py_any(other.py()),
            None => Ok(other.py().NotImplemented()),
        }
    }

    /// Returns the hash of the text.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.0.to_string()).hash()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("Action('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}

/// Reads an action, given as such or as a text.
pub(super) fn read(action: &Bound<'_, PyAny>) -> PyResult<WrittenAction> {
    if let Ok(action) = action.cast::<PyAction>() {
        return Ok(action.get().0);
    }
    let text: String = action.extract()?;
    WrittenAction::parse(&text).map_err(|e| input(action.py(), &e))
}
