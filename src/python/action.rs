//! Actions.

use pyo3::prelude::*;

use super::error::input;
use crate::position::WrittenAction;

/// An action as it is written; it need not be legal, or possible in some game.
#[pyclass(frozen, eq, ord, hash, name = "Action", module = "podsgame")]
#[derive(Clone, Copy, PartialEq, Hash)]
pub(super) struct PyAction(pub(super) WrittenAction);

/// By notation, as lists of actions are sorted.
impl PartialOrd for PyAction {
    fn partial_cmp(&self, other: &PyAction) -> Option<std::cmp::Ordering> {
        self.0.to_string().partial_cmp(&other.0.to_string())
    }
}

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
