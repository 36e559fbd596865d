//! Games, positions and actions, and their texts.
//!
//! A [`Setup`] is what a game starts from. An [`UncheckedPosition`] is what somebody wrote down; a
//! [`Position`] is what has been checked against a [`Game`] (R29).
//!
//! # Drawn examples
//!
//! ```
//! use pods::position::{Game, RefusalKind, UncheckedPosition};
//! use pods::material::{board_from_toml, pods_from_toml};
//! use pods::rules::RuleSet;
//!
//! let tee = "name = 'tee'\nsource = 'drawn'\npoints = \"\"\"\n  o\n  |\no-o-o\n\"\"\"";
//! let pods = "[[pod]]\nid = 'f'\nlegs = 's'\n[[pod]]\nid = 'm'\nlegs = 'e'";
//! let few = format!("name = 'few'\nsource = 'drawn'\n{pods}");
//! let (board, pods) = (board_from_toml("tee", tee), pods_from_toml("few", &few));
//! let game = Game::new(board.unwrap(), pods.unwrap(), "advanced+opening=any".parse::<RuleSet>().unwrap());
//!
//! //   F      Rows from the top, `/` between them; a number is so many places without a pod, holes
//! //   |      too. Then who is to move, both hands, and no opening.
//! // M-o-m
//! let position = game.parse_position("1F1/M1m w - f -").unwrap();
//! assert_eq!(position.pods().count(), 3);
//! assert_eq!(position.display(&game).to_string(), "1F1/M1m w - f -");
//!
//! // M-o-M    White has one m only; there is no point to the left of F.
//! let set_up: UncheckedPosition = "F2/M1M w - f -".parse().unwrap();
//! let refusals = set_up.check(&game).unwrap_err().0;
//! let kinds = refusals.iter().map(|refusal| refusal.kind);
//! assert!(kinds.eq([RefusalKind::NoPoint, RefusalKind::TooMany]));
//!
//! // M→o-m    Actions name what is done: a placement, a move, a shove, a kick by two points.
//! for text in ["f@b1", "a1-b1", "a1>b1", "a1>b1+2"] {
//!     assert_eq!(game.parse_action(text).unwrap().display(&game).to_string(), text);
//! }
//! ```

mod action;
mod data;
mod game;
mod hand;
mod play;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod space;
mod start;
mod unchecked;

#[cfg(feature = "python")]
pub(crate) use action::WrittenAction;
pub use action::{Action, ActionError};
pub(crate) use data::{RulesData, SetupData};
pub use game::Game;
pub use hand::Hand;
pub use play::{Pod, Position};
pub use setup::Setup;
pub use space::ActionSpace;
pub use start::StartError;
pub use unchecked::{HandError, PositionError, Refusal, RefusalKind, Refusals, SyntaxError, UncheckedPosition};
