//! Setups: what games start from.

use pyo3::prelude::*;

use super::action::{self, PyAction};
use super::error::input;
use super::material::{PyBoard, PyPodSet, orientation};
use super::types::{PyPosition, PySetup, side};
use crate::material::{BySide, Side};
use crate::oracle::GameRecord;
use crate::position::{Game, Hand};
use crate::rules::RuleSet;

#[pymethods]
impl PySetup {
    #[new]
    #[pyo3(signature = (board=None, pods=None, rules="standard", *, orientation=0, hands=None))]
    fn new(
        py: Python<'_>,
        board: Option<&Bound<'_, PyAny>>,
        pods: Option<&Bound<'_, PyAny>>,
        rules: &str,
        orientation: u16,
        hands: Option<&str>,
    ) -> PyResult<PySetup> {
        let made = |class: Bound<'_, pyo3::types::PyType>, given: Option<&Bound<'_, PyAny>>, usual: &str| match given {
            Some(given) if given.is_instance(&class)? => Ok(given.clone().unbind()),
            Some(given) => class.call1((given.str()?,)).map(Bound::unbind),
            None => class.call1((usual,)).map(Bound::unbind),
        };
        let board = made(py.get_type::<PyBoard>(), board, "cave36")?;
        let pods = made(py.get_type::<PyPodSet>(), pods, "pods14")?;
        let board = board.cast_bound::<PyBoard>(py)?.get().0.turned(self::orientation(py, orientation)?);
        let pods = pods.cast_bound::<PyPodSet>(py)?.get().0.clone();
        let rules: RuleSet = rules.parse().map_err(|e: crate::rules::RuleSetError| input(py, &e))?;
        let hands = match hands {
            None => BySide::from_fn(|_| Hand::whole(&pods)),
            Some(text) => Hand::parse_both(text, &pods).map_err(|e| input(py, &format_args!("hands: {e}")))?,
        };
        let setup = PySetup::of(Game::new(board, pods, rules), hands);
        setup.game().start(hands.white, hands.black, Side::White).map_err(|e| input(py, &e))?;
        Ok(setup)
    }

    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.game().board().clone())
    }

    #[getter]
    fn pods(&self) -> PyPodSet {
        PyPodSet(self.game().pods().clone())
    }

    /// Returns the name of the rule set.
    #[getter]
    fn rules(&self) -> String {
        self.game().rules().to_string()
    }

    /// Returns `true` if a game can return to an earlier position.
    #[getter]
    fn can_cycle(&self) -> bool {
        self.game().rules().can_cycle()
    }

    #[getter]
    fn white_hand(&self) -> String {
        self.hands.white.display(self.game().pods()).to_string()
    }

    #[getter]
    fn black_hand(&self) -> String {
        self.hands.black.display(self.game().pods()).to_string()
    }

    /// Creates the starting position with this side to begin.
    #[pyo3(signature = (first="white"))]
    fn start(slf: &Bound<'_, Self>, first: &str) -> PyResult<PyPosition> {
        let (py, this) = (slf.py(), slf.get());
        let BySide { white, black } = this.hands;
        let start = this.game().start(white, black, side(py, first)?).map_err(|e| input(py, &e))?;
        Ok(PyPosition { setup: slf.clone().unbind(), position: start })
    }

    /// Reads a position's text, or `start`.
    fn position(slf: &Bound<'_, Self>, text: &str) -> PyResult<PyPosition> {
        if text == "start" {
            PySetup::start(slf, "white")
        } else {
            PyPosition::new(slf.clone().unbind(), slf.py(), text)
        }
    }

    /// Returns the actions that a position can have, by number.
    fn action_space(&self) -> Vec<PyAction> {
        self.space().actions().iter().map(|&action| PyAction(self.game().written(action))).collect()
    }

    /// Returns the number of actions that a position can have.
    #[getter]
    fn action_count(&self) -> usize {
        self.space().actions().len()
    }

    /// Returns the action with a number.
    fn action(&self, py: Python<'_>, number: usize) -> PyResult<PyAction> {
        let action = self.space().actions().get(number);
        let action = action.ok_or_else(|| input(py, &format_args!("there are {} actions", self.action_count())))?;
        Ok(PyAction(self.game().written(*action)))
    }

    /// Returns the number of an action; `None` for one that no position has.
    fn action_number(&self, action: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
        let action = action::read(action)?.of(self.game()).map_err(|e| input(action.py(), &e))?;
        Ok(self.space().number(action))
    }

    /// Returns the setup as the conformance protocol writes it, as JSON.
    fn _record(&self) -> String {
        let record = GameRecord::of(&self.setup());
        serde_json::to_string(&record).unwrap_or_default()
    }

    fn __getnewargs_ex__(&self) -> ((PyBoard, PyPodSet, String), std::collections::BTreeMap<&'static str, String>) {
        let hands = format!("{}:{}", self.white_hand(), self.black_hand());
        ((self.board(), self.pods(), self.rules()), [("hands", hands)].into())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let (board, pods) = (self.game().board(), self.game().pods());
        format!(
            "Setup('{}', '{}', '{}', orientation={}, hands='{}:{}')",
            board.name(),
            pods.name(),
            self.game().rules(),
            board.orientation(),
            self.white_hand(),
            self.black_hand()
        )
    }

    fn _repr_svg_(&self) -> String {
        crate::drawing::Drawing::default().sheet(self.game().board(), self.game().pods())
    }
}
