//! Clauses that an answer cites, with their sentences.

use super::render::{hanging, width};
use crate::files::record;
use crate::rules::Clause;

pub(super) fn sentences(clauses: &[Clause], width: usize) -> String {
    clauses.iter().map(|clause| hanging(&format!("{:4} ", clause.to_string()), clause.sentence(), width)).collect()
}

/// Returns the clauses that an answer cites, each with its sentence, and where to read more;
/// nothing if there are none.
pub(super) fn cited(clauses: &[Clause]) -> String {
    if clauses.is_empty() {
        return String::new();
    }
    let names: Vec<String> = clauses.iter().map(Clause::to_string).collect();
    format!("{}more: pods rules {}\n", sentences(clauses, width()), names.join(" "))
}

record! {
    /// A clause that an answer cites, as other programs read it.
    #[derive(Debug)]
    pub(super) struct CitedClause {
        /// The clause.
        clause: String,
        /// Its sentence.
        sentence: &'static str,
    }
}

impl From<Clause> for CitedClause {
    fn from(clause: Clause) -> CitedClause {
        CitedClause { clause: clause.to_string(), sentence: clause.sentence() }
    }
}
