//! Positions.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::action::{self, PyAction};
use super::error::{exception, input, limit, record};
use super::job::{Watch, run_to_end};
use super::material::hash_of;
use super::types::{self, PyPosition, PyPositions, PySetup, side_name};
use crate::drawing::{Drawing, attacks, liberties, text};
use crate::engine::{Engine, Illegal, Sequences, Status, why_won};
use crate::material::{PodKind, Side};
use crate::position::Action;
use crate::report::{Verdict, blocked_after, choices};

impl PyPosition {
    pub(super) fn setup(&self) -> &PySetup {
        self.setup.get()
    }

    fn read_action(&self, action: &Bound<'_, PyAny>) -> PyResult<Action> {
        action::read(action)?.of(self.setup().game()).map_err(|e| input(action.py(), &e))
    }

    fn illegal(&self, py: Python<'_>, action: Action, illegal: &Illegal) -> PyErr {
        let game = self.setup().game();
        let (written, why) = (PyAction(game.written(action)), illegal.explain(game, action));
        exception(py, "IllegalAction", (written, illegal.clause.to_string(), why))
    }

    fn play_action(&self, py: Python<'_>, action: Action) -> PyResult<PyPosition> {
        match self.setup().fast.transition(&self.position, action) {
            Some(result) => Ok(PyPosition { setup: self.setup.clone_ref(py), position: result.next }),
            None => match self.setup().reference.turn(&self.position, action) {
                Err(illegal) => Err(self.illegal(py, action, &illegal)),
                Ok(_) => Err(exception(py, "Discrepancy", ("the engines disagree on whether the action is legal",))),
            },
        }
    }

    fn at(&self, py: Python<'_>, point: &str) -> PyResult<crate::geometry::Point> {
        let board = self.setup().game().board();
        let point_at = point.parse().ok().and_then(|coord| board.point_at(coord));
        point_at.ok_or_else(|| input(py, &format_args!("{point:?} is no point of the board (R1)")))
    }

    fn explanation<'py>(&self, py: Python<'py>, verdict: &Verdict) -> PyResult<Bound<'py, PyAny>> {
        let game = self.setup().game();
        let clause = verdict.clause().map(|clause| clause.to_string());
        let mut text = verdict.explain(game);
        if verdict.illegal.is_none() {
            let reference = &self.setup().reference;
            for pod in blocked_after(reference, &self.position, verdict.action).unwrap_or_default() {
                text = format!("{text}; {}", pod.explain(game, self.position.to_move()));
            }
        }
        record(py, "Explanation")?.call1((
            PyAction(game.written(verdict.action)),
            verdict.illegal.is_none(),
            clause,
            text,
        ))
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    pub(super) fn new(setup: Py<PySetup>, py: Python<'_>, text: &str) -> PyResult<PyPosition> {
        let position = setup.get().game().parse_position(text).map_err(|e| input(py, &e))?;
        Ok(PyPosition { setup, position })
    }

    #[getter(setup)]
    fn py_setup(&self, py: Python<'_>) -> Py<PySetup> {
        self.setup.clone_ref(py)
    }

    /// Returns the side to move: `white` or `black`.
    #[getter]
    fn turn(&self) -> &'static str {
        side_name(self.position.to_move())
    }

    /// Returns `true` if the side to move must still open with a bipod.
    #[getter]
    fn is_open(&self) -> bool {
        self.position.is_open()
    }

    /// Returns `ongoing`, `white_won` or `black_won`.
    #[getter]
    fn status(&self) -> &'static str {
        self.setup().fast.status(&self.position).name()
    }

    /// Returns the pods on the board: owner and id by point.
    #[getter]
    fn pods(&self) -> BTreeMap<String, (&'static str, char)> {
        let game = self.setup().game();
        let pods = self.position.pods();
        pods.map(|(at, pod)| (game.board().coord(at).to_string(), (side_name(pod.side), game.pods().id(pod.kind))))
            .collect()
    }

    /// Returns the owner and the id of the pod on a point.
    fn pod_at(&self, py: Python<'_>, point: &str) -> PyResult<Option<(&'static str, char)>> {
        let pod = self.position.pod(self.at(py, point)?);
        Ok(pod.map(|pod| (side_name(pod.side), self.setup().game().pods().id(pod.kind))))
    }

    /// Returns a hand, as in the position's text.
    fn hand(&self, py: Python<'_>, side: &str) -> PyResult<String> {
        Ok(self.position.hand(types::side(py, side)?).display(self.setup().game().pods()).to_string())
    }

    /// Returns the winner and the reason, if the game has ended.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Status::Won(winner) = self.setup().fast.status(&self.position) else { return Ok(None) };
        let why = why_won(self.setup().reference.game(), &self.position);
        record(py, "Outcome")?.call1((side_name(winner), why)).map(Some)
    }

    /// Returns the legal actions, sorted by their notation.
    #[pyo3(signature = (engine="fast"))]
    fn legal_actions(&self, py: Python<'_>, engine: &str) -> PyResult<Vec<PyAction>> {
        let setup = self.setup();
        let actions = match engine {
            "fast" => setup.fast.sorted_actions(&self.position),
            "reference" => setup.reference.sorted_actions(&self.position),
            other => return Err(input(py, &format_args!("the engines are fast and reference, not {other:?}"))),
        };
        Ok(actions.into_iter().map(|action| PyAction(setup.game().written(action))).collect())
    }

    /// Returns the numbers of the legal actions in the action space of the setup, rising.
    fn legal_numbers(&self) -> Vec<u16> {
        let (fast, space) = (&self.setup().fast, self.setup().space());
        let mut numbers = Vec::new();
        fast.for_each_action(&fast.state(&self.position), |action| numbers.extend(space.number(action)));
        numbers.sort_unstable();
        numbers
    }

    /// Returns the position after the action with a number.
    fn play_number(&self, py: Python<'_>, number: usize) -> PyResult<PyPosition> {
        let action = self.setup().space().actions().get(number);
        let action = *action.ok_or_else(|| input(py, &format_args!("there is no action {number}")))?;
        self.play_action(py, action)
    }

    /// Returns the number of each kind in White's hand, then in Black's, a byte each.
    fn hand_counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let kinds: Vec<PodKind> = self.setup().game().pods().kinds().collect();
        let count = |side| kinds.iter().map(move |&kind| (side, kind));
        let counts = Side::BOTH.into_iter().flat_map(count).map(|(side, kind)| self.position.hand(side).count(kind));
        PyBytes::new(py, &counts.collect::<Vec<u8>>())
    }

    /// Returns `True` if an action is legal.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.setup().fast.is_legal(&self.position, self.read_action(action)?))
    }

    /// Returns the position after an action.
    fn play(&self, action: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        self.play_action(action.py(), self.read_action(action)?)
    }

    /// Returns the position after an action and its captures: ids that went back to hand, and ids
    /// that went out of the game.
    fn transition<'py>(&self, action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, action) = (action.py(), self.read_action(action)?);
        let result = self.setup().reference.turn(&self.position, action).map_err(|e| self.illegal(py, action, &e))?;
        let pods = self.setup().game().pods();
        let ids = |kinds: &[PodKind]| kinds.iter().map(|&kind| pods.id(kind)).collect::<String>();
        let (returned, removed) = (ids(&result.returned), ids(&result.removed));
        let next = PyPosition { setup: self.setup.clone_ref(py), position: result.next };
        record(py, "Transition")?.call1((next, returned, removed))
    }

    /// Explains why an action is legal or not, by the reference engine.
    fn explain<'py>(&self, action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, action) = (action.py(), self.read_action(action)?);
        let illegal = self.setup().reference.check(&self.position, action).err();
        self.explanation(py, &Verdict { action, illegal })
    }

    /// Explains every placement, and every move, shove and kick along a leg.
    fn explain_all<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let choices = choices(&self.setup().reference, &self.position);
        let placements = choices.placements.iter().flat_map(|(_, verdicts)| verdicts);
        let all = placements.chain(choices.moves.iter().flat_map(|(_, verdicts)| verdicts));
        all.map(|verdict| self.explanation(py, verdict)).collect()
    }

    /// Counts the action sequences of exactly this length.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth > Sequences::MAX_PLIES {
            return Err(input(py, &format_args!("the most is {} plies, not {depth}", Sequences::MAX_PLIES)));
        }
        let count = |watch: &Watch| Sequences::new(&self.setup().fast).count(&self.position, depth, watch).ok();
        run_to_end(py, count)?.ok_or_else(|| limit(py, &"there are 2^64 sequences or more"))
    }

    /// Returns the positions after each legal action, in the order of the actions.
    fn children(&self, py: Python<'_>) -> PyPositions {
        let fast = &self.setup().fast;
        let after = |action| fast.transition(&self.position, action).map(|result| result.next);
        let positions = fast.sorted_actions(&self.position).into_iter().filter_map(after).collect();
        PyPositions { setup: self.setup.clone_ref(py), positions }
    }

    /// Draws the position as SVG; `show` is `attacks` or `liberties` for marks.
    #[pyo3(signature = (show=None))]
    fn svg(&self, py: Python<'_>, show: Option<&str>) -> PyResult<String> {
        let reference = &self.setup().reference;
        let marks = match show {
            None => Vec::new(),
            Some("attacks") => attacks(reference, &self.position),
            Some("liberties") => liberties(reference, &self.position),
            Some(other) => {
                return Err(input(py, &format_args!("what is shown is attacks or liberties, not {other:?}")));
            }
        };
        let drawing = if marks.is_empty() { Drawing::default() } else { Drawing::default().legend() };
        Ok(drawing.position(self.setup().game(), &self.position, &marks))
    }

    /// Draws the position with characters.
    fn picture(&self) -> String {
        text::position(self.setup().game(), &self.position, &[], text::Style::default())
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn __str__(&self) -> String {
        self.position.display(self.setup().game()).to_string()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<Position '{}' of {}>", self.__str__(), self.setup().game().board().name())
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (Py<PySetup>, String) {
        (self.setup.clone_ref(py), self.__str__())
    }

    /// Returns a number for hash tables outside Python, the same for equal positions of a run.
    fn key(&self) -> u64 {
        hash_of(&self.position)
    }
}
