//! Version 4 of certificates, as FORMATS.md describes it and LEMMAS.md proves it.
//!
//! The rules of the walk are written anew here, for sets of points: nothing is shared with the
//! search that chose, nor with the walks of versions 2 and 3. A sample of the situations is
//! compared with the reference engine.

mod coder;
mod counting;
mod essence;
mod field;
#[cfg(all(test, feature = "tables"))]
pub(super) mod forged;
mod judge;
#[cfg(test)]
mod lemma_tests;
mod model;
mod scene;
mod walk;
mod write;

pub(super) use coder::{BadBits, Decoder};
pub(super) use essence::Secret;
pub use judge::Compared;
pub(super) use judge::{AsPosition, is_sampled};
pub(super) use scene::Scene;
pub(super) use walk::{SectionWalk, Statement, Teller, View};
pub(super) use write::Written;
