//! Games, positions and actions, and their texts.
//!
//! A [`Setup`] is what somebody wrote down; a [`Position`] is what has been checked against a
//! [`Game`] (R29).

mod action;
mod game;
mod hand;
mod play;
mod setup;
mod space;
mod start;

pub use action::{Action, ActionError, WrittenAction};
pub use game::Game;
pub use hand::Hand;
pub use play::{Pod, Position};
pub use setup::{HandError, PositionError, Refusal, Refusals, Setup, SetupError};
pub use space::ActionSpace;
pub use start::StartError;
