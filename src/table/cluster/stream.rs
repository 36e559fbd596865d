//! Connections to other processes that hide failures from timely.
//!
//! Timely's threads panic, with a message, when a connection ends without timely's last message. So a [`Watched`]
//! connection notes such an end, blocks the reading thread until the worker is gone, and then ends the thread without a
//! message. It also notes when something was last received.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes of timely's last message to a process, all of them 0.
const GOOD_BYE: usize = 48;

/// The state of the connections of a process.
pub(super) struct Links {
    begun: Instant,
    /// For each process, when something was last heard, in milliseconds from the beginning, and whether it is lost.
    heard: Vec<AtomicU64>,
    lost: Vec<AtomicBool>,
    streams: Mutex<Vec<TcpStream>>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    closed: bool,
    /// The number of connections over which all was sent.
    sent: usize,
}

impl Links {
    /// Watches the connections; `None` stands for this process itself.
    pub(super) fn watch(streams: Vec<Option<TcpStream>>) -> io::Result<(Arc<Links>, Vec<Option<Watched>>)> {
        let copies: io::Result<Vec<TcpStream>> = streams.iter().flatten().map(TcpStream::try_clone).collect();
        let links = Arc::new(Links {
            begun: Instant::now(),
            heard: streams.iter().map(|_| AtomicU64::new(0)).collect(),
            lost: streams.iter().map(|_| AtomicBool::new(false)).collect(),
            streams: Mutex::new(copies?),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let watched = |(peer, stream): (usize, Option<TcpStream>)| {
            stream.map(|stream| Watched { stream, peer, links: Arc::clone(&links), zeros: 0 })
        };
        let watched = streams.into_iter().enumerate().map(watched).collect();
        Ok((links, watched))
    }

    /// A process whose connection has ended, or from which nothing was received for longer than `patience`.
    pub(super) fn missing(&self, patience: Duration) -> Option<(usize, Missing)> {
        let lost = (0..self.lost.len()).find(|&peer| self.lost[peer].load(Ordering::Acquire));
        if let Some(peer) = lost {
            return Some((peer, Missing::Lost));
        }
        let now = self.now();
        let silent =
            |heard: &AtomicU64| now.saturating_sub(heard.load(Ordering::Relaxed)) > patience.as_millis() as u64;
        self.heard.iter().position(silent).map(|peer| (peer, Missing::Silent))
    }

    /// Notes a sign of life of a process, or of this one.
    pub(super) fn hear(&self, peer: usize) {
        self.heard[peer].store(self.now(), Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    /// Waits until everything is sent, at most for `patience`, and ends the connections.
    pub(super) fn close(&self, patience: Duration) {
        let streams = std::mem::take(&mut *self.streams.lock().unwrap_or_else(PoisonError::into_inner));
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let unsent = |state: &mut State| state.sent < streams.len();
        let waited = self.changed.wait_timeout_while(state, patience, unsent);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.closed = true;
        drop(state);
        self.changed.notify_all();
        for stream in streams {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn lose(&self, peer: usize) {
        self.lost[peer].store(true, Ordering::Release);
    }

    fn wait_until_closed(&self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(state, |state| !state.closed));
    }
}

/// How a process is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// Its connection has ended.
    Lost,
    /// It is silent.
    Silent,
}

/// A connection to another process.
pub(super) struct Watched {
    stream: TcpStream,
    peer: usize,
    links: Arc<Links>,
    /// How many zero bytes end what was read, counted up to [`GOOD_BYE`].
    zeros: usize,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(count) if count > 0 => {
                    self.links.hear(self.peer);
                    let zeros = buffer[..count].iter().rev().take(GOOD_BYE).take_while(|&&byte| byte == 0).count();
                    let all = zeros == count;
                    self.zeros = if all { GOOD_BYE.min(self.zeros + zeros) } else { zeros };
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ if self.zeros == GOOD_BYE => return Ok(0),
                _ => {
                    self.links.lose(self.peer);
                    self.links.wait_until_closed();
                    // Ends the thread without a panic message.
                    resume_unwind(Box::new("the connection has ended"));
                }
            }
        }
    }
}

impl Write for Watched {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Ok(count) if count > 0 => Ok(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            _ => {
                // The worker sees it, and ends.
                self.links.lose(self.peer);
                Ok(buffer.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Watched> {
        let stream = self.stream.try_clone()?;
        Ok(Watched { stream, peer: self.peer, links: Arc::clone(&self.links), zeros: 0 })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    /// Timely calls this when all is sent.
    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.shutdown(how);
        self.links.state.lock().unwrap_or_else(PoisonError::into_inner).sent += 1;
        self.links.changed.notify_all();
        Ok(())
    }
}
