//! The classes that know each other: setups have positions, positions their setup and positions
//! after them. Their methods stand in files of their own.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use pyo3::prelude::*;

use super::error::input;
use super::material::PyBoard;
use crate::engine::{Bitboard, Reference};
use crate::material::{BySide, Side};
use crate::position::{ActionSpace, Game, Hand, Position, Setup};

/// A setup: a board as it lies, pods, rules, and the hands at the start.
#[pyclass(frozen, eq, hash, name = "Setup", module = "podsgame")]
pub(super) struct PySetup {
    pub(super) fast: Bitboard,
    pub(super) reference: Reference,
    pub(super) hands: BySide<Hand>,
    pub(super) space: OnceLock<ActionSpace>,
}

impl PartialEq for PySetup {
    fn eq(&self, other: &PySetup) -> bool {
        self.game() == other.game() && self.hands == other.hands
    }
}

impl Hash for PySetup {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let game = self.game();
        PyBoard(game.board().clone()).hash(hasher);
        (game.pods().name(), game.rules().to_string(), self.hands).hash(hasher);
    }
}

impl PySetup {
    pub(super) fn of(game: Game, hands: BySide<Hand>) -> PySetup {
        let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game));
        PySetup { fast, reference, hands, space: OnceLock::new() }
    }

    pub(super) fn game(&self) -> &Game {
        crate::engine::Engine::game(&self.fast)
    }

    pub(super) fn setup(&self) -> Setup {
        Setup::new(self.game().clone(), self.hands)
    }

    pub(super) fn space(&self) -> &ActionSpace {
        self.space.get_or_init(|| ActionSpace::new(self.game()))
    }
}

/// Reads a side from its name.
pub(super) fn side(py: Python<'_>, name: &str) -> PyResult<Side> {
    name.parse().map_err(|_| input(py, &format_args!("a side is \"white\" or \"black\", not {name:?}")))
}

/// Returns the name of a side.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// A position of a setup.
#[pyclass(frozen, eq, hash, name = "Position", module = "podsgame")]
pub(super) struct PyPosition {
    pub(super) setup: Py<PySetup>,
    pub(super) position: Position,
}

impl PartialEq for PyPosition {
    fn eq(&self, other: &PyPosition) -> bool {
        self.position == other.position && (self.setup.is(&other.setup) || self.setup.get() == other.setup.get())
    }
}

impl Hash for PyPosition {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.position.hash(hasher);
    }
}

/// Positions of one setup.
#[pyclass(frozen, eq, sequence, name = "Positions", module = "podsgame")]
pub(super) struct PyPositions {
    pub(super) setup: Py<PySetup>,
    pub(super) positions: Vec<Position>,
}

impl PartialEq for PyPositions {
    fn eq(&self, other: &PyPositions) -> bool {
        self.positions == other.positions && (self.setup.is(&other.setup) || self.setup.get() == other.setup.get())
    }
}
