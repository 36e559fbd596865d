//! Choices offered: built-in boards and pods, rule sets.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, builtin_board, builtin_pods};
use crate::position::Hand;
use crate::report::{SetupRecord, suite};
use crate::rules::{Preset, RuleSet, option_entries, option_values};

#[derive(Debug, Serialize)]
pub(super) struct Library {
    boards: Vec<Named>,
    pods: Vec<Named>,
    presets: Vec<PresetSaid>,
    options: Vec<OptionSaid>,
    suite: Vec<SetupNamed>,
}

#[derive(Debug, Serialize)]
struct Named {
    name: &'static str,
    about: String,
    source: String,
}

#[derive(Debug, Serialize)]
struct PresetSaid {
    name: &'static str,
    options: BTreeMap<&'static str, &'static str>,
}

#[derive(Debug, Serialize)]
struct OptionSaid {
    name: &'static str,
    values: &'static [&'static str],
    about: &'static str,
    clauses: Vec<String>,
}

/// A setup of the built-in report.
#[derive(Debug, PartialEq, Serialize)]
struct SetupNamed {
    board: String,
    pods: String,
    hand: String,
    rules: String,
}

/// Returns the values of all options.
pub(super) fn options_of(rules: &RuleSet) -> BTreeMap<&'static str, &'static str> {
    rules.values().collect()
}

/// Returns the whole library.
pub(super) fn library() -> Library {
    let boards = BUILTIN_BOARDS.iter().filter_map(|(name, _)| {
        let board = builtin_board(name)?;
        Some(Named {
            name,
            about: format!("{} points, {} lines", board.len(), board.line_count()),
            source: board.source().to_owned(),
        })
    });
    let pods = BUILTIN_PODS.iter().filter_map(|(name, _)| {
        let pods = builtin_pods(name)?;
        Some(Named { name, about: format!("{} pods each", Hand::whole(&pods).len()), source: pods.source().to_owned() })
    });
    let presets = Preset::ALL.map(|preset| PresetSaid { name: preset.name(), options: options_of(&preset.into()) });
    let options = option_entries().iter().filter_map(|entry| {
        let clauses = entry.clauses.iter().map(ToString::to_string).collect();
        Some(OptionSaid { name: entry.name, values: option_values(entry.name)?, about: &entry.sentence, clauses })
    });
    let mut setups: Vec<SetupNamed> = Vec::new();
    for named in suite() {
        let SetupRecord { board, pods, white_hand: hand, rules, .. } = named.record();
        let setup = SetupNamed { board, pods, hand, rules };
        if !setups.contains(&setup) {
            setups.push(setup);
        }
    }
    Library {
        boards: boards.collect(),
        pods: pods.collect(),
        presets: presets.into(),
        options: options.collect(),
        suite: setups,
    }
}
