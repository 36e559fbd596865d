//! A row: a position and who wins it, as a line of CSV with a checksum that reveals a torn line.

use super::task::Task;
use crate::material::Side;
use crate::report::{NamedSetup, sha256_hex};

/// The columns, except the last one, `check`, which is a checksum of the others. `winner` is empty
/// if the position was not solved.
pub const ROW_HEADER: [&str; 14] = [
    "settings",
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "source",
    "ply",
    "seed",
    "opening",
    "position",
    "winner",
    "nodes",
];

/// A position, where it comes from, and who wins it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A digest of what the row depends on ([`super::Plan::settings`]).
    pub settings: String,
    /// The setup.
    pub setup: NamedSetup,
    /// Task of the position; it has fewer plies than the task says if the game ended before.
    pub task: Task,
    /// The position's text.
    pub position: String,
    /// The winner; `None` if the limit was reached.
    pub winner: Option<Side>,
    /// Nodes of the search; 0 if the game was over.
    pub nodes: u64,
}

/// Returns the cells that identify a row: the settings, the setup and the task.
pub(super) fn identity(settings: &str, setup: &NamedSetup, task: &Task) -> Vec<String> {
    let mut cells = vec![settings.to_owned()];
    cells.extend(setup.cells());
    let seed = task.seed.map(|seed| seed.to_string()).unwrap_or_default();
    cells.extend([task.source.to_string(), task.ply.to_string(), seed, task.opening.clone().unwrap_or_default()]);
    cells
}

/// Returns a short checksum of cells.
pub(super) fn checksum(cells: &[String]) -> String {
    sha256_hex(cells.join("\u{1f}").as_bytes())[..8].to_owned()
}

impl Row {
    /// Returns the cells, the checksum last.
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        let mut cells = identity(&self.settings, &self.setup, &self.task);
        let winner = match self.winner {
            Some(Side::White) => "white",
            Some(Side::Black) => "black",
            None => "",
        };
        cells.extend([self.position.clone(), winner.to_owned(), self.nodes.to_string()]);
        let check = checksum(&cells);
        cells.push(check);
        cells
    }

    /// Returns the row of a task from its cells, without the checksum; `None` if they are not of
    /// this task.
    pub(super) fn read(cells: &[String], settings: &str, task: &Task, setup: &NamedSetup) -> Option<Row> {
        let rest = cells.strip_prefix(identity(settings, setup, task).as_slice())?;
        let [position, winner, nodes] = rest else { return None };
        let winner = match winner.as_str() {
            "white" => Some(Side::White),
            "black" => Some(Side::Black),
            "" => None,
            _ => return None,
        };
        let (settings, position) = (settings.to_owned(), position.clone());
        Some(Row { settings, setup: setup.clone(), task: task.clone(), position, winner, nodes: nodes.parse().ok()? })
    }
}
