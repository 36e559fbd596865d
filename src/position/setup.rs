//! A setup: everything that a game starts from.

use super::{Action, ActionError, Game, Hand, Position, PositionError, StartError};
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

    /// Reads the text of a position as people type and paste it, with blanks and dashes of any kind;
    /// or `start` for the starting position with White to move.
    ///
    /// # Errors
    ///
    /// If the text is no position of the game, or the setup cannot start.
    pub fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let plain = plain(text);
        if plain.eq_ignore_ascii_case("start") {
            return Ok(self.start(Side::White)?);
        }
        self.game.parse_position(if plain.is_empty() { text } else { &plain })
    }

    /// Reads an action as people type and paste it, in capitals too.
    ///
    /// # Errors
    ///
    /// If the text is no action of the game.
    pub fn parse_action(&self, text: &str) -> Result<Action, ActionError> {
        self.game.parse_action(text).or_else(|error| {
            let plain = plain(text).to_ascii_lowercase();
            self.game.parse_action(&plain).map_err(|other| if plain == text { error } else { other })
        })
    }
}

/// Returns a text with single plain blanks, plain dashes, and no quotes around it.
fn plain(text: &str) -> String {
    let simple = |c: char| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Some('-'),
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => None,
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    };
    let text: String = text.chars().filter_map(simple).collect();
    let text = text.trim_matches(|c: char| c == ' ' || "\"'`“”„‘’«»".contains(c));
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
