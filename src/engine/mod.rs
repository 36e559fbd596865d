//! The rules at work: two engines that know nothing of each other, and what compares them.

pub mod bitboard;
mod outcome;
pub mod reference;

pub use outcome::{Engine, Illegal, LegBlock, Reason, Status, Transition};
pub use reference::Reference;
