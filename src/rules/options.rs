//! The choices that the rules leave open: everything that is said of an option stands here once.

use super::clause::Clause;

/// Actions that White may open with (R9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Opening {
    /// The placement of a bipod.
    Bipod,
    /// Any legal action.
    Any,
}

/// After which actions blocked pods come off the board (R18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Captures {
    /// After none.
    Never,
    /// After every action.
    EveryTurn,
    /// After moves, shoves and kicks, but not after placements.
    AfterMoves,
}

/// Result for a player whose hand is empty (R16, R19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EmptyHand {
    /// The player has nothing to place, and so loses when to move (R15).
    Loses,
    /// The player has won (R16, R19).
    Wins,
}

/// Over which missing lines a kicked pod may slide (R24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KickGaps {
    /// No step needs a line.
    EveryStep,
    /// Every step but the last needs a line.
    LastStep,
}

/// Every choice that the rules leave open, each with the clause that it belongs to.
///
/// Any combination is allowed. `shoves` and the options about them have an effect only where
/// `moves` is on, since a shove is a kind of move (R22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Options {
    /// True if pods move (R17).
    pub moves: bool,
    /// True if moves may shove and kick (R22–R28).
    pub shoves: bool,
    /// True if a placed pod needs a liberty (R13).
    pub placement_liberty: bool,
    /// Turns on which blocked pods are captured (R18).
    pub captures: Captures,
    /// Meaning of an empty hand (R16, R19).
    pub empty_hand: EmptyHand,
    /// Actions that White may open with (R9).
    pub opening: Opening,
    /// True if attacks of long legs go on past occupied points (R5).
    pub attack_through: bool,
    /// True if a long leg may run over empty points and shove at the end (R23).
    pub shove_after_run: bool,
    /// Over which missing lines a kicked pod may slide (R24).
    pub kick_gaps: KickGaps,
    /// True if a shove or kick of its own saves a pod from capture (R27).
    pub shove_liberty: bool,
}

impl Options {
    pub(super) const STANDARD: Options = Options {
        moves: false,
        shoves: false,
        placement_liberty: true,
        captures: Captures::Never,
        empty_hand: EmptyHand::Loses,
        opening: Opening::Bipod,
        attack_through: false,
        shove_after_run: true,
        kick_gaps: KickGaps::EveryStep,
        shove_liberty: false,
    };

    /// Returns `true` if there are shoves and kicks (R22).
    pub(crate) const fn pushes(&self) -> bool {
        self.moves && self.shoves
    }
}

/// All that is said of an option of the rules. Reports, the page, conformance tests and the headers
/// of certificates take it from here.
pub(crate) struct RuleOption {
    /// The name, in canonical names of rule sets.
    pub(crate) name: &'static str,
    pub(crate) clause: Clause,
    pub(crate) values: &'static [&'static str],
    /// The meaning of each value, in words.
    words: &'static [&'static str],
    pub(super) get: fn(&Options) -> &'static str,
    pub(super) set: fn(&mut Options, &str),
    /// `true` under rules for which the sources leave it open.
    pub(crate) is_open: fn(&Options) -> bool,
    /// `true` if its clause binds anybody under these rules.
    pub(crate) binds: fn(&Options) -> bool,
    /// `true` if this other value would change anything under these rules.
    pub(crate) matters: fn(&Options, &str) -> bool,
    /// True if it makes single actions legal or illegal.
    pub(crate) judges_actions: bool,
    /// True if every header of a certificate and every setup as data lists it. An option of later
    /// is listed only where it changes the rules, so that files from before stay valid.
    pub(crate) always_listed: bool,
}

const ON_OFF: &[&str] = &["on", "off"];

const fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// An option that is never left open, always binds and matters, and judges no action.
const PLAIN: RuleOption = RuleOption {
    name: "",
    clause: Clause::R1,
    values: ON_OFF,
    words: &[],
    get: |_| "",
    set: |_, _| (),
    is_open: |_| false,
    binds: |_| true,
    matters: |_, _| true,
    judges_actions: false,
    always_listed: true,
};

/// The options, in the order of canonical names.
pub(crate) const RULE_OPTIONS: &[RuleOption] = &[
    RuleOption {
        name: "moves",
        clause: Clause::R17,
        words: &["pods on the board may move", "pods on the board never move"],
        get: |o| on_off(o.moves),
        set: |o, v| o.moves = v == "on",
        ..PLAIN
    },
    RuleOption {
        name: "shoves",
        clause: Clause::R22,
        words: &["pods may shove and kick", "pods do not shove or kick"],
        get: |o| on_off(o.shoves),
        set: |o, v| o.shoves = v == "on",
        binds: Options::pushes,
        matters: |o, _| o.moves,
        ..PLAIN
    },
    RuleOption {
        name: "placement-liberty",
        clause: Clause::R13,
        words: &["a placed pod needs a liberty", "a pod may be placed without a liberty"],
        get: |o| on_off(o.placement_liberty),
        set: |o, v| o.placement_liberty = v == "on",
        is_open: |_| true,
        binds: |o| o.placement_liberty,
        judges_actions: true,
        ..PLAIN
    },
    RuleOption {
        name: "captures",
        clause: Clause::R18,
        values: &["every-turn", "after-moves", "never"],
        words: &[
            "blocked pods come off after every turn",
            "blocked pods come off after moves alone",
            "blocked pods stay",
        ],
        get: |o| match o.captures {
            Captures::Never => "never",
            Captures::EveryTurn => "every-turn",
            Captures::AfterMoves => "after-moves",
        },
        set: |o, v| {
            o.captures = match v {
                "never" => Captures::Never,
                "every-turn" => Captures::EveryTurn,
                _ => Captures::AfterMoves,
            }
        },
        is_open: |o| o.moves,
        binds: |o| o.captures != Captures::Never,
        // Without moves, nothing follows a move.
        matters: |o, value| o.moves || value == "every-turn" || o.captures == Captures::EveryTurn,
        ..PLAIN
    },
    RuleOption {
        name: "empty-hand",
        clause: Clause::R16,
        values: &["loses", "wins"],
        words: &["who has placed all pods and must place loses", "who has placed all pods wins"],
        get: |o| if o.empty_hand == EmptyHand::Loses { "loses" } else { "wins" },
        set: |o, v| o.empty_hand = if v == "loses" { EmptyHand::Loses } else { EmptyHand::Wins },
        // In the Advanced games an empty hand wins without doubt (R19).
        is_open: |o| !o.moves,
        binds: |o| !o.moves,
        ..PLAIN
    },
    RuleOption {
        name: "opening",
        clause: Clause::R9,
        values: &["bipod", "any"],
        words: &["White opens with a bipod", "White opens with any pod"],
        get: |o| if o.opening == Opening::Bipod { "bipod" } else { "any" },
        set: |o, v| o.opening = if v == "bipod" { Opening::Bipod } else { Opening::Any },
        is_open: |_| true,
        binds: |o| o.opening == Opening::Bipod,
        judges_actions: true,
        ..PLAIN
    },
    RuleOption {
        name: "attack-through",
        clause: Clause::R5,
        words: &["long legs attack through pods", "long legs attack up to the first pod"],
        get: |o| on_off(o.attack_through),
        set: |o, v| o.attack_through = v == "on",
        is_open: |_| true,
        judges_actions: true,
        ..PLAIN
    },
    RuleOption {
        name: "shove-after-run",
        clause: Clause::R23,
        words: &["a long leg may run and then shove", "a long leg shoves only what stands next to it"],
        get: |o| on_off(o.shove_after_run),
        set: |o, v| o.shove_after_run = v == "on",
        is_open: Options::pushes,
        binds: |o| o.shove_after_run,
        matters: |o, _| o.pushes(),
        judges_actions: true,
        ..PLAIN
    },
    RuleOption {
        name: "kick-gaps",
        clause: Clause::R24,
        values: &["every-step", "last-step"],
        words: &[
            "a kicked pod slides over missing lines",
            "a kicked pod slides over a missing line only at its last step",
        ],
        get: |o| if o.kick_gaps == KickGaps::EveryStep { "every-step" } else { "last-step" },
        set: |o, v| o.kick_gaps = if v == "every-step" { KickGaps::EveryStep } else { KickGaps::LastStep },
        is_open: Options::pushes,
        binds: Options::pushes,
        matters: |o, _| o.pushes(),
        judges_actions: true,
        ..PLAIN
    },
    RuleOption {
        name: "shove-liberty",
        clause: Clause::R27,
        words: &[
            "a pod that could shove or kick is not blocked",
            "a pod that could shove or kick may still be blocked",
        ],
        get: |o| on_off(o.shove_liberty),
        set: |o, v| o.shove_liberty = v == "on",
        is_open: Options::pushes,
        binds: Options::pushes,
        matters: |o, _| o.pushes() && o.captures != Captures::Never,
        ..PLAIN
    },
];

impl RuleOption {
    pub(crate) fn named(name: &str) -> Option<&'static RuleOption> {
        RULE_OPTIONS.iter().find(|option| option.name == name)
    }

    pub(crate) fn value(&self, rules: &Options) -> &'static str {
        (self.get)(rules)
    }

    /// Returns the meaning of a value, in words; empty if it has no such value.
    pub(crate) fn words_of(&self, value: &str) -> &'static str {
        self.values.iter().zip(self.words).find(|(of, _)| **of == value).map_or("", |(_, words)| words)
    }
}

/// The names of the options, in the order of canonical names.
pub const OPTION_NAMES: &[&str] = &{
    let mut names = [""; RULE_OPTIONS.len()];
    let mut i = 0;
    while i < RULE_OPTIONS.len() {
        names[i] = RULE_OPTIONS[i].name;
        i += 1;
    }
    names
};

/// Returns the values that an option of this name may take; `None` if there is no such option.
#[must_use]
pub fn option_values(name: &str) -> Option<&'static [&'static str]> {
    RuleOption::named(name).map(|option| option.values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_words() {
        for option in RULE_OPTIONS {
            assert!(option.words.len() == option.values.len() && !option.words.contains(&""), "{}", option.name);
        }
    }
}
