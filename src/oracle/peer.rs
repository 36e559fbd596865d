//! The program at the other end: started, asked, given a time limit, and ended.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use crate::files::{escaped, read_line, shortened, without_bom};
use crate::oracle::protocol::{Answer, LINE_LIMIT, PROTOCOL, Query, Request, VERSION, read_response};

/// Something that answers requests.
pub trait Answers {
    /// Returns the answer to a request.
    ///
    /// # Errors
    ///
    /// If there is no usable answer; [`PeerError::Ended`] soon after the interrupt is set.
    fn ask(&mut self, ask: &Query, interrupt: Option<&AtomicBool>) -> Result<Answer, PeerError>;

    /// Returns the name that the program gives itself.
    fn name(&self) -> &str {
        ""
    }

    /// Returns the capabilities that the program has declared.
    fn capabilities(&self) -> &[String] {
        &[]
    }

    /// Ends the program.
    ///
    /// # Errors
    ///
    /// If the program does not end as it should.
    fn quit(self: Box<Self>) -> Result<(), PeerError> {
        Ok(())
    }
}

/// Ways of failing to answer a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// It ended.
    Died,
    /// It did not answer in time.
    Silent,
    /// The program sent something that is no answer.
    Nonsense,
}

/// A request that was not answered, and all that is known of why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of failure.
    pub kind: FaultKind,
    /// The message.
    pub message: String,
}

/// Reasons why a program could not be asked any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// The command cannot be read.
    #[error("the command {command:?} cannot be read: {cause}; quote arguments as a shell does, without its variables")]
    Command {
        /// The whole text.
        command: String,
        /// The cause.
        cause: String,
    },
    /// It does not start.
    #[error("{program:?} cannot be started: {cause}; give a program of the search path or a path to it")]
    Start {
        /// Its name.
        program: String,
        /// Error of the system.
        cause: io::Error,
    },
    /// It ended, or closed its output, instead of answering.
    #[error("the program ended instead of answering ({status})\n  sent      {request}\n  received  nothing{stderr}")]
    Died {
        /// Its end.
        status: String,
        /// The request.
        request: String,
        /// The end of its standard error.
        stderr: StderrTail,
    },
    /// It did not answer in time.
    #[error(
        "the program has not answered within {seconds} s; raise --timeout if it needs longer\n  sent      {request}\n  received  nothing{stderr}"
    )]
    Silent {
        /// The time limit.
        seconds: f64,
        /// The request.
        request: String,
        /// The end of its standard error.
        stderr: StderrTail,
    },
    /// It sent something that is no response to the request.
    #[error(
        "the program's answer is no response of the protocol: {cause}\n  sent      {request}\n  received  {received}{stderr}"
    )]
    Nonsense {
        /// The cause.
        cause: String,
        /// The request.
        request: String,
        /// The answer, shortened.
        received: String,
        /// The end of its standard error.
        stderr: StderrTail,
    },
    /// It speaks another protocol or version.
    #[error("the program does not speak {PROTOCOL} version {VERSION}: {}", escaped(&shortened(.0)))]
    Stranger(String),
    /// It fails to answer the first request.
    #[error("the program does not speak {PROTOCOL} (see `pods rules protocol`): {0}")]
    NoHello(Box<PeerError>),
    /// The run was ended early.
    #[error("the run was ended early")]
    Ended,
}

impl PeerError {
    /// Returns the failure to answer a request, if it is one: the program may be started again.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let kind = match self {
            PeerError::Died { .. } => FaultKind::Died,
            PeerError::Silent { .. } => FaultKind::Silent,
            PeerError::Nonsense { .. } => FaultKind::Nonsense,
            PeerError::NoHello(error) => error.fault()?.kind,
            _ => return None,
        };
        Some(Fault { kind, message: self.to_string() })
    }
}

/// Last output of a program to standard error.
#[derive(Debug, Default)]
pub struct StderrTail(String);

impl fmt::Display for StderrTail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.trim().is_empty() {
            return Ok(());
        }
        f.write_str("\nthe end of its standard error:")?;
        self.0.trim().lines().try_for_each(|line| write!(f, "\n  {}", escaped(line)))
    }
}

/// Bytes kept of standard error.
const STDERR_TAIL: usize = 2000;

/// Time allowed to a program to end once it is told to quit or has closed its output.
const GRACE: Duration = Duration::from_secs(2);

/// Time between two looks at whether a program that does not answer has ended, or the run.
const LOOK: Duration = Duration::from_millis(100);

/// Name of the variable by which a program and all that it starts are known, those too that have
/// left its process group.
#[cfg(target_os = "linux")]
const MARK: &str = "PODS_ENGINE";

/// Looks for processes with a mark, which may start others until they have ended.
#[cfg(target_os = "linux")]
const LOOKS: usize = 50;

/// Ends the processes with a mark in their environment; returns `true` if there were any.
#[cfg(target_os = "linux")]
fn end_marked(mark: &str) -> bool {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mut ended = false;
    for id in ids.filter_map(Pid::from_raw) {
        // Opened before its environment is read, so that no other process is meant.
        let Ok(process) = pidfd_open(id, PidfdFlags::empty()) else { continue };
        let environment = std::fs::read(format!("/proc/{}/environ", id.as_raw_nonzero())).unwrap_or_default();
        if environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes()) {
            ended |= pidfd_send_signal(process, Signal::KILL).is_ok();
        }
    }
    ended
}

pub(crate) struct Peer {
    child: Child,
    /// The mark of the program and of all that it starts, as it stands in their environment.
    #[cfg(target_os = "linux")]
    mark: String,
    /// The thread that writes to the program: a program that does not read must not block the
    /// driver.
    requests: Option<Sender<String>>,
    responses: Receiver<io::Result<Option<String>>>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    timeout: Duration,
    next: u64,
    name: String,
    capabilities: Vec<String>,
}

impl Peer {
    /// Starts a command and says hello. The command is split into words as by a shell, but runs
    /// without one. `timeout` is the time limit of each answer.
    ///
    /// # Errors
    ///
    /// If the command cannot be read or started, or does not answer the hello as it should;
    /// [`PeerError::Ended`] soon after the interrupt is set.
    pub(crate) fn start(command: &str, timeout: Duration, interrupt: Option<&AtomicBool>) -> Result<Peer, PeerError> {
        let unreadable = |cause: String| PeerError::Command { command: command.to_owned(), cause };
        let words = shell_words::split(command).map_err(|error| unreadable(error.to_string()))?;
        let (program, arguments) = words.split_first().ok_or_else(|| unreadable("it is empty".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(target_os = "linux")]
        let mark = {
            static STARTED: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
            let value = format!("{}.{}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed));
            command.env(MARK, &value);
            format!("{MARK}={value}")
        };
        // A group of its own, so that what it starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|cause| PeerError::Start { program: program.clone(), cause })?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, requests) = channel::<String>();
        let (responder, responses) = sync_channel(1);
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let mut peer = Peer {
            child,
            #[cfg(target_os = "linux")]
            mark,
            requests: Some(sender),
            responses,
            errors: Arc::clone(&errors),
            timeout,
            next: 0,
            name: String::new(),
            capabilities: Vec::new(),
        };
        // Where the system gives no thread, the peer is dropped, and its program ends with it.
        let begin = |work: Box<dyn FnOnce() + Send>| {
            let begun = thread::Builder::new().spawn(work);
            begun.map(drop).map_err(|cause| PeerError::Start { program: program.clone(), cause })
        };
        if let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes {
            begin(Box::new(move || {
                // A program that has ended needs no more requests.
                while let Ok(request) = requests.recv() {
                    if stdin.write_all(request.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            }))?;
            begin(Box::new(move || listen(stdout, &responder)))?;
            begin(Box::new(move || overhear(stderr, &errors)))?;
        }
        let hello = Query::Hello { protocol: PROTOCOL.to_owned(), version: VERSION };
        let answer = peer.ask(&hello, interrupt).map_err(|error| match error {
            PeerError::Ended => error,
            error => PeerError::NoHello(Box::new(error)),
        });
        match answer? {
            Answer::Hello { protocol, version: VERSION, name, capabilities } if protocol == PROTOCOL => {
                (peer.name, peer.capabilities) = (escaped(&shortened(&name)), capabilities);
            }
            Answer::Error { message } => return Err(PeerError::Stranger(message)),
            other => return Err(PeerError::Stranger(format!("it answers hello with {}", text(&other)))),
        }
        Ok(peer)
    }

    /// Returns the exit status, if the program ends within [`GRACE`].
    fn end(&mut self) -> Option<std::process::ExitStatus> {
        let since = Instant::now();
        while since.elapsed() < GRACE {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
        None
    }

    fn stderr_tail(&self) -> StderrTail {
        // The thread that listens may be a little behind.
        thread::sleep(Duration::from_millis(20));
        let bytes: Vec<u8> = self.errors.lock().map(|errors| errors.iter().copied().collect()).unwrap_or_default();
        StderrTail(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn died(&mut self, request: String) -> PeerError {
        let status = self.end().map_or_else(|| "its output is closed".to_owned(), |status| status.to_string());
        PeerError::Died { status, request, stderr: self.stderr_tail() }
    }
}

impl Answers for Peer {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> &[String] {
        &self.capabilities
    }

    fn quit(mut self: Box<Self>) -> Result<(), PeerError> {
        let answer = self.ask(&Query::Quit, None)?;
        let request = "quit".to_owned();
        if answer != Answer::Ok {
            let (cause, received) = ("it is not ok".to_owned(), escaped(&shortened(&text(&answer))));
            return Err(PeerError::Nonsense { cause, request, received, stderr: self.stderr_tail() });
        }
        self.requests = None;
        match self.end() {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(PeerError::Died { status: status.to_string(), request, stderr: self.stderr_tail() }),
            None => Err(PeerError::Silent { seconds: GRACE.as_secs_f64(), request, stderr: self.stderr_tail() }),
        }
    }

    fn ask(&mut self, ask: &Query, interrupt: Option<&AtomicBool>) -> Result<Answer, PeerError> {
        let id = self.next;
        self.next += 1;
        let request = text(&Request { id, ask: ask.clone() });
        let sent = self.requests.as_ref().is_some_and(|requests| requests.send(format!("{request}\n")).is_ok());
        if !sent {
            return Err(self.died(request));
        }
        let (mut since, mut wait, mut ended) = (Instant::now(), self.timeout, false);
        loop {
            if interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
                return Err(PeerError::Ended);
            }
            let left = wait.saturating_sub(since.elapsed());
            let line = match self.responses.recv_timeout(left.min(LOOK)) {
                Ok(Ok(Some(line))) => line,
                Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => return Err(self.died(request)),
                Ok(Err(error)) => {
                    let (cause, received) = (error.to_string(), "no line that can be shown".to_owned());
                    return Err(PeerError::Nonsense { cause, request, received, stderr: self.stderr_tail() });
                }
                Err(RecvTimeoutError::Timeout) if left > LOOK => {
                    // What it has started may hold its output open, which then has no end.
                    if !ended && self.child.try_wait().is_ok_and(|status| status.is_some()) {
                        (ended, since, wait) = (true, Instant::now(), left.min(GRACE));
                    }
                    continue;
                }
                Err(RecvTimeoutError::Timeout) if ended => return Err(self.died(request)),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.timeout.as_secs_f64();
                    return Err(PeerError::Silent { seconds, request, stderr: self.stderr_tail() });
                }
            };
            if line.trim().is_empty() {
                continue;
            }
            let cause = match read_response(&line) {
                _ if line.trim() == request => "the program sends the request back".to_owned(),
                Ok(response) if response.id == Some(id) => return Ok(response.answer),
                Ok(response) => {
                    let got = response.id.map_or_else(|| "null".to_owned(), |id| id.to_string());
                    format!("its id is {got} instead of {id}: one response for each request, in order")
                }
                Err(cause) => cause,
            };
            let received = escaped(&shortened(&line));
            return Err(PeerError::Nonsense { cause, request, received, stderr: self.stderr_tail() });
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It has had its chance to quit, and so have the processes that it has started.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        #[cfg(target_os = "linux")]
        for _ in 0..LOOKS {
            if !end_marked(&self.mark) {
                break;
            }
        }
    }
}

pub(in crate::oracle) fn text(message: &impl serde::Serialize) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

fn listen(stdout: impl Read, responses: &SyncSender<io::Result<Option<String>>>) {
    let mut source = without_bom(BufReader::new(stdout));
    loop {
        let mut line = String::new();
        let read = read_line(&mut source, LINE_LIMIT, &mut line).map(|there| there.then_some(line));
        let last = !matches!(read, Ok(Some(_)));
        if responses.send(read).is_err() || last {
            return;
        }
    }
}

fn overhear(mut stderr: impl Read, errors: &Mutex<VecDeque<u8>>) {
    let mut bytes = [0; 512];
    while let Ok(read @ 1..) = stderr.read(&mut bytes) {
        let Ok(mut kept) = errors.lock() else { return };
        kept.extend(&bytes[..read]);
        let beyond = kept.len().saturating_sub(STDERR_TAIL);
        kept.drain(..beyond);
    }
}
