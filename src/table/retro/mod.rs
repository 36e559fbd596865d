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
//! so far on disk, strip by strip: [`layout`] says where the rows are then.

mod activity;
mod children;
mod decided;
mod disk;
mod displaced;
mod frontier;
mod layout;
mod pass;
mod solved_tier;
mod sweep;

pub(in crate::table) use children::{ChildTiers, needed};
#[cfg(test)]
pub(in crate::table) use decided::Decided;
pub(in crate::table) use disk::{
    Alone, BarrierSums, DiskTier, KnownDistances, Peers, Share, SolvedLogs, Strips, StripsOfProcess, Tools, Work,
    drop_logs, left_beside,
};
pub(in crate::table) use displaced::{Displacement, NOWHERE, PushTables};
#[cfg(test)]
pub(in crate::table) use frontier::Frontiers;
pub(in crate::table) use pass::Pass;
#[cfg(test)]
pub(in crate::table) use solved_tier::SolvedTier;
pub(in crate::table) use sweep::{Evaluator, Known, Rows, ToTheEnd, Watch, solve_tier};
