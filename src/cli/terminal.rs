//! Texts for people.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use crate::files::{Escaping, with_short_words};

/// Writes to standard error, [shortened](shortened). If that is closed too, nothing can be done.
pub(crate) fn complain(text: impl Display) {
    let _ = write!(Escaping::new(io::stderr()), "{}", shortened(&text.to_string()));
}

/// Writes a note to standard error.
pub(crate) fn note(text: impl Display) {
    complain(format_args!("pods: note: {text}\n"));
}

/// Says on a terminal what may be of interest next, behind the answer.
pub(crate) fn hint(text: impl Display) {
    if io::stdout().is_terminal() && io::stderr().is_terminal() {
        complain(format_args!("pods: {text}\n"));
    }
}

pub(super) const TO_THE_PAGE: &str = "see it on a board and click it: pods explore --open";

/// The most characters of an argument in a message.
const MAX_ECHO: usize = 200;

/// Returns a message in which arguments and words are cut that nobody would read.
#[must_use]
fn shortened(message: &str) -> String {
    let mut message = message.to_owned();
    for argument in std::env::args_os().map(|argument| argument.to_string_lossy().trim().to_owned()) {
        if let Some((cut, _)) = argument.char_indices().nth(MAX_ECHO) {
            message = message.replace(&argument, &format!("{}…", &argument[..cut]));
        }
    }
    with_short_words(&message)
}
