//! A process that builds a table together with others, and its first message to them.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Config, Hooks};

use crate::table::cluster::connect::connect;
use crate::table::cluster::exchange::{Event, Exchange, peers};
use crate::table::cluster::message::{Message, Purpose};
use crate::table::cluster::stream::Links;
use crate::table::error::TableError;

/// One of the processes that build a table together, or a thread in the place of one.
pub struct Member {
    process: usize,
    processes: usize,
    patience: Duration,
    scratch: Option<PathBuf>,
    way: Way,
}

enum Way {
    Threads(Box<AllocatorBuilder>),
    Network { listener: TcpListener, hosts: Vec<String> },
}

impl Member {
    /// Creates members in one process, each for a thread of its own: for tests and examples.
    ///
    /// # Panics
    ///
    /// Without a member.
    #[must_use]
    pub fn threads(count: usize) -> Vec<Member> {
        assert!(count > 0, "there must be a member");
        // Messages are serialized, as between processes.
        let builders = Config::ProcessBinary(count).try_build();
        let Ok((builders, _)) = builders else { unreachable!("nothing is asked of the system") };
        let member = |(process, builder)| Member {
            process,
            processes: count,
            patience: Duration::from_secs(60),
            scratch: None,
            way: Way::Threads(Box::new(builder)),
        };
        builders.into_iter().enumerate().map(member).collect()
    }

    /// Returns a process of a list of hosts, `host:port` for each. It listens at its own address
    /// from now on. `patience` is the longest that it waits for others to come, or for a sign of
    /// life.
    ///
    /// # Errors
    ///
    /// If the list has no such process, or this one cannot listen at its address.
    pub(crate) fn at(hosts: Vec<String>, process: usize, patience: Duration) -> Result<Member, TableError> {
        let processes = hosts.len();
        let Some(host) = hosts.get(process) else {
            return Err(peers(format!("process {process} is not among the {processes} hosts")));
        };
        let listener = TcpListener::bind(host)
            .map_err(|error| peers(format!("process {process} cannot listen at {host}: {error}")))?;
        Ok(Member { process, processes, patience, scratch: None, way: Way::Network { listener, hosts } })
    }

    /// Sets a scratch folder: the member keeps the words of the tier that is being solved there,
    /// best on a local disk, and not in the folder of the build.
    #[must_use]
    pub(crate) fn with_scratch(self, folder: PathBuf) -> Member {
        Member { scratch: Some(folder), ..self }
    }

    /// Returns the folder for words, if it is not that of the build.
    pub(in crate::table) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }

    /// Returns its number.
    #[must_use]
    pub fn process(&self) -> usize {
        self.process
    }

    pub(in crate::table) fn processes(&self) -> usize {
        self.processes
    }

    /// Connects to the others and compares what all are about to build. Process 0 gives a mark of
    /// the folder of the build, and all others receive it.
    pub(super) fn meet(self, purpose: Purpose, mark: Option<String>) -> Result<(Exchange, String), TableError> {
        let Member { process, processes, patience, way, .. } = self;
        let (builder, links, names) = match way {
            Way::Threads(builder) => (*builder, None, vec!["a thread".to_owned(); processes]),
            Way::Network { listener, hosts } => {
                let streams = connect(&hosts, &listener, process, patience).map_err(peers)?;
                let failed = |error: std::io::Error| peers(format!("the connections cannot be used: {error}"));
                let (links, watched) = Links::watch(streams).map_err(failed)?;
                let local = ProcessBuilder::new_typed_vector(1, Hooks::default().refill, None);
                let made = initialize_networking_from_sockets(local, watched, process, 1, Hooks::default());
                let (builders, guard) = made.map_err(failed)?;
                // Its threads end with the connections; `Links::close` waits for them.
                std::mem::forget(guard);
                let Some(builder) = builders.into_iter().next() else { unreachable!("one thread was asked for") };
                (AllocatorBuilder::Tcp(builder), Some(links), hosts)
            }
        };
        let mut exchange = Exchange::begin(builder, links, process, names, patience)?;
        match greet(&mut exchange, purpose, mark) {
            Ok(mark) => Ok((exchange, mark)),
            Err(error) => {
                exchange.close(Some(&error));
                Err(error)
            }
        }
    }
}

/// Exchanges the first messages: process 0 hears what all others are about to build, refuses a
/// difference, and answers with the mark, which is returned.
fn greet(exchange: &mut Exchange, purpose: Purpose, mark: Option<String>) -> Result<String, TableError> {
    let Some(mark) = mark else {
        exchange.outbox.send(0, Message::Greeting(purpose));
        // What others say that were welcome before.
        let mut waiting = Vec::new();
        return loop {
            match exchange.inbox.next() {
                Event::Message { from: 0, message: Message::Welcome(mark) } => {
                    exchange.inbox.put_back(waiting.into_iter());
                    break Ok(mark);
                }
                Event::Ended => break Err(exchange.outbox.why_ended()),
                event => waiting.push(event),
            }
        };
    };
    for _ in 1..exchange.processes() {
        match exchange.inbox.next() {
            Event::Message { from, message: Message::Greeting(other) } => {
                if let Some(difference) = purpose.difference(&other) {
                    return Err(peers(format!("process {from} {difference}")));
                }
            }
            Event::Ended => return Err(exchange.outbox.why_ended()),
            _ => return Err(peers("a process has sent something else than a greeting".to_owned())),
        }
    }
    exchange.outbox.send_all(exchange.processes(), &Message::Welcome(mark.clone()));
    Ok(mark)
}
