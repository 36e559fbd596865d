//! Rows of measurements, and their summaries by ply.

use std::io;

use serde::Deserialize;

use crate::files::{Decimal, record};

record! {
    /// A position that was searched.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    pub struct FrontierRow {
        /// The board's name.
        pub board: String,
        /// The board's turn in degrees.
        pub orientation: u16,
        /// The name of the rule set.
        pub rules: String,
        /// The number of random plies before the position.
        pub ply: u32,
        /// The seed of the random plies.
        pub seed: u64,
        /// The position's text.
        pub position: String,
        /// The value for the side to move; empty if the limit of nodes was reached.
        pub value: Option<String>,
        /// Nodes of the search.
        pub nodes: u64,
        /// Processor time of the search, in seconds.
        pub seconds: Decimal<6>,
    }
}

/// Reasons why rows cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The file has other columns, or a cell is invalid; the cause names the line.
    #[error("no rows of positions by ply: {0}")]
    Csv(#[from] csv::Error),
    /// There is no row.
    #[error("there are no rows")]
    Empty,
}

/// Reads rows.
///
/// # Errors
///
/// If a column is missing, a cell is invalid, or there is no row.
pub fn read_rows(from: impl io::Read) -> Result<Vec<FrontierRow>, RowsError> {
    let rows: Vec<FrontierRow> = csv::Reader::from_reader(from).deserialize().collect::<Result<_, _>>()?;
    if rows.is_empty() { Err(RowsError::Empty) } else { Ok(rows) }
}

record! {
    /// The summary of the rows of one ply.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ByPly {
        /// The number of plies before the positions.
        pub ply: u32,
        /// The number of positions.
        pub positions: usize,
        /// Number of them that were solved.
        pub solved: usize,
        /// The median of the nodes; a lower bound if the search of the middle position stopped at
        /// its limit.
        pub median_nodes: Decimal<0>,
        /// The median of the seconds; a lower bound in the same case.
        pub median_seconds: Decimal<6>,
        /// The geometric mean of the nodes; empty unless all were solved.
        pub mean_nodes: Option<Decimal<0>>,
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { (numbers[middle - 1] + numbers[middle]) / 2.0 }
}

/// Summarizes rows by ply, the lowest ply first.
#[must_use]
pub fn by_ply(rows: &[FrontierRow]) -> Vec<ByPly> {
    let mut plies: Vec<u32> = rows.iter().map(|row| row.ply).collect();
    plies.sort_unstable();
    plies.dedup();
    let of_ply = |ply: u32| {
        let rows: Vec<&FrontierRow> = rows.iter().filter(|row| row.ply == ply).collect();
        let solved = rows.iter().filter(|row| row.value.is_some()).count();
        let logs: f64 = rows.iter().map(|row| (row.nodes.max(1) as f64).ln()).sum();
        ByPly {
            ply,
            positions: rows.len(),
            solved,
            median_nodes: Decimal(median(rows.iter().map(|row| row.nodes as f64).collect())),
            median_seconds: Decimal(median(rows.iter().map(|row| row.seconds.0).collect())),
            mean_nodes: (solved == rows.len()).then(|| Decimal((logs / rows.len() as f64).exp())),
        }
    };
    plies.into_iter().map(of_ply).collect()
}
