//! A tier that several processes solve together: its [strips], what each process holds of them, the
//! sweeps, and the blocks.

mod blocks;
mod paged_bytes;
mod planes;
mod replay;
mod resident;
mod solve;
mod strips;
mod sweep;
mod tools;

pub(super) use blocks::SharedLogs;
pub(super) use resident::left_beside;
pub(super) use solve::{Share, Work, solve_shared};
pub(super) use strips::{Strips, StripsOfProcess};
