//! What lets any other implementation be checked against this one: oracle sets and the conformance protocol.
//!
//! An oracle set ([`export`], [`check`]) is a folder with positions and everything that is true of them. The
//! [`protocol`] is a conversation with a program that implements the rules; [`conform`] holds it, [`serve`] is the other
//! end.

mod answer;
pub mod conform;
mod illegal;
mod lines;
pub mod protocol;
mod record;
mod serve;

pub use record::{BoardRecord, GameRecord, PodRecord};
pub use serve::{Session, serve};
