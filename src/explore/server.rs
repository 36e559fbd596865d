//! The server: binds its port, serves connections, and ends when told to.

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::task::AbortHandle;

use super::answers;
use super::guard::{CookieSeen, Guard, forward_page};
use super::worker::Worker;
use crate::table::Tablebase;

/// The most connections that are served at a time.
const CONNECTIONS: usize = 256;

/// Time limit for the head of a request and for an idle connection.
const HEAD: Duration = Duration::from_secs(5);

/// The most bytes of the head of a request.
const MAX_HEAD: usize = 32 << 10;

/// Interval at which the server checks for an end.
const LOOK: Duration = Duration::from_millis(100);

/// The options of a server.
#[derive(Debug)]
#[non_exhaustive]
pub struct Options {
    /// The port; 0 for one that is free.
    pub port: u16,
    /// Tables in which values are looked up.
    pub tables: Option<Tablebase>,
    /// Memory for solvers, in bytes.
    pub memory: u64,
}

impl Options {
    /// Returns the options of a server with this memory for solvers, in bytes, on any free port and
    /// without tables.
    #[must_use]
    pub fn new(memory: u64) -> Options {
        Options { port: 0, tables: None, memory }
    }

    #[must_use]
    pub(crate) fn with_port(self, port: u16) -> Options {
        Options { port, ..self }
    }

    #[must_use]
    pub(crate) fn with_tables(self, tables: Option<Tablebase>) -> Options {
        Options { tables, ..self }
    }
}

/// Reasons why the server cannot start or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// Another program has the port.
    #[error("port {0} is in use by another program: name another, or 0 for any that is free")]
    InUse(u16),
    /// The port cannot be bound, for another reason.
    #[error("port {port} cannot be listened to: {cause}")]
    Port {
        /// The port.
        port: u16,
        /// Error of the system.
        cause: io::Error,
    },
    /// There are no random numbers for the token.
    #[error("the system gives no random numbers: {0}")]
    NoRandom(getrandom::Error),
    /// The server cannot start or go on.
    #[error("the server cannot run: {0}")]
    Run(#[from] io::Error),
}

/// A server that has bound its port and does not serve yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Arc<Guard>,
    options: Options,
}

impl Server {
    /// Binds the port, on the loopback interface only.
    ///
    /// # Errors
    ///
    /// If the port cannot be bound, or the system gives no random numbers.
    pub fn bind(options: Options) -> Result<Server, ExploreError> {
        let port = options.port;
        let listener =
            TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(|cause| match cause.kind() {
                io::ErrorKind::AddrInUse => ExploreError::InUse(port),
                _ => ExploreError::Port { port, cause },
            })?;
        listener.set_nonblocking(true)?;
        let guard = Guard::new(listener.local_addr()?.port()).map_err(ExploreError::NoRandom)?;
        Ok(Server { listener, guard: Arc::new(guard), options })
    }

    /// Returns the address to open in a browser. It contains the token: whoever knows it can use
    /// the server.
    #[must_use]
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Returns a page that leads on to the address. In a file that its owner alone can read it opens
    /// a browser without showing the token to anybody who lists processes.
    #[must_use]
    pub(crate) fn forward_page(&self) -> String {
        forward_page(&self.address())
    }

    /// Serves until `stop` is set.
    ///
    /// # Errors
    ///
    /// If the system gives no threads, or refuses the listener.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ExploreError> {
        let worker = Worker::start(self.options.tables, self.options.memory)?;
        let router = answers::router(worker.clone(), self.guard);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(4).build()?;
        let served = runtime.block_on(serve(self.listener, router, stop));
        // Streams that are still open end here, and the jobs behind them.
        worker.stop();
        runtime.shutdown_background();
        Ok(served?)
    }
}

struct Connection {
    known: CookieSeen,
    serving: AbortHandle,
}

/// The connections that are served, the oldest first.
#[derive(Default)]
struct Connections(VecDeque<Connection>);

impl Connections {
    /// Makes room for another one. Whoever has not shown the cookie gives way to who comes later,
    /// so that strangers cannot keep the owner out by holding connections open.
    ///
    /// Returns `false` if all places are taken by known clients.
    fn make_room(&mut self) -> bool {
        self.0.retain(|one| !one.serving.is_finished());
        if self.0.len() < CONNECTIONS {
            return true;
        }
        let stranger = self.0.iter().position(|one| !one.known.0.load(Ordering::Relaxed));
        let Some(one) = stranger.and_then(|place| self.0.remove(place)) else { return false };
        one.serving.abort();
        true
    }
}

async fn serve(listener: TcpListener, router: Router, stop: &AtomicBool) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut connections = Connections::default();
    while !stop.load(Ordering::Relaxed) {
        if !connections.make_room() {
            tokio::time::sleep(LOOK).await;
            continue;
        }
        let Ok(accepted) = tokio::time::timeout(LOOK, listener.accept()).await else { continue };
        let Ok((stream, _)) = accepted else {
            // The connection ended before it was accepted, or no file descriptor is left: goes on
            // with the next one.
            tokio::time::sleep(LOOK).await;
            continue;
        };
        // Events are small and must leave at once; Nagle's algorithm could delay them by 40 ms. If
        // it cannot be switched off, they are only slower.
        let _ = stream.set_nodelay(true);
        let known = CookieSeen::default();
        let service = TowerToHyperService::new(router.clone().layer(Extension(known.clone())));
        let serving = tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(MAX_HEAD);
            // Errors of a connection concern only its client.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
        });
        connections.0.push_back(Connection { known, serving: serving.abort_handle() });
    }
    Ok(())
}
