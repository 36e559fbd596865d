//! The rules at work: two engines that know nothing of each other, and what compares them.

pub mod bitboard;
#[cfg(feature = "crosscheck")]
pub mod crosscheck;
mod outcome;
pub mod reference;

pub use bitboard::Bitboard;
pub use outcome::{ActionList, Engine, Illegal, LegBlock, Reason, Status, Transition};
pub use reference::Reference;
