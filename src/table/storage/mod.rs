//! Values as bytes, in memory and on disk.
//!
//! A solved tier arrives as [codes](values), a byte or two a cell, in large [pages]. [`codec`] cuts
//! them into blocks of 4,096 cells and compresses each. While a build goes on, these lie in
//! [`parts`] in the [folder of the build](build_folder). When all tiers are there, [`new_file`]
//! makes [`blocks`] of the held positions alone, so many [rows](block_rows) each, and puts them
//! behind a [`header`] into the file of the table. [`file`] opens it again for
//! [probes](crate::table::probe); a [`cursor`] keeps the blocks that were unpacked last. A [`seal`]
//! ties a block to its place there. [`division`] says who makes which blocks where several
//! processes do. [`swar`], [`disjoint`] and [`positioned_file`] are tools: eight bytes in a word,
//! pieces of a list for several threads, reads at a place; [`atomic`] writes files that are there
//! whole or not at all.

pub(in crate::table) mod atomic;
pub(in crate::table) mod block_rows;
pub(in crate::table) mod blocks;
pub(in crate::table) mod build_folder;
pub(in crate::table) mod codec;
pub(in crate::table) mod cursor;
pub(in crate::table) mod disjoint;
pub(in crate::table) mod division;
pub(in crate::table) mod file;
pub(in crate::table) mod header;
pub(in crate::table) mod new_file;
pub(in crate::table) mod pages;
pub(in crate::table) mod parts;
pub(in crate::table) mod positioned_file;
pub(in crate::table) mod seal;
pub(in crate::table) mod swar;
pub(in crate::table) mod values;

pub(crate) use block_rows::BlockRows;
pub use file::TableFile;
pub use header::table_path;
pub(crate) use header::{Header, SetupText, SetupTextError};
pub use values::Codes;
#[cfg(test)]
pub(crate) use values::code_of;
pub(crate) use values::value_of;
