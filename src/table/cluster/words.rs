//! A tier that several processes solve: what each says at a barrier, and a thread that puts the
//! words of the others into the planes while this process sweeps.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use crate::progress::Swept;
use crate::table::cluster::exchange::{Event, Exchange, Inbox, Outbox};
use crate::table::cluster::message::Message;
use crate::table::error::TableError;
use crate::table::retro::{BarrierSums, DiskTier, Peers, Share, Tools, Work};

/// Solves a tier together with the other processes. Returns whether the tier is wide, and the work
/// of each process. The logs stay in the folder of the build.
pub(super) fn solve_shared(
    share: &Share<'_>,
    exchange: &mut Exchange,
    observe: &mut dyn FnMut(Swept),
) -> Result<(bool, Vec<Work>), TableError> {
    let (tier, begun) = DiskTier::open(share)?;
    let (gate, passed) = channel();
    let last = AtomicBool::new(false);
    let (outbox, passed) = (exchange.outbox.clone(), Mutex::new(passed));
    let others = Others { processes: share.processes, outbox: exchange.outbox.clone(), passed, last: &last };
    let receiver = WordReceiver { processes: share.processes, tier: &tier, outbox: &outbox, gate, last: &last };
    let inbox = &mut exchange.inbox;
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .spawn_scoped(scope, || receiver.run(inbox))
            .map_err(TableError::io(share.parts.folder()))?;
        let stop = StopAtPanic(&outbox);
        let solved = tier.solve(share, begun, &others, observe);
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
        self.0.give_up(&TableError::Peers("it ended in the middle, by a bug".to_owned()));
    }
}

/// The other processes, as the sweeps see them.
struct Others<'a> {
    processes: usize,
    outbox: Outbox,
    /// Gets what the others say at each barrier.
    passed: Mutex<Receiver<BarrierSums>>,
    /// True if the next barrier is the last one of the tier.
    last: &'a AtomicBool,
}

impl Peers for Others<'_> {
    fn check(&self) -> Result<(), TableError> {
        self.outbox.check()
    }

    fn send_words(&self, to: usize, head: [u8; 16], packed: &[u8]) -> Result<(), TableError> {
        self.outbox.send_words(to, head, packed)
    }

    fn sent(&self) -> u64 {
        self.outbox.sent()
    }

    fn barrier(&self, own: &[(u64, u64)], last: bool) -> Result<BarrierSums, TableError> {
        self.last.store(last, Ordering::Release);
        self.outbox.send_all(self.processes, &Message::Sums(own.to_vec()));
        self.outbox.pass();
        let passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        passed.recv().map_err(|_| self.outbox.why_ended())
    }
}

/// Handler of the messages of the other processes.
struct WordReceiver<'a> {
    processes: usize,
    tier: &'a DiskTier<'a>,
    outbox: &'a Outbox,
    gate: Sender<BarrierSums>,
    last: &'a AtomicBool,
}

impl WordReceiver<'_> {
    /// Handles messages until the last barrier, or the end of the exchange.
    fn run(self, inbox: &mut Inbox) {
        let (mut tools, outbox) = (Tools::default(), self.outbox);
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
                    if let Err(error) = self.tier.receive(head, &packed, &mut tools) {
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
                    let taken: BarrierSums = taken.collect();
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
}
