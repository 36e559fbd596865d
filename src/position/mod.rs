//! Games, positions and actions, and their texts.
//!
//! A [`Setup`] is what a game starts from. An [`UncheckedPosition`] is what somebody wrote down; a
//! [`Position`] is what has been checked against a [`Game`] (R29).

mod action;
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
pub use game::Game;
pub use hand::Hand;
pub use play::{Pod, Position};
pub use setup::Setup;
pub use space::ActionSpace;
pub use start::StartError;
pub use unchecked::{HandError, PositionError, Refusal, RefusalKind, Refusals, SyntaxError, UncheckedPosition};
