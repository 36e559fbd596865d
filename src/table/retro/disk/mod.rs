//! Solves a tier from disk, strip by strip, with the results so far on disk too.
//!
//! A sweep for one player takes the [columns] one after the other, and of each as many [strips] as
//! fit in memory together; several processes sweep strips of their own. It loads what the positions
//! of a strip lead to: words of the strip with the opponent to move, and codes of earlier tiers. The
//! results so far are [planes](strip_planes), in memory if all that follows fits too. What each
//! sweep finds is also added to a [log]. A build that was stopped continues from the log, and in the
//! end the codes are made from the logs ([`SolvedLogs`]).
//!
//! # Why tiers that fit in memory have a solver of their own
//!
//! [`sweep`](crate::table::retro::sweep) could work like this too, with the folder of the build in
//! memory, but where pods are captured that is slower: a strip loads the codes of many earlier tiers
//! again for every pass, and no [frontier](crate::table::retro::frontier) says which rows to skip,
//! since a sweep that was resumed has none. `results/laboratory/table-times` has the measurements.

pub(in crate::table) mod columns;
pub(in crate::table) mod log;
pub(in crate::table) mod logged;
mod paged_bytes;
pub(in crate::table) mod plane_store;
mod replay;
mod resident;
mod solve;
mod solved_logs;
mod strip_planes;
mod strips;
mod sweep;
mod tools;

use std::fs;
use std::path::Path;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::table::error::TableError;
use crate::table::index::{Index, TierSide};
use crate::table::retro::children::needed;
use crate::table::storage::Parts;
pub(in crate::table) use resident::left_beside;
pub(in crate::table) use solve::{Alone, BarrierSums, DiskTier, Peers, Share, Work};
pub(in crate::table) use solved_logs::SolvedLogs;
pub(in crate::table) use strips::{Strips, StripsOfProcess};
pub(in crate::table) use tools::Tools;

/// Removes the logs of all tiers but one, with which the build continues.
pub(in crate::table) fn drop_logs(folder: &Path, but: usize) -> Result<(), TableError> {
    for entry in fs::read_dir(folder).map_err(TableError::io(folder))? {
        let path = entry.map_err(TableError::io(folder))?.path();
        let ours = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("tier-"));
        let is_log = ours && path.extension().is_some_and(|ending| ending == "log");
        let of_tier = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| is_of_tier(name, but));
        if is_log && !of_tier {
            fs::remove_file(&path).map_err(TableError::io(&path))?;
        }
    }
    Ok(())
}

/// Returns `true` if a file name is that of a log of a tier, of a build by one process or by
/// several.
fn is_of_tier(name: &str, tier: usize) -> bool {
    name.strip_prefix(&format!("tier-{tier:05}")).is_some_and(|rest| rest.starts_with(['.', '-']))
}

/// Distances that occur in finished tiers, kept since several later tiers ask for the same ones.
#[derive(Default)]
pub(in crate::table) struct KnownDistances(HashMap<TierSide, Vec<bool>>);

impl KnownDistances {
    /// Lists the distances that occur in the earlier tiers that a tier needs.
    pub(in crate::table) fn of_needed(
        &mut self,
        index: &Index,
        number: usize,
        parts: &Parts,
    ) -> Result<Vec<bool>, TableError> {
        let mut distances: Vec<bool> = Vec::new();
        for tier_side in needed(index, number) {
            let of_tier_side = match self.0.entry(tier_side) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let seen = parts.tier_side(index, tier_side)?.seen()?;
                    // Code 0 has no distance.
                    let end = seen.iter().rposition(|&seen| seen).map_or(1, |last| last + 1).max(1);
                    place.insert(seen[1..end].to_vec())
                }
            };
            distances.resize(distances.len().max(of_tier_side.len()), false);
            distances.iter_mut().zip(of_tier_side).for_each(|(occurs, here)| *occurs |= *here);
        }
        Ok(distances)
    }
}

/// Counts that are not 0, those of one place that follow each other as a sum.
pub(super) fn summed<P: PartialEq>(counts: impl IntoIterator<Item = (P, u64)>) -> Vec<(P, u64)> {
    let mut sums: Vec<(P, u64)> = Vec::new();
    for (place, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        match sums.last_mut() {
            Some((of, sum)) if *of == place => *sum += count,
            _ => sums.push((place, count)),
        }
    }
    sums
}
