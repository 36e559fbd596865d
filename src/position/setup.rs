//! A setup: everything that a game starts from.

use super::{Game, Hand, Position, PositionError, StartError};
use crate::geometry::Orientation;
use crate::material::{BySide, Side};
use crate::rules::RuleSet;

/// A game and the hands that it starts with: the board as it lies, the pods, the rules, both hands.
///
/// A hand is one of pods of the set; whether it can start the game is checked by [`Setup::start`].
///
/// ```
/// use pods::material::{Side, builtin_board, builtin_pods};
/// use pods::position::{Game, Setup};
/// use pods::rules::Preset;
///
/// let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("duo").unwrap(), Preset::Standard.into());
/// let setup = Setup::whole(game);
/// assert_eq!(setup.start(Side::White).unwrap().display(setup.game()).to_string(), "3/3/3 w bt bt open");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    game: Game,
    hands: BySide<Hand>,
}

impl Setup {
    /// Returns the setup of a game with these hands.
    #[must_use]
    pub fn new(game: Game, hands: impl Into<BySide<Hand>>) -> Setup {
        Setup { game, hands: hands.into() }
    }

    /// Returns the setup of a game with all pods of the set in both hands (R3).
    #[must_use]
    pub fn whole(game: Game) -> Setup {
        let hand = Hand::whole(game.pods());
        Setup::new(game, [hand; 2])
    }

    /// Returns this setup under other rules.
    #[must_use]
    pub fn with_rules(&self, rules: RuleSet) -> Setup {
        Setup::new(Game::new(self.game.board().clone(), self.game.pods().clone(), rules), self.hands)
    }

    /// Returns this setup with the board turned clockwise by a further angle (R2).
    pub(crate) fn turned(&self, by: Orientation) -> Setup {
        let (pods, rules) = (self.game.pods().clone(), *self.game.rules());
        Setup::new(Game::new(self.game.board().turned(by), pods, rules), self.hands)
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the hands at the start.
    #[must_use]
    pub fn hands(&self) -> BySide<Hand> {
        self.hands
    }

    /// Returns the hands at the start, as a position's text has them.
    pub(crate) fn hand_texts(&self) -> BySide<String> {
        self.hands.map(|hand| hand.display(self.game.pods()).to_string())
    }

    /// Returns the starting position with `first` to move (R8, R9; for Black to start, R34).
    ///
    /// # Errors
    ///
    /// As [`Game::start`].
    pub fn start(&self, first: Side) -> Result<Position, StartError> {
        self.game.start(self.hands.white, self.hands.black, first)
    }

    /// Returns the starting positions, by the side that starts (R34).
    pub(crate) fn starts(&self) -> Result<BySide<Position>, StartError> {
        Ok(BySide { white: self.start(Side::White)?, black: self.start(Side::Black)? })
    }

    /// Reads the text of a position, or `start` for the starting position with White to move.
    ///
    /// # Errors
    ///
    /// If the text is no position of the game, or the setup cannot start.
    pub fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        match text {
            "start" => Ok(self.start(Side::White)?),
            _ => self.game.parse_position(text),
        }
    }
}
