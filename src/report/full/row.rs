//! A row: a position and who wins it, as a line of CSV with a checksum that reveals a torn line.

use super::task::Task;
use crate::files::{Record as _, record};
use crate::material::Side;
use crate::report::{NamedSetup, SetupRecord, sha256_hex};

record! {
    /// The columns of the file of rows.
    #[derive(Clone, Debug)]
    pub struct SampleRecord {
        /// Digest of what the row depends on, so that no row of another run is taken for one of
        /// this.
        pub settings: String,
        /// Name of the board, or its file.
        pub board: String,
        /// Degrees by which the board is turned clockwise (R2).
        pub orientation: u16,
        /// Name of the pod set, or its file.
        pub pods: String,
        /// Pods of White's hand at the start.
        pub white_hand: String,
        /// Pods of Black's hand at the start.
        pub black_hand: String,
        /// The rule set.
        pub rules: String,
        /// Source of the position: `opening`, `random` or `strong` play.
        pub source: &'static str,
        /// Plies before the position; it has fewer if the game ended before.
        pub ply: u32,
        /// The seed; empty for openings.
        pub seed: Option<u64>,
        /// The first action, for openings.
        pub opening: Option<String>,
        /// The position's text.
        pub position: String,
        /// `white` or `black`; empty if the limit was reached.
        pub winner: Option<&'static str>,
        /// Nodes of the search; 0 if the game was over.
        pub nodes: u64,
        /// Checksum of the other columns.
        pub check: String,
    }
}

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

/// Returns a short checksum of cells.
pub(super) fn checksum(cells: &[String]) -> String {
    sha256_hex(cells.join("\u{1f}").as_bytes())[..8].to_owned()
}

impl Row {
    /// Returns the columns of the row.
    pub(crate) fn record(&self) -> SampleRecord {
        let SetupRecord { board, orientation, pods, white_hand, black_hand, rules } = self.setup.record();
        let mut record = SampleRecord {
            settings: self.settings.clone(),
            board,
            orientation,
            pods,
            white_hand,
            black_hand,
            rules,
            source: self.task.source.name(),
            ply: self.task.ply,
            seed: self.task.seed,
            opening: self.task.opening.clone(),
            position: self.position.clone(),
            winner: self.winner.map(|winner| if winner == Side::White { "white" } else { "black" }),
            nodes: self.nodes,
            check: String::new(),
        };
        let mut cells = record.cells();
        cells.pop();
        record.check = checksum(&cells);
        record
    }

    /// Returns the row of a task from its cells; `None` if they are not of this task.
    pub(super) fn read(cells: &[String], settings: &str, task: &Task, setup: &NamedSetup) -> Option<Row> {
        let [.., position, winner, nodes, _] = cells else { return None };
        let row = Row {
            settings: settings.to_owned(),
            setup: setup.clone(),
            task: task.clone(),
            position: position.clone(),
            winner: Side::BOTH.into_iter().find(|side| winner.eq_ignore_ascii_case(&side.to_string())),
            nodes: nodes.parse().ok()?,
        };
        (row.record().cells() == cells).then_some(row)
    }
}
