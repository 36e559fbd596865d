//! Connections to other processes that hide failures from timely.
//!
//! Timely's threads panic when a connection ends without timely's last message. So a [`Watched`]
//! connection notes such an end, blocks the reading thread until the worker is gone, and then ends
//! the thread without a message. It does the same when a header is not one that timely would have
//! sent. It also notes when something was last received.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes of the header of a message of timely: channel, sender, first receiver and the one behind
/// the last, length of what follows, and a number in sequence. Timely's last message to a process
/// is a header of zeros.
const HEADER: usize = 6 * size_of::<u64>();

/// The most bytes of a message. Processes wait after sending each other a quarter of that.
const LONGEST: u64 = 1 << 26;

/// The state of the connections of a process.
pub(super) struct Links {
    begun: Instant,
    /// For each process, when something was last heard, in milliseconds from the beginning, and
    /// whether it is lost.
    heard: Vec<AtomicU64>,
    lost: Vec<OnceLock<Missing>>,
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
        let own = streams.iter().position(Option::is_none).unwrap_or_default();
        let copies: io::Result<Vec<TcpStream>> = streams.iter().flatten().map(TcpStream::try_clone).collect();
        let links = Arc::new(Links {
            begun: Instant::now(),
            heard: streams.iter().map(|_| AtomicU64::new(0)).collect(),
            lost: streams.iter().map(|_| OnceLock::new()).collect(),
            streams: Mutex::new(copies?),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let watched = |(peer, stream): (usize, Option<TcpStream>)| {
            stream.map(|stream| Watched { stream, peer, links: Arc::clone(&links), messages: Messages::new(peer, own) })
        };
        let watched = streams.into_iter().enumerate().map(watched).collect();
        Ok((links, watched))
    }

    /// Returns a process with which there is no connection any more, or from which nothing was
    /// received for longer than `patience`.
    pub(super) fn missing(&self, patience: Duration) -> Option<(usize, Missing)> {
        let lost = self.lost.iter().enumerate().find_map(|(peer, lost)| Some((peer, *lost.get()?)));
        if lost.is_some() {
            return lost;
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

    fn lose(&self, peer: usize, how: Missing) {
        let _ = self.lost[peer].set(how);
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
    /// It has sent what no process of a build sends.
    Strange,
    /// It is silent.
    Silent,
}

/// A connection to another process.
pub(super) struct Watched {
    stream: TcpStream,
    peer: usize,
    links: Arc<Links>,
    /// The bytes read so far.
    messages: Messages,
}

/// Progress within the messages of a connection. Headers are checked here, since timely believes
/// every header.
#[derive(Clone)]
struct Messages {
    /// Sender and receiver, as headers name them.
    between: [u64; 3],
    header: [u8; HEADER],
    /// Bytes of the header that have come.
    come: usize,
    /// Bytes still to come of those that the header announces.
    left: u64,
    /// True if the last message has come.
    over: bool,
}

impl Messages {
    fn new(from: usize, to: usize) -> Messages {
        let (from, to) = (from as u64, to as u64);
        Messages { between: [from, to, to + 1], header: [0; HEADER], come: 0, left: 0, over: false }
    }

    /// Goes on by the bytes that have come; `false` where no process of a build would have sent
    /// them.
    fn follow(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            if self.over {
                return false;
            }
            if self.left > 0 {
                let inside = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
                bytes = &bytes[inside..];
                self.left -= inside as u64;
                continue;
            }
            let (more, rest) = bytes.split_at(bytes.len().min(HEADER - self.come));
            self.header[self.come..][..more.len()].copy_from_slice(more);
            self.come += more.len();
            bytes = rest;
            if self.come == HEADER && !self.begin() {
                return false;
            }
        }
        true
    }

    /// Begins the message whose header has come; `false` if there can be no such message.
    fn begin(&mut self) -> bool {
        self.come = 0;
        let (fields, _) = self.header.as_chunks();
        let [_, from, to, behind, length, _] = [0, 1, 2, 3, 4, 5].map(|i| u64::from_be_bytes(fields[i]));
        self.over = self.header == [0; HEADER];
        self.left = length;
        self.over || [from, to, behind] == self.between && (1..=LONGEST).contains(&length)
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(count) if count > 0 && self.messages.follow(&buffer[..count]) => {
                    self.links.hear(self.peer);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) if self.messages.over => return Ok(0),
                what => {
                    let strange = what.is_ok_and(|count| count > 0);
                    self.links.lose(self.peer, if strange { Missing::Strange } else { Missing::Lost });
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
        Ok(Watched { stream, peer: self.peer, links: Arc::clone(&self.links), messages: self.messages.clone() })
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

    fn message(fields: [u64; 6], bytes: usize) -> Vec<u8> {
        fields.iter().flat_map(|field| field.to_be_bytes()).chain(std::iter::repeat_n(7, bytes)).collect()
    }

    #[test]
    fn what_came_before_a_connection_broke_is_read() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let own = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (mut other, _) = listener.accept().expect("a caller");
        let said = message([4, 0, 1, 2, 100, 9], 100);
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
        links.close(Duration::ZERO);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| watched.read(&mut read))).is_err());
        assert_eq!(links.missing(Duration::from_secs(60)), Some((0, Missing::Lost)));
    }

    #[test]
    fn only_what_timely_would_send_is_passed_on() {
        // From process 2 to process 1.
        let good = [message([4, 2, 1, 2, 100, 9], 100), message([0, 2, 1, 2, 1, 0], 1), message([0; 6], 0)].concat();
        for step in [1, 7, 48, 49, good.len()] {
            let mut messages = Messages::new(2, 1);
            assert!(good.chunks(step).all(|bytes| messages.follow(bytes)) && messages.over, "{step}");
            assert!(!messages.follow(&[0]), "something after the end");
        }
        let mut messages = Messages::new(2, 1);
        assert!(messages.follow(&good[..good.len() - 1]) && !messages.over);
        let bad = [
            [4, 2, 1, 2, 1 << 62, 9],
            [4, 2, 1, 2, 1 << 34, 9],
            [4, 2, 1, 2, u64::MAX, 9],
            [4, 2, 1, 2, LONGEST + 1, 9],
            [4, 2, 1, 2, 0, 9],
            [4, 3, 1, 2, 100, 9],
            [4, 2, 0, 2, 100, 9],
            [4, 2, 1, 1 << 40, 100, 9],
            [4, 2, 1, 1, 100, 9],
        ];
        for fields in bad {
            let mut messages = Messages::new(2, 1);
            assert!(messages.follow(&good[..148]) && !messages.follow(&message(fields, 0)), "{fields:?}");
        }
    }
}
