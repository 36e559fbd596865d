//! Messages between processes: one dataflow of timely, driven by a thread of its own.
//!
//! A message enters the dataflow, is exchanged by the number of its receiver, and is handed on
//! there. The epoch of the input is the number of the next barrier: when the probe has passed it,
//! every process has come there, and every message sent before it has arrived and been handed on.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use timely::WorkerConfig;
use timely::communication::{Allocator, AllocatorBuilder};
use timely::dataflow::operators::vec::Map as _;
use timely::dataflow::operators::{Exchange as _, Input as _, Probe as _, probe};
use timely::worker::Worker;

use crate::files::shortened;
use crate::table::cluster::message::Message;
use crate::table::cluster::stream::{Links, Missing};
use crate::table::error::TableError;

/// The most bytes sent to a process that it has not worked on yet: in all, and for each other one.
const AHEAD: u64 = 16 << 20;
const AHEAD_OF_ONE: std::ops::RangeInclusive<u64> = 256 << 10..=8 << 20;

/// Returns the most bytes of words on the way to each of the other processes.
pub(super) fn ahead(processes: usize) -> u64 {
    let others = processes.saturating_sub(1).max(1) as u64;
    (AHEAD / others).clamp(*AHEAD_OF_ONE.start(), *AHEAD_OF_ONE.end())
}

/// The name of the thread that drives an exchange. Its panic message becomes the error of the
/// build.
pub(crate) const EXCHANGE_THREAD: &str = "exchange";

/// The longest time between two signs of life, and the least number of them that a process must
/// miss to count as lost.
const BEAT: Duration = Duration::from_secs(1);
const BEATS: u32 = 10;

/// Steps after a link has ended, for the messages that came before.
const LAST_STEPS: usize = 20;

/// Bytes of words for which the thread is woken before a barrier.
const TOGETHER: u64 = 64 << 10;

/// Longest sleep of the thread.
const NAP: Duration = Duration::from_millis(20);

/// Time for outgoing messages to drain at shutdown.
const LEAVING: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parcel {
    to: u32,
    from: u32,
    message: Message,
}

enum Command {
    Send(usize, Message),
    /// All messages before the next barrier are sent.
    Pass,
    Close,
}

#[derive(Debug)]
pub(super) enum Event {
    Message {
        from: usize,
        message: Message,
    },
    /// All processes have come to a barrier, and all messages before it are handed on.
    Passed,
    /// Nothing more will come; [`Outbox::why_ended`] says why.
    Ended,
}

/// State shared by outbox, thread and dataflow of an exchange.
struct Progress {
    /// The reason why the exchange ended early, if it did.
    ended: OnceLock<String>,
    /// By process: the bytes of words sent to it that it has not worked on.
    ahead: Mutex<Vec<u64>>,
    worked: Condvar,
    sent: AtomicU64,
    /// Bytes of words for which the thread was not woken.
    waiting: AtomicU64,
}

impl Progress {
    fn end(&self, cause: String) {
        let _ = self.ended.set(cause);
        drop(self.ahead.lock());
        self.worked.notify_all();
    }
}

/// Sender of messages; any thread may use it.
#[derive(Clone)]
pub(super) struct Outbox {
    process: usize,
    commands: Sender<Command>,
    thread: Thread,
    shared: Arc<Progress>,
}

pub(super) struct Inbox {
    events: Receiver<Event>,
    /// Those that were put back.
    waiting: VecDeque<Event>,
}

pub(super) struct Exchange {
    pub(super) outbox: Outbox,
    pub(super) inbox: Inbox,
    processes: usize,
    thread: Option<JoinHandle<()>>,
}

impl Exchange {
    /// Begins an exchange; `names` are the addresses of the processes, for errors.
    pub(super) fn begin(
        builder: AllocatorBuilder,
        links: Option<Arc<Links>>,
        process: usize,
        names: Vec<String>,
        patience: Duration,
    ) -> Result<Exchange, TableError> {
        let processes = names.len();
        let shared = Arc::new(Progress {
            ended: OnceLock::new(),
            ahead: Mutex::new(vec![0; processes]),
            worked: Condvar::new(),
            sent: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
        });
        let ((commands, received), (sender, events)) = (channel(), channel());
        let driver = Driver { process, names, links, patience, shared: Arc::clone(&shared), events: sender };
        let thread = std::thread::Builder::new().name(EXCHANGE_THREAD.to_owned());
        let thread = thread.spawn(move || driver.drive(builder, &received));
        let thread = thread.map_err(|error| peers(format!("the system gives no thread: {error}")))?;
        let outbox = Outbox { process, commands, thread: thread.thread().clone(), shared };
        let inbox = Inbox { events, waiting: VecDeque::new() };
        Ok(Exchange { outbox, inbox, processes, thread: Some(thread) })
    }

    pub(in crate::table) fn process(&self) -> usize {
        self.outbox.process
    }

    pub(in crate::table) fn processes(&self) -> usize {
        self.processes
    }

    /// Ends the exchange once every message has left. After a failure, tells the others why.
    pub(super) fn close(mut self, failure: Option<&TableError>) {
        if let Some(error) = failure {
            self.outbox.give_up(error);
        }
        self.join();
    }

    fn join(&mut self) {
        self.outbox.command(Command::Close);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.outbox.give_up(&peers("it ended in the middle, by a bug".to_owned()));
            self.join();
        }
    }
}

pub(super) fn peers(cause: String) -> TableError {
    TableError::Peers(cause)
}

impl Outbox {
    fn command(&self, command: Command) {
        self.add(command);
        self.wake();
    }

    fn add(&self, command: Command) {
        // A thread that has ended has said why.
        let _ = self.commands.send(command);
    }

    fn wake(&self) {
        self.shared.waiting.store(0, Ordering::Relaxed);
        self.thread.unpark();
    }

    /// Returns an error with the reason if the exchange has ended.
    pub(super) fn check(&self) -> Result<(), TableError> {
        self.shared.ended.get().map_or(Ok(()), |cause| Err(peers(cause.clone())))
    }

    /// Returns the reason why nothing more comes in.
    pub(super) fn why_ended(&self) -> TableError {
        self.check().err().unwrap_or_else(|| peers("the exchange ended before its end".to_owned()))
    }

    pub(super) fn send(&self, to: usize, message: Message) {
        self.command(Command::Send(to, message));
    }

    pub(super) fn send_all(&self, processes: usize, message: &Message) {
        (0..processes).filter(|&to| to != self.process).for_each(|to| self.send(to, message.clone()));
    }

    /// Sends words; waits while too much is on its way. Words may leave a little later, together
    /// with others.
    ///
    /// # Errors
    ///
    /// If the exchange has ended.
    pub(super) fn send_words(&self, to: usize, head: [u8; 16], packed: &[u8]) -> Result<(), TableError> {
        let bytes = packed.len() as u64;
        self.wait_for_room(to, bytes)?;
        self.shared.sent.fetch_add(bytes + 16, Ordering::Relaxed);
        self.add(Command::Send(to, Message::Words { head, packed: packed.to_vec() }));
        if self.shared.waiting.fetch_add(bytes + 16, Ordering::Relaxed) + bytes >= TOGETHER {
            self.wake();
        }
        Ok(())
    }

    /// Waits while its receiver has too much to work on, and adds this number of bytes to that.
    ///
    /// # Errors
    ///
    /// If the exchange has ended.
    pub(super) fn wait_for_room(&self, to: usize, bytes: u64) -> Result<(), TableError> {
        let mut ahead = self.shared.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let most = self::ahead(ahead.len());
        let full =
            |ahead: &mut Vec<u64>| ahead[to] > 0 && ahead[to] + bytes > most && self.shared.ended.get().is_none();
        if full(&mut ahead) {
            self.wake();
        }
        let mut ahead = self.shared.worked.wait_while(ahead, full).unwrap_or_else(PoisonError::into_inner);
        ahead[to] += bytes;
        drop(ahead);
        self.check()
    }

    /// Returns the bytes of words sent so far.
    pub(super) fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// Says that this process has come to the next barrier.
    pub(in crate::table) fn pass(&self) {
        self.command(Command::Pass);
    }

    /// Ends the exchange, here and for the others.
    pub(super) fn give_up(&self, error: &TableError) {
        let first = self.shared.ended.get().is_none();
        let cause = error.to_string();
        self.shared.end(cause);
        if first {
            self.thread.unpark();
        }
    }
}

impl Inbox {
    pub(in crate::table) fn next(&mut self) -> Event {
        self.waiting.pop_front().unwrap_or_else(|| self.events.recv().unwrap_or(Event::Ended))
    }

    /// Returns `true` if an event has come that is the next one.
    pub(super) fn has_more(&mut self) -> bool {
        if self.waiting.is_empty() {
            self.waiting.extend(self.events.try_recv());
        }
        !self.waiting.is_empty()
    }

    pub(super) fn put_back(&mut self, events: impl DoubleEndedIterator<Item = Event>) {
        events.rev().for_each(|event| self.waiting.push_front(event));
    }
}

/// State owned by the thread of the exchange.
struct Driver {
    process: usize,
    names: Vec<String>,
    links: Option<Arc<Links>>,
    patience: Duration,
    shared: Arc<Progress>,
    events: Sender<Event>,
}

impl Driver {
    /// Runs the exchange. If timely panics, since it cannot read what another process has sent, the
    /// reason is noted.
    fn drive(self, builder: AllocatorBuilder, commands: &Receiver<Command>) {
        let (shared, links, events) = (Arc::clone(&self.shared), self.links.clone(), self.events.clone());
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.run(builder, commands))) else { return };
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let text = shortened(text.unwrap_or("no reason was given"));
        shared.end(format!(
            "the exchange with the other processes broke off ({text}): one has sent what no `pods` sends, or this is a bug; \
             start all processes again, and the build goes on"
        ));
        if let Some(links) = links {
            links.close(Duration::ZERO);
        }
        let _ = events.send(Event::Ended);
    }

    fn run(self, builder: AllocatorBuilder, commands: &Receiver<Command>) {
        let config = WorkerConfig::default().idle_spin(Duration::ZERO);
        let mut worker = Worker::new(config, allocator(builder), Some(Instant::now()));
        let reached = probe::Handle::new();
        let (events, shared) = (self.events.clone(), Arc::clone(&self.shared));
        let mut input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, parcels) = scope.new_input::<Vec<Parcel>>();
            // An input hands parcels to an exchange when its epoch ends, an operator whenever it
            // has run.
            let parcels = parcels.map(|parcel| parcel).exchange(|parcel: &Parcel| u64::from(parcel.to));
            parcels.map(move |parcel| receive(parcel, &shared, &events)).probe_with(&reached);
            input
        });
        let (mut passed, mut epoch, mut open) = (0, 0, true);
        let mut beat = Instant::now();
        let parcel = |to: usize, message| Parcel { to: to as u32, from: self.process as u32, message };
        let others = || (0..self.names.len()).filter(|&to| to != self.process);
        while open && self.shared.ended.get().is_none() {
            for command in commands.try_iter() {
                match command {
                    Command::Send(to, message) => input.send(parcel(to, message)),
                    Command::Pass => {
                        epoch += 1;
                        input.advance_to(epoch);
                    }
                    Command::Close => open = false,
                }
            }
            if let Some(links) = &self.links
                && beat.elapsed() >= BEAT.min(self.patience / BEATS)
            {
                beat = Instant::now();
                links.hear(self.process);
                others().for_each(|to| input.send(parcel(to, Message::Alive)));
            }
            input.flush();
            worker.step_or_park(Some(if open { NAP } else { Duration::ZERO }));
            while passed < epoch && !reached.less_than(&(passed + 1)) {
                passed += 1;
                let _ = self.events.send(Event::Passed);
            }
            if let Some((peer, how)) = self.links.as_ref().and_then(|links| links.missing(self.patience)) {
                // What the peer sent before its link ended, above all why it gave up, may still be
                // on its way: it comes first.
                (0..LAST_STEPS).for_each(|_| {
                    worker.step_or_park(Some(Duration::from_millis(1)));
                });
                self.shared.end(self.missing_text(peer, how));
            }
        }
        if let Some(cause) = self.shared.ended.get() {
            // The cause names the process that ended it, unless it was this one.
            others().for_each(|to| input.send(parcel(to, Message::GivesUp(cause.clone()))));
        }
        input.flush();
        // Several steps, so that the messages pass the exchange and leave.
        (0..4).for_each(|_| {
            worker.step();
        });
        drop(input);
        (0..4).for_each(|_| {
            worker.step();
        });
        drop(worker);
        if let Some(links) = &self.links {
            links.close(LEAVING);
        }
        let _ = self.events.send(Event::Ended);
    }

    fn missing_text(&self, peer: usize, how: Missing) -> String {
        let name = &self.names[peer];
        let how = match how {
            Missing::Lost => "its connection has ended".to_owned(),
            Missing::Silent => format!("nothing was heard of it for {} s", self.patience.as_secs()),
        };
        format!("process {peer} at {name} is lost: {how}; start all processes again, and the build goes on")
    }
}

fn allocator(builder: AllocatorBuilder) -> Allocator {
    match builder {
        AllocatorBuilder::Thread(_) => Allocator::Thread(Default::default()),
        AllocatorBuilder::Process(builder) => Allocator::Process(builder.build()),
        AllocatorBuilder::Tcp(builder) => Allocator::Tcp(builder.build()),
    }
}

fn receive(parcel: Parcel, shared: &Progress, events: &Sender<Event>) {
    let from = parcel.from as usize;
    if from >= shared.ahead.lock().unwrap_or_else(PoisonError::into_inner).len() {
        return shared.end(format!("a message says that it comes from process {from}, and there is none"));
    }
    match parcel.message {
        Message::Alive => {}
        Message::Worked(bytes) => {
            let mut ahead = shared.ahead.lock().unwrap_or_else(PoisonError::into_inner);
            ahead[from] = ahead[from].saturating_sub(bytes);
            shared.worked.notify_all();
        }
        Message::GivesUp(cause) => {
            let cause = shortened(&cause).into_owned();
            let told = cause.starts_with("process ");
            shared.end(if told { cause } else { format!("process {from} gave up: {cause}") });
        }
        message => {
            let _ = events.send(Event::Message { from, message });
        }
    }
}
