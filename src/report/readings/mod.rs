//! Effects of the sources' disagreements: single options of the rules, changed one at a time (R34).

mod compare;

pub use compare::{Comparison, DifferenceKind, Example, Reached, Ruling, compare_rules, compare_suite};

use crate::files::record;
use crate::report::suite::built_in_turns;
use crate::report::{BalanceRecord, BalanceRow, NamedSetup};
use crate::rules::{Clause, Preset, RULE_OPTIONS, RuleOption, RuleSet};
use crate::solver::{Outcome, Plies, Verdict};

/// A setup under a preset, and the same setup with one option read otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The setup with the option changed.
    pub setup: NamedSetup,
    /// The preset before the change.
    pub base: RuleSet,
    /// The option.
    pub option: &'static str,
    /// The clause that the option belongs to.
    pub clause: Clause,
}

impl Reading {
    /// Returns the setup under the preset.
    #[must_use]
    pub fn base_setup(&self) -> NamedSetup {
        self.setup.with_rules(self.base)
    }
}

/// The boards, pods and hands of the table: small enough for every preset. Each shows differences
/// that the others do not.
const SETUPS: &[(&str, &str, &str)] = &[
    ("ring8", "four", "bdt"),
    ("ring8", "trio", "bdt"),
    ("ring8", "mini5", "bdt"),
    ("nook9", "four", "bdt"),
    ("nook9", "four", "dqt"),
    ("nook9", "trio", "bdt"),
    ("den12", "four", "bd"),
    ("lane8", "four", "bdq"),
];

/// Returns every single-option difference that the sources leave open under a preset, by clause.
pub(crate) fn single_differences() -> Vec<(RuleSet, RuleSet, &'static str, Clause)> {
    let mut differences = Vec::new();
    let mut options: Vec<&RuleOption> = RULE_OPTIONS.iter().collect();
    options.sort_by_key(|option| option.clause);
    for option in options {
        for base in Preset::ALL.into_iter().filter(|preset| (option.is_open)(&preset.options())).map(RuleSet::from) {
            // No source has moves without captures.
            let others =
                option.values.iter().filter(|value| Some(**value) != base.value(option.name) && **value != "never");
            differences.extend(
                others
                    .filter_map(|value| Some((base, base.with(option.name, value).ok()?, option.name, option.clause))),
            );
        }
    }
    differences
}

/// Returns the rows of a table of readings: each of these setups with each single difference. The
/// rules of the setups are replaced. Without setups it is the built-in table, whose setups come in
/// each orientation.
#[must_use]
pub fn readings(setups: Option<&[NamedSetup]>) -> Vec<Reading> {
    let built_in = || {
        let rules = Preset::Standard.into();
        SETUPS.iter().flat_map(|&(board, pods, hand)| built_in_turns((board, pods, hand), rules)).collect()
    };
    let setups = setups.map_or_else(built_in, <[NamedSetup]>::to_vec);
    let differences = single_differences();
    let reading = |setup: &NamedSetup, &(base, rules, option, clause): &(RuleSet, RuleSet, &'static str, Clause)| {
        Reading { setup: setup.with_rules(rules), base, option, clause }
    };
    setups.iter().flat_map(|setup| differences.iter().map(move |of| reading(setup, of))).collect()
}

/// A row of the table: a setup under both readings.
#[derive(Clone, Debug)]
pub(crate) struct ReadingRow {
    pub reading: Reading,
    pub base: BalanceRow,
    pub changed: BalanceRow,
}

record! {
    /// The columns of the table of readings: those of the balance report for the changed rules,
    /// then the base and what differs.
    #[derive(Clone, Debug)]
    pub struct ReadingRecord {
        #[serde(flatten)]
        pub changed: BalanceRecord,
        /// The preset that is compared with.
        pub base_rules: String,
        /// The option that differs.
        pub option: &'static str,
        /// The clause in which the option is read.
        pub clause: String,
        /// Value of the option in the preset.
        pub base_option_value: String,
        /// Value of the option in these rules.
        pub changed_option_value: String,
        /// As `white_first`, under the preset.
        pub base_white_first: Option<&'static str>,
        /// As `white_first_plies`, under the preset.
        pub base_white_first_plies: Option<Plies>,
        /// As `black_first`, under the preset.
        pub base_black_first: Option<&'static str>,
        /// As `black_first_plies`, under the preset.
        pub base_black_first_plies: Option<Plies>,
        /// As `outcome_class`, under the preset.
        pub base_outcome_class: Option<&'static str>,
        /// As `winning_openings`, under the preset.
        pub base_winning_openings: Option<u64>,
        /// As `drawing_openings`, under the preset.
        pub base_drawing_openings: Option<u64>,
        /// As `losing_openings`, under the preset.
        pub base_losing_openings: Option<u64>,
        /// `yes` if the winner of a start differs; empty if one of them is not known.
        pub outcome_changed: Option<bool>,
        /// `yes` if a distance differs; empty if one of them is not known.
        pub plies_changed: Option<bool>,
        /// `yes` if the openings by value differ in number; empty if a number is not known.
        pub openings_changed: Option<bool>,
    }
}

impl ReadingRow {
    /// Returns `true` if the outcome differs with White or with Black to start; `None` if one of
    /// the two is not known.
    pub(crate) fn outcome_changed(&self) -> Option<bool> {
        self.differs(|row| Some((row.white_first()?.outcome(), row.black_first()?.outcome())))
    }

    /// Returns `true` if a distance differs; `None` if one is not known.
    pub(crate) fn plies_changed(&self) -> Option<bool> {
        let plies = |verdict: Verdict| match verdict {
            Verdict::Outcome(Outcome::Win | Outcome::Loss) => None,
            known => Some(known.plies()),
        };
        self.differs(|row| Some((plies(row.white_first()?)?, plies(row.black_first()?)?)))
    }

    /// Returns `true` if there are more or fewer winning, drawing or losing openings; `None` if one
    /// count is not known.
    pub(crate) fn openings_changed(&self) -> Option<bool> {
        self.differs(BalanceRow::all_openings)
    }

    fn differs<T: PartialEq>(&self, of: impl Fn(&BalanceRow) -> Option<T>) -> Option<bool> {
        Some(of(&self.base)? != of(&self.changed)?)
    }

    #[must_use]
    pub(crate) fn record(&self) -> ReadingRecord {
        let Reading { setup, base: rules, option, clause } = &self.reading;
        let value = |rules: &RuleSet| rules.value(option).unwrap_or_default().to_owned();
        let base = self.base.record();
        ReadingRecord {
            changed: self.changed.record(),
            base_rules: rules.to_string(),
            option,
            clause: clause.to_string(),
            base_option_value: value(rules),
            changed_option_value: value(&setup.rules()),
            base_white_first: base.white_first,
            base_white_first_plies: base.white_first_plies,
            base_black_first: base.black_first,
            base_black_first_plies: base.black_first_plies,
            base_outcome_class: base.outcome_class,
            base_winning_openings: base.winning_openings,
            base_drawing_openings: base.drawing_openings,
            base_losing_openings: base.losing_openings,
            outcome_changed: self.outcome_changed(),
            plies_changed: self.plies_changed(),
            openings_changed: self.openings_changed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_disagreement_of_the_rules_is_there_once() {
        let all = single_differences();
        assert_eq!(all.len(), 6 + 6 + 6 + 2 + 4 + 1 + 1 + 1);
        for (base, changed, option, _) in &all {
            let different: Vec<&str> = crate::rules::OPTION_NAMES
                .iter()
                .copied()
                .filter(|name| base.value(name) != changed.value(name))
                .collect();
            assert_eq!(different, [*option]);
        }
        assert_eq!(readings(None).len(), SETUPS.len() * all.len() * 4);
    }
}
