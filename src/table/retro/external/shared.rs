//! Solves a tier by several processes: each sweeps its [`Stripes`] as a build from disk does, and sends what it finds
//! to the processes that read it. See [`cluster`](crate::table::cluster) for how data flows.
//!
//! The log of a process that was stopped has what it found, run by run. When all are started again, each goes through
//! the runs from the first one: it takes what its log has from there and sends it again, and sweeps the rest. So logs
//! may have been sealed at different moments: no run sees what a later one has found.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use sha2::{Digest as _, Sha256};

use crate::material::Side;
use crate::table::cluster::{Event, Exchange, Inbox, Message, Outbox};
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::retro::Swept;
use crate::table::retro::external::Streamed;
use crate::table::retro::external::chunks::{Chunk, Chunks};
use crate::table::retro::external::column_sweep::{Listener, empty_planes, put_back};
use crate::table::retro::external::columns::columns;
use crate::table::retro::external::log::{Kind, Log, Record};
use crate::table::retro::external::planes::{PlaneFiles, row_bytes};
use crate::table::retro::external::replay::{Buffers, write_logs};
use crate::table::retro::external::stripes::Stripes;
use crate::table::retro::pass::Pass;
use crate::table::retro::sweep::{Evaluator, TierResults, sweep_tier};
use crate::table::storage::parts::Parts;

/// What a process needs to solve its part of a tier.
pub(in crate::table) struct Share<'a> {
    pub(in crate::table) index: &'a Index,
    pub(in crate::table) number: usize,
    pub(in crate::table) parts: &'a Parts,
    pub(in crate::table) evaluator: &'a dyn Evaluator,
    /// The distances that occur in earlier tiers.
    pub(in crate::table) distances: &'a [bool],
    /// The folder for words.
    pub(in crate::table) scratch: &'a Path,
    pub(in crate::table) checkpoint: Duration,
}

/// The work of a process on a tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::table) struct Work {
    /// Cells that it has decided.
    pub(in crate::table) found: u64,
    /// Cells in use in its stripes.
    pub(in crate::table) cells: u64,
    /// How long it was busy with sweeps.
    pub(in crate::table) busy: Duration,
    /// Bytes of words that it has sent.
    pub(in crate::table) sent: u64,
}

/// Solves a tier together with the other processes. Returns whether the tier is wide, and the work of each process. The
/// logs stay in the folder of the build.
pub(in crate::table) fn solve_shared(
    share: &Share<'_>,
    exchange: &mut Exchange,
    observe: &mut dyn FnMut(Swept),
) -> Result<(bool, Vec<Work>), TableError> {
    let (process, processes) = (exchange.process(), exchange.processes());
    let Share { index, number, parts, .. } = *share;
    let chunks = Chunks::new(&index.tiers()[number]);
    let columns = Side::BOTH.map(|mover| columns(index, number, mover));
    let stripes = Stripes::new([&columns[0], &columns[1]], &chunks, index.tiers()[number].slices().len(), processes);
    let path = Log::path_of(parts.folder(), number, process);
    let (log, done) = Log::open(path, &head(parts, process, processes), number)?;
    let (planes, cells) =
        empty_planes(index, number, share.scratch, &chunks, |side, chunk| stripes.holds(process, side, chunk))?;
    let planes = Arc::new(planes);
    let own = |(number, cells): (u32, &u64)| {
        let chunk = chunks.get(number);
        let sides = Side::BOTH.into_iter().filter(|&side| stripes.sweeps(process, side, chunk)).count();
        sides as u64 * cells
    };
    let cells: u64 = (0..).zip(&cells).map(own).sum();
    let mut logged: HashMap<u32, Vec<(Record, u64)>> = HashMap::new();
    log.each(|record, at, _| {
        if record.kind == Kind::Found {
            logged.entry(record.run).or_default().push((record, at));
        }
        Ok(())
    })?;
    let (gate, passed) = channel();
    let last = AtomicBool::new(false);
    let width = row_bytes(index.points());
    let outbox = exchange.outbox.clone();
    // A thread of its own puts the words of the others into the planes, while this one sweeps.
    let receiver = WordReceiver {
        processes,
        planes: &planes,
        chunks: &chunks,
        width,
        log: &log,
        outbox: outbox.clone(),
        gate,
        last: &last,
    };
    let inbox = &mut exchange.inbox;
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .spawn_scoped(scope, || receiver.run(inbox))
            .map_err(TableError::io(parts.folder()))?;
        let streamed = Streamed {
            index,
            number,
            parts,
            evaluator: share.evaluator,
            columns,
            chunks: &chunks,
            planes: Some(Arc::clone(&planes)),
            log: &log,
            done,
            run: 0,
            wide: false,
            checkpoint: share.checkpoint,
            sealed: Instant::now(),
        };
        let telling = Telling { process, stripes, outbox: outbox.clone(), sent: outbox.sent() };
        let work = Work { cells, ..Work::default() };
        let mut shared = SharedTier { streamed, telling, processes, logged, passed, work };
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

/// The hash for the head of a log: of the setup, the process, and the number of processes.
fn head(parts: &Parts, process: usize, processes: usize) -> [u8; 32] {
    let of = |number: usize| (number as u64).to_le_bytes();
    Sha256::new().chain_update(parts.setup()).chain_update(of(process)).chain_update(of(processes)).finalize().into()
}

/// Writes a tier from the logs of all processes, and removes the logs.
pub(in crate::table) fn write_shared(
    parts: &mut Parts,
    index: &Index,
    number: usize,
    wide: bool,
    work: &[Work],
) -> Result<(), TableError> {
    let (folder, processes) = (parts.folder().to_owned(), work.len());
    let mut logs = Vec::new();
    for (process, work) in work.iter().enumerate() {
        let path = Log::path_of(&folder, number, process);
        let (log, done) = Log::open(path, &head(parts, process, processes), number)?;
        let found: u64 = done.values().flatten().map(|(_, count)| count).sum();
        // The log must be that of the process, and complete.
        if found != work.found {
            return Err(log.damaged());
        }
        logs.push(log);
    }
    parts.add(number, 1, |writer| write_logs(writer, index, number, wide, &logs))?;
    logs.into_iter().try_for_each(Log::remove)
}

/// A tier that this process solves with others.
struct SharedTier<'a> {
    streamed: Streamed<'a>,
    telling: Telling,
    processes: usize,
    /// The records of the log, by run, with the offsets of their bytes.
    logged: HashMap<u32, Vec<(Record, u64)>>,
    passed: Receiver<Said>,
    work: Work,
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
        self.streamed.log.seal()?;
        last.store(true, Ordering::Release);
        self.work.sent = self.telling.outbox.sent() - self.telling.sent;
        let Work { found, cells, busy, sent } = self.work;
        let own = [found, cells, busy.as_micros() as u64, sent];
        let mut all = self.barrier((0..).zip(own).collect())?;
        all.sort_unstable();
        let work = all.into_iter().map(|(_, sums)| {
            let of = |number: usize| sums.get(number).map_or(0, |(_, value)| *value);
            Work { found: of(0), cells: of(1), busy: Duration::from_micros(of(2)), sent: of(3) }
        });
        Ok((self.streamed.wide, work.collect()))
    }

    /// Waits until all processes have come to the barrier; returns the numbers that each has sent, with its own.
    fn barrier(&mut self, own: Vec<(u64, u64)>) -> Result<Said, TableError> {
        let outbox = &self.telling.outbox;
        outbox.send_all(self.processes, &Message::Sums(own.clone()));
        outbox.pass();
        let Ok(mut all) = self.passed.recv() else { return Err(outbox.why_ended()) };
        all.push((self.telling.process, own));
        Ok(all)
    }

    /// Repeats a run from the log: puts its words into the planes, and sends them again.
    fn repeat(&mut self, run: u32) -> Result<(), TableError> {
        let Some(planes) = &self.streamed.planes else { unreachable!("they were made before") };
        let width = row_bytes(self.streamed.index.points());
        let (mut buffers, mut found, mut bytes) = (Buffers::default(), Vec::new(), Vec::new());
        for (record, at) in self.logged.remove(&run).unwrap_or_default() {
            let log = self.streamed.log;
            if record.number >= self.streamed.chunks.len() {
                return Err(log.damaged());
            }
            bytes.resize(record.len as usize, 0);
            log.read(at, &mut bytes)?;
            let chunk = self.streamed.chunks.get(record.number);
            put_back(planes, chunk, width, log, record, &bytes, &mut buffers, &mut found)?;
            self.telling.send(chunk, record, &bytes)?;
        }
        Ok(())
    }
}

impl TierResults for SharedTier<'_> {
    type Error = TableError;

    fn run(&mut self, pass: Pass, mover: Side, active: &[bool]) -> Result<Vec<(usize, u64)>, TableError> {
        let begun = Instant::now();
        self.repeat(self.streamed.run)?;
        let telling = &self.telling;
        let listener = Both { log: self.streamed.log, chunks: self.streamed.chunks, telling };
        let sweeps = |chunk: Chunk| telling.stripes.sweeps(telling.process, mover, chunk);
        let own = self.streamed.sweep_columns((pass, mover), active, sweeps, &listener)?;
        self.work.busy += begun.elapsed();
        self.work.found += own.iter().map(|(_, count)| count).sum::<u64>();
        let own = own.into_iter().map(|(slice, count)| (slice as u64, count)).collect();
        let all = self.barrier(own)?.into_iter().flat_map(|(_, counts)| counts);
        Ok(all.map(|(slice, count)| (slice as usize, count)).collect())
    }

    fn widen(&mut self) -> Result<(), TableError> {
        self.streamed.widen()
    }
}

/// Sends what this process finds to the processes that read it.
struct Telling {
    process: usize,
    stripes: Stripes,
    outbox: Outbox,
    /// Bytes that had been sent before the tier.
    sent: u64,
}

impl Telling {
    /// Sends words of a chunk to the others who read it.
    fn send(&self, chunk: Chunk, record: Record, words: &[u8]) -> Result<(), TableError> {
        let mut readers = self.stripes.readers(record.side, chunk.slice).filter(|&reader| reader != self.process);
        readers.try_for_each(|reader| self.outbox.send_words(reader, record.bytes(), words))
    }
}

/// Adds words to the log, and sends them to the others.
struct Both<'a> {
    log: &'a Log,
    chunks: &'a Chunks,
    telling: &'a Telling,
}

impl Listener for Both<'_> {
    fn go_on(&self) -> Result<(), TableError> {
        self.telling.outbox.check()
    }

    fn found(&self, record: Record, words: &[u8]) -> Result<(), TableError> {
        self.log.add(record, words)?;
        self.telling.send(self.chunks.get(record.number), record, words)
    }
}

/// The numbers of processes at a barrier: each process, with the sums that it sent.
type Said = Vec<(usize, Vec<(u64, u64)>)>;

/// Handles the messages of the other processes.
struct WordReceiver<'a> {
    processes: usize,
    planes: &'a PlaneFiles,
    chunks: &'a Chunks,
    width: usize,
    log: &'a Log,
    outbox: Outbox,
    /// Gets the sums of the others at each barrier.
    gate: Sender<Said>,
    /// Whether the next barrier is the last one of the tier.
    last: &'a AtomicBool,
}

impl WordReceiver<'_> {
    /// Handles messages until the last barrier, or the end of the exchange.
    fn run(self, inbox: &mut Inbox) {
        let (mut buffers, mut found) = (Buffers::default(), Vec::new());
        // A process that is ahead may send its sums for the next barrier before this barrier has passed.
        let mut said: Vec<VecDeque<Vec<(u64, u64)>>> = vec![VecDeque::new(); self.processes];
        let mut later = Vec::new();
        loop {
            match inbox.next() {
                Event::Message { from, message: Message::Words { head, packed } } => {
                    if let Err(error) = self.put(head, &packed, &mut buffers, &mut found) {
                        self.outbox.give_up(&error);
                        return;
                    }
                    self.outbox.send(from, Message::Worked(packed.len() as u64));
                }
                Event::Message { from, message: Message::Sums(sums) } => said[from].push_back(sums),
                // For the next tier.
                event @ Event::Message { .. } => later.push(event),
                Event::Passed => {
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

    fn put(
        &self,
        head: [u8; 16],
        packed: &[u8],
        buffers: &mut Buffers,
        found: &mut Vec<u64>,
    ) -> Result<(), TableError> {
        match Record::read(&head) {
            Some(record) if record.number < self.chunks.len() => {
                let chunk = self.chunks.get(record.number);
                put_back(self.planes, chunk, self.width, self.log, record, packed, buffers, found)
            }
            _ => Err(TableError::Peers { cause: "words of another process are not what was sent".to_owned() }),
        }
    }
}
