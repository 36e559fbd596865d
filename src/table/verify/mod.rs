//! Verifies tables: derives every value again from those of its successors, by code that shares
//! nothing with the passes that found it.
//!
//! All codes of a table come in, unpacked. [`rows`] derives a row at a time; [`positions`] derives
//! one position at a time with the engines, all or a sample, and runs the whole. Out comes the
//! number of positions that agree, or the first that does not.
//!
//! # Shared parts
//!
//! Both take from the [index](crate::table::index) how positions are numbered: tiers, slices, rows
//! and cells. A wrong number that is wrong in the same way for sweeps, readers and verifiers is not
//! found here, but by the tests of the index. Both take from [`storage`](crate::table::storage) how
//! codes are unpacked and what they mean. Which positions exist (those with blocked pods are left
//! out under some rules) is derived here from the board and the legs, for every row, and compared
//! with the index. By rows no engine is used. Position by position there are two: the fast one,
//! with which tables are solved position by position, and the reference one, with which none is.
//! Where the index has no place for what an action leads to, that is a discrepancy like a wrong
//! value.

mod error;
mod judge;
mod positions;
mod rows;
#[cfg(test)]
mod tests;

pub(in crate::table) use positions::bytes_of_verification;

pub use error::VerifyError;
pub use positions::{Verification, Verified, Verifier, verify_codes, verify_rows};
