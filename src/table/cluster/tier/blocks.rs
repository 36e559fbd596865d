//! Makes the blocks of a tier that several processes have solved, from the logs of all. Processes
//! with enough memory make blocks in turn, and process 0 writes them.

use crate::table::cluster::exchange::Exchange;
use crate::table::cluster::tier::replay::StripReplay;
use crate::table::cluster::tier::solve::{Work, head};
use crate::table::cluster::tier::strips::Strips;
use crate::table::cluster::turns::Turns;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::retro::external::log::Log;
use crate::table::storage::parts::{Parts, make_tier, write_tier};

/// A tier that is solved, and its logs in the folder of the build.
pub(in crate::table::cluster) struct SharedLogs<'a> {
    pub(in crate::table::cluster) index: &'a Index,
    pub(in crate::table::cluster) number: usize,
    /// True if codes take two bytes.
    pub(in crate::table::cluster) wide: bool,
    /// True if pods may be shoved.
    pub(in crate::table::cluster) shoves: bool,
    /// Work of each process.
    pub(in crate::table::cluster) work: &'a [Work],
    /// Bytes of memory for what need not be worked out again.
    pub(in crate::table::cluster) memory: u64,
}

impl SharedLogs<'_> {
    /// Writes the tier, and removes the logs: for process 0. Returns how many bytes of blocks have
    /// come from others.
    pub(in crate::table::cluster) fn write(
        &self,
        parts: &mut Parts,
        exchange: &mut Exchange,
    ) -> Result<u64, TableError> {
        let (index, tier) = (self.index, &self.index.tiers()[self.number]);
        let (logs, strips) = (self.logs(parts)?, self.strips());
        let mut replay = StripReplay::new(index, self.number, &strips, self.wide, &logs, self.memory)?;
        let mut turns = Turns::new(exchange, &self.makers());
        parts.add(self.number, 1, |writer| {
            write_tier(writer, index, tier, self.wide, &mut turns, |side, cells, encode| {
                replay.blocks(side, cells, encode)
            })
        })?;
        let moved = turns.end()?;
        logs.into_iter().try_for_each(Log::remove)?;
        Ok(moved)
    }

    /// Makes this process's share of the blocks, and sends them to process 0. Returns their bytes.
    pub(in crate::table::cluster) fn help(&self, parts: &Parts, exchange: &mut Exchange) -> Result<u64, TableError> {
        let makers = self.makers();
        if !makers.contains(&exchange.process()) {
            return Ok(0);
        }
        let (index, tier) = (self.index, &self.index.tiers()[self.number]);
        let (logs, strips) = (self.logs(parts)?, self.strips());
        let mut replay = StripReplay::new(index, self.number, &strips, self.wide, &logs, self.memory)?;
        let mut turns = Turns::new(exchange, &makers);
        make_tier(
            parts.folder(),
            index,
            tier,
            &mut turns,
            |side, cells, encode| replay.blocks(side, cells, encode),
            |_| Ok(()),
        )?;
        turns.end()
    }

    fn strips(&self) -> Strips {
        Strips::new(self.index, self.number, self.shoves, self.work.len())
    }

    /// Returns the processes that make blocks: process 0 always does.
    pub(in crate::table::cluster) fn makers(&self) -> Vec<usize> {
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
