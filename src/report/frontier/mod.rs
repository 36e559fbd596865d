//! Measures how early in a placement game positions can be solved: rows, summaries by ply, and a
//! picture.

mod plot;
mod row;

pub use plot::plot;
pub use row::{ByPly, FrontierRow, RowsError, by_ply, read_rows};
