//! Retrograde analysis: the values of all tiers, from the smallest on.
//!
//! [`solve`](crate::table::solve) takes the tiers in order. For each, [`sweep`] runs [pass] after
//! pass: two initial ones, then an even one finds losses, an odd one wins, from what the last one
//! found. A pass asks an [evaluator](crate::table::eval) for each row with undecided cells. It
//! passes over slices none of whose successors changed in the last pass ([`activity`]) and over
//! rows that no changed position can be reached from ([`frontier`]). What is known of earlier tiers
//! comes from [`children`], which holds their codes, and [`decided`], which compares the codes with
//! the distance of a pass. Out come the [codes](crate::table::storage::values) of the tier; with
//! them [`solved_tier`] keeps which cells are in use.
//!
//! A tier that does not fit in memory goes through [`disk`]: the same passes, with the results
//! so far on disk, strip by strip: [`layout`] says where the rows are
//! then.

pub(in crate::table) mod activity;
pub(in crate::table) mod children;
pub(in crate::table) mod decided;
pub(in crate::table) mod disk;
pub(in crate::table) mod displaced;

pub(in crate::table) mod frontier;
pub(in crate::table) mod layout;
pub(in crate::table) mod pass;
pub(in crate::table) mod solved_tier;
pub(in crate::table) mod sweep;
