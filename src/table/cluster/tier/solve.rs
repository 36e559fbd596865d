//! Solves a tier by several processes: each sweeps its [`Strips`] from its own disk, and sends what
//! it finds to the processes that read it. See [`cluster`](crate::table::cluster) for how data
//! flows.
//!
//! After a stop, each process goes through the runs from the first one. It takes what its log has
//! of a run and sends it again, and sweeps the rest. So logs may have been sealed at different
//! moments: no run sees the results of a later one.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use sha2::{Digest as _, Sha256};

use crate::material::Side;
use crate::progress::Swept;
use crate::table::cluster::exchange::{Event, Exchange, Inbox, Message, Outbox};
use crate::table::cluster::tier::planes::StripPlanes;
use crate::table::cluster::tier::resident::Resident;
use crate::table::cluster::tier::strips::{StripChunk, Strips};
use crate::table::cluster::tier::sweep::{FoundInChunk, StripListener, Stripped};
use crate::table::cluster::tier::tools::{ToolPool, Tools};
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::retro::external::log::{Done, Log, Record, RecordKind};
use crate::table::retro::external::planes::{pack, plane_of, row_bytes, unpack};
use crate::table::retro::pass::Pass;
use crate::table::retro::sweep::{Evaluator, TierResults, sweep_tier};
use crate::table::storage::parts::Parts;

/// State of a process that solves its part of a tier.
pub(in crate::table::cluster) struct Share<'a> {
    pub(in crate::table::cluster) index: &'a Index,
    pub(in crate::table::cluster) number: usize,
    pub(in crate::table::cluster) parts: &'a Parts,
    pub(in crate::table::cluster) evaluator: &'a dyn Evaluator,
    /// The distances that occur in earlier tiers.
    pub(in crate::table::cluster) distances: &'a [bool],
    /// The folder for words.
    pub(in crate::table::cluster) scratch: &'a Path,
    /// True if pods may be shoved.
    pub(in crate::table::cluster) shoves: bool,
    /// Bytes of memory for what strips read; more where a single strip needs more.
    pub(in crate::table::cluster) memory: u64,
    /// True if words and codes stay on disk even where they fit in memory.
    pub(in crate::table::cluster) stream: bool,
    pub(in crate::table::cluster) checkpoint: Duration,
    /// True if the process has the memory to make blocks.
    pub(in crate::table::cluster) makes_blocks: bool,
}

/// The work of a process on a tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::table::cluster) struct Work {
    /// Cells that it has decided.
    pub(in crate::table::cluster) found: u64,
    /// Cells in use in its strips.
    pub(in crate::table::cluster) cells: u64,
    /// Time spent on sweeps.
    pub(in crate::table::cluster) busy: Duration,
    /// Bytes of words that it has sent.
    pub(in crate::table::cluster) sent: u64,
    /// True if it makes blocks of the tier.
    pub(in crate::table::cluster) makes_blocks: bool,
}

/// Solves a tier together with the other processes. Returns whether the tier is wide, and the work
/// of each process. The logs stay in the folder of the build.
pub(in crate::table::cluster) fn solve_shared(
    share: &Share<'_>,
    exchange: &mut Exchange,
    observe: &mut dyn FnMut(Swept),
) -> Result<(bool, Vec<Work>), TableError> {
    let (process, processes) = (exchange.process(), exchange.processes());
    let Share { index, number, parts, evaluator, shoves, .. } = *share;
    let strips = Strips::new(index, number, shoves, processes);
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
    let (gate, passed) = channel();
    let last = AtomicBool::new(false);
    let outbox = exchange.outbox.clone();
    let strip_tier = Stripped {
        index,
        number,
        parts,
        evaluator,
        strips: &strips,
        planes: &planes,
        resident: resident.as_ref(),
        tools: ToolPool::default(),
    };
    let distributor = Distributor { process, tier: &strip_tier, log: &log, outbox: outbox.clone() };
    // A thread of its own puts the words of the others into the planes, while this one sweeps.
    let receiver = WordReceiver { processes, distributor: &distributor, gate, last: &last };
    let inbox = &mut exchange.inbox;
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .spawn_scoped(scope, || receiver.run(inbox))
            .map_err(TableError::io(parts.folder()))?;
        let work = Work { cells, ..Work::default() };
        let mut shared = SharedTier {
            tier: &strip_tier,
            distributor: &distributor,
            log: &log,
            done,
            processes,
            logged,
            passed,
            work,
            run: 0,
            wide: false,
            memory: resident.as_ref().map_or(share.memory, |resident| resident.left),
            checkpoint: share.checkpoint,
            sealed: Instant::now(),
            sent: outbox.sent(),
        };
        let stop = StopAtPanic(&outbox);
        let solved = shared.solve(share, &last, observe);
        std::mem::forget(stop);
        if let Err(error) = &solved {
            outbox.give_up(error);
        }
        solved
    })
}

/// Ends the exchange if this thread panics, so that the thread that receives words ends too.
struct StopAtPanic<'a>(&'a Outbox);

impl Drop for StopAtPanic<'_> {
    fn drop(&mut self) {
        self.0.give_up(&TableError::Peers { cause: "it ended in the middle, by a bug".to_owned() });
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

/// A tier that this process solves with others.
struct SharedTier<'a> {
    tier: &'a Stripped<'a>,
    distributor: &'a Distributor<'a>,
    log: &'a Log,
    /// The strips that the log has sealed.
    done: Done,
    processes: usize,
    /// The records of the log, by run, with the offsets of their bytes.
    logged: HashMap<u32, Vec<(Record, u64)>>,
    passed: Receiver<Said>,
    work: Work,
    /// The number of the next run.
    run: u32,
    wide: bool,
    /// Bytes of memory for what strips read.
    memory: u64,
    checkpoint: Duration,
    /// Time at which the log was last sealed.
    sealed: Instant,
    /// Bytes that had been sent before the tier.
    sent: u64,
}

impl SharedTier<'_> {
    fn solve(
        &mut self,
        share: &Share<'_>,
        last: &AtomicBool,
        observe: &mut dyn FnMut(Swept),
    ) -> Result<(bool, Vec<Work>), TableError> {
        let cells: u64 =
            self.barrier(vec![(0, self.work.cells)])?.iter().flat_map(|(_, sums)| sums).map(|sum| sum.1).sum();
        sweep_tier(share.index, share.number, cells, share.distances, self, observe)?;
        self.log.seal()?;
        last.store(true, Ordering::Release);
        self.work.sent = self.distributor.outbox.sent() - self.sent;
        let Work { found, cells, busy, sent, .. } = self.work;
        let own = [found, cells, busy.as_micros() as u64, sent, u64::from(share.makes_blocks)];
        let mut all = self.barrier((0..).zip(own).collect())?;
        all.sort_unstable();
        let work = all.into_iter().map(|(_, sums)| {
            let of = |number: usize| sums.get(number).map_or(0, |(_, value)| *value);
            let busy = Duration::from_micros(of(2));
            Work { found: of(0), cells: of(1), busy, sent: of(3), makes_blocks: of(4) == 1 }
        });
        Ok((self.wide, work.collect()))
    }

    /// Waits until all processes have come to the barrier; returns the numbers that each has sent,
    /// with its own.
    fn barrier(&mut self, own: Vec<(u64, u64)>) -> Result<Said, TableError> {
        let outbox = &self.distributor.outbox;
        outbox.send_all(self.processes, &Message::Sums(own.clone()));
        outbox.pass();
        let Ok(mut all) = self.passed.recv() else { return Err(outbox.why_ended()) };
        all.push((self.distributor.process, own));
        Ok(all)
    }

    /// Repeats a run from the log: puts its words into the planes, and sends them again.
    fn repeat(&mut self, run: u32) -> Result<(), TableError> {
        let mut tools = Tools::default();
        let mut packed = Vec::new();
        for (record, at) in self.logged.remove(&run).unwrap_or_default() {
            packed.resize(record.len as usize, 0);
            self.log.read(at, &mut packed)?;
            let (chunk, words) = self.distributor.unpack(record, &packed, &mut tools, || self.log.damaged())?;
            self.tier.add_own(record, chunk, &words, &mut tools)?;
            self.distributor.tell(&FoundInChunk { record, chunk, words: &words, packed: &packed }, &mut tools)?;
        }
        Ok(())
    }

    /// Sweeps the own strips that have active slices; those that the log has sealed for this run
    /// are not swept again.
    fn sweep(&mut self, pass: Pass, mover: Side, active: &[bool]) -> Result<Vec<(usize, u64)>, TableError> {
        let (run, process) = (self.run, self.distributor.process);
        let strips = self.tier.strips;
        let mut all = Vec::new();
        for (number, column) in strips.columns(mover).iter().enumerate() {
            if !column.slices.iter().any(|slice| active[slice.slice]) {
                continue;
            }
            let mut points = Vec::new();
            for point in column.points().filter(|&point| strips.sweeps(process, mover, number, point)) {
                match self.done.remove(&(run, column.strip(point))) {
                    Some(counts) => all.extend(counts),
                    None => points.push(point),
                }
            }
            // As many strips together as fit.
            let together = strips.together(mover, number, self.memory);
            for points in points.chunks(together) {
                let record =
                    Record { kind: RecordKind::Found, side: mover, distance: pass.distance(), run, number: 0, len: 0 };
                let counts = self.tier.sweep(pass, record, (number, points), active, self.distributor)?;
                for &point in points {
                    let of_strip = counts.iter().filter(|((of, _), _)| *of == point);
                    let of_strip: Vec<(usize, u64)> = of_strip.map(|((_, slice), count)| (*slice, *count)).collect();
                    self.log.column_done(Record { number: column.strip(point), ..record }, &of_strip)?;
                    all.extend(of_strip);
                }
                if self.sealed.elapsed() >= self.checkpoint {
                    self.log.seal()?;
                    self.sealed = Instant::now();
                }
            }
        }
        Ok(all)
    }
}

impl TierResults for SharedTier<'_> {
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
        for (number, count) in self.barrier(own.collect())?.into_iter().flat_map(|(_, counts)| counts) {
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
struct Distributor<'a> {
    process: usize,
    tier: &'a Stripped<'a>,
    log: &'a Log,
    outbox: Outbox,
}

impl Distributor<'_> {
    /// Returns the chunk of a record, and its words.
    fn unpack(
        &self,
        record: Record,
        packed: &[u8],
        tools: &mut Tools,
        wrong: impl Fn() -> TableError,
    ) -> Result<(StripChunk, Vec<u64>), TableError> {
        if record.number >= self.tier.strips.chunks(record.side) {
            return Err(wrong());
        }
        let width = row_bytes(self.tier.index.points());
        let chunk = self.tier.strips.chunk(record.side, record.number);
        tools.buffers.unpack(self.log, packed, chunk.rows * width)?;
        let mut words = vec![0; chunk.rows];
        unpack(width, &tools.buffers.plain, &mut words);
        // Bits above the board are set where nothing was found too.
        let board = u64::MAX >> (64 - self.tier.index.points());
        words.iter_mut().for_each(|word| *word &= board);
        Ok((chunk, words))
    }

    /// Puts words found in a chunk into the own planes, as far as this process reads them.
    fn put(&self, record: Record, chunk: StripChunk, words: &[u64], tools: &mut Tools) -> Result<(), TableError> {
        let Stripped { strips, planes, .. } = *self.tier;
        let mut places = std::mem::take(&mut tools.places);
        places.clear();
        self.tier.each_reader(record.side, chunk, words, |strip, row, _, word| {
            places.extend(planes.place(strips, strip, row).map(|place| (place, word)));
        });
        self.put_at(record, places, tools)
    }

    /// Puts words into the own planes.
    fn put_at(&self, record: Record, mut places: Vec<(u64, u64)>, tools: &mut Tools) -> Result<(), TableError> {
        let (side, plane) = (record.side.other(), plane_of(record.distance));
        self.tier.planes.put(side, plane, &mut places, &mut tools.buffers.plain)?;
        tools.places = places;
        Ok(())
    }

    /// Passes words found in a chunk to all who read them: this process, and others, to each of
    /// which it sends its part.
    fn tell(&self, found: &FoundInChunk<'_>, tools: &mut Tools) -> Result<(), TableError> {
        let (record, chunk, strips) = (found.record, found.chunk, self.tier.strips);
        if strips.reads_columns() {
            self.put(record, chunk, found.words, tools)?;
            let mut readers = Vec::new();
            for (slice, _) in strips.columns(record.side)[chunk.column].parts(chunk.rows()) {
                let side = record.side.other();
                readers.extend(strips.columns(side)[strips.of_slice(side, slice.slice).0].readers());
            }
            readers.sort_unstable();
            readers.dedup();
            let mut others = readers.into_iter().filter(|&reader| reader != self.process);
            return others.try_for_each(|reader| self.outbox.send_words(reader, record.bytes(), found.packed));
        }
        let mut places = std::mem::take(&mut tools.places);
        places.clear();
        let mut others: Vec<Vec<u64>> = vec![Vec::new(); strips.processes()];
        self.tier.each_reader(record.side, chunk, found.words, |strip, there, row, word| {
            let reader = strips.columns(strip.0)[strip.1].owner(strip.2);
            if reader == self.process {
                places.extend(self.tier.planes.place(strips, strip, there).map(|place| (place, word)));
            } else {
                others[reader].resize(chunk.rows, 0);
                others[reader][row] = word;
            }
        });
        self.put_at(record, places, tools)?;
        let mut bytes = Vec::new();
        for (reader, words) in others.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
            pack(row_bytes(self.tier.index.points()), words, &mut bytes);
            let packed = tools.codec.pack(&bytes).map_err(TableError::io(self.tier.parts.folder()))?;
            let record = Record { len: packed.len() as u32, ..record };
            self.outbox.send_words(reader, record.bytes(), &packed)?;
        }
        Ok(())
    }
}

impl StripListener for Distributor<'_> {
    fn go_on(&self) -> Result<(), TableError> {
        self.outbox.check()
    }

    fn found(&self, found: &FoundInChunk<'_>, tools: &mut Tools) -> Result<(), TableError> {
        self.log.add(found.record, found.packed)?;
        self.tell(found, tools)
    }
}

/// The numbers of processes at a barrier: each process, with the sums that it sent.
type Said = Vec<(usize, Vec<(u64, u64)>)>;

/// Handler of the messages of the other processes.
struct WordReceiver<'a> {
    processes: usize,
    distributor: &'a Distributor<'a>,
    /// Gets the sums of the others at each barrier.
    gate: Sender<Said>,
    /// True if the next barrier is the last one of the tier.
    last: &'a AtomicBool,
}

impl WordReceiver<'_> {
    /// Handles messages until the last barrier, or the end of the exchange.
    fn run(self, inbox: &mut Inbox) {
        let (mut tools, outbox) = (Tools::default(), &self.distributor.outbox);
        // A process that is ahead may send its sums for the next barrier before this barrier has
        // passed.
        let mut said: Vec<VecDeque<Vec<(u64, u64)>>> = vec![VecDeque::new(); self.processes];
        let mut later = Vec::new();
        // By process the bytes worked on that it does not know of.
        let mut worked = vec![0; self.processes];
        let tell = |worked: &mut Vec<u64>| {
            for (to, bytes) in worked.iter_mut().enumerate().filter(|(_, bytes)| **bytes > 0) {
                outbox.send(to, Message::Worked(std::mem::take(bytes)));
            }
        };
        loop {
            // Said once for all words that have come together.
            if !inbox.has_more() {
                tell(&mut worked);
            }
            match inbox.next() {
                Event::Message { from, message: Message::Words { head, packed } } => {
                    if let Err(error) = self.put(head, &packed, &mut tools) {
                        outbox.give_up(&error);
                        return;
                    }
                    worked[from] += packed.len() as u64;
                }
                Event::Message { from, message: Message::Sums(sums) } => said[from].push_back(sums),
                // For the next tier.
                event @ Event::Message { .. } => later.push(event),
                Event::Passed => {
                    tell(&mut worked);
                    let taken = said.iter_mut().enumerate().filter_map(|(from, sums)| Some((from, sums.pop_front()?)));
                    let taken: Said = taken.collect();
                    let last = self.last.load(Ordering::Acquire);
                    if last {
                        // A process that is ahead has begun the next tier.
                        let begun = said.into_iter().enumerate().flat_map(|(from, sums)| {
                            let message = move |sums| Event::Message { from, message: Message::Sums(sums) };
                            sums.into_iter().map(message)
                        });
                        later.extend(begun);
                        inbox.put_back(later.into_iter());
                        let _ = self.gate.send(taken);
                        return;
                    }
                    if self.gate.send(taken).is_err() {
                        return;
                    }
                }
                Event::Ended => return,
            }
        }
    }

    fn put(&self, head: [u8; 16], packed: &[u8], tools: &mut Tools) -> Result<(), TableError> {
        let wrong = || TableError::Peers { cause: "words of another process are not what was sent".to_owned() };
        let record = Record::read(&head).ok_or_else(wrong)?;
        let (chunk, words) = self.distributor.unpack(record, packed, tools, wrong)?;
        self.distributor.put(record, chunk, &words, tools)
    }
}
