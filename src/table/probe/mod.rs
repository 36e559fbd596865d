//! Questions to finished tables.
//!
//! A position comes in. [`tablebase`] finds the table that holds it, by the header of each.
//! [`reader`] answers: it finds the [place](crate::table::index::Place) and asks [`source`], which
//! takes the code from memory or from a file. A [cursor](crate::table::storage::cursor) keeps the
//! blocks of a file that were unpacked last. What is not stored (finished positions, open ones,
//! those with blocked pods) the reader answers from the rules and from what the table says of the
//! next positions. [`table`] is a table as a whole: setup, index, source. [`many`] asks for many
//! positions at once.

mod many;
mod reader;
mod source;
mod table;
mod tablebase;

pub use reader::{Probe, Reader};
pub use table::Table;
pub use tablebase::{Prober, Tablebase};
