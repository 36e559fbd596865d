//! Evaluators: which cells of a row a pass can decide.
//!
//! A [pass](crate::table::retro::pass) hands over a row, its fixed pods and the cells that it wants
//! to know about, and gets back those in which some action leads to a loss of the opponent (wins),
//! or all actions lead to wins of the opponent (losses). [`direct`] plays every action of every
//! cell with the fast engine: slow, and for every rule. [`row`] works on all cells of the row at
//! once, a bit a cell: [successors](row) are read first, legality is asked only where what was read
//! matters. Both read what is known of successors from the pass, and write nothing.

mod direct;
mod row;

pub(in crate::table) use direct::Direct;
pub(in crate::table) use row::Bits;
