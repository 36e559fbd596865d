//! The argument that leaves the library of certificates out, and what is said of it.

use crate::answer::Answerer;
use crate::position::Position;

/// Argument that turns the library off.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct LibraryArg {
    /// Do not use the built-in list of proven positions
    #[arg(long)]
    no_library: bool,
}

impl LibraryArg {
    pub(super) fn is_wanted(self) -> bool {
        !self.no_library
    }
}

/// Names the library's certificate of a position that the library knows.
pub(super) fn certificate(answerer: &Answerer<'_>, position: &Position) -> Option<String> {
    answerer.proven(position).map(|proven| proven.certificate.with_position())
}
