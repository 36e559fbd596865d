//! Numbers for positions.
//!
//! A setup comes in as a game and two hands. [`rank`] cuts its positions into tiers (what is in the
//! game), slices (what is on the board), rows and cells ([`tier`]), and [`find`] turns a
//! [position](crate::position::Position) into a [`Place`] and back; what stands on the board is an
//! [`Arrangement`] ([`pieces`]). Everything else in the table floor works on places: [`rows`] walks
//! over them in order, [`reach`] says which tiers and slices an action can lead to, [`groups`]
//! which slices have the same pods of one side on the board, [`excluded`] which cells are left
//! empty since no action leads to them, [`points`] where some of the fixed pods of a row stand.
//! Nothing here knows a value.

pub(in crate::table) mod combinatorics;
pub(in crate::table) mod excluded;
pub(in crate::table) mod find;
pub(in crate::table) mod groups;
pub(in crate::table) mod pieces;
pub(in crate::table) mod points;
pub(in crate::table) mod rank;
pub(in crate::table) mod reach;
pub(in crate::table) mod rows;
pub(in crate::table) mod tier;
pub(in crate::table) mod tier_side;

pub use pieces::PieceType;
pub(crate) use pieces::{Arrangement, MAX_ON_BOARD, Placed};
pub use rank::{Index, IndexError, Place};
pub use tier::{Slice, Tier};
pub(in crate::table) use tier_side::TierSide;
