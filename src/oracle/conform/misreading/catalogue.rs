//! All misreadings, the clauses that they belong to, and the options under which they matter.

use super::{Misreading, Wrong};
use crate::rules::{Captures, Clause, OPTION_NAMES, Options, Preset, RuleSet, option_values};

/// The longest run, chain and slide that is asked about; chains are one pod longer.
const LONGEST: u8 = 7;

impl Misreading {
    /// Returns every misreading.
    pub fn all() -> impl Iterator<Item = Misreading> {
        let options = OPTION_NAMES.iter().flat_map(|&name| {
            option_values(name).unwrap_or_default().iter().map(move |&value| Misreading::Option(name, value))
        });
        let lengths = (1..=LONGEST).flat_map(|most| {
            [
                Misreading::AttackReach(most),
                Misreading::MoveReach(most),
                Misreading::ChainAtMost(most),
                Misreading::RunAtMost(most),
                Misreading::KickAtMost(most),
            ]
        });
        let saving = (1..4).map(Misreading::SavingChain);
        let games = [50, 100].map(Misreading::LongGame);
        options.chain(lengths).chain(saving).chain(games).chain(Wrong::ALL.iter().map(|&wrong| Misreading::Of(wrong)))
    }
}

/// Returns the clause that is misread when an option is read as this value.
pub(super) fn clause_of(option: &str, value: &str) -> Clause {
    match option {
        "moves" if value == "off" => Clause::R17,
        "moves" => Clause::R14,
        "shoves" => Clause::R22,
        "placement-liberty" => Clause::R13,
        "captures" => Clause::R18,
        "empty-hand" => Clause::R16,
        "opening" => Clause::R9,
        "attack-through" => Clause::R5,
        "shove-after-run" => Clause::R23,
        "kick-gaps" => Clause::R24,
        _ => Clause::R27,
    }
}

/// Returns `true` if another value of an option changes anything.
pub(super) fn option_matters(name: &str, value: &str, options: &Options) -> bool {
    let rules = RuleSet::new(Preset::Standard, *options);
    if rules.value(name) == Some(value) {
        return false;
    }
    let pushes = options.moves && options.shoves;
    match name {
        "shoves" => options.moves,
        // Without moves, nothing follows a move.
        "captures" => options.moves || value == "every-turn" || options.captures == Captures::EveryTurn,
        "shove-after-run" | "kick-gaps" => pushes,
        "shove-liberty" => pushes && options.captures != Captures::Never,
        _ => true,
    }
}
