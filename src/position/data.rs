//! A setup as plain data: in certificates, tables, and the formats of serde.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Game, Hand, Setup};
use crate::material::{BoardData, BySide, PodsData};
use crate::rules::{Preset, RuleOption, RuleSet, RuleSetError};

/// A rule set by its name, and the options that the name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesData {
    pub name: String,
    pub options: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetupData {
    pub board: BoardData,
    pub pods: PodsData,
    pub rules: RulesData,
    pub white_hand: String,
    pub black_hand: String,
}

/// Returns `true` if data list an option with this value. Options that came later are listed only
/// where they change something, so that data from before stay valid.
fn is_listed(name: &str, value: &str) -> bool {
    RuleOption::named(name).is_some_and(|option| option.always_listed)
        || RuleSet::from(Preset::Standard).value(name) != Some(value)
}

impl RulesData {
    pub(crate) fn new(rules: &RuleSet) -> RulesData {
        let listed = rules.values().filter(|&(name, value)| is_listed(name, value));
        let options = listed.map(|(name, value)| (name.to_owned(), value.to_owned()));
        RulesData { name: rules.to_string(), options: options.collect() }
    }

    pub(crate) fn rules(&self) -> Result<RuleSet, String> {
        let rules: RuleSet = self.name.parse().map_err(|e: RuleSetError| e.to_string())?;
        if RulesData::new(&rules) == *self {
            Ok(rules)
        } else {
            Err(format!("the options are not those of the rule set {:?}, each once", self.name))
        }
    }
}

impl From<Setup> for SetupData {
    fn from(setup: Setup) -> SetupData {
        let BySide { white, black } = setup.hand_texts();
        let game = setup.game();
        SetupData {
            board: game.board().clone().into(),
            pods: game.pods().clone().into(),
            rules: RulesData::new(game.rules()),
            white_hand: white,
            black_hand: black,
        }
    }
}

impl TryFrom<SetupData> for Setup {
    type Error = String;

    fn try_from(data: SetupData) -> Result<Setup, String> {
        let game = Game::new(data.board.try_into()?, data.pods.try_into()?, data.rules.rules()?);
        let hand = |name: &str, text: &str| Hand::parse(text, game.pods()).map_err(|error| format!("{name}: {error}"));
        let hands = [hand("white_hand", &data.white_hand)?, hand("black_hand", &data.black_hand)?];
        Ok(Setup::new(game, hands))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULE_OPTIONS;

    /// Kept certificates list ten options. Another one is to have, in `standard`, the value with
    /// which the rules are as they were without it: so old headers go on to mean the same.
    #[test]
    fn old_headers_stay_valid() {
        const LISTED: usize = 10;
        assert_eq!(RULE_OPTIONS.iter().filter(|option| option.always_listed).count(), LISTED);
        let standard = RuleSet::from(Preset::Standard);
        assert_eq!(RulesData::new(&standard).options.len(), LISTED);
        assert!(is_listed("an option of later", "on"));
    }
}
