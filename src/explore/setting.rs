//! Common part of every question: board, pods, rules, and the game so far.

use serde::{Deserialize, Serialize};

use super::material::{board_of, pods_of};
use super::refusal::Refusal;
use crate::engine::{Engine, Reference, Transition};
use crate::geometry::Orientation;
use crate::material::Side;
use crate::position::{Action, Game, Hand, Position, Setup};

/// The state of the page, as it is kept in its address.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setting {
    /// A built-in board, or the text of a board file.
    pub(super) board: String,
    /// Built-in pods, or the text of a pod file.
    pub(super) pods: String,
    /// Orientation of the board, in degrees.
    #[serde(default)]
    pub(super) turn: u16,
    pub(super) rules: String,
    /// White's hand at the start; the whole set where there is none.
    #[serde(default)]
    pub(super) white: Option<String>,
    /// Black's hand at the start.
    #[serde(default)]
    pub(super) black: Option<String>,
    /// The position that play began from: a text, or `start`.
    pub(super) position: String,
    #[serde(default)]
    pub(super) actions: Vec<String>,
}

/// A side, as the page names it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SideAsked {
    White,
    Black,
}

impl From<SideAsked> for Side {
    fn from(side: SideAsked) -> Side {
        match side {
            SideAsked::White => Side::White,
            SideAsked::Black => Side::Black,
        }
    }
}

/// The most actions that a game may have here: where play can cycle, it need not end by itself.
const MAX_ACTIONS: usize = 1000;

#[derive(Debug)]
pub(super) struct Played {
    pub(super) before: Position,
    pub(super) action: Action,
    pub(super) led_to: Transition,
}

/// A game so far.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) engine: Reference,
    pub(super) setup: Setup,
    pub(super) base: Position,
    pub(super) played: Vec<Played>,
}

impl Setting {
    pub(super) fn setup(&self) -> Result<Setup, Refusal> {
        let orientation = Orientation::from_degrees(self.turn).ok_or_else(|| {
            Refusal(format!("a board is turned by 0, 90, 180 or 270 degrees, not by {} (R2)", self.turn))
        })?;
        let (board, pods) = (board_of(&self.board)?.turned(orientation), pods_of(&self.pods)?);
        let hand = |text: &Option<String>, side| match text {
            None => Ok(Hand::whole(&pods)),
            Some(text) => Hand::parse_in_any_order(text, &pods).map_err(|e| Refusal(format!("{side}'s hand: {e}"))),
        };
        let hands = [hand(&self.white, Side::White)?, hand(&self.black, Side::Black)?];
        Ok(Setup::new(Game::new(board, pods, self.rules.parse()?), hands))
    }

    /// Plays the actions again.
    pub(super) fn course(&self) -> Result<Course, Refusal> {
        if self.actions.len() > MAX_ACTIONS {
            return Err(Refusal(format!("a game has at most {MAX_ACTIONS} actions here")));
        }
        let setup = self.setup()?;
        let base = setup.parse_position(&self.position)?;
        let engine = Reference::new(setup.game().clone());
        let mut course = Course { engine, setup, base, played: Vec::new() };
        for (i, text) in self.actions.iter().enumerate() {
            let action = course.game().parse_action(text)?;
            course.play(action).map_err(|why| Refusal(format!("action {}: {why}", i + 1)))?;
        }
        Ok(course)
    }
}

/// Returns a setting that can be played: the same with the actions up to the first that cannot be
/// played, else without its wrong part, else without several.
pub(super) fn mend(setting: Setting, default: &Setting) -> Setting {
    let parts: [fn(&mut Setting, &Setting); 6] = [
        |s, with| s.position.clone_from(&with.position),
        |s, _| (s.white, s.black) = (None, None),
        |s, with| s.rules.clone_from(&with.rules),
        |s, with| s.turn = with.turn,
        |s, with| s.pods.clone_from(&with.pods),
        |s, with| s.board.clone_from(&with.board),
    ];
    let bare = Setting { actions: Vec::new(), ..setting.clone() };
    let shorter = (1..=setting.actions.len()).rev().map(|played| {
        let actions = setting.actions[..played].to_vec();
        Setting { actions, ..setting.clone() }
    });
    let without = |from: &Setting, some: &[fn(&mut Setting, &Setting)]| {
        let mut mended = from.clone();
        some.iter().for_each(|part| part(&mut mended, default));
        mended
    };
    // The position stays where it is not to blame.
    let one = parts.iter().map(|&part| without(&bare, &[part]));
    let two = parts.iter().map(|&part| without(&bare, &[parts[0], part]));
    let several = (1..=parts.len()).map(|many| without(&bare, &parts[..many]));
    let mut all = shorter.chain([bare.clone()]).chain(one).chain(two).chain(several);
    all.find(|setting| setting.course().is_ok()).unwrap_or_else(|| default.clone())
}

impl Course {
    pub(super) fn game(&self) -> &Game {
        self.engine.game()
    }

    pub(super) fn now(&self) -> &Position {
        self.played.last().map_or(&self.base, |played| &played.led_to.next)
    }

    /// Plays an action, or says why it is illegal.
    pub(super) fn play(&mut self, action: Action) -> Result<(), String> {
        let before = self.now().clone();
        let led_to = self.engine.turn(&before, action).map_err(|illegal| illegal.explain(self.game(), action))?;
        self.played.push(Played { before, action, led_to });
        Ok(())
    }
}
