//! The argument that leaves the library of certificates out, and what is said of it.

use crate::answer::Answerer;
use crate::position::Position;

/// Whether the library is asked.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct LibraryArg {
    /// Leave out the built-in list of positions of which checked certificates say who wins
    #[arg(long)]
    no_library: bool,
}

impl LibraryArg {
    pub(super) fn is_wanted(self) -> bool {
        !self.no_library
    }
}

/// Returns what the library's certificate is, for the answer about a position that it knows.
pub(super) fn certificate(answerer: &Answerer<'_>, position: &Position) -> Option<String> {
    answerer.proven(position).map(|proven| proven.certificate.with_position())
}
