//! What is written for people.

use std::fmt::Display;
use std::io::{self, Write as _};

use crate::files::Escaping;

/// Writes to standard error. If that is closed too, nothing can be done.
pub fn complain(text: impl Display) {
    let _ = write!(Escaping::new(io::stderr()), "{text}");
}
