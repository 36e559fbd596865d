//! Setups with the names by which they were asked for.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

use crate::geometry::Orientation;
use crate::material::{BySide, find_board, find_pods};
use crate::position::{Game, Hand, Setup};
use crate::rules::RuleSet;

use super::BalanceError;
use crate::files::record;

/// A setup, with the names of its board and pods: what a row of a report is about.
///
/// [`NamedSetup::board`] and [`NamedSetup::pods`] are what was asked for, so that of a file it is the
/// path; rows have the names that board and pods have themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSetup {
    board: OsString,
    pods: OsString,
    setup: Setup,
}

record! {
    /// The columns that name a setup.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
    pub struct SetupRecord {
        /// Name of the board.
        pub board: String,
        /// Degrees by which the board is turned clockwise (R2): 0, 90, 180 or 270.
        pub orientation: u16,
        /// Name of the pod set.
        pub pods: String,
        /// Pods of White's hand at the start, as in a position.
        pub white_hand: String,
        /// Pods of Black's hand at the start.
        pub black_hand: String,
        /// The rule set.
        pub rules: String,
    }
}

/// The setup in words.
impl fmt::Display for SetupRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.place(), self.rules)
    }
}

impl SetupRecord {
    /// Returns board, orientation, pods and hands in words.
    #[must_use]
    pub(crate) fn place(&self) -> String {
        format!("{} at {}°, {}: {}", self.board, self.orientation, self.pods, self.hands())
    }

    /// Returns the hands in words.
    #[must_use]
    pub(crate) fn hands(&self) -> String {
        let SetupRecord { white_hand: white, black_hand: black, .. } = self;
        if white == black { format!("both {white}") } else { format!("White {white}, Black {black}") }
    }
}

impl NamedSetup {
    /// Reads a setup: board and pods are built-in names or files, hands are texts as in a position.
    ///
    /// # Errors
    ///
    /// If board or pods cannot be read, or a hand is not one of the set's.
    pub fn read(
        board: impl AsRef<OsStr>,
        orientation: Orientation,
        pods: impl AsRef<OsStr>,
        hands: BySide<&str>,
        rules: RuleSet,
    ) -> Result<NamedSetup, BalanceError> {
        let (found, set) = (find_board(&board)?.turned(orientation), find_pods(&pods)?);
        let hand = |text: &str| {
            Hand::parse_in_any_order(text, &set).map_err(|e| BalanceError::Setup(format!("hand {text:?}: {e}")))
        };
        let hands = BySide { white: hand(hands.white)?, black: hand(hands.black)? };
        let setup = Setup::new(Game::new(found, set, rules), hands);
        Ok(NamedSetup { board: board.as_ref().to_owned(), pods: pods.as_ref().to_owned(), setup })
    }

    /// Reads a setup with equal hands, turned all four ways.
    ///
    /// # Errors
    ///
    /// As [`NamedSetup::read`].
    pub fn read_turns(board: &str, pods: &str, hand: &str, rules: RuleSet) -> Result<[NamedSetup; 4], BalanceError> {
        let hands = BySide { white: hand, black: hand };
        let plain = NamedSetup::read(board, Orientation::R0, pods, hands, rules)?;
        Ok(Orientation::ALL.map(|by| plain.turned(by)))
    }

    /// Returns this setup under other rules.
    #[must_use]
    pub fn with_rules(&self, rules: RuleSet) -> NamedSetup {
        self.with_setup(self.setup.with_rules(rules))
    }

    /// Returns this setup with the board turned clockwise by a further angle (R2).
    #[must_use]
    pub(crate) fn turned(&self, by: Orientation) -> NamedSetup {
        self.with_setup(self.setup.turned(by))
    }

    fn with_setup(&self, setup: Setup) -> NamedSetup {
        NamedSetup { board: self.board.clone(), pods: self.pods.clone(), setup }
    }

    /// Returns the built-in name or the file by which the board was asked for.
    #[must_use]
    pub fn board(&self) -> &Path {
        self.board.as_ref()
    }

    /// Returns the built-in name or the file by which the pods were asked for.
    #[must_use]
    pub fn pods(&self) -> &Path {
        self.pods.as_ref()
    }

    /// Returns the setup.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.setup.game()
    }

    /// Returns the orientation of the board (R2).
    #[must_use]
    pub(crate) fn orientation(&self) -> Orientation {
        self.game().board().orientation()
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        *self.game().rules()
    }

    /// Returns `true` if names, hands and rules are the same; the orientation may differ.
    #[must_use]
    pub(crate) fn differs_in_turn_at_most(&self, other: &NamedSetup) -> bool {
        self.has_same_material(other) && self.rules() == other.rules()
    }

    /// Returns `true` if names and hands are the same; orientation and rules may differ.
    pub(crate) fn has_same_material(&self, other: &NamedSetup) -> bool {
        (&self.board, &self.pods, self.setup.hands()) == (&other.board, &other.pods, other.setup.hands())
    }

    /// Returns the columns that say which setup it is, the first ones of a report.
    #[must_use]
    pub fn record(&self) -> SetupRecord {
        let BySide { white, black } = self.setup.hand_texts();
        SetupRecord {
            board: self.game().board().name().to_owned(),
            orientation: self.orientation().degrees(),
            pods: self.game().pods().name().to_owned(),
            white_hand: white,
            black_hand: black,
            rules: self.rules().to_string(),
        }
    }
}

impl From<Setup> for NamedSetup {
    /// Returns a setup with the names that board and pods have themselves.
    fn from(setup: Setup) -> NamedSetup {
        let (board, pods) = (setup.game().board().name().into(), setup.game().pods().name().into());
        NamedSetup { board, pods, setup }
    }
}
