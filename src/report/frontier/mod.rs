//! Measures how early in a placement game positions can be solved: rows, summaries by ply, and a
//! picture.

mod plot;
mod row;

pub use plot::plot;
pub use row::{ByPly, FRONTIER_HEADER, FrontierRow, RowsError, SUMS_HEADER, by_ply, read_rows};
