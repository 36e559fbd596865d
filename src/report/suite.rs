//! The setups of the built-in balance report.

use crate::rules::RuleSet;

use super::NamedSetup;

/// Board, pods, both hands, rules; each stands for four rows, one per orientation.
const SUITE: &[(&str, &str, &str, &str)] = &[
    // Turning the board changes the winner.
    ("nook9", "four", "bdt", "standard"),
    ("den12", "four", "bdqt", "standard"),
    ("den12", "mini7", "bdhkqtv", "standard"),
    // What an empty hand means changes the winner (R16).
    ("nook9", "four", "bdt", "basic-author"),
    ("den12", "four", "bdqt", "basic-author"),
    // Cut out of the reconstruction.
    ("cave16", "four", "bdqt", "standard"),
    ("cave16", "four", "bdqt", "basic-author"),
    // Moves and captures: draws by turning the board, gone with R13 or with captures after moves
    // only.
    ("ring8", "four", "bdqt", "advanced"),
    ("ring8", "four", "bdqt", "advanced-dutch"),
    ("ring8", "four", "bdqt", "advanced-author"),
    ("nook9", "four", "bdt", "advanced"),
    ("nook9", "four", "bdt", "advanced-dutch"),
    ("nook9", "four", "bdt", "advanced-author"),
    ("nook9", "four", "bdt", "very-advanced"),
    // Settled by the mirror theorem.
    ("mirror36", "pods14", "bcdfghjkopqtvy", "standard"),
];

/// Returns the setups of the built-in report.
///
/// # Panics
///
/// Never: the tests read the suite.
#[must_use]
pub fn suite() -> Vec<NamedSetup> {
    let rules = |name: &str| name.parse().expect("the suite's rules are well formed");
    SUITE.iter().flat_map(|&(board, pods, hand, name)| built_in_turns((board, pods, hand), rules(name))).collect()
}

pub(super) fn built_in_turns((board, pods, hand): (&str, &str, &str), rules: RuleSet) -> [NamedSetup; 4] {
    NamedSetup::read_turns(board, pods, hand, rules).expect("built-in setups are well formed")
}
