//! Solves a tier from disk. The processes of a build, or one process alone, each sweep their
//! [`Strips`], and what one finds goes to those that read it ([`Peers`]).
//!
//! After a stop, each process goes through the runs from the first one. It takes what its log has
//! of a run and sends it again, and sweeps the rest. So logs may have been sealed at different
//! moments: no run sees the results of a later one.

use std::path::Path;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use sha2::{Digest as _, Sha256};

use crate::material::Side;
use crate::progress::Swept;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::retro::disk::log::{Done, Log, Record, RecordKind};
use crate::table::retro::disk::plane_store::{pack, plane_of, row_bytes, unpack};
use crate::table::retro::disk::resident::Resident;
use crate::table::retro::disk::strip_planes::StripPlanes;
use crate::table::retro::disk::strips::{StripChunk, Strips};
use crate::table::retro::disk::sweep::{FoundInChunk, StripListener, Stripped};
use crate::table::retro::disk::tools::{ToolPool, Tools};
use crate::table::retro::pass::Pass;
use crate::table::retro::sweep::{Evaluator, TierResults, sweep_tier};
use crate::table::storage::Parts;

/// The numbers that each process has sent at a barrier: the process, and sums by what they count.
pub(in crate::table) type BarrierSums = Vec<(usize, Vec<(u64, u64)>)>;

/// The other processes that solve a tier; none for one process [`Alone`].
pub(in crate::table) trait Peers: Sync {
    /// Returns an error if they do not go on.
    fn check(&self) -> Result<(), TableError>;

    fn send_words(&self, to: usize, head: [u8; 16], packed: &[u8]) -> Result<(), TableError>;

    fn sent(&self) -> u64;

    /// Waits until all have come to the barrier; returns what the others say there. `last` is true
    /// at the last one of a tier.
    fn barrier(&self, own: &[(u64, u64)], last: bool) -> Result<BarrierSums, TableError>;
}

/// No other process.
pub(in crate::table) struct Alone;

impl Peers for Alone {
    fn check(&self) -> Result<(), TableError> {
        Ok(())
    }

    fn send_words(&self, to: usize, _: [u8; 16], _: &[u8]) -> Result<(), TableError> {
        unreachable!("a bug: one process alone has words for process {to}")
    }

    fn sent(&self) -> u64 {
        0
    }

    fn barrier(&self, _: &[(u64, u64)], _: bool) -> Result<BarrierSums, TableError> {
        Ok(Vec::new())
    }
}

/// The part of a process in solving a tier.
pub(in crate::table) struct Share<'a> {
    pub(in crate::table) index: &'a Index,
    pub(in crate::table) number: usize,
    pub(in crate::table) process: usize,
    pub(in crate::table) processes: usize,
    pub(in crate::table) parts: &'a Parts,
    pub(in crate::table) evaluator: &'a dyn Evaluator,
    /// The distances that occur in earlier tiers.
    pub(in crate::table) distances: &'a [bool],
    pub(in crate::table) scratch: &'a Path,
    pub(in crate::table) shoves: bool,
    /// Bytes of memory for what strips read; more where a single strip needs more.
    pub(in crate::table) memory: u64,
    /// True if words and codes stay on disk even where they fit in memory.
    pub(in crate::table) stream: bool,
    pub(in crate::table) checkpoint: Duration,
    pub(in crate::table) makes_blocks: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::table) struct Work {
    /// Cells that it has decided.
    pub(in crate::table::retro) found: u64,
    pub(in crate::table) cells: u64,
    pub(in crate::table) busy: Duration,
    /// Bytes of words that it has sent.
    pub(in crate::table) sent: u64,
    /// True if it makes blocks of the tier.
    pub(in crate::table::retro) makes_blocks: bool,
}

/// A tier of which a process sweeps its strips: the results so far, and the log.
pub(in crate::table) struct DiskTier<'a> {
    process: usize,
    stripped: Stripped<'a>,
    log: Log,
}

/// Work of an earlier run of the build in a tier.
pub(in crate::table) struct Begun {
    /// The strips that the log has sealed.
    done: Done,
    /// The records of the log, by run, with the offsets of their bytes.
    logged: HashMap<u32, Vec<(Record, u64)>>,
    /// Cells in use in the strips of the process.
    cells: u64,
}

impl<'a> DiskTier<'a> {
    /// Opens the log of the process, which stays in the folder of the build, and makes planes
    /// without results.
    pub(in crate::table) fn open(share: &Share<'a>) -> Result<(DiskTier<'a>, Begun), TableError> {
        let Share { index, number, process, processes, parts, evaluator, .. } = *share;
        let strips = Strips::new(index, number, share.shoves, processes);
        let path = Log::path_of(parts.folder(), number, process);
        let (log, done) = Log::open(path, &head(parts, process, processes), number)?;
        let resident =
            if share.stream { None } else { Resident::load((index, number, parts), share.memory, &strips, process)? };
        let (planes, cells) = StripPlanes::new(index, number, share.scratch, &strips, process, resident.is_some())?;
        let mut logged: HashMap<u32, Vec<(Record, u64)>> = HashMap::new();
        log.each(|record, at, _| {
            if record.kind == RecordKind::Found {
                logged.entry(record.run).or_default().push((record, at));
            }
            Ok(())
        })?;
        let tools = ToolPool::default();
        let stripped = Stripped { index, number, parts, evaluator, strips, planes, resident, tools };
        Ok((DiskTier { process, stripped, log }, Begun { done, logged, cells }))
    }

    /// Solves the tier together with the other processes. Returns whether it is wide, and the work
    /// of each process.
    pub(in crate::table) fn solve(
        &self,
        share: &Share<'_>,
        begun: Begun,
        peers: &dyn Peers,
        observe: &mut dyn FnMut(Swept),
    ) -> Result<(bool, Vec<Work>), TableError> {
        let (work, sent) = (Work { cells: begun.cells, ..Work::default() }, peers.sent());
        let mut results = TierOnDisk {
            distributor: Distributor { tier: self, peers },
            begun,
            work,
            run: 0,
            wide: false,
            memory: self.stripped.resident.as_ref().map_or(share.memory, |resident| resident.left),
            checkpoint: share.checkpoint,
            sealed: Instant::now(),
        };
        let all = results.barrier(vec![(0, work.cells)], false)?;
        let cells: u64 = all.iter().flat_map(|(_, sums)| sums).map(|sum| sum.1).sum();
        sweep_tier(share.index, share.number, cells, share.distances, &mut results, observe)?;
        self.log.seal()?;
        let Work { found, cells, busy, .. } = results.work;
        let own = [found, cells, busy.as_micros() as u64, peers.sent() - sent, u64::from(share.makes_blocks)];
        let mut all = results.barrier((0..).zip(own).collect(), true)?;
        all.sort_unstable();
        let work = all.into_iter().map(|(_, sums)| {
            let of = |number: usize| sums.get(number).map_or(0, |(_, value)| *value);
            let busy = Duration::from_micros(of(2));
            Work { found: of(0), cells: of(1), busy, sent: of(3), makes_blocks: of(4) == 1 }
        });
        Ok((results.wide, work.collect()))
    }

    /// Puts words that another process has sent into the planes.
    ///
    /// # Errors
    ///
    /// Also if they are not what a process sends.
    pub(in crate::table) fn receive(&self, head: [u8; 16], packed: &[u8], tools: &mut Tools) -> Result<(), TableError> {
        let wrong = || TableError::Peers("words of another process are not what was sent".to_owned());
        let record = Record::read(&head).ok_or_else(wrong)?;
        let (chunk, words) = self.unpack(record, packed, tools, wrong)?;
        self.put(record, chunk, &words, tools)
    }

    /// Returns the chunk of a record, and its words.
    fn unpack(
        &self,
        record: Record,
        packed: &[u8],
        tools: &mut Tools,
        wrong: impl Fn() -> TableError,
    ) -> Result<(StripChunk, Vec<u64>), TableError> {
        let Stripped { index, strips, .. } = &self.stripped;
        if record.number >= strips.chunks(record.side) {
            return Err(wrong());
        }
        let width = row_bytes(index.points());
        let chunk = strips.chunk(record.side, record.number);
        tools.buffers.unpack(&self.log, packed, chunk.rows * width)?;
        let mut words = vec![0; chunk.rows];
        unpack(width, &tools.buffers.plain, &mut words);
        // Bits above the board are set where nothing was found too.
        let board = u64::MAX >> (64 - index.points());
        words.iter_mut().for_each(|word| *word &= board);
        Ok((chunk, words))
    }

    /// Puts words found in a chunk into the own planes, as far as this process reads them.
    fn put(&self, record: Record, chunk: StripChunk, words: &[u64], tools: &mut Tools) -> Result<(), TableError> {
        let Stripped { strips, planes, .. } = &self.stripped;
        let mut places = std::mem::take(&mut tools.places);
        places.clear();
        self.stripped.each_reader(record.side, chunk, words, |strip, row, _, word| {
            places.extend(planes.place(strips, strip, row).map(|place| (place, word)));
        });
        self.put_at(record, places, tools)
    }

    /// Puts words into the own planes.
    fn put_at(&self, record: Record, mut places: Vec<(u64, u64)>, tools: &mut Tools) -> Result<(), TableError> {
        let (side, plane) = (record.side.other(), plane_of(record.distance));
        self.stripped.planes.put(side, plane, &mut places, &mut tools.buffers.plain)?;
        tools.places = places;
        Ok(())
    }
}

/// Returns the hash for the head of a log: of the setup, the process, and the number of processes.
pub(super) fn head(parts: &Parts, process: usize, processes: usize) -> [u8; 32] {
    let of = |number: usize| (number as u64).to_le_bytes();
    Sha256::new()
        .chain_update("strips")
        .chain_update(parts.setup())
        .chain_update(of(process))
        .chain_update(of(processes))
        .finalize()
        .into()
}

/// The results so far of a tier that this process solves, with others or alone.
struct TierOnDisk<'a> {
    distributor: Distributor<'a>,
    begun: Begun,
    work: Work,
    run: u32,
    wide: bool,
    /// Bytes of memory for what strips read.
    memory: u64,
    checkpoint: Duration,
    /// Time at which the log was last sealed.
    sealed: Instant,
}

impl TierOnDisk<'_> {
    /// Waits until all processes have come to the barrier; returns the numbers that each has sent,
    /// with its own.
    fn barrier(&self, own: Vec<(u64, u64)>, last: bool) -> Result<BarrierSums, TableError> {
        let Distributor { tier, peers } = self.distributor;
        let mut all = peers.barrier(&own, last)?;
        all.push((tier.process, own));
        Ok(all)
    }

    /// Repeats a run from the log: puts its words into the planes, and sends them again.
    fn repeat(&mut self, run: u32) -> Result<(), TableError> {
        let (mut tools, mut packed, tier) = (Tools::default(), Vec::new(), self.distributor.tier);
        for (record, at) in self.begun.logged.remove(&run).unwrap_or_default() {
            packed.resize(record.len as usize, 0);
            tier.log.read(at, &mut packed)?;
            let (chunk, words) = tier.unpack(record, &packed, &mut tools, || tier.log.damaged())?;
            tier.stripped.add_own(record, chunk, &words, &mut tools)?;
            self.distributor.tell(&FoundInChunk { record, chunk, words: &words, packed: &packed }, &mut tools)?;
        }
        Ok(())
    }

    /// Sweeps the own strips that have active slices; those that the log has sealed for this run
    /// are not swept again.
    fn sweep(&mut self, pass: Pass, mover: Side, active: &[bool]) -> Result<Vec<(usize, u64)>, TableError> {
        let (run, tier) = (self.run, self.distributor.tier);
        let strips = &tier.stripped.strips;
        let mut all = Vec::new();
        for (number, column) in strips.columns(mover).iter().enumerate() {
            if !column.slices.iter().any(|slice| active[slice.slice]) {
                continue;
            }
            let mut points = Vec::new();
            for point in column.points().filter(|&point| strips.sweeps(tier.process, mover, number, point)) {
                match self.begun.done.remove(&(run, column.strip(point))) {
                    Some(counts) => all.extend(counts),
                    None => points.push(point),
                }
            }
            // As many strips together as fit.
            let together = strips.together(mover, number, self.memory);
            for points in points.chunks(together) {
                let record =
                    Record { kind: RecordKind::Found, side: mover, distance: pass.distance(), run, number: 0, len: 0 };
                let counts = tier.stripped.sweep(pass, record, (number, points), active, &self.distributor)?;
                for &point in points {
                    let of_strip = counts.iter().filter(|((of, _), _)| *of == point);
                    let of_strip: Vec<(usize, u64)> = of_strip.map(|((_, slice), count)| (*slice, *count)).collect();
                    tier.log.column_done(Record { number: column.strip(point), ..record }, &of_strip)?;
                    all.extend(of_strip);
                }
                if self.sealed.elapsed() >= self.checkpoint {
                    tier.log.seal()?;
                    self.sealed = Instant::now();
                }
            }
        }
        Ok(all)
    }
}

impl TierResults for TierOnDisk<'_> {
    type Error = TableError;

    /// Runs a pass in this process, and returns its findings before the barrier.
    fn run(&mut self, pass: Pass, mover: Side, active: &[bool]) -> Result<Vec<(usize, u64)>, TableError> {
        let begun = Instant::now();
        // On a thread of the pool, so that no part of it waits for one to wake.
        let own = rayon::scope(|_| {
            self.repeat(self.run)?;
            self.sweep(pass, mover, active)
        })?;
        self.run += 1;
        self.work.busy += begun.elapsed();
        self.work.found += own.iter().map(|(_, count)| count).sum::<u64>();
        Ok(own)
    }

    /// Runs a pass for both sides, and returns the findings of all processes: one barrier is
    /// enough, since neither run reads what the other one writes.
    fn run_both(&mut self, pass: Pass, [white, black]: &[Vec<bool>; 2]) -> Result<[Vec<(usize, u64)>; 2], TableError> {
        let slices = white.len() as u64;
        let own = [self.run(pass, Side::White, white)?, self.run(pass, Side::Black, black)?];
        let own = own
            .into_iter()
            .zip([0, slices])
            .flat_map(|(counts, first)| counts.into_iter().map(move |(slice, count)| (first + slice as u64, count)));
        let mut all = [Vec::new(), Vec::new()];
        for (number, count) in self.barrier(own.collect(), false)?.into_iter().flat_map(|(_, counts)| counts) {
            all[usize::from(number >= slices)].push(((number % slices) as usize, count));
        }
        Ok(all)
    }

    fn widen(&mut self) -> Result<(), TableError> {
        self.wide = true;
        Ok(())
    }
}

/// Listener that passes results to their readers: in this process's planes, and in other processes.
#[derive(Clone, Copy)]
struct Distributor<'a> {
    tier: &'a DiskTier<'a>,
    peers: &'a dyn Peers,
}

impl Distributor<'_> {
    /// Passes words found in a chunk to all who read them: this process, and others, to each of
    /// which it sends its part.
    fn tell(&self, found: &FoundInChunk<'_>, tools: &mut Tools) -> Result<(), TableError> {
        let DiskTier { process, stripped, .. } = self.tier;
        let (record, chunk, strips) = (found.record, found.chunk, &stripped.strips);
        if strips.reads_columns() {
            self.tier.put(record, chunk, found.words, tools)?;
            let mut readers = Vec::new();
            for (slice, _) in strips.columns(record.side)[chunk.column].parts(chunk.rows()) {
                let side = record.side.other();
                readers.extend(strips.columns(side)[strips.of_slice(side, slice.slice).0].readers());
            }
            readers.sort_unstable();
            readers.dedup();
            let mut others = readers.into_iter().filter(|reader| reader != process);
            return others.try_for_each(|reader| self.peers.send_words(reader, record.bytes(), found.packed));
        }
        let mut places = std::mem::take(&mut tools.places);
        places.clear();
        let mut others: Vec<Vec<u64>> = vec![Vec::new(); strips.processes()];
        stripped.each_reader(record.side, chunk, found.words, |strip, there, row, word| {
            let reader = strips.columns(strip.0)[strip.1].owner(strip.2);
            if reader == *process {
                places.extend(stripped.planes.place(strips, strip, there).map(|place| (place, word)));
            } else {
                others[reader].resize(chunk.rows, 0);
                others[reader][row] = word;
            }
        });
        self.tier.put_at(record, places, tools)?;
        let mut bytes = Vec::new();
        for (reader, words) in others.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
            pack(row_bytes(stripped.index.points()), words, &mut bytes);
            let packed = tools.codec.pack(&bytes).map_err(TableError::io(stripped.parts.folder()))?;
            let record = Record { len: packed.len() as u32, ..record };
            self.peers.send_words(reader, record.bytes(), &packed)?;
        }
        Ok(())
    }
}

impl StripListener for Distributor<'_> {
    fn go_on(&self) -> Result<(), TableError> {
        self.peers.check()
    }

    fn found(&self, found: &FoundInChunk<'_>, tools: &mut Tools) -> Result<(), TableError> {
        self.tier.log.add(found.record, found.packed)?;
        self.tell(found, tools)
    }
}
