//! Files: outputs that never replace the wrong file, readers with a limit, locks.
//!
//! Every file that the user names is written through an [`Output`]. It follows links, writes into a
//! character device or a FIFO, and writes any other file whole or not at all; a file that it
//! replaces keeps its mode. Without [`Overwrite::force`] it refuses to replace a file that the same
//! command reads, a read-only file, or a file of another kind; a `Judge` knows the kind by the
//! first bytes.
//!
//! `read_text` and [`read_line`] read at most a given number of bytes, so that no input fills the
//! memory; [`open()`] refuses devices and FIFOs; [`unpacked`] reads what xz or zstd has packed. What comes from a file is shown [`escaped`], and what may be long [`shortened`].
//! A [`Record`] is a row of CSV and an object of JSON, and says what its columns mean.
//!
//! ```
//! use pods::files::{Inputs, Output, Overwrite, like};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("picture.svg");
//! let svg = |head: &[u8]| like(head, b"<svg", "an SVG picture");
//! let overwrite = Overwrite { force: false, inputs: &Inputs::default(), judge: &svg };
//! Output::new(&path, overwrite)?.write_bytes(b"<svg></svg>")?;
//! // A picture may take the place of a picture, not that of a letter.
//! Output::new(&path, overwrite)?.write_bytes(b"<svg>2</svg>")?;
//! std::fs::write(&path, "Dear Ada")?;
//! assert!(Output::new(&path, overwrite).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "tables")]
mod appended;
#[cfg(feature = "tables")]
mod error;
mod escape;
mod hex;
mod identity;
mod lines;
#[cfg(feature = "tables")]
mod lock;
mod named;
#[cfg(feature = "tables")]
mod output;
#[cfg(feature = "check")]
mod packed;
#[cfg(feature = "tables")]
mod place;
mod read;
#[cfg(feature = "check")]
mod record;
#[cfg(feature = "tables")]
mod temporary;
mod units;

#[cfg(feature = "tables")]
pub use appended::AppendedError;
#[cfg(feature = "tables")]
pub(crate) use appended::{Appended, Kind, Read};
#[cfg(feature = "tables")]
pub use error::OutputError;
#[cfg(feature = "tables")]
pub(crate) use error::is_full;
#[cfg(feature = "check")]
pub(crate) use escape::cut;
pub(crate) use escape::{Escaping, char_start};
pub use escape::{escaped, shortened, with_short_words};
pub use hex::hex;
#[cfg(any(feature = "solver", feature = "check"))]
pub use hex::sha256_hex;
pub use identity::Inputs;
#[cfg(feature = "tables")]
pub(crate) use identity::{FileId, is_same};
#[cfg(feature = "check")]
pub(crate) use lines::describe_json_fault;
pub use lines::read_line;
pub(crate) use lines::read_line_bytes;
#[cfg(feature = "tables")]
pub(crate) use lock::{Lock, LockError};
#[cfg(feature = "tables")]
pub(crate) use lock::{is_still, lock_now};
pub(crate) use named::named;
#[cfg(feature = "tables")]
pub use output::Judge;
#[cfg(feature = "tables")]
pub use output::{Destination, Output, Overwrite, like};
#[cfg(feature = "check")]
pub use packed::{Unpacked, unpacked};
pub(crate) use read::{BOM, all_text, read_bytes, read_text, without_bom};
pub use read::{ReadError, open};
#[cfg(feature = "report")]
pub use record::write_rows;
#[cfg(feature = "check")]
pub(crate) use record::{Cell, Object, OrNone};
#[cfg(feature = "check")]
pub use record::{Column, Decimal, Record, record};
pub(crate) use units::Thousands;
pub use units::{Bytes, count};
