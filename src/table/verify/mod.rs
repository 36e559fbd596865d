//! Verification: every value derived again from those of its successors, by code that knows nothing of the passes that found
//! it.
//!
//! All codes of a table come in, unpacked. [`rows`] derives a row at a time, for rules without shoves; [`positions`] derives
//! one position at a time with the engines, all or a sample, and runs the whole. Out comes the number of positions that
//! agree, or the first that does not.

pub(in crate::table) mod positions;
pub(in crate::table) mod rows;

pub use positions::{Verification, Verified, Verifier, VerifyError, verify_codes, verify_rows};
