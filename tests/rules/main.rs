//! The rules: clauses, traps and laws on every engine, the material, the readings of the texts.

#[path = "../common/mod.rs"]
mod common;

mod captions;
mod clauses;
mod crosscheck;
mod engine_properties;
mod laws;
mod material;
mod perft;
mod readings;
mod reasons;
mod regressions;
mod serde;
mod traps;
