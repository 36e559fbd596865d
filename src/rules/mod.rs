//! Rules as data: the clauses that messages cite, the options of a rule set, the presets and their names.

mod clause;
mod rule_set;

pub use clause::Clause;
pub use rule_set::{
    Captures, EmptyHand, KickGaps, OPTION_NAMES, Opening, Options, Preset, RuleSet, RuleSetError, option_values,
};
