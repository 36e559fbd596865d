//! Choices offered: built-in boards and pods, rule sets.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, builtin_board, builtin_pods};
use crate::position::Hand;
use crate::report::{SetupRecord, suite};
use crate::rules::{Preset, RuleSet, option_entries, option_values};

pub(super) fn options_of(rules: &RuleSet) -> BTreeMap<&'static str, &'static str> {
    rules.values().collect()
}

pub(super) fn library() -> Value {
    let boards = BUILTIN_BOARDS.iter().filter_map(|(name, _)| {
        let board = builtin_board(name)?;
        let about = format!("{} points, {} lines", board.len(), board.line_count());
        Some(json!({ "name": name, "about": about, "source": board.source() }))
    });
    let pods = BUILTIN_PODS.iter().filter_map(|(name, _)| {
        let pods = builtin_pods(name)?;
        let about = format!("{} pods each", Hand::whole(&pods).len());
        Some(json!({ "name": name, "about": about, "source": pods.source() }))
    });
    let presets = Preset::ALL.map(|preset| json!({ "name": preset.name(), "options": options_of(&preset.into()) }));
    let options = option_entries().iter().filter_map(|entry| {
        let clauses: Vec<String> = entry.clauses.iter().map(ToString::to_string).collect();
        let values = option_values(entry.name)?;
        Some(json!({ "name": entry.name, "values": values, "about": entry.sentence, "clauses": clauses }))
    });
    // The setups of the built-in report.
    let mut setups: Vec<Value> = Vec::new();
    for named in suite() {
        let SetupRecord { board, pods, white_hand: hand, rules, .. } = named.record();
        let setup = json!({ "board": board, "pods": pods, "hand": hand, "rules": rules });
        if !setups.contains(&setup) {
            setups.push(setup);
        }
    }
    json!({
        "boards": boards.collect::<Value>(),
        "pods": pods.collect::<Value>(),
        "presets": presets,
        "options": options.collect::<Value>(),
        "suite": setups,
    })
}
