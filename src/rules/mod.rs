//! Rules as data: the clauses that messages cite, the options of a rule set, the presets and their
//! names.
//!
//! Below is the text that clauses are numbered by; [`Clause::sentence`] and `pods rules R18` show a
//! part of it.
#![doc = ""]
#![doc = include_str!("RULES.md")]

mod clause;
#[doc = include_str!("FORMATS.md")]
pub mod formats {
    /// This page, in Markdown.
    pub const FORMATS: &str = include_str!("FORMATS.md");
}
#[doc = include_str!("LEMMAS.md")]
pub mod lemmas {
    /// This page, in Markdown.
    pub const LEMMAS: &str = include_str!("LEMMAS.md");
}
mod options;
mod proven;
mod rule_set;
mod text;

pub use clause::{Clause, NoClause};
pub use options::*;
pub use proven::Proven;
pub use rule_set::{Preset, RuleSet, RuleSetError};
pub use text::{OptionEntry, RULES, Section, Subsection, Word, glossary, option_entries, rules_sections, sections};
