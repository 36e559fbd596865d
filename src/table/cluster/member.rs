//! A process that builds a table together with others.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Config, Hooks};

use crate::table::cluster::exchange::{Exchange, peers};
use crate::table::cluster::hello::{Circle, Purpose, call, gather, turn_away};
use crate::table::cluster::hosts::Hosts;
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
    Threads(AllocatorBuilder),
    Network { listener: TcpListener, hosts: Hosts, watch: Box<dyn FnMut() -> Option<String> + Send> },
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
            way: Way::Threads(builder),
        };
        builders.into_iter().enumerate().map(member).collect()
    }

    /// Returns a process of a list of hosts. It listens at its own address from now on. `patience`
    /// is the longest that it waits for others to come, or for a sign of life.
    ///
    /// # Errors
    ///
    /// If the list has no such process, or this one cannot listen at its address.
    pub fn at(hosts: Hosts, process: usize, patience: Duration) -> Result<Member, TableError> {
        let processes = hosts.number();
        let Some(place) = hosts.0.get(process) else {
            return Err(peers(format!("process {process} is not among the {processes} hosts")));
        };
        let listener = TcpListener::bind(place)
            .map_err(|error| peers(format!("process {process} cannot listen at {place}: {error}")))?;
        let way = Way::Network { listener, hosts, watch: Box::new(|| None) };
        Ok(Member { process, processes, patience, scratch: None, way })
    }

    /// Creates process 0 of `processes` on this machine, and the list of hosts for the others.
    ///
    /// # Errors
    ///
    /// If the system gives no port.
    pub fn first_of(processes: usize, patience: Duration) -> Result<(Member, Hosts), TableError> {
        let mut member = Member::at(Hosts::loopback(processes, 0), 0, patience)?;
        let Way::Network { listener, hosts, .. } = &mut member.way else { unreachable!("it was made for the network") };
        let port = listener.local_addr().map_err(|error| peers(format!("process 0 has no port: {error}")))?.port();
        *hosts = Hosts::loopback(processes, port);
        let hosts = hosts.clone();
        Ok((member, hosts))
    }

    /// Sets a callback. While process 0 waits, it calls `others`, which returns a cause once some
    /// process cannot come any more.
    #[must_use]
    pub fn watching(mut self, others: impl FnMut() -> Option<String> + Send + 'static) -> Member {
        if let Way::Network { watch, .. } = &mut self.way {
            *watch = Box::new(others);
        }
        self
    }

    /// Sets a scratch folder: the member keeps the words of the tier that is being solved there,
    /// best on a local disk, and not in the folder of the build.
    #[must_use]
    pub fn with_scratch(self, folder: PathBuf) -> Member {
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

    /// Returns the number.
    pub(crate) fn processes(&self) -> usize {
        self.processes
    }

    /// Gives up, as process 0, before the others have connected, and tells those who come soon.
    pub(in crate::table) fn turn_away(self, error: &TableError) {
        if let Way::Network { listener, .. } = &self.way {
            turn_away(listener, self.processes, &error.to_string());
        }
    }

    /// Connects to the others. Process 0 gives a mark of the folder of the build, and all others
    /// receive it.
    pub(in crate::table) fn meet(
        self,
        purpose: &Purpose,
        mark: Option<&str>,
    ) -> Result<(Exchange, Option<String>), TableError> {
        let Member { process, processes, patience, way, .. } = self;
        match way {
            Way::Threads(builder) => {
                let names = vec!["a thread".to_owned(); processes];
                Ok((Exchange::begin(builder, None, process, names, patience)?, None))
            }
            Way::Network { listener, hosts, mut watch } => {
                let circle = match mark.filter(|_| process == 0) {
                    Some(mark) => gather(&listener, processes, purpose, mark, patience, &mut watch),
                    None => call(&listener, &hosts.0[0], process, processes, purpose, patience),
                };
                let Circle { streams, mark } = circle.map_err(peers)?;
                let name = |(stream, host): (&Option<std::net::TcpStream>, &String)| {
                    let address = stream.as_ref().and_then(|stream| stream.peer_addr().ok());
                    address.map_or_else(|| host.clone(), |address| address.to_string())
                };
                let names = streams.iter().zip(&hosts.0).map(name).collect();
                let failed = |error: std::io::Error| peers(format!("the connections cannot be used: {error}"));
                let (links, watched) = Links::watch(streams).map_err(failed)?;
                let local = ProcessBuilder::new_typed_vector(1, Hooks::default().refill, None);
                let made = initialize_networking_from_sockets(local, watched, process, 1, Hooks::default());
                let (builders, guard) = made.map_err(failed)?;
                // Its threads end with the connections; `Links::close` waits for them.
                std::mem::forget(guard);
                let Some(builder) = builders.into_iter().next() else { unreachable!("one thread was asked for") };
                let builder = AllocatorBuilder::Tcp(builder);
                Ok((Exchange::begin(builder, Some(links), process, names, patience)?, Some(mark)))
            }
        }
    }
}
