//! Makes the blocks of a tier that is solved from the logs of all processes. Those with enough
//! memory make blocks in turn, and process 0 writes them.

use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::retro::disk::log::Log;
use crate::table::retro::disk::replay::StripReplay;
use crate::table::retro::disk::solve::{Work, head};
use crate::table::retro::disk::strips::Strips;
use crate::table::storage::{Division, Parts, make_tier, write_tier};

pub(in crate::table) struct SolvedLogs<'a> {
    pub(in crate::table) index: &'a Index,
    pub(in crate::table) number: usize,
    /// True if codes take two bytes.
    pub(in crate::table) wide: bool,
    pub(in crate::table) shoves: bool,
    pub(in crate::table) work: &'a [Work],
    /// Bytes of memory for what need not be worked out again.
    pub(in crate::table) memory: u64,
}

impl SolvedLogs<'_> {
    /// Adds the tier to the parts: for process 0.
    pub(in crate::table) fn write(&self, parts: &mut Parts, division: &mut dyn Division) -> Result<(), TableError> {
        let (index, tier) = (self.index, &self.index.tiers()[self.number]);
        let (logs, strips) = (self.logs(parts)?, self.strips());
        let mut replay = StripReplay::new(index, self.number, &strips, self.wide, &logs, self.memory)?;
        parts.add(self.number, 1, |writer| {
            write_tier(writer, index, tier, self.wide, division, |side, cells, encode| {
                replay.blocks(side, cells, encode)
            })
        })
    }

    /// Makes this process's share of the blocks, which its division sends to process 0.
    pub(in crate::table) fn help(&self, parts: &Parts, division: &mut dyn Division) -> Result<(), TableError> {
        let (index, tier) = (self.index, &self.index.tiers()[self.number]);
        let (logs, strips) = (self.logs(parts)?, self.strips());
        let mut replay = StripReplay::new(index, self.number, &strips, self.wide, &logs, self.memory)?;
        make_tier(
            parts.folder(),
            index,
            tier,
            division,
            |side, cells, encode| replay.blocks(side, cells, encode),
            |_| Ok(()),
        )
    }

    /// Removes the logs, when nobody reads them any more.
    pub(in crate::table) fn remove(&self, parts: &Parts) -> Result<(), TableError> {
        (0..self.work.len()).try_for_each(|process| {
            let path = Log::path_of(parts.folder(), self.number, process);
            std::fs::remove_file(&path).map_err(TableError::io(&path))
        })
    }

    fn strips(&self) -> Strips {
        Strips::new(self.index, self.number, self.shoves, self.work.len())
    }

    /// Returns the processes that make blocks: process 0 always does.
    pub(in crate::table) fn makers(&self) -> Vec<usize> {
        (0..self.work.len()).filter(|&process| process == 0 || self.work[process].makes_blocks).collect()
    }

    fn logs(&self, parts: &Parts) -> Result<Vec<Log>, TableError> {
        let open = |(process, work): (usize, &Work)| {
            let path = Log::path_of(parts.folder(), self.number, process);
            let (log, done) = Log::open_sealed(path, &head(parts, process, self.work.len()), self.number)?;
            let found: u64 = done.values().flatten().map(|(_, count)| count).sum();
            // The log must be that of the process, and complete.
            if found == work.found { Ok(log) } else { Err(log.damaged()) }
        };
        self.work.iter().enumerate().map(open).collect()
    }
}
