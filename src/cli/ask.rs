//! The arguments of every question about values: sources and limits.

use super::failure::Failure;
use super::limits::BudgetArgs;
use super::tables::TablesArg;
use crate::answer::{Answerer, LookUp};
use crate::position::{Game, Position};
use crate::table::Tablebase;

/// Sources of values, and the limits of finding them.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct AskArgs {
    #[command(flatten)]
    pub(super) tables: TablesArg,

    /// Do not use the built-in list of proven positions
    #[arg(long)]
    no_library: bool,

    #[command(flatten)]
    pub(super) budget: BudgetArgs,
}

impl AskArgs {
    /// Returns the sources that are asked before anything is solved.
    pub(super) fn known<'t>(&self, tables: Option<&'t Tablebase>) -> LookUp<'t> {
        LookUp { tables, library: !self.no_library }
    }

    /// Returns the source of answers about a game.
    pub(super) fn answerer<'t>(&self, game: &Game, tables: Option<&'t Tablebase>) -> Result<Answerer<'t>, Failure> {
        Ok(Answerer::with_tables(game, tables)?.with_library(!self.no_library))
    }
}

/// Names the library's certificate of a position that the library knows.
pub(super) fn certificate(answerer: &Answerer<'_>, position: &Position) -> Option<String> {
    answerer.proven(position).map(|proven| proven.certificate.with_position())
}
