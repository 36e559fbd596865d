//! The tests of one build, and how a few of them are run with a fault: in a process group of their own, with a limit on what
//! each may take.

use std::collections::HashMap;
use std::fs;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::all_processes;
use serde::{Deserialize, Serialize};
use wait4::Wait4 as _;

use crate::Outcome;

/// A program of tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The target.
    pub name: String,
    /// `lib`, `bin` or `test`.
    pub kind: String,
    /// The file.
    pub path: PathBuf,
}

/// A test: its program and its name there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Test {
    /// The target.
    pub program: String,
    /// The name, with its modules.
    pub name: String,
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All tests passed.
    Passed,
    /// This one failed, or the program ended in it.
    Failed(String),
    /// This one took too much: processor time, memory, or it did nothing for too long.
    TooMuch(String, &'static str),
}

/// A run of some tests.
pub struct Run {
    /// The tests that passed, by name.
    pub passed: Vec<String>,
    /// Its end.
    pub end: End,
    /// Processor seconds of the program and of those that it started and waited for.
    pub cpu: f64,
}

/// Faults that act during a run.
#[derive(Clone, Copy)]
pub enum Mode<'a> {
    /// One fault.
    Fault(u32),
    /// None; the faults that are reached are written to this file.
    Reach(&'a Path),
}

/// Programs that look at sources and not at what the code does.
const ABOUT_TEXTS: [&str; 1] = ["house"];

/// Bytes that the processes of a run may hold in memory.
const MEMORY: u64 = 5 << 30;

/// Time in which a run may do nothing at all, on a machine that does other things too.
const IDLE: Duration = Duration::from_secs(180);

/// The tests of one build.
pub struct Suite {
    copy: PathBuf,
    scratch: PathBuf,
    programs: HashMap<String, PathBuf>,
}

impl Suite {
    /// Lists the programs of tests that run the code.
    pub fn new(copy: PathBuf, programs: Vec<Program>, scratch: PathBuf) -> Suite {
        let programs = programs
            .into_iter()
            .filter(|program| program.kind != "bin" && !ABOUT_TEXTS.contains(&program.name.as_str()))
            .map(|program| (if program.kind == "lib" { "lib".to_owned() } else { program.name }, program.path))
            .collect();
        Suite { copy, scratch, programs }
    }

    /// Returns all tests, in order.
    pub fn tests(&self) -> Outcome<Vec<Test>> {
        let mut all = Vec::new();
        for (program, path) in &self.programs {
            let list = Command::new(path).args(["--list", "--format", "terse"]).current_dir(&self.copy).output()?;
            let names = String::from_utf8(list.stdout)?;
            let names = names.lines().filter_map(|line| line.strip_suffix(": test"));
            all.extend(names.map(|name| Test { program: program.clone(), name: name.to_owned() }));
        }
        all.sort();
        Ok(all)
    }

    /// Runs some tests of one program, one after the other, until one fails. `limits` are their processor seconds.
    pub fn run(&self, program: &str, names: &[(String, f64)], mode: Mode<'_>, job: usize) -> Outcome<Run> {
        let scratch = self.scratch.join(job.to_string());
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch)?;
        let mut command = Command::new(&self.programs[program]);
        command.args(["--exact", "--test-threads=1"]).args(names.iter().map(|(name, _)| name));
        command.current_dir(&self.copy).env("CARGO_MANIFEST_DIR", &self.copy).env("RUST_BACKTRACE", "0");
        command.env("TMPDIR", &scratch);
        match mode {
            Mode::Fault(number) => command.env("PODS_FAULT", number.to_string()),
            Mode::Reach(file) => command.env("PODS_REACH", file),
        };
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn()?;
        let mut out = child.stdout.take().expect("a pipe");
        let (sender, chunks) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut said = Said::default();
        let (mut test_began, mut busy, mut too_much) = (0.0, (0.0, Instant::now()), None);
        loop {
            match chunks.recv_timeout(Duration::from_millis(250)) {
                Ok(chunk) => {
                    let before = said.passed.len();
                    said.hears(&chunk);
                    if said.failed.is_some() {
                        break;
                    }
                    if said.passed.len() > before {
                        test_began = used(child.id())?.cpu;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let used = used(child.id())?;
                    if used.cpu > busy.0 + 0.05 {
                        busy = (used.cpu, Instant::now());
                    }
                    let limit = names.iter().find(|(name, _)| *name == said.running()).map_or(f64::MAX, |(_, s)| *s);
                    too_much = match () {
                        () if used.memory > MEMORY => Some("memory"),
                        () if used.cpu - test_began > limit => Some("time"),
                        () if busy.1.elapsed() > IDLE => Some("standstill"),
                        () => None,
                    };
                    if too_much.is_some() {
                        break;
                    }
                }
            }
        }
        let ended = if too_much.is_some() || said.failed.is_some() {
            let last = used(child.id())?.cpu;
            kill(child.id());
            let ended = child.wait4()?;
            (false, seconds(&ended).max(last))
        } else {
            // What a test has left behind goes with its group, which is there until its first process is waited for.
            exited(child.id());
            kill(child.id());
            let ended = child.wait4()?;
            (ended.status.success(), seconds(&ended))
        };
        let running = said.running();
        let end = match (too_much, said.failed, ended.0) {
            (Some(what), ..) => End::TooMuch(running, what),
            (None, Some(name), _) => End::Failed(name),
            (None, None, true) => End::Passed,
            (None, None, false) => End::Failed(running),
        };
        let passed =
            if end == End::Passed { names.iter().map(|(name, _)| name.clone()).collect() } else { said.passed };
        Ok(Run { passed, end, cpu: ended.1 })
    }
}

/// Output of a test program so far.
#[derive(Default)]
struct Said {
    /// The line that has not ended.
    line: String,
    passed: Vec<String>,
    failed: Option<String>,
}

impl Said {
    fn hears(&mut self, chunk: &[u8]) {
        self.line.push_str(&String::from_utf8_lossy(chunk));
        while let Some((line, rest)) = self.line.split_once('\n') {
            if let Some(name) = named(line) {
                if line.ends_with("FAILED") {
                    self.failed = self.failed.take().or(Some(name));
                } else if line.ends_with("ok") || line.ends_with("ignored") {
                    self.passed.push(name);
                }
            }
            self.line = rest.to_owned();
        }
    }

    /// Returns the test that has begun and not ended.
    fn running(&self) -> String {
        named(&self.line).unwrap_or_default()
    }
}

/// Returns the test that a line of libtest is about.
fn named(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("test ")?.split_once(" ...")?;
    Some(name.strip_suffix(" - should panic").unwrap_or(name).to_owned())
}

fn seconds(ended: &wait4::ResUse) -> f64 {
    (ended.rusage.utime + ended.rusage.stime).as_secs_f64()
}

struct Used {
    /// Processor seconds.
    cpu: f64,
    /// Bytes.
    memory: u64,
}

/// Returns a process and those below it, the process first.
fn family(root: u32) -> Outcome<Vec<procfs::process::Stat>> {
    let mut others: Vec<_> =
        all_processes()?.filter_map(Result::ok).filter_map(|process| process.stat().ok()).collect();
    let mut family: Vec<_> = others.extract_if(.., |stat| stat.pid == root as i32).collect();
    let mut at = 0;
    while let Some(parent) = family.get(at).map(|stat| stat.pid) {
        family.extend(others.extract_if(.., |stat| stat.ppid == parent));
        at += 1;
    }
    Ok(family)
}

/// Returns the processor seconds and the memory of a process and those below it.
fn used(root: u32) -> Outcome<Used> {
    let mut used = Used { cpu: 0.0, memory: 0 };
    for stat in family(root)? {
        let ticks = stat.utime + stat.stime + stat.cutime.max(0) as u64 + stat.cstime.max(0) as u64;
        used.cpu += ticks as f64 / procfs::ticks_per_second() as f64;
        used.memory += stat.rss * procfs::page_size();
    }
    Ok(used)
}

/// Waits for the end of a process and leaves it to be waited for again.
fn exited(pid: u32) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    if let Some(pid) = Pid::from_raw(pid as i32) {
        let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    }
}

/// Ends a process group and the processes below it that have groups of their own.
fn kill(root: u32) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    let below = family(root).unwrap_or_default();
    if let Some(root) = Pid::from_raw(root as i32) {
        let _ = kill_process_group(root, Signal::KILL);
    }
    for pid in below.iter().skip(1).filter_map(|stat| Pid::from_raw(stat.pid)) {
        let _ = kill_process(pid, Signal::KILL);
    }
}
