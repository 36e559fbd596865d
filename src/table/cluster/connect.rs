//! Connection of the processes of a build, in timely's way: each listens at its own address, and
//! calls those before it and says its number. Unlike timely's own function this one has a time
//! limit, writes nothing to standard output, and drops callers that say something else.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

/// Time that a caller may take to say its number.
const SPEAK: Duration = Duration::from_secs(2);

/// The time between two tries.
const AGAIN: Duration = Duration::from_millis(20);

/// Returns a connection to each other process of a list of hosts.
pub(super) fn connect(
    hosts: &[String],
    listener: &TcpListener,
    process: usize,
    patience: Duration,
) -> Result<Vec<Option<TcpStream>>, String> {
    let (end, processes) = (Instant::now() + patience, hosts.len());
    let mut streams: Vec<Option<TcpStream>> = hosts.iter().map(|_| None).collect();
    for (to, host) in hosts.iter().enumerate().take(process) {
        let mut stream = call(to, host, end)?;
        let hello = [process as u64, processes as u64].map(u64::to_be_bytes);
        stream.write_all(hello.as_flattened()).map_err(|error| format!("process {to} went away: {error}"))?;
        streams[to] = Some(stream);
    }
    let failed = |error: io::Error| format!("process {process} cannot listen: {error}");
    listener.set_nonblocking(true).map_err(failed)?;
    while let Some(missing) = (process + 1..processes).find(|&of| streams[of].is_none()) {
        match listener.accept() {
            Ok((mut stream, _)) => match hear(&mut stream) {
                Ok([from, of]) if of != processes && (1..of).contains(&from) && of <= MAX_PROCESSES => {
                    return Err(format!("process {from} is one of {of} processes, process {process} of {processes}"));
                }
                Ok([from, _]) if (process + 1..processes).contains(&from) => {
                    streams[from].get_or_insert(stream);
                }
                // Somebody else.
                Ok(_) | Err(_) => {}
            },
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if Instant::now() >= end {
                    return Err(format!("process {missing} did not come within {} s", patience.as_secs()));
                }
                std::thread::sleep(AGAIN);
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    let ready = streams.iter().flatten().try_for_each(|stream| stream.set_nodelay(true));
    ready.map_err(|error| format!("the connections cannot be used: {error}"))?;
    Ok(streams)
}

/// The most processes of a build.
const MAX_PROCESSES: usize = 1 << 10;

/// Returns the number that a caller says, and the number of processes.
fn hear(stream: &mut TcpStream) -> io::Result<[usize; 2]> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(SPEAK))?;
    let mut hello = [[0; 8]; 2];
    stream.read_exact(hello.as_flattened_mut())?;
    stream.set_read_timeout(None)?;
    Ok(hello.map(|number| usize::try_from(u64::from_be_bytes(number)).unwrap_or(usize::MAX)))
}

fn call(process: usize, host: &str, end: Instant) -> Result<TcpStream, String> {
    let mut last = "its name is not known".to_owned();
    loop {
        match host.to_socket_addrs() {
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
            return Err(format!("process {process} is not there, nobody is at {host}: {last}"));
        }
        std::thread::sleep(AGAIN);
    }
}
