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
//! pieces of a list for several threads, reads at a place.

mod block_rows;
mod blocks;
mod build_folder;
mod codec;
mod cursor;
mod disjoint;
mod division;
mod file;
mod header;
mod new_file;
mod pages;
mod parts;
mod positioned_file;
mod seal;
mod swar;
mod values;

pub(in crate::table) use blocks::codes_of;
pub(in crate::table) use build_folder::{BuildFolder, remove_left};
pub(in crate::table) use codec::{BLOCK_CELLS, Codec, Window};
pub(in crate::table) use cursor::Cursor;
pub(in crate::table) use disjoint::DisjointSlices;
pub(in crate::table) use division::{Blocks, Division, Undivided};
pub(in crate::table) use file::{OLD_ENDINGS, like_table, peek};
pub(in crate::table) use header::{ENDING, with_ending};
pub(in crate::table) use new_file::{NewFile, make_blocks, write_table};
pub(in crate::table) use pages::PageBuffer;
pub(in crate::table) use parts::{
    BlockReader, Encode, Parts, TierBlocks, TierSideFile, make_tier, write_codes, write_tier,
};
pub(in crate::table) use positioned_file::PositionedFile;
pub(in crate::table) use values::CodesPart;

pub(crate) use block_rows::BlockRows;
pub use file::TableFile;
pub use header::table_path;
pub(crate) use header::{Header, SetupText};
pub use values::Codes;
#[cfg(test)]
pub(crate) use values::code_of;
pub(crate) use values::value_of;
