//! Connections to other processes that hide failures from timely.
//!
//! Timely's threads panic when a connection ends without timely's last message. So a [`Watched`]
//! connection notes such an end, and blocks the reading thread until the worker is gone. It also
//! notes when something was last received.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes of timely's last message to a process: a header of zeros.
const LAST: usize = 6 * size_of::<u64>();

pub(super) struct Links {
    begun: Instant,
    /// For each process, when something was last heard, in milliseconds from the beginning, and
    /// whether it is lost.
    heard: Vec<AtomicU64>,
    lost: Vec<AtomicBool>,
    streams: Mutex<Vec<TcpStream>>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    closed: bool,
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

    /// Returns a process with which there is no connection any more, or from which nothing was
    /// received for longer than `patience`.
    pub(super) fn missing(&self, patience: Duration) -> Option<(usize, Missing)> {
        if let Some(peer) = self.lost.iter().position(|lost| lost.load(Ordering::Relaxed)) {
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

    fn wait_until_closed(&self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(state, |state| !state.closed));
    }
}

/// Ways in which a process is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// Its connection has ended.
    Lost,
    Silent,
}

pub(super) struct Watched {
    stream: TcpStream,
    peer: usize,
    links: Arc<Links>,
    /// Zeros at the end of the bytes read so far.
    zeros: usize,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(count) if count > 0 => {
                    let zeros = buffer[..count].iter().rev().take_while(|byte| **byte == 0).count();
                    self.zeros = if zeros == count { self.zeros + count } else { zeros };
                    self.links.hear(self.peer);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ if self.zeros >= LAST => return Ok(0),
                _ => {
                    self.links.lost[self.peer].store(true, Ordering::Relaxed);
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
                // The thread that reads finds the end, behind what has come before it, above all
                // why the other one gave up.
                let _ = self.stream.shutdown(Shutdown::Both);
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

    /// Closes the stream; timely calls this when all is sent.
    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.shutdown(how);
        self.links.state.lock().unwrap_or_else(PoisonError::into_inner).sent += 1;
        self.links.changed.notify_all();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_before_a_connection_broke_is_read() {
        for (last, is_over) in [([7; LAST], false), ([0; LAST], true)] {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
            let own = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
            let (mut other, _) = listener.accept().expect("a caller");
            let said = [&[7; 100], &last[..]].concat();
            other.write_all(&said).expect("room");
            drop(other);
            let (links, mut watched) = Links::watch(vec![Some(own), None]).expect("connections");
            let watched = watched[0].as_mut().expect("the other one");
            // The first bytes make the other end say that nobody is there.
            while watched.stream.write(b"x").is_ok() {}
            assert_eq!(watched.write(b"x").ok(), Some(1));
            assert_eq!(links.missing(Duration::from_secs(60)), None);
            let mut read = [0; 148];
            watched.read_exact(&mut read).expect("what was said");
            assert_eq!(read[..], said);
            if is_over {
                assert_eq!(watched.read(&mut read).ok(), Some(0));
                assert_eq!(links.missing(Duration::from_secs(60)), None);
            } else {
                links.close(Duration::ZERO);
                assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| watched.read(&mut read))).is_err());
                assert_eq!(links.missing(Duration::from_secs(60)), Some((0, Missing::Lost)));
            }
        }
    }
}
