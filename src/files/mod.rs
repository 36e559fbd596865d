//! Files as people have them: outputs that lose nothing, readers with a bound, locks.
//!
//! An [`Output`] is the one way by which a file with a name of the user's is written. It writes into what is there if it is a
//! device, a FIFO or a socket, follows links, keeps the mode, and writes everything else whole or not at all. It refuses to
//! take the place of a file that the same command reads, of a read-only one, and of one that is something else than
//! what is to be written; whoever knows the format says so by a [`Judge`].
//!
//! [`read_text`], [`open`] and [`read_line`] read no more than they were allowed to, so that no file and no line fills the
//! memory. A [`Lock`] says which process works on something. What comes from a file is shown [`escaped`].
//!
//! ```
//! use pods::files::{Inputs, Output, Terms, like};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("picture.svg");
//! let svg = |head: &[u8]| like(head, b"<svg", "an SVG picture");
//! let terms = Terms { force: false, inputs: &Inputs::default(), judge: &svg };
//! Output::new(&path, terms)?.write_bytes(b"<svg></svg>")?;
//! // A picture may take the place of a picture, not that of a letter.
//! Output::new(&path, terms)?.write_bytes(b"<svg>2</svg>")?;
//! std::fs::write(&path, "Dear Ada")?;
//! assert!(Output::new(&path, terms).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "tables")]
mod error;
mod escape;
mod identity;
mod lines;
#[cfg(feature = "tables")]
mod lock;
#[cfg(feature = "tables")]
mod output;
#[cfg(feature = "tables")]
mod place;
mod read;
#[cfg(feature = "tables")]
mod temporary;

#[cfg(feature = "tables")]
pub use error::OutputError;
pub use escape::{Escaping, escaped};
pub use identity::{FileId, Inputs};
pub use lines::{read_line, read_line_bytes};
#[cfg(feature = "tables")]
pub use lock::{Lock, LockError};
#[cfg(feature = "tables")]
pub use output::{Destination, Judge, Output, Terms, like};
pub use read::{ReadError, all_text, open, read_bytes, read_text};
