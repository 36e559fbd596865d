//! The walk of version 4, as FORMATS.md describes it and LEMMAS.md proves it.
//!
//! The rules are written anew here, for sets of points: nothing is shared with the search that
//! chose. A sample of the situations is compared with the reference engine.

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
mod section;

pub(super) use coder::{BadBits, Decoder};
#[cfg(feature = "tables")]
pub(super) use coder::{Context, Encoder};
#[cfg(feature = "tables")]
pub(super) use counting::Pair;
#[cfg(feature = "tables")]
pub(super) use essence::Secret;
#[cfg(feature = "tables")]
pub(super) use field::{LegBits, bits};
pub use judge::Compared;
pub(super) use judge::{AsPosition, is_sampled};
#[cfg(feature = "tables")]
pub(super) use model::{Bits, Verdict};
pub(super) use scene::Scene;
pub(super) use section::{SectionWalk, Statement, Teller, View};
