//! What is found out, put together for people and for other programs: balance, manifests, drawings.

mod balance;
pub mod drawing;
mod files;
mod manifest;
mod suite;

pub use balance::{BalanceError, BalanceRow, CSV_HEADER, Openings, OutcomeClass, Verified, balance, write_csv};
pub(crate) use files::new_file;
pub use files::{material_text, write_files};
pub use manifest::{Input, Manifest, sha256_hex};
pub use suite::{Entry, suite};
