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

mod combinatorics;
mod excluded;
mod find;
mod groups;
mod pieces;
mod points;
mod rank;
mod reach;
mod rows;
mod tier;
mod tier_side;

pub(in crate::table) use groups::Groups;
pub(in crate::table) use rank::{left_below, nth_left};
#[cfg(test)]
pub(in crate::table) use reach::tests::{each_step, slice_of};
pub(in crate::table) use reach::{captures, key, own_may_become, tier_after};
pub(in crate::table) use rows::{Walk, cells_of_rows, count_cells, for_each_row, slices_of};

pub use pieces::PieceType;
pub(crate) use pieces::{Arrangement, MAX_ON_BOARD, Placed};
pub use rank::{Index, IndexError, Place};
pub use tier::{Slice, Tier};
pub(in crate::table) use tier_side::TierSide;
