//! The setups of the built-in balance report.

use crate::geometry::Orientation;
use crate::material::{find_board, find_pods};
use crate::position::{Game, Hand};
use crate::rules::RuleSet;

use super::BalanceError;

/// A setup by names: what a row of the balance report is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A built-in board or a board file.
    pub board: String,
    /// Orientation of the board (R2).
    pub orientation: Orientation,
    /// A built-in pod set or a pod file.
    pub pods: String,
    /// White's hand, as in a position's text.
    pub white_hand: String,
    /// Black's hand, as in a position's text.
    pub black_hand: String,
    /// The rules.
    pub rules: RuleSet,
}

impl Entry {
    /// A setup with equal hands, turned all four ways.
    #[must_use]
    pub fn all_turns(board: &str, pods: &str, hand: &str, rules: RuleSet) -> [Entry; 4] {
        Orientation::ALL.map(|orientation| Entry {
            board: board.to_owned(),
            orientation,
            pods: pods.to_owned(),
            white_hand: hand.to_owned(),
            black_hand: hand.to_owned(),
            rules,
        })
    }

    /// The game and the hands that it starts with.
    ///
    /// # Errors
    ///
    /// If board or pods cannot be read, or a hand is not one of the set's.
    pub fn game(&self) -> Result<(Game, Hand, Hand), BalanceError> {
        let board = find_board(&self.board)?.turned(self.orientation);
        let pods = find_pods(&self.pods)?;
        let hand = |text: &str| {
            Hand::parse_in_any_order(text, &pods).map_err(|e| BalanceError::Setup(format!("hand {text:?}: {e}")))
        };
        let (white, black) = (hand(&self.white_hand)?, hand(&self.black_hand)?);
        Ok((Game::new(board, pods, self.rules), white, black))
    }

    /// The cells that say which setup it is, the first columns of a report.
    #[must_use]
    pub fn cells(&self) -> [String; 6] {
        [
            self.board.clone(),
            self.orientation.degrees().to_string(),
            self.pods.clone(),
            self.white_hand.clone(),
            self.black_hand.clone(),
            self.rules.to_string(),
        ]
    }
}

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

/// The setups of the built-in report.
///
/// # Panics
///
/// Never: the tests read every rule set of the suite.
#[must_use]
pub fn suite() -> Vec<Entry> {
    SUITE
        .iter()
        .flat_map(|&(board, pods, hand, rules)| {
            Entry::all_turns(board, pods, hand, rules.parse().expect("the suite's rules are well formed"))
        })
        .collect()
}
