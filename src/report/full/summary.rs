//! Summaries of rows: one for each setup, source and number of plies.

use std::io;

use super::plan::Plan;
use super::row::Row;
use super::share::{Interval, Share};
use super::task::Source;
use crate::material::Side;
use crate::report::NamedSetup;
use crate::report::rows::write_rows;

/// The columns. Shares are of positions that the first player, White, wins; a cell is empty where
/// it does not apply. `low` and `high` are the 95 % interval of the share among solved positions;
/// `least` and `most` the share among all if all unsolved positions were lost, or won; `least_low`
/// and `most_high` the outer ends of the 95 % intervals of those two. The openings are complete and
/// no sample, so they have no interval.
pub const SUMMARY_HEADER: [&str; 20] = [
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "source",
    "ply",
    "positions",
    "different",
    "first_wins",
    "first_losses",
    "unknown",
    "share",
    "low",
    "high",
    "least",
    "most",
    "least_low",
    "most_high",
];

/// The summary of the rows of one setup, source and number of plies.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The setup.
    pub setup: NamedSetup,
    /// Source of the positions.
    pub source: Source,
    /// The number of plies before the positions.
    pub ply: u32,
    /// Share won by the first player.
    pub share: Share,
    /// Number of distinct positions. In `share`, each counts as often as it was drawn.
    pub different: usize,
}

/// Returns the summaries of a plan's rows, in the order of setups, sources, plies.
#[must_use]
pub fn summaries(plan: &Plan, rows: &[Row]) -> Vec<Summary> {
    let mut summaries = Vec::new();
    for setup in &plan.setups {
        for source in [Source::Opening, Source::Random, Source::Strong] {
            let mut plies = if source == Source::Opening { vec![1] } else { plan.plies.clone() };
            plies.sort_unstable();
            plies.dedup();
            for ply in plies {
                let of = |row: &&Row| row.task.source == source && row.task.ply == ply && row.setup == *setup;
                let rows: Vec<&Row> = rows.iter().filter(of).collect();
                let count = |winner| rows.iter().filter(|row| row.winner == winner).count() as u64;
                let share =
                    Share { wins: count(Some(Side::White)), losses: count(Some(Side::Black)), unknown: count(None) };
                let mut texts: Vec<&str> = rows.iter().map(|row| row.position.as_str()).collect();
                texts.sort_unstable();
                texts.dedup();
                if share.positions() > 0 {
                    let different = texts.len();
                    summaries.push(Summary { setup: setup.clone(), source, ply, share, different });
                }
            }
        }
    }
    summaries
}

impl Summary {
    /// Returns the 95 % interval of the share among solved positions; `None` for openings, which
    /// are no sample.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.share.interval().filter(|_| self.source != Source::Opening)
    }

    /// Returns the cells, in the order of [`SUMMARY_HEADER`].
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        let Share { wins, losses, unknown } = self.share;
        let (bounds, widest) = (self.share.bounds(), self.share.widest().filter(|_| self.source != Source::Opening));
        let share = |share: Option<f64>| share.map(|share| format!("{share:.4}")).unwrap_or_default();
        let mut cells: Vec<String> = self.setup.cells().into();
        cells.extend([self.source.to_string(), self.ply.to_string()]);
        let counts = [self.share.positions(), self.different as u64, wins, losses, unknown];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend([
            share(self.share.of_solved()),
            share(self.interval().map(|interval| interval.low)),
            share(self.interval().map(|interval| interval.high)),
            share(bounds.map(|bounds| bounds.low)),
            share(bounds.map(|bounds| bounds.high)),
            share(widest.map(|widest| widest.low)),
            share(widest.map(|widest| widest.high)),
        ]);
        cells
    }
}

/// Writes summaries as CSV with a header.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_summaries(summaries: &[Summary], out: impl io::Write) -> io::Result<()> {
    write_rows(SUMMARY_HEADER, summaries.iter().map(Summary::cells), out)
}
