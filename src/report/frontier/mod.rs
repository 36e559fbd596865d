//! How early in a placement game positions can be solved: measured rows, summaries by ply, a picture, and an
//! extrapolation to the empty board.

mod fit;
#[cfg(feature = "plot")]
mod plot;
mod row;

pub use fit::{Growth, growth};
#[cfg(feature = "plot")]
pub use plot::{PlotError, plot};
pub use row::{ByPly, FRONTIER_HEADER, FrontierRow, RowsError, SUMS_HEADER, by_ply, read_rows};
