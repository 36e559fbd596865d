//! Connection of the processes of a build.
//!
//! Each process listens at its address in the list of hosts, and connects to process 0. Process 0
//! refuses those whose program, setup or options differ, and, once all have connected, sends each
//! the addresses of all. Then each process connects to those numbered between 0 and itself. A
//! message is a length and JSON. Other callers are ignored.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::files::{hex, shortened};

/// The version of the protocol between processes.
const PROTOCOL: u32 = 2;

/// The most bytes of a message.
const MAX_BYTES: u32 = 1 << 18;

/// Time that a caller may take for its whole first message.
const SPEAK: Duration = Duration::from_secs(2);

/// The most callers that are heard at a time, beside those that have said who they are.
const CALLERS: usize = 128;

/// The time between two tries.
const AGAIN: Duration = Duration::from_millis(20);

/// Facts that must be the same in all processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::table) struct Purpose {
    /// The program and its version.
    program: String,
    /// The digest of the setup, in hex.
    setup: String,
    /// The options that must agree.
    options: String,
}

impl Purpose {
    /// Returns the purpose of this program.
    pub(in crate::table) fn new(setup: &[u8; 32], options: String) -> Purpose {
        let program = format!("pods {}, protocol {PROTOCOL}", env!("CARGO_PKG_VERSION"));
        Purpose { program, setup: hex(setup), options }
    }

    /// Returns the difference between another process and process 0, if any.
    fn difference(&self, other: &Purpose) -> Option<String> {
        let differ =
            |what: &str, own: &str, other: &str| format!("has {what} {:?}, process 0 has {own:?}", shortened(other));
        if self.program != other.program {
            Some(differ("the program", &self.program, &other.program))
        } else if self.setup != other.setup {
            Some("has another board, pods, hands or rules than process 0".to_owned())
        } else if self.options != other.options {
            Some(differ("the options", &self.options, &other.options))
        } else {
            None
        }
    }
}

/// The message of a process to process 0.
#[derive(Serialize, Deserialize)]
struct Hello {
    format: String,
    purpose: Purpose,
    process: usize,
    processes: usize,
    /// Port that it listens on.
    port: u16,
}

const FORMAT: &str = "pods-cluster";

/// Answer of process 0.
#[derive(Serialize, Deserialize)]
enum Reply {
    Welcome { session: u64, mark: String, places: Vec<SocketAddr> },
    Refused(String),
}

/// The message of a process to those between process 0 and itself.
#[derive(Serialize, Deserialize)]
struct Join {
    session: u64,
    process: usize,
}

/// The connected processes.
pub(super) struct Circle {
    /// A connection to each other one.
    pub(super) streams: Vec<Option<TcpStream>>,
    /// The mark of the build's folder, as process 0 gave it.
    pub(super) mark: String,
}

/// Waits for the other processes, as process 0. `watch` returns a cause as soon as one of them
/// cannot come any more.
pub(super) fn gather(
    listener: &TcpListener,
    processes: usize,
    purpose: &Purpose,
    mark: &str,
    patience: Duration,
    watch: &mut dyn FnMut() -> Option<String>,
) -> Result<Circle, String> {
    let end = Instant::now() + patience;
    let mut callers = Callers::new(listener);
    let mut called: Vec<Option<(TcpStream, SocketAddr)>> = (0..processes).map(|_| None).collect();
    let mut why = None;
    while why.is_none() && called.iter().skip(1).any(Option::is_none) {
        why = watch();
        match callers.next::<Hello>(end) {
            Ok(None) if Instant::now() >= end => {
                let missing: Vec<String> =
                    (1..processes).filter(|&i| called[i].is_none()).map(|i| i.to_string()).collect();
                let missing = missing.join(", ");
                why = Some(format!("process {missing} did not come within {} s", patience.as_secs()));
            }
            Ok(None) => {}
            Err(error) => why = Some(format!("process 0 cannot listen: {error}")),
            Ok(Some((hello, mut stream, from))) => {
                if hello.format != FORMAT {
                    continue;
                }
                let i = hello.process;
                let wrong = if let Some(difference) = purpose.difference(&hello.purpose) {
                    Some(difference)
                } else if hello.processes != processes {
                    Some(format!("is one of {} processes, process 0 of {processes}", hello.processes))
                } else if i == 0 || i >= processes {
                    Some(format!("has a number that is not between 0 and {processes}"))
                } else if called[i].is_some() {
                    Some("is there twice".to_owned())
                } else {
                    None
                };
                match wrong {
                    Some(wrong) => {
                        let cause = format!("process {i} {wrong}");
                        let _ = say(&mut stream, &Reply::Refused(cause.clone()));
                        why = Some(cause);
                    }
                    None => called[i] = Some((stream, SocketAddr::new(from.ip(), hello.port))),
                }
            }
        }
    }
    if let Some(cause) = why {
        for (stream, _) in called.iter_mut().flatten() {
            let _ = say(stream, &Reply::Refused(cause.clone()));
        }
        return Err(cause);
    }
    let own = listener.local_addr().map_err(|error| error.to_string())?;
    let places: Vec<SocketAddr> = called.iter().map(|caller| caller.as_ref().map_or(own, |(_, at)| *at)).collect();
    let session = RandomState::new().hash_one((std::process::id(), &places));
    for (i, caller) in called.iter_mut().enumerate() {
        if let Some((stream, _)) = caller {
            let reply = Reply::Welcome { session, mark: mark.to_owned(), places: places.clone() };
            say(stream, &reply).map_err(|error| format!("process {i} went away: {error}"))?;
        }
    }
    let streams = called.into_iter().map(|caller| caller.map(|(stream, _)| stream)).collect();
    Ok(Circle { streams, mark: mark.to_owned() })
}

/// Gives up, as process 0, before it waits for the others, and says so to those who call soon.
pub(super) fn turn_away(listener: &TcpListener, processes: usize, cause: &str) {
    let end = Instant::now() + SPEAK;
    let (mut callers, mut told) = (Callers::new(listener), 1);
    while told < processes && Instant::now() < end {
        match callers.next::<Hello>(end) {
            Ok(Some((_, mut stream, _))) => {
                let _ = say(&mut stream, &Reply::Refused(format!("process 0 gave up: {cause}")));
                told += 1;
            }
            Ok(None) => {}
            Err(_) => return,
        }
    }
}

/// Connects another process to process 0 and those with lower numbers, and waits for those with
/// higher ones.
pub(super) fn call(
    listener: &TcpListener,
    first: &str,
    process: usize,
    processes: usize,
    purpose: &Purpose,
    patience: Duration,
) -> Result<Circle, String> {
    let end = Instant::now() + patience;
    let mut leader = connect(0, first, end)?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let hello = Hello { format: FORMAT.to_owned(), purpose: purpose.clone(), process, processes, port };
    let lost = |error: io::Error| format!("process 0 at {first} did not answer: {error}");
    say(&mut leader, &hello).map_err(lost)?;
    // Process 0 may have begun to wait later than this one.
    let (session, mark, places) = match hear(&mut leader, patience + SPEAK).map_err(lost)? {
        // What an honest process says names one.
        Reply::Refused(cause) if cause.starts_with("process ") => return Err(shortened(&cause).into_owned()),
        Reply::Refused(cause) => {
            return Err(format!("process 0 at {first} refuses this process and says {:?}", shortened(&cause)));
        }
        Reply::Welcome { session, mark, places } => (session, mark, places),
    };
    if places.len() != processes {
        let count = places.len();
        return Err(format!("process 0 at {first} gives {count} addresses for {processes} processes"));
    }
    let mut streams: Vec<Option<TcpStream>> = (0..processes).map(|_| None).collect();
    streams[0] = Some(leader);
    for to in 1..process {
        let mut stream = connect(to, &places[to].to_string(), end)?;
        say(&mut stream, &Join { session, process }).map_err(|error| format!("process {to} went away: {error}"))?;
        streams[to] = Some(stream);
    }
    let mut callers = Callers::new(listener);
    while let Some(missing) = (process + 1..processes).find(|&i| streams[i].is_none()) {
        let next = callers.next::<Join>(end);
        match next.map_err(|error| format!("process {process} cannot listen: {error}"))? {
            None if Instant::now() >= end => {
                return Err(format!("process {missing} did not come within {} s", patience.as_secs()));
            }
            Some((join, stream, _)) if join.session == session && (process + 1..processes).contains(&join.process) => {
                streams[join.process].get_or_insert(stream);
            }
            Some(_) | None => {}
        }
    }
    Ok(Circle { streams, mark })
}

/// Callers that are heard side by side: each until its whole first message has come or its time is
/// up.
struct Callers<'a> {
    listener: &'a TcpListener,
    /// Those that are still speaking, in the order in which they have come.
    speaking: VecDeque<Caller>,
}

struct Caller {
    stream: TcpStream,
    from: SocketAddr,
    end: Instant,
    letter: Letter,
}

impl Callers<'_> {
    fn new(listener: &TcpListener) -> Callers<'_> {
        Callers { listener, speaking: VecDeque::new() }
    }

    /// Returns the next caller that has sent such a message, if there is one before a short time
    /// has passed. Others are dropped.
    fn next<T: DeserializeOwned>(&mut self, end: Instant) -> io::Result<Option<(T, TcpStream, SocketAddr)>> {
        for _ in 0..CALLERS {
            let Some((stream, from)) = accept(self.listener)? else { break };
            // Who is one of the others speaks at once, so the first to come are the last to be
            // waited for.
            if self.speaking.len() == CALLERS {
                self.speaking.pop_front();
            }
            let (end, letter) = (Instant::now() + SPEAK, Letter::default());
            let mut caller = Caller { stream, from, end, letter };
            match caller.letter.take(&mut caller.stream) {
                Ok(None) => self.speaking.push_back(caller),
                Ok(Some(message)) => return Ok(Some((message, caller.stream, from))),
                Err(_) => {}
            }
        }
        for _ in 0..self.speaking.len() {
            let Some(mut caller) = self.speaking.pop_front() else { break };
            match caller.letter.take(&mut caller.stream) {
                Ok(Some(message)) => return Ok(Some((message, caller.stream, caller.from))),
                Ok(None) if Instant::now() < caller.end => self.speaking.push_back(caller),
                Ok(None) | Err(_) => {}
            }
        }
        std::thread::sleep(AGAIN.min(end.saturating_duration_since(Instant::now())));
        Ok(None)
    }
}

/// Accepts a caller that waits; does not block.
fn accept(listener: &TcpListener) -> io::Result<Option<(TcpStream, SocketAddr)>> {
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Ok((stream, from)) => {
                stream.set_nonblocking(true)?;
                return Ok(Some((stream, from)));
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Calls a process until it is there.
fn connect(process: usize, place: &str, end: Instant) -> Result<TcpStream, String> {
    let mut last = "its name is not known".to_owned();
    loop {
        match place.to_socket_addrs() {
            Err(error) => last = error.to_string(),
            Ok(addresses) => {
                for address in addresses {
                    let left = end.saturating_duration_since(Instant::now()).max(AGAIN);
                    match TcpStream::connect_timeout(&address, left) {
                        Ok(stream) => return Ok(stream),
                        Err(error) => last = error.to_string(),
                    }
                }
            }
        }
        if Instant::now() + AGAIN >= end {
            return Err(format!("process {process} is not there, nobody is at {place}: {last}"));
        }
        std::thread::sleep(AGAIN);
    }
}

fn say(stream: &mut TcpStream, what: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(what)?;
    stream.set_write_timeout(Some(SPEAK))?;
    stream.write_all(&(text.len() as u32).to_le_bytes())?;
    stream.write_all(&text)?;
    stream.set_write_timeout(None)
}

/// Waits for a whole message.
fn hear<T: DeserializeOwned>(stream: &mut TcpStream, patience: Duration) -> io::Result<T> {
    let (end, mut letter) = (Instant::now() + patience, Letter::default());
    stream.set_nonblocking(true)?;
    loop {
        if let Some(message) = letter.take(stream)? {
            return Ok(message);
        }
        if Instant::now() >= end {
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(AGAIN);
    }
}

/// Part of a message that has come: its length and JSON.
#[derive(Default)]
struct Letter(Vec<u8>);

impl Letter {
    /// Returns the bytes that are to come, as far as can be told by now.
    fn missing(&self) -> io::Result<usize> {
        let Some((length, text)) = self.0.split_first_chunk() else { return Ok(size_of::<u32>() - self.0.len()) };
        let length = u32::from_le_bytes(*length);
        if length > MAX_BYTES { Err(io::ErrorKind::InvalidData.into()) } else { Ok(length as usize - text.len()) }
    }

    /// Reads what has come over a connection that does not block. A message that is whole is
    /// returned, and from then on the connection blocks.
    fn take<T: DeserializeOwned>(&mut self, stream: &mut TcpStream) -> io::Result<Option<T>> {
        let mut buffer = [0; 1 << 12];
        loop {
            let missing = self.missing()?;
            if missing == 0 {
                stream.set_nonblocking(false)?;
                stream.set_nodelay(true)?;
                return Ok(Some(serde_json::from_slice(&self.0[size_of::<u32>()..])?));
            }
            let room = missing.min(buffer.len());
            match stream.read(&mut buffer[..room]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.0.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
