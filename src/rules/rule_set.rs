//! Presets, and rule sets with their canonical names.

use std::fmt;
use std::str::FromStr;

use super::clause::Clause;
use super::options::{Captures, EmptyHand, OPTION_NAMES, Opening, Options, RULE_OPTIONS, RuleOption, option_values};
use crate::files::{named, shortened};
use crate::material::did_you_mean;

named! {
    /// The named rule sets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
    #[non_exhaustive]
    pub enum Preset {
        /// The Standard game.
        Standard = "standard",
        /// The basic game of the author's leaflet.
        BasicAuthor = "basic-author",
        /// The Advanced game.
        Advanced = "advanced",
        /// The Advanced game of the Dutch text.
        AdvancedDutch = "advanced-dutch",
        /// The Advanced game of the author's leaflet.
        AdvancedAuthor = "advanced-author",
        /// The Very Advanced game.
        VeryAdvanced = "very-advanced",
    }
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 6] = [
        Preset::Standard,
        Preset::BasicAuthor,
        Preset::Advanced,
        Preset::AdvancedDutch,
        Preset::AdvancedAuthor,
        Preset::VeryAdvanced,
    ];

    /// Returns the options of the preset.
    #[must_use]
    pub const fn options(self) -> Options {
        let basic = Options { empty_hand: EmptyHand::Wins, ..Options::STANDARD };
        let author = Options { moves: true, captures: Captures::AfterMoves, ..basic };
        match self {
            Preset::Standard => Options::STANDARD,
            Preset::BasicAuthor => basic,
            Preset::Advanced => Options { captures: Captures::EveryTurn, placement_liberty: false, ..author },
            Preset::AdvancedDutch => Options { captures: Captures::EveryTurn, ..author },
            Preset::AdvancedAuthor => author,
            Preset::VeryAdvanced => Options { shoves: true, ..author },
        }
    }
}

/// A preset with some options changed: the rules of a game as data.
///
/// The name is the preset followed by the options that differ from it, in a fixed order; it reads
/// back as an equal rule set. Two names can stand for the same game
/// (`advanced+placement-liberty=on` is `advanced-dutch`): compare [`RuleSet::options`] for that.
///
/// ```
/// use pods::rules::RuleSet;
/// let rules: RuleSet = "standard+opening=any+placement-liberty=off+captures=never".parse().unwrap();
/// assert_eq!(rules.to_string(), "standard+placement-liberty=off+opening=any");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleSet {
    preset: Preset,
    options: Options,
}

/// Reasons why a name is not that of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleSetError {
    /// The name does not begin with a preset.
    #[error(
        "{:?} is no rule set: presets are standard, basic-author, advanced, advanced-dutch, advanced-author, very-advanced{near}",
        shortened(.0),
        near = did_you_mean(.0, Preset::ALL.map(Preset::name))
    )]
    UnknownPreset(String),
    /// There is no such option.
    #[error(
        "{:?} is no rule option: options are {names}{near}",
        shortened(.0),
        names = OPTION_NAMES.join(", "),
        near = did_you_mean(.0, OPTION_NAMES.iter().copied())
    )]
    UnknownOption(String),
    /// The option cannot take that value.
    #[error("the rule option {option} cannot be {:?}: it is one of {values}", shortened(value), values = option_values(option).unwrap_or_default().join(", "))]
    BadValue {
        /// The option.
        option: &'static str,
        /// The value that was asked for.
        value: String,
    },
    /// The option is given twice.
    #[error("the rule option {0} is given twice")]
    Repeated(&'static str),
}

impl RuleSet {
    /// Returns the preset with these options instead of its own.
    #[must_use]
    pub const fn new(preset: Preset, options: Options) -> RuleSet {
        RuleSet { preset, options }
    }

    /// Returns the preset that the name begins with.
    #[must_use]
    pub const fn preset(&self) -> Preset {
        self.preset
    }

    /// Returns the options, those of the preset and the changed ones.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the rule set with one option changed.
    ///
    /// # Errors
    ///
    /// If there is no such option or it cannot take the value.
    pub fn with(mut self, option: &str, value: &str) -> Result<RuleSet, RuleSetError> {
        let of = RuleOption::named(option).ok_or_else(|| RuleSetError::UnknownOption(option.to_owned()))?;
        if !of.values.contains(&value) {
            return Err(RuleSetError::BadValue { option: of.name, value: value.to_owned() });
        }
        (of.set)(&mut self.options, value);
        Ok(self)
    }

    /// Returns the value of an option by name; `None` if there is no such option.
    #[must_use]
    pub fn value(&self, option: &str) -> Option<&'static str> {
        RuleOption::named(option).map(|of| (of.get)(&self.options))
    }

    /// Returns the options in their order, each with its value.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        RULE_OPTIONS.iter().map(|of| (of.name, (of.get)(&self.options)))
    }

    /// Returns the same options under the shortest name.
    pub(crate) fn shortest(self) -> RuleSet {
        let alike = |preset: Preset| RuleSet::new(preset, self.options);
        Preset::ALL.into_iter().map(alike).min_by_key(|rules| rules.to_string().len()).unwrap_or(self)
    }

    /// Returns `true` if play can return to an earlier position, so that a game may be endless
    /// (R21).
    ///
    /// Without moves and without captures after placements every action shrinks a hand for good:
    /// nothing moves and nothing is captured, as rules that capture only after moves capture
    /// nothing where nothing moves.
    #[must_use]
    pub fn can_cycle(&self) -> bool {
        self.options.moves || self.options.captures == Captures::EveryTurn
    }
}

impl Clause {
    /// Returns `true` if the clause applies to games under these rules. The others belong to
    /// another of the three games, or an option has switched them off.
    #[must_use]
    pub fn in_force(self, rules: &RuleSet) -> bool {
        let options = rules.options();
        let (moves, captures) = (options.moves, options.captures != Captures::Never);
        let shoves = moves && options.shoves;
        match self {
            Clause::R9 | Clause::R32 => options.opening == Opening::Bipod,
            Clause::R13 => options.placement_liberty,
            Clause::R14 | Clause::R15 => !moves,
            Clause::R16 => !moves || options.empty_hand == EmptyHand::Loses,
            Clause::R17 | Clause::R20 => moves,
            Clause::R18 => captures,
            Clause::R19 => moves && options.empty_hand == EmptyHand::Wins,
            Clause::R21 => rules.can_cycle(),
            Clause::R22 | Clause::R23 | Clause::R24 | Clause::R25 | Clause::R26 | Clause::R28 => shoves,
            Clause::R27 => shoves && captures,
            _ => true,
        }
    }
}

impl From<Preset> for RuleSet {
    fn from(preset: Preset) -> RuleSet {
        RuleSet { preset, options: preset.options() }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.preset.name())?;
        let of_preset = self.preset.options();
        for RuleOption { name, get, .. } in RULE_OPTIONS {
            if get(&self.options) != get(&of_preset) {
                write!(f, "+{name}={}", get(&self.options))?;
            }
        }
        Ok(())
    }
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        let mut parts = text.split('+');
        let first = parts.next().unwrap_or_default();
        let preset = Preset::ALL
            .into_iter()
            .find(|p| p.name() == first)
            .ok_or_else(|| RuleSetError::UnknownPreset(first.to_owned()))?;
        let mut rules = RuleSet::from(preset);
        let mut seen: Vec<&str> = Vec::new();
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(|| RuleSetError::UnknownOption(part.to_owned()))?;
            rules = rules.with(name, value)?;
            if seen.contains(&name) {
                return Err(RuleSetError::Repeated(OPTION_NAMES.iter().find(|n| **n == name).expect("just set")));
            }
            seen.push(name);
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_every_preset_reads_back() {
        for preset in Preset::ALL {
            for option in OPTION_NAMES {
                for value in option_values(option).unwrap() {
                    let rules = RuleSet::from(preset).with(option, value).unwrap();
                    assert_eq!(rules.value(option), Some(*value));
                    assert_eq!(rules.to_string().parse(), Ok(rules), "{rules}");
                    let changed = rules.to_string() != preset.name();
                    assert_eq!(changed, RuleSet::from(preset).value(option) != Some(*value));
                }
            }
        }
    }

    #[test]
    fn wrong_names_say_what_is_right() {
        for (name, words) in [
            ("", "presets are"),
            ("standart", "presets are standard"),
            ("advanced-autor", "; did you mean advanced-author?"),
            ("standard+openning=any", "; did you mean opening?"),
            ("standard+", "options are moves"),
            ("standard+opening", "options are"),
            ("standard+opening=all", "one of bipod, any"),
            ("standard+opening=any+opening=bipod", "twice"),
        ] {
            let error = name.parse::<RuleSet>().unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
    }

    #[test]
    fn the_dutch_advanced_game_is_the_advanced_one_with_liberty() {
        let long: RuleSet = "advanced+placement-liberty=on".parse().unwrap();
        assert_eq!(long.to_string(), "advanced+placement-liberty=on");
        assert_eq!(*long.options(), Preset::AdvancedDutch.options());
        assert_eq!(long.shortest().to_string(), "advanced-dutch");
    }
}
