//! Tests for other implementations of the rules: oracle sets and the conformance protocol.
//!
//! An oracle set ([`export`], [`check`]) is a folder with positions and everything that is true of
//! them ([`crate::rules::formats`]). The same seed gives the same set, and memory does not grow
//! with its size. A check derives every line again with the reference engine and refuses a set that
//! is cut off, reordered or altered, with line and cause.
//!
//! The [`protocol`] lets a driver ask a program about games and positions; [`peer`] is a program
//! that has been started for that. [`conform`] is the driver; [`serve()`] answers for an engine of this crate. The program can be written in any
//! language: `scripts/conform_engine.py` is an engine in Python, written from the rules alone.

mod answer;
pub mod check;
pub mod conform;
mod draw;
pub mod export;
mod facts;
mod illegal;
mod kinds;
mod line;
mod manifest;
pub mod peer;
pub mod protocol;
mod record;
mod serve;

pub use line::{Forbidden, LegalAction, Line, LineError};
pub use manifest::OracleManifest;
pub use record::{BoardRecord, GameRecord, PodRecord};
pub use serve::{Session, serve};
