//! Solves a tier that does not fit in memory: column by column, with the results so far on disk.
//!
//! A sweep for one player takes the [columns] one after the other. It loads what the positions of a
//! column lead to: words of the same column with the opponent to move, and codes of columns of
//! earlier tiers. Both go to their usual places in arrays as long as a whole tier, so the
//! evaluators work as in memory; pages of the arrays that are not written take no memory. The
//! results so far are on disk, as [planes]. What each sweep finds is also added to a [log]. A build
//! that was stopped continues from the log, and in the end the codes are made from the log.
//!
//! # Why tiers that fit in memory have a solver of their own
//!
//! [`sweep`](crate::table::retro::sweep) could work like this too, with the folder of the build in
//! memory, but where pods are captured that is slower: a column loads the codes
//! of many earlier tiers again for every pass, and no [frontier](crate::table::retro::frontier)
//! says which rows to skip, since a sweep that was resumed has none. So both solvers stay; they
//! share passes, evaluators and the walk over rows. Nor is one process the case of one among
//! [several](crate::table::cluster), which divide columns into strips: alone it takes longer that
//! way. `results/laboratory/table-times` and `results/cluster` have the measurements.

pub(in crate::table) mod chunks;
mod column_sweep;
pub(in crate::table) mod columns;
pub(in crate::table) mod log;
pub(in crate::table) mod planes;
pub(in crate::table) mod replay;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::material::Side;
use crate::progress::Swept;
use crate::table::error::TableError;
use crate::table::index::rows::count_cells;
use crate::table::index::{Index, TierSide};
use crate::table::retro::children::needed;
use crate::table::retro::pass::Pass;
use crate::table::retro::sweep::{Evaluator, TierResults, sweep_tier};
use crate::table::storage::parts::Parts;
pub(in crate::table) use chunks::CHUNK_ROWS;
use chunks::{Chunk, Chunks};
pub(in crate::table) use column_sweep::DENSE;
pub(in crate::table) use columns::Sizes;
use columns::{Column, columns};
use log::{Done, Log, Record, RecordKind};
use planes::PlaneStore;
pub(in crate::table) use planes::row_bytes;

/// Solves a tier and adds it to the parts, which hold the earlier tiers. Returns whether the tier
/// is wide, with two bytes a code. A build that was stopped in this tier continues from the last
/// seal of its log.
pub(in crate::table) fn solve_streamed(
    index: &Index,
    number: usize,
    parts: &mut Parts,
    evaluator: &dyn Evaluator,
    checkpoint: Duration,
    distances: &mut KnownDistances,
    observe: &mut dyn FnMut(Swept),
) -> Result<bool, TableError> {
    let (log, done) = Log::open(Log::path(parts.folder(), number), &parts.setup(), number)?;
    let chunks = Chunks::new(&index.tiers()[number]);
    let mut results = Streamed {
        index,
        number,
        parts: &*parts,
        evaluator,
        columns: Side::BOTH.map(|mover| columns(index, number, mover)),
        chunks: &chunks,
        planes: None,
        log: &log,
        done,
        run: 0,
        wide: false,
        checkpoint,
        sealed: Instant::now(),
    };
    let cells = 2 * count_cells(index, &index.tiers()[number], |slice, fixed| index.cells(slice, fixed));
    sweep_tier(index, number, cells, &distances.of_needed(index, number, parts)?, &mut results, observe)?;
    results.log.seal()?;
    // Frees the planes before the blocks are written.
    let wide = results.wide;
    drop(results);
    let logs = [log];
    parts.add(number, 1, |writer| replay::write_logs(writer, index, number, wide, &logs))?;
    logs.into_iter().try_for_each(Log::remove)?;
    Ok(wide)
}

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

/// A tier whose results so far are on disk.
struct Streamed<'a> {
    index: &'a Index,
    number: usize,
    parts: &'a Parts,
    evaluator: &'a dyn Evaluator,
    /// By the player to move.
    columns: [Vec<Column>; 2],
    chunks: &'a Chunks,
    /// Made when they are first needed.
    planes: Option<PlaneStore>,
    log: &'a Log,
    /// Work that the log has sealed.
    done: Done,
    /// The number of the next run of the tier.
    run: u32,
    wide: bool,
    checkpoint: Duration,
    /// Time at which the log was last sealed.
    sealed: Instant,
}

/// Counts that are not 0, those of one place that follow each other as a sum.
pub(in crate::table) fn summed<P: PartialEq>(counts: impl IntoIterator<Item = (P, u64)>) -> Vec<(P, u64)> {
    let mut sums: Vec<(P, u64)> = Vec::new();
    for (place, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        match sums.last_mut() {
            Some((of, sum)) if *of == place => *sum += count,
            _ => sums.push((place, count)),
        }
    }
    sums
}

impl TierResults for Streamed<'_> {
    type Error = TableError;

    /// Sweeps columns, but for those that the log has sealed for this run.
    fn run(&mut self, pass: Pass, mover: Side, active: &[bool]) -> Result<Vec<(usize, u64)>, TableError> {
        let run = self.run;
        self.run += 1;
        let mut all = Vec::new();
        for number in 0..self.columns[mover.index()].len() {
            let column = &self.columns[mover.index()][number];
            let these = column.slices.iter().filter(|&&slice| active[slice]);
            let chunks: Vec<Chunk> = these.flat_map(|&slice| self.chunks.of_slice(slice)).collect();
            if chunks.is_empty() {
                continue;
            }
            let number = number as u32;
            if let Some(counts) = self.done.remove(&(run, number)) {
                all.extend(counts);
                continue;
            }
            if self.planes.is_none() {
                let folder = self.parts.folder();
                self.planes = Some(column_sweep::planes(self.index, self.number, folder, self.chunks, self.log)?);
            }
            let distance = pass.distance();
            let record = Record { kind: RecordKind::Found, side: mover, distance, run, number, len: 0 };
            let counts = self.sweep_column(pass, record, chunks)?;
            self.log.column_done(record, &counts)?;
            all.extend(counts);
            if self.sealed.elapsed() >= self.checkpoint {
                self.log.seal()?;
                self.sealed = Instant::now();
            }
        }
        Ok(all)
    }

    fn widen(&mut self) -> Result<(), TableError> {
        self.wide = true;
        Ok(())
    }
}
