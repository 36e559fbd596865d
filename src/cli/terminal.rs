//! Texts for people.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use crate::files::Escaping;

/// Writes to standard error. If that is closed too, nothing can be done.
pub fn complain(text: impl Display) {
    let _ = write!(Escaping::new(io::stderr()), "{text}");
}

/// Says on a terminal what may be of interest next, behind the answer.
pub fn hint(text: impl Display) {
    if io::stdout().is_terminal() && io::stderr().is_terminal() {
        complain(format_args!("pods: {text}\n"));
    }
}

/// The way to the page.
pub const TO_THE_PAGE: &str = "see it on a board and click it: pods explore --open";
