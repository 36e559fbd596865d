//! Two engines that implement the rules independently of each other, the interface that they share,
//! and the cross-check that compares them.

pub mod bitboard;
#[cfg(feature = "crosscheck")]
pub mod crosscheck;
mod outcome;
mod play;
pub mod reference;
mod sequences;

pub use bitboard::Bitboard;
pub use outcome::{ActionList, Engine, Illegal, LegBlock, Reason, Status, Transition, why_won};
pub use play::Play;
pub use reference::Reference;
pub use sequences::Sequences;
